"""A window that another program destroyed: X tells of it, and Qt plays on in a window that nobody sees."""

from __future__ import annotations

import struct

from PyQt6.QtCore import QAbstractNativeEventFilter, QByteArray, QTimer
from PyQt6.QtWidgets import QApplication
from PyQt6.sip import voidptr

_XCB = b"xcb_generic_event_t"
# What came (its highest bit: sent by another program), the window that hears of it, the one that is gone (xproto.h).
_EVENT = struct.Struct("=BxxxII")
_DESTROY_NOTIFY, _SORT = 17, 0x7F


class GoneWindows(QAbstractNativeEventFilter):
    """Closes such a window, as a click would: then what was recorded is finished, and a question stays unanswered."""

    def nativeEventFilter(  # noqa: N802 (Qt's name)
        self, kind: QByteArray | bytes | bytearray | memoryview, message: voidptr | None
    ) -> tuple[bool, voidptr]:
        """Look at an event of the display's, and leave it to Qt."""
        if message is not None and kind == _XCB:
            sort, _, window_id = _EVENT.unpack(message.asstring(_EVENT.size))
            if sort & _SORT == _DESTROY_NOTIFY:
                _close(window_id)
        return False, voidptr(0)


def _close(window_id: int) -> None:
    """Once Qt is at rest; one that Qt itself has taken away is none of ours any more."""
    for window in QApplication.topLevelWidgets():
        if window.isVisible() and int(window.winId()) == window_id:
            QTimer.singleShot(0, window.close)
