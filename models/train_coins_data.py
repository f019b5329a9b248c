"""Gathers what the coin nets learn from.

    python -m models.train_coins_data --data FOLDER [--photos FOLDER] [--rendered FOLDER] [--shots 3000]

Works without photographs too (then everything is drawn); with them it takes sprites and tiles of their `train` split,
with --rendered tiles and crops of the pictures of `models.render_coins` too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from models.training import dataset
from models.training.closeups import close_ups

# Each part has its own seed, so that parts can be made side by side.
SHOTS_A_PART = 600


def main() -> None:
    """Writes the parts, one after the other."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    options.add_argument("--rendered", type=Path)
    options.add_argument("--shots", type=int, default=3000)
    options.add_argument("--close-ups", type=int, default=34500)
    options.add_argument("--rounds", type=int, default=14)
    given = options.parse_args()
    given.data.mkdir(parents=True, exist_ok=True)
    for part in range(-(-given.shots // SHOTS_A_PART)):
        dataset.drawn(given.photos, 100 + part, SHOTS_A_PART).save(given.data / f"drawn_{part}.npz")
    close_ups(given.photos, 61, given.close_ups).save(given.data / "close.npz")
    if given.rendered:
        dataset.minted(given.rendered, 51, given.rounds).save(given.data / "minted.npz")
    if given.photos.exists():
        dataset.photographed(given.photos, 50, given.rounds).save(given.data / "photographed.npz")


if __name__ == "__main__":
    main()
