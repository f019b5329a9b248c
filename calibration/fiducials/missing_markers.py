"""Why markers that a set-up names are not found: they show mirrored, white on black, of another dictionary, too small,
or others lie there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import dictionary_named, find_markers, gray_of, numbers_shown

if TYPE_CHECKING:
    from calibration.table import MarkerSheet

Image = NDArray[np.uint8]

# Dictionaries that people print; of each size of square ones the first 50 are in all larger ones.
_PRINTED = (
    "DICT_4X4_50",
    "DICT_5X5_50",
    "DICT_6X6_50",
    "DICT_7X7_50",
    "DICT_ARUCO_ORIGINAL",
    "DICT_ARUCO_MIP_36h12",
    "DICT_APRILTAG_16h5",
    "DICT_APRILTAG_25h9",
    "DICT_APRILTAG_36h10",
    "DICT_APRILTAG_36h11",
)
# How many markers tell how a sheet shows: one may be read out of anything.
_TELLING = 2
# So many pixels to a module, of which a marker has two more than bits, are read in any view; half as many in the best.
_READ_PX = 5.0
# So many others are named.
_NAMED = 6


def why_missing(image: Image, sheet: MarkerSheet, found: Collection[int]) -> str:
    """Why a sheet's markers are not found, but for those `found`, in a picture (h, w) or (h, w, 3): a clause that
    follows that they are not; "" where nothing tells."""
    missing, gray = set(sheet.centres).difference(found), gray_of(image)
    spoiled = "" if found else _spoiled(gray, sheet.dictionary, missing)
    if spoiled or len(missing) < _TELLING:
        return spoiled or _too_small(gray, sheet)
    shown = numbers_shown(gray, (sheet.dictionary, *(name for name in _PRINTED if name != sheet.dictionary)))
    others = shown.pop(sheet.dictionary).difference(sheet.centres)
    return _of_another(shown, missing) or _too_small(gray, sheet) or _numbered_otherwise(sorted(others))


def _spoiled(gray: Image, dictionary: str, missing: Collection[int]) -> str:
    if len(find_markers(np.ascontiguousarray(gray[:, ::-1]), dictionary, missing)) >= _TELLING:
        return " but mirrored (switch mirroring off in the camera's program)"
    if len(find_markers(np.asarray(255 - gray, np.uint8), dictionary, missing)) >= _TELLING:
        return " but white on black (print them black on white: sandtable print markers)"
    return ""


def _of_another(shown: Mapping[str, Collection[int]], missing: set[int]) -> str:
    """What is said where another dictionary's markers of the missing numbers show."""
    alike = {name: len(missing.intersection(numbers)) for name, numbers in shown.items()}
    most = max(alike, key=lambda name: alike[name])
    return f", those of {most} are (name it as the set-up's dictionary)" if alike[most] >= _TELLING else ""


def _numbered_otherwise(others: list[int]) -> str:
    if len(others) < _TELLING:
        return ""
    numbers = f"{', '.join(map(str, others[:_NAMED]))}{' and more' if len(others) > _NAMED else ''}"
    return f" but {numbers} are (lay those that the set-up names, or name these in it)"


def _too_small(gray: Image, sheet: MarkerSheet) -> str:
    """Whether a sheet's markers show too small to be read, even if what lies between them fills the picture."""
    span_mm = max(np.ptp(list(sheet.centres.values()), axis=0))
    modules = dictionary_named(sheet.dictionary).markerSize + 2
    most_px, least_px = sheet.size_mm * max(gray.shape) / max(span_mm, sheet.size_mm), _READ_PX * modules
    if most_px > least_px:
        return ""
    cure = "move the camera nearer, choose a higher resolution, or print larger ones"
    return f", being {most_px:.0f} px wide at most, far ones less, where {least_px:.0f} and more are read well ({cure})"
