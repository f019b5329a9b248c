"""What each coin is made of: thickness, outline, metal, edge. Diameters are the rules' own (C2).

Thicknesses in mm as the mints state them: Royal Mint, "Specifications of UK coins" (plated steel 1p to 10p);
European Commission, "Common sides" technical table; United States Mint, "Coin Specifications".
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from rules.scene import COIN_DIAMETER_MM

if TYPE_CHECKING:
    from collections.abc import Mapping

Metal = Literal["copper", "nickel", "gold", "brass"]
Outline = Literal["round", "seven", "twelve", "flower"]


@dataclass(frozen=True)
class CoinStock:
    """metal is the disc's, or the ring's where `core` names another for the middle; numeral is the value as minted."""

    cls: str
    thickness_mm: float
    metal: Metal
    numeral: str
    outline: Outline = "round"
    core: Metal | None = None
    reeded: bool = False

    @property
    def diameter_mm(self) -> float:
        """The rules' diameter."""
        return COIN_DIAMETER_MM[self.cls]


COIN_STOCK: Mapping[str, CoinStock] = MappingProxyType(
    {
        stock.cls: stock
        for stock in (
            CoinStock("gbp-1p", 1.65, "copper", "1"),
            CoinStock("gbp-2p", 2.03, "copper", "2"),
            CoinStock("gbp-5p", 1.70, "nickel", "5", reeded=True),
            CoinStock("gbp-10p", 1.85, "nickel", "10", reeded=True),
            CoinStock("gbp-20p", 1.70, "nickel", "20", "seven"),
            CoinStock("gbp-50p", 1.78, "nickel", "50", "seven"),
            CoinStock("gbp-1", 2.80, "brass", "1", "twelve", "nickel", reeded=True),
            CoinStock("gbp-2", 2.50, "brass", "2", core="nickel", reeded=True),
            CoinStock("eur-1c", 1.67, "copper", "1"),
            CoinStock("eur-2c", 1.67, "copper", "2"),
            CoinStock("eur-5c", 1.67, "copper", "5"),
            CoinStock("eur-10c", 1.93, "gold", "10", reeded=True),
            CoinStock("eur-20c", 2.14, "gold", "20", "flower"),
            CoinStock("eur-50c", 2.38, "gold", "50", reeded=True),
            CoinStock("eur-1", 2.33, "gold", "1", core="nickel", reeded=True),
            CoinStock("eur-2", 2.20, "nickel", "2", core="gold", reeded=True),
            CoinStock("usd-1c", 1.52, "copper", "ONE"),
            CoinStock("usd-5c", 1.95, "nickel", "5"),
            CoinStock("usd-10c", 1.35, "nickel", "X", reeded=True),
            CoinStock("usd-25c", 1.75, "nickel", "25", reeded=True),
            CoinStock("usd-50c", 2.15, "nickel", "50", reeded=True),
            CoinStock("usd-1", 2.00, "gold", "$1"),
            CoinStock("usd-1-silver", 2.58, "nickel", "$1", reeded=True),
        )
    }
)
