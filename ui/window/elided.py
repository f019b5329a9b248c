"""A line of plain text that gives way: cut in its middle where the window has no room for all of it."""

from __future__ import annotations

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PyQt6.QtWidgets import QLabel, QStyle, QStyleOption


class ElidedLabel(QLabel):
    """`text` is the whole line, and the tool tip too while it does not show whole; names in it are no mark-up."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def show_line(self, line: str) -> None:
        """Show `line` from now on."""
        self.setText(line)
        self._tell_whole()

    def shown_line(self) -> str:
        """The line as far as there is room: its end, such as a clock, is kept."""
        room_px = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room_px)

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
