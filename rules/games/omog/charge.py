"""Charges: who may declare one against whom (OMOG-5.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rules.games.omog.limit import SAME_MM, inches
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.margin import Margin, at_least
from rules.scene import Point2


def charge_margin(man: Soldier, target: Soldier, from_mm: Point2 | None = None) -> Margin | None:
    """The margin of starting far enough away; None for whoever has nothing to charge with.

    Cavalry starts more than 4 inches away, the bayonet at least 2.
    """
    limit_in = charge_limit_in(man)
    if limit_in is None:
        return None
    distance_mm = math.dist(from_mm or man.position_mm, target.position_mm)
    margin = at_least(distance_mm, limit_in * INCH_MM, man.sigma_to_mm(target))
    # "More than" for cavalry: exactly 4 inches is too near.
    exact = abs(margin.margin_mm) < SAME_MM
    return Margin(-SAME_MM if man.arm == "mounted" else 0.0, margin.sigma_mm) if exact else margin


def charge_limit_in(man: Soldier) -> float | None:
    """From how many inches he may charge; None for whoever has nothing to charge with (OMOG-5.2)."""
    if man.arm == "mounted":
        return tables().distance.cavalry_charge_in
    return tables().distance.bayonet_charge_in if man.arm == "foot" and "bayonet" in man.words else None


def charge_options(man: Soldier, target: Soldier) -> Mapping[str, Any]:
    """For a `target`: whether a charge may be declared from here, and why; empty for whoever cannot charge."""
    margin = charge_margin(man, target)
    if margin is None or target.arm == "gun":
        return {}
    kind, word = ("cavalry", "more than") if man.arm == "mounted" else ("bayonet", "at least")
    charge: dict[str, Any] = {"kind": kind, "rule": "OMOG-5.2"}
    if man.known.get("charged"):
        return {"charge": {**charge, "verdict": "no", "why": f"{man.name} has charged already"}}
    limit_in = charge_limit_in(man)
    why = f"{kind} charge from {inches(man.distance_mm(target), limit_in)}, {word} {limit_in:g} in"
    return {"charge": {**charge, "verdict": margin.verdict, "margin_mm": round(margin.margin_mm, 4), "why": why}}
