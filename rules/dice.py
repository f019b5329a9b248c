"""Dice: exact odds of the highest die against the highest (OMMS-5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

SIDES = 6


@dataclass(frozen=True)
class Odds:
    """How likely the first side is to win, tie and lose; they add up to 1."""

    win: Fraction
    tie: Fraction
    lose: Fraction

    def document(self) -> dict[str, str]:
        """As in a ruling file: {"win": "5/12", "tie": "1/6", "lose": "5/12"}."""
        return {"win": str(self.win), "tie": str(self.tie), "lose": str(self.lose)}


def highest_is(face: int, dice: int) -> Fraction:
    """The chance that the highest of some dice shows exactly that face.

    >>> highest_is(6, 2)
    Fraction(11, 36)
    """
    return Fraction(face**dice - (face - 1) ** dice, SIDES**dice)


@lru_cache(maxsize=64)
def odds(attack_dice: int, defence_dice: int) -> Odds:
    """The odds of the attacker when each side takes its highest die; both need at least one.

    Raises ValueError for fewer.

    >>> odds(1, 1).document()
    {'win': '5/12', 'tie': '1/6', 'lose': '5/12'}
    """
    if attack_dice < 1 or defence_dice < 1:
        raise ValueError(f"each side rolls at least one die, not {attack_dice} against {defence_dice}")
    faces = range(1, SIDES + 1)
    tie = sum((highest_is(face, attack_dice) * highest_is(face, defence_dice) for face in faces), Fraction(0))
    below = [Fraction(face - 1, SIDES) ** defence_dice for face in faces]
    win = sum((highest_is(face, attack_dice) * under for face, under in zip(faces, below, strict=True)), Fraction(0))
    return Odds(win, tie, 1 - win - tie)
