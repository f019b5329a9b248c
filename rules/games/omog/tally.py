"""What is counted: the size of armies, the men lost, the two minutes (OMOG-1.3, 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.game import Ruling
from rules.games.omog.battlefield import Battlefield, plain
from rules.games.omog.clock import MOVE_PHASES, PHASES, left_s
from rules.games.omog.standing import men
from rules.games.omog.tables import INCH_MM, tables
from rules.state import State

_SQUARE_FOOT_MM2 = (12 * INCH_MM) ** 2


def tallies(field: Battlefield) -> Iterator[Ruling]:
    """`economy` features: a warning for each army that is too large, the men lost, what is left on the clock."""
    armies: dict[str, int] = {}
    for man in men(field):
        armies[man.owner] = armies.get(man.owner, 0) + 1
    yield from _limits(armies, field.scene.table_size_mm)
    yield from _losses(armies, losses(field.state))
    yield from _clock(field)


def losses(state: State) -> dict[str, int]:
    """The men lost by army; ValueError if the state has something else."""
    lost = state.counters.get("lost", {})
    if not isinstance(lost, Mapping) or not all(isinstance(count, int) for count in lost.values()):
        raise ValueError(f"state: counters.lost: should be men by colour, such as {{'red': 3}}, not {lost!r}")
    return dict(lost)


def _limits(armies: Mapping[str, int], table_size_mm: tuple[float, float]) -> Iterator[Ruling]:
    """One man to the square foot a side is advised (OMOG-1.3)."""
    width_mm, depth_mm = table_size_mm
    most = tables().turn.men_per_square_foot * width_mm * depth_mm / _SQUARE_FOOT_MM2
    for colour, count in armies.items():
        if count > most + 1e-9:
            why = f"{colour} has {count} men; one to the square foot of this table is {most:.1f}: fewer are advised"
            extra = {"men": count, "advised": round(most, 4), "phase": MOVE_PHASES[0]}
            yield plain("economy", None, "OMOG-1.3", why, yes=False, other=colour, extra=extra)


def _losses(armies: Mapping[str, int], lost: Mapping[str, int]) -> Iterator[Ruling]:
    """Whoever has lost the fewest men wins a wipe-out (OMOG-6)."""
    fewest = min((lost.get(colour, 0) for colour in {*armies, *lost}), default=0)
    for colour in sorted({*armies, *lost}) if lost else ():
        count = lost.get(colour, 0)
        men = armies.get(colour, 0)
        why = f"{colour} has lost {count} and has {men} {'man' if men == 1 else 'men'} on the table"
        extra = {"men": men, "lost": count, "phase": PHASES[-1]}
        yield plain("economy", None, "OMOG-6", why, yes=count == fewest, other=colour, extra=extra)


def _clock(field: Battlefield) -> Iterator[Ruling]:
    """What is left of the two minutes of the side that moves (OMOG-6)."""
    left = left_s(field.state, field.scene.time_s)
    if left is None:
        return
    who = field.state.active or "the side that moves"
    why = f"{who} has {left:.0f} s left" if left > 0 else f"the two minutes of {who} are over"
    extra = {"time_left_s": round(left, 3), "phase": field.state.phase or MOVE_PHASES[0]}
    yield plain("economy", None, "OMOG-6", why, yes=left > 0, other=field.state.active, extra=extra)
