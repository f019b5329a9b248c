"""The picture: the painted canvas, scaled to fit, and where in it was clicked."""

from __future__ import annotations

from PyQt6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, pyqtSignal
from PyQt6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from ui import theme
from ui.measuring.clicked import click_sigma_px

# A whole px of the screen, told in fractions of the window's.
_WHOLE_PX = 1e-3


class Picture(QWidget):
    """Shows an image as large as fits; `clicked` tells where in it, in its own px."""

    clicked = pyqtSignal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 180)

    def show_image(self, image: QImage) -> None:
        """Show `image` from now on; it may be painted on again before the next call."""
        self._image = image
        self.update()

    def show_pointing(self, points: bool) -> None:
        """A cross for a cursor while a click says where something goes."""
        self.setCursor(Qt.CursorShape.CrossCursor if points else Qt.CursorShape.ArrowCursor)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """A picture of 16:9, and no larger than leaves room beside it on a small laptop: it takes all there is."""
        return QSize(640, 360)

    def paintEvent(self, event: QPaintEvent | None) -> None:  # noqa: N802
        """Draw the image, scaled smoothly."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.tinted(theme.INK, 1.0))
        if self._image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.shown_box(), self._shrunk(self._image))
        painter.end()

    def _shrunk(self, image: QImage) -> QImage:
        """The image, as small as the screen shows it where that is less than half: the painter takes two px of each
        line into account, and lines and letters that lie between them would be lost."""
        size = (self.shown_box().size() * self.devicePixelRatioF()).toSize()
        if 2 * size.width() >= image.width():
            return image
        return image.scaled(size, transformMode=Qt.TransformationMode.SmoothTransformation)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802
        """Tell where in the image the click was."""
        if event is None or self._image is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at = self.image_px(self._pointed_at(event))
        self.clicked.emit(at.x(), at.y())

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802
        """Its first press was the click: Qt would tell of the second as another one at the same place."""

    def shown_box(self) -> QRectF:
        """Where the image lies in the widget."""
        if self._image is None:
            return QRectF(self.rect())
        size = QSizeF(self._image.size()).scaled(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(QPointF(0, 0), size)
        box.moveCenter(QRectF(self.rect()).center())
        return box

    def shows(self, u_px: float, v_px: float) -> bool:
        """Whether a px lies in the image, and not in the widget's margin."""
        if self._image is None:
            return False
        return -0.5 <= u_px <= self._image.width() - 0.5 and -0.5 <= v_px <= self._image.height() - 0.5

    def click_sigma_px(self) -> float:
        """How far off its place a click on it is, as large as it is shown: a standard deviation, px of the image."""
        box = self.shown_box()
        scale = self._image.width() / box.width() if self._image is not None and not box.isEmpty() else 1.0
        return click_sigma_px(scale, self.devicePixelRatioF())

    def image_px(self, at: QPointF) -> QPointF:
        """The image's px under a point of the widget. The image's corner is at (-0.5, -0.5), as in OpenCV."""
        box = self.shown_box()
        if self._image is None or box.isEmpty():
            return QPointF(-1, -1)
        scale = self._image.width() / box.width()
        return (at - box.topLeft()) * scale - QPointF(0.5, 0.5)

    def _pointed_at(self, event: QMouseEvent) -> QPointF:
        """Where in the widget a pointer points: a mouse tells the corner of the screen's px that its tip covers, and
        means the px's middle. A pen's parts of a px are kept."""
        screen, fineness = self.screen(), self.devicePixelRatioF()
        origin = QPointF(screen.geometry().topLeft()) if screen is not None else QPointF()
        covered = (event.globalPosition() - origin) * fineness
        is_whole = all(abs(px - round(px)) < _WHOLE_PX for px in (covered.x(), covered.y()))
        return event.position() + QPointF(0.5, 0.5) / fineness if is_whole else event.position()
