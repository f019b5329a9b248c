"""The quiet strip along the picture's edge: the last verdict and why, and whether the table is being watched."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter

from ui import theme

# A reason or a title that is longer would hide too much of the table; the list of events has it whole.
_MOST_LINES, _MOST_TITLE_LINES = 3, 2
# From one line of a title, or of a reason, to the next, at the reference height.
_TITLE_LINE_PX, _LINE_PX = 42, 40


@dataclass(frozen=True)
class Banner:
    """What the strip says. `verdict` colours the bar at its left: yes, no, close, or "" for none.

    status  a word or two at the right: "hand over the table", "paused"
    turn    whose turn it is and which phase, to the right of the status: always in the same place
    short   a shorter title, for where there is no room for the whole one
    """

    title: str = ""
    detail: str = ""
    verdict: str = ""
    status: str = ""
    turn: str = ""
    short: str = ""


def banner_box(banner: Banner, size_px: tuple[int, int], *, at_top: bool = False) -> QRectF:
    """Where the strip lies in a picture of that size; empty if it says nothing."""
    if not (banner.title or banner.detail or banner.status or banner.turn):
        return QRectF()
    unit = theme.unit_px(size_px)
    margin = 18 * unit
    width = size_px[0] - 2 * margin
    titles, lines = len(_title_lines(banner, width, unit)), len(_detail_lines(banner, width, unit))
    height = (62 + _TITLE_LINE_PX * max(titles - 1, 0) + (2 + _LINE_PX * lines if lines else 0)) * unit
    top = margin if at_top else size_px[1] - height - margin
    return QRectF(margin, top, width, height)


def paint_banner(painter: QPainter, banner: Banner, box: QRectF, unit: float) -> None:
    """Draw the strip into `box`: the title and the reason on as many lines as they need, up to a few."""
    if box.isEmpty():
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tinted(theme.INK, 0.80))
    painter.drawRoundedRect(box, 12 * unit, 12 * unit)
    painter.setBrush(theme.tinted(theme.VERDICTS.get(banner.verdict, theme.QUIET), 1.0))
    painter.drawRoundedRect(QRectF(box.left(), box.top(), 10 * unit, box.height()), 4 * unit, 4 * unit)
    left, baseline = box.left() + 30 * unit, box.top() + 42 * unit
    _paint_at_right(painter, banner.turn, theme.PAPER, QPointF(box.right(), baseline), unit)
    beside = QPointF(box.right() - _at_right_px(banner.turn, unit), baseline)
    _paint_at_right(painter, banner.status, theme.QUIET, beside, unit)
    titles, step = _title_lines(banner, box.width(), unit), _TITLE_LINE_PX * unit
    face, room = theme.font(theme.TITLE_PX * unit, bold=True), _title_room_px(banner, box.width(), unit)
    _paint_lines(painter, titles, face, QPointF(left, baseline), step, room)
    below = QPointF(left, baseline + step * max(len(titles) - 1, 0) + _LINE_PX * unit)
    face, reasons = theme.font(theme.DETAIL_PX * unit), _detail_lines(banner, box.width(), unit)
    _paint_lines(painter, reasons, face, below, _LINE_PX * unit, _room_px(box.width(), unit))


def _room_px(width_px: float, unit: float) -> float:
    """What a strip of that width leaves for a line."""
    return width_px - 50 * unit


def _title_room_px(banner: Banner, width_px: float, unit: float) -> float:
    """The width that turn and status, at the right, leave for the title, px."""
    return _room_px(width_px, unit) - _at_right_px(banner.turn, unit) - _at_right_px(banner.status, unit)


def _title_lines(banner: Banner, width_px: float, unit: float) -> list[str]:
    """The title on one line, or the shorter one on as many as it needs."""
    face, room = theme.font(theme.TITLE_PX * unit, bold=True), _title_room_px(banner, width_px, unit)
    whole = _lines(banner.title, face, room, _MOST_TITLE_LINES)
    return _lines(banner.short, face, room, _MOST_TITLE_LINES) if banner.short and len(whole) > 1 else whole


def _detail_lines(banner: Banner, width_px: float, unit: float) -> list[str]:
    """The reason in lines that fit into a strip of that width."""
    return _lines(banner.detail, theme.font(theme.DETAIL_PX * unit), _room_px(width_px, unit), _MOST_LINES)


def _lines(text: str, face: QFont, room_px: float, most: int) -> list[str]:
    """The text in lines that are no longer than that; the last one may be, where there would be more than `most`."""
    metrics = QFontMetricsF(face)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or metrics.horizontalAdvance(longer) <= room_px):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _at_right_px(text: str, unit: float) -> float:
    """How much of the title's line a text takes at its right."""
    width_px = QFontMetricsF(theme.font(theme.DETAIL_PX * unit)).horizontalAdvance(text)
    return width_px + 40 * unit if text else 0.0


def _paint_at_right(painter: QPainter, text: str, colour: str, end: QPointF, unit: float) -> None:
    """Draw `text` so that it ends before `end`."""
    painter.setFont(theme.font(theme.DETAIL_PX * unit))
    painter.setPen(theme.tinted(colour, 1.0))
    painter.drawText(QPointF(end.x() - _at_right_px(text, unit) + 20 * unit, end.y()), text)


def _paint_lines(painter: QPainter, lines: list[str], face: QFont, at: QPointF, step_px: float, room_px: float) -> None:
    """Draw lines, the first at that place; one that is too long is cut with an ellipsis."""
    painter.setFont(face)
    painter.setPen(theme.tinted(theme.PAPER, 1.0))
    for number, line in enumerate(lines):
        cut = QFontMetricsF(face).elidedText(line, Qt.TextElideMode.ElideRight, max(room_px, 0.0))
        painter.drawText(QPointF(at.x(), at.y() + number * step_px), cut)
