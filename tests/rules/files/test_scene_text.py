"""The text form of a scene: what it reads, that it round-trips, and how it refuses."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon

from rules.files.scene_text import scene_from_text, scene_text
from rules.scene import COIN_DIAMETER_MM, KINDS, Piece, Scene

HAND_WRITTEN = """
table_mm = [700, 500]
sigma_mm = 0.2

[piece]
c1 = { coin = "gbp-5p", at = [311.2, 140.9], owner = "red", face = "heads" }
k1 = { card = "AS", at = [100, 100] }
m1 = { terrain = "mug", at = [420, 260], size_mm = 80, height_mm = 95, sigma_mm = 1 }
b1 = { terrain = "book", at = [500, 100], size_mm = [200, 100], rotation_deg = 90 }
"""


def test_defaults_of_the_kinds():
    scene = scene_from_text(HAND_WRITTEN)
    coin, card, mug, book = scene
    assert (coin.cls, coin.owner, coin.sigma_mm) == ("gbp-5p", "red", 0.2)
    assert coin.footprint.area == pytest.approx(math.pi * 9.0**2, rel=1e-3)
    assert card.footprint.bounds == pytest.approx((100 - 31.75, 100 - 44.45, 100 + 31.75, 100 + 44.45))
    assert (card.owner, mug.sigma_mm, mug.height_mm) == ("none", 1.0, 95.0)
    assert book.footprint.bounds == pytest.approx((450, 0, 550, 200))


numbers = st.floats(-2000, 2000, allow_nan=False)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)


@st.composite
def pieces(draw, id_):
    kind = draw(st.sampled_from(KINDS))
    cls = draw(st.sampled_from(sorted(COIN_DIAMETER_MM)) if kind == "coin" else words)
    at = draw(st.tuples(numbers, numbers))
    footprint = draw(
        st.sampled_from([Point(at).buffer(7), Polygon([(0, 0), (9, 0), (0, 9)], [[(1, 1), (2, 1), (1, 2)]])])
    )
    return Piece(
        id_,
        kind,
        cls,
        at,
        footprint,
        owner=draw(st.sampled_from(["red", "none", "unknown"])),
        face=draw(st.sampled_from(["heads", "unknown"])),
        sigma_mm=draw(st.floats(0, 5)),
        elevation_mm=draw(numbers),
        height_mm=draw(st.none() | numbers),
        rotation_deg=draw(numbers),
        facing_deg=draw(st.none() | numbers),
        colour=draw(st.none() | words),
        level=draw(st.none() | st.integers(0, 9)),
        roster=draw(st.none() | words),
        on=draw(st.none() | words),
        confidence=draw(st.floats(0, 1)),
        image_px=draw(st.none() | st.tuples(numbers, numbers)),
        shared_sigma_mm=draw(st.floats(0, 5)),
        plane=draw(st.none() | words),
    )


@st.composite
def scenes(draw):
    ids = draw(st.lists(words, unique=True, max_size=5))
    placed = tuple(draw(pieces(id_)) for id_ in ids)
    size = draw(st.tuples(st.floats(1, 2000), st.floats(1, 2000)))
    return Scene(
        size, placed, draw(numbers), draw(st.floats(0, 9)), draw(st.floats(0, 9)), tuple(draw(st.lists(words)))
    )


@given(scenes())
@settings(deadline=None, max_examples=80)
def test_every_scene_comes_back(scene):
    assert scene_from_text(scene_text(scene)) == scene


def test_the_text_is_short_for_what_is_usual():
    lines = scene_text(scene_from_text(HAND_WRITTEN)).splitlines()
    assert 'c1 = { coin = "gbp-5p", at = [311.2, 140.9], owner = "red", face = "heads" }' in lines
    assert 'k1 = { card = "AS", at = [100.0, 100.0] }' in lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[piece", "not valid TOML"),
        ("[piece]", "table_mm"),
        ("table_mm = [1, 1]\n[piece]\nx = { at = [1, 2] }", "piece.x: no kind"),
        ('table_mm = [1, 1]\n[piece]\nx = { coin = "gbp-5p" }', "piece.x.at"),
        ('table_mm = [1, 1]\n[piece]\nx = { coin = "gbp-5p", at = [1, 2], ower = "red" }', "piece.x.ower"),
        ('table_mm = [1, 1]\n[piece]\nx = { terrain = "mug", at = [1, 2] }', "give size_mm or an outline"),
    ],
)
def test_a_fault_is_told_with_its_place(text, message):
    with pytest.raises(ValueError, match=message):
        scene_from_text(text, "fen")
