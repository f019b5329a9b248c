"""What each army is worth, and what it has lost (OMNI-4.1, 5.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rules.game import Ruling, ruling_from
from rules.games.omniwar.attack import PHASE
from rules.games.omniwar.points import Price, price_of
from rules.games.omniwar.roster import unit_types
from rules.games.omniwar.units import bound_pieces
from rules.margin import CERTAIN, REFUSED
from rules.scene import NONE, UNKNOWN, Scene
from rules.setup import Setup
from rules.state import State


def price(name: str, known: Mapping[str, Any], setup: Setup) -> Price | None:
    """The price of the unit of that name with the keywords that the state gives it; None for a name nowhere listed."""
    kind = unit_types(setup).get(name.strip().casefold())
    return None if kind is None else price_of(kind, known.get("keywords") or ())


def lost_points(state: State) -> dict[str, int]:
    """The points of destroyed units by army, as the match counts them; ValueError if the state has something else."""
    lost = state.counters.get("lost", {})
    if not isinstance(lost, Mapping) or not all(isinstance(points, int) for points in lost.values()):
        raise ValueError(f"state: counters.lost: should be points by colour, such as {{'red': 46}}, not {lost!r}")
    return dict(lost)


def economy(scene: Scene, setup: Setup, state: State) -> Iterator[Ruling]:
    """One feature for each army: its points on the table, and those of its units that were destroyed."""
    armies: dict[str, dict[str, Price]] = defaultdict(dict)
    bound = tuple(bound_pieces(scene, setup, state))
    known = [(piece, kind) for piece, kind in bound if kind is not None and piece.owner != UNKNOWN]
    for piece, kind in known:
        found = price(kind.name, state.of(piece.id), setup)
        armies[piece.owner] |= {} if found is None else {piece.id: found}
    lost = lost_points(state)
    units = {owner: len(armies[owner]) for owner in sorted({*armies, *lost})}
    unnamed = len(known) < len(bound) or _may_be_more(scene, {piece.id for piece, _ in known})
    winner = None if unnamed else _winner(units, lost)
    for owner in units:
        yield _army(owner, armies[owner], lost.get(owner, 0), wins=owner == winner)


def _may_be_more(scene: Scene, known: Collection[str]) -> bool:
    """Whether a coin or figure that belongs to somebody, or may, lies there and nobody said which unit it is."""
    return any(piece.id not in known and piece.owner != NONE for piece in scene.of_kind("coin", "soldier", "base"))


def _winner(units: Mapping[str, int], lost: Mapping[str, int]) -> str | None:
    """Which of two armies destroyed more points, once only one has units left; None before, and if both did as much.

    Of three and more nobody says who destroyed what.
    """
    if len(units) != 2 or all(units.values()):
        return None
    one, other = sorted(units, key=lambda owner: lost.get(owner, 0))
    return one if lost.get(one, 0) < lost.get(other, 0) else None


def _army(owner: str, prices: Mapping[str, Price], lost: int, *, wins: bool) -> Ruling:
    points = sum(one.points for one in prices.values())
    fault = next((f"{id_} {one.fault}" for id_, one in prices.items() if one.fault), None)
    units = {id_: {"points": one.points, "exact": float(one.exact)} for id_, one in prices.items()}
    sum_of_all = f"{owner} has {points} points on the table and lost {lost}"
    return ruling_from(
        REFUSED if fault else CERTAIN, kind="economy", piece=None, other=owner,
        rule="OMNI-4.2" if fault else "OMNI-5.1", why=f"{sum_of_all}; {fault}" if fault else sum_of_all,
        extra={"phase": PHASE, "owner": owner, "points": points, "lost": lost, "units": units, "wins": wins},
    )  # fmt: skip
