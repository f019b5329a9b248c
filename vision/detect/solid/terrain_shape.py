"""Footprint and height of terrain, measured: the net's proposal, moved and bent until its outlines lie on edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.box import storeys
from vision.detect.box.block_form import named_by_block
from vision.detect.box.blocks import blocks_near
from vision.detect.box.flat_top import block_under, stood_up
from vision.detect.box.higher_foot import raised
from vision.detect.box.lower_foot import lowered
from vision.detect.box.two_faces import block_in, block_seen_as
from vision.detect.round.bowls import bowl_instead
from vision.detect.sheet.bare import is_bare
from vision.detect.sheet.sheet_colour import apart, colour_of
from vision.detect.sheet.sheets import followed, on_table
from vision.detect.solid import terrain_sigma
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit
from vision.detect.solid.forms import BLOCK, DRUM
from vision.detect.solid.glance import Sight
from vision.detect.solid.guesses import LOW_MM, SHEETS, Drum, blocks, by_rim_of, drums, lipped
from vision.detect.solid.parts import BY_LINES, SHEET_MM
from vision.detect.solid.terrain import turn_deg
from vision.detection import Detection
from vision.mat.emblem import is_emblem
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# What may be a sheet, if it is no higher than nets say of sheets.
_SHEETS_OF = ("napkin", "paper", UNKNOWN)
# Two sheets so near, mm, are different ones if their colours are so far apart.
_TOUCHING_MM, _OTHER_COLOUR = 3.0, 20.0
# From this share of the outlines on edges on, and when so much of both is common, the measured shape is believed
# (rendered pictures, seeds 5 and 6).
_SUPPORT, _COMMON = 0.35, 0.3
# From which support on what is looked for by its lines is found, and from which if it lies on edges so much better
# than any other shape does (38 rendered stills and seed 226041: of ten such blocks below 0.75 the five that were off by
# 11 mm at most have 0.64 to 0.73 and lead by 0.14 at least, the others lie worse than a drum).
_LINES_SUPPORT, _LIKELY_SUPPORT, _LEAD = 0.75, 0.62, 0.1
# Of a block the net may see a part, if the block's foot holds so much of that.
_PART = 0.7
# A block that is flatter than such a share of the height that the net says gives way to a higher one that lies on edges
# so nearly as well (38 rendered stills: three books and boxes told as 6 mm high, 16 to 20 mm off, lie 0.03 worse as
# they are; one that is flat as it should be 0.16).
_FLATTER, _AS_WELL = 0.4, 0.06
# The same of what is so low that its foot's edges may be those of its top.
_LOW_FLATTER = 0.75
# A painted band may lie on edges so much better than the foot of a mug, which is so much farther down.
_PAINTED, _BAND_MM = 0.03, 10.0
# So many blocks that lie about as well on coarse edges are followed along fine ones.
_FOLLOWED = 6
# A drum of such a size, fitting so well and so likely a mug, is one (rendered pictures, seeds 5 and 6: four of four).
_MUG_CHANCE, _MUG_SUPPORT = 0.45, 0.6
_MUG_RADIUS_MM, _MUG_MM = (25.0, 55.0), (40.0, 130.0)
# Edges are looked for so far around what the net says, and as high as terrain is.
_AROUND_MM, _TALLEST_MM = 30.0, 120.0
# A thing may be higher than the net says, so many times and by so much more (14 boxes and mugs of another maker, in
# view: 0.5 to 1.9 times).
_TIMES_AS_HIGH, _HIGHER_MM = 2.0, 20.0
# Heights of things that lie so well on edges are so far off, beside what other guesses leave open (16 books and boxes
# of rendered pictures, seeds 5, 6 and 41107).
_HEIGHT_SIGMA_MM = 2.0


@dataclass(frozen=True, eq=False)
class Proposal:
    """A thing that the net saw and that is to be measured.

    drum  the drum that its rim tells, if a rim is seen
    """

    thing: Detection
    drum: Drum | None = None


def is_cut(known: Proposal, close: Sight[TopView]) -> bool:
    """Whether a thing that is no sheet may show its top beyond where the view ends."""
    high_mm = _TIMES_AS_HIGH * (known.thing.height_mm or 0.0) + _HIGHER_MM
    places_px = close.view.to_px(_where_it_shows(known.thing.footprint, close.plane, high_mm))
    shows = ((places_px >= 0) & (places_px <= np.array(close.view.size_px) - 1)).all()
    return not (shows or _may_be_sheet(known))


def _may_be_sheet(known: Proposal) -> bool:
    return known.drum is None and known.thing.cls in _SHEETS_OF and is_low(known.thing)


def is_low(thing: Detection) -> bool:
    """Whether it is no higher than nets say of sheets."""
    return (thing.height_mm or 0.0) <= SHEET_MM


def measured(known: Proposal, close: Sight[TopView], others: Sequence[Detection] = ()) -> Detection | None:
    """The thing with the footprint and height that the close view bears out, or as it was proposed where none is. None
    for what turns out to be bare table, or rings printed on it.

    others  the other things on the table, whose edges are not this one's
    """
    thing = known.thing
    if _may_be_sheet(known):
        return _sheet(thing, close, others)
    # By its rim and as the net proposes it, each followed to the end: what a rim tells is held narrowly.
    edges = _edges_around(thing.footprint, close)
    if is_emblem(thing, edges):
        return None
    block = _by_lines(thing, edges, close)
    by_rim = best_fit(by_rim_of(known.drum), edges)
    is_sure = block is not None and block.support > _LINES_SUPPORT
    other = best_fit(drums(thing) if is_sure else chain(drums(thing), blocks(thing)), edges)
    if block is not None and not is_sure and not _leads(block, (by_rim, other)):
        block = None
    best = _as_unsure_as((by_rim, other), _best((block, *_taller_drum(by_rim, other))))
    bowl = None if best is None else bowl_instead(best, thing.cls, edges, close)
    if bowl is not None:
        return _as_fitted(replace(thing, cls=UNKNOWN, class_log_probs={}), bowl, close.plane)
    fit = None if best is None else _lipped(best, edges)
    found = _as_fitted(thing, fit, close.plane, by_rim=known.drum is not None)
    is_block = block is not None and found.footprint is block.footprint
    return _with_level(found, thing, block, edges) if block is not None and is_block else found


def _taller_drum(*fits: Fit | None) -> tuple[Fit | None, ...]:
    """The fits; of two drums that lie on edges about as well the taller one alone: of two lines that may be the foot
    the outer one is, and the inner one is a band on it."""
    one, other = fits
    if one is None or other is None or not one.form is other.form is DRUM:
        return fits
    tall, low = sorted((one, other), key=lambda fit: -fit.height_mm)
    is_band = tall.height_mm > low.height_mm + _BAND_MM and tall.support > low.support - _PAINTED
    return (tall,) if is_band else fits


def _as_unsure_as(fits: Iterable[Fit | None], best: Fit | None) -> Fit | None:
    """The best fit, where it is a drum as unsure as the other drum leaves it: of two lines that may be a mug's foot a
    little more light makes now one and now the other the better."""
    rivals = [fit for fit in fits if fit is not None and fit is not best and fit.form is DRUM]
    if best is None or best.form is not DRUM or not rivals:
        return best
    (rival,) = rivals
    higher_mm = rival.height_mm - best.height_mm
    favour = _PAINTED * float(np.sign(higher_mm)) if abs(higher_mm) > _BAND_MM else 0.0
    return best.beside(rival, favour)


def _lipped(fit: Fit, edges: Edges) -> Fit:
    """A mug with its lip, if edges bear that out; the same of anything else."""
    better = best_fit(lipped(fit), edges)
    if better is None or better.support <= fit.support:
        return fit
    return replace(better, doubt_mm=fit.doubt_mm, height_doubt_mm=fit.height_doubt_mm)


def _leads(block: Fit, others: Iterable[Fit | None]) -> bool:
    """Whether a block that does not lie on edges as surely as it might lies on them much better than all others."""
    return all(other is None or block.support > other.support + _LEAD for other in others)


def _sheet(thing: Detection, close: Sight[TopView], others: Sequence[Detection]) -> Detection | None:
    """As `measured`, of what may be a sheet: by its colours, and as the rectangle that it may be; None of the table."""
    surely = [other.footprint for other in others if _is_another(thing, other, close)]
    outline = followed(thing.footprint, close, surely)
    if outline is None and thing.cls != "napkin":
        return None
    whole = thing if outline is None else outlined(thing, outline, close.plane)
    fits = _fits(whole, [blocks(thing), blocks(whole)] if outline is not None else [blocks(thing)], close)
    sheet = _cut(_as_fitted(whole, _best(fits), close.plane), close)
    if is_bare(sheet, [other for other in others if other is not thing], close):
        return None
    seen = [sheet.footprint] if outline is None else [sheet.footprint, thing.footprint]
    block = next(filter(None, (_block_shown_as(each, close) for each in seen)), None)
    if block is not None:
        return _upright(sheet, block, close.plane)
    if outline is None:
        return sheet
    support = max((fit.support for fit in fits), default=0.0)
    table_mm = close.view.table_mm
    return replace(sheet, sigma_mm=terrain_sigma.of_sheet(sheet, thing, others, close.plane, table_mm, support))


def _block_shown_as(outline: Polygon, close: Sight[TopView]) -> Fit | None:
    """The block that shows as a sheet of that outline, or whose top does; None where none does."""
    edges = _edges_around(outline, close)
    return block_in(outline, edges, close) or block_under(outline, edges, close)


def _upright(sheet: Detection, block: Fit, plane: TablePlane) -> Detection:
    """A block that the net took for a sheet: what it is nobody knows."""
    moved = _moved(replace(sheet, cls=UNKNOWN, colour=None), block, plane)
    height_sigma_mm = float(np.hypot(_HEIGHT_SIGMA_MM, block.height_doubt_mm))
    return replace(moved, sigma_mm=terrain_sigma.of_block(moved, block, plane), height_sigma_mm=height_sigma_mm)


def _is_another(sheet: Detection, other: Detection, close: Sight[TopView]) -> bool:
    """Whether another thing is surely not a piece of a sheet: by its name, or by its colour where it touches it."""
    if other.cls not in (sheet.cls, UNKNOWN):
        return True
    if other is sheet or other.footprint.distance(sheet.footprint) > _TOUCHING_MM:
        return False
    is_low = (other.height_mm or 0.0) <= SHEET_MM
    colours = (colour_of(thing.footprint, close) for thing in (sheet, other))
    return is_low and bool(apart(*colours) > _OTHER_COLOUR)


def _cut(sheet: Detection, close: Sight[TopView]) -> Detection:
    """The sheet as far as it lies on the table."""
    outline = on_table(sheet.footprint, close.view)
    return sheet if outline is None or outline.equals(sheet.footprint) else outlined(sheet, outline, close.plane)


def _fits(thing: Detection, ways: Sequence[Iterable[Guess]], close: Sight[TopView]) -> list[Fit]:
    """What comes out of each of some ways to guess."""
    edges = _edges_around(thing.footprint, close)
    return [fit for guesses in ways if (fit := best_fit(guesses, edges)) is not None]


def _best(fits: Iterable[Fit | None]) -> Fit | None:
    """The one that lies on edges best."""
    return max((fit for fit in fits if fit is not None), key=lambda fit: fit.support, default=None)


def _as_fitted(thing: Detection, best: Fit | None, plane: TablePlane, *, by_rim: bool = False) -> Detection:
    """As the best fit has it, if edges bear it out.

    by_rim  whether a rim was seen
    """
    proposed = replace(thing, class_log_probs={})
    if best is None or best.support < _SUPPORT or not _is_of(best, thing.footprint):
        return replace(proposed, sigma_mm=terrain_sigma.of_guess(thing))
    name = "mug" if thing.cls == UNKNOWN and _is_mug(best, thing.class_log_probs) else thing.cls
    moved = _moved(proposed, best, plane)
    sure_mm = float(np.hypot(_HEIGHT_SIGMA_MM, best.height_doubt_mm))
    # A round paper has a rim at any height, a bowl a wall that goes on where it does not show.
    is_sure = best.support > _LINES_SUPPORT and not (best.form is not BLOCK and name == UNKNOWN)
    height_sigma_mm = sure_mm if is_sure else thing.height_sigma_mm
    sigma_mm = terrain_sigma.of_fit(thing, name, best, plane, by_rim=by_rim and best.form is DRUM)
    return replace(moved, cls=name, sigma_mm=sigma_mm, height_sigma_mm=height_sigma_mm)


def _is_of(fit: Fit, seen: Polygon) -> bool:
    """Whether a fit is of what the net sees: it has much in common with that, or is a block of which that is a part."""
    is_part = fit.form is BLOCK and fit.support > _LINES_SUPPORT
    within = is_part and fit.footprint.intersection(seen).area > _PART * seen.area
    return within or _common(fit.footprint, seen) > _COMMON


def _by_lines(thing: Detection, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block whose lines lie on edges, wherever they are, if most of them do."""
    if thing.cls not in BY_LINES:
        return None
    if (thing.height_mm or 0.0) < LOW_MM:
        return block_seen_as(thing.footprint, edges, close) if thing.cls == UNKNOWN else None
    guesses = list(blocks_near(thing.footprint, edges))
    fit, said_mm = best_fit(guesses, edges, 1, _FOLLOWED), thing.height_mm or 0.0
    if fit is not None:
        fit = _taller(fit, guesses, (_LOW_FLATTER if fit.height_mm < LOW_MM else _FLATTER) * said_mm, edges)
    if fit is None or fit.support < _LIKELY_SUPPORT:
        return None
    if fit.height_mm < LOW_MM:
        fit = stood_up(fit, edges, close) or fit
    if storeys.is_one_of_several(fit, thing.footprint, edges.plane):
        return fit
    return lowered(raised(fit, edges, close, _FLATTER * said_mm), edges, close)


def _taller(flat: Fit, guesses: Sequence[Guess], least_mm: float, edges: Edges) -> Fit:
    """The best of the guesses that are so high, if it lies on edges nearly as well as one that is not: the lines of a
    top alone are those of a sheet, which no foot gainsays."""
    if flat.height_mm >= least_mm:
        return flat
    tall = [replace(guess, high_mm=least_mm) for guess in guesses if guess.start[-1] >= least_mm]
    fit = best_fit(tall, edges, 1, _FOLLOWED)
    return flat if fit is None or fit.support < flat.support - _AS_WELL else fit


def _with_level(found: Detection, thing: Detection, block: Fit, edges: Edges) -> Detection:
    """What was found as a block, on another if it stands on one; unsure where the net sees more, but lines do not.

    thing  as it was proposed
    """
    plane = edges.plane
    if not storeys.is_one_of_several(block, thing.footprint, plane):
        sure_mm = float(np.hypot(_HEIGHT_SIGMA_MM, block.height_doubt_mm))
        is_sure = block.support > _LINES_SUPPORT
        found = named_by_block(found, thing.class_log_probs) if is_sure else found
        sigma_mm = terrain_sigma.of_block(found, block, plane) if is_sure else found.sigma_mm
        level = None if found.cls == UNKNOWN else 1
        return replace(found, sigma_mm=sigma_mm, height_sigma_mm=sure_mm, level=level)
    lower = storeys.below(block, thing.footprint, edges)
    if not lower:
        return replace(found, sigma_mm=max(found.sigma_mm, thing.sigma_mm), height_sigma_mm=thing.height_sigma_mm)
    stack = [*lower, block]
    at = outlined(found, storeys.whole(stack, plane), plane)
    top_mm = storeys.tops_mm(stack, plane)[-1]
    u, v = plane.to_image([at.position_mm], top_mm)[0]
    return replace(
        at,
        image_px=(float(u), float(v)),
        height_mm=round(top_mm, 1),
        height_sigma_mm=float(np.linalg.norm([_HEIGHT_SIGMA_MM, *(storey.height_doubt_mm for storey in stack)])),
        sigma_mm=terrain_sigma.of_fit(thing, found.cls, lower[0], plane, by_rim=False),
        level=len(stack),
    )


def outlined(thing: Detection, outline: Polygon, plane: TablePlane) -> Detection:
    """The sheet with another outline."""
    at = (outline.centroid.x, outline.centroid.y)
    u, v = plane.to_image([at], thing.height_mm or 0.0)[0]
    return replace(
        thing, position_mm=at, footprint=outline, image_px=(float(u), float(v)), rotation_deg=turn_deg(outline)
    )


def _moved(thing: Detection, fit: Fit, plane: TablePlane) -> Detection:
    """The thing where the fit has it; the height of sheets was not looked for."""
    height_mm = thing.height_mm if thing.cls in SHEETS else round(fit.height_mm, 1)
    at = (fit.footprint.centroid.x, fit.footprint.centroid.y)
    u, v = plane.to_image([at], fit.height_mm)[0]
    return replace(thing, position_mm=at, footprint=fit.footprint, image_px=(float(u), float(v)), height_mm=height_mm)


def _is_mug(fit: Fit, told: Mapping[str, float]) -> bool:
    """Whether what the net takes for a mug, but not surely enough, has the shape of one."""
    radius = float(np.sqrt(fit.footprint.area / np.pi))
    shaped = _MUG_RADIUS_MM[0] < radius < _MUG_RADIUS_MM[1] and _MUG_MM[0] < fit.height_mm < _MUG_MM[1]
    likely = told.get("mug", -np.inf) > np.log(_MUG_CHANCE)
    return fit.form is DRUM and fit.support > _MUG_SUPPORT and shaped and likely


def _edges_around(footprint: Polygon, close: Sight[TopView]) -> Edges:
    both = _where_it_shows(footprint, close.plane, _TALLEST_MM)
    return Edges.within(
        close.seen, close.plane, close.view, both.min(axis=0) - _AROUND_MM, both.max(axis=0) + _AROUND_MM
    )


def _where_it_shows(footprint: Polygon, plane: TablePlane, high_mm: float) -> Array:
    """(4, 2) corners around a thing on the table, and around where its top shows on it if it is so high."""
    low_high = np.array(footprint.bounds).reshape(2, 2)
    return np.concatenate([low_high, plane.behind(low_high, high_mm)])


def _common(one: Polygon, other: Polygon) -> float:
    return float(one.intersection(other).area / one.union(other).area)
