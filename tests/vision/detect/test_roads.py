import cv2
import numpy as np
import pytest

from vision.detect.roads import road_masks

PX_PER_MM = 2.5
# What a map prints, drawn here by hand: fill and casing (BGR), breadth in mm, place in mm from the far edge.
PRINTED = {
    "motorway": ((212, 140, 54), (120, 60, 20), 1.7, 15),
    "primary": ((88, 170, 70), (36, 80, 24), 1.3, 30),
    "a": ((96, 96, 226), (40, 40, 120), 1.1, 45),
    "b": ((110, 200, 250), (50, 90, 130), 0.9, 60),
    "minor": ((250, 252, 252), (120, 120, 120), 0.8, 75),
}
RIVER_MM = 90


def a_sheet(light=(1.0, 1.0, 1.0)):
    fine = 4 * PX_PER_MM
    sheet = np.full((round(105 * fine), round(140 * fine), 3), (206, 238, 238), np.uint8)
    cv2.rectangle(sheet, (0, 0), (round(140 * fine), round(4 * fine)), (255, 255, 255), -1)
    rows = [*((fill, casing, mm, at) for fill, casing, mm, at in PRINTED.values())]
    rows.append(((226, 196, 140), (150, 118, 40), 0.45, RIVER_MM))
    for fill, casing, width_mm, at in rows:
        for colour, width in ((casing, width_mm + 0.4), (fill, width_mm)):
            ends = [(0, round(at * fine)), (round(140 * fine), round((at + 6) * fine))]
            cv2.line(sheet, *ends, colour, round(width * fine))
    small = cv2.resize(sheet, (350, round(105 * PX_PER_MM)), interpolation=cv2.INTER_AREA)
    return np.clip(small * np.asarray(light), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.85, 1.0), (0.45, 0.45, 0.45)], ids=["even", "warm", "dim"])
def test_each_class_is_found_along_its_road_and_nowhere_else(light):
    masks = road_masks(a_sheet(light), PX_PER_MM)
    columns = np.arange(20, 330)
    for cls, (_, _, _, at) in PRINTED.items():
        middle = np.rint((at + 6 * columns / 350) * PX_PER_MM).astype(int)
        near = np.any([masks[cls][middle + off, columns] for off in (-2, -1, 0, 1, 2)], axis=0)
        assert near.mean() > 0.9, cls
        rows, found = np.nonzero(masks[cls])
        away = np.abs(rows - (at + 6 * found / 350) * PX_PER_MM)
        # The mask of the broadest road, casing and all, reaches 1.1 mm to each side; the blur of a pixel comes on top.
        assert (away < 2.0 * PX_PER_MM).mean() > 0.95, cls


def test_a_river_is_no_motorway():
    rows, _ = np.nonzero(road_masks(a_sheet(), PX_PER_MM)["motorway"])
    assert (rows < 30 * PX_PER_MM).all()
