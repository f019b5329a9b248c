"""The clip that the loop is measured on: 40 coins on the map at 1080p30, first idle, then two players' moves.

    .venv/bin/python -m benchmarks.busy_table CLIP_FOLDER

Eleven seconds: nothing happens for three, then hands come, move a coin each and go. It takes about two minutes of CPU.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import intervals
from sample_footage.coin import Coin
from sample_footage.film import Film
from sample_footage.ground import Ground, View
from sample_footage.kingsmere import MAP_FILE
from sample_footage.light import Light
from sample_footage.match_clip import SENSOR, at_rest, match_camera, results
from sample_footage.match_script import ACTS, PIECES, gestures
from sample_footage.setup_file import setup_toml
from sample_footage.whole_file import write_whole

COINS, FPS, IDLE_S, DURATION_S = 40, 30, 3.0, 11.0
MOVES = (
    replace(next(act for act in ACTS if act.piece == "red-invader"), start_s=IDLE_S),
    replace(next(act for act in ACTS if act.piece == "blue-scout-east"), start_s=6.5),
)
_APART_MM, _FROM_CORNER_MM, _FROM_EDGE_MM = 34.0, 70.0, 25.0


def coins() -> tuple[Coin, ...]:
    """The match's own coins and more on free places, the same every time."""
    rng = np.random.default_rng(40)
    lying = list(PIECES)
    taken = [coin.position_mm for coin in lying] + [move.to_mm for move in MOVES if move.to_mm]
    corners = [(x, y) for x in (0, 700) for y in (0, 500)]
    while len(lying) < COINS:
        x, y = rng.uniform(_FROM_EDGE_MM, 700 - _FROM_EDGE_MM), rng.uniform(_FROM_EDGE_MM, 500 - _FROM_EDGE_MM)
        near = min(np.hypot(x - u, y - v) for u, v in taken)
        if near < _APART_MM or min(np.hypot(x - u, y - v) for u, v in corners) < _FROM_CORNER_MM:
            continue
        taken.append((x, y))
        number = len(lying)
        cls = ("gbp-1p", "gbp-2p", "gbp-5p", "gbp-10p", "gbp-20p")[number % 5]
        face = ("heads", "tails")[number % 2]
        turn = float(rng.uniform(0, 360))
        lying.append(Coin(f"more-{number}", cls, (x, y), ("red", "blue")[number % 2], face, turn, patina=0.4))
    return tuple(lying)


def write_busy_table(folder: Path) -> Path:
    """The clip with its set-up in `folder`, if it is not there already."""
    clip = folder / "table.mp4"
    if clip.exists():
        return clip
    folder.mkdir(parents=True, exist_ok=True)
    lying, camera = coins(), match_camera()
    moves = gestures(MOVES, lying)
    cuts = intervals(lying, moves, results(moves, MOVES), DURATION_S)
    write_whole(folder / MAP_FILE.name, MAP_FILE.read_text(encoding="utf-8"))
    write_whole(folder / "setup.toml", setup_toml(camera, map_file=MAP_FILE.name))
    film = Film(View(camera, Ground(), Light()), SENSOR)
    frames = (film.frame(k, k / FPS, at_rest(cuts, k / FPS), moves) for k in range(round(DURATION_S * FPS)))
    write_clip(clip, frames, FPS, crf=22, preset="veryfast")
    return clip


def main() -> None:
    """Write it and print where it is."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, metavar="CLIP_FOLDER")
    print(write_busy_table(options.parse_args().folder))


if __name__ == "__main__":
    main()
