"""A table with a hex grid on it, in many styles, with things on top, as a camera sees it: for measuring the grid's finder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np

from sample_footage.ground import VARIANTS
from sample_footage.map_sheet import kingsmere_sheet_bgr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sample_footage.camera import Camera

    Bgr = tuple[int, int, int]
