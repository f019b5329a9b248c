"""Compiled loops work where nothing can be cached, and none is compiled for another kind of the same numbers."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from shapely import LineString, box

from rules import compiled
from rules.geometry.cuts import whole
from rules.geometry.reach import reachable_region
from rules.geometry.road_loops import least_distances, piece_distances
from rules.geometry.roads import road_network
from rules.geometry.taut import explore


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


def test_on_a_full_disk_loops_are_compiled_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call ended with "the disk is full", of no file."""

    def save(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", save, raising=False)
    assert compiled.compiled(_triple)(2.5) == 7.5


def test_a_loop_is_compiled_anew_where_what_it_calls_or_a_constant_has_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After an update the loops that called a mended one went on with the fault."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "calls_a_loop.py").write_text(
        "from called_loop import SHIFT, twice\nfrom rules.compiled import compiled\n\n"
        "@compiled\ndef shifted(value):\n    return twice(value) + SHIFT\n"
    )
    told = []
    for written_s, (factor, shift) in enumerate([(2, 1), (3, 1), (3, 5), (3, 5)]):
        (tmp_path / "called_loop.py").write_text(
            f"from rules.compiled import compiled\n\nSHIFT = {shift}\n\n"
            f"@compiled\ndef twice(value):\n    return {factor} * value\n"
        )
        os.utime(tmp_path / "called_loop.py", (written_s, written_s))
        importlib.invalidate_caches()
        for name in ("calls_a_loop", "called_loop"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        told.append(importlib.import_module("calls_a_loop").shifted(1.0))
    assert told == [3.0, 4.0, 8.0, 8.0]


def test_whole_millimetres_compile_nothing_anew() -> None:
    table, obstacle = box(0, 0, 300, 200), box(80, 40, 100, 60)
    roads = whole(road_network([LineString([(0, 100), (300, 100)])]), np.array([0]))
    counts = []
    for number in (float, int):
        assert reachable_region((50, 50), number(100), [obstacle], 10, table).area > 0
        at_mm = np.array([[150, 120]], number)
        assert roads.distances_mm(at_mm).tolist() == roads.least_mm(np.array([0]), at_mm).tolist() == [20]
        counts.append([len(each.signatures) for each in (explore, piece_distances, least_distances)])
    assert counts[0] == counts[1]


def _triple(value: float) -> float:
    return 3 * value


def _double(value: float) -> float:
    return 2 * value
