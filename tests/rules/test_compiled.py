"""Compiled loops work where nothing can be cached, and none is compiled for another kind of the same numbers."""

from __future__ import annotations

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
