"""A length on the command line, in mm."""

from __future__ import annotations

import math
from typing import Any

import click


class Length(click.FloatRange):
    """A number of mm within a range; what is no number at all, such as `nan`, is wrong usage too."""

    name = "mm"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The length, if it is one and within the range."""
        length_mm = float(super().convert(value, param, ctx))
        if math.isnan(length_mm):
            self.fail(f"{value!r} is no length", param, ctx)
        return length_mm
