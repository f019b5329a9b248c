"""Looks that are agreed into one: when two are enough, and what more than half of them saw."""

from dataclasses import replace

from shapely import Point, box

from vision.detection import Detection
from vision.memory.agree import agreed, unanimous


def coin(cls: str, x: float, y: float) -> Detection:
    return Detection("coin", cls, (x, y), Point(x, y).buffer(12), 0.1, 0.9, (x, y))


HERE, THERE = coin("gbp-10p", 100, 100), coin("gbp-5p", 300, 100)
MISTAKEN = coin("gbp-2p", 300, 100)


def test_two_looks_are_unanimous_if_names_and_places_are_the_same() -> None:
    trembled = replace(HERE, position_mm=(100.4, 99.8))
    assert unanimous([(HERE, THERE), (THERE, trembled)], None)
    assert not unanimous([(HERE, THERE), (HERE, MISTAKEN)], None)
    assert not unanimous([(HERE, THERE), (HERE,)], None)
    assert not unanimous([(HERE,), (coin("gbp-10p", 120, 100),)], None)


def test_only_what_lies_where_the_table_changed_is_asked() -> None:
    assert unanimous([(HERE, THERE), (HERE, MISTAKEN)], box(0, 0, 200, 200))
    assert not unanimous([(HERE, THERE), (HERE, MISTAKEN)], box(200, 0, 400, 200))


def test_what_more_than_half_of_the_looks_saw_is_agreed() -> None:
    found = agreed([(HERE, THERE), (HERE, MISTAKEN), (HERE, THERE), (HERE,)])
    assert [piece.cls for piece in found] == ["gbp-10p", "gbp-5p"]
    assert agreed([(HERE,), (HERE, THERE)]) == (HERE,)


def facing(*told: float | None) -> float | None:
    """What is agreed of a coin that had a front."""
    return agreed([(replace(HERE, facing_deg=deg),) for deg in told])[0].facing_deg


def test_a_direction_is_agreed_where_more_than_half_of_the_looks_tell_it_alike() -> None:
    middle = facing(350.0, 10.0, 0.0)
    assert middle is not None
    assert min(middle, 360 - middle) < 1e-6
    assert facing(90.0, None, None) is None
    assert facing(0.0, 120.0, 240.0) is None
