"""The observer beside whose frames the eyes look, as a camera's do: they go on, and a look counts for its own frame."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from shapely import Point

from calibration.plane import TablePlane
from tests.vision.test_observe import TABLE_MM, Film, Table, places, straight_down
from vision.detection import Detection
from vision.frame import Frame
from vision.observation import Observation
from vision.observe import Observer

GHOST = Detection("coin", "gbp-2p", (350, 400), Point(350, 400).buffer(13), 0.1, 0.99, (0, 0), owner="red")


class Slow(Executor):
    """A thread that does its tasks at once and tells so `late` calls of `pass_time` later."""

    def __init__(self, late: int) -> None:
        self.late = late
        self.begun: list[tuple[int, Future[Any], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        task: Future[Any] = Future()
        self.begun.append((self.late, task, fn(*args, **kwargs)))
        return task

    def pass_time(self) -> None:
        self.begun = [(left - 1, task, result) for left, task, result in self.begun]
        for left, task, result in self.begun:
            if left == 0:
                task.set_result(result)


class SlowFilm(Film):
    """A film whose looks take a second and see what the table was when theirs was taken;
    the first so many see a coin that is not there."""

    def __init__(self, late: int = 7, faltering: int = 0) -> None:
        super().__init__()
        self.thread = Slow(late)
        self.tables: dict[float, Table] = {}
        self.faltering = faltering
        self.observer = Observer(straight_down(), self.look, TABLE_MM, beside=self.thread)

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        self.table.looks += 1
        seen = self.tables[frame.t_s].look(frame, plane)
        return (*seen, GHOST) if self.table.looks <= self.faltering else seen

    def run(self, seconds: float, act: Callable[[float], None] = lambda share: None) -> list[Observation]:
        def go_on(share: float) -> None:
            self.thread.pass_time()
            act(share)
            self.tables[self.t_s] = replace(self.table, places=dict(self.table.places))

        return super().run(seconds, go_on)


def test_frames_go_on_while_the_eyes_look_and_one_look_runs_at_a_time() -> None:
    film = SlowFilm()
    seen = film.run(1.0)
    assert film.table.looks == 1
    assert len(seen) == 10 and not any(o.changed for o in seen)
    assert all(o.frozen and o.looking for o in seen)  # before the first look was begun it was "a hand over the table"
    assert sum(o.changed for o in film.run(1.0)) == 1
    assert film.table.looks == 2


def test_what_was_seen_before_a_hand_came_is_agreed_though_the_look_ends_after() -> None:
    film = SlowFilm()
    film.run(1.2)
    assert film.table.looks == 2
    film.table.arm = 0.45
    [agreed] = [o for o in film.run(1.0) if o.changed]
    assert places(agreed) == {"c1": (150, 200), "c2": (500, 300)}
    film.table.places["gbp-10p"] = (220.0, 240.0)
    assert not any(o.changed for o in film.run(1.0))
    film.table.arm = 0.0
    [moved] = [o for o in film.run(3.0) if o.changed]
    assert places(moved) == {"c1": (220, 240), "c2": (500, 300)}


def test_where_a_hand_comes_during_the_first_look_the_second_is_at_a_frame_from_before() -> None:
    film = SlowFilm()
    film.run(0.7)
    assert film.table.looks == 1
    film.table.arm = 0.45
    film.table.places["gbp-10p"] = (220.0, 240.0)
    [agreed] = [o for o in film.run(1.5) if o.changed]
    assert film.table.looks == 2
    assert places(agreed) == {"c1": (150, 200), "c2": (500, 300)}
    assert agreed.scene.time_s < 0.7 < agreed.frame.t_s
    film.table.arm = 0.0
    [moved] = [o for o in film.run(3.0) if o.changed]
    assert places(moved) == {"c1": (220, 240), "c2": (500, 300)}


def test_looks_that_differ_are_as_many_as_were_kept_before_a_hand_came() -> None:
    film = SlowFilm(faltering=1)
    film.run(0.8)
    film.table.arm = 0.45
    [agreed] = [o for o in film.run(3.5) if o.changed]
    assert film.table.looks == 4
    assert places(agreed) == {"c1": (150, 200), "c2": (500, 300)}


def test_one_look_is_not_enough_where_a_hand_comes_at_once() -> None:
    film = SlowFilm()
    film.run(3.0)
    film.table.places["gbp-10p"] = (220.0, 240.0)
    film.run(0.5)
    looks = film.table.looks
    film.table.arm = 0.45
    seen = film.run(1.5)
    assert not any(o.changed or o.looking for o in seen)
    assert all(o.frozen for o in seen)
    film.table.places["gbp-10p"] = (400.0, 100.0)
    film.table.arm = 0.0
    [moved] = [o for o in film.run(3.0) if o.changed]
    assert places(moved) == {"c1": (400, 100), "c2": (500, 300)}
    assert film.table.looks == looks + 2


def test_what_moves_after_the_frame_that_was_looked_at_is_seen_next() -> None:
    film = SlowFilm()
    film.run(1.2)
    film.table.places["gbp-10p"] = (220.0, 240.0)
    agreed = [places(o) for o in film.run(4.0) if o.changed]
    assert agreed == [{"c1": (150, 200), "c2": (500, 300)}, {"c1": (220, 240), "c2": (500, 300)}]


def test_a_look_that_a_kick_overtakes_is_dropped() -> None:
    film = SlowFilm(late=13)
    film.run(2.0)
    assert film.table.looks == 2
    film.table.shift_px = (7.0, 3.0)
    seen = film.run(2.0)
    assert [o.camera.what for o in seen if o.camera] == ["kicked", "registered"]
    assert not any(o.changed for o in seen)
    [agreed] = [o for o in film.run(3.0) if o.changed]
    assert places(agreed) == {"c1": (150, 200), "c2": (500, 300)}
