"""Standard input and output as each command finds them."""

import io
import sys

import pytest

from ui.streams import settle


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
