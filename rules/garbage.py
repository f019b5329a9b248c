"""How seldom Python looks for garbage while a match goes on, or a large map is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Rulings hold no circles and go when nobody reads them. By Python's own 700 the rulings after a move of OMOG search
# four times: a twentieth of them all, a seventh of the slow ones. Between two full searches more is made here as well.
_YOUNG, _MIDDLE, _OLD = 20_000, 20, 20


def search_seldom() -> None:
    """From now on: all that is loaded now stays. Searching the libraries' 200,000 objects takes 60 ms each time."""
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


@contextmanager
def no_search() -> Iterator[None]:
    """Meanwhile Python looks for no garbage: of a map's 100,000 roads all are kept, and looked through each time."""
    was_searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_searched:
            gc.enable()
