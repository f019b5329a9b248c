"""Eyes that also know what a user taught them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from shapely import Point

from calibration.plane import TablePlane
from models.coins import CLASSES, CURRENCIES, DIAMETER_MM, TYPICAL_THICKNESS_MM
from rules.scene import NONE, UNKNOWN, Kind
from vision.detection import Detection
from vision.frame import Frame
from vision.look_at import LookAt, Readied
from vision.mat.hex_search import HexSearch, SeesHexes
from vision.metric.topview import TopView
from vision.taught.enrol import CLEARER, Enrolled, are_alike
from vision.taught.sample import Sample, round_pieces, sample_of
from vision.tripod.by_pieces import Selective

ViewOf = Callable[[Frame, TablePlane], TopView]

# A found coin nearer than this to a circle is that circle.
_SAME_MM = 5.0
_SEGMENTS = 12
# For the tracker, log chances: of the taught name for a piece that is called so, of all other names together, and of
# the taught name for a piece that is not called so but looks about like it, within so many spreads.
_LOG_TAUGHT, _LOG_ELSE, _LOG_PERHAPS, _PERHAPS = float(np.log(0.9)), float(np.log(0.1)), float(np.log(0.05)), 2.4
# Coins are of one currency where each is of some one by this chance or more: 0.04 at most on rendered tables of three,
# 0.49 at least on 85 photographs of one.
_OF_ONE_CURRENCY = 0.2
_CURRENCY_OF = {cls: cls.split("-", maxsplit=1)[0] for cls in CLASSES}

# Coins are measured so many times as wide as they are (by the light and the ground, 1.00 to 1.035 on twelve rendered
# tables; named ones tell which to 0.006 there), which fewer named ones than this do not tell.
_USUALLY_TOO_WIDE, _FEW = 1.015, 2

Likely = Sequence[tuple[Enrolled, float]]


@dataclass(eq=False)
class Recogniser:
    """Eyes that also know what a user taught them.

    look      the eyes themselves
    view_of   the view of a picture's table as `find_coins` wants it
    meaning   the class that a taught name stands for, where the set-up says so
    """

    look: LookAt
    classes: tuple[Enrolled, ...]
    view_of: ViewOf
    meaning: Mapping[str, str] = field(default_factory=dict)

    @property
    def hex_search(self) -> HexSearch | None:
        """That of the eyes themselves."""
        return self.look.hex_search if isinstance(self.look, SeesHexes) else None

    def make_ready(self, frame: Frame, plane: TablePlane) -> None:
        """Work out what depends on the camera alone, as `Eyes.make_ready` does."""
        if isinstance(self.look, Readied):
            self.look.make_ready(frame, plane)

    def only(self, kinds: frozenset[Kind], beyond_mm: float = 0.0) -> Recogniser:
        """The same for those of the kinds alone, so far beyond the table's sides too, if the eyes can be asked so."""
        return replace(self, look=self.look.only(kinds, beyond_mm)) if isinstance(self.look, Selective) else self

    def __call__(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """What shows on the table, taught pieces by their names."""
        seen = self.look(frame, plane)
        rounds = round_pieces(frame, plane, self.view_of(frame, plane)) if self._teach("coin") else []
        return self.named(seen, frame, plane, rounds)

    def named(
        self, seen: Sequence[Detection], frame: Frame, plane: TablePlane, rounds: Sequence[Sample]
    ) -> tuple[Detection, ...]:
        """What the eyes saw with the names of what was taught; `rounds` as `round_pieces` found them there."""
        called = [
            self._named(one, sample_of(frame, plane, one)) if one.kind != "coin" and self._teach(one.kind) else one
            for one in seen
        ]
        return tuple(self._with_coins(called, rounds, plane))

    def _teach(self, kind: Kind) -> bool:
        return any(are_alike(known.kind, kind) for known in self.classes)

    def _with_coins(self, seen: list[Detection], rounds: Sequence[Sample], plane: TablePlane) -> list[Detection]:
        """Round pieces by their taught names; those that the eyes took for no coin are added."""
        at = [_index_at(seen, sample) for sample in rounds]
        too_wide = _too_wide(
            [(seen[index], sample) for index, sample in zip(at, rounds, strict=True) if index is not None]
        )
        likely = [self._likely(sample, too_wide) for sample in rounds]
        # A foreign coin that was taught says nothing of which currency the others are.
        taught = {index for index, each in zip(at, likely, strict=True) if _nearest(each)}
        others = [one for index, one in enumerate(seen) if one.kind == "coin" and index not in taught]
        in_doubt = not _are_of_one_currency(others)
        for sample, index, each in zip(rounds, at, likely, strict=True):
            if index is not None:
                seen[index] = self._by_name(seen[index], each, in_doubt=in_doubt)
            elif found := _nearest(each):  # no coin to the eyes, so none that is like it
                seen.append(_detection(sample, found[0], self._name_of(found), plane))
        return seen

    def _named(self, seen: Detection, sample: Sample) -> Detection:
        return self._by_name(seen, self._likely(sample))

    def _by_name(self, seen: Detection, likely: Likely, *, in_doubt: bool = False) -> Detection:
        """By its taught name; of a coin that may have gone there from elsewhere all that the look leaves possible."""
        likely = [(known, away) for known, away in likely if _may_bear(seen, known)]
        found = _nearest(likely, named=seen.cls in CLASSES, in_doubt=in_doubt)
        if found:
            chances = {cls: chance + _LOG_ELSE for cls, chance in seen.class_log_probs.items()}
            names = dict.fromkeys(self._called(known) for known in found)
            taught = dict.fromkeys(names, _LOG_TAUGHT - float(np.log(len(names))))
            return replace(seen, cls=self._name_of(found), class_log_probs={**chances, **taught})
        perhaps = {self._called(known): _LOG_PERHAPS for known, away in likely if away <= _PERHAPS}
        return replace(seen, class_log_probs={**perhaps, **seen.class_log_probs}) if perhaps else seen

    def _name_of(self, found: Sequence[Enrolled]) -> str:
        """What they are all called; `unknown` for what may be of either of two names, but is of one of them."""
        names = {self._called(known) for known in found}
        return names.pop() if len(names) == 1 else UNKNOWN

    def _called(self, known: Enrolled) -> str:
        return self.meaning.get(known.name, known.name)

    def _likely(self, sample: Sample, too_wide: float = 1.0) -> list[tuple[Enrolled, float]]:
        """The taught classes that it may be by its kind and size, and how far it is from each, the nearest first.

        too_wide  how many times as wide as they are the table's coins are measured; those taught by a photo of this
                  table were as well
        """
        true = replace(sample, size_mm=sample.size_mm / too_wide)
        shown = [(known, true if known.by_ruler else sample) for known in self.classes]
        fitting = [(known, known.away(one)) for known, one in shown if known.may_be(one)]
        return sorted(fitting, key=lambda each: each[1])


def _too_wide(coins: Sequence[tuple[Detection, Sample]]) -> float:
    """How many times as wide as they are coins show on this table, by those that the eyes named."""
    shares = [sample.size_mm / DIAMETER_MM[one.cls] for one, sample in coins if one.cls in DIAMETER_MM]
    return float(np.median(shares)) if len(shares) >= _FEW else _USUALLY_TOO_WIDE


def _may_bear(seen: Detection, known: Enrolled) -> bool:
    """Whether what the eyes call it leaves room for the taught name: no coin and no card that they read bears that of
    one which they would have called otherwise."""
    if seen.kind == "coin":
        return seen.cls not in CLASSES or seen.cls in known.doubles
    return known.is_as_read((seen.cls,))


def _nearest(likely: Likely, *, named: bool = False, in_doubt: bool = False) -> tuple[Enrolled, ...]:
    """The taught class that a piece is within the spread of; several where it is not clearly nearer to one of them."""
    if not likely or not likely[0][0].is_near(likely[0][1], named=named, in_doubt=in_doubt):
        return ()
    return tuple(known for known, away in likely if away < CLEARER * likely[0][1] or known is likely[0][0])


def _are_of_one_currency(coins: Sequence[Detection]) -> bool:
    """Whether all may be: then each that is known bears its own name, and what bears none is no other coin.

    Where they are of several, many are like one of another currency, and none of these has a name.
    """
    shares = [_currencies(one) for one in coins if one.class_log_probs]
    return not shares or float(np.min(shares, axis=0).max()) >= _OF_ONE_CURRENCY


def _currencies(coin: Detection) -> list[float]:
    """How likely the coin is of each of `models.coins.CURRENCIES`."""
    chance = dict.fromkeys(CURRENCIES, 0.0)
    for cls, log_prob in coin.class_log_probs.items():
        if cls in _CURRENCY_OF:
            chance[_CURRENCY_OF[cls]] += float(np.exp(log_prob))
    return list(chance.values())


def _index_at(seen: Sequence[Detection], sample: Sample) -> int | None:
    """Which of the coins seen the round piece is."""
    away_mm = {index: _away_mm(one, sample) for index, one in enumerate(seen) if one.kind == "coin"}
    nearest = min(away_mm, key=lambda index: away_mm[index], default=None)
    return nearest if nearest is not None and away_mm[nearest] < _SAME_MM else None


def _away_mm(seen: Detection, sample: Sample) -> float:
    """How far a coin would be from the round piece if it lay on the table, as that is taken to: a pile's top shows
    elsewhere than it lies."""
    on_table = seen.higher_by(-seen.elevation_mm)
    return float(np.hypot(*np.subtract(on_table.position_mm, sample.position_mm)))


def _detection(sample: Sample, known: Enrolled, cls: str, plane: TablePlane) -> Detection:
    px = plane.to_image([sample.position_mm], TYPICAL_THICKNESS_MM)
    sigma_mm = float(np.hypot(plane.sigma_mm(px, height_mm=TYPICAL_THICKNESS_MM)[0], 0.02 * known.size_mm))
    footprint = Point(sample.position_mm).buffer(known.size_mm / 2, _SEGMENTS)
    at_px = (float(px[0, 0]), float(px[0, 1]))
    return Detection(
        "coin", cls, sample.position_mm, footprint, sigma_mm, 0.9, at_px, owner=NONE, height_mm=TYPICAL_THICKNESS_MM
    )
