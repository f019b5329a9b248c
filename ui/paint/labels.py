"""Placing labels so that none covers another, few cover a piece, the text stays in the picture and near its mark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QLineF, QPointF, QRectF, QSizeF

# Sides to try, in order, as (x, y) steps from the mark's box: above, below, right, left, then the corners.
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
# Two marks nearer than this many label heights that say the same need to say it once.
_SAME_WITHIN = 3.0
# Heights on the ground that are tried for its name.
_STEPS_INSIDE = 6
# A mark higher than so many labels is found without a line to it.
_SMALL = 6.0


@dataclass(frozen=True)
class Label:
    """A text with the box (px) of the mark that it belongs to.

    inside   whether it names ground, and is written on it: beside it would lie on the neighbour's
    outline  whether the mark goes round a thing, which is named though its neighbour is called the same
    """

    text: str
    beside: QRectF
    colour: str
    inside: bool = False
    outline: bool = False


@dataclass(frozen=True)
class Room:
    """Where labels may go: inside `picture`, never over `taken` (a banner), and over `pieces` only at need. px."""

    picture: QRectF
    taken: tuple[QRectF, ...] = ()
    pieces: tuple[QRectF, ...] = ()
    gap_px: float = 4.0


def place_labels(labels: Sequence[Label], sizes: Sequence[QSizeF], room: Room) -> list[tuple[Label, QRectF]]:
    """Each label with its box, in the order given; one that finds no free place near its mark is left out.

    Those of things whose neighbour is called the same come last: they take no other label's place.
    """
    placed: list[tuple[Label, QRectF]] = []
    again: list[tuple[Label, QSizeF]] = []
    for label, size in zip(labels, sizes, strict=True):
        if label.inside or not _is_said(label, size, placed):
            _place(label, size, placed, room)
        else:
            again.append((label, size))
    for label, size in again:
        if label.outline and not _is_at_one_place(label, placed):
            _place(label, size, placed, room)
    return placed


def _place(label: Label, size: QSizeF, placed: list[tuple[Label, QRectF]], room: Room) -> None:
    box = _best_box(label, size, (*room.taken, *(box for _, box in placed)), room)
    if box is not None:
        placed.append((label, box))


def _is_said(label: Label, size: QSizeF, placed: Sequence[tuple[Label, QRectF]]) -> bool:
    near = _SAME_WITHIN * size.height()
    offsets = [other.beside.center() - label.beside.center() for other, _ in placed if other.text == label.text]
    return any(offset.manhattanLength() < near for offset in offsets)


def _is_at_one_place(label: Label, placed: Sequence[tuple[Label, QRectF]]) -> bool:
    """Whether what is called the same lies there too, as in a stack."""
    middle = label.beside.center()
    return any(other.beside.contains(middle) for other, _ in placed if other.text == label.text)


def leader(label: Label, box: QRectF, gap_px: float) -> QLineF | None:
    """The line from a label's box to its mark, where that is not next to it: other things may be nearer."""
    mark, offset = label.beside, label.beside.center() - box.center()
    apart = max(
        abs(offset.x()) - (mark.width() + box.width()) / 2, abs(offset.y()) - (mark.height() + box.height()) / 2
    )
    is_straight = min(abs(offset.x()), abs(offset.y())) < gap_px
    if mark.intersects(box) or (is_straight and apart <= 2 * gap_px) or mark.height() > _SMALL * box.height():
        return None
    turn = math.atan2(offset.y() / mark.height(), offset.x() / mark.width()) if mark.height() * mark.width() else 0.0
    rim = QPointF(mark.width() / 2 * math.cos(turn), mark.height() / 2 * math.sin(turn))
    return QLineF(box.center(), mark.center() - rim)


def _best_box(label: Label, size: QSizeF, taken: Sequence[QRectF], room: Room) -> QRectF | None:
    """The free box that covers the least of the pieces; among equals the nearest, above before below.

    What the mark itself lies on, as a coin on a card, may be covered: it is better than its neighbours.
    """
    boxes = _boxes_inside(label.beside, size, room.gap_px) if label.inside else _boxes_beside(label.beside, size, room)
    free = [box for box in boxes if room.picture.contains(box) and not any(box.intersects(t) for t in taken)]
    pieces = [piece for piece in room.pieces if not piece.contains(label.beside)]
    return min(free, key=lambda box: covered_px2(box, pieces), default=None)


def _boxes_beside(beside: QRectF, size: QSizeF, room: Room) -> list[QRectF]:
    gaps_px = (room.gap_px + step * size.height() for step in (0.0, 1.0, 2.0))
    return [_box_at(beside, size, side, gap_px) for gap_px in gaps_px for side in _SIDES]


def _boxes_inside(ground: QRectF, size: QSizeF, gap_px: float) -> list[QRectF]:
    """Across the ground, from its top to its bottom."""
    spare_px = ground.height() - size.height() - 2 * gap_px
    tops = (ground.top() + gap_px + spare_px * step / _STEPS_INSIDE for step in range(_STEPS_INSIDE + 1))
    return [QRectF(QPointF(ground.center().x() - size.width() / 2, top), size) for top in tops]


def covered_px2(box: QRectF, pieces: Sequence[QRectF]) -> float:
    """How much of the pieces a box covers."""
    overlaps = [box.intersected(piece) for piece in pieces if box.intersects(piece)]
    return sum(overlap.width() * overlap.height() for overlap in overlaps)


def _box_at(beside: QRectF, size: QSizeF, side: tuple[int, int], distance: float) -> QRectF:
    reach_x = (beside.width() + size.width()) / 2 + distance
    reach_y = (beside.height() + size.height()) / 2 + distance
    box = QRectF(QPointF(0, 0), size)
    box.moveCenter(beside.center() + QPointF(side[0] * reach_x, side[1] * reach_y))
    return box
