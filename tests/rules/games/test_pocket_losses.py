"""Units that are gone from the battlefield, against what tosses can have done (POCKET-3.1, 3.2, 4.1)."""

from dataclasses import replace

import pytest
from shapely import Point

from rules.games.pocket import GAME
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.cards import a_coin, a_scene, card_centre

SETUP = Setup("pocket", (800, 700), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")))
FIELD = {(column, row): "2H" for column in (1, 2) for row in (1, 2, 3, 4)}


def judged(before, after, piece, state):
    (one,) = [r for r in GAME.judge(before, after, SETUP, state) if r.piece == piece]
    return one


def lost(gone, stayed, state):
    """The verdicts on units that are gone, one letter each."""
    before, after = a_scene(FIELD, *gone, *stayed), a_scene(FIELD, *stayed)
    return "".join(judged(before, after, one.id, state).verdict[0] for one in gone)


BESIDE = (7, 5)
HEADS, TAILS, UNSEEN = "heads", "tails", "unknown"
BOWS = ("gbp-20p", (1, 2)), ("gbp-20p", (2, 1))


def foes(*places):
    return [a_coin(f"e{n}", cls, cell, "far", dx=9 * n) for n, (cls, cell) in enumerate(places)]


def friends(*faces, cell=(1, 1)):
    return [a_coin(f"u{n}", "gbp-2p", cell, face=face, dx=-9 * n) for n, face in enumerate(faces)]


@pytest.mark.parametrize(
    ("faces", "stayed", "enemies", "phase", "verdicts"),
    [
        ([HEADS], [], BOWS[:1], "ranged", "n"),  # one toss makes it waver, no more
        ([TAILS], [], BOWS[:1], "ranged", "y"),
        ([HEADS], [], BOWS, "ranged", "y"),
        ([UNSEEN], [], BOWS[:1], "ranged", "c"),  # nobody told whether it wavered
        ([UNSEEN], [], BOWS, "ranged", "y"),
        ([TAILS, TAILS], [], BOWS[:1], "ranged", "yn"),
        ([HEADS, TAILS], [], BOWS, "ranged", "ny"),  # the wavering one takes less
        ([HEADS], [], [("gbp-1p", (1, 1))], "melee", "n"),
        ([TAILS], [HEADS], [("gbp-1p", (1, 1))], "melee", "y"),
        ([TAILS, TAILS], [], [("gbp-1p", (1, 1))], "melee", "yn"),
        ([HEADS], [], [("gbp-1p", (1, 1))] * 2, "melee", "y"),
        ([HEADS], [HEADS], [("gbp-1p", (1, 1))] * 2, "melee", "n"),  # the friend had to be struck first
        ([HEADS], [HEADS], [("gbp-1p", (1, 1))] * 3, "melee", "y"),
        ([HEADS, HEADS], [], [("gbp-1p", (1, 1))] * 3, "melee", "yn"),
        ([HEADS, HEADS], [], [("gbp-1p", (1, 1))] * 4, "melee", "yy"),
        ([HEADS], [], [("gbp-1p", (1, 1)), BOWS[0]], None, "y"),  # shot first, and then struck
        ([HEADS], [HEADS], [("gbp-1p", (1, 1)), BOWS[0]], None, "y"),
        ([HEADS], [], [("gbp-1p", (1, 1)), BOWS[0]], "melee", "n"),
    ],
)
def test_units_go_when_tosses_can_have_destroyed_them_together(faces, stayed, enemies, phase, verdicts):
    units = friends(*faces, *stayed)
    gone, left = units[: len(faces)], units[len(faces) :]
    assert lost(gone, [*left, *foes(*enemies)], State(phase=phase)) == verdicts


def test_of_two_alike_either_may_be_damaged_first():
    """POCKET-3.2: three heads are one damage for each of the two steady ones, and the second for one of them."""
    units, enemies = friends(HEADS, HEADS), foes(*[("gbp-1p", (1, 1))] * 3)
    for toss in (HEADS, TAILS):
        tossed = {**{u.id: {"toss": toss} for u in units}, **{e.id: {"toss": HEADS} for e in enemies}}
        for gone, stays in (units, units[::-1]):
            assert lost([gone], [stays, *enemies], State(phase="melee", pieces=tossed)) == "y"


@pytest.mark.parametrize(
    ("start", "end", "verdict", "rule"),
    [
        (BESIDE, (1, 1), "yes", "POCKET-5.1"),
        (BESIDE, (1, 3), "no", "POCKET-5.1"),
        (BESIDE, BESIDE, "yes", "POCKET-5.1"),
        ((1, 1), BESIDE, "no", "POCKET-3.2"),
    ],
)
def test_a_coin_goes_onto_the_cards_as_a_new_one_and_off_them_as_one_that_is_gone(start, end, verdict, rule):
    before, after = (a_scene(FIELD, a_coin("u", "gbp-1p", cell, dx=dx)) for cell, dx in ((start, 0), (end, 5)))
    found = judged(before, after, "u", State())
    assert (found.verdict, found.rule if verdict == "no" else rule) == (verdict, rule)


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ({}, {(1, 1): "2H"}, "yes"),  # it is dealt
        ({(1, 1): "2H"}, {(1, 1): "2H", (2, 1): "3H"}, "no"),
        ({(1, 1): "2H", (2, 1): "3H"}, {(1, 1): "2H"}, "no"),
        ({(1, 1): "2H", (2, 1): "BACK"}, {(1, 1): "2H"}, "yes"),  # of the pack
    ],
)
def test_cards_are_the_ground_and_stay(before, after, verdict):
    (found,) = GAME.judge(a_scene(before), a_scene(after), SETUP, State())
    assert found.verdict == verdict


def test_only_the_player_whose_phase_it_is_shoots_and_all_fight():
    (unit,), shooter, fighter = friends(TAILS), foes(BOWS[0]), foes(("gbp-1p", (1, 1)))
    for active, verdicts in (("Ann", "ny"), ("Bob", "yy")):
        ranged, melee = (State(phase=phase, active=active) for phase in ("ranged", "melee"))
        assert lost([unit], shooter, ranged) + lost([unit], fighter, melee) == verdicts


def test_nobody_but_missile_units_shoots_from_higher_ground():
    """Infantry on a hill had a range of 0 + 1."""
    cards = {**FIELD, (1, 2): "2D"}
    (unit,), above = friends(TAILS), foes(("gbp-1p", (1, 2)))
    before, after = a_scene(cards, unit, *above), a_scene(cards, *above)
    found = judged(before, after, "u0", State(phase="ranged", active="Bob"))
    assert found.verdict == "no" and "nothing can have destroyed it" in found.why


def test_a_toss_of_tails_destroys_nobody():
    (unit,), enemies = friends(TAILS), foes(("gbp-1p", (1, 1)))
    tossed = {"e0": {"toss": "tails"}}
    assert lost([unit], enemies, State(phase="melee", pieces=tossed)) == "n"


@pytest.mark.parametrize(
    ("mine", "its", "enemies", "verdict"),
    [
        (HEADS, TAILS, 1, "n"),  # who tossed tails is damaged first, and the one damage went there
        (HEADS, TAILS, 2, "y"),
        (TAILS, TAILS, 1, "n"),  # then who is steady
        (TAILS, HEADS, 1, "y"),
        (HEADS, None, 1, "n"),  # whatever the steady one tossed
        (None, HEADS, 1, "y"),  # it may have tossed tails
    ],
)
def test_tails_are_damaged_before_heads_and_the_steady_before_the_wavering(mine, its, enemies, verdict):
    gone, beside = friends(TAILS, HEADS)
    tossed = {name: {"toss": toss} for name, toss in (("u0", mine), ("u1", its)) if toss}
    state = State(phase="melee", pieces=tossed)
    assert lost([gone], [beside, *foes(*[("gbp-1p", (1, 1))] * enemies)], state) == verdict


@pytest.mark.parametrize(("face", "verdict"), [(HEADS, "no"), (TAILS, "yes")])
def test_a_coin_that_was_laid_beside_the_cards_was_removed(face, verdict):
    (unit,), enemies = friends(face), foes(BOWS[0])
    beside = replace(unit, position_mm=(700.0, 600.0), footprint=Point(700, 600).buffer(12.95))
    one = judged(a_scene(FIELD, unit, *enemies), a_scene(FIELD, beside, *enemies), "u0", State())
    assert (one.verdict, one.rule) == (verdict, "POCKET-3.2")
    # It was "was removed" of a coin that lay in sight, on a card's back.
    assert verdict == "yes" or one.why.startswith("u0 lies on no face-up card now, though")


@pytest.mark.parametrize(
    ("enemies", "phase", "active", "why"),
    [
        (BOWS[:1], "movement", "Bob", "could shoot at it, but units shoot in the ranged phase, not in the phase"),
        (BOWS[:1], "ranged", "Ann", "could shoot at it, but it is Ann's turn"),
        ([("gbp-1p", (1, 1))], "ranged", "Bob", "could strike it, but units strike in the melee phase, not in the"),
        ([("gbp-1p", (2, 4))], "ranged", "Bob", "was removed, though nothing can have destroyed it"),
    ],
)
def test_a_loss_in_another_phase_or_turn_is_told_by_that(enemies, phase, active, why):
    """It was "nothing can have destroyed it" beside an archer."""
    gone, stayed = friends(TAILS), foes(*enemies)
    found = judged(a_scene(FIELD, *gone, *stayed), a_scene(FIELD, *stayed), "u0", State(phase=phase, active=active))
    assert found.verdict == "no" and why in found.why


@pytest.mark.parametrize(
    ("friend", "phase", "verdict"),
    [
        ({"cls": "gbp-1p", "face": TAILS}, "melee", "c"),  # it must be destroyed, too, and may be taken off next
        ({"cls": "gbp-1p", "face": HEADS}, "melee", "y"),
        ({"cls": "gbp-2p", "face": TAILS}, "melee", "y"),  # heavy infantry may have cancelled its damage
    ],
)
def test_a_steady_unit_falls_in_melee_only_after_a_wavering_friend(friend, phase, verdict):
    (unit,), enemies = friends(HEADS), foes(*[("gbp-1p", (1, 1))] * 3)
    beside = a_coin("u1", friend["cls"], (1, 1), face=friend["face"], dx=-9)
    assert lost([unit], [beside, *enemies], State(phase=phase)) == verdict
    assert lost([unit, beside], enemies, State(phase=phase))[0] == "y"


def test_a_loss_that_faces_decide_says_so():
    """It read as a yes does, "was destroyed in open"."""
    (unit,), enemies = friends(UNSEEN), foes(BOWS[0])
    found = judged(a_scene(FIELD, unit, *enemies), a_scene(FIELD, *enemies), "u0", State(phase="ranged"))
    assert found.why == "u0 may have been destroyed in open (1, 1); whether it wavered, nobody saw"


def test_what_no_distance_decides_has_no_margin():
    """It had that of how sure the unit's place is: -28 mm."""
    scene = a_scene(FIELD, *friends(HEADS))
    assert judged(scene, a_scene(FIELD), "u0", State(phase="melee")).margin_mm == -1
    assert judged(a_scene(FIELD), scene, "u0", State(turn=2)).margin_mm == -1
    moved = a_scene(FIELD, a_coin("u0", "gbp-2p", (2, 1)))
    assert judged(scene, moved, "u0", State(phase="movement", active="Bob")).margin_mm == -1


@pytest.mark.parametrize(("beside", "verdicts"), [([HEADS], "yn"), ([TAILS], "yy"), ([HEADS, HEADS], "yy")])
def test_both_sides_losses_are_those_of_one_toss(beside, verdicts):
    """A steady foe who is gone took two heads; of two units both tossed them, and the steady one was damaged first."""
    foe = a_coin("e0", "gbp-10p", (1, 1), "far", dx=20)
    gone, *stayed = friends(TAILS, *beside)
    assert lost([gone, foe], stayed, State(phase="melee")) == verdicts


@pytest.mark.parametrize("enemies", [[], foes(("gbp-1p", (1, 1)))])
def test_a_person_says_whether_a_wavering_unit_of_nobody_knows_whom_was_destroyed(enemies):
    """C5.2: near the card's middle it is anybody's; alone there nothing can have struck it."""
    (coin,) = friends(TAILS)
    middle = card_centre((1, 1))
    coin = replace(coin, position_mm=middle, footprint=Point(middle).buffer(12.95))
    one = judged(a_scene(FIELD, coin, *enemies), a_scene(FIELD, *enemies), coin.id, State(phase="melee"))
    assert (one.verdict, one.rule) == ("close", "C5.2")
