"""The table of a sample match with figures, as cameras see it that were carried elsewhere.

    python -m sample_footage.solid_stands --game osmcg --out FOLDER [--samples 24] [--threads 1]

Needs what `models/render_solids.py` needs, and some three minutes a picture on a slow core. Writes GAME-WAY.png for
each way of `WAYS` to carry the camera, GAME-stands.png from where it was set up, and GAME.json with their poses; for
`benchmarks.carried_figures`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

from sample_footage.camera import Camera
from sample_footage.carried import aside_by, round_by
from sample_footage.omog_match import OMOG_MATCH
from sample_footage.osmcg_match import OSMCG_MATCH
from sample_footage.solid_pictures import look_through
from sample_footage.solid_sample import CAMERA, SENSOR, SolidSample, table
from sample_footage.solid_table import SolidTable
from sample_footage.whole_file import write_whole

GAMES = {"osmcg": OSMCG_MATCH, "omog": OMOG_MATCH}
WAYS = {"29 mm aside": aside_by(29, 0, 0), "round by 40 degrees": round_by(40), "round by 90 degrees": round_by(90)}
STANDS = "stands"


def write_stands(game: str, sample: SolidSample, out: Path, samples: int, threads: int) -> None:
    """All pictures, and the poses last."""
    shot, _, men = table(sample, samples, threads)
    _write_picture(shot, out / f"{game}-{STANDS}.png")
    cameras = {way: carry(CAMERA, 1.0) for way, carry in WAYS.items()}
    for way, camera in cameras.items():
        look_through(camera)
        _write_picture(SolidTable(camera, men), out / f"{game}-{way.replace(' ', '-')}.png")
    poses = {way: _pose(camera) for way, camera in {STANDS: CAMERA, **cameras}.items()}
    write_whole(out / f"{game}.json", json.dumps(poses, indent=1) + "\n")


def _write_picture(shot: SolidTable, path: Path) -> None:
    cv2.imwrite(str(path), SENSOR.develop(shot.picture, shot.picture.shape[:2]))


def _pose(camera: Camera) -> dict[str, object]:
    return {"rotation": camera.rotation, "tvec_mm": camera.tvec_mm}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    write_stands(args.game, GAMES[args.game], args.out, args.samples, args.threads)


if __name__ == "__main__":
    main()
