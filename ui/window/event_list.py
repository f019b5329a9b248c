"""What happened, newest at the bottom, with the verdict as a dot of colour and all of it in a tool tip."""

from __future__ import annotations

from html import escape

from PyQt6.QtCore import QModelIndex, QSize, Qt
from PyQt6.QtGui import QFocusEvent, QIcon, QPainter, QPixmap, QResizeEvent
from PyQt6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem

from rules.course.events import Event
from rules.course.history import effective
from rules.match import Match
from ui import theme
from ui.telling.titles import title_in
from ui.telling.words import event_verdict, event_why, time_words
from ui.window.style import ROW_PADDING_PX

_DOT_PX = 12
# No screen is higher than so many rows.
_MOST_ROWS = 100


class EventList(QListWidget):
    """The events that count; what was taken back is gone from it."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setIconSize(QSize(_DOT_PX, _DOT_PX))
        # By whole rows there was room left below the last one.
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Row(self))
        self._shown: tuple[Event, ...] = ()

    def show_match(self, match: Match | None) -> None:
        """Bring the list up to date."""
        events = match.events if match is not None else ()
        if events is self._shown:
            return
        self._shown = events
        told = [event for event in effective(events) if not (event.kind == "scene" and "table" not in event.fields)]
        self.clear()
        for event in told:
            self.addItem(_item(event, title_in(match, event) if match is not None else ""))
        self.scrollToBottom()

    def show_steps(self, match: Match, events: tuple[Event, ...], shown: int) -> None:
        """All events of a replay, each a row, the last of those that are `shown` marked; the list is kept while the
        events are the same.

        match  the replayed match at any time: its board
        """
        if events is not self._shown:
            self._shown = events
            self.clear()
            for event in events:
                self.addItem(_item(event, title_in(match, event, events)))
        self.setCurrentRow(shown - 1)

    def rows_height_px(self) -> int:
        """How high the list is when all of its rows show, or the last hundred."""
        rows = range(max(0, self.count() - _MOST_ROWS), self.count())
        return sum(map(self.sizeHintForRow, rows)) + 2 * self.frameWidth()

    def focusInEvent(self, event: QFocusEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Let the arrow keys begin at the newest event.

        Qt begins at the oldest and scrolls there, also if the keys come here because a pressed button vanished.
        """
        if self.currentItem() is None:
            self.setCurrentRow(self.count() - 1)
        super().focusInEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Keep the newest event in sight, or that of a replay which is shown."""
        super().resizeEvent(event)
        current = self.currentItem()
        if current is not None:
            self.scrollToItem(current)
        else:
            self.scrollToBottom()


class _Row(QStyledItemDelegate):
    """As high as all of its text beside a scroll bar, whether one shows or not: the bar comes and goes once the rows
    have been laid, and Qt laid them by their height without it. It breaks the lines as though the row had no padding,
    too, and so counted one too few."""

    def __init__(self, rows: QListWidget) -> None:
        super().__init__(rows)
        self._rows = rows

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802 (Qt's name)
        """The size of a row as broad as the list shows it."""
        bar = self._rows.verticalScrollBar()
        bar_px = bar.sizeHint().width() if bar is not None else 0
        option.rect.setWidth(self._rows.width() - 2 * self._rows.frameWidth() - bar_px - 2 * ROW_PADDING_PX)
        return super().sizeHint(option, index)


def _item(event: Event, title: str) -> QListWidgetItem:
    verdict = event_verdict(event)
    item = QListWidgetItem(_dot(theme.VERDICTS.get(verdict, theme.QUIET)), "")
    item.setText(f"{time_words(event.time_s)}  {title}")
    item.setToolTip(_whole(event, title))
    piece_id = event.fields.get("piece")
    item.setData(Qt.ItemDataRole.UserRole, piece_id if isinstance(piece_id, str) else None)
    return item


def _whole(event: Event, title: str) -> str:
    """What happened and why, as mark-up: plain text would be one line, cut at the screen's edge."""
    return "".join(f"<p>{escape(said)}</p>" for said in (title, event_why(event)) if said)


def _dot(colour: str) -> QIcon:
    pixmap = QPixmap(_DOT_PX, _DOT_PX)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tinted(colour, 1.0))
    painter.drawEllipse(1, 1, _DOT_PX - 2, _DOT_PX - 2)
    painter.end()
    return QIcon(pixmap)
