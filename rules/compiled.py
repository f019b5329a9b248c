"""Machine code for the few loops that numpy cannot express, of rules and eyes alike, kept on disk between runs.

Compiling a sweep takes seconds, loading it again tenths of a second; so what was compiled is cached beside the module,
or in the user's cache directory when the package lies where nobody may write. With neither, it is compiled anew in each
run; so it is while the disk is full, and where a loop, another that it calls or a constant that it names has changed.
The loops hold no interpreter lock: other threads go on meanwhile.
"""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from numba import njit
from numba.core.event import Listener, register

if TYPE_CHECKING:
    from collections.abc import Callable

Loop = TypeVar("Loop", bound="Callable[..., object]")


class _Teller(Listener):  # type: ignore[misc]
    """Has it logged, once, that loops are being compiled: a person would wait for them without knowing why."""

    def __init__(self) -> None:
        self._has_told = False

    def on_start(self, event: Any) -> None:
        """A loop was found in no cache."""
        if not self._has_told:
            logging.getLogger(__name__).info("compiling inner loops: this may take half a minute")
        self._has_told = True

    def on_end(self, event: Any) -> None:
        """It can be used now."""


_TELLER = _Teller()
register("numba:compile", _TELLER)


def compiled(loop: Loop) -> Loop:
    """The function as machine code, compiled at its first call and cached on disk where there is a place for it."""
    try:
        fast: Any = njit(cache=True, nogil=True, error_model="numpy")(loop)
    except RuntimeError:  # numba's word for: neither the package nor the user's cache can be written
        fast = njit(nogil=True, error_model="numpy")(loop)
    else:
        kept_in = fast._cache._cache_file
        kept_in._source_stamp = _stamp(kept_in._source_stamp, loop)
        fast._cache.save_overload = _where_there_is_room(fast._cache.save_overload)
    kept: Loop = fast
    return kept


def _stamp(of_file: object, loop: Callable[..., object]) -> str:
    """What tells whether a loop in the cache is this one. Numba asks when its file was written, and not what it calls
    and names of other files, which is compiled into it."""
    named = {name: loop.__globals__[name] for name in loop.__code__.co_names if name in loop.__globals__}
    told = [of_file, *((name, _version(value)) for name, value in sorted(named.items()))]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _version(named: object) -> object:
    """The stamp of a loop, the value of a constant; modules and what numba knows by itself are as they are."""
    cache = getattr(named, "_cache", None)
    if cache is not None:
        return getattr(getattr(cache, "_cache_file", None), "_source_stamp", None)
    return repr(named) if isinstance(named, int | float | str | tuple) else None


def _where_there_is_room(save: Callable[..., object]) -> Callable[..., None]:
    """Numba's saving of what was compiled, of which a full disk would else be the caller's fault."""

    def saved(*compiled_loop: object) -> None:
        with suppress(OSError):
            save(*compiled_loop)

    return saved
