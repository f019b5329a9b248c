"""Drawn matches: the truth tells what the hands did, and no coin lies in another."""

import itertools
import math

import pytest

from sample_footage.clip_truth import intervals_between
from sample_footage.drawn_match import drawn_match, match_truth
from sample_footage.pocket_match import pocket_match, rough_match
from sample_footage.rough_coins import rough_coin_match

MATCHES = [drawn_match(number, seed=3) for number in range(6)]
ON_CARDS = [pocket_match(number, seed=3, deeds=12) for number in range(6)]
ROUGH = [rough_coin_match(number, seed=3, deeds=15) for number in range(4)]
ROUGH_ON_CARDS = [rough_match(number, seed=6, deeds=13) for number in range(4)]


@pytest.fixture(params=[*MATCHES, *ON_CARDS, *ROUGH], ids=lambda made: made.name)
def made(request):
    return request.param


def test_same_number_and_seed_are_the_same_match(made):
    number = int(made.name.split("-")[1])
    kinds = {"rough": lambda: rough_coin_match(number, seed=3, deeds=15)}
    kinds["pocket"] = lambda: pocket_match(number, seed=3, deeds=12)
    again = kinds.get(made.name.split("-")[2], lambda: drawn_match(number, seed=3))()
    assert match_truth(again) == match_truth(made)


def test_every_event_is_borne_out_by_what_lies_afterwards(made):
    truth = match_truth(made)
    for event in truth["events"]:
        after = next(cut for cut in truth["intervals"] if cut["from_s"] == event["time_s"])["pieces"]
        lies = after.get(event["piece"])
        assert (lies["position_mm"] if lies else None) == (event["to_mm"] and [round(v, 3) for v in event["to_mm"]])
        assert lies is None or lies.get("class", event["class"]) == event["class"]


def test_no_coin_lies_in_another(made):
    for cut in intervals_between(made.pieces, made.play.changes, made.duration_s):
        coins = [piece for piece in cut.coins if piece.kind == "coin"]
        for one, other in itertools.combinations(coins, 2):
            apart_mm = math.dist(one.position_mm, other.position_mm) - one.radius_mm - other.radius_mm
            assert apart_mm > 0 or other.low_mm >= one.high_mm - 1e-6 or one.low_mm >= other.high_mm - 1e-6


def test_a_hand_that_brings_reaches_in_from_its_seat():
    reaches = [reach for made in MATCHES for reach in made.play.reaches if reach.brings]
    assert reaches
    for reach in reaches:
        x, y = (there - here for there, here in zip(reach.to_mm, reach.seat.shoulder_mm, strict=True))
        for k in range(30):
            turn = math.radians(reach.pose(reach.start_s + 0.05 * k).reach_deg) - math.atan2(y, x)
            assert math.cos(turn) == pytest.approx(1)


def test_a_quick_hand_is_there_and_gone_sooner():
    reach = MATCHES[0].play.reaches[0]
    assert all(made.duration_s > max(reach.end_s for reach in made.play.reaches) for made in MATCHES)
    assert reach.taken_s - reach.start_s == pytest.approx((1.15 + 0.32) / reach.pace)


@pytest.mark.parametrize("made", [*ROUGH, *ROUGH_ON_CARDS], ids=lambda made: made.name)
def test_rough_matches_have_what_is_seldom_done(made):
    truth = match_truth(made)
    events = truth["events"]
    assert {event["event"] for event in events} == {"move", "place", "remove", "turn", "dice"}
    assert {"card", "die", "coin"} <= {event.get("kind", "coin") for event in events}
    assert len(truth["kicks_s"]) == 1 and len(truth["camera"]) > 3 and made.light_shares[-1][1] < 1


def test_what_a_sleeve_sweeps_or_a_hand_carries_as_a_pile_moves_at_once():
    times = [event["time_s"] for made in ROUGH for event in match_truth(made)["events"] if event["event"] == "move"]
    assert len(times) > len(set(times))
