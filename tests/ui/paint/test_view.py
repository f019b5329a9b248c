"""What the picture says of what happened, and that it says it once."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from shapely import Point

from rules.course.events import Event
from rules.game import Ruling
from rules.map import Place
from rules.match import apply, match_header, start
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games import cards
from tests.ui.builders import a_coin, a_scene, a_setup
from ui.paint.view import View, banner, banner_of
from ui.playing.replay import Replay
from ui.telling.titles import title_in
from ui.window.event_list import EventList
from ui.window.piece_panel import piece_html

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
SCOUT = a_coin("c2", "gbp-5p", (100.0, 120.0), "blue")
FOOTAGE = Path(__file__).parents[3] / "sample_footage"
POCKET, OMNIWAR = (FOOTAGE / game / "match.jsonl" for game in ("pocket", "omniwar"))


@pytest.fixture
def match():
    return start(a_setup(), a_scene(GUARD, SCOUT), State(1, "attack", "Ann"))


def happened(match, *told):
    """The match after these kinds and fields at 9 s."""
    return replace(match, events=(*match.events, *(Event(9.0, 1, "Ann", kind, fields) for kind, fields in told)))


TAKEN = {"piece": "c2", "class": "gbp-2p", "owner": "blue", "verdict": "yes", "rule": "OMMS-5.5", "why": "it was taken"}


def test_what_ends_a_siege_is_told_with_it(match):
    """A captured settlement's banner was "the siege of c2 is over: c2 is gone"."""
    other = {**TAKEN, "piece": "c1", "verdict": "no"}
    over = {"place": "c2", "change": "end", "why": "c2 is gone"}
    said = banner(happened(match, ("remove", TAKEN), ("remove", other), ("siege", over)))
    assert said.title == "blue 2p (c2) was taken away: legal · the siege of blue 2p (c2) is over"
    assert (said.detail, said.verdict) == ("OMMS-5.5: it was taken", "yes")


def test_what_begins_a_siege_is_told_with_it(match):
    moved = {**TAKEN, "piece": "c1", "from_mm": [10.0, 20.0], "to_mm": [60.0, 120.0]}
    begun = {"place": "c2", "change": "begin", "verdict": "yes", "rule": "OMMS-7.1", "why": "every road is cut"}
    after = happened(match, ("move", moved), ("siege", begun))
    said = banner(after)
    assert said.title.endswith("(c1) moved: legal · blue 5p (c2) is besieged")
    assert said.short.endswith("moved: legal · blue 5p is besieged")
    assert said.detail == "OMMS-5.5: it was taken; OMMS-7.1: every road is cut"
    assert any(mark.role == "move-yes" for mark in View().marks(after, None))


def test_of_what_was_agreed_together_the_strip_tells_what_is_against_the_rules(match):
    """It told the last piece's legal move, its arrow too; that another went too far was in the log alone."""
    moved = {**TAKEN, "from_mm": [100.0, 20.0], "to_mm": [100.0, 120.0]}
    too_far = {**moved, "piece": "c1", "class": "gbp-10p", "owner": "red", "verdict": "no", "why": "too far"}
    after = happened(match, ("move", too_far), ("move", moved))
    assert banner(after, before=match).title == "red 10p (c1) moved: not legal"
    assert "move-no" in {mark.role for mark in View().marks(after, match)}
    later = happened(after, ("move", moved))
    assert banner(later, before=after).title == "blue 2p (c2) moved: legal"


def test_what_is_against_the_rules_is_told_with_a_siege_that_was_agreed_with_it(match):
    """It told the last piece's legal move there, too."""
    moved = {**TAKEN, "piece": "c3", "from_mm": [100.0, 20.0], "to_mm": [100.0, 120.0]}
    too_far = {**moved, "piece": "c1", "class": "gbp-10p", "owner": "red", "verdict": "no", "why": "too far"}
    begun = {"place": "c2", "change": "begin", "verdict": "yes", "rule": "OMMS-7.1", "why": "every road is cut"}
    after = happened(match, ("move", too_far), ("move", moved), ("siege", begun))
    assert banner(after, before=match).title == "red 10p (c1) moved: not legal · blue 5p (c2) is besieged"
    assert "move-no" in {mark.role for mark in View().marks(after, match)}


def test_a_siege_that_no_move_began_is_told_alone(match):
    earlier = replace(happened(match, ("move", TAKEN)).events[-1], time_s=3.0)
    begun = {"place": "c2", "change": "begin", "verdict": "yes", "rule": "OMMS-7.1", "why": "every road is cut"}
    after = happened(replace(match, events=(*match.events, earlier)), ("siege", begun))
    assert banner(after).title == "blue 2p (c2) is besieged"
    assert banner(after).short == "blue 2p is besieged"


def test_a_declared_attack_says_at_once_which_dice_it_waits_for(match):
    """It stood below all targets that are refused."""
    after = apply(match, Event(9.0, 1, "Ann", "attack", {"piece": "c1", "other": "c2"}))
    said = banner(after)
    assert said.title == "red 10p (c1) attacks blue 5p (c2)"
    assert said.detail == "OMMS-5.4: red guard c1 throws 1 and blue scout c2 1 dice; 0 and 0 are seen"
    text = piece_html(after, after.scene, "c1", [])
    assert text.index("HAND TO HAND") < text.index("TARGETS")


def test_a_coin_without_a_part_says_so(match):
    """Its panel was empty, or said that nothing attacks in the phase of attacks."""
    euro = a_coin("c3", "eur-50c", (200.0, 60.0), "red")
    legend = {"gbp-10p": "guard", "gbp-5p": "scout"}
    after = start(a_setup(legend=legend), a_scene(GUARD, SCOUT, euro), State(1, "attack", "Ann"))
    said = "50c has no part in the game"
    assert said in piece_html(after, after.scene, "c3", []) and said not in piece_html(after, after.scene, "c1", [])


def test_a_unit_that_the_legend_names_by_colour_has_its_part(match):
    """In a phase in which nothing is ruled on it its coin "has no part in the game": the legend had another's alone."""
    setup = Setup("omniwar", players=match.setup.players, legend={"gbp-2p": "Tank", "blue gbp-5p": "Scout team"})
    after = replace(start(setup, a_scene(SCOUT)), state=State(1, "attack", "Ann"), rulings=())
    text = piece_html(after, after.scene, "c2", [])
    assert "nothing moves or attacks" in text and "no part" not in text


def test_yes_no_and_close_are_told_apart_without_their_colours(match):
    """All three were a square, green, red or yellow."""
    rulings = tuple(Ruling("target", "c1", said, "TOY-1", f"it says {said}", "c2") for said in ("yes", "close", "no"))
    text = piece_html(replace(match, rulings=rulings), match.scene, "c1", [])
    assert text.index("✓") < text.index("it says yes") < text.index("≈") < text.index("it says close") < text.index("✗")


def test_a_correction_that_was_taken_back_names_nobody(match):
    """The one that was attacked stayed a 2p in the banner and among the events."""
    said = apply(match, Event(8.0, 1, "Ann", "correction", {"piece": "c2", "set": {"class": "gbp-2p"}}))
    undone = apply(said, Event(8.5, 1, "Ann", "undo"))
    after = apply(undone, Event(9.0, 1, "Ann", "attack", {"piece": "c1", "other": "c2"}))
    assert banner(after).title == "red 10p (c1) attacks blue 5p (c2)"


def test_what_was_undone_and_redone_is_told(match):
    """The strip said "undo", in the film and in the replay too: of which move nobody knew."""
    said = apply(match, Event(8.0, 1, "Ann", "attack", {"piece": "c1", "other": "c2"}))
    undone = apply(said, Event(8.5, 1, "Ann", "undo"))
    again = apply(undone, Event(9.0, 1, "Ann", "redo"))
    assert banner(undone).title == "undone: red 10p (c1) attacks blue 5p (c2)"
    assert banner(again).title == "redone: red 10p (c1) attacks blue 5p (c2)"
    shown = Replay(match_header(match.setup, ""), again.events)
    assert shown.at(len(again.events) - 1).line().endswith("undone: red 10p (c1) attacks blue 5p (c2)")


def test_an_attack_on_an_empty_settlement_says_that_it_is_taken():
    """It said "c1 attacks c3", and no more."""
    penny = a_coin("c3", "gbp-1p", (100.0, 120.0), "blue")
    setup = a_setup()
    town = replace(setup, map=replace(setup.map, places=(Place(Point(100.0, 122.0), "town", "Alder"),)))
    match = start(town, a_scene(GUARD, penny), State(1, "attack", "Ann"))
    after = apply(match, Event(9.0, 1, "Ann", "attack", {"piece": "c1", "other": "c3"}))
    said = banner(after, before=match)
    assert said.title == "red 10p (c1) attacks blue 1p (c3) at Alder"
    assert said.detail == "OMMS-5.5: blue settlement c3 is empty and in range: red guard c1 takes it at once"
    shown = Replay(match_header(town, ""), after.events).at(2)
    assert f"{said.title}  [{said.detail}]" in shown.line() and banner_of(shown.tick()).detail == said.detail
    assert after.events[-1].fields == {"piece": "c1", "other": "c3"}


def test_who_attacked_is_told_by_the_hex_that_the_other_stood_in_then(qtbot):
    """Both were ids."""
    replayed, listed = Replay.read(OMNIWAR), EventList()
    qtbot.addWidget(listed)
    listed.show_steps(replayed.match(), replayed.events, 1)
    rows = [listed.item(row).text() for row in range(listed.count())]
    assert "0:20.0  red 20p (red-mortar) attacks blue 5p (blue-scout) in hex (1, 5)" in rows


def test_who_attacks_in_pocket_is_called_by_the_end_of_his_card():
    """It was "20p (bow) attacks 1p (foe)": no colour tells whose they are."""
    scene = cards.a_scene(
        {(1, 1): "2H", (2, 1): "3H"},
        cards.a_coin("bow", "gbp-20p", (1, 1), owner="none"),
        cards.a_coin("foe", "gbp-1p", (2, 1), "far", owner="none"),
    )
    players = (Player("Ann", "green", "near"), Player("Ben", "black", "far"))
    match = start(Setup("pocket", (800.0, 700.0), players), scene, State(1, "ranged", "Ann"))
    attack = Event(1.0, 1, "Ann", "attack", {"piece": "bow", "other": "foe"})
    assert title_in(apply(match, attack), attack) == "green 20p (bow) attacks black 1p (foe)"


def test_a_selected_card_has_its_name_once():
    match = Replay.read(POCKET).match()
    known = [piece.id for piece in match.scene if piece.kind == "card"]
    for card in (None, *known):
        names = [(mark.label, mark.shape.wkb) for mark in View().marks(match, None, card) if mark.role == "terrain"]
        assert len(names) == len(set(names)) >= len(known)


def test_an_error_is_not_torn_from_its_number(match):
    """On a narrow panel "±" ended a line and "0.7 mm" began the next."""
    sure = replace(match, scene=a_scene(replace(GUARD, sigma_mm=0.3), SCOUT))
    assert "±\N{NO-BREAK SPACE}0.7\N{NO-BREAK SPACE}mm" in piece_html(sure, sure.scene, "c1", [])


def test_odds_are_not_torn_from_their_percent_sign(match):
    """ "lose 25" ended a line and "% (1/4)" began the next."""
    odds = {"win": "1/2", "tie": "1/4", "lose": "1/4"}
    attack = Ruling("target", "c1", "yes", "OMMS-5.2", "it may", "c2", extra={"odds": odds})
    text = piece_html(replace(match, rulings=(attack,)), match.scene, "c1", [])
    assert "tie 25 % (1/4)".replace(" ", "\N{NO-BREAK SPACE}") + ", lose" in text


def test_what_is_out_of_reach_is_told_by_how_many_millimetres():
    """The guide said that it is; only what is allowed or close told its margin."""
    far = start(a_setup(), a_scene(GUARD, replace(SCOUT, position_mm=(300.0, 120.0))), State(1, "attack", "Ann"))
    (target,) = (ruling for ruling in far.rulings if ruling.kind == "target" and ruling.piece == "c1")
    margin = f"<b>margin {target.margin_mm:.1f}\N{NO-BREAK SPACE}mm</b>"
    assert target.verdict == "no" and margin in piece_html(far, far.scene, "c1", [])


def test_no_line_of_the_panel_ends_between_a_margin_and_its_unit_or_sign():
    """On a narrow screen "(±" ended one line and "5.1)" began the next."""
    far = start(a_setup(), a_scene(replace(GUARD, sigma_mm=0.4), replace(SCOUT, position_mm=(300.0, 120.0))), State())
    told = re.findall(r"margin [^<]*", piece_html(far, far.scene, "c1", []))
    assert any("±" in margin for margin in told)
    assert not any("± " in margin or re.search(r"\d mm", margin) for margin in told)
