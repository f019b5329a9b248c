"""The scores as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

_HEAD = ("kind", "known", "found", "false", "right", "wrong", "unknown", "median mm", "p95 mm", "in 95 %")


class Failure(NamedTuple):
    """A picture that could not be looked at. It counts as a miss of all on it, unless the folder is at fault."""

    file: str
    why: str
    is_missed: bool

    @property
    def line(self) -> str:
        """For the person."""
        return f"{self.file}: {'all on it counts as missed' if self.is_missed else 'not scored'}: {self.why}"

    def document(self) -> dict[str, str]:
        """JSON-ready."""
        return {"file": self.file, "why": self.why}


def table(kinds: dict[str, Any]) -> str:
    """One line a kind; a dash where nothing was measured."""
    rows = [_HEAD, *(_row(kind, scores) for kind, scores in kinds.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def failures(failed: Sequence[Failure], pictures: int) -> list[str]:
    """How many pictures failed and why, a line each, and whether they count."""
    if not failed:
        return []
    return [f"failed: {len(failed)} of {pictures} pictures", *(each.line for each in failed)]


def _row(kind: str, scores: dict[str, Any]) -> tuple[str, ...]:
    shares, position = scores["class"]["shares"], scores.get("position", {})
    recall = "-" if scores["recall"] is None else f"{scores['recall']:.1%}"
    return (
        kind,
        str(scores["known"]),
        recall,
        str(scores["false"]),
        *(f"{shares[key]:.1%}" if shares else "-" for key in ("right", "wrong", "unknown")),
        *(f"{position[key]:.2f}" if position else "-" for key in ("median_mm", "p95_mm")),
        f"{position['within_95_interval']:.1%}" if position else "-",
    )
