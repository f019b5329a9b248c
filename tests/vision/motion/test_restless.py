"""What moves in one place without end stops nothing elsewhere; what comes and goes, or wanders, still does."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.motion.test_lingering import SHAPE, coin, drawn
from tests.vision.test_observe import Film, places
from vision.motion.change import Aside, Change
from vision.motion.lingering import LINGERS_S
from vision.motion.restless import Restless


def screen(mask: np.ndarray) -> object:
    return cv2.rectangle(mask, (100, 100), (180, 140), 255, -1)


def parts_of_a_screen(t_s: float) -> np.ndarray:
    """Every tenth of a second another part of it, the parts far enough apart."""
    number = round(10 * t_s)
    x, y = 104 + 18 * (number % 5), 104 + 26 * (number // 5 % 2)
    return drawn(lambda mask: cv2.rectangle(mask, (x, y), (x + 4, y + 4), 255, -1))


def arm(mask: np.ndarray) -> object:
    return cv2.rectangle(mask, (0, 180), (200, 230), 255, -1)


def left_after(seconds: float, moving: Callable[[float], np.ndarray], aside: Aside | None = None) -> list[Change]:
    """What is left of what moves at a time, where a screen and a coin have changed, and what moves, at 10 pictures a
    second."""
    restless, left = Restless(), []
    for t_s in np.arange(0, seconds, 0.1).tolist():
        changed = cv2.bitwise_or(moving(t_s), drawn(screen, coin))
        left.append(restless(Change(moving(t_s), changed, 0.25, aside=aside), t_s, None))
    return left


def test_a_screen_is_set_aside_after_a_while_though_it_never_moves_everywhere() -> None:
    seen = left_after(LINGERS_S + 4, parts_of_a_screen)
    assert all(change.is_moving and change.aside is None for change in seen[: round(LINGERS_S * 10)])
    assert not seen[-1].is_moving and seen[-1].aside is not None
    assert np.array_equal(seen[-1].changed, drawn(coin))


def test_what_an_arm_keeps_from_being_read_is_kept_still() -> None:
    arm = drawn(lambda mask: cv2.rectangle(mask, (0, 200), (90, 240), 255, -1))
    aside = left_after(LINGERS_S + 4, parts_of_a_screen, Aside(arm, arm))[-1].aside
    assert aside is not None and aside.touched is not None
    assert not any(cv2.countNonZero(cv2.subtract(place, aside.here)) for place in (drawn(screen), arm))


@pytest.mark.parametrize(
    ("what", "moving"),
    [
        ("rests for three seconds of every six", lambda t_s: parts_of_a_screen(t_s) if t_s % 6 < 3 else drawn()),
        ("is a hand that comes in again and again", lambda t_s: drawn(arm) if t_s % 3 < 2.5 else drawn()),
        ("goes from place to place", lambda t_s: np.roll(drawn(screen), round(30 * t_s), axis=1)),
        ("covers more than half of the table", lambda t_s: np.full(SHAPE, 255, np.uint8)),
    ],
)
def test_nothing_is_set_aside_of_what(what: str, moving: Callable[[float], np.ndarray]) -> None:
    assert left_after(LINGERS_S + 6, moving)[-1].aside is None, what


class Playing(Film):
    """A screen beside the coins, another picture on it at each frame."""

    def __init__(self) -> None:
        super().__init__()
        empty, rng, self.plays = self.table.image, np.random.default_rng(3), True

        def image() -> np.ndarray:
            """What the table shows, with the screen."""
            picture = empty().copy()
            patches = (
                rng.integers(0, 256, (3, 6, 3)).astype(np.uint8) if self.plays else np.full((3, 6, 3), 128, np.uint8)
            )
            picture[75:125, 450:550] = cv2.resize(patches, (100, 50), interpolation=cv2.INTER_NEAREST)
            return picture

        self.table.image = image  # type: ignore[method-assign]


def test_beside_a_screen_that_plays_from_the_beginning_a_table_is_agreed_and_a_move_told() -> None:
    film = Playing()
    first = film.run(LINGERS_S + 2)
    assert [places(o) for o in first if o.changed] == [{"c1": (150, 200), "c2": (500, 300)}]
    assert first[-1].aside == "restless" and not first[-1].frozen
    film.table.places["gbp-5p"] = (450.0, 350.0)
    assert [places(o) for o in film.run(1.5) if o.changed] == [{"c1": (150, 200), "c2": (450, 350)}]


def test_what_is_taken_beside_it_is_told_at_once_since_a_screen_has_no_hand() -> None:
    film = Playing()
    film.run(LINGERS_S + 2)
    del film.table.places["gbp-5p"]
    assert [places(o) for o in film.run(1.5) if o.changed] == [{"c1": (150, 200)}]


def test_when_it_stops_the_table_is_whole_again_and_nothing_has_happened() -> None:
    film = Playing()
    film.run(LINGERS_S + 2)
    film.plays = False
    left = film.run(6.0)
    assert left[-1].aside is None and not left[-1].frozen
    assert places(left[-1]) == {"c1": (150, 200), "c2": (500, 300)}
