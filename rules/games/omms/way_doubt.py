"""Which single distances a way hangs on: to the things it passes, or to the limit of its reach (C3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from rules.margin import CLOSE_SIGMAS, Margin
from rules.way_past import hangs_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rules.games.omms.coins import Coin


class Going(Protocol):
    """A unit about to go, with the coins in its way."""

    @property
    def unit(self) -> Coin:
        """Who goes."""

    @property
    def blockers(self) -> tuple[Coin, ...]:
        """What its way passes."""

    def nearer(self, nearer_mm: Mapping[str, float]) -> Self:
        """The same with coins so much nearer to its way, and for its own id with so much less of a reach."""


Asked = TypeVar("Asked", bound=Going)


def doubts(asked: Asked, limit_sigma_mm: float, comes: Callable[[Asked], bool]) -> list[Margin]:
    """The distances of which 3 sigma would open or bar a way, with what each lacks; their signs tell nothing.

    limit_sigma_mm  of the distance to the limit of its reach
    """
    sigmas_mm = {asked.unit.id: limit_sigma_mm, **{coin.id: coin.sigma_mm for coin in asked.blockers}}
    bands_mm = {name: CLOSE_SIGMAS * sigma_mm for name, sigma_mm in sigmas_mm.items() if sigma_mm}
    if not bands_mm:
        return []
    found_mm = hangs_on(bands_mm, comes(asked), lambda nearer_mm: comes(asked.nearer(nearer_mm)))
    return [Margin(mm, sigmas_mm[name]) for name, mm in found_mm.items()]
