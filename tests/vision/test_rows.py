"""Records of n things: cut to some of them, and joined."""

import numpy as np
import pytest

from vision.classify import Looks

LOOKS = Looks(np.arange(12.0).reshape(3, 4), np.arange(6.0).reshape(3, 2), np.arange(3.0).reshape(3, 1))


@pytest.mark.parametrize("which", [np.array([True, False, True]), np.array([0, 2]), slice(None, None, 2)])
def test_every_field_is_cut_alike(which):
    some = LOOKS.only(which)
    assert isinstance(some, Looks)
    assert some.classes.tolist() == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert some.faces.tolist() == [[0, 1], [4, 5]]
    assert some.owners.tolist() == [[0], [2]]


def test_parts_joined_are_the_whole_in_their_order():
    both = LOOKS.only(np.array([2])).and_more(LOOKS.only(np.array([0])))
    assert both.owners.tolist() == [[2], [0]]
    assert both.faces.tolist() == [[4, 5], [0, 1]]
