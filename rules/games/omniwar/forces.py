"""What each army is worth, and what it has lost (OMNI-4.1, 5.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from rules.game import Ruling, ruling_from
from rules.games.omniwar.attack import PHASE
from rules.games.omniwar.points import Price, price_of
from rules.games.omniwar.roster import unit_types
from rules.games.omniwar.units import bound_pieces
from rules.margin import CERTAIN, REFUSED
from rules.scene import UNKNOWN, Scene
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
    for piece, kind in bound_pieces(scene, setup, state):
        if kind is not None and piece.owner != UNKNOWN:
            found = price(kind.name, state.of(piece.id), setup)
            armies[piece.owner] |= {} if found is None else {piece.id: found}
    lost = lost_points(state)
    for owner in sorted({*armies, *lost}):
        yield _army(owner, armies[owner], lost.get(owner, 0))


def _army(owner: str, prices: Mapping[str, Price], lost: int) -> Ruling:
    points = sum(one.points for one in prices.values())
    fault = next((f"{id_} {one.fault}" for id_, one in prices.items() if one.fault), None)
    units = {id_: {"points": one.points, "exact": float(one.exact)} for id_, one in prices.items()}
    sum_of_all = f"{owner} has {points} points on the table and lost {lost}"
    return ruling_from(
        REFUSED if fault else CERTAIN, kind="economy", piece=None, other=owner,
        rule="OMNI-4.2" if fault else "OMNI-5.1", why=f"{sum_of_all}; {fault}" if fault else sum_of_all,
        extra={"phase": PHASE, "owner": owner, "points": points, "lost": lost, "units": units},
    )  # fmt: skip
