"""Pieces that look alike, between two pictures with ids of their own."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rules.course.changes import changes
from rules.course.judged import judged
from rules.course.judged_apart import judged_apart
from rules.game import Game
from rules.margin import at_most
from rules.match import observe, start
from tests.rules.test_match import SETUP, a_coin, a_scene

LIMIT_MM = 100


def judge(before, after):
    """A coin may be moved by 100 mm, and what came or went did so legally."""
    return tuple(judged(one, None, at_most(far_mm(one), LIMIT_MM), "moved", "TOY-1") for one in changes(before, after))


def far_mm(change):
    if change.before is None or change.after is None:
        return 0.0
    return math.dist(change.before.position_mm, change.after.position_mm)


def rulings(before, after):
    """What is said of two pictures."""
    apart = [
        replace(scene, pieces=tuple(replace(p, sigma_mm=sigma_mm) for p in scene), numbered_anew=True)
        for scene, sigma_mm in ((before, 0.1), (after, 0.11))
    ]
    return judged_apart(*apart, judge)


def told(before, after):
    """The verdict on each piece, and where it went."""
    return {one.piece: (one.verdict, tuple(one.extra.get("to_mm", ()))) for one in rulings(before, after)}


def coins(*places, owner="red"):
    return a_scene(*(a_coin(f"c{n}", *place, owner=owner) for n, place in enumerate(places)))


@pytest.mark.parametrize("swap", [False, True])
def test_two_legal_moves_are_no_mixture_of_a_short_one_and_one_that_is_too_long(swap):
    """92 and 98 mm; nearest first pairs 83 and 186."""
    places = [(247, 193), (220, 100)]
    seen = told(coins((300, 118), (144, 38)), coins(*(places[::-1] if swap else places)))
    assert seen == {"c0": ("yes", (247, 193)), "c1": ("yes", (220, 100))}


# 105 and 10 mm are likelier than 68 and 90, but a player moves legally.
A_MIXTURE = coins((100, 100), (130, 150)), coins((205, 100), (136, 158))


def test_a_likely_pairing_with_an_illegal_move_is_no_proof():
    assert told(*A_MIXTURE) == {"c0": ("close", (136, 158)), "c1": ("yes", (205, 100))}


def test_one_of_two_went_too_far():
    seen = rulings(coins((100, 100), (100, 110)), coins((180, 100), (230, 100)))
    assert [one.verdict for one in seen] == ["close", "close"]
    assert seen[0].why == "c0 moved; it looks like c1, and no picture tells which of them broke the rules"


def test_who_went_too_far_whatever_the_other_did_is_told():
    seen = told(coins((100, 100), (150, 100)), coins((210, 100), (215, 110)))
    assert {name: verdict for name, (verdict, _) in seen.items()} == {"c0": "no", "c1": "yes"}


def test_who_looks_otherwise_is_not_taken_for_another():
    before = a_scene(a_coin("c0", 100, 100), a_coin("c1", 130, 150, owner="blue"))
    after = a_scene(a_coin("c0", 136, 158, owner="blue"), a_coin("c1", 205, 100))
    assert told(before, after) == {"c0": ("no", (205, 100)), "c1": ("yes", (136, 158))}


def test_the_reason_names_who_looks_the_same():
    (one,) = [each for each in rulings(*A_MIXTURE) if each.verdict == "close"]
    assert one.why == "c0 moved; it looks like c1, and no picture tells which of them went where"
    assert (one.margin_mm, one.sigma_mm, one.marks[0].role) == (0.0, 1.0, "move-close")


def watched(before, after):
    """The verdicts of a match on what a hand did between two looks, by the camera's own ids, and why."""
    toy = Game("toy", "Toy", (), lambda *_: (), lambda was, now, setup, state: judge(was, now))
    told = observe(start(SETUP, before, game=toy), after, 1.0).events[1:]
    return {one.fields["piece"]: (one.fields["verdict"], one.fields["why"]) for one in told}


def test_in_a_match_too_who_may_have_gone_where_the_other_did_broke_no_rule_for_certain():
    """Two that looked alike and advanced in one go, followed as the shorter ways had it: one was told as illegal."""
    told = watched(coins((100, 134), (170, 116)), coins((240, 134), (176, 116)))
    assert told["c0"] == ("close", "c0 moved; it looks like c1, and no picture tells which of them went where")
    assert told["c1"] == ("yes", "c1 moved")


def test_in_a_match_who_went_too_far_alone_or_beside_another_army_is_told():
    """Nobody else can have gone there."""
    assert watched(coins((100, 134), (170, 116)), coins((240, 134), (170, 116)))["c0"] == ("no", "c0 moved")
    blue = a_coin("b0", 170, 116, owner="blue")
    before, after = coins((100, 134)), coins((240, 134))
    moved = replace(blue, position_mm=(176, 116))
    assert watched(a_scene(*before, blue), a_scene(*after, moved))["c0"] == ("no", "c0 moved")


def test_in_a_match_of_two_that_went_too_far_both_are_told():
    told = watched(coins((100, 100), (100, 150)), coins((340, 100), (340, 150)))
    assert [verdict for verdict, _ in told.values()] == ["no", "no"]
