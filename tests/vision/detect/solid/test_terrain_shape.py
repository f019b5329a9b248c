"""Drums and blocks drawn as a camera sees them from above: where they stand and how high they are is known exactly."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point, Polygon, affinity

from tests.vision.sheets import overlap
from tests.vision.tables import an_empty_table
from vision.detect.solid.fit import Fit
from vision.detect.solid.forms import DRUM
from vision.detect.solid.parts import stands
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal, _as_fitted, _as_unsure_as, _taller_drum, is_cut, measured
from vision.detection import Detection


@pytest.fixture
def close():
    return an_empty_table()


def shown_px(close, outline, height_mm):
    """Where an outline at that height shows in the top view."""
    at = np.array(outline.exterior.coords)
    return close.view.to_px(close.plane.to_table(close.plane.to_image(at, height_mm)))


def draw(close, outline, height_mm, side=(150, 150, 160), lid=(210, 215, 220), foot=None):
    """Side faces (what foot and top span) and the top face."""
    below, above = shown_px(close, foot or outline, 0.0), shown_px(close, outline, height_mm)
    hull = cv2.convexHull(np.concatenate([below, above]).astype(np.float32)).reshape(-1, 2)
    cv2.fillPoly(close.seen, [np.rint(hull).astype(np.int32)], side, cv2.LINE_AA)
    cv2.fillPoly(close.seen, [np.rint(above).astype(np.int32)], lid, cv2.LINE_AA)


def proposed(cls, outline, height_mm):
    """As the net might."""
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm)


def test_a_mug_is_measured_by_its_rim_and_its_foot(close):
    mug = Point(180, 140).buffer(41)
    draw(close, mug, 88.0, foot=Point(180, 140).buffer(33))
    thing = measured(Proposal(proposed("mug", Point(190, 150).buffer(36), 70.0)), close)
    assert thing.position_mm == pytest.approx((180, 140), abs=2)
    assert thing.height_mm == pytest.approx(88, abs=5)
    assert overlap(thing.footprint, mug) > 0.9
    assert thing.sigma_mm < 12


def test_a_mug_is_as_wide_as_its_lip_though_that_looks_like_its_side(close):
    at, glaze = Point(180, 140), (150, 150, 160)
    draw(close, at.buffer(41), 88.0, side=glaze, lid=glaze, foot=at.buffer(33))
    inside = shown_px(close, at.buffer(37), 88.0)
    cv2.fillPoly(close.seen, [np.rint(inside).astype(np.int32)], (40, 40, 45), cv2.LINE_AA)
    thing = measured(Proposal(proposed("mug", Point(188, 147).buffer(36), 70.0)), close)
    assert thing.position_mm == pytest.approx((180, 140), abs=1.5)
    assert thing.height_mm == pytest.approx(88, abs=4)
    assert np.sqrt(thing.footprint.area / np.pi) == pytest.approx(41, abs=0.8)


@pytest.mark.parametrize(
    ("tall", "low", "kept"),
    [
        ((0.94, 74), (0.96, 47), 1),  # a painted band for a foot
        ((0.90, 74), (0.96, 47), 2),  # nothing is seen where the other's foot would be
        ((0.94, 50), (0.96, 47), 2),  # the same foot
    ],
)
def test_of_two_feet_that_edges_bear_out_about_as_well_the_outer_one_is_it(tall, low, kept):
    disc = Point(180, 140).buffer(40)
    high, flat = (
        Fit(DRUM, np.array([180, 140, 40, 0.7, 0, height]), disc, height, support, 1.0, 1.0)
        for support, height in (tall, low)
    )
    for fits in ((high, flat), (flat, high)):
        assert len(_taller_drum(*fits)) == kept and high in _taller_drum(*fits)
    assert _taller_drum(None, flat) == (None, flat)


@pytest.mark.parametrize(
    ("rival", "doubt_mm"),
    [
        (0.68, 15.5),  # as likely as not, were it not lower
        (0.50, 1.0),
        (None, 1.0),
    ],
)
def test_a_drum_is_as_unsure_as_the_other_foot_is_likely(rival, doubt_mm):
    """Two looks at one mug told it 31 mm apart, each with a sigma of 5.3 to 8."""
    tall, low = (
        None if support is None else Fit(DRUM, np.array([180, y, 40, 0.7, 0, h]), disc_at(y), h, support, 1.0, 1.0)
        for y, h, support in ((222, 112.0, 0.65), (253, 62.0, rival))
    )
    best = _as_unsure_as((tall, low), tall)
    assert best.doubt_mm == pytest.approx(doubt_mm, abs=0.1)
    assert best.footprint is tall.footprint
    if rival == 0.68:
        assert best.height_doubt_mm > 25
        # The taller one, being favoured, is as likely beside the lower one.
        assert _as_unsure_as((tall, low), low).doubt_mm == pytest.approx(best.doubt_mm, abs=0.1)


def disc_at(y):
    return Point(180, y).buffer(40)


@pytest.mark.parametrize(("chance", "name"), [(0.55, "mug"), (0.2, "unknown")])
def test_what_is_likely_a_mug_and_has_the_shape_of_one_is_a_mug(close, chance, name):
    draw(close, Point(180, 140).buffer(41), 88.0, foot=Point(180, 140).buffer(33))
    doubtful = replace(proposed("unknown", Point(188, 148).buffer(38), 80.0), class_log_probs={"mug": np.log(chance)})
    thing = measured(Proposal(doubtful), close)
    assert thing.cls == name
    assert thing.height_mm == pytest.approx(88, abs=6)
    assert not thing.class_log_probs


@pytest.mark.parametrize(("lid", "name"), [((210, 215, 220), "unknown"), ((150, 150, 160), "paper")])
def test_a_box_seen_end_on_is_no_sheet_for_its_lid_and_its_front_have_two_lights(close, lid, name):
    """Lid and front together show as a rectangle lies; with a crease between them and one light it is one."""
    box = Polygon([(170, 100), (230, 100), (230, 160), (170, 160)])
    draw(close, box, 45.0, lid=lid)
    crease = np.rint(shown_px(close, box, 45.0)[:2]).astype(int)
    cv2.line(close.seen, tuple(crease[0]), tuple(crease[1]), (110, 110, 120), 1, cv2.LINE_AA)
    px = cv2.convexHull(np.concatenate([shown_px(close, box, height) for height in (0.0, 45.0)]).astype(np.float32))
    shown = Polygon(close.view.to_table(px.reshape(-1, 2).astype(float)))
    thing = measured(Proposal(proposed("paper", shown, 0.0)), close)
    assert thing.cls == name
    if name == "unknown":
        assert thing.height_mm == pytest.approx(45, abs=4) and overlap(thing.footprint, box) > 0.9


def test_a_box_is_measured_by_its_lid_and_the_sides_that_show(close):
    box = affinity.rotate(Polygon([(140, 110), (240, 110), (240, 180), (140, 180)]), 20)
    draw(close, box, 45.0)
    guess = affinity.translate(affinity.rotate(affinity.scale(box, 1.08, 0.92), -4), 7, -6)
    thing = measured(Proposal(proposed("box", guess, 32.0)), close)
    assert overlap(thing.footprint, box) > 0.93
    assert thing.height_mm == pytest.approx(45, abs=3)


def test_a_napkin_stays_flat_and_gets_its_corners(close):
    napkin = affinity.rotate(Polygon([(120, 100), (280, 100), (280, 220), (120, 220)]), 33)
    draw(close, napkin, 0.0)
    thing = measured(Proposal(proposed("napkin", affinity.translate(napkin.buffer(8), 6, 5), 2.0)), close)
    assert overlap(thing.footprint, napkin) > 0.97
    assert thing.height_mm == 2.0


def test_what_no_edge_bears_out_stays_as_it_was_proposed(close):
    thing = proposed("box", Polygon([(140, 110), (240, 110), (240, 180), (140, 180)]), 40.0)
    assert measured(Proposal(thing), close) == thing


def test_the_same_picture_gives_the_same_shape(close):
    draw(close, Point(180, 140).buffer(41), 88.0)
    thing = proposed("mug", Point(186, 136).buffer(38), 80.0)
    first, again = measured(Proposal(thing), close), measured(Proposal(replace(thing)), close)
    assert first.position_mm == again.position_mm
    assert first.height_mm == again.height_mm


def test_what_stayed_is_as_it_was_measured_and_what_moved_is_measured_again(close):
    memory, box = TerrainMemory(), Polygon([(140, 110), (240, 110), (240, 180), (140, 180)])
    draw(close, box, 45.0)
    (first,) = memory.measured([Proposal(proposed("box", box, 40.0))], close)
    close.seen[:] = (60, 90, 130)
    (again,) = memory.measured([Proposal(proposed("box", affinity.translate(box, 0.4, 0.3), 40.0))], close)
    assert again.footprint.equals(first.footprint)
    beside = affinity.translate(box, 30, 0)
    draw(close, beside, 45.0)
    (moved,) = memory.measured([Proposal(proposed("box", beside, 40.0))], close)
    assert overlap(moved.footprint, beside) > 0.93


FAR_BOX = Polygon([(150, 190), (210, 190), (210, 310), (150, 310)])


def test_a_box_whose_top_shows_beyond_the_view_is_as_long_as_it_is(close):
    """It ended where the view does: a box of 133 mm was told as one of 74, and a mug by a band on it."""
    wide = an_empty_table(margin_mm=137.0)
    for sight in (close, wide):
        draw(sight, FAR_BOX, 60.0)
    known = Proposal(proposed("box", affinity.scale(FAR_BOX, 1.05, 0.8), 45.0))
    (thing,) = TerrainMemory().measured([known], close, lambda: wide)
    assert overlap(thing.footprint, FAR_BOX) > 0.95
    assert thing.height_mm == pytest.approx(60, abs=3)


@pytest.mark.parametrize(
    ("cls", "outline", "cut"),
    [("box", FAR_BOX, True), ("napkin", FAR_BOX, False), ("box", affinity.translate(FAR_BOX, 0, -160), False)],
)
def test_beyond_the_view_is_looked_where_something_may_show_there(close, cls, outline, cut):
    assert is_cut(Proposal(proposed(cls, outline, 0.0 if cls == "napkin" else 40.0)), close) == cut


@pytest.mark.parametrize("height_mm", [12.0, 40.0, 95.0])
def test_a_block_is_found_by_its_lines_however_wrong_its_height_is_proposed(close, height_mm):
    book = affinity.rotate(Polygon([(140, 90), (250, 90), (250, 170), (140, 170)]), 25)
    draw(close, book, height_mm)
    # The net takes a part of the top, as it shows, for the foot, and all books for as high.
    guess = affinity.translate(affinity.scale(book, 0.95, 0.95), 0, 12)
    thing = measured(Proposal(proposed("book", guess, 27.0)), close)
    assert thing.height_mm == pytest.approx(height_mm, abs=2.5)
    assert overlap(thing.footprint, book) > 0.93
    assert thing.height_sigma_mm < 10


def test_a_box_is_no_sheet_however_much_its_lid_alone_stands_out(close):
    box = affinity.rotate(Polygon([(140, 90), (230, 90), (230, 170), (140, 170)]), 25)
    draw(close, box, 40.0, side=(72, 102, 142))
    thing = measured(Proposal(proposed("box", affinity.translate(box.buffer(6), 0, 5), 40.0)), close)
    assert thing.height_mm == pytest.approx(40, abs=3)
    assert overlap(thing.footprint, box) > 0.9


def test_a_block_that_holds_all_that_the_net_sees_is_sure_whatever_its_name(close):
    box = affinity.rotate(Polygon([(140, 90), (230, 90), (230, 170), (140, 170)]), 25)
    draw(close, box, 40.0)
    thing = measured(Proposal(proposed("unknown", box.buffer(4), 30.0)), close)
    assert thing.cls == "unknown"
    assert 4 < thing.sigma_mm < 7


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ({"box": 0.6, "napkin": 0.15, "unknown": 0.1}, "box"),
        ({"box": 0.5, "book": 0.3}, "unknown"),
        ({"box": 0.07, "unknown": 0.8}, "unknown"),
    ],
)
def test_what_is_likely_a_box_and_was_measured_as_a_block_is_a_box(close, told, name):
    """Mugs and sheets have no such shape. Of 30 boxes drawn on mats of hexes 20 were measured, and 6 had a name."""
    box = Polygon([(150, 110), (290, 130), (275, 235), (135, 215)])
    draw(close, box, 42.0)
    logs = {each: np.log(chance) for each, chance in told.items()}
    seen = replace(proposed("unknown", box.buffer(4), 30.0), class_log_probs=logs)
    assert measured(Proposal(seen), close).cls == name


def test_a_name_by_its_shape_is_as_likely_as_net_and_shape_say(close):
    """It bore the chance that it is anything at all, and passed the bar for names by that."""
    box = Polygon([(150, 110), (290, 130), (275, 235), (135, 215)])
    draw(close, box, 42.0)
    told = {"box": np.log(0.6), "napkin": np.log(0.15), "unknown": np.log(0.1)}
    seen = Proposal(replace(proposed("unknown", box.buffer(4), 30.0), class_log_probs=told))
    memory = TerrainMemory()
    for _ in range(2):
        (thing,) = memory.measured([seen], close)
        assert (thing.cls, thing.confidence) == ("box", pytest.approx(0.6 / (0.6 + 0.15 / 8 + 0.1), abs=1e-3))


@pytest.mark.parametrize(("cls", "is_sure"), [("mug", True), ("unknown", False)])
def test_a_round_paper_is_nothing_that_stands(close, cls, is_sure):
    """Its rim lies on edges at any height: on mats a lake that was cut round was 16 mm high, and no lake."""
    disc = Point(200, 156).buffer(32)
    seen = replace(proposed(cls, disc, 16.0), height_sigma_mm=20.0)
    fit = Fit(DRUM, np.array([200, 156, 32, 0.85, 0, 16.0]), disc, 16.0, 0.78, 0.5, 1.0)
    thing = _as_fitted(seen, fit, close.plane, by_rim=True)
    assert (thing.height_sigma_mm < 3, stands(thing)) == (is_sure, is_sure)


def test_a_height_that_no_edge_bears_out_stays_unsure(close):
    thing = replace(
        proposed("box", Polygon([(140, 110), (240, 110), (240, 180), (140, 180)]), 40.0), height_sigma_mm=20.0
    )
    assert measured(Proposal(thing), close).height_sigma_mm == 20.0


@pytest.mark.parametrize(("height_mm", "said_mm", "paler"), [(36.0, 30.0, 8), (8.0, 40.0, 20)])
def test_the_lines_of_a_top_alone_are_no_flat_book_where_the_net_says_that_it_is_higher(
    close, height_mm, said_mm, paler
):
    """Sides that hardly differ from the table, with the grain of a picture: as flat, 29 mm off. One that is flat while
    the net says five times as much stays so where its side shows."""
    grain = np.random.default_rng(1).normal(0, 3, close.seen.shape)
    close.seen[:] = np.clip(close.seen + grain, 0, 255).astype(np.uint8)
    book = affinity.rotate(Polygon([(120, 110), (260, 110), (260, 210), (120, 210)]), 12)
    draw(close, book, height_mm, side=(60 + paler, 90 + paler, 130 + paler))
    thing = measured(Proposal(proposed("book", affinity.translate(book, 4, 5), said_mm)), close)
    assert thing.height_mm == pytest.approx(height_mm, abs=2)
    assert np.hypot(*np.subtract(thing.position_mm, book.centroid.coords[0])) < 2


def draw_book(close, book, height_mm, board_mm, board, pages=(215, 225, 230)):
    """Pages between two boards."""
    draw(close, book, height_mm, side=board, lid=board)
    below, above = (shown_px(close, book, at_mm) for at_mm in (board_mm, height_mm - board_mm / 3))
    hull = cv2.convexHull(np.concatenate([below, above]).astype(np.float32)).reshape(-1, 2)
    cv2.fillPoly(close.seen, [np.rint(hull).astype(np.int32)], pages, cv2.LINE_AA)
    lid = np.rint(shown_px(close, book, height_mm)).astype(np.int32)
    cv2.fillPoly(close.seen, [lid], board, cv2.LINE_AA)


@pytest.mark.parametrize("turn_deg", [0, 30])
def test_a_book_stands_on_its_lower_board_not_on_the_line_below_its_pages(close, turn_deg):
    book = affinity.rotate(Polygon([(130, 110), (260, 110), (260, 200), (130, 200)]), turn_deg)
    draw_book(close, book, 24.0, 8.0, (90, 60, 110))
    thing = measured(Proposal(proposed("book", affinity.translate(book, 3, 5), 22.0)), close)
    assert thing.height_mm == pytest.approx(24, abs=3.5)
    assert np.hypot(*np.subtract(thing.position_mm, book.centroid.coords[0])) < 2


def test_a_shadow_before_a_box_is_none_of_it(close):
    """As broad everywhere, and its edge as sharp as the box's own: a window's light from behind."""
    box = Polygon([(130, 110), (260, 110), (260, 200), (130, 200)])
    shaded = affinity.translate(box, 0, -9)
    cv2.fillPoly(close.seen, [np.rint(shown_px(close, shaded, 0.0)).astype(np.int32)], (33, 50, 72), cv2.LINE_AA)
    draw(close, box, 20.0)
    thing = measured(Proposal(proposed("box", affinity.translate(box, 3, 5), 22.0)), close)
    assert thing.height_mm == pytest.approx(20, abs=2.5)


def test_a_book_whose_pages_have_the_tables_tint_is_not_its_upper_board(close):
    """Cream pages on sand or pine, in their own shade, show as a shadow does: 4.8 mm high in place of 20."""
    book = Polygon([(130, 110), (260, 110), (260, 200), (130, 200)])
    draw(close, book, 20.0, side=(45, 68, 98), lid=(120, 60, 50))
    board = np.concatenate([shown_px(close, book, height_mm) for height_mm in (15.0, 20.0)])
    hull = cv2.convexHull(board.astype(np.float32)).reshape(-1, 2)
    cv2.fillPoly(close.seen, [np.rint(hull).astype(np.int32)], (80, 40, 30), cv2.LINE_AA)
    cv2.fillPoly(close.seen, [np.rint(shown_px(close, book, 20.0)).astype(np.int32)], (120, 60, 50), cv2.LINE_AA)
    thing = measured(Proposal(proposed("book", affinity.translate(book, 3, 5), 25.0)), close)
    assert thing.height_mm == pytest.approx(20, abs=2.5)
    assert overlap(thing.footprint, book) > 0.95


def test_a_thing_without_a_name_is_as_high_as_its_lines_tell_however_low_the_net_says_it_is(close):
    """The net saw the top alone, once more its front half, and both as 8 mm high: a book, once."""
    book = affinity.rotate(Polygon([(130, 110), (260, 110), (260, 200), (130, 200)]), 10)
    draw(close, book, 24.0)
    top = affinity.translate(book, 0, 9)
    half = affinity.rotate(Polygon([(130, 110), (260, 110), (260, 185), (130, 185)]), 10, origin=(195, 155))
    (thing,) = TerrainMemory().measured([Proposal(proposed("unknown", each, 8.0)) for each in (top, half)], close)
    assert thing.cls == "unknown" and thing.height_mm == pytest.approx(24, abs=3)
    assert overlap(thing.footprint, book) > 0.93
