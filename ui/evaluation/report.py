"""The scores as a table for people."""

from __future__ import annotations

from typing import Any

_HEAD = ("kind", "known", "found", "false", "right", "wrong", "unknown", "median mm", "p95 mm", "in 95 %")


def table(kinds: dict[str, Any]) -> str:
    """One line a kind; a dash where nothing was measured."""
    rows = [_HEAD, *(_row(kind, scores) for kind, scores in kinds.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


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
