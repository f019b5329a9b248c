"""How far off the middle of terrain is, in mm: by how it was measured, and by what may be hidden of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from shapely import MultiPoint, Polygon, box, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.solid.fit import Fit
from vision.detection import Detection

# Middles of things with a name that lie so well on edges are so far off; plates, whose foot hardly shows, by more
# (rendered pictures, seeds 5, 6 and 41107: 33 of 36 within 7.4 mm).
_SURE, _SIGMA_MM, _PLATE_SIGMA_MM = 0.8, 3.0, 5.5
# The height of a plate is so far off, and its middle with it, the more the lower the camera looks (path traced tables
# of another maker: 55 plates, 14 of them soup plates).
_PLATE_HEIGHT_SIGMA_MM = 10.0
# Of round things whose rim was seen less will do, for it holds them (the same pictures: all of 15 within 12 mm); and of
# blocks that hold all that the net sees, whatever their name (those and seeds 61218, 70413, 15001: 13 within 8 mm).
_RIM_SURE, _HELD_SIGMA_MM = 0.6, 5.0
# Of what lies on no edges it is a guess where it ends: so much of its size (two stacks taken for one book).
_GUESSED = 0.13
# Sheets of which only colours tell where they end are so far off; and each that ends where something else begins may go
# on under it, by so much of its size for the whole of its outline (the same pictures and those of seed 71219).
_COLOURS_SIGMA_MM, _HIDDEN = 8.0, 0.5
# A rectangle that lies so well on edges shows nearly whole, and such a share of that counts; an outline that is bent in
# may be that of two things, by such a share of the bay's size (those, 61218 and 70413: the likeliest of 46 sheets).
_WHOLE, _STILL_HIDDEN, _BAY = 0.9, 0.25, 0.2
# So near another thing, or the table's edge, is at it.
_TOUCHING_MM, _EDGE_MM = 8.0, 2.0


def of_fit(thing: Detection, name: str, fit: Fit, plane: TablePlane, *, by_rim: bool) -> float:
    """The sigma of a fitted thing: as it was proposed, unless it has a name and fits well.

    by_rim  whether its rim was seen
    """
    if name == UNKNOWN or fit.support < (_RIM_SURE if by_rim else _SURE):
        return thing.sigma_mm
    if name == "plate":
        return _with_doubt(_of_plate_mm(fit, plane), fit, plane)
    return _with_doubt(_SIGMA_MM if fit.support >= _SURE else _HELD_SIGMA_MM, fit, plane)


def _of_plate_mm(fit: Fit, plane: TablePlane) -> float:
    """How far off a plate is, of which the rim alone shows: by what that does not tell of its height."""
    middle_px = plane.to_image([(fit.footprint.centroid.x, fit.footprint.centroid.y)])
    return max(_PLATE_SIGMA_MM, float(plane.sigma_mm(middle_px, height_sigma_mm=_PLATE_HEIGHT_SIGMA_MM)[0]))


def of_block(found: Detection, fit: Fit, plane: TablePlane) -> float:
    """The sigma of a block that was found by its lines and holds all that the net sees: no more than it had."""
    return min(found.sigma_mm, _with_doubt(_HELD_SIGMA_MM, fit, plane))


def of_guess(thing: Detection) -> float:
    """The sigma of a thing as it was proposed, which no edges bear out."""
    of_outline_mm = np.hypot(_GUESSED * np.sqrt(thing.footprint.area), _BAY * _bay_mm(thing.footprint))
    return max(thing.sigma_mm, float(of_outline_mm))


def of_sheet(
    sheet: Detection,
    proposed: Detection,
    others: Sequence[Detection],
    plane: TablePlane,
    table_mm: tuple[float, float],
    support: float = 0.0,
) -> float:
    """The sigma of a sheet: by how its edges were found, and by how far it may go on where something hides its end.

    proposed  the same as the net has it
    others    what else is there
    table_mm  the table's width and depth
    support   how far it lies on edges as a rectangle
    """
    is_sure = sheet.sigma_mm < proposed.sigma_mm
    ends: list[BaseGeometry] = [_body(other, plane).buffer(_TOUCHING_MM) for other in others if other is not proposed]
    if not is_sure:
        ends.append(box(0.0, 0.0, *table_mm).exterior.buffer(_EDGE_MM))
    outline = sheet.footprint.exterior
    share = outline.intersection(union_all(ends)).length / outline.length
    if is_sure and support >= _WHOLE:
        share *= _STILL_HIDDEN
    of_plane_mm = plane.sigma_mm(plane.to_image([sheet.position_mm]))[0]
    own_mm = sheet.sigma_mm if is_sure else float(np.hypot(of_plane_mm, _COLOURS_SIGMA_MM))
    hidden_mm = _HIDDEN * share * np.sqrt(sheet.footprint.area)
    return float(np.linalg.norm([own_mm, hidden_mm, _BAY * _bay_mm(sheet.footprint)]))


def _bay_mm(outline: Polygon) -> float:
    """The side of a square as large as what an outline lacks to be bent out everywhere."""
    return float(np.sqrt(max(outline.convex_hull.area - outline.area, 0.0)))


def _with_doubt(of_fit_mm: float, fit: Fit, plane: TablePlane) -> float:
    middle = (fit.footprint.centroid.x, fit.footprint.centroid.y)
    return float(np.linalg.norm([plane.sigma_mm(plane.to_image([middle]))[0], of_fit_mm, fit.doubt_mm]))


def _body(thing: Detection, plane: TablePlane) -> BaseGeometry:
    """What a thing hides of the table."""
    foot = np.array(thing.footprint.exterior.coords)
    return MultiPoint([*foot, *plane.behind(foot, thing.height_mm or 0.0)]).convex_hull
