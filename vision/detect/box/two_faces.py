"""Blocks that pass for sheets: seen end on, top and front together have a sheet's outline, but not its even light."""

from __future__ import annotations

from shapely import MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detect.box.blocks import blocks_near
from vision.detect.box.lower_foot import lowered, shows_a_front
from vision.detect.box.top_sides import best_that_ends
from vision.detect.sheet.sheet_colour import apart, colour_of, unevenness_of
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit
from vision.detect.solid.glance import Sight
from vision.detect.solid.guesses import LOW_MM
from vision.metric.topview import TopView

# A block's lines lie so surely on edges, its outline has so much in common with the sheet's, and its top and its front
# are so far apart in colour: three such blocks on 24 pictures of another maker have 0.94 to 0.98, 0.96 to 0.98 and 18
# to 40; the 23 sheets there at most one of the three where they are as high.
_SUPPORT, _COMMON, _OTHER_COLOUR = 0.9, 0.9, 8.0
# A sheet of one light is not asked further, which costs 100 ms: those three blocks vary by 25 to 52 in lightness, of 15
# sheets one, half of it in a shadow.
_TWO_LIGHTS = 15.0
# Of a block, so high at least, the outline may be a part, if so much of it lies within, and it is so much of that.
_LEAST_MM, _WITHIN, _PART = 12.0, 0.95, 0.6


def block_in(outline: Polygon, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block that shows as a sheet of that outline, mm; None where none does."""
    return None if unevenness_of(outline, close) < _TWO_LIGHTS else block_seen_as(outline, edges, close)


def block_seen_as(outline: Polygon, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block that shows, or whose top does, within that outline, mm; None where none does."""
    fit = best_that_ends(list(blocks_near(outline, edges)), edges, close)
    if fit is None or fit.support < _SUPPORT:
        return None
    block = lowered(fit, edges, close)
    if block.height_mm < _LEAST_MM:
        return None
    top, whole = _shown(block, close.plane)
    front = _largest(whole.difference(top))
    if front is None or apart(colour_of(top, close), colour_of(front, close)) < _OTHER_COLOUR:
        return None
    is_whole = block.height_mm > LOW_MM and _is_outline(whole, outline)
    return block if is_whole or (_is_part(outline, whole) and shows_a_front(block, close)) else None


def _is_outline(whole: Polygon, outline: Polygon) -> bool:
    return whole.intersection(outline).area > _COMMON * whole.union(outline).area


def _is_part(outline: Polygon, whole: Polygon) -> bool:
    """Whether an outline is that of the better part of all that shows."""
    return whole.intersection(outline).area > max(_WITHIN * outline.area, _PART * whole.area)


def _largest(shape: BaseGeometry) -> Polygon | None:
    pieces = [piece for piece in getattr(shape, "geoms", [shape]) if isinstance(piece, Polygon)]
    return max(pieces, key=lambda piece: piece.area, default=None)


def _shown(block: Fit, plane: TablePlane) -> tuple[Polygon, Polygon]:
    """The table that a block's top hides, and that all of it hides, mm."""
    foot = block.footprint.exterior.coords[:-1]
    top = plane.behind(foot, block.height_mm)
    whole = MultiPoint([*foot, *top]).convex_hull
    return Polygon(top), whole if isinstance(whole, Polygon) else Polygon(top)
