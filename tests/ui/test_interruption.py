"""Ctrl-C, a closed terminal and `kill`: PyQt aborted in the midst of a picture, and the recording was lost."""

import os
import signal
import struct
import subprocess
import sys

import pytest
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QWidget
from PyQt6.sip import voidptr

from tests.ui.builders import a_frame
from ui.cli import INTERRUPTED, run
from ui.qt import application, interruptible
from ui.window.confirm import confirmed
from ui.window.gone import GoneWindows

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def heard():
    """A shell lets what runs in the background ignore Ctrl-C, and tests would wait for ever."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def after_a_while(qapp):
    """Sends this program a signal while a window is shown."""
    timer = QTimer()
    timer.setSingleShot(True)

    def send(number):
        timer.timeout.connect(lambda: os.kill(os.getpid(), number))
        timer.start(50)

    yield send
    timer.stop()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_window_is_closed_in_good_order(qtbot, after_a_while, number):
    before = signal.getsignal(number)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    after_a_while(number)
    with interruptible() as ended:
        application().exec()
    assert ended.is_set() and not window.isVisible()
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("sort", [17, 17 | 0x80])
def test_a_window_that_another_program_destroyed_is_closed(qtbot, sort):
    """Qt was not told, and the match went on for ever in a window that nobody saw."""
    window, other = QWidget(), QWidget()
    for shown in (window, other):
        qtbot.addWidget(shown)
        shown.show()
    event = struct.pack("=BxxxII20x", sort, 1, int(window.winId()))
    assert GoneWindows().nativeEventFilter(b"xcb_generic_event_t", voidptr(event))[0] is False
    qtbot.waitUntil(lambda: not window.isVisible())
    assert other.isVisible()


def test_a_question_that_is_interrupted_is_not_answered(after_a_while):
    after_a_while(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        confirmed(a_frame(), [], "Found by its cards.")


@pytest.mark.parametrize("number", SIGNALS)
def test_without_a_window_each_is_an_interruption(number):
    code = f"import os; from ui.interruption import heed_all; heed_all(); os.kill(os.getpid(), {int(number)}); print(1)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt" in told.stderr and told.stdout == ""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_module_is_loaded_before_an_interruption_is_heard(tmp_path, number):
    """Of one in the midst of it numpy made an ImportError, with a traceback."""
    (tmp_path / "slow.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\nprint('loaded')\n")
    code = (
        "import sys, time; from ui.interruption import heed_all; heed_all(); "
        f"sys.path.append({str(tmp_path)!r}); import slow; time.sleep(20); print('never')"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "loaded\n" and "KeyboardInterrupt" in told.stderr and "slow.py" not in told.stderr


@pytest.mark.parametrize("number", SIGNALS)
def test_no_more_of_our_modules_is_loaded_than_the_one_that_was_interrupted(tmp_path, number):
    """All that a command is made of was: it took 4 s to end, and 10 to 22 s where others had the processor."""
    (tmp_path / "slow.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\nprint('loaded')\n")
    (tmp_path / "outer.py").write_text("import slow\nimport ui.telling.words\nprint('never')\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r}); from ui.interruption import heed_all; heed_all()\n"
        "try:\n    import outer\nfinally:\n    import ui.telling.words, time; time.sleep(0.2); print('in good order')"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "loaded\nin good order\n" and told.stderr.endswith("KeyboardInterrupt\n")


def test_signals_that_come_together_are_one_interruption():
    """`timeout` sends two: the second broke off the recording's end, and it lay in a hidden file (2 of 18 matches)."""
    code = (
        "import os, signal, time; from ui.interruption import heed_all; heed_all()\n"
        "try:\n os.kill(os.getpid(), signal.SIGINT)\n time.sleep(9)\n"
        "except KeyboardInterrupt:\n os.kill(os.getpid(), signal.SIGINT)\n time.sleep(0.1)\n"
        " print('kept', flush=True)\n"
        "time.sleep(1)\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\nprint('never')"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "kept\n" and "KeyboardInterrupt" in told.stderr


def test_what_the_program_was_told_to_ignore_stays_ignored():
    code = "import os; from ui.interruption import heed_all; heed_all(); os.kill(os.getpid(), 1); print(1)"
    told = subprocess.run(["nohup", sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "1\n"


def test_what_is_interrupted_at_work_is_one_line_below_that_of_the_key(monkeypatch, tmp_path, capfd):
    """There was an empty line between them: click ends that line too."""

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ui.ruled.rules_setup", stopped)
    assert run(["rule", str(tmp_path / "scene.geojson"), "--game", "omms"]) == INTERRUPTED
    assert capfd.readouterr().err == "\nsandtable: interrupted\n"
