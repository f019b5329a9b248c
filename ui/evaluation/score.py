"""Counts and errors of found pieces against known ones, a kind at a time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rules.scene import UNKNOWN, Piece
from ui.evaluation.pairing import paired
from ui.evaluation.truth import Known

# In 95 % of all cases a place in the plane lies within this many sigma of either coordinate: sqrt(-2 ln 0.05).
SIGMAS_95 = 2.45


@dataclass
class Answers:
    """How often a question was answered right, wrong, or with `unknown`."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    @property
    def asked(self) -> int:
        """How often the question was asked."""
        return self.right + self.wrong + self.unknown

    def count(self, truth: str, said: str) -> None:
        """Count one answer. A truth with a "?" (a king of some suit) is met by anything that it begins."""
        if said == UNKNOWN:
            self.unknown += 1
        elif said == truth or (truth.endswith("?") and said[:-1] == truth[:-1]):
            self.right += 1
        else:
            self.wrong += 1

    def document(self) -> dict[str, Any]:
        """Counts and, where there are any, shares."""
        total = self.asked
        shares = {key: round(getattr(self, key) / total, 5) for key in ("right", "wrong", "unknown")} if total else {}
        return {"asked": total, "right": self.right, "wrong": self.wrong, "unknown": self.unknown, "shares": shares}


@dataclass
class KindScore:
    """All that is scored of one kind."""

    known: int = 0
    found: int = 0
    false: int = 0
    cls: Answers = field(default_factory=Answers)
    face: Answers = field(default_factory=Answers)
    owner: Answers = field(default_factory=Answers)
    head: Answers = field(default_factory=Answers)
    level: Answers = field(default_factory=Answers)
    errors_mm: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)
    turned_deg: list[float] = field(default_factory=list)
    too_tall_mm: list[float] = field(default_factory=list)

    def add(self, known: Known, piece: Piece) -> None:
        """Score a found piece against what it is."""
        self.found += 1
        if known.cls != UNKNOWN:
            self.cls.count(known.cls, piece.cls)
        if known.face not in (None, UNKNOWN):
            self.face.count(str(known.face), piece.face)
        if known.owner not in (None, UNKNOWN):
            self.owner.count(str(known.owner), piece.owner)
        if known.head_deg is not None:
            self.head.count("ahead", _end(piece.rotation_deg - known.head_deg))
        if known.level is not None:
            self.level.count(str(known.level), UNKNOWN if piece.level is None else str(piece.level))
        if known.position_mm is not None:
            error_mm = math.dist(known.position_mm, piece.position_mm)
            self.errors_mm.append(error_mm)
            self.covered.append(error_mm <= SIGMAS_95 * piece.sigma_mm)
        if known.footprint is not None:
            union = known.footprint.union(piece.footprint).area
            self.overlaps.append(known.footprint.intersection(piece.footprint).area / union if union else 0.0)
        if known.facing_deg is not None and piece.facing_deg is not None:
            self.turned_deg.append(abs((piece.facing_deg - known.facing_deg + 180) % 360 - 180))
        if known.height_mm is not None and piece.height_mm is not None:
            self.too_tall_mm.append(abs(piece.height_mm - known.height_mm))

    def document(self) -> dict[str, Any]:
        """The scores, JSON-ready; what was not measured is left out."""
        scores: dict[str, Any] = {
            "known": self.known,
            "found": self.found,
            "recall": round(self.found / self.known, 5) if self.known else None,
            "false": self.false,
            "class": self.cls.document(),
        }
        for name, answers in (
            ("face", self.face),
            ("owner", self.owner),
            ("head", self.head),
            ("level", self.level),
        ):
            if answers.asked:
                scores[name] = answers.document()
        if self.errors_mm:
            scores["position"] = _position(self.errors_mm, self.covered)
            scores["footprint_iou"] = _quantiles(self.overlaps, (0.05, 0.5))
        for name, errors in (("facing_error_deg", self.turned_deg), ("height_error_mm", self.too_tall_mm)):
            if errors:
                scores[name] = _quantiles(errors, (0.5, 0.95))
        return scores


def _end(turned_deg: float) -> str:
    """Which end of a match was taken for its head; `turned_deg` is how far the seen direction is off the true one."""
    return "ahead" if math.cos(math.radians(turned_deg)) > 0 else "behind"


def _position(errors_mm: list[float], covered: list[bool]) -> dict[str, Any]:
    median, p95 = np.quantile(errors_mm, (0.5, 0.95))
    return {
        "median_mm": round(float(median), 4),
        "p95_mm": round(float(p95), 4),
        "worst_mm": round(max(errors_mm), 4),
        "within_95_interval": round(sum(covered) / len(covered), 5),
    }


def _quantiles(values: list[float], at: tuple[float, ...]) -> dict[str, float]:
    return {f"p{round(100 * q):02d}": round(float(v), 4) for q, v in zip(at, np.quantile(values, at), strict=True)}


@dataclass
class Score:
    """The scores of all pictures, by kind."""

    kinds: dict[str, KindScore] = field(default_factory=lambda: defaultdict(KindScore))

    def add(self, known: Sequence[Known], found: Sequence[Piece]) -> None:
        """Score one picture."""
        pairs = paired(known, found)
        for i, j in pairs:
            if known[i].must_find:
                self.kinds[known[i].kind].add(known[i], found[j])
        for thing in known:
            self.kinds[thing.kind].known += thing.must_find
        taken = {j for _, j in pairs}
        for j, piece in enumerate(found):
            self.kinds[piece.kind].false += j not in taken

    def document(self) -> dict[str, Any]:
        """All scores, JSON-ready, kinds in alphabetical order."""
        return {kind: self.kinds[kind].document() for kind in sorted(self.kinds) if kind != "other"}
