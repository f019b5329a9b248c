"""What befalls camera and light while a match is drawn: the tripod kicked, a lamp put out and on again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.kick import Kick, drawn_kick
from sample_footage.play import Play

if TYPE_CHECKING:
    from collections.abc import Callable

# A kick or a lamp that goes out is seen alone for so long before the next hand comes.
ALONE_S = (1.0, 2.5)
DIMMED, DIMMING_S, DIMMING_STEPS = (0.6, 0.85), 0.8, 12


@dataclass
class TroubledPlay(Play):
    """A match in which camera and light do not stay as they were.

    kicks  of the tripod
    light  (time, share of the light) from then on
    """

    kicks: list[Kick] = field(default_factory=list)
    light: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 1.0)])

    def kick(self) -> None:
        """The tripod is kicked."""
        self.kicks.append(drawn_kick(self.t_s, self.rng))
        self.t_s += float(self.rng.uniform(*ALONE_S))

    def dim(self) -> None:
        """A lamp goes out, or on again."""
        was = self.light[-1][1]
        share = float(self.rng.uniform(*DIMMED)) if was == 1.0 else 1.0
        steps = np.linspace(0, 1, DIMMING_STEPS + 1)[1:]
        self.light += [(self.t_s + DIMMING_S * float(s), was + float(s) * (share - was)) for s in steps]
        self.t_s += DIMMING_S + float(self.rng.uniform(*ALONE_S))

    def do_each_once(self, deeds: tuple[Callable[..., None], ...], count: int) -> None:
        """So many of the deeds in any order, none twice, and an ordinary move after every other one."""
        for number, kind in enumerate(self.rng.permutation(len(deeds))[:count]):
            deeds[kind](self)
            if number % 2:
                self.move()
