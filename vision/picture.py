"""A still picture as a frame."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.frame import Frame, ImageBgr

# Fewer pixels than this a side cannot show a table: a coin would be a pixel or two.
MIN_SIDE_PX = 64
# What a folder of pictures may hold besides is left alone.
SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")


def pictures_in(path: Path) -> tuple[Path, ...]:
    """The pictures of a folder, by name; of a file, that file. ValueError for a folder without any."""
    if not path.is_dir():
        return (path,)
    found = tuple(sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES))
    if not found:
        raise ValueError(f"{path}: there is no picture in this folder; give pictures, or a folder of them")
    return found


def read_picture(path: Path) -> Frame:
    """The picture in `path` as its viewer shows it (EXIF turn applied).

    OSError if it cannot be read, ValueError if it is no picture or too small for one of a table.
    """
    content = np.frombuffer(path.read_bytes(), np.uint8)
    image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if image is None:
        raise ValueError(f"{path}: not a picture that can be read; give a JPEG, PNG or the like, or a video")
    if min(image.shape[:2]) < MIN_SIDE_PX:
        raise ValueError(f"{path}: only {image.shape[1]} x {image.shape[0]} pixels; take a larger picture of the table")
    return Frame(cast(ImageBgr, image), source=str(path))
