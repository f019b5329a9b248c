"""Hand to hand: who touches whom, both bonuses and the odds (OMOG-5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import shapely

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.charge import charge_margin
from rules.games.omog.footing import stands_on
from rules.games.omog.limit import within
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.margin import Margin
from rules.scene import Point2

_DIE = range(1, 7)
_THIRD = 3


@dataclass(frozen=True)
class Bonus:
    """One line of OMOG-5.1: what is added to the die, and why."""

    die: int
    why: str


@dataclass(frozen=True)
class Fights:
    """All touching pairs of enemies, and who fights how many."""

    field: Battlefield

    @cached_property
    def pairs(self) -> tuple[tuple[Soldier, Soldier, Margin], ...]:
        """Enemies whose bases touch or may touch, in the scene's order."""
        met = [(a, b, touch_margin(a, b)) for a, b in self.field.near_pairs if a.owner != b.owner]
        return tuple((a, b, margin) for a, b, margin in met if margin.verdict != "no")

    def opponents_of(self, man: Soldier) -> tuple[Soldier, ...]:
        """The enemies who touch him, guns aside, in the scene's order."""
        nominal = [(a, b) for a, b, margin in self.pairs if margin.margin_mm >= 0]
        others = [b if a is man else a for a, b in nominal if man in (a, b)]
        return tuple(other for other in others if other.arm != "gun")


@lru_cache(maxsize=4096)
def touch_margin(a: Soldier, b: Soldier) -> Margin:
    """The margin of the bases touching: a gap of at most 3 mm."""
    gap_mm = a.base.gap_mm(b.base)
    return within(gap_mm, tables().distance.touch_mm, a.sigma_to_mm(b))


def is_engaged(man: Soldier, field: Battlefield) -> bool:
    """Whether an enemy's base touches his."""
    return any(touch_margin(man, enemy).margin_mm >= 0 for enemy in field.enemies_of(man))


def engaged(field: Battlefield) -> tuple[Ruling, ...]:
    """One `engaged` for each touching pair (C4.11)."""
    return tuple(_engaged(a, b, margin) for a, b, margin in Fights(field).pairs)


def _engaged(a: Soldier, b: Soldier, margin: Margin) -> Ruling:
    line = shapely.LineString((a.position_mm, b.position_mm))
    why = f"the bases of {a.name} and {b.name} touch: a gap of {tables().distance.touch_mm - margin.margin_mm:.1f} mm"
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
    ours, theirs = bonuses(a, b, fights), bonuses(b, a, fights)
    mine, yours = sum(bonus.die for bonus in ours), sum(bonus.die for bonus in theirs)
    removed = _removed(a, b, fights)
    odds = odds_of(mine, yours)
    extra = {
        "phase": "melee",
        "bonus": mine,
        "other_bonus": yours,
        "bonuses": [{"die": bonus.die, "why": bonus.why} for bonus in ours],
        "other_bonuses": [{"die": bonus.die, "why": bonus.why} for bonus in theirs],
        "odds": odds,
        "tie": fights.field.house("melee_tie"),
        "removes": removed,
    }
    why = f"{a.name} rolls a die {mine:+d}, {b.name} {yours:+d}: {a.id} wins {odds['win']}, ties {odds['tie']}"
    if removed is not None:
        why += f"; as the third on one, he removes {removed} without a roll"
    return ruling_from(
        margin, kind="melee", piece=a.id, other=b.id, rule="OMOG-5.1", why=why, extra=extra,
        geometry=shapely.LineString((a.position_mm, b.position_mm)),
    )  # fmt: skip


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


def bonuses(man: Soldier, foe: Soldier, fights: Fights) -> tuple[Bonus, ...]:
    """Everything that is added to his die against that foe."""
    table, field = tables().bonus, fights.field
    found = [] if _is_repelled(man, foe, field) else _cavalry(man, foe, field)
    found += _bayonet(man, foe, field)
    if "elite" in man.words:
        found.append(Bonus(table.elite, f"{man.id} is elite"))
    if "armour" in foe.words:
        found.append(Bonus(table.against_armour, f"{foe.id} wears armour"))
    return (*found, *_numbers(man, foe, fights))


def _cavalry(man: Soldier, foe: Soldier, field: Battlefield) -> list[Bonus]:
    if man.arm != "mounted":
        return []
    table, charges, found = tables().bonus, _charges(man, foe), []
    if foe.arm == "foot" and charges and "heavy" in man.words:
        found.append(Bonus(table.heavy_charging_foot, f"{man.id}, heavy cavalry, charges foot"))
    elif foe.arm == "foot":
        found.append(Bonus(table.mounted_v_foot, f"{man.id} is mounted against foot"))
    if foe.arm == "mounted" and charges and "lancer" in man.words and _in_the_open(man, foe, field):
        found.append(Bonus(table.lancer_charging_cavalry, f"{man.id}, a lancer, charges cavalry in the open"))
    if foe.arm == "mounted" and charges and "heavy" in man.words and "light" in foe.words:
        found.append(Bonus(table.heavy_charging_light, f"{man.id}, heavy cavalry, charges light cavalry"))
    return found


def _bayonet(man: Soldier, foe: Soldier, field: Battlefield) -> list[Bonus]:
    if man.arm != "foot" or "bayonet" not in man.words:
        return []
    found = [Bonus(tables().bonus.bayonet, f"{man.id} has a bayonet")]
    closed = [thing for thing in field.land.of_meaning("house", "wood") if stands_on(man, thing, field.land)]
    if _charges(man, foe) and not closed:
        found.append(Bonus(tables().bonus.bayonet_charge, f"{man.id} charges with the bayonet"))
    return found


def _charges(man: Soldier, foe: Soldier) -> bool:
    """Whether his charge counts: declared, the first, and, if the state says `from_mm`, from far enough away."""
    if not man.charging or man.known.get("charged"):
        return False
    start = _start_of(man)
    margin = charge_margin(man, foe, start) if start is not None else None
    return margin is None or margin.margin_mm >= 0


def _start_of(man: Soldier) -> Point2 | None:
    """Where his charge began, if the state says so."""
    told = man.known.get("from_mm")
    return None if told is None else (float(told[0]), float(told[1]))


def _in_the_open(man: Soldier, foe: Soldier, field: Battlefield) -> bool:
    closed = field.land.of_meaning("house", "wood", "swamp", "river")
    return not any(stands_on(one, thing, field.land) for thing in closed for one in (man, foe))


def _numbers(man: Soldier, foe: Soldier, fights: Fights) -> list[Bonus]:
    """Two on one: 1 each. Three on one: 1, then 2; the third needs no die."""
    attackers, table = fights.opponents_of(foe), tables().bonus
    if man not in attackers or len(attackers) < 2:
        return []
    place = attackers.index(man) + 1
    if len(attackers) < _THIRD or place == 1:
        return [Bonus(table.two_on_one, f"{len(attackers)} on {foe.id}")]
    return [Bonus(table.third_of_three, f"number {place} of {len(attackers)} on {foe.id}")]


def _removed(a: Soldier, b: Soldier, fights: Fights) -> str | None:
    """Whom the third attacker of the pair removes, if one of the two is a third."""
    for man, foe in ((a, b), (b, a)):
        attackers = fights.opponents_of(foe)
        if man in attackers and attackers.index(man) + 1 >= _THIRD:
            return foe.id
    return None


def _is_repelled(rider: Soldier, foe: Soldier, field: Battlefield) -> bool:
    """Three foot in the rider's front, two of them with bayonets facing him, cancel his bonuses (OMOG-5.2)."""
    if rider.arm != "mounted" or foe.arm != "foot":
        return False
    limit_mm = tables().distance.repel_in * INCH_MM
    foot = [man for man in field.enemies_of(rider) if man.arm == "foot" and rider.distance_mm(man) <= limit_mm]
    ahead = rider.piece.facing_deg
    if ahead is None:
        ahead = _direction_deg(rider, foe)
    front = [man for man in foot if _apart_deg(ahead, _direction_deg(rider, man)) <= 90]
    facing = [man for man in front if "bayonet" in man.words and _faces(man, rider)]
    return len(front) >= _THIRD and len(facing) >= 2


def _direction_deg(a: Soldier, b: Soldier) -> float:
    return math.degrees(math.atan2(b.position_mm[1] - a.position_mm[1], b.position_mm[0] - a.position_mm[0]))


def _apart_deg(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


def _faces(man: Soldier, other: Soldier) -> bool:
    """Whether the other is in his front half; a man whose facing nobody saw is taken to face his enemy."""
    facing = man.piece.facing_deg
    return facing is None or _apart_deg(facing, _direction_deg(man, other)) <= 90
