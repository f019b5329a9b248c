import gc
from dataclasses import replace

import pytest

from rules.course.events import Event
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import next_phase
from tests.ui.builders import TABLE_MM, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved
from ui.paint.view import View, banner, banner_of
from ui.playing.annotation import Painter
from ui.playing.loop import Referee, last_told
from vision.stream.camera_news import CameraNews

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
ENEMY = a_coin("c2", "gbp-10p", (250.0, 120.0), "blue")
START = a_scene(GUARD, ENEMY)


def ticks(scenes, count=6):
    referee = Referee(a_setup(), ScriptedEyes(scenes))
    return referee, list(referee.watch(a_frame(index) for index in range(count)))


def test_nothing_is_known_before_the_first_agreed_scene():
    _, (first, second) = ticks({1: START}, 2)
    assert first.match is None and first.events == ()
    assert second.match is not None and [event.kind for event in second.events] == ["scene"]


def test_what_is_loaded_when_the_match_begins_is_not_searched_for_garbage_any_more():
    frozen = gc.get_freeze_count()
    ticks({1: START}, 1)
    assert gc.get_freeze_count() <= frozen
    ticks({0: START}, 1)
    assert gc.get_freeze_count() > frozen


def test_a_move_is_told_once_at_the_frame_that_agreed_on_it():
    referee, seen = ticks({0: START, 3: a_scene(moved(GUARD, 50, 0), ENEMY)})
    told = [[event.kind for event in tick.events] for tick in seen]
    assert told == [["scene"], [], [], ["move"], [], []]
    event = seen[3].events[0]
    assert (event.time_s, event.fields["piece"], event.fields["verdict"]) == (0.3, "c1", "yes")
    assert event.fields["from_mm"] == [60.0, 120.0] and event.fields["to_mm"] == [110.0, 120.0]
    assert referee.match is seen[-1].match


def test_phases_to_come_are_ruled_ahead_after_frames_in_which_nothing_happens(monkeypatch):
    steps = []
    monkeypatch.setattr("ui.playing.loop.ahead", lambda match: (steps.append(match) for _ in range(9)))
    _, seen = ticks({0: START, 3: a_scene(moved(GUARD, 50, 0), ENEMY)})
    assert [match is seen[2].match for match in steps] == [True, True, False, False]
    assert all(match is seen[5].match for match in steps[2:])


def test_before_is_the_match_that_the_mover_chose_from():
    _, seen = ticks({0: START, 3: a_scene(moved(GUARD, 50, 0), ENEMY)})
    assert seen[2].before is None
    assert seen[5].before is not None
    assert seen[5].before.scene["c1"].position_mm == (60.0, 120.0)


def test_a_correction_outlives_the_next_frames_and_can_be_taken_back():
    unknown = a_coin("c1", "unknown", (60.0, 120.0), "red")
    referee = Referee(a_setup(), ScriptedEyes({0: a_scene(unknown), 4: a_scene(unknown, ENEMY)}))
    for index in range(3):
        referee.step(a_frame(index))
    referee.say(Event(0.2, 1, None, "correction", {"piece": "c1", "set": {"class": "gbp-5p"}}))
    for index in range(3, 6):
        referee.step(a_frame(index))
    assert referee.match is not None and "c2" in referee.match.scene
    assert referee.match.scene["c1"].cls == "gbp-5p"
    referee.say(Event(0.6, 1, None, "undo", {}))  # takes back that c2 was put down
    referee.say(Event(0.6, 1, None, "undo", {}))
    assert referee.match.scene["c1"].cls == "unknown"


def test_a_piece_that_was_moved_by_hand_is_not_moved_back_by_the_picture_that_shows_it_as_before():
    """When the next piece was moved, the log had told a move that nobody made, "not legal"."""
    scenes = {0: START, 3: a_scene(GUARD, moved(ENEMY, 0, 9)), 4: a_scene(moved(GUARD, 90, 0), moved(ENEMY, 0, 9))}
    referee = Referee(a_setup(), ScriptedEyes(scenes))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    events = referee.step(a_frame(3)).events
    assert [(event.kind, event.fields.get("piece")) for event in events] == [("note", None), ("move", "c2")]
    assert events[0].fields["text"].startswith("c1 was moved by hand, but the picture shows it where it was")
    assert referee.match is not None and referee.match.scene["c1"].position_mm == (110.0, 120.0)
    (event,) = referee.step(a_frame(4)).events  # now it is moved: from where the hand put it
    assert event.fields["from_mm"] == [110.0, 120.0] and event.fields["to_mm"] == [150.0, 120.0]


def test_that_the_picture_shows_otherwise_than_a_hand_said_is_told_while_the_table_rests():
    """It came only when something else was moved."""
    referee = Referee(a_setup(), ScriptedEyes({0: START}))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    referee.say(Event(0.2, 1, None, "undo", {}))
    assert not any(referee.step(a_frame(index)).events for index in range(1, 20))
    referee.say(Event(2.0, 1, None, "redo", {}))
    told = {index: events for index in range(20, 40) if (events := referee.step(a_frame(index)).events)}
    ((index, (event,)),) = told.items()
    assert (index, event.kind, event.time_s) == (30, "note", 3.0)
    assert event.fields["text"].startswith("c1 was moved by hand, but the picture shows it where it was")


def test_nothing_is_told_against_a_hand_s_word_while_a_hand_is_over_the_table():
    eyes = ScriptedEyes({0: START, 20: a_scene(moved(GUARD, 50, 0), ENEMY)})
    update, eyes.update = eyes.update, lambda frame: replace(update(frame), frozen=0 < frame.index < 20)
    referee = Referee(a_setup(), eyes)
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    assert not any(referee.step(a_frame(index)).events for index in range(1, 40))


def test_a_piece_that_was_taken_away_by_hand_stays_away_until_it_moves():
    scenes = {0: START, 3: a_scene(GUARD, moved(ENEMY, 0, 9)), 4: a_scene(moved(GUARD, 90, 0), moved(ENEMY, 0, 9))}
    referee = Referee(a_setup(), ScriptedEyes(scenes))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "remove", {"piece": "c1"}))
    assert [event.kind for event in referee.step(a_frame(3)).events] == ["note", "move"]
    assert referee.match is not None and "c1" not in referee.match.scene
    assert [event.kind for event in referee.step(a_frame(4)).events] == ["place"]


def test_a_move_that_was_typed_and_then_made_is_told_once():
    there = moved(GUARD, 50, 0.4)
    referee = Referee(a_setup(), ScriptedEyes({0: START, 3: a_scene(there, ENEMY)}))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    assert referee.step(a_frame(3)).events == ()
    referee.say(Event(0.4, 1, None, "undo", {}))
    assert referee.match is not None and referee.match.scene["c1"].position_mm == (60.0, 120.0)


def test_a_piece_that_a_hand_put_where_no_camera_sees_it_lies_there():
    """It was told as gone, "not legal", as soon as it was really put there, and undo brought it back for one look."""
    scenes = {0: START, 3: a_scene(ENEMY), 5: a_scene(moved(ENEMY, 0, 9)), 7: a_scene(moved(GUARD, 60, 0), ENEMY)}
    referee = Referee(a_setup(), ScriptedEyes(scenes))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    told = [[(e.kind, e.fields.get("piece")) for e in referee.step(a_frame(index)).events] for index in range(3, 40)]
    assert [events for events in told if events] == [[("move", "c2")], [("move", "c1"), ("move", "c2")]]
    referee = Referee(a_setup(), ScriptedEyes(scenes))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    referee.say(Event(0.2, 1, None, "undo", {}))
    assert [event.kind for event in referee.step(a_frame(3)).events] == ["remove"]
    anew = replace(moved(GUARD, 52, 3), id="c9")
    referee = Referee(a_setup(), ScriptedEyes({0: START, 3: a_scene(ENEMY, anew)}))
    referee.step(a_frame(0))
    referee.say(Event(0.1, 1, None, "move", {"piece": "c1", "to_mm": [110.0, 120.0]}))
    assert [event.kind for event in referee.step(a_frame(3)).events] == ["place", "remove"]


def test_what_is_typed_before_the_first_scene_is_refused():
    with pytest.raises(ValueError, match="has not begun"):
        Referee(a_setup(), ScriptedEyes({5: START})).say(Event(0, 1, None, "note", {"text": "hello"}))


def test_the_banner_tells_the_last_verdict_and_why():
    referee, _ = ticks({0: START, 3: a_scene(moved(GUARD, 0, 100), ENEMY)})
    told = banner(referee.match)
    assert told.title == "red 10p (c1) moved: not legal"
    assert told.verdict == "no" and told.detail.startswith("OMMS-3")
    assert banner(None).title == "looking at the table ..."


def test_the_banner_tells_what_the_next_scene_waits_for():
    _, [tick] = ticks({0: START}, 1)
    assert banner_of(tick).status == ""
    assert banner_of(replace(tick, aside="arm")).status == "an arm lies on the table"
    assert banner_of(replace(tick, frozen=True, aside="arm")).status == "hand over the table"
    assert banner_of(replace(tick, frozen=True, looking=True)).status == "looking ..."
    assert banner_of(replace(tick, frozen=True, looking=True, plane=None)).status == "the camera was moved"
    assert banner_of(replace(tick, frozen=True, soft=True, plane=None)).status == "out of focus"


def test_the_same_marks_come_back_while_nothing_changes():
    _, seen = ticks({0: START, 4: a_scene(moved(GUARD, 50, 0), ENEMY)})
    view = View()
    shown = [view.marks(tick.match, tick.before) for tick in seen]
    assert shown[0] is shown[3] and shown[4] is shown[5] and shown[3] is not shown[4]
    assert {"move-yes", "reach"} <= {mark.role for mark in shown[4]}
    assert view.marks(seen[5].match, None, "c1") is not shown[5]


def test_remarks_and_the_first_scene_are_not_the_last_thing_told():
    referee, _ = ticks({0: START})
    assert referee.match is not None and last_told(referee.match) is None
    referee.say(Event(0.1, 1, None, "note", {"text": "tea"}))
    assert last_told(referee.match) is None
    claim = {"piece": GUARD.id, "set": {"owner": "red"}, "by": "where it stands"}
    referee.say(Event(0.2, 1, None, "correction", claim))
    assert last_told(referee.match) is None
    referee.say(Event(0.3, 1, None, "correction", {"piece": GUARD.id, "set": {"owner": "blue"}}))
    assert last_told(referee.match) is not None


def test_a_moved_camera_is_told_and_nothing_is_drawn_until_it_is_measured_again():
    class Kicked(ScriptedEyes):
        def update(self, frame):
            seen = super().update(frame)
            if frame.index == 2:
                seen.plane, seen.camera = None, CameraNews("kicked", "kick", 9.0)
            return seen

    referee = Referee(a_setup(), Kicked({0: START}))
    seen = [referee.step(a_frame(index)) for index in range(4)]
    assert [tick.plane is None for tick in seen] == [False, False, True, False]
    assert [event.kind for event in seen[2].events] == ["camera"]
    told = seen[2].events[0].fields
    assert (told["what"], told["kind"], told["shift_px"]) == ("kicked", "kick", 9.0)
    assert told["sentence"].startswith("the camera moved by 9 px")
    painter = Painter.over(a_frame(), VIEW, TABLE_MM)
    rims = [
        tuple(painter.paint(tick).bgr()[round(v), round(u)]) for tick in seen for u, v in VIEW.to_image([(72.25, 120)])
    ]
    assert rims[2] == (90, 90, 90) != rims[1] == rims[3]


def test_a_mirrored_picture_takes_the_banner_with_what_to_do_until_it_is_back():
    class Mirrored(ScriptedEyes):
        def update(self, frame):
            seen = super().update(frame)
            if 1 <= frame.index <= 3:
                seen.plane, seen.frozen = None, True
            if frame.index == 1:
                seen.camera = CameraNews("kicked", "mirrored", float("nan"))
            if frame.index == 4:
                seen.camera = CameraNews("registered", "mirrored", 0.0, 2.0)
            return seen

    referee = Referee(a_setup(), Mirrored({0: START}))
    told = [banner_of(referee.step(a_frame(index))) for index in range(5)]
    assert [each.title == "the picture is mirrored" for each in told] == [False, True, True, True, False]
    assert told[3].verdict == "close" and told[3].detail.startswith('switch off "mirror"')
    logged = [event.fields for event in referee.match.events if event.kind == "camera"]
    assert [(fields["what"], fields["kind"]) for fields in logged] == [
        ("kicked", "mirrored"),
        ("registered", "mirrored"),
    ]


def test_the_clock_of_the_side_that_moves_is_shown_and_called():
    """OMOG's sides have two minutes each; the second look is at 0.1 s, the third when they are over."""
    setup = Setup("omog", TABLE_MM, (Player("Ann", "red"), Player("Ben", "blue", "far")))
    referee = Referee(setup, ScriptedEyes({0: a_scene()}), state=State(phase="melee"))
    first = referee.step(a_frame(0))
    assert first.match is not None and first.left_s is None
    referee.say(Event(0.0, 1, None, "phase", next_phase(first.match.game, setup, first.match.state)))
    running, over, after = (referee.step(a_frame(index, t_s)) for index, t_s in ((1, 60.5), (2, 120.0), (3, 120.1)))
    assert (running.left_s, over.left_s, after.left_s) == (59.5, 0.0, 0.0)
    assert [[event.kind for event in tick.events] for tick in (running, over, after)] == [[], ["clock"], []]
    assert over.events[0].fields["text"] == "the time of Ben is over"  # the other side begins the second turn
    painter = Painter.over(running.frame, VIEW, TABLE_MM)
    painter.paint(first)
    plain = painter.canvas.bgra.copy()
    painter.paint(running)
    assert (painter.canvas.bgra != plain).any()
