"""Cards whose two readings contradict one another."""

import numpy as np
import pytest

from vision.detect.card.card_ends import Reading
from vision.detect.card.card_hints import NAMED, Hint
from vision.detect.card.card_names import told_name
from vision.detect.card.pip_layout import FACES
from vision.detect.card.twice_read import weighed


def reading(cls: str, chance: float, in_colour: float | None = None, ranks: dict[str, float] | None = None) -> Reading:
    of_ranks = tuple(np.log([(ranks or {}).get(rank, 1e-6) for rank in FACES]).tolist()) if ranks else ()
    return Reading(cls, float(np.log(chance)), float(np.log(in_colour or chance)), of_ranks)


def index(cls: str, chance: float) -> Hint:
    return Hint((0.0, 0.0), 0.0, 0.6, cls, float(np.log(chance)), True, (30.0, 20.0))


@pytest.mark.parametrize(
    ("said", "at_ends", "is_named"),
    [
        ([("3C", 0.97), ("3C", 0.95)], ("5C", 0.97), False),
        ([("QD", 0.76), ("QD", 0.9)], ("JD", 0.96), False),
        ([("3C", 0.95)], ("3C", 0.97), True),
        ([("3C", 0.44)], ("5C", 0.97), True),
        ([("JOKER", 0.9)], ("5C", 0.97), True),
        ([("unknown", 0.9)], ("5C", 0.97), True),
    ],
)
def test_a_card_that_is_read_as_two_has_no_name_by_its_indices(said, at_ends, is_named: bool) -> None:
    told = told_name([index(*each) for each in said], reading(*at_ends))
    assert (told.log_prob >= NAMED) == is_named


def test_whichever_is_likelier_the_other_speaks_against_it() -> None:
    assert told_name([index("QD", 0.95)], reading("QH", 0.8)).log_prob < NAMED


def test_of_two_suits_of_a_colour_that_colour_stays_sure() -> None:
    told = weighed(reading("6S", 0.97, 0.99), reading("6C", 0.95))
    assert told.log_prob < NAMED <= told.of_colour


def test_of_two_ranks_either_is_as_likely_before_its_face_is_seen() -> None:
    told = weighed(reading("5C", 0.97, ranks={"5": 0.97, "3": 0.01}), reading("3C", 0.96))
    chances = dict(zip(FACES, np.exp(told.of_ranks), strict=True))
    assert chances["5"] == pytest.approx(chances["3"], abs=0.02)
    assert sum(chances.values()) < 1.01
