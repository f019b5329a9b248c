"""Compiled loops work where nothing can be cached."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from rules import compiled


def test_without_a_place_for_the_cache_loops_are_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def njit(*, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(compiled, "njit", njit)
    assert compiled.compiled(_double)(2.5) == 5.0


def _double(value: float) -> float:
    return 2 * value
