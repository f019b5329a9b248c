"""Who was moved against the rules and lifted then may be put back where he came from, as one who was pushed there."""

from dataclasses import replace

import pytest
from shapely import LineString

from rules.course.laid import laid_at
from rules.files.setup_record import setup_record
from rules.map import Map, Road
from rules.match import observe, replay, start
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State
from tests.rules.course.test_taken_back import CARDS, PLAYERS, SQUADS, a_man
from tests.rules.games.cards import a_coin
from tests.rules.games.omms.builders import a_coin as a_counter

# Of each game a state, who lies there, and the first of these where he may not go.
MEN, BASES = ((a_man("a", "red", 100, 100, kind), a_man("b", "blue", 100, 600, kind)) for kind in ("soldier", "base"))
GAMES = [
    (
        "omms",
        State(2, "move", "Ann"),
        tuple(a_counter(name, "guard", "red", (x, 300)) for name, x in (("a", 100), ("b", 600))),
    ),
    ("omog", State(1, "move-1", "Ann"), MEN),
    ("osmcg", State(2, "activation", "Ann", pieces={"a": {"wounds": 1}}), BASES),
    ("omniwar", State(2, "move", "Ann", pieces=SQUADS), MEN),
    (
        "pocket",
        State(2, "movement", "Ann"),
        (a_coin("a", "gbp-1p", (1, 1)), a_coin("b", "gbp-1p", (1, 4), "far"), *CARDS),
    ),
]
AWAY_MM = {"pocket": (128.0, 332.0)}


def begun(game, state, pieces):
    road = Road(LineString([(0, 300), (700, 300)]), "a", "A1")
    return start(Setup(game, (700, 700), PLAYERS, map=Map((road,))), Scene((700, 700), pieces), state)


def seen(match, *scenes):
    for pieces in scenes:
        match = observe(match, Scene((700, 700), pieces), match.scene.time_s + 1.0)
    return match


def told(match):
    return [(e.kind, e.fields["verdict"]) for e in match.events if e.kind in ("move", "place", "remove")]


@pytest.mark.parametrize("name", ["a", "as-the-camera-calls-it"])
@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_was_moved_against_the_rules_is_lifted_and_put_back_home(game, state, pieces, name):
    """It was against the rules in every game, though the referee had asked for it; now nothing has happened."""
    piece, *others = pieces
    away = laid_at(piece, AWAY_MM.get(game, (400.0, 420.0)))
    begin = begun(game, state, pieces)
    match = seen(begin, (away, *others), tuple(others), (*others, replace(piece, id=name)))
    assert (told(match)[0], told(match)[-1]) == (("move", "no"), ("place", "yes"))
    assert match.events[-1].fields["rule"] == "C4.8" and not match.misplaced and not match.origins
    known = {name if id_ == "a" else id_: dict(said) for id_, said in state.pieces.items()}
    assert {id_: dict(said) for id_, said in match.state.pieces.items() if said} == known
    assert not any(match.state.counters.get("lost", {}).values())
    reaches = [{r.piece: r.verdict for r in each.rulings if r.kind == "reach"} for each in (begin, match)]
    assert list(reaches[0].values()) == [reaches[1][name if id_ == "a" else id_] for id_ in reaches[0]]
    assert replay({"setup": setup_record(match.setup)}, match.events).state == match.state


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_is_lifted_where_he_may_not_be_and_laid_there_again_is_still_out_of_place(game, state, pieces):
    """From there he moved on by the rules, and not back to where he came from."""
    piece, *others = pieces
    away = (laid_at(piece, AWAY_MM.get(game, (400.0, 420.0))), *others)
    match = seen(begun(game, state, pieces), away, tuple(others), away)
    assert told(match)[-1] == ("place", "yes") and match.origins["a"].piece.position_mm == piece.position_mm
    match = seen(match, pieces)
    assert told(match)[-1] == ("move", "yes") and match.events[-1].fields["rule"] == "C4.8"
    assert "moved" not in match.state.of("a") and "ap_spent" not in match.state.of("a")


def test_another_piece_is_not_put_back_in_its_place():
    (piece, other), state = MEN, State(1, "move-1", "Ann")
    away = laid_at(piece, (400.0, 420.0))
    match = seen(begun("omog", state, MEN), (away, other), (other,), (other, replace(piece, id="c", owner="blue")))
    assert told(match)[-1] == ("place", "no") and "a" in match.origins


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_who_was_lifted_and_laid_where_he_may_not_be_is_pushed_home(game, state, pieces):
    """That was against the rules, or a move; taken off once more and put there it was none."""
    piece, *others = pieces
    away = laid_at(piece, AWAY_MM.get(game, (400.0, 420.0)))
    begin = begun(game, state, pieces)
    match = seen(begin, tuple(others), (away, *others), pieces)
    assert told(match)[1:] == [("place", "no"), ("move", "yes")] and match.events[-1].fields["rule"] == "C4.8"
    assert not match.misplaced and not match.gone
    assert {id_: dict(said) for id_, said in match.state.pieces.items() if said} == dict(state.pieces)
    assert not any(match.state.counters.get("lost", {}).values())
    assert replay({"setup": setup_record(match.setup)}, match.events).state == match.state


def test_who_is_pushed_elsewhere_from_where_he_may_not_be_is_no_more_at_home():
    (piece, other), state = MEN, State(1, "move-1", "Ann")
    away, beside = laid_at(piece, (400.0, 420.0)), laid_at(piece, (400.0, 480.0))
    match = seen(begun("omog", state, MEN), (other,), (away, other), (beside, other))
    assert "returns" not in match.events[-1].fields and "a" in match.misplaced and "a" in match.gone
