from dataclasses import replace

import pytest
from shapely import LineString, Point, box
from shapely.geometry import mapping

from rules.game import Mark, Ruling
from rules.scene import Piece
from tests.ui.builders import a_coin, a_scene
from ui.paint.marks import (
    farther_marks,
    move_marks,
    odds_label,
    piece_marks,
    ruling_marks,
    selection_marks,
    status_marks,
    top_mm,
)

RED, BLUE = a_coin("c1", owner="red"), a_coin("c2", "gbp-10p", (160.0, 120.0), "blue")
SCENE = a_scene(RED, BLUE, a_coin("c3", "unknown", (200, 60)), a_coin("c4", at=(240, 60), owner="unknown"))
ODDS = {"win": "5/12", "tie": "1/6", "lose": "5/12"}


def a_ruling(kind, piece="c1", verdict="yes", **more):
    return Ruling(kind, piece, verdict, "OMMS-0", "because", **more)


def test_each_piece_is_ringed_at_its_rim():
    marks = piece_marks(SCENE)
    assert [(mark.role, mark.label) for mark in marks] == [
        ("owner-red", ""),
        ("owner-blue", ""),
        ("doubt", "?"),
        ("doubt", "whose?"),
    ]
    # A 5p has 18 mm and is 1.7 mm thick.
    assert marks[0].shape.bounds == pytest.approx((91, 111, 109, 129), abs=0.01)
    assert marks[0].height_mm == pytest.approx(1.7)


def test_a_ring_is_pointed_where_its_man_faces():
    man = Piece("s1", "soldier", "foot", (100.0, 50.0), Point(100, 50).buffer(6.0), "red", facing_deg=90.0)
    north, unseen = (piece_marks(a_scene(who))[0].shape for who in (man, replace(man, facing_deg=None)))
    # Six mm of footprint and five of point, due north and nowhere else.
    assert north.bounds == pytest.approx((94, 44, 106, 61), abs=0.05)
    assert unseen.bounds == pytest.approx((94, 44, 106, 56), abs=0.05)


def test_a_ring_leaves_its_match_in_sight():
    stick = Piece("m1", "match", "match", (100.0, 50.0), box(78.5, 49, 121.5, 51), "none")
    (mark,) = piece_marks(a_scene(stick))
    assert (mark.role, mark.label) == ("owner-none", "") and mark.shape.buffer(-1.5).covers(stick.footprint)


def test_a_coin_on_a_coin_is_seen_higher():
    assert top_mm(a_coin(elevation_mm=1.85)) == pytest.approx(1.85 + 1.7)


def test_what_blocks_a_road_is_named_by_its_class_too():
    """It was a bare id: "c2"."""
    cut = a_ruling("blocked", other="c2", marks=(Mark("blocked", Point(150, 120), "c2"),))
    assert [mark.label for mark in ruling_marks(SCENE, cut)] == ["10p c2"]
    unknown = a_ruling("blocked", other="c3", marks=(Mark("blocked", Point(200, 60), "c3"),))
    assert [mark.label for mark in ruling_marks(SCENE, unknown)] == ["c3"]


def test_a_target_is_ringed_with_its_odds_and_one_out_of_reach_is_not():
    target = a_ruling("target", other="c2", extra={"odds": ODDS})
    [mark] = ruling_marks(SCENE, target)
    assert (mark.role, mark.label) == ("target", "wins 42 %")
    assert mark.shape.contains(BLUE.point.buffer(BLUE.radius_mm))
    assert ruling_marks(SCENE, a_ruling("target", verdict="no", other="c2")) == ()
    [close] = ruling_marks(SCENE, a_ruling("target", verdict="close", other="c2"))
    assert close.role == "close"


def test_a_siege_shows_what_cuts_it():
    siege = a_ruling("siege", extra={"cut": [{"by": "c2", "at": [130, 120]}]})
    marks = ruling_marks(SCENE, siege)
    assert [(mark.role, mark.label) for mark in marks] == [("siege", "besieged"), ("blocked", "")]
    assert marks[1].shape == Point(130, 120)
    assert status_marks(SCENE, [siege, a_ruling("reach", geometry=LineString([(0, 0), (1, 1)]))]) == marks


def test_a_region_carries_a_band_of_three_sigma():
    band, reach = ruling_marks(SCENE, a_ruling("reach", geometry=Point(0, 0).buffer(50, 64), sigma_mm=0.5))
    assert (band.role, reach.role) == ("band", "reach")
    assert band.shape.bounds[2] == pytest.approx(51.5, abs=0.01)
    assert not band.shape.contains(Point(48, 0)) and band.shape.contains(Point(49, 0))


def test_roads_end_at_points_and_have_no_band():
    [reach] = ruling_marks(SCENE, a_ruling("reach", geometry=LineString([(0, 0), (9, 9)]), sigma_mm=0.5))
    assert reach.role == "reach"


def test_what_the_game_draws_itself_is_drawn_so():
    own = (Mark("template", Point(0, 0).buffer(9)),)
    assert ruling_marks(SCENE, a_ruling("template", marks=own)) == own


def test_a_game_that_marks_a_piece_by_its_disc_is_drawn_outside_the_owners_ring():
    disc = Mark("target", BLUE.point.buffer(BLUE.radius_mm), "take")
    [mark] = ruling_marks(SCENE, a_ruling("target", other="c2", marks=(disc,)))
    assert (mark.role, mark.label, mark.height_mm) == ("target", "take", top_mm(BLUE))
    assert mark.shape.contains(disc.shape) and not mark.shape.equals(disc.shape)


def test_a_line_to_a_man_on_a_book_ends_where_he_stands():
    line = LineString([RED.position_mm, BLUE.position_mm])
    shot = a_ruling("target", other="c2", marks=(Mark("target", line, "4+"),))
    raised = replace(BLUE, elevation_mm=30.0)
    risen = replace(SCENE, pieces=tuple(raised if piece == BLUE else piece for piece in SCENE.pieces))
    [mark] = ruling_marks(risen, shot)
    assert [at[2] for at in mark.shape.coords] == [0.0, 30.0] and mark.label == "4+"
    assert ruling_marks(SCENE, shot) == shot.marks


def test_the_band_is_drawn_with_the_games_own_reach_too():
    ground = Point(0, 0).buffer(50, 64)
    reach = a_ruling("reach", geometry=ground, sigma_mm=0.5, marks=(Mark("reach", ground),))
    assert [mark.role for mark in ruling_marks(SCENE, reach)] == ["band", "reach"]


def test_the_selection_shows_only_its_own_rulings():
    rulings = [
        a_ruling("reach", geometry=LineString([(0, 0), (9, 9)])),
        a_ruling("reach", "c2", geometry=LineString([(50, 50), (60, 60)])),
    ]
    assert [mark.role for mark in selection_marks(SCENE, "c1", rulings)] == ["reach", "selected"]
    assert selection_marks(SCENE, "gone", rulings) == ()


def test_a_reach_by_action_points_is_drawn_widest_first_and_no_farther_than_asked():
    near, far, farthest = (Point(0, 0).buffer(size) for size in (10, 20, 30))
    extra = {"ap": 3, "ap2": mapping(far), "ap3": mapping(farthest)}
    reach = a_ruling("reach", geometry=near, extra=extra)
    assert [mark.shape.area for mark in farther_marks(reach)] == [farthest.area, far.area]
    assert [mark.shape.area for mark in farther_marks(reach, 2)] == [far.area]
    assert farther_marks(reach, 1) == () == farther_marks(a_ruling("reach", geometry=near))
    assert farther_marks(replace(reach, extra={"ap": 2, "ap2": None})) == ()
    assert [mark.role for mark in selection_marks(SCENE, "c1", [reach])] == [*["reach"] * 3, "selected"]


def test_an_arrow_for_a_move_by_its_verdict():
    [mark] = move_marks((0, 0), (100, 0), "no")
    assert mark.role == "move-no" and mark.shape.bounds[:3] == pytest.approx((0, -3.04, 100), abs=0.02)
    assert move_marks(None, (1, 1), "yes") == () == move_marks((1, 1), (1.2, 1), "yes")


@pytest.mark.parametrize(("extra", "label"), [({"odds": ODDS}, "wins 42 %"), ({"needs": 4}, "needs 4+"), ({}, "")])
def test_labels_of_odds(extra, label):
    assert odds_label(a_ruling("target", extra=extra)) == label


def test_a_wavering_unit_in_melee_shows_both():
    """The ring of the melee lay over the other, and who wavers was not to be seen."""
    fight = a_ruling("engaged", other="c2", marks=(Mark("engaged", RED.footprint), Mark("engaged", BLUE.footprint)))
    wavers = a_ruling("cohesion", verdict="no", marks=(Mark("wavering", RED.footprint, "wavering"),))
    marks = [mark for mark in status_marks(SCENE, [wavers, fight]) if mark.shape.centroid.distance(RED.point) < 1]
    far_mm = {mark.role: mark.shape.exterior.distance(RED.point) for mark in marks}
    assert far_mm["wavering"] - far_mm["engaged"] > 2.0
