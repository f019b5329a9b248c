"""Drawn matches: the truth tells what the hands did, and no coin lies in another."""

import itertools
import math

import pytest

from sample_footage.clip_truth import intervals_between
from sample_footage.drawn_match import match_truth
from sample_footage.match_set import GAMES, MatchSet

ORDINARY, ON_CARDS = MatchSet(seed=3), MatchSet("pocket", seed=3, deeds=12)
ROUGH = MatchSet("omms", seed=3, deeds=15, is_rough=True)
ROUGH_ON_CARDS = MatchSet("pocket", seed=6, deeds=13, is_rough=True)
ROUGH_ON_HEXES = MatchSet("omniwar", seed=3, deeds=15, is_rough=True)
MATCHES = [ORDINARY.match(number) for number in range(6)]
SETS = ((ORDINARY, 6), (ON_CARDS, 6), (ROUGH, 4), (ROUGH_ON_HEXES, 4))
ROUGH_ONES = [drawn.match(number) for drawn in (ROUGH, ROUGH_ON_CARDS, ROUGH_ON_HEXES) for number in range(4)]


@pytest.fixture(params=[drawn.match(n) for drawn, count in SETS for n in range(count)], ids=lambda made: made.name)
def made(request):
    return request.param


@pytest.mark.parametrize("drawn", [drawn for drawn, _ in SETS], ids=lambda drawn: f"{drawn.game}-{drawn.is_rough}")
def test_same_number_and_seed_are_the_same_match(drawn):
    assert match_truth(drawn.match(1)) == match_truth(drawn.match(1))


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


@pytest.mark.parametrize("made", ROUGH_ONES, ids=lambda made: f"{made.play.__class__.__name__}-{made.name}")
def test_rough_matches_have_what_is_seldom_done(made):
    truth = match_truth(made)
    assert {"move", "place", "remove", "dice"} <= {event["event"] for event in truth["events"]}
    assert {"die", "coin"} <= {event.get("kind", "coin") for event in truth["events"]}
    assert len(truth["kicks_s"]) == 1 and len(truth["camera"]) > 3 and made.light_shares[-1][1] < 1


@pytest.mark.parametrize("game", GAMES)
def test_a_shove_carries_the_tripod_elsewhere_and_now_and_then(game):
    made = MatchSet(game, seed=6, deeds=9, is_rough=True, is_shoved=True).match(0)
    eyes_mm = [camera.eye_mm for _, _, camera in made.stands]
    assert len(made.kicks) >= 3
    assert all(math.hypot(*kick.shift_mm) > 4 for kick in made.kicks) and math.dist(eyes_mm[0], eyes_mm[-1]) > 4


def test_what_a_sleeve_sweeps_or_a_hand_carries_as_a_pile_moves_at_once():
    rough = [ROUGH.match(number) for number in range(4)]
    times = [event["time_s"] for made in rough for event in match_truth(made)["events"] if event["event"] == "move"]
    assert len(times) > len(set(times))
