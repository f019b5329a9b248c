"""Cards, dice and matches lie where the truth says, and show what they are said to show."""

import json

import cv2
import numpy as np
import pytest
from shapely import Polygon

from sample_footage.block import Block
from sample_footage.block_draw import block_patch
from sample_footage.block_faces import PIPS, card_face, die_sides, suit_mask
from sample_footage.kingsmere import MAP_FILE
from sample_footage.light import Light
from sample_footage.match_clip import match_camera
from sample_footage.scene_truth import scene_truth, visible_shares
from sample_footage.thing_pictures import things

FOLDER = MAP_FILE.parent.parent / "things"


def corners_by_hand(block):
    """The eight corners, turned with plain complex numbers."""
    length, breadth, height = block.size_mm
    turn = np.exp(1j * np.radians(block.turn_deg))
    flat = [
        complex(*block.position_mm) + turn * complex(a * length / 2, b * breadth / 2) for a in (-1, 1) for b in (-1, 1)
    ]
    return [(p.real, p.imag, block.low_mm + z * height) for p in flat for z in (0, 1)]


@pytest.mark.parametrize(
    "block",
    [
        Block("d", "die", "5", (120.0, 90.0), 33.0),
        Block("m", "match", "match", (500.0, 400.0), 251.0),
        Block("c", "card", "10H", (330.0, 260.0), 74.0, low_mm=0.3),
    ],
    ids=lambda block: block.kind,
)
def test_cover_is_the_projected_box(block):
    camera = match_camera()
    patch = block_patch(block, camera, Light())
    moments = cv2.moments(cv2.convexHull(camera.project(corners_by_hand(block)).astype(np.float32)))
    v, u = np.mgrid[0 : patch.cover.shape[0], 0 : patch.cover.shape[1]]
    found = np.array([np.average(u, weights=patch.cover), np.average(v, weights=patch.cover)]) + patch.corner_px
    assert np.abs(found - [moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]]).max() < 0.08
    # A card's corners are rounded: radius 3.2 mm takes (4 - pi) * 3.2^2 = 8.8 mm^2 of 5645.
    assert patch.cover.sum() == pytest.approx(moments["m00"], rel=0.03 if block.kind == "match" else 0.01)


@pytest.mark.parametrize("pips", range(1, 7))
def test_opposite_sides_make_seven_and_the_top_is_the_class(pips):
    sides = die_sides(Block("d", "die", str(pips), (0, 0), tint_bgr=(0.8, 0.8, 0.8)))
    dark = {side: float((face.sum(axis=2) < 1.23).mean()) for side, face in sides.items()}
    one = np.pi * 0.1**2  # each pip takes this share of a side
    shown = {side: round(share / one) for side, share in dark.items()}
    assert shown[2, 1] == pips
    assert all(shown[axis, 1] + shown[axis, -1] == 7 for axis in range(3))
    assert sorted(shown.values()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("rank", [rank for rank in PIPS if rank != "A"])
def test_cards_show_as_many_signs_as_their_rank(rank):
    card = card_face(f"{rank}D")
    middle = card[80:-80, 110:-110]
    count, _, stats, _ = cv2.connectedComponentsWithStats((middle[..., 1] < 140).astype(np.uint8))
    assert sum(stats[k, cv2.CC_STAT_AREA] > 800 for k in range(1, count)) == int(rank)


def test_cards_read_the_same_from_both_ends():
    for cls in ("4H", "10C", "6D"):
        card = card_face(cls).astype(int)
        assert np.abs(card - card[::-1, ::-1]).mean() < 6
    assert len({suit_mask(suit, 40).tobytes() for suit in "SHDC"}) == 4


def test_up_on_a_card_points_along_its_long_side():
    """The index of a card turned to 90 degrees stands at its far left corner as seen from the near edge."""
    camera = match_camera()
    block = Block("c", "card", "10S", (350.0, 250.0), 90.0)
    patch = block_patch(block, camera, Light())
    left, right = (350 - 24, 250 + 32, 0.3), (350 + 24, 250 + 32, 0.3)
    darkness = []
    for point in (left, right):
        u, v = np.rint(camera.project([point])[0]).astype(int) - patch.corner_px
        window = patch.colour[v - 12 : v + 12, u - 6 : u + 6]
        darkness.append(float((window.mean(axis=2) < 0.4).mean()))
    assert darkness[0] > 0.1 > darkness[1]


@pytest.mark.parametrize("number", range(4))
def test_shipped_truth_is_what_the_code_tells(number):
    made = things(number, 2026)
    told = scene_truth(made.pieces, made.camera, visible_shares(made.pieces, made.camera), made.looks)
    shipped = json.loads((FOLDER / f"{made.name}.truth.geojson").read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(told))
    assert {f["properties"]["kind"] for f in shipped["features"]} == {"card", "die", "match", "coin"}


def test_only_what_is_said_to_lie_on_something_overlaps():
    made = things(0, 2026)
    outlines = [(piece, Polygon(piece.solid.corners_mm())) for piece in made.blocks if piece.on is None]
    for index, (_, outline) in enumerate(outlines):
        assert not any(outline.intersects(other) for _, other in outlines[index + 1 :])
    hidden = visible_shares(made.pieces, made.camera)
    assert hidden["card0"] < 0.75 and hidden["card0-over"] > 0.9
