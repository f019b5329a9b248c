"""The observer on drawn tables: hands freeze, moves are agreed when all is still, an idle table is never looked at."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from shapely import Point, box

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from rules.scene import COIN_DIAMETER_MM, Kind
from vision.detection import Detection
from vision.frame import Frame
from vision.light.clarity_watch import CLARITY_AGAIN_S, CLARITY_EVERY_S
from vision.memory.tracker import Tracker
from vision.motion.hand import NO_HAND
from vision.observation import Observation
from vision.observe import PUT_DOWN_S, RESTING_S, Observer
from vision.tripod.bodies import bodies_of

TABLE_MM = (700.0, 500.0)
# The observer compares pictures of 480 px: larger ones cost time and show it no more.
PX_PER_MM = 1
SIZE_PX = (700 * PX_PER_MM, 500 * PX_PER_MM)
# Each picture is a time of looking: ten a second are as many as any time of the observer needs.
PICTURES_A_SECOND = 10
NOISE = [np.random.default_rng(n).normal(0, 3, (*SIZE_PX[::-1], 3)).astype(np.int16) for n in range(4)]
# What each adds and what it takes, in bytes: OpenCV adds those ten times as fast.
LIGHTER, DARKER = ([np.maximum(sign * noise, 0).astype(np.uint8) for noise in NOISE] for sign in (1, -1))
PRINT = cv2.resize(
    np.random.default_rng(9).integers(120, 220, (125, 175, 3), np.uint8), SIZE_PX, interpolation=cv2.INTER_CUBIC
)
KICK_PX = (4.5, -3.0)
Places = dict[str, tuple[float, float]]
START: Places = {"gbp-10p": (150.0, 200.0), "gbp-5p": (500.0, 300.0)}


def px_at(x_mm: float, y_mm: float, px_per_mm: int = PX_PER_MM) -> tuple[int, int]:
    return round(x_mm * px_per_mm), round((TABLE_MM[1] - y_mm) * px_per_mm)


def straight_down(px_per_mm: int = PX_PER_MM) -> TablePlane:
    corners_mm = np.array([(0, 0), (700, 0), (700, 500), (0, 500)], float)
    corners_px = np.array([px_at(*at, px_per_mm) for at in corners_mm])
    return fit_plane(Correspondences.of(corners_px, corners_mm), None, (700 * px_per_mm, 500 * px_per_mm))


# A table that rests shows one of as many pictures as there is noise.
@lru_cache(maxsize=len(NOISE))
def drawn(
    lying: tuple[tuple[str, tuple[float, float]], ...],
    box_mm: tuple[float, float] | None,
    card: str | None,
    arm: float,
    light: float,
    shift_px: tuple[float, float],
    noise: int,
) -> np.ndarray:
    """The picture of a table as `Table` describes it, which nobody may write into."""
    image = PRINT.copy()
    cv2.line(image, px_at(0, 150), px_at(700, 350), (90, 90, 200), 3 * PX_PER_MM)
    for cls, at in lying:
        cv2.circle(image, px_at(*at), round(COIN_DIAMETER_MM[cls] / 2 * PX_PER_MM), (60, 80, 90), -1)
    if box_mm is not None:
        x, y = box_mm
        cv2.rectangle(image, px_at(x, y), px_at(x + 80, y + 60), (60, 90, 60), -1)
    if card is not None:
        colour = (40, 30, 90) if card == "BACK" else (235, 235, 235)
        cv2.rectangle(image, px_at(318, 294), px_at(382, 206), colour, -1)
    if arm:
        cv2.rectangle(image, px_at(0, 275), px_at(700 * arm, 150), (120, 60, 40), -1)
    if any(shift_px):
        moved = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], float)
        image = cv2.warpAffine(image, moved, SIZE_PX, borderMode=cv2.BORDER_REPLICATE)
    if light != 1.0:
        image = cv2.convertScaleAbs(image, alpha=light)
    seen = cv2.subtract(cv2.add(image, LIGHTER[noise]), DARKER[noise])
    seen.setflags(write=False)
    return seen


@dataclass
class Table:
    """A drawn table and eyes that know the truth; every look is counted."""

    places: Places = field(default_factory=lambda: dict(START))
    arm: float = 0.0
    # The lower left corner of a box of 80 x 60 mm, larger than any change by a coin.
    box: tuple[float, float] | None = None
    sees_boxes: bool = True
    # A card of 64 x 88 mm in the middle of the table, and what it shows: its print, or its back, dark all over.
    card: str | None = None
    light: float = 1.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    # Smaller: of the same view where it has the same shape, else without its upper and lower edge.
    size_px: tuple[int, int] = SIZE_PX
    looks: int = 0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def image(self) -> np.ndarray:
        """The table, with other noise in each picture."""
        lying = tuple((cls, at) for cls, at in self.places.items())
        noise = int(self.rng.integers(len(NOISE)))
        return self.sized(drawn(lying, self.box, self.card, self.arm, self.light, self.shift_px, noise))

    def sized(self, image: np.ndarray) -> np.ndarray:
        if self.size_px[0] == SIZE_PX[0]:
            cut = (SIZE_PX[1] - self.size_px[1]) // 2
            return image[cut : SIZE_PX[1] - cut]
        return cv2.resize(image, self.size_px, interpolation=cv2.INTER_AREA)

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        self.looks += 1
        coins = tuple(
            Detection("coin", cls, at, Point(at).buffer(COIN_DIAMETER_MM[cls] / 2), 0.1, 0.99, (0, 0), owner="red")
            for cls, at in self.places.items()
            if not (self.arm and at[0] < 700 * self.arm and 150 < at[1] < 275)
        )
        if self.card is not None:
            return *coins, Detection("card", self.card, (350, 250), box(318, 206, 382, 294), 0.4, 0.99, (0, 0))
        if self.box is None or not self.sees_boxes:
            return coins
        x, y = self.box
        footprint = box(x, y, x + 80, y + 60)
        return *coins, Detection("terrain", "box", (x + 40, y + 30), footprint, 1.0, 0.99, (0, 0), height_mm=20.0)


class Film:
    """Shows the table to an observer at so many pictures a second."""

    def __init__(self) -> None:
        self.table = Table()
        self.observer = Observer(straight_down(), self.table.look, TABLE_MM)
        self.shown = 0

    @property
    def t_s(self) -> float:
        return self.shown / PICTURES_A_SECOND

    def run(self, seconds: float, act: Callable[[float], None] = lambda share: None) -> list[Observation]:
        count = round(seconds * PICTURES_A_SECOND)
        seen = []
        for n in range(count):
            act(n / count)
            seen.append(self.observer.update(Frame(self.table.image(), 0, self.t_s)))
            self.shown += 1
        return seen

    def reach_in(self, share: float) -> None:
        self.table.arm = 0.45 * (1 - abs(2 * share - 1))


def places(observation: Observation) -> dict[str, tuple[float, float]]:
    return {piece.id: piece.position_mm for piece in observation.scene.pieces}


def test_the_first_scene_is_agreed_and_an_idle_table_is_left_alone() -> None:
    film = Film()
    seen = film.run(1.5)
    assert sum(o.changed for o in seen) == 1
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (500, 300)}
    looks = film.table.looks
    film.run(1.5)
    assert film.table.looks == looks


def test_a_match_does_not_begin_with_what_a_covered_lens_shows() -> None:
    """It began with an empty table, and saw what lies there when nothing had moved for six seconds."""
    film = Film()
    film.table.light = 0.01
    assert not any(o.changed for o in film.run(2.0)) and film.table.looks == 0
    film.table.light = 1.0
    begun = next(o for o in film.run(CLARITY_AGAIN_S + 1.0) if o.changed)
    assert places(begun) == {"c1": (150, 200), "c2": (500, 300)}


def test_a_hovering_hand_freezes_and_changes_nothing() -> None:
    film = Film()
    film.run(1.0)
    during = film.run(2.0, film.reach_in)
    film.table.arm = 0.0
    after = film.run(1.5)
    assert any(o.frozen and o.hand for o in during)
    assert not any(o.changed for o in during + after)
    assert places(after[-1]) == {"c1": (150, 200), "c2": (500, 300)}


def test_a_move_is_agreed_within_a_second_of_the_hand_leaving() -> None:
    film = Film()
    film.run(1.0)

    def carry(share: float) -> None:
        film.reach_in(share)
        if share > 0.5:
            film.table.places["gbp-10p"] = (220.0, 240.0)

    during = film.run(2.0, carry)
    film.table.arm = 0.0
    left_s = film.t_s
    after = film.run(1.5)
    assert not any(o.changed for o in during)
    agreed = [o for o in after if o.changed]
    assert len(agreed) == 1
    assert agreed[0].frame.t_s - left_s <= 1.0
    assert places(agreed[0]) == {"c1": (220, 240), "c2": (500, 300)}


def test_dimmer_light_is_no_change() -> None:
    film = Film()
    film.run(1.0)
    looks = film.table.looks
    film.table.light = 0.67
    seen = film.run(2.0)
    assert not any(o.changed for o in seen)
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (500, 300)}
    assert film.table.looks - looks <= 8


def test_a_move_by_a_hand_that_rested_is_agreed_within_a_second_of_its_leaving() -> None:
    film = Film()
    film.run(1.0)
    film.table.arm = 0.45
    film.run(8.0)
    film.table.places["gbp-10p"] = (220.0, 240.0)
    film.table.arm = 0.0
    left_s = film.t_s
    [agreed] = [o for o in film.run(2.0) if o.changed]
    assert agreed.frame.t_s - left_s <= 1.0
    assert places(agreed) == {"c1": (220, 240), "c2": (500, 300)}


def test_so_is_one_by_a_hand_that_rested_beside_something_large_that_was_laid_there_before() -> None:
    film = Film()
    film.run(1.0)
    film.table.box, film.table.sees_boxes = (300.0, 30.0), False
    film.run(2.0)
    film.table.places["gbp-5p"] = (520.0, 320.0)
    film.run(1.5)
    film.table.arm = 0.45
    film.run(7.5)
    film.table.arm, film.table.places["gbp-10p"] = 0.0, (220.0, 240.0)
    assert places(film.run(1.0)[-1])["c1"] == (220, 240)


def test_a_resting_sleeve_hides_but_does_not_remove() -> None:
    film = Film()
    film.run(1.0)
    film.table.arm = 0.45
    seen = film.run(9.0)
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (500, 300)}


def test_a_large_thing_that_was_moved_is_agreed_within_two_seconds_of_the_hand_leaving() -> None:
    film = Film()
    film.table.box = (330.0, 60.0)
    film.run(1.0)

    def carry(share: float) -> None:
        film.reach_in(share)
        if share > 0.5:
            film.table.box = (400.0, 380.0)

    film.run(2.0, carry)
    film.table.arm = 0.0
    left_s = film.t_s
    [agreed] = [o for o in film.run(3.0) if o.changed]
    assert agreed.frame.t_s - left_s <= 2.0
    assert places(agreed) == {"c1": (150, 200), "c2": (500, 300), "t3": (440, 410)}


def test_a_large_thing_that_was_put_down_waits_for_no_long_pause_between_hands() -> None:
    film = Film()
    film.run(1.0)

    def next_hand(then_s: float) -> list[Observation]:
        film.run(1.0, film.reach_in)
        film.table.arm = 0.0
        return [o for o in film.run(then_s) if o.changed]

    film.table.box = (330.0, 60.0)
    assert not next_hand(0.8)
    film.table.places["gbp-5p"] = (450.0, 350.0)
    [agreed] = next_hand(0.8)
    assert places(agreed) == {"c1": (150, 200), "c2": (450, 350), "t3": (370, 90)}


def test_what_only_stops_between_two_times_of_stillness_is_no_thing_put_down() -> None:
    film = Film()
    film.run(1.0)
    film.table.box = (330.0, 60.0)
    for x_mm in (340.0, 350.0, 340.0, 350.0):
        assert not any(o.changed for o in film.run(0.6))
        film.table.box = (x_mm, 60.0)


def test_a_card_that_was_turned_over_is_agreed_as_soon_as_the_hand_left() -> None:
    film = Film()
    film.table.card = "7D"
    film.run(1.0)
    film.run(1.0, film.reach_in)
    film.table.arm, film.table.card, left_s = 0.0, "BACK", film.t_s
    [agreed] = [o for o in film.run(3.0) if o.changed]
    assert agreed.frame.t_s - left_s <= 0.7 + 1e-9
    assert [(piece.id, piece.cls) for piece in agreed.scene.of_kind("card")] == [("k3", "BACK")]


def test_a_book_laid_over_a_coin_hides_it_and_does_not_remove_it() -> None:
    film = Film()
    film.run(1.0)
    film.table.box, film.table.sees_boxes = (460.0, 270.0), False  # over the coin at (500, 300); no game knows boxes
    film.table.places = {"gbp-10p": START["gbp-10p"]}
    film.run(1.0, film.reach_in)
    film.table.arm = 0.0
    seen = film.run(8.0)
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (500, 300)}


def test_what_was_taken_off_under_a_book_is_gone_when_the_book_is_whatever_happened_beside_it() -> None:
    film = Film()
    film.run(1.0)
    film.table.box, film.table.sees_boxes = (460.0, 270.0), False
    film.table.places = {"gbp-10p": START["gbp-10p"]}
    film.run(1.0, film.reach_in)
    film.table.arm = 0.0
    film.run(4.0)
    for _ in range(2):
        film.run(1.0, film.reach_in)
        film.table.arm = 0.0
        film.run(2.0)
    film.table.places["gbp-10p"] = (220.0, 240.0)
    film.run(1.0, film.reach_in)
    film.table.arm = 0.0
    assert places(film.run(2.0)[-1]) == {"c1": (220, 240), "c2": (500, 300)}
    film.table.box = None
    film.run(1.0, film.reach_in)
    film.table.arm = 0.0
    assert places(film.run(3.0)[-1]) == {"c1": (220, 240)}


def test_a_kicked_camera_is_noticed_measured_again_and_nothing_moves() -> None:
    film = Film()
    film.run(1.5)
    film.table.shift_px = KICK_PX
    kicked_s = film.t_s
    seen = film.run(3.0)
    news = {o.camera.what: o for o in seen if o.camera}
    assert news["kicked"].frame.t_s - kicked_s <= 0.5
    assert news["registered"].frame.t_s - kicked_s <= 2.0
    assert news["kicked"].plane is None
    plane = seen[-1].plane
    assert plane is not None
    before_px = straight_down().to_image([(350.0, 250.0)])[0]
    assert plane.to_table([before_px + np.array(KICK_PX)])[0] == pytest.approx((350, 250), abs=0.3)
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (500, 300)}
    assert not any(o.changed for o in seen)


@pytest.mark.parametrize("size_px", [(525, 375), (350, 250), (700, 450)])
def test_a_camera_that_switches_to_another_size_plays_on_and_nothing_moves(size_px: tuple[int, int]) -> None:
    film = Film()
    film.run(1.5)
    film.table.size_px = size_px
    seen = film.run(2.0)
    assert not any(o.changed for o in seen) and not any(o.camera for o in seen)
    assert seen[-1].plane is not None and seen[-1].frame.image_bgr.shape == (500, 700, 3)
    film.table.places["gbp-5p"] = (560.0, 320.0)
    assert places(film.run(1.5)[-1]) == {"c1": (150, 200), "c2": (560, 320)}


def test_eyes_that_falter_after_a_kick_invent_nothing_but_what_was_moved_meanwhile_is_seen() -> None:
    film = Film()
    film.run(1.5)
    film.table.shift_px = KICK_PX
    film.table.places["gbp-5p"] = (560.0, 120.0)  # moved in the very moment of the kick
    truthful = film.table.look

    def faltering(frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        seen = [d for d in truthful(frame, plane) if d.cls != "gbp-10p"]
        return (*seen, Detection("coin", "gbp-2p", (350, 400), Point(350, 400).buffer(13), 0.1, 0.99, (0, 0)))

    film.observer.look = faltering
    seen = film.run(3.0)
    assert places(seen[-1]) == {"c1": (150, 200), "c2": (560, 120)}


def test_a_table_gone_dark_is_told_though_nothing_moves_and_no_more_when_there_is_light() -> None:
    film = Film()
    film.run(1.0)

    def kind() -> str | None:
        return film.observer.trouble.kind if film.observer.trouble is not None else None

    def dim(share: float) -> None:
        film.table.light = 1 - 0.85 * share

    assert kind() != "dark"
    film.run(3.0, dim)
    film.run(CLARITY_EVERY_S + 0.5)
    assert kind() == "dark"
    film.table.light = 1.0
    film.run(CLARITY_AGAIN_S + 0.3)
    assert kind() != "dark"


def test_what_stands_on_the_table_hides_a_part_of_it_and_paper_is_as_good_as_the_table() -> None:
    def there(kind: Kind, at: tuple[float, float], height_mm: float | None) -> Detection:
        return Detection(kind, "unknown", at, Point(at).buffer(20), 1.0, 0.9, (0.0, 0.0), height_mm=height_mm)

    pieces = [there("soldier", (100, 100), None), there("terrain", (300, 250), 70), there("terrain", (500, 100), 0.2)]
    pieces += [there("coin", (600, 400), 1.7), there("card", (300, 100), None)]
    observer = Observer(straight_down(), lambda *_: (), TABLE_MM, Tracker().after(pieces, 0.0))
    bodies = bodies_of(observer.tracker, observer.plane)
    hidden_mm = bodies.hidden_mm
    assert [hidden_mm.contains(Point(piece.position_mm)) for piece in pieces] == [True, True, False, True, False]
    assert hidden_mm.area < 4 * np.pi * 60**2
    assert bodies.tall_mm == 30.0


def test_what_shows_elsewhere_for_a_camera_that_was_carried_is_no_hand_to_wait_for() -> None:
    observer = Observer(straight_down(), lambda *_: (), TABLE_MM)
    sleeve = replace(NO_HAND, cover_mm=box(0, 0, 300, 300), reaches_in=True)
    frame = Frame(PRINT, 0, 0.0)
    assert observer._rests_s(frame, sleeve, 0.0) == RESTING_S
    observer._camera.is_carried = True
    assert observer._rests_s(frame, sleeve, 0.0) == PUT_DOWN_S


def test_where_coins_alone_lie_nothing_shows_higher_than_they_are() -> None:
    coin = Detection("coin", "gbp-2p", (350, 400), Point(350, 400).buffer(13), 0.1, 0.99, (0, 0), height_mm=1.9)
    observer = Observer(straight_down(), lambda *_: (), TABLE_MM, Tracker().after([coin], 0.0))
    assert bodies_of(observer.tracker, observer.plane).tall_mm == 1.9
