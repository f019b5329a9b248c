"""What the benchmarks measure is still there: nobody runs them all between two changes of what they take apart."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import benchmarks

NAMES = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_says_what_it_measures_and_times_what_there_is(name):
    module = importlib.import_module(f"benchmarks.{name}")
    assert module.__doc__
    for owner, attribute, *_ in getattr(module, "STAGES", ()):
        assert callable(getattr(owner, attribute))
