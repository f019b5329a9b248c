"""The names of hexes, written in them: in the foot, where pieces leave room, or in the head where a label lies."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from rules.game import Mark
from ui import theme
from ui.paint.hexes import DRAWN, NAMED, is_one_in
from ui.paint.labels import covered_px2

# Where all hexes are named their names are quiet.
_LETTERS = {DRAWN: (theme.HEX_PX, theme.QUIET), NAMED: (theme.NAMED_HEX_PX, theme.PAPER)}
# A name is no higher and no broader than these shares of its hex; its middle is so much of it from the hex's middle.
_HIGH, _BROAD, _OFF = 0.28, 0.8, 0.26
# Letters lower than this are not read: on a drawn board (px at the reference height) fewer hexes are named then, and in
# a camera's picture (px) those far away are not.
_LEAST_DRAWN_PX, _LEAST_PX = 17.0, 9.0
# Of a letter's height in px: a capital, and the dark rim around it.
_CAPITAL, _RIM = 0.73, 0.22
# Where in its hex a name may lie, the best first: the foot is 1, the head -1.
_IN_HEX, _OVER_HEX = (1, -1), (0, 1, -1)


def paint_hex_names(
    painter: QPainter,
    hexes: Sequence[tuple[Mark, QRectF]],
    taken: Sequence[QRectF],
    pieces: Sequence[QRectF],
    unit: float,
) -> None:
    """Write the name of each hex, whose box in the picture comes with it, clear of `taken`, and of pieces at need."""
    every = _every([(mark, box) for mark, box in hexes if mark.role == DRAWN and not box.isEmpty()], unit)
    for mark, box in hexes:
        places: list[QRectF] = []
        if mark.role == NAMED or every == 1:
            places = _places(mark, box, _fitting_px(mark, box, unit), _IN_HEX)
        elif is_one_in(mark.label, every):
            # Broader than its hex, a name is told to be that one's by its middle.
            places = _places(mark, box, theme.HEX_PX * unit, _OVER_HEX)
        free = [place for place in places if not any(place.intersects(other) for other in taken)]
        if free:
            _paint_name(painter, mark, min(free, key=lambda place: covered_px2(place, pieces)))


def _every(drawn: Sequence[tuple[Mark, QRectF]], unit: float) -> int:
    """One hex in so many, along columns and rows, has room for a name that can be read: on a large mat not each."""
    fitting_px = min((_fitting_px(mark, box, unit) for mark, box in drawn), default=math.inf)
    return 1 if fitting_px >= _LEAST_DRAWN_PX * unit else math.ceil(theme.HEX_PX * unit / fitting_px)


def _fitting_px(mark: Mark, box: QRectF, unit: float) -> float:
    """The height of letters with which the name stays in its hex, no higher than wanted."""
    wanted_px = _LETTERS[mark.role][0] * unit
    broad = QFontMetricsF(theme.font(100)).horizontalAdvance(_spelt(mark)) / 100
    return min(wanted_px, _HIGH * box.height(), _BROAD * box.width() / broad)


def _places(mark: Mark, box: QRectF, size_px: float, sides: Sequence[int]) -> list[QRectF]:
    """Where the name may lie in the hex, in letters of that height; nowhere where these are too small to be read."""
    if size_px < _LEAST_PX:
        return []
    place = QRectF(0, 0, QFontMetricsF(theme.font(size_px)).horizontalAdvance(_spelt(mark)), _CAPITAL * size_px)
    place.moveCenter(box.center())
    return [place.translated(0, side * _OFF * box.height()) for side in sides]


def _spelt(mark: Mark) -> str:
    """With a thin space: a broad one runs the names of a row together."""
    return mark.label.replace(" ", "\N{THIN SPACE}")


def _paint_name(painter: QPainter, mark: Mark, place: QRectF) -> None:
    size_px = place.height() / _CAPITAL
    letters = QPainterPath()
    letters.addText(QPointF(place.left(), place.bottom()), theme.font(size_px), _spelt(mark))
    rim = QPen(theme.tinted(theme.INK, 0.85), _RIM * size_px)
    rim.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(letters, rim)
    painter.fillPath(letters, theme.tinted(_LETTERS[mark.role][1], 1.0))
