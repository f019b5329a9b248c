"""Coins on cards lie as high as these are thick."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box

from vision.detect.on_cards import CARD_MM, on_cards
from vision.detection import Detection

CARD = Detection("card", "QH", (100.0, 100.0), box(68, 55, 132, 145), 0.2, 1.0, (0.0, 0.0))
COIN = Detection(
    "coin",
    "gbp-1p",
    (120.0, 130.0),
    Point(120, 130).buffer(10),
    0.2,
    1.0,
    (0.0, 0.0),
    lean=(-0.2, -1.1),
    height_mm=1.65,
)


def at(x_mm: float, y_mm: float) -> Detection:
    """The coin elsewhere."""
    return replace(COIN, position_mm=(x_mm, y_mm), footprint=Point(x_mm, y_mm).buffer(10))


def test_a_coin_on_a_card_lies_nearer_to_the_camera_than_it_seems() -> None:
    (coin,) = on_cards([COIN], [CARD])
    assert coin.elevation_mm == CARD_MM
    assert np.allclose(coin.position_mm, (120.0 - 0.2 * CARD_MM, 130.0 - 1.1 * CARD_MM))
    assert np.allclose(coin.footprint.centroid.coords[0], coin.position_mm)
    assert coin.sigma_mm == COIN.sigma_mm


@pytest.mark.parametrize(
    ("coin", "flat"),
    [
        (at(140, 100), [CARD]),
        (replace(COIN, elevation_mm=1.7), [CARD]),
        (COIN, [replace(CARD, kind="die", cls="3")]),
        (COIN, []),
    ],
    ids=["with its edge on the card", "on another coin there", "beside a die", "on the table"],
)
def test_another_stays(coin: Detection, flat: list[Detection]) -> None:
    assert on_cards([coin], flat) == [coin]
