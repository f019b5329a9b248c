"""A picture in which something moves for ever."""

import pytest

from vision.motion.unrest import Unrest


def seen(*moments):
    """After frames at times, each still or not."""
    unrest = Unrest()
    for t_s, is_still in moments:
        unrest = unrest.after(t_s, is_still=is_still)
    return unrest.trouble


def restless(seconds, first_s=0):
    return [(first_s + t, False) for t in range(seconds + 1)]


@pytest.mark.parametrize("before", [[], [(0.0, True)]])
def test_what_never_stands_still_is_told_after_half_a_minute(before):
    assert seen(*before, *restless(30)) is None
    assert seen(*before, *restless(31)).kind == "restless"


def test_one_moment_of_stillness_ends_it():
    assert seen(*restless(40), (41.0, True)) is None
    assert seen(*restless(20), (21.0, True), *restless(20, 22)) is None


def test_what_nobody_watched_does_not_count():
    """A camera that was away, or lost."""
    assert seen((0.0, False), (40.0, False)) is None
