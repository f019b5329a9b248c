"""The tables of OSMCG: legend, default card, distances, costs, modes and missions."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from rules.files.tables import KeyFault, Row, packaged_table
from rules.legend import TERRAIN
from rules.margin import Margin
from rules.setup import Setup

PACKAGE = "rules.games.osmcg"
MODES = ("duel", "moba", "ffa")
GROUNDS = ("blocking", "traversable")
MEASURES = ("edge", "centre")

Length = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class _Row(Row):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Card(_Row):
    """What a miniature can do when nobody says."""

    spd_in: Length
    ap: Count
    atk: Count
    defense: Count


class Distances(_Row):
    """Lengths that the notes name."""

    inch_mm: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    deployment_in: Length
    summon_in: Length
    stealth_in: Length
    objective_in: Length
    touch_mm: Length
    new_base_mm: Length
    paper_mm: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Costs(_Row):
    """Action points."""

    move: Count
    disengage: Count
    attack: Count
    rest: Count


class Mode(_Row):
    """A way to play: board sides, objectives and how it is won. `hp` and `returns_in` are of the core and of a post."""

    sides_in: tuple[Length, ...]
    layout: Literal["quincunx", "ring"]
    controlled: bool
    hp: tuple[Count, Count]
    nexus_hp: Count
    win_vp: Count
    hero_vp: Count
    returns_in: tuple[Count, Count]
    core_mana: Count


class Mission(_Row):
    """A card of the mission deck: `counts` must reach `at_least`."""

    counts: Literal[
        "kills_since", "kills", "mana_spent", "hero_damage", "hero_kills",
        "centre_held", "units_beyond", "objectives_beyond", "objectives_held",
    ]  # fmt: skip
    at_least: Count
    vp: Count

    @property
    def from_scene(self) -> bool:
        """Whether it is scored from the scene at the end of a turn, not from the tally at once."""
        return self.counts.endswith(("_held", "_beyond"))


class Tables(_Row):
    """All tables of the game."""

    legend: dict[str, Literal["blocking", "traversable"]]
    unit: Card
    distance: Distances
    cost: Costs
    mode: dict[Literal["duel", "moba", "ffa"], Mode]
    mission: dict[str, Mission]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Every way to play is there, and the legend names household things only."""
        for name in MODES:
            if name not in self.mode:
                raise KeyFault(("mode", name), "missing: add it")
        for name in self.legend:
            if name not in TERRAIN:
                raise KeyFault(("legend", name), f"there is no such thing; one of {', '.join(TERRAIN)}")
        return self


@cache
def tables() -> Tables:
    """The tables that came with the game."""
    return packaged_table(Tables, PACKAGE, "tables.toml")


def mode_of(setup: Setup) -> Mode:
    """The way to play, by the house rule `mode`."""
    return tables().mode[house(setup, "mode", MODES)]  # type: ignore[index]


def house(setup: Setup, key: str, allowed: tuple[str, ...]) -> str:
    """A house rule, by default the first of its values; ValueError names the values that it may have."""
    value = setup.house.get(key, allowed[0])
    if value not in allowed:
        raise KeyFault(("rules", key), f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


def inch_mm(inches: float) -> float:
    """Inches of the rules as mm on the table."""
    return inches * tables().distance.inch_mm


def on_paper(distance_mm: float, limit_mm: float) -> float:
    """The distance, or the limit itself when only rounding tells the two apart."""
    return limit_mm if abs(distance_mm - limit_mm) < tables().distance.paper_mm else distance_mm


def fact(holds: bool) -> Margin:
    """The margin of something that nobody measures: it holds or it does not."""
    return Margin(0.0 if holds else -1.0)
