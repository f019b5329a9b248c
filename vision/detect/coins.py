"""The coins on a table: proposed, measured, looked at, named together, measured again as what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from shapely import buffer, points

from calibration.plane import TablePlane
from models.coins import CLASSES, DIAMETER_MM, FACES, MEAN_RADIUS_SHARE, OWNERS, THICKNESS_MM, TYPICAL_THICKNESS_MM
from rules.scene import NONE, UNKNOWN
from vision.circle import Rims, fit_rims
from vision.classify import Looks, classify, crops_of
from vision.currency import Naming, name_coins
from vision.detect.coin_circles import CoinCircles
from vision.detect.coin_radius import radius_by_both
from vision.detect.faint_proposals import borne_out
from vision.detect.odds import BY_LOOKS, BY_OUTLINE, NO_COIN, look_evidence, outline_evidence
from vision.detect.on_cards import may_lie_on_card
from vision.detect.proposals import Proposals
from vision.detect.riders import NONE_RIDE, are_known, carriers_of, covered, riders
from vision.detect.washers import without_washers
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.ground_light import in_one_light
from vision.lift import Lifts, lifts_of, placed_by, tops_of
from vision.metal import tints_of
from vision.relief import reliefs_of
from vision.rim import Circles, look_at_rims, upright
from vision.stacks import Stacks, find_stacks
from vision.sticker import Dots, dots_of, owner_probs
from vision.surround import apart_from_ground, are_hollow

Array = NDArray[np.float64]

# Chosen on the development photographs named in models/coin_classifier.md: surer than this or unknown. Where a table's
# currency is past doubt, a mistake is one coin's and not the whole table's, and less is enough.
SURE_CLASS = 0.97
_SURE_CURRENCY, _SURE_OF_ONE = 0.999, 0.9
_SURE_FACE = 0.95
# That nobody owns a coin is said more rarely: a dot that is overlooked would make a neutral piece of somebody's.
_SURE_OWNER, _SURE_OF_NONE = 0.75, 0.97
# The rim net sees a coin on another where it says the same radius to this share and doubts it no more than that; else
# it has seen the rim below (28 pairs on drawn stills; half of those that agree are off by less than 1.2 %).
_SAME_RIM, _DOUBT_OF_RIDER = 0.08, -3.5
# What rides shows so much of its rim (twelve do by 0.6 to 1; rings within a coin passed for two more, 0.3 and 0.4).
_RIM_OF_RIDER = 0.5
# Reliefs made coins of circles that the rest told from coins, or the other way, by 0.4 of these odds at most (146
# looks). Where all are named more surely than the second, none lies 0.01 mm elsewhere for want of them (468 looks).
_BY_RELIEF, _PAST_DOUBT = 1.0, 0.99
# Below these odds neither look nor dot makes it a coin: silver with a dot, on a pale map from low down, has -5.2, a
# bright nut -6.4. Half a unit lower is two pieces of print more to look at on a map.
_HOPELESS = -5.5
# Edges may differ from the net's radius by this share; beyond, they are something else's.
_ASTRAY, _LEAST_SUPPORT = 0.16, 0.35
# Edges lie within the rim, which is rounded: centres err least with this share of its radius held (rendered stills
# 0.985 to 1, from above 0.99 to 1, path-traced coins 0.99; the edges of photographs: `_EDGES_WITHIN`).
_HELD_SHARE = 0.99
# Shadows and bright borders move all rims of a table out or in by up to this share of the radius.
_LIGHT_SHARE = 0.02
# How well the height of a rim is known: thickness by class, a coin not quite flat.
_HEIGHT_SIGMA_MM = 0.15
# What an edge in the picture is worth when everything is perfect (performance.md B2: 0.04 px on drawn discs; a coin's
# bright border and dark side leave 0.1 px).
_EDGE_SIGMA_PX = 0.1
_FOOTPRINT_SEGMENTS = 12
# A core as pale as the ground is a hole but where so surely it is the core of a coin of two metals.
_OF_TWO_METALS = [CLASSES.index(cls) for cls in ("gbp-1", "gbp-2", "eur-1", "eur-2")]
_SURELY = 0.99
_CURRENCY_OF = np.array([cls.split("-", maxsplit=1)[0] for cls in CLASSES])
_THICKNESS_MM = np.array([THICKNESS_MM[cls] for cls in CLASSES])
_RIM_RADIUS_MM = np.array([DIAMETER_MM[cls] / 2 * MEAN_RADIUS_SHARE.get(cls, 1.0) for cls in CLASSES])


@dataclass(frozen=True, eq=False)
class _Found:
    """n circles with crops of them (n, CROP_PX, CROP_PX, 3), their looks, and what they are said to be together."""

    at: CoinCircles
    crops: ImageBgr
    looks: Looks
    tints: Array
    reliefs: Array
    hollow: NDArray[np.bool_]
    apart: Array
    dots: Dots
    naming: Naming

    def only(self, keep: NDArray[np.bool_]) -> _Found:
        """Some of them, by a mask (n,); what they are said to be is not asked again."""
        looks = Looks(self.looks.classes[keep], self.looks.faces[keep], self.looks.owners[keep])
        return _Found(
            self.at.only(keep),
            self.crops[keep],
            looks,
            self.tints[keep],
            self.reliefs[keep],
            self.hollow[keep],
            self.apart[keep],
            self.dots.only(keep),
            replace(self.naming, probs=self.naming.probs[keep]),
        )


def find_coins(
    image_bgr: ImageBgr,
    plane: TablePlane,
    proposals: Proposals,
    expected: Mapping[str, float] | None,
    colours: tuple[str, ...],
    rarity: Mapping[str, float] | None,
    sure: float,
) -> tuple[Detection, ...]:
    """Every coin among some circles.

    proposals  in the plane of a typical coin's rim
    expected   weight of each currency (gbp, eur, usd) before looking, where the set-up tells
    colours    the players' colours, which stickers are likely to have
    rarity     how much rarer than others some classes are in this game
    sure       from what probability on a coin is named
    """
    measured = measure_circles(image_bgr, plane, proposals)
    return name_circles(image_bgr, plane, measured, expected, colours, rarity, sure)


def measure_circles(image_bgr: ImageBgr, plane: TablePlane, proposals: Proposals) -> CoinCircles:
    """The first half of `find_coins`: the proposals that may be coins, measured."""
    proposals = borne_out(image_bgr, plane, proposals)
    height = np.full(len(proposals.heat), TYPICAL_THICKNESS_MM)
    circles = look_at_rims(image_bgr, plane, proposals.centre_mm, proposals.radius_mm, height)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, height, close=True)
    measured = CoinCircles(proposals, circles, rims)
    return measured.only(_by_outline(measured) > _HOPELESS)


def name_circles(
    image_bgr: ImageBgr,
    plane: TablePlane,
    measured: CoinCircles,
    expected: Mapping[str, float] | None,
    colours: tuple[str, ...],
    rarity: Mapping[str, float] | None,
    sure: float,
) -> tuple[Detection, ...]:
    """The second half of `find_coins`: which of the circles are coins, which coins, and where exactly. What is one only
    on a card (`vision.detect.on_cards`) is faint."""
    found = _looked_at(image_bgr, plane, measured, expected)
    is_round = _is_round(found)
    on_coins = _riders(image_bgr, plane, found.only(is_round))
    on_coins = on_coins.only(~are_known(on_coins.circles, found.at.circles.only(is_round)))
    if len(on_coins.circles.radius_mm):
        measured = measured.and_more(on_coins)
        found = _looked_at(image_bgr, plane, measured, expected, on_coins.circles)
    look = partial(_told, image_bgr, plane, colours=colours, rarity=rarity, sure=sure)
    is_coin, may_be = _is_coin(found), _may_be_on_card(found)
    told = look(_among(found, is_coin, expected))
    if not may_be.any():
        return told
    doubtful = _among(found, is_coin | may_be, expected).only(may_be[is_coin | may_be])
    return (*told, *(replace(each, faint=True) for each in look(doubtful)))


def _told(
    image_bgr: ImageBgr,
    plane: TablePlane,
    found: _Found,
    colours: tuple[str, ...],
    rarity: Mapping[str, float] | None,
    sure: float,
) -> tuple[Detection, ...]:
    """What is told of coins: which, where exactly, how high and whose."""
    if found.naming.is_mixed:
        # No coins of any game's: what is rare in it, and how sure is sure enough there, says nothing of these.
        rarity, sure = None, max(sure, SURE_CLASS)
    found = replace(found, naming=found.naming.with_rarity(rarity or {}))
    classes = _classes(found.naming, sure)
    likely = _coin_probs(found.naming) @ _THICKNESS_MM
    thickness = np.array([THICKNESS_MM.get(cls, by_all) for cls, by_all in zip(classes, likely, strict=True)])
    circles = found.at.circles
    lifts = lifts_of(tops_of(image_bgr, plane, circles), likely)
    placed_mm = placed_by(plane, circles, lifts)
    stacks = find_stacks(circles.centre_mm, circles.radius_mm, thickness, found.at.rims.on_rim, lifts, placed_mm)
    rims = _measured_again(image_bgr, plane, found, stacks, thickness)
    owners = owner_probs(found.looks.owners, found.dots, colours)
    # A dot that shows within a coin which carries another is mostly the other's.
    owners[carriers_of(circles, circles.only(stacks.below >= 0))] = 1 / len(OWNERS)
    return _detections(plane, found, classes, rims, stacks, lifts, thickness, owners)


def _riders(image_bgr: ImageBgr, plane: TablePlane, below: _Found) -> CoinCircles:
    """Smaller coins on those found. Their radius is held: the edges near theirs are those of the coins below."""
    proposals, circles = riders(plane, below.at.circles, below.crops)
    height = np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
    at = circles.centre_mm, circles.radius_mm, height
    circles = circles.sharper(look_at_rims(image_bgr, plane, *at), _SAME_RIM, _DOUBT_OF_RIDER)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, height, known_radius=True, close=True)
    # Of sides such a rim says nothing: as uneven as can be.
    riding = CoinCircles(proposals, circles, replace(rims, uneven=np.ones_like(rims.uneven)))
    return riding.only(rims.support > _RIM_OF_RIDER)


def _among(found: _Found, is_coin: NDArray[np.bool_], expected: Mapping[str, float] | None) -> _Found:
    """Without what is no coin, which has no say in what the others are."""
    if is_coin.all():
        return found
    coins = found.only(is_coin)
    return replace(coins, naming=_naming(coins.looks, coins.tints, coins.reliefs, coins.at, expected))


def _looked_at(
    image_bgr: ImageBgr,
    plane: TablePlane,
    measured: CoinCircles,
    expected: Mapping[str, float] | None,
    riding: Circles = NONE_RIDE,
) -> _Found:
    """The looks of n circles; those that carry some which ride show these, and of themselves the border alone."""
    circles = measured.circles
    height = np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
    crops = crops_of(image_bgr, plane, circles.centre_mm, circles.radius_mm, height)
    dots, carries = dots_of(crops), carriers_of(circles, riding)
    tints = in_one_light(tints_of(crops, covered(circles, riding)), crops)
    looks = without_washers(crops, classify(crops), dots)
    looks = replace(looks, classes=np.where(carries[:, None], -np.log(looks.classes.shape[1]), looks.classes))
    reliefs = np.zeros((len(crops), len(CLASSES)))
    naming = _naming(looks, tints, reliefs, measured, expected)
    hollow = are_hollow(crops) & ~_surely_two_metals(naming)
    found = _Found(measured, crops, looks, tints, reliefs, hollow, apart_from_ground(crops), dots, naming)
    if not _is_in_doubt(found):
        return found
    # Mostly metals and sizes tell; this net costs as much as all others that look at crops.
    reliefs = reliefs_of(crops, np.where(carries, np.inf, dots.stands_out))
    return replace(found, reliefs=reliefs, naming=_naming(looks, tints, reliefs, measured, expected))


def _surely_two_metals(naming: Naming) -> NDArray[np.bool_]:
    """(n,) whether it is surely a coin whose core is of another metal than its border, perhaps of the ground's tint."""
    return np.asarray(naming.probs[:, _OF_TWO_METALS].sum(axis=1) > _SURELY)


def _is_in_doubt(found: _Found) -> bool:
    """Whether some have no name, and any that may be a coin no sure one, or may be none: print has no name either."""
    if UNKNOWN not in _classes(found.naming, SURE_CLASS):
        return False
    odds = _odds(found)
    is_unsure = (_coin_probs(found.naming).max(axis=1) < _PAST_DOUBT) | (odds < _BY_RELIEF)
    return bool((is_unsure & (odds > -_BY_RELIEF) & ~found.hollow).any())


def _naming(
    looks: Looks, tints: Array, reliefs: Array, at: CoinCircles, expected: Mapping[str, float] | None
) -> Naming:
    circles, rims = at.circles, at.rims
    astray = np.abs(rims.radius_mm / circles.radius_mm - 1) > _ASTRAY
    # A rim that was not met says nothing of sides: as uneven as can be.
    sides = rims.swing, np.where(astray[:, None], 1.0, rims.uneven)
    diameter_mm, sigma_mm = 2 * radius_by_both(circles, rims), 2 * circles.radius_sigma_mm
    return name_coins(looks.classes, diameter_mm, sigma_mm, expected, sides, circles.centre_mm, tints, reliefs)


def _by_outline(at: CoinCircles) -> Array:
    """(n,) log odds of a coin by the nets that look for it and measure it, and by its rim."""
    return np.asarray(outline_evidence(at.proposals, at.circles, at.rims) @ BY_OUTLINE, float)


def _is_coin(found: _Found) -> NDArray[np.bool_]:
    """What is round and looks like a coin, or carries what does: two coins, one on the other, look like none."""
    is_round, looks_like_one = _is_round(found), found.naming.probs[:, -1] < NO_COIN
    circles = found.at.circles
    return np.asarray(is_round & (looks_like_one | carriers_of(circles, circles.only(is_round & looks_like_one))))


def _is_round(found: _Found) -> NDArray[np.bool_]:
    return np.asarray((_odds(found) > 0) & ~found.hollow)


def _may_be_on_card(found: _Found) -> NDArray[np.bool_]:
    no_coin = found.naming.probs[:, -1]
    is_seen = may_lie_on_card(found.crops, found.at.circles, _odds(found), found.hollow)
    return np.asarray(is_seen & (no_coin < NO_COIN))


def _odds(found: _Found) -> Array:
    """(n,) log odds of a coin: the nets, the rim, the classifier, dot and ground each tell another thing."""
    by_looks = look_evidence(found.naming.probs[:, -1], found.dots, found.apart) @ BY_LOOKS
    return np.asarray(_by_outline(found.at) + by_looks, float)


def _classes(naming: Naming, sure: float) -> list[str]:
    among_coins = _coin_probs(naming)
    best = among_coins.argmax(axis=1)
    of_currency = (among_coins * (_CURRENCY_OF[best][:, None] == _CURRENCY_OF)).sum(axis=1)
    enough = np.where(of_currency >= _SURE_CURRENCY, min(sure, _SURE_OF_ONE), sure)
    return [
        CLASSES[index] if at >= least else UNKNOWN
        for index, at, least in zip(best, among_coins.max(axis=1), enough, strict=True)
    ]


def _coin_probs(naming: Naming) -> Array:
    """(n, 23) probabilities given that it is a coin."""
    coins = naming.probs[:, :-1]
    return np.asarray(coins / np.maximum(coins.sum(axis=1, keepdims=True), 1e-12), float)


def _measured_again(image_bgr: ImageBgr, plane: TablePlane, found: _Found, stacks: Stacks, thickness: Array) -> Rims:
    """The centres once more, at the true height of each rim and with the radius that its likely classes have."""
    radius = _coin_probs(found.naming) @ _RIM_RADIUS_MM * _believed(found.naming.scale)
    height = stacks.elevation_mm + thickness
    seed = plane.to_table(plane.to_image(found.at.circles.centre_mm, TYPICAL_THICKNESS_MM), height)
    seed = upright(plane, seed, thickness)
    again = fit_rims(image_bgr, plane, seed, _HELD_SHARE * radius, height, known_radius=True, close=True)
    astray = (np.linalg.norm(again.centre_mm - seed, axis=1) > _ASTRAY * radius) | (again.support < _LEAST_SUPPORT)
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


def _detections(
    plane: TablePlane,
    found: _Found,
    classes: list[str],
    rims: Rims,
    stacks: Stacks,
    lifts: Lifts,
    thickness: Array,
    owners: Array,
) -> tuple[Detection, ...]:
    if not classes:
        return ()
    height = stacks.elevation_mm + thickness
    centre_px = plane.to_image(rims.centre_mm, height)
    lean = plane.to_table(centre_px, height + 1.0) - plane.to_table(centre_px, height)
    probs = _coin_probs(found.naming)
    own_sigma = np.sqrt(_HEIGHT_SIGMA_MM**2 + (probs * np.square(_THICKNESS_MM - thickness[:, None])).sum(axis=1))
    # Shadow and glare pull a rim to one side, by about as much as the rim net doubts where it is.
    of_rim = np.square(rims.sigma_mm) + np.square(found.at.circles.sigma_mm)
    sigma, at_height = (
        np.sqrt(np.square(plane.sigma_mm(centre_px, _EDGE_SIGMA_PX, height, height_sigma)) + of_rim)
        for height_sigma in (np.hypot(own_sigma, stacks.sigma_mm), own_sigma)
    )
    log_probs = np.log(np.maximum(probs, 1e-9)).tolist()
    radius_mm = [DIAMETER_MM.get(cls, 2 * radius) / 2 for cls, radius in zip(classes, rims.radius_mm, strict=True)]
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
            face=_face(np.exp(found.looks.faces[index]), owners[index]),
            owner=_owner(owners[index]),
            elevation_mm=float(stacks.elevation_mm[index]),
            elevation_sigma_mm=float(stacks.sigma_mm[index]),
            sigma_at_height_mm=float(at_height[index]),
            lean=_point(lean[index]),
            risen_log_odds=float(lifts.log_odds[index]),
            height_mm=float(thickness[index]),
            class_log_probs=dict(zip(CLASSES, log_probs[index], strict=True)),
        )
        for index, cls in enumerate(classes)
    )


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
