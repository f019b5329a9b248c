"""A line of plain text that gives way: told shorter, and cut in its middle, where the window has no room for all."""

from __future__ import annotations

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PyQt6.QtWidgets import QLabel, QStyle, QStyleOption


class ElidedLabel(QLabel):
    """`text` is the whole line, and the tool tip too while it does not show whole; names in it are no mark-up."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._shorter: tuple[str, ...] = ()

    def show_line(self, line: str, *shorter: str) -> None:
        """Show `line` from now on, or the first of the `shorter` ones that there is room for."""
        self._shorter = shorter
        self.setText(line)
        self._tell_whole()

    def shown_line(self) -> str:
        """The line as far as there is room: its end, such as a clock, is kept."""
        room_px, metrics, lines = self.contentsRect().width(), self.fontMetrics(), (self.text(), *self._shorter)
        fitting = next((line for line in lines if metrics.horizontalAdvance(line) <= room_px), lines[-1])
        return metrics.elidedText(fitting, Qt.TextElideMode.ElideMiddle, room_px)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As high as the line, however narrow."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802
        """See whether the line shows whole."""
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, event: QPaintEvent | None) -> None:  # noqa: N802
        """Draw what there is room for."""
        painter, style, option = QPainter(self), self.style(), QStyleOption()
        option.initFrom(self)
        if style is not None:
            style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignVCenter, self.shown_line())
        painter.end()

    def _tell_whole(self) -> None:
        self.setToolTip("" if self.shown_line() == self.text() else self.text())
