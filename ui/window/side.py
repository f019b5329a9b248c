"""The panel at the right: questions, the clicked piece, its correction and its move by hand, and the events."""

from __future__ import annotations

from html import escape

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QLabel, QListWidgetItem, QVBoxLayout, QWidget

from rules.match import Match
from rules.scene import UNKNOWN, Piece, Scene
from ui.currency import currency_wanted
from ui.measuring.card_size import card_size_wanted
from ui.owned import owned_scene
from ui.theme import YELLOW
from ui.window.correction import Correction
from ui.window.event_list import EventList
from ui.window.piece_panel import PiecePanel
from ui.window.room import is_small
from ui.window.typed_move import TypedMove

# As broad as reads well, and as narrow as a small laptop's screen makes it.
_WIDTH_PX, _LEAST_WIDTH_PX, _LEAST_ON_SMALL_PX = 430, 290, 250
# Of the window's width between those: beside a broad panel a small window had no room for the turn.
PICTURE_SHARE, SIDE_SHARE = 7, 3
# The piece's text and the events scroll: a few lines of each are always seen.
_LEAST_TEXT_PX, _LEAST_TEXT_ON_SMALL_PX, _LEAST_EVENTS_PX = 90, 56, 52
# On a panel lower than this every line counts; lower still, as on a laptop's at a scale of 1.5, a piece has it alone.
_LOW_PX, _LOWEST_PX = 640, 500
# Beside a piece the events are no higher than their rows, and have no more of the panel than this share of what is
# above so many px.
_EVENTS_SHARE, _WITHOUT_EVENTS_PX = 0.4, 440
_MOST_ASKED = 8
# Qt's own bound of a height.
_ANY_PX = (1 << 24) - 1
_BAR_IF_NEEDED = Qt.ScrollBarPolicy.ScrollBarAsNeeded
# What is asked can be answered by the keyboard too.
_LINKS = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard


class Side(QWidget):
    """The panel beside the picture.

    asked      emits the id of a piece that is to be shown
    corrected  emits a piece's id and what a person says that it is
    typed      emits a piece's id and what a person says became of it
    """

    asked = pyqtSignal(str)
    corrected = pyqtSignal(str, dict)
    typed = pyqtSignal(str, dict)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setMinimumWidth(_LEAST_ON_SMALL_PX if is_small(self) else _LEAST_WIDTH_PX)
        self.setMaximumWidth(_WIDTH_PX)
        # A plain QWidget draws its style sheet's background only when told to.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.can_correct = True
        self._shown: tuple[Match | None, str | None] | None = None
        # Which pieces are not known: in full, and in a line.
        self._asked = "", ""
        self._refused = ""
        self.notice, self.trouble = _boxed("notice"), _boxed("trouble")
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        self.notice.linkActivated.connect(self.asked.emit)
        self.notice.setTextInteractionFlags(_LINKS)
        self.piece, self.correction, self.mover, self.events = PiecePanel(), Correction(), TypedMove(), EventList()
        self.piece.setMinimumHeight(_LEAST_TEXT_ON_SMALL_PX if is_small(self) else _LEAST_TEXT_PX)
        self.events.setMinimumHeight(_LEAST_EVENTS_PX)
        self._connect()
        self.heading = QLabel("EVENTS")
        self.heading.setObjectName("heading")
        self._lay_out()

    def _connect(self) -> None:
        self.correction.corrected.connect(self.corrected.emit)
        self.correction.refused.connect(self.refuse)
        self.mover.typed.connect(self.typed.emit)
        self.piece.laid_out.connect(self._share_height)
        self.piece.declared.connect(lambda fields: self.typed.emit("attack", fields))
        self.mover.refused.connect(self.refuse)
        self.events.itemClicked.connect(self._ask)
        self.events.itemActivated.connect(self._ask)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(*((10, 8, 8, 8) if is_small(self) else (16, 14, 12, 12)))
        for widget in (self.trouble, self.notice):
            column.addWidget(widget)
        column.addWidget(self.piece, 3)
        column.addWidget(self.correction)
        column.addWidget(self.mover)
        column.addWidget(self.heading)
        column.addWidget(self.events, 2)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As broad as reads well."""
        return QSize(_WIDTH_PX, super().sizeHint().height())

    def show_match(self, match: Match | None, selected: str | None) -> None:
        """Bring everything up to date; nothing is touched while the match and the selection are as before."""
        if self._shown is not None and self._shown[0] is match and self._shown[1] == selected:
            return
        if self._shown is not None and self._shown[1] != selected and self.trouble.text() == self._refused:
            self.show_trouble("")
        self._shown = (match, selected)
        self.piece.show_piece(match, selected, acts=self.can_correct)
        if self.can_correct:
            self.events.show_match(match)
        if match is None:
            return
        scene = owned_scene(match)
        chosen = scene[selected] if selected is not None and selected in scene else None
        chosen = chosen if self.can_correct else None
        self.correction.show_piece(chosen, match.setup, faces=match.game.faces, units=_units(match, chosen))
        self.mover.show_piece(match, chosen.id if chosen is not None else None)
        unknown = unknown_pieces(scene) if self.can_correct else []
        untold = (wanted(match.scene, match.setup) for wanted in (currency_wanted, card_size_wanted))
        self._ask_about(unknown, next(filter(None, untold), ""))
        self._share_height()

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Share the height anew."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """What is asked comes first: beside a piece's rulings the events give way, and on a low panel more does."""
        is_low, asks = self.height() < _LOW_PX, self._shows_piece()
        self.heading.setVisible(not (is_low and asks))
        self.events.setVisible(not (asks and self.height() < _LOWEST_PX))
        room_px = min(round(_EVENTS_SHARE * (self.height() - _WITHOUT_EVENTS_PX)), self.events.rows_height_px())
        self.events.setMaximumHeight(max(_LEAST_EVENTS_PX, room_px) if asks else _ANY_PX)
        # How to begin takes its lines, and the events the rest: half of the panel was empty above a list that scrolled.
        least_px = self.piece.minimumHeight()
        self.piece.setMaximumHeight(_ANY_PX if asks else max(least_px, self.piece.text_height_px()))
        # A bar that comes for a moment makes the text narrower, and so higher, and then stays.
        self.piece.setVerticalScrollBarPolicy(_BAR_IF_NEEDED if asks else Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.notice.setText(self._asked[1 if is_low else 0])
        self.notice.setToolTip(self._asked[0] if is_low else "")

    def _shows_piece(self) -> bool:
        """Not one that was taken off the table since it was clicked."""
        match, selected = self._shown or (None, None)
        return match is not None and selected is not None and selected in match.scene

    def refuse(self, sentence: str) -> None:
        """Show why what a person said was refused, until another piece is asked for too: it is none of that one's."""
        self._refused = sentence
        self.show_trouble(sentence)

    def show_trouble(self, sentence: str) -> None:
        """Show what went wrong, until it is called with ""."""
        self.trouble.setText(sentence)
        self.trouble.setToolTip(sentence)
        self.trouble.setVisible(bool(sentence))

    def _ask_about(self, unknown: list[Piece], cure: str) -> None:
        self.notice.setVisible(bool(unknown))
        shown = [
            f"<a style='color:{YELLOW}' href='{escape(piece.id)}'>{escape(piece.id)}</a>"
            for piece in unknown[:_MOST_ASKED]
        ]
        more = [f"{len(unknown) - _MOST_ASKED} more"] if len(unknown) > _MOST_ASKED else []
        links = ", ".join([*shown, *more])
        what = "A piece is" if len(unknown) == 1 else f"{len(unknown)} pieces are"
        said = f"{what} not known: {links}. Click a name and say what it is."
        self._asked = f"{said} {cure[0].upper()}{cure[1:]}." if cure else said, f"Not known: {links}"

    def _ask(self, item: QListWidgetItem) -> None:
        if not self.can_correct:
            return  # the replay goes there
        piece_id = item.data(Qt.ItemDataRole.UserRole)
        if piece_id:
            self.asked.emit(piece_id)


def _units(match: Match, piece: Piece | None) -> tuple[str, ...]:
    """What the piece can stand for in the match's game."""
    ask = match.game.units
    return ask(piece, match.setup, match.state) if ask is not None and piece is not None else ()


def unknown_pieces(scene: Scene) -> list[Piece]:
    """Pieces that a person should name: class or owner unknown."""
    return [piece for piece in scene if UNKNOWN in (piece.cls, piece.owner if piece.kind != "terrain" else "")]


def _boxed(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.hide()
    return label
