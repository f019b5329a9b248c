"""Numbers on the command line that measure something."""

from __future__ import annotations

import math
from typing import Any

import click

from rules.files.geojson import FARTHEST
from rules.setup import LONGEST_TABLE_MM, SHORTEST_TABLE_MM


class Length(click.FloatRange):
    """A number within a range; what is no number at all, such as `nan`, is wrong usage too."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, if it is one and within the range."""
        length = float(super().convert(value, param, ctx))
        if math.isnan(length):
            self.fail(f"{value!r} is no number", param, ctx)
        return length


TABLE_SIDE = Length(SHORTEST_TABLE_MM, LONGEST_TABLE_MM)
ORDINATE = Length(-FARTHEST, FARTHEST)
SECONDS = Length(0, FARTHEST)
