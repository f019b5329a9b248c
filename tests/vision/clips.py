"""Tiny video files made on the spot."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np


def write_clip(
    path: Path, times_s: list[float], size_px: tuple[int, int] = (128, 96), moov_first: bool = False
) -> Path:
    """A clip whose n-th picture has brightness 40 + 3 n, at the given times."""
    with av.open(str(path), "w", options={"movflags": "faststart"} if moov_first else {}) as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = *size_px, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        rng = np.random.default_rng(0)
        for number, time_s in enumerate(times_s):
            image = np.full((size_px[1], size_px[0], 3), 40 + 3 * number, np.uint8)
            image[:32] = rng.integers(0, 255, (32, size_px[0], 3))  # noise, so that the file has some length
            picture = av.VideoFrame.from_ndarray(image, format="bgr24")
            picture.pts, picture.time_base = round(time_s * 1000), Fraction(1, 1000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path
