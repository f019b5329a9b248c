"""The truth of one picture as a `sandtable/scene/1` FeatureCollection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.block import Block
from sample_footage.coin import Coin
from sample_footage.lie_of_the_land import SHEET_MM
from sample_footage.shadows import Disc, Solid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sample_footage.camera import Camera

    Piece = Coin | Block

CORNERS = 64


def scene_truth(
    pieces: Sequence[Piece], camera: Camera, visible: Mapping[str, float], looks: Sequence[str] = ()
) -> dict[str, Any]:
    """All pieces with their places; `visible` gives the share of each upper face that the picture shows."""
    return {
        "type": "FeatureCollection",
        "schema": "sandtable/scene/1",
        "time_s": 0.0,
        "looks": list(looks),
        "table": {"size_mm": list(SHEET_MM), "reprojection_error_px": 0.0, "sigma_mm": 0.0},
        "features": [_feature(piece, camera, visible.get(piece.id, 1.0)) for piece in pieces],
    }


def _feature(piece: Piece, camera: Camera, visible: float) -> dict[str, Any]:
    u, v = camera.project([piece.top_centre_mm])[0]
    properties = {
        **(_of_block(piece) if isinstance(piece, Block) else _of_coin(piece)),
        "position_mm": [round(value, 3) for value in piece.position_mm],
        "elevation_mm": round(piece.low_mm, 3),
        "height_mm": round(piece.high_mm - piece.low_mm, 3),
        "sigma_mm": 0.0,
        "confidence": 1.0,
        "image_px": [round(float(u), 3), round(float(v), 3)],
        "visible": round(visible, 3),
    }
    if piece.on is not None:
        properties["on"] = piece.on
    outline = _rectangle(piece) if isinstance(piece, Block) else _disc(piece)
    return {"type": "Feature", "id": piece.id, "geometry": outline, "properties": properties}


def _of_coin(coin: Coin) -> dict[str, Any]:
    turn_deg = round(coin.turn_deg, 2)
    return {"kind": "coin", "class": coin.cls, "face": coin.face, "owner": coin.owner, "rotation_deg": turn_deg}


def _of_block(block: Block) -> dict[str, Any]:
    """A card looks the same after half a turn, a die's square after a quarter; a match points with its head."""
    period_deg = {"card": 180, "die": 90, "match": 360}[block.kind]
    return {
        "kind": block.kind,
        "class": block.cls,
        "owner": "none",
        "rotation_deg": round(block.turn_deg % period_deg, 2),
    }


def _rectangle(block: Block) -> dict[str, Any]:
    corners = block.solid.corners_mm()
    ring = [[round(float(x), 3), round(float(y), 3)] for x, y in corners]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def _disc(coin: Coin) -> dict[str, Any]:
    """The disc that the coin stands for (C2.1), as a polygon of the same area."""
    turn = 2 * math.pi / CORNERS
    reach = coin.radius_mm * math.sqrt(turn / math.sin(turn))
    x, y = coin.position_mm
    ring = [
        [round(x + reach * math.cos(k * turn), 3), round(y + reach * math.sin(k * turn), 3)] for k in range(CORNERS)
    ]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def visible_shares(pieces: Sequence[Piece], camera: Camera) -> dict[str, float]:
    """Share of each upper face that no other piece hides and that lies inside the picture."""
    return {piece.id: _visible(piece, pieces, camera) for piece in pieces}


def _visible(piece: Piece, pieces: Sequence[Piece], camera: Camera) -> float:
    points = _top_points(piece)
    width, height = camera.size_px
    px = camera.project(points)
    seen = (px[:, 0] > -0.5) & (px[:, 0] < width - 0.5) & (px[:, 1] > -0.5) & (px[:, 1] < height - 0.5)
    for other in pieces:
        if other is not piece and other.high_mm > piece.high_mm + 1e-6:
            seen &= ~_hidden_by(other.solid, points, camera)
    return float(seen.mean())


def _top_points(piece: Piece) -> np.ndarray:
    """Points spread evenly over the upper face, (400, 3)."""
    k = np.arange(400) + 0.5
    if isinstance(piece, Block):
        share = np.column_stack([k / 400, np.mod(k * (math.sqrt(5) - 1) / 2, 1.0)]) * 2 - 1
        xy = piece.solid.placed(share * piece.solid.half_mm)
    else:
        radius, turn = piece.radius_mm * np.sqrt(k / 400), k * math.pi * (3 - math.sqrt(5))
        x, y = piece.position_mm
        xy = np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])
    return np.column_stack([xy, np.full(400, piece.high_mm)])


def _hidden_by(other: Solid, points: np.ndarray, camera: Camera) -> np.ndarray:
    """Whether the way from each point to the camera passes through the other solid, tried at six levels."""
    hidden = np.zeros(len(points), bool)
    for height in np.linspace(other.low_mm, other.high_mm, 6):
        rise = (height - points[:, 2]) / (camera.eye_mm[2] - points[:, 2])
        at = points[:, :2] + rise[:, None] * (camera.eye_mm[:2] - points[:, :2])
        inside = np.hypot(*(at - other.xy_mm).T) < other.radius_mm if isinstance(other, Disc) else other.gap_mm(at) == 0
        hidden |= (rise > 1e-9) & inside
    return hidden
