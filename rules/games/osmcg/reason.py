"""Why something may be or may not be: conditions with their rules, and the one that decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.margin import REFUSED, Margin, all_of, decider


@dataclass(frozen=True)
class Reason:
    """One condition: its rule, how well it holds, what to say, and the other piece that it is about.

    contact_sigma_mm   sigma of a gap that is never too close to call (OSMCG-2.2): it is told, but does not decide
    """

    rule: str
    margin: Margin
    why: str
    other: str | None = None
    contact_sigma_mm: float = 0.0


def deciding(reasons: Sequence[Reason]) -> Reason:
    """The reason that all of them together hang on (C3.4)."""
    margins = [reason.margin for reason in reasons]
    return replace(reasons[decider(margins)], margin=all_of(margins))


def refused(rule: str, why: str, other: str | None = None) -> Reason:
    """A condition that fails by no distance."""
    return Reason(rule, REFUSED, why, other)
