"""Who leans over the table and fidgets stops nothing elsewhere, and hides nothing for good."""

from collections.abc import Callable
from copy import deepcopy

import cv2
import numpy as np
import pytest

from tests.vision.memory.test_piles import pile
from tests.vision.planes import plane_from
from tests.vision.test_observe import Film, places, straight_down
from vision.frame import Frame
from vision.motion.change import Aside, Change
from vision.motion.lingering import LINGERS_S, Lingering
from vision.motion.set_aside import SetAside

SHAPE = (270, 480)


def drawn(*shapes: Callable[[np.ndarray], object]) -> np.ndarray:
    mask = np.zeros(SHAPE, np.uint8)
    for draw in shapes:
        draw(mask)
    return mask


def arm(to_px: int, high_px: int = 60) -> Callable[[np.ndarray], object]:
    """An arm from the left edge."""
    return lambda mask: cv2.rectangle(mask, (0, 100), (to_px, 100 + high_px), 255, -1)


def coin(mask: np.ndarray) -> object:
    return cv2.circle(mask, (400, 50), 6, 255, -1)


def left_after(seconds: float, at: Callable[[float], tuple[np.ndarray, np.ndarray]]) -> list[Change]:
    """What is left of what moves and has changed at a time, at 10 pictures a second."""
    lingering = Lingering()
    return [lingering(Change(*at(t_s), 0.25), t_s, None) for t_s in np.arange(0, seconds, 0.1)]


def fidgeting(t_s: float, high_px: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """An arm that sways by 6 px, and a coin that lies elsewhere than was agreed."""
    to_px = 150 + round(3 * np.sin(4 * t_s))
    tip = drawn(lambda mask: cv2.rectangle(mask, (to_px - 3, 100), (to_px + 3, 100 + high_px), 255, -1))
    return tip, drawn(arm(to_px, high_px), coin)


def test_an_arm_that_fidgets_is_set_aside_after_a_while_and_what_changed_elsewhere_is_told() -> None:
    seen = left_after(LINGERS_S + 2, fidgeting)
    assert all(change.is_moving and change.aside is None for change in seen[: round(LINGERS_S * 10)])
    assert not seen[-1].is_moving and seen[-1].aside is not None
    assert np.array_equal(seen[-1].changed, drawn(coin))


def test_where_an_arm_comes_that_lingers_it_moves_and_is_still_no_change() -> None:
    def reaching(t_s: float) -> tuple[np.ndarray, np.ndarray]:
        if t_s < LINGERS_S + 2:
            return fidgeting(t_s)
        return drawn(lambda mask: cv2.rectangle(mask, (220, 100), (250, 160), 255, -1)), drawn(arm(250), coin)

    last = left_after(LINGERS_S + 2.1, reaching)[-1]
    assert last.is_moving
    assert np.array_equal(last.changed, drawn(coin))


def test_an_arm_that_rests_is_set_aside_as_long_as_other_hands_come_and_go() -> None:
    def beside(t_s: float) -> tuple[np.ndarray, np.ndarray]:
        """A hand moves a coin in one of each four seconds, and the table is never still for long enough to look."""
        return drawn(*([coin] if t_s % 4 < 1 else [])), drawn(arm(150), coin)

    seen = left_after(LINGERS_S + 16, beside)[round(LINGERS_S * 10) + 10 :]
    assert all(np.array_equal(change.changed, drawn(coin)) for change in seen)


def other_hand(mask: np.ndarray) -> object:
    """It reaches in from the right edge, beside `arm` and over `coin`."""
    return cv2.rectangle(mask, (380, 20), (479, 70), 255, -1)


def beside_another(arm_px: Callable[[float], int], t_s: float) -> tuple[np.ndarray, np.ndarray]:
    """An arm, and from the first to the third second another hand that leaves a coin elsewhere than it lay."""
    return drawn(), drawn(arm(arm_px(t_s)), other_hand if 1 <= t_s < 3 else coin)


def test_what_another_hand_moved_beside_an_arm_that_rests_is_told_when_that_other_hand_has_gone() -> None:
    seen = left_after(3.5, lambda t_s: beside_another(lambda _: 150, t_s))
    assert seen[5].aside is None and np.array_equal(seen[5].changed, drawn(arm(150), coin))
    assert np.array_equal(seen[-1].changed, drawn(coin))


@pytest.mark.parametrize(
    ("what", "at"),
    [
        ("rests alone", lambda t_s: (drawn(), drawn(arm(150), coin))),
        ("still reaches out", lambda t_s: beside_another(lambda t_s: 120 + round(15 * t_s), t_s)),
        ("has only just come to rest", lambda t_s: beside_another(lambda t_s: 150 if t_s > 2.5 else 60, t_s)),
    ],
)
def test_an_arm_is_not_set_aside_so_soon_that(what: str, at: Callable[[float], tuple[np.ndarray, np.ndarray]]) -> None:
    assert all(change.aside is None for change in left_after(4.0, at)), what


@pytest.mark.parametrize(
    ("what", "at"),
    [
        ("rests", lambda t_s: (drawn(), drawn(arm(150)))),
        ("covers more than half of the table", lambda t_s: (fidgeting(t_s)[0], drawn(arm(479, 150)))),
        ("does not come in from the edge", lambda t_s: (drawn(coin), drawn(coin))),
        ("comes and goes", lambda t_s: (fidgeting(t_s)[0], drawn(*([arm(150)] if t_s % 4 < 3 else [])))),
    ],
)
def test_nothing_is_set_aside_of_what(what: str, at: Callable[[float], tuple[np.ndarray, np.ndarray]]) -> None:
    assert left_after(LINGERS_S + 8, at)[-1].aside is None, what


class Leaning(Film):
    """An arm that fidgets lies on the coin of ten pence."""

    def __init__(self) -> None:
        super().__init__()
        self.table.places["gbp-5p"] = (500.0, 240.0)
        self.run(1.0)
        self.share = 0.25
        self.run(LINGERS_S + 2, self.fidget)

    def fidget(self, _: float) -> None:
        self.table.arm = self.share + 0.01 * float(np.sin(4 * self.t_s))

    def take(self, what: str) -> None:
        """The arm reaches out for a coin, and draws back with it."""
        self.share = 0.75
        self.run(1.0, self.fidget)
        del self.table.places[what]
        self.share = 0.25


@pytest.fixture(scope="module")
def leaning() -> Leaning:
    """Filmed once: each test goes on with a copy."""
    return Leaning()


@pytest.fixture
def film(leaning: Leaning) -> Leaning:
    return deepcopy(leaning)


def test_a_move_beside_an_arm_that_fidgets_is_agreed_and_what_lies_under_it_stays(film: Leaning) -> None:
    film.table.places["gbp-5p"] = (450.0, 350.0)
    seen = film.run(1.5, film.fidget)
    assert [places(o) for o in seen if o.changed] == [{"c1": (150, 200), "c2": (450, 350)}]
    assert seen[-1].aside and not seen[-1].frozen
    film.table.arm = 0.0
    left = film.run(3.0)
    assert not any(o.changed for o in left) and not left[-1].aside


def test_what_was_moved_from_under_an_arm_keeps_its_id(film: Leaning) -> None:
    film.table.places["gbp-10p"] = (220.0, 400.0)
    seen = film.run(1.5, film.fidget)
    assert [places(o) for o in seen if o.changed] == [{"c1": (220, 400), "c2": (500, 240)}]


def test_a_piece_that_somebody_else_took_is_soon_gone(film: Leaning) -> None:
    del film.table.places["gbp-5p"]
    assert not any(o.changed for o in film.run(2.0, film.fidget))
    assert [places(o) for o in film.run(3.0, film.fidget) if o.changed] == [{"c1": (150, 200)}]


def test_a_piece_that_the_hand_of_the_arm_took_may_come_back_for_a_while(film: Leaning) -> None:
    film.take("gbp-5p")
    assert not any(o.changed for o in film.run(6.0, film.fidget))
    film.table.places["gbp-5p"] = (600.0, 400.0)
    seen = film.run(2.0, film.fidget)
    assert [places(o) for o in seen if o.changed] == [{"c1": (150, 200), "c2": (600, 400)}]


def test_a_piece_that_it_took_and_kept_is_gone_at_last(film: Leaning) -> None:
    film.take("gbp-5p")
    assert [places(o) for o in film.run(16.0, film.fidget) if o.changed] == [{"c1": (150, 200)}]


def test_a_piece_that_goes_while_its_arm_leaves_is_gone_as_soon(film: Leaning) -> None:
    del film.table.places["gbp-10p"]
    film.table.arm = 0.0
    assert [places(o) for o in film.run(2.0) if o.changed] == [{"c2": (500, 240)}]


def test_a_kick_under_an_arm_that_fidgets_costs_no_more_than_without(film: Leaning) -> None:
    film.table.places["gbp-5p"] = (450.0, 350.0)
    film.run(1.5, film.fidget)
    film.table.shift_px = (4.5, -2.5)
    seen = film.run(3.0, film.fidget)
    assert [o.camera.what for o in seen if o.camera] == ["kicked", "registered"]
    assert seen[-1].aside and not any(o.changed for o in seen)
    film.table.places["gbp-5p"] = (600.0, 400.0)
    assert [places(o) for o in film.run(2.0, film.fidget) if o.changed] == [{"c1": (150, 200), "c2": (600, 400)}]
    film.table.arm = 0.0
    assert not any(o.changed for o in film.run(3.0))


def test_light_that_falls_meanwhile_is_no_change_when_the_arm_is_gone(film: Leaning) -> None:
    film.table.light = 0.67
    film.table.places["gbp-5p"] = (450.0, 350.0)
    film.run(2.0, film.fidget)
    looks, film.table.arm = film.table.looks, 0.0
    assert not any(o.changed for o in film.run(3.0))
    assert film.table.looks - looks <= 2


def test_of_a_picture_with_an_arm_only_what_was_read_is_agreed_and_its_shadow_is_not() -> None:
    before, now = (np.full((SHAPE[0] * 2, SHAPE[1] * 2, 3), level, np.uint8) for level in (200, 200))
    now[400:] = 185
    now[60:140, 760:840] = 20
    now[200:320, :300] = 90
    under = drawn(arm(150))
    change = Change(drawn(), drawn(coin), 0.5, aside=Aside(under, under))
    agreed = SetAside(change, straight_down(2), 0.0).agreed(Frame(now, 0, 0.0), lambda: Frame(before, 0, 0.0), ())
    assert (agreed.image_bgr[100, 800] == 20).all()
    assert (agreed.image_bgr[250, 100] == 200).all() and (agreed.image_bgr[450, 500] == 200).all()


def test_what_lies_under_a_piece_that_may_be_in_the_hand_of_an_arm_stays_with_it() -> None:
    """A penny under a guard was taken away at once, and the guard lay on what was not there."""
    plane, piled = straight_down(2), pile()
    there = drawn(lambda mask: cv2.circle(mask, (50, 200), 8, 255, -1))
    aside = SetAside(Change(drawn(), there, 0.25, aside=Aside(drawn(arm(150)), there)), plane, 2.0)
    after, doubts = aside.after(piled, lambda unread_mm: piled.after([], 2.0, unread_mm))
    assert after.pieces == piled.pieces and [doubt.of for doubt in doubts] == ["c2"]


def test_a_piece_behind_a_camera_that_was_carried_over_the_table_may_be_in_the_hand_too() -> None:
    """Where it would show goes on behind the camera, which was no ring and ended the match."""
    piled, low = pile(), plane_from((100.0, 160.0, 120.0), (100.0, 600.0), (1920, 1080), 900.0)
    there = drawn(lambda mask: cv2.circle(mask, (50, 200), 8, 255, -1))
    aside = SetAside(Change(drawn(), there, 0.25, aside=Aside(drawn(arm(150)), there)), low, 2.0)
    after, doubts = aside.after(piled, lambda unread_mm: piled.after([], 2.0, unread_mm))
    assert after.pieces == piled.pieces and [doubt.of for doubt in doubts] == ["c2"]
