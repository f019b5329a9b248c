"""A person says what the clicked piece is, and whose."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QStyledItemDelegate, QWidget

from rules.scene import COIN_DIAMETER_MM, NONE, UNKNOWN, Kind, Piece
from rules.setup import Setup
from ui.telling.words import class_name

_SUITS = ("S", "H", "D", "C")
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_CLASSES: dict[Kind, tuple[str, ...]] = {
    "card": (*(f"{rank}{suit}" for suit in _SUITS for rank in _RANKS), "JOKER", "BACK"),
    "die": ("1", "2", "3", "4", "5", "6"),
    "match": ("match",),
    "soldier": ("foot", "mounted", "gun"),
    "base": ("base",),
    "terrain": ("mug", "plate", "book", "box", "napkin", "paper", "pencils", "bridge"),
}


_FACES = ("heads", "tails")
# However long a name is: a panel on a small screen is narrow. A class, such as "mounted", needs more than an owner.
_CLASS_LETTERS, _LETTERS = 5, 3


_CHOOSE = "choose in the boxes what it is, and then press the button"
_READ_SO = "it is read so already: choose something else in the boxes, or leave it as it is"


class Correction(QWidget):
    """Two boxes, a third for a coin whose face counts, a fourth for a unit of a roster, and a button.

    `corrected` carries the piece's id and what was said of it; `refused` says why nothing was.
    """

    corrected = pyqtSignal(str, dict)
    refused = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self._piece: Piece | None = None
        self._known_units: tuple[str, ...] = ()
        self.class_box = _narrow(_CLASS_LETTERS)
        self.owner_box, self.face_box, self.unit_box = (_narrow(_LETTERS) for _ in range(3))
        self._units = _row(QLabel("It stands for"), self.unit_box)
        self._faces = _row(QLabel("It lies with"), self.face_box, QLabel("up"))
        self.apply_button = QPushButton("That is what it is")
        self.apply_button.clicked.connect(self._say)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.addWidget(QLabel("It is"), 0, 0)
        layout.addWidget(self.class_box, 0, 1)
        layout.addWidget(QLabel("of"), 0, 2)
        layout.addWidget(self.owner_box, 0, 3)
        layout.addWidget(self._faces, 1, 0, 1, 4)
        layout.addWidget(self._units, 2, 0, 1, 4)
        layout.addWidget(self.apply_button, 3, 0, 1, 4)
        layout.setColumnStretch(1, 4)
        layout.setColumnStretch(3, 3)
        self.show_piece(None, Setup())

    def show_piece(
        self, piece: Piece | None, setup: Setup, *, faces: bool = False, units: tuple[str, ...] = ()
    ) -> None:
        """Offer to correct `piece`; hidden for none.

        faces  whether the game asks which side of a coin lies up
        units  the units that it can stand for, the present one first; () where its class alone tells
        """
        self.setVisible(piece is not None)
        self._faces.setVisible(faces and piece is not None and piece.kind == "coin")
        self._units.setVisible(bool(units) and piece is not None)
        was = _offered(self._piece, self._known_units)
        self._piece, self._known_units = piece, units
        # What is chosen and not said yet outlives that the piece is measured anew.
        if piece is None or _offered(piece, units) == was:
            return
        _fill(self.class_box, classes_for(piece, setup.currency), piece.cls)
        _fill(self.owner_box, (*(player.colour for player in setup.players), NONE), piece.owner)
        _fill(self.face_box, _FACES, piece.face)
        if units:
            _fill(self.unit_box, units, units[0])

    def _say(self) -> None:
        if self._piece is None:
            return
        chosen = {"class": self.class_box.currentData(), "owner": self.owner_box.currentData()}
        now = {"class": self._piece.cls, "owner": self._piece.owner, "face": self._piece.face}
        if not self._faces.isHidden():
            chosen["face"] = self.face_box.currentData()
        if self._known_units:
            chosen["roster"], now["roster"] = self.unit_box.currentData(), self._known_units[0]
        said = {key: value for key, value in chosen.items() if value not in (UNKNOWN, now[key])}
        if said:
            self.corrected.emit(self._piece.id, said)
        else:
            self.refused.emit(_CHOOSE if UNKNOWN in chosen.values() else _READ_SO)


def _offered(piece: Piece | None, units: tuple[str, ...]) -> tuple[object, ...]:
    """Of which piece the boxes tell what."""
    return (piece.id, piece.kind, piece.cls, piece.owner, piece.face, units) if piece is not None else ()


def classes_for(piece: Piece, currency: str | None = None) -> tuple[str, ...]:
    """What a piece of that kind can be; for a coin the likeliest sizes first, those of the players' `currency` before
    all others."""
    if piece.kind != "coin":
        return _CLASSES[piece.kind]
    size_mm = 2 * (piece.footprint.area / 3.141592653589793) ** 0.5

    def unlikely(cls: str) -> tuple[bool, float]:
        return currency is not None and not cls.startswith(f"{currency}-"), abs(COIN_DIAMETER_MM[cls] - size_mm)

    return tuple(sorted(COIN_DIAMETER_MM, key=unlikely))


def _row(*widgets: QWidget) -> QWidget:
    """Widgets side by side, of which a box takes what room there is."""
    row = QWidget()
    row.setObjectName("row")
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget, 1 if isinstance(widget, QComboBox) else 0)
    return row


class _Box(QComboBox):
    """A list of which a letter chooses a row, as everywhere: N, M and F are not the window's while Tab has reached it.
    A click in it does not keep the keys there."""

    def __init__(self) -> None:
        super().__init__()
        # The rows of Qt's own, which are a menu's, take no colour of a style sheet: nothing showed which one is chosen.
        self.setItemDelegate(QStyledItemDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent | None) -> bool:
        """Take letters and digits before the window's shortcuts do."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.text().isalnum():
            event.accept()
            return True
        return super().event(event)


def _narrow(letters: int) -> QComboBox:
    box = _Box()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box


def _fill(box: QComboBox, values: tuple[str, ...], now: str) -> None:
    box.clear()
    for value in dict.fromkeys((now, *values)):
        box.addItem("?" if value == UNKNOWN else class_name(value), value)
