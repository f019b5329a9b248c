"""A man of his ground's colour, whom the small pictures of the change gate do not show."""

from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
import pytest
from shapely import Point, transform

from calibration.plane import TablePlane
from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.frame import Frame
from vision.memory.hiding import hidden_by
from vision.metric.outline import mask_of
from vision.motion.change import ChangeGate
from vision.motion.overlooked import overlooked, where_changed
from vision.observe import Observer
from vision.track import Track

SIZE_PX, TABLE_MM = (1280, 960), (700.0, 500.0)
PLANE = plane_from((350.0, -420.0, 560.0), (350.0, 200.0), SIZE_PX, 900.0)
MAN = Detection("soldier", "foot", (250.0, 150.0), Point(250, 150).buffer(4), 0.8, 0.9, (0.0, 0.0), owner="white")
OTHER = replace(MAN, position_mm=(450.0, 250.0), footprint=Point(450, 250).buffer(4), owner="tan")
HIDES = partial(hidden_by, plane=PLANE)
NOISE = [np.random.default_rng(n).normal(0, 3, (*SIZE_PX[::-1], 3)).astype(np.int16) for n in range(3)]


def picture(*men: Detection, shade: float = 1.0, seed: int = 0) -> np.ndarray:
    """A pale table, with men paler by 20 levels; its left part in a sharp shadow."""
    image = np.full((*SIZE_PX[::-1], 3), 190, np.uint8)
    for man in men:
        image[mask_of(transform(HIDES(man), PLANE.to_image), image.shape) > 0] += 20
    image[:, : SIZE_PX[0] // 2] = shade * image[:, : SIZE_PX[0] // 2]
    return np.asarray(cv2.add(image, NOISE[seed], dtype=cv2.CV_8U), np.uint8)


def test_the_gate_does_not_see_him_and_the_pictures_do() -> None:
    before, after = picture(seed=1), picture(MAN, seed=2)
    gate = ChangeGate().seen(Frame(before, 0, 0.0))[0].agreeing(Frame(before, 0, 0.0))
    assert not gate.seen(Frame(after, 1, 1.0))[1].is_changed
    assert where_changed([MAN, OTHER], before, after, PLANE, HIDES).equals(HIDES(MAN))
    assert where_changed([MAN], after, before, PLANE, HIDES).equals(HIDES(MAN))


@pytest.mark.parametrize("after", [picture(MAN, shade=0.9, seed=2), picture(MAN, seed=2) // 10 * 9])
def test_a_shadow_over_him_and_all_around_is_no_other_man(after: np.ndarray) -> None:
    assert where_changed([MAN], picture(MAN, seed=1), after, PLANE, HIDES).is_empty


def striped(seed: int) -> np.ndarray:
    """The pale table with a man in it who is painted dark, in two shades."""
    image, rows = picture(seed=seed), np.arange(SIZE_PX[1])[:, None]
    body = mask_of(transform(HIDES(OTHER), PLANE.to_image), image.shape) > 0
    image[body] //= 3
    image[body & (rows // 3 % 2 == 0)] += 60
    return image


@pytest.mark.parametrize("shift_px", [(0.5, 0.0), (0.5, 0.3), (-0.7, 0.7)])
def test_who_stands_is_no_other_where_the_camera_stands_off_a_little(shift_px: tuple[float, float]) -> None:
    """Half a pixel off, a man whom the eyes missed once was gone for good."""
    motion = np.array([(1, 0, shift_px[0]), (0, 1, shift_px[1])])
    after = np.asarray(cv2.warpAffine(striped(2), motion, SIZE_PX, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert where_changed([OTHER], striped(1), after, PLANE, HIDES).is_empty
    assert not where_changed([OTHER], picture(seed=1), after, PLANE, HIDES).is_empty


def test_who_stands_is_no_other_where_the_camera_shows_fewer_pixels_now() -> None:
    """At a quarter of its width, a man whom the eyes missed once was gone for good."""
    seen, fine = [OTHER], striped(1)
    with_arm = cv2.rectangle(fine.copy(), (0, 200), (380, 420), (40, 60, 120), -1)
    observer = Observer(PLANE, lambda frame, plane: tuple(seen), TABLE_MM)
    for n in range(34):
        shown = with_arm if 16 <= n < 20 else fine
        if n >= 8:
            shown = np.asarray(cv2.resize(shown, (320, 240), interpolation=cv2.INTER_AREA), np.uint8)
        if n == 16:
            seen.clear()
        pieces = observer.update(Frame(shown, n, n / 10)).scene.pieces
    assert [piece.position_mm for piece in pieces] == [OTHER.position_mm]


def test_who_stands_behind_a_camera_that_was_carried_over_the_table_is_not_compared() -> None:
    low = plane_from((350.0, 60.0, 120.0), (350.0, 500.0), SIZE_PX, 900.0)
    near = replace(MAN, position_mm=(350.0, 5.0), footprint=Point(350, 5).buffer(4))
    assert where_changed([near], picture(seed=1), picture(seed=2), low, partial(hidden_by, plane=low)).is_empty


def test_asked_is_after_figures_that_came_and_that_are_missed_where_nothing_is_known_to_have_changed() -> None:
    known = Track("s1", OTHER, 0.0)
    assert overlooked([known], [MAN, OTHER], Point(0, 0)) == [MAN]
    assert overlooked([known], [], Point(0, 0)) == [OTHER]
    assert overlooked([known], [OTHER, replace(MAN, faint=True)], Point(0, 0)) == []
    assert overlooked([known], [MAN], MAN.footprint.union(OTHER.footprint)) == []
    coin = replace(MAN, kind="coin", cls="gbp-5p")
    assert overlooked([], [coin], Point(0, 0)) == []


@dataclass
class Film:
    """Shows men to an observer whose eyes know the truth."""

    men: tuple[Detection, ...]
    observer: Observer = field(init=False)
    t_s: float = 0.0

    def __post_init__(self) -> None:
        self.observer = Observer(PLANE, self.look, TABLE_MM)

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        return self.men

    def run(self, seconds: float, *, arm: bool = False) -> tuple[tuple[float, float], ...]:
        for n in range(round(10 * seconds)):
            shown = picture(*self.men, seed=n % 3)
            if arm:
                cv2.rectangle(shown, (0, 200), (380, 420), (40, 60, 120), -1)
            seen = self.observer.update(Frame(shown, 0, self.t_s))
            self.t_s += 0.1
        return tuple(piece.position_mm for piece in seen.scene.pieces)


def test_he_comes_and_goes_with_a_hand() -> None:
    """He was never told, and who was taken away stayed for good."""
    film = Film((OTHER,))
    assert film.run(0.8) == (OTHER.position_mm,)
    film.run(0.4, arm=True)
    film.men = (OTHER, MAN)
    assert film.run(1.0) == (OTHER.position_mm, MAN.position_mm)
    film.run(0.4, arm=True)
    film.men = (MAN,)
    assert film.run(1.0) == (MAN.position_mm,)
