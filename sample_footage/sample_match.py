"""A scripted match as a sample: match.mp4, setup.toml and truth.json, and the command that writes them."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals
from sample_footage.film import Film
from sample_footage.match_clip import SENSOR, match_events, match_frames, results
from sample_footage.match_script import Act, gestures
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample_footage.coin import Coin
    from sample_footage.gesture import Gesture
    from sample_footage.ground import View

FPS = 15


@dataclass(frozen=True, eq=False)
class SampleMatch:
    """What is filmed: the pieces as they lie at first, what players do, and hands that only hover.

    setup  the text of the set-up file
    """

    setup: str
    view: View
    pieces: Sequence[Coin]
    acts: Sequence[Act]
    duration_s: float
    hovers: Sequence[Gesture] = ()

    def write(self, out: Path) -> None:
        """Film it into a folder, with set-up and truth."""
        reaches = gestures(self.acts, self.pieces)
        cuts = intervals(self.pieces, reaches, results(reaches, self.acts), self.duration_s)
        hands, stands = [*reaches, *self.hovers], [(0.0, self.duration_s, self.view.camera)]
        events = match_events(reaches, self.acts)
        named = "match.mp4", "setup.toml", self.duration_s, FPS
        truth = clip_truth(*named, self.pieces, cuts, hands, events, [], stands)
        write_whole(out / "setup.toml", self.setup)
        write_whole(out / "truth.json", json.dumps(truth, indent=1) + "\n")
        frames = match_frames(Film(self.view, SENSOR), cuts, hands, round(self.duration_s * FPS), FPS)
        write_clip(out / "match.mp4", frames, FPS)

    def command(self, about: str | None) -> None:
        """The command line that writes it; `about` is the module's docstring."""
        parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--out", type=Path, required=True)
        out = parser.parse_args().out
        out.mkdir(parents=True, exist_ok=True)
        self.write(out)
