"""Clips as H.264 in MP4, written whole or not at all, with the times that they are told."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import av
import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray


def write_clip(
    path: Path, frames: Iterable[NDArray[np.uint8]], fps: int, crf: int = 25, preset: str = "medium", whole_s: int = 10
) -> None:
    """Frame k is shown at k / fps seconds; crf and preset are x264's; so often a picture is stored whole."""
    part = path.with_name(path.name + ".part")
    with av.open(str(part), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = None
        for index, picture in enumerate(frames):
            if stream is None:
                stream = container.add_stream("libx264", rate=fps)
                stream.width, stream.height, stream.pix_fmt = picture.shape[1], picture.shape[0], "yuv420p"
                stream.time_base, stream.gop_size = Fraction(1, fps), whole_s * fps
                stream.options = {"crf": str(crf), "preset": preset, "threads": "2"}
            frame = av.VideoFrame.from_ndarray(_i420(picture), format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, fps)
            container.mux(stream.encode(frame))
        if stream is not None:
            container.mux(stream.encode())
    part.replace(path)


def _i420(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (h, w, 3), of even sides, as brightness and, below it, the mean colour of each four pixels.

    FFmpeg rounds down: of white it makes a greenish grey of 250 to 253 levels.
    """
    height, width = picture.shape[:2]
    half = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    means = cv2.resize(half, (width, height), interpolation=cv2.INTER_NEAREST)
    planes = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)
    planes[height:] = cv2.cvtColor(means, cv2.COLOR_BGR2YUV_I420)[height:]
    return planes
