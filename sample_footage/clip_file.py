"""Clips as H.264 in MP4, written whole or not at all, with the times that they are told."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import av

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy as np
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
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = index, Fraction(1, fps)
            container.mux(stream.encode(frame))
        if stream is not None:
            container.mux(stream.encode())
    part.replace(path)
