"""Poses the figures of free games for `models.render_solids`, each with its paints: men, horsemen and creatures.

    python -m models.sculpt_figures --out FOLDER [--zero-ad ART] [--ufo MODELS] [--glest TECHS] [--arena MODELS]
        [--each 2] [--seed 1]

ART is the folder `art` of the archive `public.zip` in Debian's `0ad-data` (CC-BY-SA 3.0), the first MODELS the folder
`models` of `0models.pk3` in `ufoai-data` (GPL-2+, CC-BY-SA 3.0), TECHS the folder `techs` of `megaglest-data` (CC-BY-SA
3.0), the second MODELS the folder `models` of all archives in `openarena-data`, `openarena-081-players` and
`openarena-088-data` (GPL-2+), all unpacked. They are for training and measuring alone; nothing of them is shipped.
Writes FOLDER/KIND-SOURCE-NAME-N.npz (`models.training.sculpted.sculpt`). Needs pillow. A minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from models.training.sculpted import g3d, md2, md3
from models.training.sculpted.actors import Art
from models.training.sculpted.sculpt import Part, save

# A posed figure: its kind, its name, and what makes its parts.
Posed = tuple[str, str, Callable[[np.random.Generator], Iterator[Part]]]
# Crews, riders without their horses, and what rolls or flies are no figures of ours.
_NO_FIGURES = ("_r.xml", "chariot", "siege", "ballista", "oxybeles", "lithobolos", "trader")
_MODELS_OF = ("standing", "stand", "attack", "walking", "walk")
# Units of MegaGlest by their names; who is none of these is a beast, an engine or a monster.
_MEN = (
    *("archer", "axe", "battle", "berserk", "fakir", "fighter", "guard", "initiate", "lady", "mage", "man", "mummy"),
    *("priest", "shaman", "slave", "spear", "summoner", "sword", "technician", "thor", "thrall", "valk", "warrior"),
    "worker",
)
# Of OpenArena's fighters, who are no men.
_BEASTS = ("gargoyle", "liz", "merman", "penguin")
_TOO_FEW = 150


def zero_ad(art: Path) -> Iterator[Posed]:
    """Foot and horse of all peoples; elephants are creatures."""
    root = art / "actors/units"
    for path in sorted(root.rglob("*.xml")):
        name = str(path.relative_to(root))
        if any(word in name for word in _NO_FIGURES):
            continue
        kind = "creature" if "elephant" in name or "camel" in name else "mounted" if "_m." in name else "foot"
        yield kind, f"0ad-{name[:-4].replace('/', '-')}", lambda rng, name=name: Art(art).actor(f"units/{name}", rng)


def ufo(models: Path) -> Iterator[Posed]:
    """Soldiers of a later day, each body a dozen times, since each has a thousand frames."""
    for folder in sorted((models / "soldiers").iterdir()):
        if (folder / "body.tag").exists():
            for n in range(12):
                yield (
                    "foot",
                    f"ufo-{folder.name}{n}",
                    lambda rng, folder=folder: md2.soldier(folder, models / "weapons", rng),
                )


def glest(techs: Path) -> Iterator[Posed]:
    """Whoever walks; beasts and engines are creatures."""
    for folder in sorted(techs.glob("*/factions/*/units/*/models")):
        found = [p for p in sorted(folder.glob("*.g3d")) if any(word in p.stem for word in _MODELS_OF)]
        if not any("walk" in p.stem for p in found):
            continue
        unit = folder.parent.name
        kind = "mounted" if "horseman" in unit else "foot" if _man(unit) else "creature"
        for path in found:
            yield kind, f"glest-{folder.parts[-4]}-{unit}-{path.stem}", lambda rng, path=path: g3d.figure(path, rng)


def arena(models: Path) -> Iterator[Posed]:
    """Fighters, each a dozen times in other poses and skins."""
    for folder in sorted((models / "players").iterdir()):
        if all((folder / name).exists() for name in ("lower.md3", "upper.md3", "head.md3", "animation.cfg")):
            kind = "creature" if folder.name in _BEASTS else "foot"
            for n in range(12):
                yield (
                    kind,
                    f"arena-{folder.name}{n}",
                    lambda rng, folder=folder: md3.soldier(folder, models / "weapons2", rng),
                )


def _man(unit: str) -> bool:
    return any(word in unit for word in _MEN)


def write(out: Path, posed: Posed, number: int, seed: int) -> bool:
    """One figure to a file; whether there was enough of it."""
    kind, name, make = posed
    rng = np.random.default_rng([seed, number, *name.encode()])
    try:
        parts = list(make(rng))
    except (ValueError, KeyError):
        return False
    if sum(len(part.points) for part in parts) < _TOO_FEW or not all(np.isfinite(part.points).all() for part in parts):
        return False
    save(out / f"{kind}-{name}-{number}.npz", parts, rng)
    return True


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    for source in ("--zero-ad", "--ufo", "--glest", "--arena"):
        parser.add_argument(source, type=Path)
    parser.add_argument("--each", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    sources = ((zero_ad, args.zero_ad), (ufo, args.ufo), (glest, args.glest), (arena, args.arena))
    every = [posed for of, folder in sources if folder for posed in of(folder)]
    written = sum(write(args.out, posed, number, args.seed) for posed in every for number in range(args.each))
    print(f"{written} figures of {len(every)} kinds in {args.out}")  # noqa: T201


if __name__ == "__main__":
    main()
