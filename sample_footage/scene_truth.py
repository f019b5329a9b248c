"""The truth of one picture as a `sandtable/scene/1` FeatureCollection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.lie_of_the_land import SHEET_MM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sample_footage.camera import Camera
    from sample_footage.coin import Coin

CORNERS = 64


def scene_truth(
    coins: Sequence[Coin], camera: Camera, visible: Mapping[str, float], looks: Sequence[str] = (), time_s: float = 0.0
) -> dict[str, Any]:
    """All coins with their places; `visible` gives the share of each upper face that the picture shows."""
    return {
        "type": "FeatureCollection",
        "schema": "sandtable/scene/1",
        "time_s": round(time_s, 3),
        "looks": list(looks),
        "table": {"size_mm": list(SHEET_MM), "reprojection_error_px": 0.0, "sigma_mm": 0.0},
        "features": [_feature(coin, camera, visible.get(coin.id, 1.0)) for coin in coins],
    }


def _feature(coin: Coin, camera: Camera, visible: float) -> dict[str, Any]:
    u, v = camera.project([coin.top_centre_mm])[0]
    properties = {
        "kind": "coin",
        "class": coin.cls,
        "face": coin.face,
        "owner": coin.owner,
        "position_mm": [round(value, 3) for value in coin.position_mm],
        "elevation_mm": round(coin.low_mm, 3),
        "height_mm": coin.stock.thickness_mm,
        "rotation_deg": round(coin.turn_deg, 2),
        "sigma_mm": 0.0,
        "confidence": 1.0,
        "image_px": [round(float(u), 3), round(float(v), 3)],
        "visible": round(visible, 3),
    }
    if coin.on is not None:
        properties["on"] = coin.on
    return {"type": "Feature", "id": coin.id, "geometry": _disc(coin), "properties": properties}


def _disc(coin: Coin) -> dict[str, Any]:
    """The disc that the coin stands for (C2.1), as a polygon of the same area."""
    turn = 2 * math.pi / CORNERS
    reach = coin.radius_mm * math.sqrt(turn / math.sin(turn))
    x, y = coin.position_mm
    ring = [
        [round(x + reach * math.cos(k * turn), 3), round(y + reach * math.sin(k * turn), 3)] for k in range(CORNERS)
    ]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def visible_shares(coins: Sequence[Coin], camera: Camera) -> dict[str, float]:
    """Share of each upper face that no other coin hides and that lies inside the picture."""
    return {coin.id: _visible(coin, coins, camera) for coin in coins}


def _visible(coin: Coin, coins: Sequence[Coin], camera: Camera) -> float:
    k = np.arange(400) + 0.5
    radius, turn = coin.radius_mm * np.sqrt(k / 400), k * math.pi * (3 - math.sqrt(5))
    points = np.column_stack(
        [
            coin.position_mm[0] + radius * np.cos(turn),
            coin.position_mm[1] + radius * np.sin(turn),
            np.full(400, coin.high_mm),
        ]
    )
    width, height = camera.size_px
    px = camera.project(points)
    seen = (px[:, 0] > -0.5) & (px[:, 0] < width - 0.5) & (px[:, 1] > -0.5) & (px[:, 1] < height - 0.5)
    for other in coins:
        if other is not coin and other.high_mm > coin.high_mm + 1e-6:
            seen &= ~_hidden_by(other, points, camera)
    return float(seen.mean())


def _hidden_by(other: Coin, points: np.ndarray, camera: Camera) -> np.ndarray:
    """Whether the way from each point to the camera passes through the other coin's solid."""
    hidden = np.zeros(len(points), bool)
    for height in np.linspace(other.low_mm, other.high_mm, 6):
        rise = (height - points[:, 2]) / (camera.eye_mm[2] - points[:, 2])
        at = points[:, :2] + rise[:, None] * (camera.eye_mm[:2] - points[:, :2])
        hidden |= (rise > 1e-9) & (np.hypot(*(at - other.position_mm).T) < other.radius_mm)
    return hidden
