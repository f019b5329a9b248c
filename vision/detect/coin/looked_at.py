"""Circles that may be coins, looked at: what shows in each, what they are said to be together, and which are coins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import CLASSES, TYPICAL_THICKNESS_MM
from rules.scene import UNKNOWN
from vision.classify import Looks, classify, crops_of
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.coin_radius import radius_by_both
from vision.detect.coin.odds import BY_LOOKS, BY_OUTLINE, NO_COIN, look_evidence, outline_evidence
from vision.detect.coin.on_cards import may_lie_on_card, show_plainly
from vision.detect.coin.riders import NONE_RIDE, carriers_of, covered
from vision.detect.coin.washers import without_washers
from vision.frame import ImageBgr
from vision.light.ground_light import in_one_light
from vision.naming.currency import Naming, name_coins
from vision.naming.metal import tints_of
from vision.naming.relief import reliefs_of
from vision.naming.sticker import Dots, dots_of
from vision.shape.rim import Circles
from vision.shape.surround import apart_from_ground, are_hollow

Array = NDArray[np.float64]

# Chosen on the development photographs named in models/coin_classifier.md: surer than this or unknown. Where a table's
# currency is past doubt, a mistake is one coin's and not the whole table's, and less is enough.
SURE_CLASS = 0.97
_SURE_CURRENCY, _SURE_OF_ONE = 0.999, 0.9
# What looks less like a coin than like none bears no coin's name, whatever it is likest: of 1,074 named coins on
# photographs and stills the likest to none has 0.28, poker chips have 0.6 to 0.98.
_LIKER_NONE = 0.5
# Reliefs made coins of circles that the rest told from coins, or the other way, by 0.4 of these odds at most (146
# looks). Where all are named more surely than the second, none lies 0.01 mm elsewhere for want of them (468 looks).
_BY_RELIEF, _PAST_DOUBT = 1.0, 0.99
# Edges may differ from the net's radius by this share; beyond, they are something else's.
ASTRAY = 0.16
# A core as pale as the ground is a hole but where so surely it is the core of a coin of two metals.
_OF_TWO_METALS = [CLASSES.index(cls) for cls in ("gbp-1", "gbp-2", "eur-1", "eur-2")]
_SURELY = 0.99
_CURRENCY_OF = np.array([cls.split("-", maxsplit=1)[0] for cls in CLASSES])


@dataclass(frozen=True, eq=False)
class LookedAt:
    """n circles, and what was seen in them.

    crops    (n, CROP_PX, CROP_PX, 3)
    tints    (n, 4) colours of their borders in one light (`vision.naming.metal.tints_of`)
    reliefs  (n, 23) what their reliefs say of each class (`vision.naming.relief.reliefs_of`); 0 where the net was not
             asked
    hollow   (n,) whether the ground shows through the middle
    apart    (n,) levels between border and ground (`vision.shape.surround.apart_from_ground`)
    dots     paper dots on them
    naming   which coins they are, all taken together
    """

    at: CoinCircles
    crops: ImageBgr
    looks: Looks
    tints: Array
    reliefs: Array
    hollow: NDArray[np.bool_]
    apart: Array
    dots: Dots
    naming: Naming

    def only(self, keep: NDArray[np.bool_]) -> LookedAt:
        """Some of them, by a mask (n,); they keep the names that all of them together were given."""
        return LookedAt(
            self.at.only(keep),
            self.crops[keep],
            self.looks.only(keep),
            self.tints[keep],
            self.reliefs[keep],
            self.hollow[keep],
            self.apart[keep],
            self.dots.only(keep),
            self.naming.only(keep),
        )

    @property
    def odds(self) -> Array:
        """(n,) log odds of a coin: nets, rim, classifier, dot and ground each see something else."""
        return np.asarray(odds_by_outline(self.at) + self._by_looks.sum(axis=1), float)

    @property
    def odds_but_for_dots(self) -> Array:
        """(n,) the same without what its dot says: one that shows within two circles is on either of them."""
        return np.asarray(self.odds - self._by_looks[:, 1], float)

    @property
    def _by_looks(self) -> Array:
        """(n, 3) what look, dot and ground add to the log odds of a coin."""
        return look_evidence(self.naming.probs[:, -1], self.dots, self.apart) * BY_LOOKS

    @property
    def is_round(self) -> NDArray[np.bool_]:
        """(n,) whether it is likely a coin by all but its name."""
        return np.asarray((self.odds > 0) & ~self.hollow)

    @property
    def is_coin(self) -> NDArray[np.bool_]:
        """(n,) whether it is round and looks like a coin, or carries one: a coin with another on it looks like none."""
        is_round, looks_like_one = self.is_round, self.naming.probs[:, -1] < NO_COIN
        circles = self.at.circles
        return np.asarray(is_round & (looks_like_one | carriers_of(circles, circles.only(is_round & looks_like_one))))

    @property
    def may_be_on_card(self) -> NDArray[np.bool_]:
        """(n,) whether it is a coin if it lies on a card, and nothing otherwise (`vision.detect.coin.on_cards`)."""
        no_coin = self.naming.probs[:, -1]
        plain = show_plainly(self.at.rims.support, self.apart, no_coin)
        is_seen = may_lie_on_card(self.crops, self.at.circles, self.odds, self.hollow, plain)
        return np.asarray(is_seen & (no_coin < NO_COIN))

    @property
    def is_in_doubt(self) -> bool:
        """Whether the net of reliefs is to be asked: some circle has no name, and one may be a coin that is in
        doubt."""
        if UNKNOWN not in classes_of(self.naming, SURE_CLASS):
            return False
        odds = self.odds
        is_unsure = (coin_probs(self.naming).max(axis=1) < _PAST_DOUBT) | (odds < _BY_RELIEF)
        return bool((is_unsure & (odds > -_BY_RELIEF) & ~self.hollow).any())

    def among(self, is_coin: NDArray[np.bool_], expected: Mapping[str, float] | None) -> LookedAt:
        """The coins alone, named again without the other circles, which have no say in what the coins are."""
        if is_coin.all():
            return self
        coins = self.only(is_coin)
        return replace(coins, naming=named(coins.looks, coins.tints, coins.reliefs, coins.at, expected))


def look_at(
    image_bgr: ImageBgr,
    plane: TablePlane,
    measured: CoinCircles,
    expected: Mapping[str, float] | None,
    riding: Circles = NONE_RIDE,
) -> LookedAt:
    """What is seen in n circles; of one that carries others only the border counts, for its crop shows these too.

    expected  weight of each currency (gbp, eur, usd) before looking, where the set-up tells
    """
    circles = measured.circles
    height = np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
    crops = crops_of(image_bgr, plane, circles.centre_mm, circles.radius_mm, height)
    dots, carries = dots_of(crops), carriers_of(circles, riding)
    tints = in_one_light(tints_of(crops, covered(circles, riding)), crops)
    looks = without_washers(crops, classify(crops), dots)
    looks = replace(looks, classes=np.where(carries[:, None], -np.log(looks.classes.shape[1]), looks.classes))
    reliefs = np.zeros((len(crops), len(CLASSES)))
    naming = named(looks, tints, reliefs, measured, expected)
    hollow = are_hollow(crops, circles.radius_mm) & ~_surely_two_metals(naming)
    found = LookedAt(measured, crops, looks, tints, reliefs, hollow, apart_from_ground(crops), dots, naming)
    if not found.is_in_doubt:
        return found
    # Mostly metals and sizes tell; this net costs as much as all others that look at crops.
    reliefs = reliefs_of(crops, np.where(carries, np.inf, dots.stands_out))
    return replace(found, reliefs=reliefs, naming=named(looks, tints, reliefs, measured, expected))


def named(looks: Looks, tints: Array, reliefs: Array, at: CoinCircles, expected: Mapping[str, float] | None) -> Naming:
    """Which coins the circles are, all taken together, by their looks, metals, reliefs and sizes."""
    circles, rims = at.circles, at.rims
    astray = np.abs(rims.radius_mm / circles.radius_mm - 1) > ASTRAY
    # A rim that was not met says nothing of sides: as uneven as can be.
    sides = rims.swing, np.where(astray[:, None], 1.0, rims.uneven)
    diameter_mm, sigma_mm = 2 * radius_by_both(circles, rims), 2 * circles.radius_sigma_mm
    return name_coins(looks.classes, diameter_mm, sigma_mm, expected, sides, circles.centre_mm, tints, reliefs)


def odds_by_outline(at: CoinCircles) -> Array:
    """(n,) log odds of a coin by the nets that look for it and measure it, and by its rim."""
    return np.asarray(outline_evidence(at.proposals, at.circles, at.rims) @ BY_OUTLINE, float)


def _surely_two_metals(naming: Naming) -> NDArray[np.bool_]:
    """(n,) whether it is surely a coin whose core is of another metal than its border, perhaps of the ground's tint."""
    return np.asarray(naming.probs[:, _OF_TWO_METALS].sum(axis=1) > _SURELY)


def classes_of(naming: Naming, sure: float) -> list[str]:
    """The class of each; unknown where none is as likely as `sure` among coins, or as is enough of a sure currency,
    and where it may be a foreign coin, or rather none."""
    among_coins = coin_probs(naming)
    best = among_coins.argmax(axis=1)
    of_currency = (among_coins * (_CURRENCY_OF[best][:, None] == _CURRENCY_OF)).sum(axis=1)
    enough = np.where(of_currency >= _SURE_CURRENCY, min(sure, _SURE_OF_ONE), sure)
    may_be_named = (naming.foreign <= 1 - sure) & (naming.probs[:, -1] < _LIKER_NONE)
    is_named = (among_coins.max(axis=1) >= enough) & may_be_named
    return [CLASSES[index] if told else UNKNOWN for index, told in zip(best, is_named, strict=True)]


def coin_probs(naming: Naming) -> Array:
    """(n, 23) probabilities given that it is a coin."""
    coins = naming.probs[:, :-1]
    return np.asarray(coins / np.maximum(coins.sum(axis=1, keepdims=True), 1e-12), float)
