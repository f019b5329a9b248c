"""Pictures whose levels stand for other colours than sRGB's, as telephones keep them (Display P3), told by a colour
profile in the file (ICC.1): shown as they are stored they are pale."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from vision.frame import ImageBgr

if TYPE_CHECKING:
    from PIL.ImageCms import ImageCmsTransform

# What stands in every profile; and what PNG, which packs it, writes before one.
_MARKS = (b"acsp", b"iCCP")
# Levels that a profile may change colours by and be sRGB's own, as most are: each program rounds it in its own way.
_ROUNDED = 2
# Levels of each channel in the colours that are tried.
_TRIED = np.arange(0, 256, 15, dtype=np.uint8)


def told_profile(content: bytes) -> bytes | None:
    """The profile in the bytes of a picture's file; None where it tells none, or nothing can be read of it."""
    if not any(mark in content for mark in _MARKS):
        return None
    from PIL import Image  # here, for few pictures have one and it loads all of Pillow

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(content)) as picture:
            profile = picture.info.get("icc_profile")
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None
    return profile if isinstance(profile, bytes) else None


def in_srgb(image: ImageBgr, profile: bytes | None) -> ImageBgr:
    """The picture (h, w, 3) in sRGB's colours; as it is where its profile is sRGB's, no RGB profile, or broken."""
    change = _change_by(profile) if profile else None
    return image if change is None else _changed(image, change)


def _change_by(profile: bytes) -> ImageCmsTransform | None:
    """What makes sRGB of the profile's colours; None where that is nothing, or cannot be."""
    from PIL import ImageCms

    try:
        told = ImageCms.ImageCmsProfile(BytesIO(profile))
        if told.profile.xcolor_space.strip() != "RGB":
            return None
        change = ImageCms.buildTransform(told, ImageCms.createProfile("sRGB"), "RGB", "RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None
    tried = np.stack(np.meshgrid(_TRIED, _TRIED, _TRIED), axis=-1).reshape(1, -1, 3)
    moved = np.abs(_changed(tried, change).astype(int) - tried)
    return change if moved.max() > _ROUNDED else None


def _changed(image: ImageBgr, change: ImageCmsTransform) -> ImageBgr:
    from PIL import Image, ImageCms

    stored = Image.fromarray(np.ascontiguousarray(image[..., ::-1]))
    ImageCms.applyTransform(stored, change, inPlace=True)
    return np.ascontiguousarray(np.asarray(stored)[..., ::-1])
