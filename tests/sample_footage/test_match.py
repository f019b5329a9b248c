"""The match script: smooth hands, truth that agrees with the frames, moves borne out by roads sampled on the map."""

import itertools
import json
from collections import deque
from pathlib import Path

import av
import numpy as np
import pytest
from scipy.spatial import cKDTree
from shapely.geometry import shape

from sample_footage.clip_truth import intervals
from sample_footage.kingsmere import MAP_FILE
from sample_footage.match_clip import at_rest, match_events, results
from sample_footage.match_script import ACTS, DURATION_S, JESSAMY_MM, PIECES, gestures

HOME = MAP_FILE.parent
LENGTH_MM, BREADTH_MM, STEP_MM = 88.9, 63.5, 0.5


class Net:
    """Usable roads as points half a millimetre apart, joined along each road and where roads share a vertex."""

    def __init__(self, classes=("motorway", "primary", "a", "b")):
        points, links, named = [], [], {}
        for feature in json.loads(MAP_FILE.read_text(encoding="utf-8"))["features"]:
            if feature["properties"]["kind"] == "road" and feature["properties"]["class"] in classes:
                before = None
                for here in self.samples(shape(feature["geometry"])):
                    index = named.setdefault(here, len(points)) if here in named or here[2] else len(points)
                    if index == len(points):
                        points.append(here[:2])
                    if before is not None:
                        links.append((before, index))
                    before = index
        self.points = np.array(points)
        self.ways = [[] for _ in points]
        for a, b in links:
            self.ways[a].append(b)
            self.ways[b].append(a)
        self.tree = cKDTree(self.points)

    @staticmethod
    def samples(line):
        corners = list(line.coords)
        for (x0, y0), (x1, y1) in itertools.pairwise(corners):
            yield (x0, y0, True)
            count = int(np.hypot(x1 - x0, y1 - y0) / STEP_MM)
            for k in range(1, count):
                yield (x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count, False)
        yield (*corners[-1], True)

    def flood(self, start_mm, centre_mm, radius_mm, discs):
        """Points joined to the one nearest to start, inside the circle and outside all discs."""
        inside = np.hypot(*(self.points - centre_mm).T) <= radius_mm
        for at, reach in discs:
            inside &= np.hypot(*(self.points - at).T) > reach
        queue = deque([int(self.tree.query(start_mm)[1])])
        seen = set(queue)
        while queue:
            for there in self.ways[queue.popleft()]:
                if inside[there] and there not in seen:
                    seen.add(there)
                    queue.append(there)
        return self.points[sorted(seen)]


@pytest.fixture(scope="module")
def net():
    return Net()


@pytest.fixture(scope="module")
def reaches():
    return gestures()


@pytest.fixture(scope="module")
def cuts(reaches):
    return intervals(PIECES, reaches, results(reaches), DURATION_S)


def lying_before(cuts, reach):
    return at_rest(cuts, reach.taken_s - 0.01)


def discs_of(coins, colour):
    return [(coin.position_mm, coin.radius_mm) for coin in coins if coin.owner == colour]


@pytest.mark.parametrize("index", [1, 5, 6, 7])
def test_legal_road_moves_are_joined_within_the_circle(net, reaches, cuts, index):
    reach, act = reaches[index], ACTS[index]
    enemies = discs_of(lying_before(cuts, reach), "blue" if act.player.colour == "red" else "red")
    reached = net.flood(reach.coin.position_mm, reach.coin.position_mm, LENGTH_MM, enemies)
    assert np.hypot(*(reached - act.to_mm).T).min() < (10.15 if act.on else 0.6)
    assert act.verdict == "yes"


def test_motorway_move_needs_both_halves(reaches, cuts):
    motorway, reach, act = Net(("motorway",)), reaches[0], ACTS[0]
    enemies = discs_of(lying_before(cuts, reach), "blue")
    first = motorway.flood(reach.coin.position_mm, reach.coin.position_mm, LENGTH_MM, enemies)
    assert np.hypot(*(first - act.to_mm).T).min() > 50
    stop = min(first, key=lambda p: np.hypot(*(p - np.asarray(act.to_mm))))
    second = motorway.flood(stop, stop, LENGTH_MM, enemies)
    assert np.hypot(*(second - act.to_mm).T).min() < 0.6


def test_illegal_guard_is_nowhere_near_a_road(net, reaches):
    act = ACTS[4]
    assert act.verdict == "no"
    assert net.tree.query(act.to_mm)[0] > reaches[4].coin.radius_mm + 5


def test_scout_stays_within_a_breadth_and_clear_of_enemies(reaches, cuts):
    reach, act = reaches[3], ACTS[3]
    assert np.hypot(*np.subtract(act.to_mm, reach.coin.position_mm)) < BREADTH_MM - 5
    for at, radius in discs_of(lying_before(cuts, reach), "red"):
        assert np.hypot(*np.subtract(at, act.to_mm)) > radius + reach.coin.radius_mm


def test_attacker_is_in_range_by_road(net, cuts, reaches):
    coins = {coin.id: coin for coin in lying_before(cuts, reaches[2])}
    attacker, target = coins["red-invader"], coins["blue-scout-b8108"]
    assert np.hypot(*np.subtract(attacker.position_mm, target.position_mm)) < BREADTH_MM
    others = [d for d in discs_of(coins.values(), "blue") if d[0] != target.position_mm]
    reached = net.flood(attacker.position_mm, attacker.position_mm, LENGTH_MM, others)
    assert np.hypot(*(reached - target.position_mm).T).min() < 0.6


def is_besieged(net, coins):
    foes = [
        (c.position_mm, c.radius_mm)
        for c in coins
        if c.owner == "red" and np.hypot(*np.subtract(c.position_mm, JESSAMY_MM)) <= BREADTH_MM
    ]
    reached = net.flood(JESSAMY_MM, JESSAMY_MM, BREADTH_MM, foes)
    return np.hypot(*(reached - JESSAMY_MM).T).max() < BREADTH_MM - 1


def test_siege_closes_with_the_last_move_and_not_before(net, cuts, reaches):
    verdicts = [is_besieged(net, cut.coins) for cut in cuts]
    assert verdicts == [False] * (len(cuts) - 1) + [True]


def test_hands_move_without_jumps(reaches):
    for reach in reaches:
        times = np.arange(reach.start_s, reach.end_s, 0.02)
        tips = np.array([reach.pose(float(t)).at_mm for t in times])
        assert np.linalg.norm(np.diff(tips, axis=0), axis=1).max() < 40


def test_coin_is_put_where_the_script_says(reaches):
    for reach, act in zip(reaches, ACTS, strict=True):
        if act.to_mm:
            coin = reach.held_coin(reach.put_s)
            assert coin.position_mm == pytest.approx(act.to_mm) and coin.low_mm == pytest.approx(reach.rest_low_mm)
        assert reach.held_coin(reach.taken_s).position_mm == pytest.approx(reach.coin.position_mm)


def test_two_quiet_seconds_between_hands(reaches):
    for before, after in itertools.pairwise(reaches):
        assert after.start_s - before.end_s >= 2.0
    assert reaches[0].start_s >= 2 and DURATION_S - reaches[-1].end_s >= 4


def test_intervals_cover_the_clip_without_gaps(cuts):
    assert cuts[0].from_s == 0 and cuts[-1].to_s == DURATION_S
    assert all(a.to_s == b.from_s for a, b in itertools.pairwise(cuts))
    assert [len(cut.coins) for cut in cuts[:5]] == [16, 15, 16, 15, 16]


def test_shipped_truth_is_the_scripts(reaches, cuts):
    truth = json.loads((HOME / "truth.json").read_text(encoding="utf-8"))
    assert truth["events"] == json.loads(json.dumps(match_events(reaches)))
    assert truth["intervals"] == json.loads(json.dumps([cut.record for cut in cuts]))


def test_shipped_clip_has_real_times_and_is_small():
    clip: Path = HOME / "match.mp4"
    assert clip.stat().st_size < 6_000_000
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        times = sorted(
            float(packet.pts * stream.time_base) for packet in container.demux(stream) if packet.pts is not None
        )
    assert (stream.width, stream.height) == (1920, 1080)
    assert 60 <= times[-1] <= 120 and len(times) == round(DURATION_S * 25)
    assert np.abs(np.array(times) - np.arange(len(times)) / 25).max() < 1e-3


def test_arms_point_at_the_coin_from_the_first_moment(reaches):
    for reach in reaches:
        first, next_ = (np.radians(reach.pose(reach.start_s + dt).reach_deg) for dt in (0.0, 0.1))
        assert np.cos(first - next_) > 0.999
