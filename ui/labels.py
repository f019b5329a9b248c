"""Placing labels so that none covers another, few cover a piece, the text stays in the picture and near its mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, QSizeF

# Sides to try, in order, as (x, y) steps from the mark's box: above, below, right, left, then the corners.
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
# Two marks nearer than this many label heights that say the same need to say it once.
_SAME_WITHIN = 3.0


@dataclass(frozen=True)
class Label:
    """A text with the box (px) of the mark that it belongs to."""

    text: str
    beside: QRectF
    colour: str


@dataclass(frozen=True)
class Room:
    """Where labels may go: inside `picture`, never over `taken` (a banner), and over `pieces` only at need. px."""

    picture: QRectF
    taken: tuple[QRectF, ...] = ()
    pieces: tuple[QRectF, ...] = ()
    gap_px: float = 4.0


def place_labels(labels: Sequence[Label], sizes: Sequence[QSizeF], room: Room) -> list[tuple[Label, QRectF]]:
    """Each label with its box, in the order given; one that finds no free place near its mark is left out."""
    placed: list[tuple[Label, QRectF]] = []
    for label, size in zip(labels, sizes, strict=True):
        if not _is_said(label, size, placed):
            taken = (*room.taken, *(box for _, box in placed))
            box = _best_box(label.beside, size, taken, room)
            if box is not None:
                placed.append((label, box))
    return placed


def _is_said(label: Label, size: QSizeF, placed: list[tuple[Label, QRectF]]) -> bool:
    near = _SAME_WITHIN * size.height()
    offsets = [other.beside.center() - label.beside.center() for other, _ in placed if other.text == label.text]
    return any(abs(offset.x()) + abs(offset.y()) < near for offset in offsets)


def _best_box(beside: QRectF, size: QSizeF, taken: Sequence[QRectF], room: Room) -> QRectF | None:
    """The free box that covers the least of the pieces; among equals the nearest, above before below."""
    boxes = [
        _box_at(beside, size, side, room.gap_px + step * size.height()) for step in (0.0, 1.0, 2.0) for side in _SIDES
    ]
    free = [box for box in boxes if room.picture.contains(box) and not any(box.intersects(t) for t in taken)]
    return min(free, key=lambda box: _covered(box, room.pieces), default=None)


def _covered(box: QRectF, pieces: Sequence[QRectF]) -> float:
    overlaps = [box.intersected(piece) for piece in pieces if box.intersects(piece)]
    return sum(overlap.width() * overlap.height() for overlap in overlaps)


def _box_at(beside: QRectF, size: QSizeF, side: tuple[int, int], distance: float) -> QRectF:
    reach_x = (beside.width() + size.width()) / 2 + distance
    reach_y = (beside.height() + size.height()) / 2 + distance
    box = QRectF(QPointF(0, 0), size)
    box.moveCenter(beside.center() + QPointF(side[0] * reach_x, side[1] * reach_y))
    return box
