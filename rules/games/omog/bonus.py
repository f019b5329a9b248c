"""What is added to the die hand to hand, and what of that is too close to call (OMOG-5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rules.games.omog.charge import charge_margin
from rules.games.omog.fights import Fights, Question, touches
from rules.games.omog.footing import stands_on
from rules.games.omog.limit import SAME_MM, within
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Terrain
from rules.margin import CERTAIN, Margin
from rules.scene import Point2

_THIRD = 3
# No lance is couched there.
_CLOSED = ("house", "wood", "swamp", "river")


@dataclass(frozen=True)
class Bonus:
    """One line of OMOG-5.1: what is added to the die, and why."""

    die: int
    why: str


def bonuses(man: Soldier, foe: Soldier, fights: Fights) -> tuple[Bonus, ...]:
    """Everything that is added to his die against that foe."""
    table = tables().bonus
    found = [] if _is_repelled(man, foe, fights) else _cavalry(man, foe, fights)
    found += _bayonet(man, foe, fights)
    if "elite" in man.words:
        found.append(Bonus(table.elite, f"{man.id} is elite"))
    if "armour" in foe.words:
        found.append(Bonus(table.against_armour, f"{foe.id} wears armour"))
    return (*found, *_numbers(man, foe, fights))


def _cavalry(man: Soldier, foe: Soldier, fights: Fights) -> list[Bonus]:
    if man.arm != "mounted":
        return []
    table, charges, found = tables().bonus, _charges(man, foe, fights), []
    if foe.arm == "foot" and charges and "heavy" in man.words:
        found.append(Bonus(table.heavy_charging_foot, f"{man.id}, heavy cavalry, charges foot"))
    elif foe.arm == "foot":
        found.append(Bonus(table.mounted_v_foot, f"{man.id} is mounted against foot"))
    if foe.arm == "mounted" and charges and "lancer" in man.words and _in_the_open(man, foe, fights):
        found.append(Bonus(table.lancer_charging_cavalry, f"{man.id}, a lancer, charges cavalry in the open"))
    if foe.arm == "mounted" and charges and "heavy" in man.words and "light" in foe.words:
        found.append(Bonus(table.heavy_charging_light, f"{man.id}, heavy cavalry, charges light cavalry"))
    return found


def _bayonet(man: Soldier, foe: Soldier, fights: Fights) -> list[Bonus]:
    if man.arm != "foot" or "bayonet" not in man.words:
        return []
    found = [Bonus(tables().bonus.bayonet, f"{man.id} has a bayonet")]
    if _charges(man, foe, fights) and not _is_in(man, fights, "house", "wood"):
        found.append(Bonus(tables().bonus.bayonet_charge, f"{man.id} charges with the bayonet"))
    return found


def _charges(man: Soldier, foe: Soldier, fights: Fights) -> bool:
    """Whether his charge counts: declared, the first, and, if the state says `from_mm`, from far enough away."""
    if not man.charging or man.known.get("charged"):
        return False
    margin = _start_margin(man, foe)
    return margin is None or fights.holds(_starts_far(man, foe), nominal=margin.margin_mm >= 0)


def _start_margin(man: Soldier, foe: Soldier) -> Margin | None:
    """The margin of his charge beginning far enough away; None where the state does not say where it began."""
    start = _start_of(man)
    return None if start is None else charge_margin(man, foe, start)


def _starts_far(man: Soldier, foe: Soldier) -> Question:
    return Question(man.id, "began his charge far enough from", foe.id)


def _start_of(man: Soldier) -> Point2 | None:
    """Where his charge began, if the state says so."""
    told = man.known.get("from_mm")
    return None if told is None else (float(told[0]), float(told[1]))


def _in_the_open(man: Soldier, foe: Soldier, fights: Fights) -> bool:
    return not any(_is_in(one, fights, *_CLOSED) for one in (man, foe))


def _is_in(man: Soldier, fights: Fights, *meanings: str) -> bool:
    """Whether he stands in ground of one of these kinds."""
    land = fights.field.land
    things = land.of_meaning(*meanings)
    return any(fights.holds(_stands_in(man, thing), nominal=stands_on(man, thing, land)) for thing in things)


def _stands_in(man: Soldier, thing: Terrain) -> Question:
    return Question(man.id, "stands in", thing.name)


def _numbers(man: Soldier, foe: Soldier, fights: Fights) -> list[Bonus]:
    """Two on one: 1 each. Three on one: 1, then 2; the third needs no die."""
    attackers, table = fights.opponents_of(foe), tables().bonus
    if man not in attackers or len(attackers) < 2:
        return []
    place = attackers.index(man) + 1
    if len(attackers) < _THIRD or place == 1:
        return [Bonus(table.two_on_one, f"{len(attackers)} on {foe.id}")]
    return [Bonus(table.third_of_three, f"number {place} of {len(attackers)} on {foe.id}")]


def removed_by_third(a: Soldier, b: Soldier, fights: Fights) -> str | None:
    """Whom the third attacker of the pair removes, if one of the two is a third."""
    for man, foe in ((a, b), (b, a)):
        attackers = fights.opponents_of(foe)
        if man in attackers and attackers.index(man) + 1 >= _THIRD:
            return foe.id
    return None


def _is_repelled(rider: Soldier, foe: Soldier, fights: Fights) -> bool:
    """Three foot in the rider's front, two of them with bayonets facing him, cancel his bonuses (OMOG-5.2)."""
    if rider.arm != "mounted" or foe.arm != "foot":
        return False
    near = [
        man
        for man, margin in _foot_about(rider, fights)
        if fights.holds(_stands_before(man, rider), nominal=margin.margin_mm >= 0)
    ]
    fronts = ((man, _in_front(rider, man, _ahead_deg(rider, foe))) for man in near)
    front = [man for man, margin in fronts if fights.holds(_is_before(man, rider), nominal=margin.margin_mm >= 0)]
    facing = [man for man in front if "bayonet" in man.words and _faces(man, rider, fights)]
    return len(front) >= _THIRD and len(facing) >= 2


def _foot_about(rider: Soldier, fights: Fights) -> Iterator[tuple[Soldier, Margin]]:
    """The foot who stand against a rider, each with the margin of being near enough to repel him."""
    limit_mm = tables().distance.repel_in * INCH_MM
    for man in fights.field.enemies_of(rider):
        if man.arm == "foot":
            yield man, within(rider.distance_mm(man), limit_mm, rider.sigma_to_mm(man))


def _stands_before(man: Soldier, rider: Soldier) -> Question:
    return Question(man.id, f"stands within {tables().distance.repel_in:g} in of", rider.id)


def _ahead_deg(man: Soldier, foe: Soldier) -> float:
    """Whither he faces; who was not seen facing anywhere is taken to face his foe."""
    (x, y), (foe_x, foe_y) = man.position_mm, foe.position_mm
    facing = man.piece.facing_deg
    return math.degrees(math.atan2(foe_y - y, foe_x - x)) if facing is None else facing


def _in_front(man: Soldier, other: Soldier, ahead_deg: float) -> Margin:
    """How far the other stands before the line abreast of a man who faces that way: on it he is in the front half."""
    (x, y), (other_x, other_y), ahead = man.position_mm, other.position_mm, math.radians(ahead_deg)
    before_mm = (other_x - x) * math.cos(ahead) + (other_y - y) * math.sin(ahead)
    return Margin(0.0 if abs(before_mm) < SAME_MM else before_mm, man.sigma_to_mm(other))


def _is_before(man: Soldier, other: Soldier) -> Question:
    return Question(man.id, "stands in front of", other.id)


def _faces(man: Soldier, rider: Soldier, fights: Fights) -> bool:
    """Whether the rider is in his front half."""
    margin = _in_front(man, rider, _ahead_deg(man, rider))
    return fights.holds(_is_before(rider, man), nominal=margin.margin_mm >= 0)


def doubts(a: Soldier, b: Soldier, fights: Fights) -> Iterator[Question]:
    """What is too close to call of all that the bonuses of the two may hang on, but for their own touch."""
    for question, margin in _distances(a, b, fights):
        if margin.verdict == "close":
            yield question


def _distances(a: Soldier, b: Soldier, fights: Fights) -> Iterator[tuple[Question, Margin]]:
    pairs = ((one, other, margin) for one, other, margin in fights.pairs if {one.id, other.id} != {a.id, b.id})
    yield from ((touches(one, other), margin) for one, other, margin in pairs if a in (one, other) or b in (one, other))
    for man, foe in ((a, b), (b, a)):
        if man.charging:
            yield _starts_far(man, foe), _start_margin(man, foe) or CERTAIN
        if man.arm == "mounted":
            yield from ((_stands_before(one, man), margin) for one, margin in _foot_about(man, fights))
            yield from _fronts(man, foe, fights)
        if a.charging or b.charging:
            things = fights.field.land.of_meaning(*_CLOSED)
            yield from ((_stands_in(man, thing), _edge_margin(man, thing)) for thing in things)


def _fronts(rider: Soldier, foe: Soldier, fights: Fights) -> Iterator[tuple[Question, Margin]]:
    """Who stands in the front half of whom, of a rider and the foot about him."""
    for man, _ in _foot_about(rider, fights):
        yield _is_before(man, rider), _in_front(rider, man, _ahead_deg(rider, foe))
        yield _is_before(rider, man), _in_front(man, rider, _ahead_deg(man, rider))


def _edge_margin(man: Soldier, thing: Terrain) -> Margin:
    """How far the edge of the thing is from him, whichever side he stands on; certain for who was put on it."""
    return CERTAIN if man.piece.on == thing.id else thing.edge_margin(man.piece)
