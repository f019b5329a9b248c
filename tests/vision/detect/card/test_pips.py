"""Suits by the pips on a card's face, on cards of the sample's deck as a camera above would show them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from sample_footage.block_faces import CARD_PX_PER_MM, SUITS, card_face, suit_mask
from vision.detect.card.card_ends import Reading
from vision.detect.card.pip_blots import Blots, pips_of
from vision.detect.card.pip_layout import FACES
from vision.detect.card.pip_shapes import pip_shapes
from vision.detect.card.pips import by_pips
from vision.naming.read import OTHER_SUIT as OTHER
from vision.shape.rectangle import RectangleFit

SIZE_MM = (88.9, 63.5)
TABLE_MM = (150.0, 120.0)
# Log probabilities of a card by the sign under its index, and of it in either suit of its colour.
CHANCE, OF_COLOUR = -0.3, -0.01


def named(
    face: np.ndarray, cls: str | Reading, px_per_mm: float, turn_deg: float = 0.0, beside_mm: float = 0.0
) -> tuple[str, float]:
    """What a card that was read as a class is called by the pips of a face, 8 px/mm, on green in a soft picture."""
    wide, high = (round(side_mm * px_per_mm) for side_mm in TABLE_MM)
    turned = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), turn_deg, px_per_mm / CARD_PX_PER_MM)
    turned[:, 2] += np.array([wide, high]) / 2 - np.array(face.shape[1::-1]) / 2
    soft = cv2.GaussianBlur(face, (0, 0), 0.4 * CARD_PX_PER_MM / px_per_mm)
    picture = cv2.warpAffine(soft, turned, (wide, high), flags=cv2.INTER_LINEAR, borderValue=(62, 96, 44))
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6)
    fit = RectangleFit(
        (TABLE_MM[0] / 2, TABLE_MM[1] / 2), np.pi / 2 + np.radians(turn_deg), SIZE_MM, 1.0, 0.1, 140, (1.0,) * 4, 0.1
    )
    read = Reading(cls, CHANCE, OF_COLOUR) if isinstance(cls, str) else cls
    fits = [fit] if not beside_mm else [fit, replace(fit, centre_mm=(fit.centre_mm[0], fit.centre_mm[1] - beside_mm))]
    (told, chance, *_), *_ = by_pips(picture, above(wide, high, px_per_mm), fits, [read] * len(fits))
    return told, chance


def above(wide: int, high: int, px_per_mm: float) -> TablePlane:
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float)
    return fit_plane(Correspondences.of(corners, (corners * (1, -1) + (0, high)) / px_per_mm), None, (wide, high))


@pytest.mark.parametrize("px_per_mm", [1.6, 3.0])
@pytest.mark.parametrize("rank", ["A", "5", "10"])
@pytest.mark.parametrize("suit", SUITS)
def test_pips_tell_the_suit_whatever_the_index_was_read_as(suit: str, rank: str, px_per_mm: float) -> None:
    """A spade's small sign passes for a club's, as surely as 0.99."""
    for turn_deg in (0.0, 205.0):
        for read in (suit, OTHER[suit]):
            assert named(card_face(rank + suit), rank + read, px_per_mm, turn_deg) == (rank + suit, OF_COLOUR)


@pytest.mark.parametrize("suit", SUITS)
def test_where_pips_are_hardly_seen_what_was_read_stays(suit: str) -> None:
    assert all(named(card_face(rank + suit), rank + suit, 0.9)[0] == rank + suit for rank in ("A", "2", "5", "10"))


def court_card(suit: str, corners: int) -> np.ndarray:
    """Somebody in a red coat, with a pip in so many corners."""
    face = np.full_like(card_face("K" + suit), 248)
    face[220:-220, 130:-130] = (40, 60, 170)
    for corner in range(2):
        if corner < corners:
            face[90:170, 110:190] = np.where(suit_mask(suit, 80)[..., None] > 127, SUITS[suit], 248)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


@pytest.mark.parametrize("suit", SUITS)
def test_a_court_card_is_told_by_the_pips_in_both_its_corners(suit: str) -> None:
    assert {named(court_card(suit, 2), "K" + read, 2.0) for read in (suit, OTHER[suit])} == {("K" + suit, OF_COLOUR)}
    assert named(court_card(suit, 1), "K" + OTHER[suit], 2.0) == ("K" + OTHER[suit], CHANCE)


@pytest.mark.parametrize("cls", ["JOKER", "BACK", "unknown"])
def test_what_has_no_suit_keeps_its_name(cls: str) -> None:
    assert named(card_face("8S"), cls, 2.0) == (cls, CHANCE)


def test_of_a_card_that_is_mostly_hidden_pips_tell_nothing() -> None:
    face = card_face("8S").copy()
    face[180:] = 90
    assert named(face, "8C", 2.0) == ("8C", CHANCE)
    assert named(np.full_like(face, 248), "8C", 2.0) == ("8C", CHANCE)


def doubtful(cls: str, chance: float, other: str) -> Reading:
    """A card read so, and else as of another rank."""
    of_ranks = np.full(len(FACES), 1e-5)
    of_ranks[FACES.index(cls[:-1])], of_ranks[FACES.index(other)] = chance, 1 - chance - 1e-4
    return Reading(cls, float(np.log(chance)), float(np.log(chance)), tuple(np.log(of_ranks).tolist()))


@pytest.mark.parametrize(("shown", "read"), [("3S", "9"), ("9H", "3"), ("8D", "6"), ("5H", "J"), ("KS", "9")])
def test_the_face_tells_the_rank_where_the_index_is_in_doubt(shown: str, read: str) -> None:
    """A three read as a nine has no pips in two columns, a queen read as one is a picture."""
    face = court_card(shown[-1], 2) if shown[0] == "K" else card_face(shown)
    told, log_prob = named(face, doubtful(read + shown[-1], 0.6, shown[:-1]), 2.0)
    assert told == shown
    assert log_prob > np.log(0.95)


@pytest.mark.parametrize(("shown", "read"), [("3S", "9"), ("KS", "9"), ("AS", "K")])
def test_no_face_turns_what_the_index_surely_says(shown: str, read: str) -> None:
    face = court_card(shown[-1], 2) if shown[0] == "K" else card_face(shown)
    told, log_prob = named(face, doubtful(read + shown[-1], 0.9998, shown[:-1]), 2.0)
    assert told == read + shown[-1]
    assert np.log(0.85) < log_prob < 0


def test_what_is_hidden_counts_neither_for_a_rank_nor_against_it() -> None:
    """A thing lies on five pips of an eight."""
    face = card_face("8S").copy()
    face[260:, :] = 90
    told, log_prob = named(face, doubtful("8S", 0.9, "10"), 2.0)
    assert (told, log_prob) == ("8S", pytest.approx(np.log(0.9), abs=0.02))


def test_one_large_pip_is_an_aces_or_that_of_a_deck_with_large_print() -> None:
    face = np.full_like(card_face("3H"), 248)
    high, wide = face.shape[:2]
    large = 30 * CARD_PX_PER_MM
    mask = suit_mask("H", large)
    top, left = (high - large) // 2, (wide - large) // 2
    face[top : top + large, left : left + large] = np.where(mask[..., None] > 127, SUITS["H"], 248)
    assert named(face, doubtful("3H", 0.9, "A"), 2.0) == ("3H", pytest.approx(np.log(0.9), abs=0.02))


def test_what_shows_where_another_card_may_lie_counts_for_no_rank() -> None:
    """An ace of which another card hides the pip, with two of its own on it."""
    ace = np.full_like(card_face("AD"), 248)
    nine = card_face("9D")
    half = nine.shape[0] // 2 - 60
    ace[half:] = nine[half:]
    read = doubtful("AD", 0.95, "Q")
    assert named(ace, read, 2.0)[1] < np.log(0.85)
    assert named(ace, read, 2.0, beside_mm=30.0) == ("AD", pytest.approx(np.log(0.95), abs=0.05))


def test_pips_of_a_card_that_may_lie_on_it_tell_no_suit() -> None:
    """A six of clubs below a nine of spades, of which five pips show."""
    six, nine = np.full_like(card_face("6C"), 248), card_face("9S")
    half = nine.shape[0] // 2 - 60
    six[half:] = nine[half:]
    assert named(six, "6C", 2.0)[0] == "6S"
    assert named(six, "6C", 2.0, beside_mm=30.0)[0] == "6C"


@pytest.mark.parametrize(("along_mm", "count"), [(-20.0, 1), (0.0, 1), (20.0, 0)])
def test_what_is_a_pip_the_other_way_up_than_it_would_be_printed_there_is_none(along_mm: float, count: int) -> None:
    """Below the middle of a card hearts point up; of clubs on long stems some share more with a spade that does."""
    heart = pip_shapes("H")[0, :1]
    assert len(pips_of(Blots(heart, np.array([[9.0, along_mm]]), np.array([9.0])), "H", "D").lean) == count
