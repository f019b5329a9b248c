"""Hand to hand: who touches whom, both bonuses and the odds (OMOG-5)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import shapely

from rules.decimals import set_apart
from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.bonus import bonuses, doubts, removed_by_third
from rules.games.omog.fights import Fights, touches
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import tables
from rules.margin import Margin

_DIE = range(1, 7)


def engaged(field: Battlefield) -> tuple[Ruling, ...]:
    """One `engaged` for each touching pair (C4.11)."""
    return tuple(_engaged(a, b, margin) for a, b, margin in Fights(field).pairs)


def _engaged(a: Soldier, b: Soldier, margin: Margin) -> Ruling:
    line = shapely.LineString((a.position_mm, b.position_mm))
    gap_mm, touch = tables().distance.touch_mm - margin.margin_mm, "may touch" if margin.verdict == "close" else "touch"
    why = f"the bases of {a.name} and {b.name} {touch}: a gap of {set_apart(gap_mm, tables().distance.touch_mm, 1)} mm"
    return ruling_from(
        margin, kind="engaged", piece=a.id, other=b.id, rule="OMOG-5.1", why=why, geometry=line,
        extra={"phase": "melee"}, marks=(Mark("engaged", line),),
    )  # fmt: skip


def melees(field: Battlefield) -> tuple[Ruling, ...]:
    """One `melee` for each touching pair of men: both bonuses and the odds."""
    fights = Fights(field)
    men = [(a, b, margin) for a, b, margin in fights.pairs if "gun" not in (a.arm, b.arm)]
    return tuple(_melee(a, b, margin, fights) for a, b, margin in men)


def _melee(a: Soldier, b: Soldier, margin: Margin, fights: Fights) -> Ruling:
    # What is told holds if the two fight, though it may be too close to call whether they touch.
    fought = fights if margin.margin_mm >= 0 else fights.but(touches(a, b))
    ours, theirs = bonuses(a, b, fought), bonuses(b, a, fought)
    mine, yours, removed = outcome = _outcome(a, b, fought)
    odds = odds_of(mine, yours)
    unsure = [question.told for question in doubts(a, b, fought) if _outcome(a, b, fought.but(question)) != outcome]
    extra = {
        "phase": "melee",
        "bonus": mine,
        "other_bonus": yours,
        "bonuses": [{"die": bonus.die, "why": bonus.why} for bonus in ours],
        "other_bonuses": [{"die": bonus.die, "why": bonus.why} for bonus in theirs],
        "bonus_close": bool(unsure),
        "odds": odds,
        "tie": fights.field.house("melee_tie"),
        "removes": removed,
    }
    why = f"{a.name} rolls a die {mine:+d}, {b.name} {yours:+d}: {a.id} wins {odds['win']}, ties {odds['tie']}"
    return ruling_from(
        margin, kind="melee", piece=a.id, other=b.id, rule="OMOG-5.1", why=why + _besides(a, b, removed, unsure),
        extra=extra, geometry=shapely.LineString((a.position_mm, b.position_mm)),
    )  # fmt: skip


def _besides(a: Soldier, b: Soldier, removed: str | None, unsure: Sequence[str]) -> str:
    """The sentence's end: whom the third of three removes, and on what too close to call the bonuses hang."""
    end = ""
    if removed is not None:
        third = a if removed == b.id else b
        end = f"; {third.id}, the third on {removed}, removes him without a roll"
    return end + (f"; that hangs on whether {', and whether '.join(unsure)}: too close to call" if unsure else "")


def _outcome(a: Soldier, b: Soldier, fights: Fights) -> tuple[int, int, str | None]:
    """Both bonuses, and whom the third of three removes."""
    mine, yours = (sum(bonus.die for bonus in bonuses(*pair, fights)) for pair in ((a, b), (b, a)))
    return mine, yours, removed_by_third(a, b, fights)


def odds_of(bonus: int, other_bonus: int) -> Mapping[str, str]:
    """The chances of one roll each, in thirty-sixths made small."""
    leads = [mine + bonus - yours - other_bonus for mine, yours in product(_DIE, _DIE)]
    counts = {"win": sum(lead > 0 for lead in leads), "tie": leads.count(0), "lose": sum(lead < 0 for lead in leads)}
    return {name: _fraction(count, len(leads)) for name, count in counts.items()}


def _fraction(count: int, of: int) -> str:
    if count in (0, of):
        return str(count // of)
    shared = math.gcd(count, of)
    return f"{count // shared}/{of // shared}"
