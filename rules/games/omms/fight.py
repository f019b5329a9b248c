"""The dice of a declared attack, typed or read from the table (OMMS-5.4).

The state's counter `attack` is {"piece": ID, "other": ID}, the attack that was declared last; the match keeps it from
the `attack` event until the turn passes on. It may carry the dice: "attack_dice": [6, 2], "defence_dice": [3]. Without,
each player's dice are those on his side of the table, and both sides must have thrown as many as the odds say.

`earlier_attacks` are those of the turn that were declared before it and of which both coins lie there still, with their
dice as they lay then: who lost may be taken away later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rules.game import Ruling, ruling_from
from rules.games.omms.condition import fact
from rules.games.omms.sides import things_of
from rules.games.omms.told import face
from rules.games.omms.whose_turn import ATTACK, in_turn

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
from rules.margin import UNTOLD

Outcome = Literal["win", "tie", "lose"]

EARLIER = "earlier_attacks"
_DICE = ("attack_dice", "defence_dice")


def outcome(attack: Sequence[int], defence: Sequence[int]) -> Outcome:
    """How an attack ends for the attacker: each side takes its highest die, equal dice are a stand-off.

    Raises ValueError unless both sides threw.
    """
    if not attack or not defence:
        raise ValueError("both sides of an attack throw at least one die")
    mine, theirs = max(attack), max(defence)
    if mine == theirs:
        return "tie"
    return "win" if mine > theirs else "lose"


def melee_rulings(table: Table) -> tuple[Ruling, ...]:
    """How the declared attack ends: yes = the defender is destroyed, close = the dice are not all there; or nothing.

    One that was declared out of turn destroys nobody.
    """
    return _fights(table, table.state.counters.get(ATTACK))


def all_fights(table: Table) -> tuple[Ruling, ...]:
    """The same of all attacks that were declared this turn and may yet take a coin away."""
    before = table.state.counters.get(EARLIER, ())
    return (*(fight for declared in before for fight in _fights(table, declared)), *melee_rulings(table))


def earlier(table: Table, attacker: object) -> list[dict[str, Any]]:
    """The counter `earlier_attacks` when a unit declares another attack, or its own anew; a stand-off takes nobody
    away."""
    return [
        {"piece": fight.piece, "other": fight.other, **{side: fight.extra[side] for side in _DICE}}
        for fight in all_fights(table)
        if fight.piece != attacker and fight.extra.get("lost", "") is not None
    ]


def _fights(table: Table, declared: object) -> tuple[Ruling, ...]:
    if not isinstance(declared, Mapping):
        return ()
    pair = [str(declared.get(role)) for role in ("piece", "other")]
    if not all(name in table.coins for name in pair):
        return ()
    attacker, defender = (table.coins[name] for name in pair)
    if not attacker.is_unit or not defender.is_unit or not defender.is_enemy(attacker.owner):
        return ()
    return (_melee(table, attacker, defender, declared),)


def _melee(table: Table, attacker: Coin, defender: Coin, declared: Mapping[str, Any]) -> Ruling:
    mine = _faces(table, attacker, declared.get("attack_dice"))
    theirs = _faces(table, defender, declared.get("defence_dice"))
    wanted = table.attack_dice_of(attacker), table.defence_dice_of(defender)
    extra: dict[str, Any] = {"attack_dice": mine, "defence_dice": theirs, "phase": ATTACK}
    turn = in_turn(table, attacker)
    if not turn.holds:
        why = f"{attacker} may not attack {defender}: {turn.why}"
        extra["lost"] = None
        return ruling_from(
            turn.margin, kind="melee", piece=attacker.id, rule=turn.rule, why=why, other=defender.id, extra=extra
        )
    if (len(mine), len(theirs)) not in (wanted, *_wanted_otherwise(table, attacker, defender)):
        why = f"{attacker} throws {wanted[0]} and {defender} {wanted[1]} dice; {len(mine)} and {len(theirs)} are seen"
        return ruling_from(
            UNTOLD, kind="melee", piece=attacker.id, rule="OMMS-5.4", why=why, other=defender.id, extra=extra
        )
    how = outcome(mine, theirs)
    lost = {"win": defender, "tie": None, "lose": attacker}[how]
    extra |= {"outcome": how, "lost": lost.id if lost else None, "steals": how == "win"}
    what = {"win": f"{defender} is gone and a card is stolen, if there is one", "tie": "a stand-off"}
    why = f"{max(mine)} against {max(theirs)}: {what.get(how, f'{attacker} is gone')}"
    won = fact(how == "win", "OMMS-5.4", why)
    return ruling_from(
        won.margin, kind="melee", piece=attacker.id, rule=won.rule, why=why, other=defender.id, extra=extra
    )


def _wanted_otherwise(table: Table, attacker: Coin, defender: Coin) -> list[tuple[int, int]]:
    """How many dice each side may throw as well, where it is too close to call what defends."""
    return [(one.attack_dice_of(attacker), one.defence_dice_of(defender)) for one in table.otherwise.values()]


def _faces(table: Table, unit: Coin, told: object) -> list[int]:
    """The faces of a side's dice, typed or seen."""
    if isinstance(told, list):
        return [face(shown, "the state's attack, its dice") for shown in told]
    return faces_of(table, unit.owner)


def faces_of(table: Table, owner: str) -> list[int]:
    """The faces of the dice on a player's side of the table."""
    return [int(die.cls) for die in things_of(table, owner, "die") if die.cls.isdigit()]
