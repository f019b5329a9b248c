"""What befalls camera and light while a match is drawn: the tripod kicked, a lamp put out and on again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.kick import Kick, drawn_kick
from sample_footage.play import Play

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sample_footage.drawn_match import DrawnMatch

# A kick or a lamp that goes out is seen alone for so long before the next hand comes.
ALONE_S = (1.0, 2.5)
SHOVED_EACH = 3
DIMMED, DIMMING_S, DIMMING_STEPS = (0.6, 0.85), 0.8, 12


@dataclass
class TroubledPlay(Play):
    """A match in which camera and light do not stay as they were.

    kicks  of the tripod
    light  (time, share of the light) from then on
    is_shoved  whether who kicks the tripod carries it elsewhere, more than once
    """

    kicks: list[Kick] = field(default_factory=list)
    light: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 1.0)])
    is_shoved: bool = False

    def kick(self) -> None:
        """The tripod is kicked."""
        self.kicks.append(drawn_kick(self.t_s, self.rng, self.is_shoved))
        self.t_s += float(self.rng.uniform(*ALONE_S))

    def dim(self) -> None:
        """A lamp goes out, or on again."""
        was = self.light[-1][1]
        share = float(self.rng.uniform(*DIMMED)) if was == 1.0 else 1.0
        steps = np.linspace(0, 1, DIMMING_STEPS + 1)[1:]
        self.light += [(self.t_s + DIMMING_S * float(s), was + float(s) * (share - was)) for s in steps]
        self.t_s += DIMMING_S + float(self.rng.uniform(*ALONE_S))

    def do_each_once(self, deeds: tuple[Callable[[Any], None], ...], count: int) -> None:
        """So many of the deeds in any order, none twice, and an ordinary move after every other one. If the tripod is
        shoved, that comes before every third."""
        for number, kind in enumerate(self.rng.permutation(len(deeds))[:count]):
            if self.is_shoved and number % SHOVED_EACH == SHOVED_EACH - 1:
                self.kick()
            deeds[kind](self)
            if number % 2:
                self.move()


def troubled_match(
    made: DrawnMatch, number: int, deeds: tuple[Callable[[Any], None], ...], count: int, is_shoved: bool
) -> DrawnMatch:
    """So many of those deeds done on what was laid out."""
    play = made.play
    assert isinstance(play, TroubledPlay)
    play.is_shoved = is_shoved
    play.do_each_once(deeds, count)
    name = f"match-{number:03d}-rough-{made.look}"
    return replace(made, name=name, kicks=tuple(play.kicks), light_shares=tuple(play.light))
