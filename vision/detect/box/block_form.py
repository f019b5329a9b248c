"""What the measured shape of a block tells of its name: mugs, plates and sheets have no such shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.scene import UNKNOWN
from vision.detect.sheet.sheet_form import likeliest
from vision.detect.solid.parts import BY_LINES
from vision.detect.solid.terrain import NAMED
from vision.detection import Detection


def named_by_block(block: Detection, told: Mapping[str, float]) -> Detection:
    """A nameless thing that was surely measured as a block, with the name that this and the net make likely enough.

    told  by class, the logarithm of its chance by the net alone
    """
    if block.cls != UNKNOWN or not told:
        return block
    name, chance = likeliest(told, BY_LINES)
    is_sure = name in BY_LINES and name != UNKNOWN and chance >= NAMED
    return replace(block, cls=name, confidence=chance) if is_sure else block
