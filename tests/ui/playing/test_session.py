"""Opening a match of a camera: what a first look and first rulings would wait for is done before them."""

from pathlib import Path
from threading import Event

import pytest

from ui.playing.session import opened_session
from ui.setup.setup_file import read_setup
from vision.stream.video_file import read_video

OMOG = Path(__file__).parents[3] / "sample_footage" / "omog"


class Camera:
    """Shows the first frame of a sample match."""

    name, trouble = "camera 0", None

    def __init__(self, live):
        self.live = live
        self.first = next(iter(read_video(OMOG / "match.mp4")))

    def beats(self):
        yield self.first


class Eyes:
    """See nothing, and tell what they were made ready for."""

    def __init__(self):
        self.ready = []

    def make_ready(self, frame, plane):
        self.ready.append((frame, plane))

    def __call__(self, frame, plane):
        return ()


@pytest.fixture
def warmed(monkeypatch):
    """The games whose rulings were loaded, and when they were."""
    games, done = [], Event()

    def warm(some):
        games.extend(game.name for game in some)
        done.set()

    monkeypatch.setattr("ui.playing.session.warm", warm)
    return games, done


def test_of_a_camera_eyes_and_rulings_are_made_ready_before_anything_is_looked_at(warmed):
    games, done = warmed
    camera, eyes = Camera(live=True), Eyes()
    session = opened_session(read_setup(OMOG / "setup.toml"), camera, eyes)
    assert done.wait(20)
    assert games == ["omog"]
    assert eyes.ready == [(camera.first, session.plane)]


def test_of_a_file_nothing_is_for_its_first_look_is_not_waited_for(warmed):
    games, _ = warmed
    eyes = Eyes()
    opened_session(read_setup(OMOG / "setup.toml"), Camera(live=False), eyes)
    assert not games
    assert not eyes.ready


def test_eyes_that_cannot_be_made_ready_look_all_the_same(warmed):
    session = opened_session(read_setup(OMOG / "setup.toml"), Camera(live=True), lambda frame, plane: ())
    assert session.referee.step(session.first).match is None


def test_a_point_that_is_left_out_of_a_film_is_told(tmp_path):
    """`scene` said it; `annotate` and `play` refereed without a word."""
    text = (OMOG / "setup.toml").read_text()
    middle = text.rindex("[", 0, text.index(", 350, 250]"))
    u, rest = text[middle + 1 :].split(",", 1)
    path = tmp_path / "setup.toml"
    path.write_text(f"{text[: middle + 1]}{float(u) + 60},{rest}")
    said = []
    opened_session(read_setup(path), Camera(live=False), Eyes(), tell=said.append)
    assert said == ["point 5 contradicts the other references and was left out"]
