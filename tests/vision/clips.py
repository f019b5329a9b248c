"""Tiny video files made on the spot."""

import struct
from fractions import Fraction
from pathlib import Path

import av
import numpy as np


def write_clip(
    path: Path,
    times_s: list[float],
    size_px: tuple[int, int] = (128, 96),
    moov_first: bool = False,
    key_every: int = 250,
    in_pieces: bool = False,
) -> Path:
    """A clip whose n-th picture has brightness 40 + 3 n, at the given times; every so many are whole by themselves."""
    flags = "frag_keyframe+empty_moov" if in_pieces else "faststart" if moov_first else ""
    with av.open(str(path), "w", options={"movflags": flags} if flags else {}) as container:
        options = {"preset": "ultrafast", "bf": "0", "g": str(key_every)}
        stream = container.add_stream("libx264", rate=30, options=options)
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


def turned_clip(clip: Path, clockwise_deg: int) -> Path:
    """A copy of an MP4 that is to be shown turned so far, as a telephone says it: by the matrix in its track header."""
    content = bytearray(clip.read_bytes())
    # Version and flags, the times and the track, its length, then layer, group, volume: the matrix comes after them.
    start = content.index(b"tkhd") + 4 + 4 + 16 + 4 + 8 + 8
    cos, sin = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[clockwise_deg]
    one, whole = 1 << 16, 1 << 30
    matrix = (cos * one, sin * one, 0, -sin * one, cos * one, 0, 0, 0, whole)
    content[start : start + 36] = struct.pack(">9i", *matrix)
    turned = clip.with_name(f"{clip.stem}-{clockwise_deg}{clip.suffix}")
    turned.write_bytes(content)
    return turned
