"""The tables of OMOG Oldstyle: allowances, weapons, modifiers, saves, bonuses and the default legend."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from rules.files.tables import packaged_table

INCH_MM = 25.4
ARMS = ("foot", "mounted", "gun")

Inches = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Pip = Annotated[int, Field(ge=1, le=6)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Allowance(_Row):
    """One move of one arm, inches; 0 where it may not go (OMOG-2)."""

    road_in: Inches
    open_in: Inches
    uphill_road_in: Inches
    uphill_in: Inches
    swamp_in: Inches
    ford_in: Inches
    wood_in: Inches
    climb_in: Inches


class Weapon(_Row):
    """Up to how many inches which number hits, nearest first (OMOG-3.1)."""

    bands: tuple[tuple[Inches, Pip], ...]


class Modifiers(_Row):
    """Added to the die that shoots (OMOG-3.2)."""

    wood: int
    house: int
    low_wall: int
    high_wall: int
    crest: int
    leaning: int
    mounted_moved: int
    above: int


class Distances(_Row):
    """Lengths that the notes name."""

    cohesion_in: Inches
    crest_in: Inches
    wall_cover_in: Inches
    low_wall_mm: Inches
    wood_depth_in: Inches
    touch_mm: Inches
    cavalry_charge_in: Inches
    bayonet_charge_in: Inches
    repel_in: Inches
    hill_height_mm: Inches


class FieldGun(_Row):
    """The field gun (OMOG-4)."""

    shell_from_in: Inches
    shell_to_in: Inches
    burst_in: Inches
    canister_in: Inches
    canister_base_in: Inches
    crew_in: Inches
    push_crew: int
    fire_crew: int
    full_fire_crew: int
    shells: int
    canister: int
    drift_side_in: Inches
    drift_beyond_in: Inches


class Bonuses(_Row):
    """Added to the die hand to hand (OMOG-5.1)."""

    mounted_v_foot: int
    heavy_charging_foot: int
    lancer_charging_cavalry: int
    heavy_charging_light: int
    bayonet: int
    bayonet_charge: int
    elite: int
    against_armour: int
    two_on_one: int
    third_of_three: int


class Turn(_Row):
    """Numbers of the turn (OMOG-1.3, 2.4, 6)."""

    men_per_square_foot: float = Field(gt=0)
    mounting_share: float = Field(gt=0, lt=1)
    clock_s: float = Field(gt=0)
    hold_turns: int = Field(ge=1)


class Tables(_Row):
    """All of `tables.toml`."""

    allowance: dict[str, Allowance]
    weapon: dict[str, Weapon]
    modifier: Modifiers
    distance: Distances
    gun: FieldGun
    save: dict[str, Pip]
    bonus: Bonuses
    role: dict[str, tuple[str, ...]]
    legend: dict[str, str]
    turn: Turn


@cache
def tables() -> Tables:
    """The packaged tables; ValueError names the line and the key at fault."""
    return packaged_table(Tables, "rules.games.omog", "tables.toml")
