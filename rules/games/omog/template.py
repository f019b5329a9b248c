"""The templates of a field gun's shot: where they may come to lie, and who is under them (OMOG-4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.laid import Laid
from rules.games.omog.limit import SAME_MM
from rules.games.omog.save import save_of
from rules.games.omog.soldier import Figure, Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Land
from rules.geometry.templates import TOUCH_MM, disc, triangle
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm
from rules.scene import Point2

CANISTER = "canister"


@dataclass(frozen=True, eq=False)
class Case:
    """Where the template of a shot may come to lie, one way or the other; `margin` tells how sure it is to be laid."""

    name: str
    gun: Soldier
    target: Soldier
    land: Land
    margin: Margin
    laid: Laid

    def near(self, figures: Iterable[Figure]) -> tuple[Figure, ...]:
        """The figures that it may cover, the gun aside."""
        sigma_mm = self.gun.sigma_to_mm(self.target)
        others = (figure for figure in figures if figure.piece.id != self.gun.id)
        return tuple(one for one in others if self.laid.may_cover(one, CLOSE_SIGMAS * (sigma_mm + one.piece.sigma_mm)))


def is_for_canister(distance_mm: float) -> bool:
    """Whether a target so far away is fired at with canister, not with a shell."""
    return distance_mm < tables().gun.shell_from_in * INCH_MM - SAME_MM


def bursts(gun: Point2, target: Point2) -> dict[str, Point2]:
    """Where the shell bursts in each case; left and right are the gunner's (OMOG-4.1)."""
    table = tables().gun
    forward = np.subtract(target, gun) / math.dist(target, gun)
    left = np.array((-forward[1], forward[0]))
    shifts = {
        "on": np.zeros(2),
        "left": left * table.drift_side_in * INCH_MM,
        "right": -left * table.drift_side_in * INCH_MM,
        "beyond": forward * table.drift_beyond_in * INCH_MM,
    }
    return {case: (float(target[0] + x), float(target[1] + y)) for case, (x, y) in shifts.items()}


def cases_of(gun: Soldier, target: Soldier, land: Land, margin: Margin) -> tuple[Case, ...]:
    """The cases of a shot that is as sure as `margin` tells."""
    return tuple(Case(name, gun, target, land, margin, laid) for name, laid in _laid(gun, target).items())


def _laid(gun: Soldier, target: Soldier) -> dict[str, Laid]:
    muzzle, table = gun.position_mm, tables().gun
    if gun.position_mm == target.position_mm:
        return {}
    if is_for_canister(gun.distance_mm(target)):
        length_mm, base_mm = table.canister_in * INCH_MM, table.canister_base_in * INCH_MM
        return {CANISTER: Laid(triangle(muzzle, target.position_mm, length_mm, base_mm), muzzle)}
    radius_mm = table.burst_in / 2 * INCH_MM
    return {case: Laid(disc(at, radius_mm), at, radius_mm) for case, at in bursts(muzzle, target.position_mm).items()}


@lru_cache(maxsize=16384)
def ruled(case: Case, near: tuple[Figure, ...]) -> Ruling:
    """Who is under a template; kept while nobody moves whom it may cover."""
    gun, target, laid = case.gun, case.target, case.laid
    aimed_mm = gun.sigma_to_mm(target)
    depths = _depths(laid, near, aimed_mm)
    hit = [id_ for id_, depth in depths.items() if depth.margin_mm > 0]
    close = [id_ for id_, depth in depths.items() if depth.verdict == "close"]
    men = [figure.piece for figure in near if figure.piece.id in {*hit, *close}]
    saves = {man.id: save_of(man, laid.impact, case.land, aimed_mm) for man in men}
    extra: dict[str, Any] = {"case": case.name, "hit": hit, "hit_close": close, "phase": "fire"}
    extra["saves"] = {id_: save.die for id_, save in saves.items() if save.die is not None}
    extra["saves_close"] = [id_ for id_, save in saves.items() if save.is_close]
    extra["impact_mm"] = [round(laid.impact[0], 4), round(laid.impact[1], 4)]
    rule = "OMOG-4.2" if case.name == CANISTER else "OMOG-4.1"
    return ruling_from(
        case.margin, kind="template", piece=gun.id, other=target.id, rule=rule, why=_told(gun, target, extra),
        geometry=laid.shape, extra=extra, marks=(Mark("template", laid.shape, case.name),),
    )  # fmt: skip


def _depths(laid: Laid, figures: Sequence[Figure], sigma_mm: float) -> dict[str, Margin]:
    """How surely each figure is under the template, by id."""
    depths_mm = laid.depths_mm([figure.base for figure in figures])
    return {
        figure.piece.id: Margin(depth_mm - TOUCH_MM, pair_sigma_mm(sigma_mm, figure.piece.sigma_mm))
        for figure, depth_mm in zip(figures, depths_mm, strict=True)
    }


def _told(gun: Soldier, target: Soldier, extra: Mapping[str, Any]) -> str:
    names = ", ".join(extra["hit"]) or "nobody"
    saved = "".join(f"; {man} saves on {die} or more" for man, die in extra["saves"].items())
    unsure = f"; too close to call: {', '.join(extra['hit_close'])}" if extra["hit_close"] else ""
    unsure += "".join(f"; whether cover saves {man} is too close to call" for man in extra["saves_close"])
    return f"{gun.name} at {target.name}, {extra['case']}: {names} under the template{saved}{unsure}"
