"""Small moves on a table that its cards alone measure: how many are told, and what is invented, with a kick between.

    .venv/bin/python -m benchmarks.small_moves [FOLDER] [--tables 2] [--seed 222501]
        [--pushes 4] [--by 1.6 4.5] [--lens]

FOLDER holds clips of Pocket's cards and coins (made first if it has none; `sample_footage.pocket_match`): a finger
pushes a coin by so many mm, a hand hovers, the tripod is kicked in the middle, then the same again. The set-up names
nothing but the cards (`card = "poker"`), so that the table's frame is their own; --lens adds the lens. Each goes
through the session that `sandtable play` opens. A push is told when the log has a move of so many mm, within 0.7, of a
coin of that class while the hand is there or in the 4 s after; any other move, place or remove is invented. Printed:
the coins' sigma as stated (median, most), pushes told, invented, for each table and for all.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.trouble import Watched, watched
from rules.course.events import TABLE_EVENTS, Event
from sample_footage.card_deal import dealt
from sample_footage.card_play import CardPlay
from sample_footage.drawn_match import DrawnMatch, classes_of, moving, write_drawn_match
from sample_footage.ground import Ground
from sample_footage.kick import Kick, drawn_kick
from sample_footage.pocket_match import deploy, edges
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM, camera_for, light_for, sensor_for

SURFACES, LOOKS = ("oak", "walnut", "green-cloth", "white"), ("plain", "oblique", "low-sun")
UNITS, TRIES, ALONE_S, AFTER_S, WITHIN_MM = (6, 10), 200, 1.5, 4.0, 0.7


@dataclass
class SmallPlay(CardPlay):
    """Pushes of a coin by so many mm, hovering, a kick."""

    by_mm: tuple[float, float] = (1.6, 4.5)
    kicks: list[Kick] = field(default_factory=list)

    def push(self) -> None:
        """A finger pushes a coin a little aside, where it stays on what it lies on."""
        for _ in range(TRIES):
            coin, turn, far = self._any_coin(), self.rng.uniform(0, math.tau), self.rng.uniform(*self.by_mm)
            at = (coin.position_mm[0] + far * math.cos(turn), coin.position_mm[1] + far * math.sin(turn))
            if coin.on is None and self._is_free(coin, at) and self._floor_mm(at) == coin.low_mm:
                self._reach(coin, at, lift_mm=0.0)
                return

    def kick(self) -> None:
        """The tripod is kicked while no hand is there."""
        self.t_s += ALONE_S
        self.kicks.append(drawn_kick(self.t_s, self.rng))
        self.t_s += 2 * ALONE_S


def small_match(number: int, seed: int, pushes: int, by_mm: tuple[float, float], *, has_lens: bool) -> DrawnMatch:
    """Match `number` of the set that is drawn from `seed`."""
    rng = np.random.default_rng([seed, number, 99])
    look = LOOKS[number % len(LOOKS)]
    camera = camera_for(look, rng)
    ground = Ground(str(rng.choice(SURFACES)), False, int(rng.integers(1000)))
    light, sensor = light_for(look, camera, rng), moving(sensor_for(look, rng))
    deal = dealt(rng)
    cards = {card.id: card for card in deal.cards}
    play = SmallPlay(rng, edges(rng), dict(cards), classes_of("gbp"), deal=deal, by_mm=by_mm)
    deploy(play, int(rng.integers(*UNITS)))
    pieces = tuple(play.lying.values())
    for part in range(2):
        for _ in range(pushes):
            play.push()
        play.hover()
        if part == 0:
            play.kick()
    setup = setup_toml(camera, KNOWN_POINTS_MM, game="pocket", sides=("near", "far"), has_lens=has_lens)
    by_cards = "\n".join('card = "poker"' if line.startswith("points = ") else line for line in setup.splitlines())
    name = f"match-{number:03d}-small-{look}"
    made = DrawnMatch(name, look, camera, ground, light, sensor, pieces, play, by_cards + "\n", deal.grid)
    return replace(made, kicks=tuple(play.kicks))


def is_told(event: Event, one: dict[str, Any]) -> bool:
    """Whether the log's event is that push."""
    said = event.fields
    if event.kind != "move" or said["class"] not in (one["class"], "unknown"):
        return False
    far_mm, true_mm = math.dist(said["from_mm"], said["to_mm"]), math.dist(one["from_mm"], one["to_mm"])
    return bool(one["taken_s"] <= event.time_s <= one["time_s"] + AFTER_S and abs(far_mm - true_mm) < WITHIN_MM)


def counts(seen: Watched, truth: dict[str, Any]) -> tuple[int, int, int]:
    """How many pushes there were, were told, and were invented; prints a line for each that was missed or invented."""
    said = [event for event in seen.events[1:] if event.kind in TABLE_EVENTS]
    found: list[Event] = []
    for one in truth["events"]:
        event = next((e for e in said if is_told(e, one) and not any(e is other for other in found)), None)
        if event is None:
            print(
                f"    missed {math.dist(one['from_mm'], one['to_mm']):.1f} mm of {one['class']} at {one['time_s']:.1f}"
            )
        else:
            found.append(event)
    invented = [event for event in said if not any(event is other for other in found)]
    for event in invented:
        way = f"{event.fields['from_mm']} to {event.fields['to_mm']}"
        print(f"    invented {event.kind} of {event.fields['class']} at {event.time_s:.1f}, {way}")
    return len(truth["events"]), len(found), len(invented)


def made(folder: Path, wanted: argparse.Namespace) -> list[Path]:
    """The folder's clips, drawn first if it has none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("match-*.mp4")):
        for number in range(wanted.tables):
            write_drawn_match(small_match(number, wanted.seed, wanted.pushes, wanted.by, has_lens=wanted.lens), folder)
    return sorted(folder.glob("match-*.mp4"))


def main() -> None:
    """Print what became of the pushes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-small-moves")
    options.add_argument("--tables", type=int, default=2)
    options.add_argument("--seed", type=int, default=222501)
    options.add_argument("--pushes", type=int, default=4, help="before the kick, and after it")
    options.add_argument("--by", type=float, nargs=2, default=(1.6, 4.5), help="mm")
    options.add_argument("--lens", action="store_true")
    given = options.parse_args()
    total = np.zeros(3, int)
    for clip in made(given.folder, given):
        truth = json.loads(clip.with_suffix(".truth.json").read_text(encoding="utf-8"))
        seen = watched(clip, truth, told=False, written=clip.with_suffix(".setup.toml"))
        pushes, told, invented = counts(seen, truth)
        kicks = sum(event.fields.get("what") == "kicked" for event in seen.events)
        coins = [piece.sigma_mm for piece in seen.matches[-1].scene.of_kind("coin")] if seen.matches else [math.nan]
        stated = f"{np.median(coins):.2f} to {np.max(coins):.2f} mm"
        print(f"{clip.stem}: sigma {stated}, {told} of {pushes} told, {invented} invented, {kicks} kicks", flush=True)
        total += (pushes, told, invented)
    print(f"{total[1]} of {total[0]} told, {total[2]} invented")


if __name__ == "__main__":
    main()
