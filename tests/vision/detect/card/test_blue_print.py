"""Diamonds that a deck prints blue are told from spades by their shape, and its blue court cards with them."""

import numpy as np
import pytest

from sample_footage.block_faces import CARD_PX_PER_MM, card_face
from vision.detect.card.blue_print import in_four_colours
from vision.detect.card.card_ends import Reading
from vision.detect.card.pip_blots import Face

BLUE, GREEN, BLACK = (200, 90, 20), (40, 120, 20), (40, 36, 34)
IN_SPADES = Reading("5S", -0.6, -0.2)


def alone(face_bgr: np.ndarray) -> Face:
    """Of which nothing is hidden."""
    return Face.of(face_bgr, np.zeros(face_bgr.shape[:2], bool), CARD_PX_PER_MM)


def face(cls: str, ink_bgr: tuple[int, int, int]) -> Face:
    """A number of the sample's deck, all of it printed in one ink, on warm paper."""
    inked = 1 - card_face(cls).min(axis=2, keepdims=True) / 255
    paper = np.array([190.0, 225, 245])
    return alone(np.asarray(paper * (1 - inked) + np.array(ink_bgr) * inked, np.uint8))


def told(*cards: tuple[Face, Reading]) -> list[Reading]:
    faces, named = zip(*cards, strict=True)
    return in_four_colours(named, faces, CARD_PX_PER_MM)


def court_card(ink_bgr: tuple[int, int, int]) -> Face:
    """Of which an index shows and nothing else."""
    only_index = card_face("KD").copy()
    high, wide = only_index.shape[:2]
    only_index[high // 4 : -high // 4] = 248
    only_index[:, wide // 4 : -wide // 4] = 248
    inked = only_index.max(axis=2, keepdims=True) < 200
    inked |= only_index.min(axis=2, keepdims=True) < 120
    return alone(np.where(inked, np.array(ink_bgr), 248).astype(np.uint8))


def test_blue_diamonds_are_no_spades_and_as_likely_as_their_rank() -> None:
    assert told((face("5D", BLUE), IN_SPADES)) == [Reading("5D", -0.2, -0.2)]


@pytest.mark.parametrize(("cls", "ink_bgr"), [("5S", BLUE), ("5S", BLACK), ("5C", GREEN), ("5D", BLACK)])
def test_what_is_no_diamond_or_not_blue_stays(cls: str, ink_bgr: tuple[int, int, int]) -> None:
    assert told((face(cls, ink_bgr), IN_SPADES)) == [IN_SPADES]


def test_a_court_card_with_a_blue_index_is_in_diamonds_where_others_prove_them_blue() -> None:
    king = Reading("KS", -0.02, -0.01)
    assert told((court_card(BLUE), king)) == [king]
    proven = (face("5D", BLUE), IN_SPADES)
    assert [read.cls for read in told((court_card(BLUE), king), proven, (court_card(BLACK), king))] == [
        "KD",
        "5D",
        "KS",
    ]
