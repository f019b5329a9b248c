"""Sheets that touch: told apart by their colours, but no stripes, borders or shadows of one."""

import cv2
import numpy as np
import pytest

from vision.detect.sheet.patchwork import of_one_colour

PX_PER_MM = 1.0
GREEN, BROWN, GREY = (60, 140, 60), (40, 70, 120), (170, 170, 170)


@pytest.fixture
def top():
    return np.full((260, 320, 3), (90, 120, 160), np.uint8)


def sheet(top, corners, colour):
    cv2.fillPoly(top, [np.array(corners, np.int32)], colour)


def patch_of(top):
    return (top != (90, 120, 160)).any(axis=2)


def test_two_napkins_that_touch_are_two(top):
    sheet(top, [(30, 30), (130, 30), (130, 140), (30, 140)], GREEN)
    sheet(top, [(130, 60), (240, 80), (230, 190), (128, 170)], BROWN)
    parts = of_one_colour(patch_of(top), top, PX_PER_MM)
    assert len(parts) == 2
    green = (top == GREEN).all(axis=2)
    assert max((part & green).sum() / (part | green).sum() for part in parts) > 0.9


def test_a_checked_napkin_is_one(top):
    rows, columns = np.indices(top.shape[:2])
    top[30:190, 40:200] = np.where(((rows // 10 + columns // 10) % 2 > 0)[..., None], GREEN, GREY)[30:190, 40:200]
    assert len(of_one_colour(patch_of(top), top, PX_PER_MM)) == 1


def test_a_border_is_no_sheet(top):
    sheet(top, [(30, 30), (210, 30), (210, 210), (30, 210)], GREEN)
    sheet(top, [(55, 55), (185, 55), (185, 185), (55, 185)], GREY)
    assert len(of_one_colour(patch_of(top), top, PX_PER_MM)) == 1


def test_a_shadow_is_no_other_sheet(top):
    sheet(top, [(30, 30), (210, 30), (210, 210), (30, 210)], GREY)
    top[30:211, 30:110] = (top[30:211, 30:110] * 0.82).astype(np.uint8)
    assert len(of_one_colour(patch_of(top), top, PX_PER_MM)) == 1
