"""`python -m sample_footage.generate WHAT --out DIR`: makes everything in this folder again, or more of it."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from sample_footage.kingsmere import MAP_FILE, write_map
from sample_footage.map_pdf import write_map_pdf, write_map_picture
from sample_footage.match_clip import write_match
from sample_footage.match_set import GAMES, MatchSet
from sample_footage.still_pictures import write_stills
from sample_footage.thing_pictures import write_things
from sample_footage.trouble_clips import write_trouble
from sample_footage.typed_matches import LOG, write_typed_match
from sample_footage.typed_scripts import TYPED_MATCHES


def main(arguments: list[str] | None = None) -> None:
    """Write what was asked for into the folder."""
    wanted = asked(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    WRITERS[wanted.what](wanted)


def asked(arguments: list[str] | None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(
        prog="python -m sample_footage.generate", description="Pictures and clips with exact truth."
    )
    parser.add_argument("what", choices=tuple(WRITERS))
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    parser.add_argument("--count", type=int, default=12, help="stills, things, matches: how many")
    parser.add_argument("--seed", type=int, default=1, help="stills, things, matches: another seed, other pictures")
    parser.add_argument("--first", type=int, default=0, help="matches: number of the first one")
    parser.add_argument("--game", choices=GAMES, default="omms", help="matches: which game's pieces")
    parser.add_argument("--deeds", type=int, default=6, help="matches: how much hands do in each")
    parser.add_argument("--decks", type=Path, nargs="+", default=(), help="pocket: sheets of cards to draw with")
    parser.add_argument("--rough", action="store_true", help="matches: what is seldom done, a kick, dimmed light")
    parser.add_argument("--shoved", action="store_true", help="rough ones: the tripod is carried elsewhere, not kicked")
    wanted = parser.parse_args(arguments)
    if wanted.game != "pocket" and wanted.decks:
        parser.error("--decks is of --game pocket")
    if wanted.shoved and not wanted.rough:
        parser.error("--shoved is of --rough ones")
    return wanted


def write_sheet(out: Path) -> None:
    """The map, its picture and its print."""
    write_map(out / MAP_FILE.name)
    write_map_picture(out / "kingsmere.jpg")
    write_map_pdf(out / "kingsmere.pdf")


def write_sample_match(out: Path) -> None:
    """The match of OMMS beside its map."""
    shutil.copyfile(MAP_FILE, out / MAP_FILE.name)
    write_match(out)


def write_typed_matches(out: Path) -> None:
    """The logs of all matches that were typed, a folder a game."""
    for match in TYPED_MATCHES:
        (out / match.game).mkdir(exist_ok=True)
        write_typed_match(match, out / match.game / LOG)


def write_drawn_matches(wanted: argparse.Namespace) -> None:
    """Matches drawn by chance."""
    drawn = MatchSet(wanted.game, wanted.seed, wanted.deeds, wanted.decks, wanted.rough, wanted.shoved)
    drawn.write(wanted.out, range(wanted.first, wanted.first + wanted.count))


WRITERS: Mapping[str, Callable[[argparse.Namespace], None]] = MappingProxyType(
    {
        "map": lambda wanted: write_sheet(wanted.out),
        "stills": lambda wanted: write_stills(wanted.out, wanted.count, wanted.seed),
        "things": lambda wanted: write_things(wanted.out, wanted.count, wanted.seed),
        "match": lambda wanted: write_sample_match(wanted.out),
        "matches": write_drawn_matches,
        "typed": lambda wanted: write_typed_matches(wanted.out),
        "trouble": lambda wanted: write_trouble(wanted.out),
    }
)


if __name__ == "__main__":
    main()
