"""Compiled loops work where nothing can be cached."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from rules import compiled


def test_without_a_place_for_the_cache_loops_are_compiled_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And that is told, once: a person had waited half a minute without knowing why."""

    def njit(*, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(compiled, "njit", njit)
    monkeypatch.setattr(compiled._TELLER, "_has_told", False)
    caplog.set_level("INFO", "rules")
    assert compiled.compiled(_double)(2.5) == 5.0
    assert compiled.compiled(_double)(2) == 4
    assert [record.message for record in caplog.records] == ["compiling inner loops: this may take half a minute"]


def _double(value: float) -> float:
    return 2 * value
