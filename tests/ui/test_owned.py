"""Pocket Wargame's coins carry no colour: the end of the card tells whose they are, a person their face."""

from dataclasses import replace

import pytest
from shapely import box

from rules.course.events import Event
from rules.match import Match, apply, start
from rules.scene import Piece
from rules.setup import Setup
from rules.state import State
from tests.ui.builders import PLAYERS, TABLE_MM, a_coin, a_scene
from ui.owned import owned_scene
from ui.paint.view import View
from ui.window.piece_panel import PiecePanel
from ui.window.side import Side


def a_card(name, cls, at):
    x, y = at
    upright = box(x - 31.75, y - 44.45, x + 31.75, y + 44.45)
    return Piece(name, "card", cls, at, upright, "none", rotation_deg=90.0)


NEAR = a_coin("c1", "gbp-2p", (50.0, 30.0), "none", face="unknown")
FAR = a_coin("c2", "gbp-5p", (120.0, 80.0), "none", face="heads")
MIDDLE = a_coin("c3", "gbp-1p", (50.0, 57.0), "none", face="heads")
SPARE = a_coin("c4", "gbp-1p", (300.0, 200.0), "none", face="heads")
CARDS = (a_card("k1", "10H", (50.0, 55.0)), a_card("k2", "4C", (120.0, 55.0)))


@pytest.fixture
def match() -> Match:
    setup = Setup("pocket", TABLE_MM, PLAYERS)
    return start(setup, a_scene(*CARDS, NEAR, FAR, MIDDLE, SPARE), State(phase="movement", active="Ben"))


def test_the_end_of_the_card_tells_whose_a_coin_is(match):
    owners = {piece.id: piece.owner for piece in owned_scene(match) if piece.kind == "coin"}
    assert owners == {"c1": "red", "c2": "blue", "c3": "unknown", "c4": "none"}
    assert match.scene["c1"].owner == "none"  # what was seen stays so


def test_rings_and_panel_show_whose_a_coin_is(match):
    roles = {(mark.role, mark.shape.centroid.coords[0]) for mark in View().marks(match, None)}
    assert {("owner-red", (50.0, 30.0)), ("owner-blue", (120.0, 80.0)), ("doubt", (50.0, 57.0))} <= {
        (role, (round(x, 1), round(y, 1))) for role, (x, y) in roles
    }
    panel = PiecePanel()
    panel.show_piece(match, "c1")
    assert "Ann" in panel.toPlainText() and "nobody's" not in panel.toPlainText()
    assert "it is Ben's turn" in panel.toPlainText()
    panel.show_piece(match, "c2")
    assert "Ben" in panel.toPlainText() and "turn" not in panel.toPlainText()


def test_a_coin_whose_face_is_unknown_can_be_told_its_face(match, qtbot):
    side, said = Side(), []
    qtbot.addWidget(side)
    side.corrected.connect(lambda piece, what: said.append((piece, what)))
    side.show_match(match, "c1")
    faces = side.correction.face_box
    assert not faces.parentWidget().isHidden() and faces.currentText() == "?"
    faces.setCurrentIndex(faces.findData("tails"))
    side.correction.apply_button.click()
    assert said == [("c1", {"face": "tails"})]
    after = apply(match, Event(1.0, 1, None, "correction", {"piece": "c1", "set": said[0][1]}))
    assert "heads or tails?" in {mark.label for mark in View().marks(match, None)}
    assert "heads or tails?" not in {mark.label for mark in View().marks(after, None)}
    assert "wavering" in {mark.label for mark in View().marks(after, None)}


def test_no_face_is_asked_where_none_counts(match, qtbot):
    side = Side()
    qtbot.addWidget(side)
    side.show_match(start(replace(match.setup, game="omms"), match.scene), "c1")
    assert side.correction.face_box.parentWidget().isHidden()


@pytest.mark.parametrize("told", [None, "Army squad"])
def test_which_unit_a_piece_stands_for_can_be_said_by_hand(qtbot, told):
    """Two pennies were one unit by the legend, and the list had coins only; what a state file binds is bound anew."""
    setup = Setup("omniwar", TABLE_MM, PLAYERS, legend={"gbp-1p": "Army squad", "gbp-2p": "Tank"})
    pennies = (a_coin("c1", "gbp-1p", (60.0, 60.0), "red"), a_coin("c2", "gbp-1p", (60.0, 120.0), "red"))
    begun = State(pieces={"c2": {"roster": told}} if told else {})
    match = start(setup, a_scene(*pennies), begun)
    side, said = Side(), []
    qtbot.addWidget(side)
    side.corrected.connect(lambda piece, what: said.append((piece, what)))
    side.show_match(match, "c2")
    box = side.correction.unit_box
    assert not box.parentWidget().isHidden()
    assert [box.itemText(place) for place in range(3)] == ["Army squad", "Tank", "Machine gun"]
    box.setCurrentIndex(box.findData("Machine gun"))
    side.correction.apply_button.click()
    assert said == [("c2", {"roster": "Machine gun"})]
    after = apply(match, Event(1.0, 1, None, "correction", {"piece": "c2", "set": said[0][1]}))
    reaches = {ruling.piece: ruling.why for ruling in after.rulings if ruling.kind == "reach"}
    assert "Army squad c1" in reaches["c1"] and "Machine gun c2" in reaches["c2"]
    side.show_match(after, "c2")
    assert box.currentText() == "Machine gun"
