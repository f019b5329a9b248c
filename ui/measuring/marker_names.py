"""OpenCV's dictionaries of markers by name, and how many markers each has: known without loading OpenCV."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SQUARE = {f"DICT_{side}X{side}_{count}": count for side in (4, 5, 6, 7) for count in (50, 100, 250, 1000)}
_APRILTAG = {"16h5": 30, "25h9": 35, "36h10": 2320, "36h11": 587}

MARKERS_OF: Mapping[str, int] = MappingProxyType(
    {
        **_SQUARE,
        "DICT_ARUCO_ORIGINAL": 1024,
        "DICT_ARUCO_MIP_36h12": 250,
        "DICT_ARUCO_MIP_36H12": 250,
        **{f"DICT_APRILTAG_{name}": count for name, count in _APRILTAG.items()},
        **{f"DICT_APRILTAG_{name.upper()}": count for name, count in _APRILTAG.items()},
    }
)
