"""Drawn matches of OmniWar: units in hexes of the mat, and the truth of what hands did on it."""

import math

import numpy as np
import pytest

from rules.geometry.hexes import HexGrid
from sample_footage.clip_truth import intervals_between
from sample_footage.drawn_match import match_truth
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.omniwar_match import omniwar_match
from ui.setup.setup_file import read_setup

MATCHES = [omniwar_match(number, seed=3, deeds=10) for number in range(8)]


@pytest.fixture(params=MATCHES, ids=lambda made: made.name)
def made(request):
    return request.param


def test_units_lie_in_hexes_of_the_mat_at_first(made):
    x0, y0, x1, y1 = made.ground.mat.region_mm
    for coin in made.pieces:
        x, y = made.ground.mat.grid.centre(made.ground.mat.grid.cell_at(coin.position_mm))
        assert x0 < x < x1 and y0 < y < y1


def test_no_two_coins_overlap_but_in_a_stack(made):
    for cut in intervals_between(made.pieces, made.play.changes, made.duration_s):
        coins = [piece for piece in cut.coins if piece.kind == "coin" and piece.on is None]
        for index, one in enumerate(coins):
            gaps = [math.dist(one.position_mm, o.position_mm) - one.radius_mm - o.radius_mm for o in coins[:index]]
            assert min(gaps, default=1.0) > 0.5


def test_the_truth_tells_the_hexes_as_the_rules_count_them(made):
    mat = match_truth(made)["mat"]
    grid = HexGrid(mat["pitch_mm"], tuple(mat["origin_mm"]), mat["direction_deg"])
    assert grid == made.ground.mat.grid
    assert mat["region_mm"] == list(made.ground.mat.region_mm)


def test_the_set_up_is_read_and_says_what_every_coin_is(made, tmp_path):
    path = tmp_path / "setup.toml"
    path.write_text(made.setup, encoding="utf-8")
    rules = read_setup(path).rules
    assert rules.game == "omniwar"
    assert {coin.cls for coin in made.pieces} <= set(rules.legend)


def test_matches_show_moves_and_units_that_come_and_go_on_mats_whole_and_part():
    events = [event["event"] for made in MATCHES for event in match_truth(made)["events"]]
    assert {"move", "place", "remove"} <= set(events)
    assert {made.ground.mat.style for made in MATCHES} == {"lines", "pale lines", "broad lines", "dashes", "fields",
                                                           "corners", "centres", "hexmat"}  # fmt: skip
    assert len({made.ground.mat.part_mm is None for made in MATCHES}) == 2


def test_the_mat_lies_on_the_table_where_it_says():
    made = next(made for made in MATCHES if made.ground.mat.part_mm is not None)
    bare = View(made.camera, Ground(made.ground.surface, False, made.ground.seed), Light())
    laid = View(made.camera, made.ground, Light())
    x0, y0, x1, y1 = made.ground.mat.region_mm
    places = np.array([(x0 + 8, y0 + 8), (x1 - 8, y1 - 8), (x0 - 8, y0 - 8), (x1 + 8, y1 + 8)])
    near = np.random.default_rng(1).normal(0, 2, (200, 2))
    for at, is_on in zip(places, (True, True, False, False), strict=True):
        differs = laid._colour_at(at + near).astype(int) - bare._colour_at(at + near)
        assert (np.abs(differs).max() > 10) == is_on
