"""Exposure and focus are held once the picture has settled, and it is said whether the driver obeyed."""

import cv2
import numpy as np
import pytest

from vision.stream.camera import Camera
from vision.stream.lock import Lock

AUTO, MANUAL = 3.0, 1.0


class FakeDriver:
    """A Video4Linux camera whose driver takes only the properties it `obeys`."""

    def __init__(self, obeys):
        self.obeys = obeys
        self.values = {cv2.CAP_PROP_AUTO_EXPOSURE: AUTO, cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
        self.asked = []
        self.level = 0

    def get(self, what):
        return self.values.get(what, 0.0)

    def set(self, what, value):
        self.asked.append((what, value))
        if what in self.obeys:
            self.values[what] = value
        return what in self.obeys

    def read(self):
        # The picture comes up from black over 30 frames, then stays.
        self.level = min(self.level + 4, 120)
        return True, np.full((48, 64, 3), self.level, np.uint8)

    def isOpened(self):  # noqa: N802
        return True

    def getBackendName(self):  # noqa: N802
        return "V4L2"

    def release(self):
        pass


ALL = {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS}


@pytest.mark.parametrize(
    ("obeys", "said", "exposure"),
    [
        (ALL, "exposure and focus are held", MANUAL),
        (
            ALL - {cv2.CAP_PROP_AUTOFOCUS},
            "exposure is held, but the camera's driver does not let us hold its focus",
            1.0,
        ),
        ({cv2.CAP_PROP_AUTOFOCUS}, "focus is held, but the camera's driver does not let us hold its exposure", AUTO),
        # Manual, but at what exposure? Automatic again rather than dark.
        (ALL - {cv2.CAP_PROP_EXPOSURE}, "focus is held, but the camera's driver does not", AUTO),
        (set(), "the camera's driver does not let us hold its exposure nor its focus: keep the light steady", AUTO),
    ],
)
def test_what_the_driver_does_is_said_once(monkeypatch, obeys, said, exposure):
    driver, told = FakeDriver(obeys), []
    monkeypatch.setattr(cv2, "VideoCapture", lambda number: driver)
    camera = Camera(2, told.append)
    for _ in range(200):
        camera.read()
    assert len(told) == 1
    assert told[0].startswith(f"camera 2: {said}")
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == exposure
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 157.0


def test_nothing_is_held_while_the_picture_still_settles():
    driver = FakeDriver(ALL)
    lock = Lock(driver, "V4L2")
    said = [lock.see(driver.read()[1]) for _ in range(48)]
    assert said == [None] * 48 and driver.asked == []
    assert lock.see(driver.read()[1]) == "exposure and focus are held"


def test_a_camera_whose_picture_never_settles_is_held_in_the_end():
    driver = FakeDriver(ALL)
    lock = Lock(driver, "DSHOW")
    said = [lock.see(np.full((48, 64, 3), 80 + 40 * (n % 2), np.uint8)) for n in range(200)]
    assert [n for n, line in enumerate(said) if line] == [149]
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 0.25


def test_media_foundation_takes_all_but_nothing_for_automatic():
    driver = FakeDriver(ALL)
    driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] = 0.0
    lock = Lock(driver, "MSMF")
    said = [lock.see(driver.read()[1]) for _ in range(49)]
    assert said[-1] == "exposure and focus are held"
    # 0.25, which other back ends take for manual, would have handed the exposure to the camera again.
    assert [value for what, value in driver.asked if what == cv2.CAP_PROP_AUTO_EXPOSURE] == [0.0]


def test_media_foundation_is_automatic_again_where_no_exposure_is_taken():
    driver = FakeDriver(ALL - {cv2.CAP_PROP_EXPOSURE})
    driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] = 0.0
    lock = Lock(driver, "MSMF")
    said = [lock.see(driver.read()[1]) for _ in range(49)]
    assert said[-1].startswith("focus is held, but the camera's driver does not let us hold its exposure")
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
