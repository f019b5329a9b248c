"""Counters alike but for the letter that is printed on them."""

import cv2
import numpy as np
import pytest

from models.coins import CROP_PX, RIM_SHARE
from vision.taught.enrol import Enrolled
from vision.taught.printed import is_printed, shows_same
from vision.taught.sample import Sample

GREEN, WHITE = (60, 130, 50), (235, 240, 240)


def counter(letter, turn_deg=0.0, light=(1.0, 1.0, 1.0), seed=0):
    """A green counter (CROP_PX, CROP_PX, 3) with a white ring and letter on brown, as shown in that light."""
    fine = 8
    side, middle = CROP_PX * fine, CROP_PX * fine // 2
    radius = round(CROP_PX / 2 * RIM_SHARE * fine)
    disc = np.full((side, side, 3), GREEN, np.uint8)
    (width, height), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 6.0, 20)
    at = (middle - width // 2, middle + height // 2)
    cv2.putText(disc, letter, at, cv2.FONT_HERSHEY_DUPLEX, 6.0, WHITE, 20, cv2.LINE_AA)
    cv2.circle(disc, (middle, middle), round(0.92 * radius), WHITE, 10, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((middle, middle), turn_deg, 1.0)
    disc = cv2.warpAffine(disc, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    ground = np.full_like(disc, (90, 130, 170))
    cover = cv2.circle(np.zeros((side, side), np.uint8), (middle, middle), radius, 1, -1)[..., None]
    seen = cv2.resize(np.where(cover > 0, disc, ground), (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 3, seen.shape)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.8) * np.asarray(light) + noise, 0, 255).astype(np.uint8)


def sample(letter, **seen):
    return Sample("coin", counter(letter, **seen), 25.0, (0.0, 0.0))


def test_a_counter_is_known_by_its_letter_at_another_turn_and_in_another_light():
    gate = Enrolled("gate", "coin", 25.0, (counter("A"),))
    assert is_printed(gate.crops[0])
    assert gate.is_near(gate.away(sample("A", turn_deg=130.0, light=(0.85, 0.95, 1.0), seed=1)))
    assert not any(gate.is_near(gate.away(sample(other, turn_deg=40.0, seed=2))) for other in "KVE")


@pytest.mark.parametrize("turn_deg", [20.0, 133.0, 271.0])
def test_print_is_the_same_at_any_turn_and_that_of_another_letter_is_not(turn_deg):
    assert shows_same(counter("R"), counter("R", turn_deg, seed=3))
    assert not shows_same(counter("R"), counter("P", turn_deg, seed=3))


def test_two_letters_can_both_be_taught_and_of_a_piece_with_two_faces_either_is_known():
    gate, keep = (Enrolled(name, "coin", 25.0, (counter(letter),)) for name, letter in (("gate", "A"), ("keep", "K")))
    assert not gate.is_like(keep)
    both = Enrolled("both", "coin", 25.0, (counter("A"), counter("K")))
    assert all(both.is_near(both.away(sample(face, turn_deg=75.0, seed=4))) for face in "AK")
    assert not both.is_near(both.away(sample("E", turn_deg=75.0, seed=4)))
