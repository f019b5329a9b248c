"""Placing labels so that none covers another, the text stays in the picture, and each is near its mark."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, QSizeF

# Sides to try, in order, as (x, y) steps from the mark's box: above, below, right, left, then the corners.
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Label:
    """A text with the box (px) of the mark that it belongs to."""

    text: str
    beside: QRectF
    colour: str


def place_labels(
    labels: list[Label], sizes: list[QSizeF], picture: QRectF, taken: list[QRectF], gap_px: float
) -> list[tuple[Label, QRectF]]:
    """Each label with its box, in the order given; one that finds no free place near its mark is left out.

    taken  boxes that no label may cover (a banner, for one)
    """
    free, placed = list(taken), []
    for label, size in zip(labels, sizes, strict=True):
        box = _free_box(label.beside, size, picture, free, gap_px)
        if box is not None:
            free.append(box)
            placed.append((label, box))
    return placed


def _free_box(beside: QRectF, size: QSizeF, picture: QRectF, taken: list[QRectF], gap_px: float) -> QRectF | None:
    for distance in (gap_px, gap_px + size.height(), gap_px + 2 * size.height()):
        for side in _SIDES:
            box = _box_at(beside, size, side, distance)
            if picture.contains(box) and not any(box.intersects(other) for other in taken):
                return box
    return None


def _box_at(beside: QRectF, size: QSizeF, side: tuple[int, int], distance: float) -> QRectF:
    reach_x = (beside.width() + size.width()) / 2 + distance
    reach_y = (beside.height() + size.height()) / 2 + distance
    box = QRectF(QPointF(0, 0), size)
    box.moveCenter(beside.center() + QPointF(side[0] * reach_x, side[1] * reach_y))
    return box
