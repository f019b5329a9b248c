"""Rims drawn on a grained cloth: where they lie is known."""

import cv2
import numpy as np
import pytest

from vision.detect.round.rims import find_rims

EVERYWHERE = np.ones((8, 8), bool)
# A rim is proposed as far out as its edge is soft; the fit that follows measures it.
SOFT = 0.1


@pytest.fixture
def cloth():
    grain = np.random.default_rng(3).normal(0, 6, (240, 320, 3))
    return np.clip(120 + grain, 0, 255).astype(np.uint8)


def drawn(cloth, shape):
    """With a lighter shape on it, as soft as a lens makes it."""
    part = np.zeros(cloth.shape[:2], np.uint8)
    shape(part)
    share = cv2.GaussianBlur(part, (0, 0), 1.2)[..., None] / 255
    return np.rint(cloth + share * 70).astype(np.uint8)


def rims(top, where=EVERYWHERE):
    return find_rims(top, where, 20.0, 100.0, 0.8)


def test_a_disc_has_one_rim_where_it_is(cloth):
    (rim,) = rims(drawn(cloth, lambda part: cv2.circle(part, (150, 110), 43, 255, -1, cv2.LINE_AA)))
    assert rim.middle == pytest.approx((150, 110), abs=0.7)
    assert rim.radius == pytest.approx(43, rel=SOFT)
    assert rim.closed > 0.95


def test_a_rim_is_found_though_a_handle_and_a_glare_break_it(cloth):
    def mug(part):
        cv2.circle(part, (150, 110), 43, 255, -1, cv2.LINE_AA)
        cv2.rectangle(part, (185, 104), (225, 116), 255, -1)

    top = drawn(cloth, mug)
    cv2.circle(top, (126, 80), 12, (255, 255, 255), -1)
    assert any(rim.radius == pytest.approx(43, rel=SOFT) for rim in rims(top))


def test_an_ellipse_of_a_tilt_told_badly_is_still_a_rim(cloth):
    (rim,) = rims(drawn(cloth, lambda part: cv2.ellipse(part, (160, 120), (44, 40), 20, 0, 360, 255, -1, cv2.LINE_AA)))
    assert rim.radius == pytest.approx(42, rel=SOFT)


@pytest.mark.parametrize(
    "shape",
    [
        lambda part: cv2.ellipse(part, (150, 110), (43, 43), 0, 0, 200, 255, -1),
        lambda part: cv2.rectangle(part, (110, 70), (190, 150), 255, -1),
        lambda part: cv2.circle(part, (150, 110), 12, 255, -1),
        lambda part: None,
    ],
    ids=("half a disc", "a square", "a coin", "bare cloth"),
)
def test_what_is_no_rim_of_such_a_size_has_none(cloth, shape):
    assert rims(drawn(cloth, shape)) == []


def test_of_two_lines_of_one_rim_the_outer_one_is_it(cloth):
    def ring(part):
        cv2.circle(part, (150, 110), 43, 255, -1, cv2.LINE_AA)
        cv2.circle(part, (150, 110), 39, 0, -1, cv2.LINE_AA)

    (rim,) = rims(drawn(cloth, ring))
    assert rim.radius == pytest.approx(43, rel=SOFT)


def test_edges_that_may_not_vote_make_no_rim(cloth):
    top = drawn(cloth, lambda part: cv2.circle(part, (150, 110), 43, 255, -1, cv2.LINE_AA))
    assert rims(top, np.zeros((8, 8), bool)) == []
