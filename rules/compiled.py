"""Machine code for the few loops that numpy cannot express, of rules and eyes alike, kept on disk between runs.

Compiling a sweep takes seconds, loading it again tenths of a second; so what was compiled is cached beside the module,
or in the user's cache directory when the package lies where nobody may write. With neither, it is compiled anew in each
run. The loops hold no interpreter lock: other threads go on meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

Loop = TypeVar("Loop", bound="Callable[..., object]")


def compiled(loop: Loop) -> Loop:
    """The function as machine code, compiled at its first call and cached on disk where there is a place for it."""
    try:
        fast: Loop = njit(cache=True, nogil=True, error_model="numpy")(loop)
    except RuntimeError:  # numba's word for: neither the package nor the user's cache can be written
        fast = njit(nogil=True, error_model="numpy")(loop)
    return fast
