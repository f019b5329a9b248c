"""Python's search for garbage: seldom, and never through the libraries, once a match goes on."""

import gc

from rules.garbage import search_seldom


def test_what_is_loaded_is_left_out_and_young_things_are_searched_seldom():
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(700, 10, 10)  # as Python begins; another test may have begun a match in this process
    try:
        search_seldom()
        assert gc.isenabled() and gc.get_freeze_count() > frozen
        assert all(now >= earlier for now, earlier in zip(gc.get_threshold(), (700, 10, 10), strict=True))
        assert gc.get_threshold()[0] > 700
    finally:
        gc.set_threshold(*before)
