"""Films of a high dynamic range."""

from __future__ import annotations

import numpy as np
import pytest
from av.video.frame import VideoFrame

from vision.stream.hdr import image_bgr

PQ, HLG, BT709, BT2020 = 16, 18, 1, 9

# Linear BT.2020 light of sRGB's primaries (ITU-R BT.2087), white being 1.
RED, GREEN, BLUE = (0.6274, 0.0691, 0.0164), (0.3293, 0.9195, 0.0880), (0.0433, 0.0114, 0.8956)


def pq(light: np.ndarray) -> np.ndarray:
    """Signals of light of which white is 203 cd/m2 (ITU-R BT.2100, table 4)."""
    power = (light * 203 / 10_000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375


def hlg(light: np.ndarray) -> np.ndarray:
    """Signals of light of which white is three quarters of the signal (ITU-R BT.2100, table 5)."""
    scene = light * 0.26496
    return np.where(
        scene <= 1 / 12, np.sqrt(3 * scene), 0.17883277 * np.log(np.maximum(12 * scene - 0.28466891, 1e-9)) + 0.55991073
    )


def shown(signal: np.ndarray, transfer: int) -> np.ndarray:
    """The red, green and blue levels of one patch."""
    picture = VideoFrame.from_ndarray(np.full((16, 16, 3), np.rint(signal * 65535), np.uint16), format="rgb48le")
    picture.color_trc, picture.color_primaries = transfer, BT2020
    return image_bgr(picture)[8, 8, ::-1].astype(int)


@pytest.mark.parametrize(("signal_of", "transfer"), [(pq, PQ), (hlg, HLG)])
@pytest.mark.parametrize(
    ("light", "levels"),
    [
        ((0.0, 0.0, 0.0), (0, 0, 0)),
        ((0.2140, 0.2140, 0.2140), (127, 127, 127)),
        (tuple(0.5 * part for part in RED), (188, 0, 0)),
        (tuple(0.5 * part for part in GREEN), (0, 188, 0)),
        (tuple(0.5 * part for part in BLUE), (0, 0, 188)),
    ],
)
def test_a_telephones_colours_are_those_of_an_ordinary_picture(signal_of, transfer, light, levels) -> None:
    np.testing.assert_allclose(shown(signal_of(np.array(light)), transfer), levels, atol=2)


@pytest.mark.parametrize(("signal_of", "transfer"), [(pq, PQ), (hlg, HLG)])
def test_glare_stays_brighter_than_paper_and_paper_than_grey(signal_of, transfer) -> None:
    grey, paper, glare = (shown(signal_of(np.full(3, light)), transfer)[0] for light in (0.8, 1.0, 1.5))
    assert grey < paper < glare <= 255


def test_an_ordinary_picture_stays_as_it_is() -> None:
    picture = VideoFrame.from_ndarray(np.full((16, 16, 3), (10, 128, 240), np.uint8), format="bgr24")
    picture.color_trc = BT709
    assert image_bgr(picture)[8, 8].tolist() == [10, 128, 240]
