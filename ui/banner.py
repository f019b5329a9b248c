"""The quiet strip along the picture's edge: the last verdict and why, and whether the table is being watched."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter

from ui import theme

# A reason that is longer would hide too much of the table; the list of events has it whole.
_MOST_LINES = 3


@dataclass(frozen=True)
class Banner:
    """What the strip says. `verdict` colours the bar at its left: yes, no, close, or "" for none.

    status  a word or two at the right: "hand over the table", "paused"
    turn    whose turn it is and which phase, right of that: always in the same place
    """

    title: str = ""
    detail: str = ""
    verdict: str = ""
    status: str = ""
    turn: str = ""


def banner_box(banner: Banner, size_px: tuple[int, int], *, at_top: bool = False) -> QRectF:
    """Where the strip lies in a picture of that size; empty if it says nothing."""
    if not (banner.title or banner.detail or banner.status or banner.turn):
        return QRectF()
    unit = size_px[1] / theme.REFERENCE_HEIGHT_PX
    margin = 18 * unit
    lines = len(_detail_lines(banner, size_px[0] - 2 * margin, unit))
    height = (62 + (2 + 40 * lines if lines else 0)) * unit
    top = margin if at_top else size_px[1] - height - margin
    return QRectF(margin, top, size_px[0] - 2 * margin, height)


def paint_banner(painter: QPainter, banner: Banner, box: QRectF, unit: float) -> None:
    """Draw the strip into `box`: the title cut with an ellipsis where it is too long, the reason on as many lines as it
    needs."""
    if box.isEmpty():
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tinted(theme.INK, 0.80))
    painter.drawRoundedRect(box, 12 * unit, 12 * unit)
    painter.setBrush(theme.tinted(theme.VERDICTS.get(banner.verdict, theme.QUIET), 1.0))
    painter.drawRoundedRect(QRectF(box.left(), box.top(), 10 * unit, box.height()), 4 * unit, 4 * unit)
    left, baseline = box.left() + 30 * unit, box.top() + 42 * unit
    turn_px = _paint_at_right(painter, banner.turn, theme.PAPER, QPointF(box.right(), baseline), unit)
    beside = QPointF(box.right() - turn_px, baseline)
    status_px = turn_px + _paint_at_right(painter, banner.status, theme.QUIET, beside, unit)
    room = _room_px(box.width(), unit)
    _line(painter, banner.title, QPointF(left, baseline), room - status_px, theme.TITLE_PX * unit, bold=True)
    for number, line in enumerate(_detail_lines(banner, box.width(), unit), 1):
        below = QPointF(left, baseline + 40 * number * unit)
        _line(painter, line, below, room, theme.DETAIL_PX * unit, bold=False)


def _room_px(width_px: float, unit: float) -> float:
    """What a strip of that width leaves for a line."""
    return width_px - 50 * unit


def _detail_lines(banner: Banner, width_px: float, unit: float) -> list[str]:
    """The reason in lines that fit into a strip of that width; the last one may be longer, where there would be more
    than `_MOST_LINES`."""
    metrics, room = QFontMetricsF(theme.font(theme.DETAIL_PX * unit)), _room_px(width_px, unit)
    lines: list[str] = []
    for word in banner.detail.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == _MOST_LINES or metrics.horizontalAdvance(longer) <= room):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _paint_at_right(painter: QPainter, text: str, colour: str, end: QPointF, unit: float) -> float:
    """Draw `text` so that it ends before `end`; the width in px that it takes."""
    if not text:
        return 0.0
    face = theme.font(theme.DETAIL_PX * unit)
    width = QFontMetricsF(face).horizontalAdvance(text)
    painter.setFont(face)
    painter.setPen(theme.tinted(colour, 1.0))
    painter.drawText(QPointF(end.x() - width - 20 * unit, end.y()), text)
    return width + 40 * unit


def _line(painter: QPainter, text: str, at: QPointF, room_px: float, size_px: float, *, bold: bool) -> None:
    face = theme.font(size_px, bold=bold)
    painter.setFont(face)
    painter.setPen(theme.tinted(theme.PAPER, 1.0))
    painter.drawText(at, QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, max(room_px, 0.0)))
