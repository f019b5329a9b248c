"""Which line of a log tells which true event."""

from benchmarks.matches import matched
from rules.course.events import Event


def true(kind, cls, taken_s, to_mm):
    return {"event": kind, "class": cls, "owner": "red", "face": "heads", "taken_s": taken_s, "to_mm": to_mm}


def told(kind, cls, time_s, to_mm):
    fields = {"class": cls, "owner": "red", "face": "unknown", "to_mm": to_mm, "from_mm": None}
    return Event(time_s, 1, "Ann", kind, fields)


def test_of_many_that_came_to_one_place_each_is_told_soon_after_it():
    happened = [true("turn", "eur-1", 28.0, (10, 10)), true("move", "eur-1", 60.0, (11, 10)),
                true("move", "eur-2", 78.0, (10, 10))]  # fmt: skip
    log = [told("move", "eur-1", 61.0, (11, 10)), told("move", "eur-2", 79.0, (10, 11))]
    assert matched(happened, log, within_mm=5.0) == [None, *log]


def test_of_two_put_there_at_once_the_one_that_bears_the_name():
    happened = [true("move", "eur-2", 5.0, (10, 10)), true("move", "eur-1", 5.0, (10, 10))]
    log = [told("move", "eur-1", 6.0, (10, 10)), told("move", "eur-2", 6.0, (10, 10))]
    assert matched(happened, log, within_mm=5.0) == log[::-1]


def test_what_is_told_before_it_or_elsewhere_or_of_another_kind_or_too_late_tells_it_not():
    happened = [true("move", "eur-2", 5.0, (10, 10))]
    log = [told("move", "eur-2", 4.9, (10, 10)), told("move", "eur-2", 6.0, (16, 10)),
           told("place", "eur-2", 6.0, (10, 10)), told("move", "eur-2", 36.0, (10, 10))]  # fmt: skip
    assert matched(happened, log, within_mm=5.0) == [None]
