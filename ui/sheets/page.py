"""A PDF page that is drawn on in millimetres, with a ruler line that shows whether the printer kept the scale."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QBuffer, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PyQt6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPageLayout,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
    QPen,
)

from rules.files.json_file import write_whole
from rules.scene import Point2

A4_MM, LETTER_MM = (210.0, 297.0), (215.9, 279.4)
# What a home printer leaves white.
PAPER_MARGIN_MM = 12.0
_RULER_MM = 100.0
_MM_PER_INCH = 25.4
# PDF units a mm: 0.02 mm steps, finer than any printer.
_DPI = 1200


@dataclass(frozen=True)
class Paper:
    """A sheet: width and height in mm."""

    width_mm: float
    height_mm: float

    @classmethod
    def for_content(cls, width_mm: float, height_mm: float, name: str = "a4") -> Paper:
        """A4 or Letter, turned if the content asks for it; a sheet of its own where neither holds it."""
        short, long = LETTER_MM if name == "letter" else A4_MM
        for paper in (cls(short, long), cls(long, short)):
            if width_mm <= paper.free_width_mm and height_mm <= paper.free_height_mm:
                return paper
        return cls(width_mm + 2 * PAPER_MARGIN_MM, height_mm + 2 * PAPER_MARGIN_MM + 14.0)

    @property
    def free_width_mm(self) -> float:
        """Width between the margins, mm."""
        return self.width_mm - 2 * PAPER_MARGIN_MM

    @property
    def free_height_mm(self) -> float:
        """Height between the margins and above the ruler line, mm."""
        return self.height_mm - 2 * PAPER_MARGIN_MM - 14.0


class Sheet:
    """Drawing in mm from the page's upper left margin; black on white unless a colour is named."""

    def __init__(self, painter: QPainter, writer: QPdfWriter, paper: Paper) -> None:
        self.painter, self.paper, self._writer = painter, paper, writer

    def new_page(self) -> None:
        """Another page, with its own ruler line."""
        self._writer.newPage()
        self.ruler_line()

    @contextmanager
    def window(self, x: float, y: float, shown: tuple[float, float, float, float]) -> Iterator[None]:
        """Draw moved by (x, y), and nothing outside `shown`: left, top, width, height as moved ones count."""
        self.painter.save()
        self.painter.translate(x, y)
        self.painter.setClipRect(QRectF(*shown))
        try:
            yield
        finally:
            self.painter.restore()

    def line(self, start: Point2, end: Point2, width_mm: float = 0.25, colour: str = "#000000") -> None:
        """A straight line."""
        self.painter.setPen(_pen(width_mm, colour))
        self.painter.drawLine(QPointF(*start), QPointF(*end))

    def circle(self, x: float, y: float, radius_mm: float, width_mm: float = 0.25, fill: str | None = None) -> None:
        """A circle; filled without an outline where `fill` names a colour."""
        self.painter.setPen(Qt.PenStyle.NoPen if fill else _pen(width_mm, "#000000"))
        self.painter.setBrush(_brush(fill))
        self.painter.drawEllipse(QPointF(x, y), radius_mm, radius_mm)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def box(self, x: float, y: float, width: float, height: float, fill: str = "#000000") -> None:
        """A filled rectangle without an outline."""
        self.painter.fillRect(QRectF(x, y, width, height), _brush(fill))

    def cells(self, x: float, y: float, side_mm: float, dark: NDArray[np.bool_]) -> None:
        """A square grid of cells (n, n), the dark ones filled: a marker, as sharp as the printer can."""
        cell_mm = side_mm / len(dark)
        # One path: between boxes that are filled one by one viewers show seams, though they overlap by 0.01 mm.
        path = QPainterPath()
        for row, column in np.argwhere(dark):
            path.addRect(x + column * cell_mm, y + row * cell_mm, cell_mm, cell_mm)
        self.painter.fillPath(path, _brush("#000000"))

    def text(self, x: float, y: float, words: str, height_mm: float) -> None:
        """Words with their baseline's left end at (x, y)."""
        self.painter.save()
        # Letters are laid out in device units: a font of some millimetres would be rounded to nothing.
        device = self.painter.transform().map(QPointF(x, y))
        self.painter.resetTransform()
        self.painter.setFont(_font(height_mm))
        self.painter.setPen(_pen(0.1, "#333333"))
        self.painter.drawText(device, words)
        self.painter.restore()

    def text_width_mm(self, words: str, height_mm: float) -> float:
        """How much room `text` takes to the right."""
        return QFontMetricsF(_font(height_mm), self._writer).horizontalAdvance(words) * _MM_PER_INCH / _DPI

    def ruler_line(self) -> None:
        """100 mm at the foot of the page, to be checked with a real ruler."""
        y = self.paper.height_mm - 2 * PAPER_MARGIN_MM - 4.0
        self.line((0, y), (_RULER_MM, y), 0.3)
        for at in range(0, int(_RULER_MM) + 1, 10):
            self.line((at, y), (at, y - (3.0 if at % 50 == 0 else 1.8)), 0.3)
        self.text(_RULER_MM + 3.0, y, "100 mm. Print at 100 %, not 'fit to page'; measure this line.", 2.6)


@contextmanager
def pdf_sheet(path: Path, paper: Paper, title: str) -> Iterator[Sheet]:
    """A PDF that is written whole or not at all, with the ruler line on its first page; OSError if it cannot be."""
    content = QBuffer()  # Qt itself opens no file whose name is no text, and says nothing of a full disk
    content.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(content)
    writer.setTitle(title)
    writer.setCreator("Sandtable")
    writer.setResolution(_DPI)
    writer.setPageLayout(_layout(paper))
    painter = QPainter(writer)
    painter.scale(_DPI / _MM_PER_INCH, _DPI / _MM_PER_INCH)
    painter.translate(PAPER_MARGIN_MM, PAPER_MARGIN_MM)
    sheet = Sheet(painter, writer, paper)
    sheet.ruler_line()
    try:
        yield sheet
    finally:
        painter.end()
    write_whole(path, content.data().data())


def _layout(paper: Paper) -> QPageLayout:
    size = QPageSize(QSizeF(paper.width_mm, paper.height_mm), QPageSize.Unit.Millimeter)
    # Without margins of its own, so that a millimetre is a millimetre from the paper's corner.
    layout = QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0))
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def _font(height_mm: float) -> QFont:
    font = QFont("DejaVu Sans")
    font.setPointSizeF(height_mm * 72 / _MM_PER_INCH)
    return font


def _pen(width_mm: float, colour: str) -> QPen:
    return QPen(QColor(colour), width_mm)


def _brush(fill: str | None) -> QBrush:
    return QBrush(QColor(fill)) if fill else QBrush(Qt.BrushStyle.NoBrush)
