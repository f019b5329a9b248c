"""Clips show what was drawn."""

import numpy as np
import pytest

from sample_footage.clip_file import write_clip
from vision.stream.video_file import frame_at


@pytest.mark.parametrize("bgr", [(255, 255, 255), (128, 128, 128), (200, 180, 160)])
def test_a_clip_shows_the_colours_that_were_drawn(tmp_path, bgr):
    write_clip(tmp_path / "clip.mp4", [np.full((48, 64, 3), bgr, np.uint8)], 10)
    shown = frame_at(tmp_path / "clip.mp4", 0.0).image_bgr.astype(int)
    assert np.abs(shown - bgr).max() <= 2
