"""A phase that was begun by mistake, and a `phase` event back: all is as if nobody had gone on."""

import pytest

from rules.course.laid import laid_at
from rules.files.setup_record import setup_record
from rules.match import Event, apply, replay
from rules.turn import coming_phase
from tests.rules.course.test_put_back import AWAY_MM, GAMES, begun, seen

NEAR_MM = {"omms": (120.0, 300.0), "pocket": (128.0, 50.0)}


def typed(match, kind, **fields):
    return apply(match, Event(9.0, fields.pop("turn", match.state.turn), match.state.active, kind, fields))


def gone_on(match):
    return typed(match, "phase", **coming_phase(match.game, match.scene, match.setup, match.state))


def gone_back(match, state):
    return typed(match, "phase", turn=state.turn, phase=state.phase, active=state.active)


@pytest.mark.parametrize("steps", [1, 2, 5, 11])
@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_has_moved_has_moved_when_players_go_back_to_that_phase(game, state, pieces, steps):
    """In Pocket all had their step again at once, and in OmniWar had waited whose turn had begun by mistake."""
    match = seen(begun(game, state, pieces), (laid_at(pieces[0], NEAR_MM.get(game, (110.0, 100.0))), *pieces[1:]))
    later = match
    for _ in range(steps):
        later = gone_on(later)
    back = gone_back(later, match.state)
    assert match.state != state
    assert (back.state, back.begun, back.rulings) == (match.state, match.begun, match.rulings)
    assert gone_on(back).state == gone_on(match).state
    assert replay({"setup": setup_record(back.setup)}, back.events).state == back.state


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_was_moved_against_the_rules_may_go_home_though_players_went_on_and_back(game, state, pieces):
    piece, *others = pieces
    match = seen(begun(game, state, pieces), (laid_at(piece, AWAY_MM.get(game, (400.0, 420.0))), *others))
    assert match.events[1].fields["verdict"] == "no"
    later = match
    for _ in range(13):
        later = gone_on(later)
    home = seen(gone_back(later, match.state), pieces)
    assert (home.events[-1].kind, home.events[-1].fields["verdict"]) == ("move", "yes")


@pytest.mark.parametrize("is_put_home_first", [False, True])
@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_a_move_by_which_players_notice_that_they_went_on_too_far_is_none(game, state, pieces, is_put_home_first):
    """In OMMS it was one, whose state was made anew, and in three games once it was put right before the phase was."""
    first, second, *others = pieces
    match = seen(begun(game, state, pieces), (laid_at(first, NEAR_MM.get(game, (110.0, 100.0))), second, *others))
    moved, away = match.scene[first.id], laid_at(second, AWAY_MM.get(game, (400.0, 420.0)))
    early = seen(gone_on(gone_on(gone_on(match))), (moved, away, *others))
    assert early.events[-1].fields["verdict"] == "no"
    home = (moved, second, *others)
    back = gone_back(seen(early, home) if is_put_home_first else early, match.state)
    assert back.state == match.state and (second.id in back.origins) is not is_put_home_first
    right = seen(back, home)
    assert [e.fields["verdict"] for e in right.events if e.kind == "move"] == ["yes", "no", "yes"] and not right.origins


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_was_out_of_his_place_and_moved_on_in_the_later_phase_may_still_go_home(game, state, pieces):
    """He might go no farther back than to where he lay when players went on, and that by the rules of the phase."""
    piece, *others = pieces
    x_mm, y_mm = AWAY_MM.get(game, (400.0, 420.0))
    match = seen(begun(game, state, pieces), (laid_at(piece, (x_mm, y_mm)), *others))
    later = seen(gone_on(gone_on(gone_on(match))), (laid_at(piece, (x_mm + 25, y_mm + 25)), *others))
    back = gone_back(later, match.state)
    assert back.origins == match.origins
    home = seen(back, pieces)
    assert (home.events[-1].fields["verdict"], home.events[-1].fields["rule"]) == ("yes", "C4.8")


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_what_was_told_in_the_later_phase_is_not_forgotten(game, state, pieces):
    match = gone_on(begun(game, state, pieces))
    told = typed(match, "state", pieces={"b": {"roster": "Tank"}})
    back = gone_back(gone_on(told), state)
    assert (back.state.turn, back.state.phase, back.state.of("b")["roster"]) == (state.turn, state.phase, "Tank")
