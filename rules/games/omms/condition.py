"""What must hold for a verdict, and how several conditions make one (C3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.margin import CERTAIN, REFUSED, ROUNDING_MM, Margin, Verdict, beyond_doubt

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Condition:
    """One thing that must hold, with the sentence that says so if it decides.

    verdict  of the margin; of the facts where no distance is measured
    """

    holds: bool
    verdict: Verdict
    margin: Margin
    rule: str
    why: str


def measured(margin: Margin, rule: str, why: str) -> Condition:
    """A condition on a distance."""
    return Condition(margin.margin_mm >= -ROUNDING_MM, margin.verdict, margin, rule, why)


def fact(holds: bool, rule: str, why: str) -> Condition:
    """A condition on something that is known, not measured."""
    return Condition(holds, "yes" if holds else "no", CERTAIN if holds else REFUSED, rule, why)


def refused(margin: Margin | None, rule: str, why: str) -> Condition:
    """A condition that fails, whatever the error of the distance that tells by how much; None where none tells it."""
    told = REFUSED if margin is None else beyond_doubt(margin)
    return Condition(False, "no", told, rule, why)


def decide(conditions: Sequence[Condition]) -> tuple[Verdict, Condition]:
    """The verdict of all conditions together, and the one that decides; the earlier of equals.

    Close if moving any one of the distances by 3 sigma would change it: with two that fail, no single one can.
    """
    failing = [condition for condition in conditions if not condition.holds]
    if len(failing) > 1:
        certain = [condition for condition in failing if condition.verdict == "no"]
        first = (certain or failing)[0]
        return "no", replace(first, margin=beyond_doubt(first.margin))
    if failing:
        return failing[0].verdict, failing[0]
    close = [condition for condition in conditions if condition.verdict == "close"]
    if close:
        return "close", min(close, key=lambda condition: condition.margin.margin_mm)
    told = [condition for condition in conditions if condition.margin is not CERTAIN]
    return "yes", min(told or conditions, key=lambda condition: condition.margin.margin_mm)
