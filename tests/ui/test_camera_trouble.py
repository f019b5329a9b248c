"""A camera that fails while a match is played: said at once, logged once, and the match goes on."""

import json
from dataclasses import replace

import pytest

from rules.match import read_log, replay
from tests.ui.builders import TABLE_MM, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved
from ui.playing.annotation import Painter
from ui.playing.loop import Referee
from ui.playing.pulse import GOOD_AGAIN_S, Pulse
from ui.playing.session import Session
from ui.playing.watching import annotate_to
from ui.window.main import MainWindow
from ui.window.watcher import Watcher
from vision.stream.camera_news import CameraNews
from vision.stream.health import Trouble

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
LOST = Trouble("lost", "camera 0: the camera is lost; trying again (the match is kept)")


class Camera:
    """Gives what the script says: a frame's number, or a trouble; then ends, or breaks with `fault`."""

    live, name = True, "camera 0"

    def __init__(self, script, fault=None):
        self.script, self.fault, self.trouble = script, fault, None

    def beats(self):
        index = 0
        for step in self.script:
            self.trouble = step if isinstance(step, Trouble) else None
            if isinstance(step, Trouble):
                yield None
            else:
                yield a_frame(index, t_s=step)
                index += 1
        if self.fault is not None:
            raise self.fault

    def close(self):
        self.script = ()


def ailing_eyes(trouble):
    """Eyes that see too little, from first to last."""
    eyes = Camera([])
    eyes.trouble = trouble
    return eyes


def referee_of(camera, scenes):
    return Referee(a_setup(), ScriptedEyes(scenes), pulse=Pulse(camera))


def test_a_lost_camera_is_logged_and_said_once_and_once_when_it_is_back(tmp_path, capfd):
    camera = Camera([0.0, 0.1, LOST, LOST, LOST, 9.0, 9.1, 9.0 + GOOD_AGAIN_S + 0.2])
    referee = referee_of(camera, {0: a_scene(GUARD), 3: a_scene(moved(GUARD, 50, 0))})
    log = tmp_path / "match.jsonl"
    match = annotate_to(Session(a_frame(), camera.beats(), VIEW, referee), camera, None, log, played=True)
    events = read_log(log)[1]
    assert [event.kind for event in events] == ["scene", "camera", "move", "camera"]
    told = [(e.fields["what"], e.fields["kind"], e.fields["sentence"]) for e in events if e.kind == "camera"]
    assert told == [("trouble", "lost", LOST.sentence), ("good", "lost", "the camera's picture is good again")]
    assert match.scene["c1"].position_mm == (110.0, 120.0)
    assert capfd.readouterr().err == f"{LOST.sentence}\nthe camera's picture is good again\n"


@pytest.mark.parametrize("fault", [ValueError("clip: the video breaks off"), OSError("camera 0: gone")])
def test_the_log_of_a_source_that_breaks_is_whole(tmp_path, fault):
    camera = Camera([0.0, 0.1, 0.2], fault)
    referee = referee_of(camera, {0: a_scene(GUARD), 2: a_scene(moved(GUARD, 50, 0))})
    log = tmp_path / "match.jsonl"
    with pytest.raises(type(fault)):
        annotate_to(Session(a_frame(), camera.beats(), VIEW, referee), camera, None, log, played=True)
    assert log.read_bytes().endswith(b"\n")
    assert [json.loads(line).get("event") for line in log.read_text().splitlines()] == [None, "scene", "move"]
    header, events = read_log(log)
    assert replay(header, events).scene["c1"].position_mm == (110.0, 120.0)


def test_the_window_says_what_is_wrong_and_still_hears_what_is_typed(tmp_path, shown, qtbot):
    camera = Camera([0.0, 0.1, *[LOST] * 20_000])
    referee = referee_of(camera, {0: a_scene(GUARD), 1: a_scene(moved(GUARD, 0, 60))})
    window = shown(MainWindow(Watcher(camera.beats(), camera, referee, None), VIEW, camera, "test"))
    window.watcher.start()
    qtbot.waitUntil(lambda: window._tick is not None and window._tick.trouble == LOST, timeout=5000)
    rows = [window.side.events.item(row).text() for row in range(window.side.events.count())]
    assert [row for row in rows if "the camera is lost" in row] == rows[-1:]
    window.controls.undo_button.click()
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (60, 120), timeout=5000)


def test_the_status_line_tells_what_is_wrong_and_is_cleared_when_it_is_over(shown):
    camera = Camera([])
    referee = referee_of(camera, {0: a_scene(GUARD)})
    window = shown(MainWindow(Watcher(camera.beats(), camera, referee, None), VIEW, camera, "test"))
    tick = referee.step(a_frame())
    told = []
    for trouble, news in ((LOST, None), (None, CameraNews("kicked", "mirrored", float("nan"))), (None, None)):
        camera.trouble = trouble
        window.show_tick(replace(tick, camera=news, plane=None if news else tick.plane))
        window._show_health()
        told.append(window.statusBar().currentMessage())
    assert told[0] == LOST.sentence and told[1].startswith("the picture is mirrored: switch off") and told[2] == ""


def test_after_a_fault_the_match_goes_on_by_hand(shown, qtbot):
    camera = Camera([0.0, 0.1], OSError("camera 0: gone"))
    referee = referee_of(camera, {0: a_scene(GUARD), 1: a_scene(moved(GUARD, 0, 60))})
    window = shown(MainWindow(Watcher(camera.beats(), camera, referee, None), VIEW, camera, "test"))
    window.watcher.start()
    qtbot.waitUntil(lambda: "gone" in window.side.trouble.text(), timeout=5000)
    window.controls.undo_button.click()
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (60, 120), timeout=5000)
    assert isinstance(window.watcher.fault, OSError)


def test_a_trouble_that_comes_and_goes_is_told_once():
    camera, slow = Camera([]), Trouble("slow", "only 4.9 pictures a second")
    pulse, told = Pulse(camera), []
    for tenth in range(70):
        camera.trouble = slow if tenth < 30 and tenth % 2 else None
        told.append(pulse.news(tenth / 10))
    assert [fields["what"] for fields in told if fields] == ["trouble", "good"]


def test_a_picture_is_called_good_within_a_second_unless_it_was_in_vain_a_moment_ago():
    camera, dark = Camera([]), Trouble("dark", "the picture is too dark")
    pulse, told = Pulse(camera), []
    for tenth in range(130):
        camera.trouble = dark if tenth < 30 or (60 <= tenth < 120 and tenth % 20 < 10) else None
        fields = pulse.news(tenth / 10)
        told += [(fields["what"], tenth)] if fields else []
    assert told == [("trouble", 0), ("good", 39), ("trouble", 60)]


def test_eyes_that_see_too_little_are_told_when_the_camera_itself_is_well():
    camera, eyes = Camera([]), Camera([])
    pulse = Pulse(camera, eyes)
    assert pulse.trouble is None
    eyes.trouble = Trouble("dark", "the picture is too dark")
    assert pulse.news(0.0)["kind"] == "dark"
    camera.trouble = LOST
    assert pulse.news(1.0)["kind"] == "lost"


def test_before_the_match_the_status_line_tells_what_the_eyes_lack(shown):
    camera, dark = Camera([]), Trouble("dark", "the picture is too dark: more light")
    referee = Referee(a_setup(), ScriptedEyes({9: a_scene(GUARD)}), pulse=Pulse(camera, ailing_eyes(dark)))
    window = shown(MainWindow(Watcher(camera.beats(), camera, referee, None), VIEW, camera, "test"))
    window.show_tick(referee.step(a_frame()))
    window._show_health()
    assert window.statusBar().currentMessage() == dark.sentence


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Trouble("flicker", "the light flickers: take another lamp"), "the light flickers: take another lamp"),
        (None, "it ended before the table was seen at rest"),
    ],
)
def test_a_match_that_never_began_is_told_why(tmp_path, capfd, trouble, said):
    camera = Camera([0.0, 0.1, 0.2])
    referee = Referee(a_setup(), ScriptedEyes({9: a_scene(GUARD)}), pulse=Pulse(camera, ailing_eyes(trouble)))
    log = tmp_path / "match.jsonl"
    assert annotate_to(Session(a_frame(), camera.beats(), VIEW, referee), camera, None, log, played=True) is None
    assert f"no match began; {said}" in capfd.readouterr().err


def test_a_match_that_was_stopped_before_it_began_has_not_ended(tmp_path, capfd):
    camera = Camera([0.0, 0.1])

    def beats():
        yield from camera.beats()
        raise KeyboardInterrupt

    session = Session(a_frame(), beats(), VIEW, Referee(a_setup(), ScriptedEyes({9: a_scene(GUARD)})))
    annotate_to(session, camera, None, tmp_path / "match.jsonl", played=True)
    assert "no match began; it was stopped before the table was seen at rest" in capfd.readouterr().err


def test_a_picture_of_another_size_is_shown_and_not_drawn_on():
    referee = referee_of(Camera([]), {0: a_scene(GUARD)})
    tick = referee.step(a_frame())
    painter = Painter.over(tick.frame, VIEW, TABLE_MM)
    small = a_frame(1, level=200)
    small = replace(small, image_bgr=small.image_bgr[:240, :320])
    other = replace(tick, frame=small, before=None, frozen=True, plane=None)
    picture = painter.paint(other).bgr()
    assert picture.shape == (480, 640, 3)
    assert tuple(picture[240, 145]) == (200, 200, 200)
