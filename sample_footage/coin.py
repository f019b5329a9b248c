"""A coin that lies, or is held, at a place: what the truth and the renderer both know of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sample_footage.coin_stock import COIN_STOCK, CoinStock
from sample_footage.shadows import Disc


@dataclass(frozen=True)
class Coin:
    """position_mm is the centre; low_mm the height of the face that it lies on; turn_deg counter-clockwise.

    owner   colour of its sticker, or `none`
    patina  0 new to 1 dull; design picks the year and drawing; sticker_mm: where the sticker sits off the centre
    """

    id: str
    cls: str
    position_mm: tuple[float, float]
    owner: str = "none"
    face: str = "heads"
    turn_deg: float = 0.0
    low_mm: float = 0.0
    patina: float = 0.4
    design: int = 0
    sticker_mm: tuple[float, float] = (0.0, 0.0)
    sticker_diameter_mm: float = 8.0
    on: str | None = None

    @property
    def kind(self) -> str:
        """As scenes name it."""
        return "coin"

    @property
    def stock(self) -> CoinStock:
        """Its make."""
        return COIN_STOCK[self.cls]

    @property
    def radius_mm(self) -> float:
        """Half the rules' diameter."""
        return self.stock.diameter_mm / 2

    @property
    def high_mm(self) -> float:
        """Height of its upper face."""
        return self.low_mm + self.stock.thickness_mm

    @property
    def solid(self) -> Disc:
        """The shape that throws its shadow."""
        return Disc(self.position_mm, self.radius_mm, self.low_mm, self.high_mm)

    @property
    def top_centre_mm(self) -> np.ndarray:
        """Centre of the upper face, (3,)."""
        return np.array([*self.position_mm, self.high_mm])
