"""Pieces of one thing are made one: of a box by its colours, of pencils by their line; what lies beside stays."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, affinity, box

from tests.vision.sheets import lay
from tests.vision.tables import an_empty_table
from vision.detect.solid.gathered import gathered
from vision.detection import Detection


@pytest.fixture
def close():
    """A brown table with a green block on it and a grey one beside it."""
    table = an_empty_table(grain=4.0)
    lay(table, box(60, 80, 220, 180), (60, 150, 40))
    lay(table, box(240, 80, 320, 180), (150, 150, 150))
    return table


def piece(cls, outline, height_mm=30.0):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm)


def test_pieces_in_the_colours_of_one_thing_are_that_thing(close):
    pieces = [piece("book", box(65, 85, 130, 175), 20.0), piece("unknown", box(150, 85, 215, 170), 40.0)]
    beside = piece("unknown", box(242, 82, 318, 178))
    found = sorted(gathered([*pieces, beside], close), key=lambda thing: thing.position_mm)
    assert [thing.cls for thing in found] == ["book", "unknown"]
    assert found[0].footprint.bounds == pytest.approx((65, 85, 215, 175))
    assert 20 < found[0].height_mm < 40
    assert found[1] is beside


def test_what_the_net_says_of_pieces_it_says_of_the_whole(close):
    """By their areas: what was gathered lost its chances, and no shape could give it a name."""
    outlines, told = (
        (box(65, 85, 125, 175), box(135, 85, 215, 175)),
        ({"book": 0.9, "box": 0.1}, {"book": 0.2, "box": 0.8}),
    )
    pieces = [
        replace(piece("unknown", outline), class_log_probs={name: np.log(chance) for name, chance in one.items()})
        for outline, one in zip(outlines, told, strict=True)
    ]
    (found,) = gathered(pieces, close)
    assert {name: np.exp(chance) for name, chance in found.class_log_probs.items()} == pytest.approx(
        {"book": 0.5, "box": 0.5}
    )


def test_what_has_its_own_name_is_no_piece(close):
    things = [piece("book", box(65, 85, 130, 175)), piece("mug", box(150, 85, 215, 170))]
    assert gathered(things, close) == things[::-1]


def test_one_piece_alone_stays_as_it_is(close):
    alone = piece("unknown", box(65, 85, 130, 175))
    assert gathered([alone], close) == [alone]
    assert gathered([], close) == []


def row(*spans, turn_deg=0.0):
    """Narrow pieces along a line, turned about the table's middle."""
    return [affinity.rotate(box(low, 250, high, 258), turn_deg, origin=(200, 160)) for low, high in spans]


@pytest.mark.parametrize("turn_deg", [0.0, 35.0])
def test_pencils_end_to_end_are_a_row(close, turn_deg):
    outlines = row((60, 130), (140, 200), (215, 280), turn_deg=turn_deg)
    names = ("unknown", "pencils", "unknown")
    things = [piece(name, outline, 7.0) for name, outline in zip(names, outlines, strict=True)]
    (found,) = gathered(things, close)
    assert found.cls == "pencils"
    assert found.footprint.area == pytest.approx(220 * 8, rel=0.05)
    assert found.rotation_deg == pytest.approx(turn_deg, abs=1)


def test_pencils_askew_or_far_apart_are_several(close):
    one, far = row((60, 130), (200, 260))
    (across,) = row((130, 190))
    things = [piece("pencils", each, 7.0) for each in (one, far, affinity.rotate(across, 50))]
    assert len(gathered(things, close)) == 3


def test_a_row_goes_on_behind_the_mug_that_stands_on_it(close):
    one, far = (piece("pencils", each, 7.0) for each in row((60, 130), (200, 260)))
    mug = piece("mug", Point(165, 240).buffer(32), 90.0)
    found = gathered([one, mug, far], close)
    assert [thing.cls for thing in found] == ["mug", "pencils"]
    assert found[1].footprint.bounds == pytest.approx((60, 250, 260, 258))
