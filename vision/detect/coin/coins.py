"""The coins on a table: proposed, measured, looked at, named together, measured again as what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from shapely import buffer, points

from calibration.plane import TablePlane
from models.coins import CLASSES, DIAMETER_MM, FACES, MEAN_RADIUS_SHARE, OWNERS, THICKNESS_MM, TYPICAL_THICKNESS_MM
from rules.scene import NONE, UNKNOWN
from vision.detect.coin.between_rims import parted
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.coin_radius import radius_by_both
from vision.detect.coin.faint_proposals import borne_out
from vision.detect.coin.lift import Lifts, lifts_of, placed_by, tops_of
from vision.detect.coin.looked_at import ASTRAY, SURE_CLASS, LookedAt, classes_of, coin_probs, look_at, odds_by_outline
from vision.detect.coin.proposals import Proposals
from vision.detect.coin.purse import Purse
from vision.detect.coin.riders import are_known, carriers_of, lie_on, riders
from vision.detect.coin.stacks import Stacks, find_stacks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.naming.sticker import owner_probs
from vision.shape.circle import Rims, fit_rims
from vision.shape.rim import Circles, look_at_rims, upright

Array = NDArray[np.float64]

_SURE_FACE = 0.95
# That nobody owns a coin is said more rarely: a dot that is overlooked would make a neutral piece of somebody's.
_SURE_OWNER, _SURE_OF_NONE = 0.75, 0.97
# The rim net sees a coin on another where it says the same radius to this share and doubts it no more than that; else
# it has seen the rim below, wholly or in part. By 5 to 10 % more than the rider's own it is 2.4 % off (on average, path
# traced by another maker) where that is 8.0 %, and nearer in 20 of 22; on drawn stills in one of four (*script*).
_SAME_RIM, _DOUBT_OF_RIDER = 0.1, -3.5
# What rides shows so much of its rim (twelve do by 0.6 to 1; rings within a coin passed for two more, 0.3 and 0.4).
_RIM_OF_RIDER = 0.5
# A coin that is rather named than not shows its own design, and a circle in it is a coin only by so large odds, without
# what a dot says, which may be on either: a twenty pence's wide border passed for a five pence on it. So large are
# those of 11 of 40 such circles on photographed coins, most with dots, composed on five grounds, and of all but six
# of 101 coins that do lie on others, which nothing else that was measured parts from the rest (*script*).
_RATHER_NAMED, _ODDS_ON_NAMED = 0.75, 8.0
# Of a radius that the rim net knows to this share at best it is asked again (one of 846 coins on photographs, seven
# pieces of print on twelve stills), from guesses of these shares of what it said.
_DOUBTED, _OTHER_GUESSES = 0.08, (0.85, 1.15)
# Below these odds neither look nor dot makes it a coin: silver with a dot, on a pale map from low down, has -5.2, a
# bright nut -6.4. Half a unit lower is two pieces of print more to look at on a map.
_HOPELESS = -5.5
# A rim of which edges support less has not been met.
_LEAST_SUPPORT = 0.35
# Edges lie within the rim, which is rounded: centres err least with this share of its radius held (rendered stills
# 0.985 to 1, from above 0.99 to 1, path-traced coins 0.99; the edges of photographs: `_EDGES_WITHIN`).
_HELD_SHARE = 0.99
# Shadows and bright borders move all rims of a table out or in by up to this share of the radius.
_LIGHT_SHARE = 0.02
# How well the height of a rim is known: thickness by class, a coin not quite flat.
_HEIGHT_SIGMA_MM = 0.15
# What an edge in the picture is worth when everything is perfect (0.04 px on drawn discs; a coin's
# bright border and dark side leave 0.1 px).
_EDGE_SIGMA_PX = 0.1
_FOOTPRINT_SEGMENTS = 12
_THICKNESS_MM = np.array([THICKNESS_MM[cls] for cls in CLASSES])
_RIM_RADIUS_MM = np.array([DIAMETER_MM[cls] / 2 * MEAN_RADIUS_SHARE.get(cls, 1.0) for cls in CLASSES])


def find_coins(image_bgr: ImageBgr, plane: TablePlane, proposals: Proposals, purse: Purse) -> tuple[Detection, ...]:
    """Every coin among some circles.

    proposals  in the plane of a typical coin's rim
    """
    return name_circles(image_bgr, plane, measure_circles(image_bgr, plane, proposals), purse)


def measure_circles(image_bgr: ImageBgr, plane: TablePlane, proposals: Proposals) -> CoinCircles:
    """The first half of `find_coins`: the proposals that may be coins, measured."""
    proposals = borne_out(image_bgr, plane, proposals)
    height = np.full(len(proposals.heat), TYPICAL_THICKNESS_MM)
    circles = look_at_rims(image_bgr, plane, proposals.centre_mm, proposals.radius_mm, height)
    measured = _with_rims(image_bgr, plane, proposals, circles)
    measured = measured.only(odds_by_outline(measured) > _HOPELESS)
    doubted = measured.circles.radius_sigma_mm > _DOUBTED * measured.circles.radius_mm
    if doubted.any():
        measured = measured.only(~doubted).and_more(_looked_at_again(image_bgr, plane, measured.only(doubted)))
    return parted(image_bgr, plane, measured)


def _looked_at_again(image_bgr: ImageBgr, plane: TablePlane, doubted: CoinCircles) -> CoinCircles:
    """Asked from a smaller and a larger guess too, the surest answer counts: a neighbour's rim had caught the eye, or
    the flat side of a fifty pence."""
    said = surest = doubted.circles
    height = np.full(len(said.radius_mm), TYPICAL_THICKNESS_MM)
    for share in _OTHER_GUESSES:
        again = look_at_rims(image_bgr, plane, said.centre_mm, share * said.radius_mm, height)
        surest = surest.surer(again, ASTRAY)
    return _with_rims(image_bgr, plane, doubted.proposals, surest)


def _with_rims(image_bgr: ImageBgr, plane: TablePlane, proposals: Proposals, circles: Circles) -> CoinCircles:
    height = np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, height, close=True)
    return CoinCircles(proposals, circles, rims)


def name_circles(image_bgr: ImageBgr, plane: TablePlane, measured: CoinCircles, purse: Purse) -> tuple[Detection, ...]:
    """The second half of `find_coins`: which of the circles are coins, which coins, and where exactly.

    A circle that is a coin only if it lies on a card (`vision.detect.coin.on_cards`) is returned as a faint one.
    """
    found = look_at(image_bgr, plane, measured, purse.expected)
    is_round = found.is_round
    on_coins = _riders(image_bgr, plane, found.only(is_round))
    known = are_known(on_coins.circles, found.at.circles.only(is_round))
    found = _with_riders(image_bgr, plane, found, on_coins.only(~known), on_coins.circles.only(known), purse)
    look = partial(_told, image_bgr, plane, purse)
    is_coin, may_be = found.is_coin, found.may_be_on_card
    told = look(found.among(is_coin, purse.expected))
    if not may_be.any():
        return told
    doubtful = found.among(is_coin | may_be, purse.expected).only(may_be[is_coin | may_be])
    return (*told, *(replace(each, faint=True) for each in look(doubtful)))


def _told(image_bgr: ImageBgr, plane: TablePlane, purse: Purse, found: LookedAt) -> tuple[Detection, ...]:
    """What is told of coins: which, where exactly, how high and whose."""
    if found.naming.is_mixed:
        # No coins of any game's: what is rare in it, and how sure is sure enough there, says nothing of these.
        purse = replace(purse, rarity=None, sure=max(purse.sure, SURE_CLASS))
    found = replace(found, naming=found.naming.with_rarity(purse.rarity or {}))
    classes = classes_of(found.naming, purse.sure)
    likely = coin_probs(found.naming) @ _THICKNESS_MM
    thickness = np.array([THICKNESS_MM.get(cls, by_all) for cls, by_all in zip(classes, likely, strict=True)])
    circles = found.at.circles
    lifts = lifts_of(tops_of(image_bgr, plane, circles), likely, carriers_of(circles, circles))
    placed_mm = placed_by(plane, circles, lifts)
    stacks = find_stacks(circles.centre_mm, circles.radius_mm, thickness, found.at.rims.on_rim, lifts, placed_mm)
    rims = _measured_again(image_bgr, plane, found, _radii_mm(found, classes), stacks, thickness)
    owners = owner_probs(found.looks.owners, found.dots, purse.colours)
    # A dot that shows within a coin which carries another is mostly the other's.
    owners[carriers_of(circles, circles.only(stacks.below >= 0))] = 1 / len(OWNERS)
    return _detections(plane, _Told(found, classes, rims, stacks, lifts, thickness, owners))


def _riders(image_bgr: ImageBgr, plane: TablePlane, below: LookedAt) -> CoinCircles:
    """Smaller coins on those found. Their radius is held: the edges near theirs are those of the coins below."""
    proposals, circles = riders(plane, below.at.circles, below.crops)
    height = np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
    at = circles.centre_mm, circles.radius_mm, height
    circles = circles.sharper(look_at_rims(image_bgr, plane, *at), _SAME_RIM, _DOUBT_OF_RIDER)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, height, known_radius=True, close=True)
    # Of sides such a rim says nothing: as uneven as can be.
    riding = CoinCircles(proposals, circles, replace(rims, uneven=np.ones_like(rims.uneven)))
    return riding.only(rims.support > _RIM_OF_RIDER)


def _with_riders(
    image_bgr: ImageBgr, plane: TablePlane, found: LookedAt, on_coins: CoinCircles, known: Circles, purse: Purse
) -> LookedAt:
    """The circles and those that ride `on_coins`, but for what is only a part of some coin's own design; `known` are
    those that ride and were found before."""
    riding = on_coins.circles
    if not len(riding.radius_mm) + len(known.radius_mm):
        return found
    both = look_at(image_bgr, plane, found.at.and_more(on_coins), purse.expected, riding.and_more(known))
    is_named = coin_probs(found.naming).max(axis=1) > _RATHER_NAMED
    stands_out = both.odds_but_for_dots > _ODDS_ON_NAMED
    is_drawn = lie_on(found.at.circles.only(is_named), riding) & ~stands_out[len(is_named) :]
    if not is_drawn.any():
        return both
    return _with_riders(image_bgr, plane, found, on_coins.only(~is_drawn), known, purse)


def _radii_mm(found: LookedAt, classes: list[str]) -> Array:
    """(n,) of each rim: the radius that its likely classes have, and what bears no name the one that was measured, as
    far as it is none of them."""
    naming = found.naming
    none_of_them = np.where(np.array(classes) == UNKNOWN, 1 - (1 - naming.foreign) * (1 - naming.probs[:, -1]), 0.0)
    measured = radius_by_both(found.at.circles, found.at.rims) / naming.scale
    known = coin_probs(naming) @ _RIM_RADIUS_MM
    return np.asarray((known + none_of_them * (measured - known)) * _believed(naming.scale), float)


def _measured_again(
    image_bgr: ImageBgr, plane: TablePlane, found: LookedAt, radius: Array, stacks: Stacks, thickness: Array
) -> Rims:
    """The centres once more, at the true height of each rim and with its radius (n,) held, mm."""
    height = stacks.elevation_mm + thickness
    seed = plane.to_table(plane.to_image(found.at.circles.centre_mm, TYPICAL_THICKNESS_MM), height)
    seed = upright(plane, seed, thickness)
    again = fit_rims(image_bgr, plane, seed, _HELD_SHARE * radius, height, known_radius=True, close=True)
    astray = (np.linalg.norm(again.centre_mm - seed, axis=1) > ASTRAY * radius) | (again.support < _LEAST_SUPPORT)
    return Rims(
        np.where(astray[:, None], seed, again.centre_mm),
        radius,
        np.where(astray, np.maximum(found.at.circles.sigma_mm, 0.04 * radius), again.sigma_mm),
        again.on_rim,
        again.swing,
        again.uneven,
    )


def _believed(scale: float) -> float:
    """The part of the table's measured scale that is the calibration's fault, not the light's on the rims."""
    return scale - float(np.clip(scale - 1, -_LIGHT_SHARE, _LIGHT_SHARE))


@dataclass(frozen=True, eq=False)
class _Told:
    """n coins: what was seen of them, and what is told of each.

    thickness  (n,) mm
    owners     (n, 11) probabilities of `OWNERS`
    """

    found: LookedAt
    classes: list[str]
    rims: Rims
    stacks: Stacks
    lifts: Lifts
    thickness: Array
    owners: Array

    @property
    def top_mm(self) -> Array:
        """(n,) heights of their upper faces above the table."""
        return self.stacks.elevation_mm + self.thickness


def _detections(plane: TablePlane, told: _Told) -> tuple[Detection, ...]:
    """Coins as the rest of the program knows them."""
    if not told.classes:
        return ()
    rims, stacks, owners = told.rims, told.stacks, told.owners
    centre_px = plane.to_image(rims.centre_mm, told.top_mm)
    lean = plane.to_table(centre_px, told.top_mm + 1.0) - plane.to_table(centre_px, told.top_mm)
    probs = coin_probs(told.found.naming)
    sigma, at_height = _sigmas_mm(plane, told)
    log_probs = np.log(np.maximum(probs, 1e-9)).tolist()
    radius_mm = [DIAMETER_MM.get(cls, 2 * radius) / 2 for cls, radius in zip(told.classes, rims.radius_mm, strict=True)]
    discs = buffer(points(rims.centre_mm), radius_mm, quad_segs=_FOOTPRINT_SEGMENTS)
    return tuple(
        Detection(
            kind="coin",
            cls=cls,
            position_mm=_point(rims.centre_mm[index]),
            footprint=discs[index],
            sigma_mm=float(sigma[index]),
            confidence=float(probs[index].max()),
            image_px=_point(centre_px[index]),
            face=_face(np.exp(told.found.looks.faces[index]), owners[index]),
            owner=_owner(owners[index]),
            elevation_mm=float(stacks.elevation_mm[index]),
            elevation_sigma_mm=float(stacks.sigma_mm[index]),
            sigma_at_height_mm=float(at_height[index]),
            lean=_point(lean[index]),
            risen_log_odds=float(told.lifts.log_odds[index]),
            height_mm=float(told.thickness[index]),
            class_log_probs=dict(zip(CLASSES, log_probs[index], strict=True)),
        )
        for index, cls in enumerate(told.classes)
    )


def _sigmas_mm(plane: TablePlane, told: _Told) -> tuple[Array, Array]:
    """(n,) sigma of each place, mm: whatever the coin lies on, and if it lies on what `stacks` says."""
    centre_px, probs = plane.to_image(told.rims.centre_mm, told.top_mm), coin_probs(told.found.naming)
    own = np.sqrt(_HEIGHT_SIGMA_MM**2 + (probs * np.square(_THICKNESS_MM - told.thickness[:, None])).sum(axis=1))
    # Shadow and glare pull a rim to one side, by about as much as the rim net doubts where it is.
    of_rim = np.square(told.rims.sigma_mm) + np.square(told.found.at.circles.sigma_mm)
    of_any, of_this = (
        np.sqrt(np.square(plane.sigma_mm(centre_px, _EDGE_SIGMA_PX, told.top_mm, of_height)) + of_rim)
        for of_height in (np.hypot(own, told.stacks.sigma_mm), own)
    )
    return of_any, of_this


def _face(probs: Array, owners: Array) -> str:
    """Heads or tails; under a dot nobody can tell."""
    dotted = owners[OWNERS.index(NONE)] < 0.5
    return UNKNOWN if dotted else _surest(FACES[:2], probs, _SURE_FACE)


def _owner(probs: Array) -> str:
    owner = _surest(OWNERS, probs, _SURE_OWNER)
    return UNKNOWN if owner == NONE and probs.max() < _SURE_OF_NONE else owner


def _point(values: Array) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _surest(names: tuple[str, ...], probs: Array, least: float) -> str:
    best = int(np.argmax(probs))
    return names[best] if probs[best] >= least else UNKNOWN
