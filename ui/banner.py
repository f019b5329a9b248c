"""The quiet strip along the picture's edge: the last verdict and why, and whether the table is being watched."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter

from ui import theme


@dataclass(frozen=True)
class Banner:
    """What the strip says. `verdict` colours the bar at its left: yes, no, close, or "" for none.

    status  a word or two at the right: "hand over the table", "paused"
    """

    title: str = ""
    detail: str = ""
    verdict: str = ""
    status: str = ""


def banner_box(banner: Banner, size_px: tuple[int, int], *, at_top: bool = False) -> QRectF:
    """Where the strip lies in a picture of that size; empty if it says nothing."""
    if not (banner.title or banner.detail or banner.status):
        return QRectF()
    unit = size_px[1] / theme.REFERENCE_HEIGHT_PX
    height = (104 if banner.detail else 62) * unit
    margin = 18 * unit
    top = margin if at_top else size_px[1] - height - margin
    return QRectF(margin, top, size_px[0] - 2 * margin, height)


def paint_banner(painter: QPainter, banner: Banner, box: QRectF, unit: float) -> None:
    """Draw the strip into `box`, its text cut with an ellipsis where it is too long."""
    if box.isEmpty():
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tinted(theme.INK, 0.80))
    painter.drawRoundedRect(box, 12 * unit, 12 * unit)
    painter.setBrush(theme.tinted(theme.VERDICTS.get(banner.verdict, theme.QUIET), 1.0))
    painter.drawRoundedRect(QRectF(box.left(), box.top(), 10 * unit, box.height()), 4 * unit, 4 * unit)
    left, baseline = box.left() + 30 * unit, box.top() + 42 * unit
    status_px = _paint_status(painter, banner.status, box, baseline, unit)
    room = box.width() - 50 * unit
    _line(painter, banner.title, QPointF(left, baseline), room - status_px, theme.TITLE_PX * unit, bold=True)
    _line(painter, banner.detail, QPointF(left, baseline + 40 * unit), room, theme.DETAIL_PX * unit, bold=False)


def _paint_status(painter: QPainter, status: str, box: QRectF, baseline: float, unit: float) -> float:
    """Draw `status` right-aligned; the width in px that it takes."""
    if not status:
        return 0.0
    face = theme.font(theme.DETAIL_PX * unit)
    width = QFontMetricsF(face).horizontalAdvance(status)
    painter.setFont(face)
    painter.setPen(theme.tinted(theme.QUIET, 1.0))
    painter.drawText(QPointF(box.right() - width - 20 * unit, baseline), status)
    return width + 40 * unit


def _line(painter: QPainter, text: str, at: QPointF, room_px: float, size_px: float, *, bold: bool) -> None:
    face = theme.font(size_px, bold=bold)
    painter.setFont(face)
    painter.setPen(theme.tinted(theme.PAPER, 1.0))
    painter.drawText(at, QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, max(room_px, 0.0)))
