import cv2
import numpy as np
import pytest

from tests.vision.planes import drawn_discs, plane_from
from vision.shape.circle import fit_rims

ABOVE, SLANTED = (200.0, 150.0, 700.0), (200.0, -420.0, 560.0)
DISCS = [(150.0, 120.0, 12.25, 1.85), (230.0, 160.0, 9.0, 1.7), (262.0, 110.0, 14.2, 2.5)]


def fitted(eye_mm, known_radius, seed_shift_mm=(0.7, -0.6), seed_share=1.06, foot=True):
    plane = plane_from(eye_mm, (200.0, 150.0))
    picture = drawn_discs(plane, DISCS, foot=foot)
    table = np.array(DISCS)
    seed_radius = table[:, 2] if known_radius else seed_share * table[:, 2]
    rims = fit_rims(picture, plane, table[:, :2] + seed_shift_mm, seed_radius, table[:, 3], known_radius)
    return rims, table


@pytest.mark.parametrize("known_radius", [True, False])
def test_rims_seen_from_above_are_measured_to_a_twentieth_of_a_pixel(known_radius):
    rims, table = fitted(ABOVE, known_radius, foot=False)
    assert np.abs(rims.centre_mm - table[:, :2]).max() < 0.05 / 2
    assert np.abs(rims.radius_mm - table[:, 2]).max() < 0.08


@pytest.mark.parametrize("eye_mm", [ABOVE, SLANTED])
def test_the_dark_side_of_a_coin_pulls_its_centre_by_less_than_half_a_pixel(eye_mm):
    rims, table = fitted(eye_mm, known_radius=True)
    assert np.linalg.norm(rims.centre_mm - table[:, :2], axis=1).max() < 0.25


def test_the_height_counts_a_rim_taken_for_flat_is_off_by_its_parallax():
    plane = plane_from(SLANTED, (200.0, 150.0))
    picture = drawn_discs(plane, DISCS, foot=False)
    table = np.array(DISCS)
    flat = fit_rims(picture, plane, table[:, :2], table[:, 2], np.zeros(3), known_radius=True)
    # By similar triangles: a rim at height h hides the table h / (H - h) of its distance from the camera beyond it.
    away_mm = table[:, :2] - np.array(SLANTED[:2])
    parallax_mm = away_mm * (table[:, 3] / (SLANTED[2] - table[:, 3]))[:, None]
    assert np.allclose(flat.centre_mm - table[:, :2], parallax_mm, atol=0.12)


def test_the_shadow_beside_a_coin_hardly_draws_its_centre():
    plane, around = plane_from(ABOVE, (200.0, 150.0)), np.linspace(0, 2 * np.pi, 240, endpoint=False)
    rim_mm = 12.0 * np.column_stack([np.cos(around), np.sin(around)])
    picture = np.full((960, 1280, 3), 170, np.uint8)
    for at_mm, height_mm, level in (((200.9, 149.1), 0.0, 90), ((200.0, 150.0), 1.8, 110)):
        outline = np.rint(plane.to_image(rim_mm + at_mm, height_mm) * 16).astype(np.int32)
        cv2.fillPoly(picture, [outline], (level,) * 3, cv2.LINE_AA, 4)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)
    rims = fit_rims(
        picture, plane, np.array([[200.2, 149.9]]), np.array([12.0]), np.array([1.8]), known_radius=True, close=True
    )
    assert np.linalg.norm(rims.centre_mm[0] - (200.0, 150.0)) < 0.2


def test_nothing_to_fit_gives_nothing():
    rims = fit_rims(
        np.zeros((60, 80, 3), np.uint8), plane_from(ABOVE, (200.0, 150.0)), np.zeros((0, 2)), np.zeros(0), np.zeros(0)
    )
    assert len(rims.centre_mm) == len(rims.support) == 0


def test_an_even_picture_shows_no_rim():
    plane = plane_from(ABOVE, (200.0, 150.0))
    rims = fit_rims(
        np.full((960, 1280, 3), 90, np.uint8), plane, np.array([[200.0, 150.0]]), np.array([12.0]), np.array([1.8])
    )
    assert rims.support[0] == 0


@pytest.mark.parametrize(("sides", "column"), [(7, 0), (12, 1)])
def test_a_rim_with_sides_swings_as_many_times_and_a_round_one_does_not(sides, column):
    plane = plane_from(ABOVE, (200.0, 150.0))
    around = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    swings = []
    for share in (0.02, 0.0):
        rim_mm = (
            12.0 * (1 + share * np.cos(sides * around))[:, None] * np.column_stack([np.cos(around), np.sin(around)])
        )
        picture = np.full((960, 1280, 3), 90, np.uint8)
        outline = np.rint(plane.to_image(rim_mm + np.array([200.0, 150.0]), 1.8) * 16).astype(np.int32)
        cv2.fillPoly(picture, [outline], (200, 200, 200), cv2.LINE_AA, 4)
        rims = fit_rims(picture, plane, np.array([[200.3, 149.9]]), np.array([12.3]), np.array([1.8]), close=True)
        swings.append(rims.swing[0])
        assert rims.uneven[0, column] < 0.003
    assert 0.01 < swings[0][column] < 0.025
    assert max(swings[0][1 - column], *swings[1]) < 0.004
