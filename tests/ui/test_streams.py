"""Standard input, output and error as each command finds them."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from ui.streams import settle


@pytest.fixture(autouse=True)
def _error_as_it_was(monkeypatch):
    """`settle` puts another in the place of standard error, for as long as the program runs."""
    monkeypatch.setattr(sys, "stderr", sys.stderr)


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("kind", "locale", "written"),
    [
        (io.TextIOWrapper, "iso-8859-1", "ç渡".encode()),
        (io.TextIOWrapper, "ascii", "ç渡".encode()),
        (_Terminal, "iso-8859-1", b"\xe7\\u6e21"),
    ],
)
def test_a_result_in_a_file_is_utf_8_in_every_locale(monkeypatch, kind, locale, written):
    """A scene's id ç1 came as the byte e7, and where the locale had no such letter the result was lost."""
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", kind(content, encoding=locale))
    settle()
    sys.stdout.write("ç渡")
    sys.stdout.flush()
    assert content.getvalue() == written


def test_a_closed_standard_input_is_an_empty_one(monkeypatch):
    """`sandtable setup <&-` and `sandtable replay LOG <&-` ended in a traceback."""
    monkeypatch.setattr(sys, "stdin", None)
    settle()
    assert not sys.stdin.isatty()
    assert sys.stdin.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk there")
@pytest.mark.parametrize("closed", [True, False])
def test_what_cannot_be_said_ends_no_work(tmp_path, closed):
    """`play` and `annotate` ended where standard error was closed, or in a file on a full disk; and what libraries say
    would have gone into a result, whose file had the closed one's number."""
    program = (
        "import os, sys; from ui.streams import settle\n"
        "from ui.telling.progress import progress; from ui.telling.results import say\n"
        "settle(); out = open(sys.argv[1], 'wb'); os.write(2, b'words') if out.fileno() < 3 else None\n"
        "with progress('watching', 1.0) as advance:\n    say('x' * 9999); advance(1.0)\n"
        "out.write(b'whole'); out.close()"
    )
    command = f'"$0" -c "$1" "$2" {"2>&-" if closed else "2>/dev/full"}'
    ended = subprocess.run(["sh", "-c", command, sys.executable, program, str(tmp_path / "out")], check=False)
    assert (ended.returncode, (tmp_path / "out").read_bytes()) == (0, b"whole")


def test_what_is_said_comes_through_at_once(monkeypatch):
    said = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(said, "ascii", "backslashreplace"))
    settle()
    sys.stderr.write("ç\n")
    assert said.getvalue().splitlines() == [b"\\xe7"]
