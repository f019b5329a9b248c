"""`python -m sample_footage.generate WHAT --out DIR`: makes everything in this folder again, or more of it."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

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
    parser = argparse.ArgumentParser(
        prog="python -m sample_footage.generate", description="Pictures and clips with exact truth."
    )
    parser.add_argument("what", choices=("map", "stills", "things", "match", "matches", "typed", "trouble"))
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
    wanted.out.mkdir(parents=True, exist_ok=True)
    if wanted.what == "map":
        write_map(wanted.out / MAP_FILE.name)
        write_map_picture(wanted.out / "kingsmere.jpg")
        write_map_pdf(wanted.out / "kingsmere.pdf")
    elif wanted.what == "stills":
        write_stills(wanted.out, wanted.count, wanted.seed)
    elif wanted.what == "things":
        write_things(wanted.out, wanted.count, wanted.seed)
    elif wanted.what == "matches":
        drawn = MatchSet(wanted.game, wanted.seed, wanted.deeds, wanted.decks, wanted.rough, wanted.shoved)
        drawn.write(wanted.out, range(wanted.first, wanted.first + wanted.count))
    elif wanted.what == "typed":
        for match in TYPED_MATCHES:
            (wanted.out / match.game).mkdir(exist_ok=True)
            write_typed_match(match, wanted.out / match.game / LOG)
    elif wanted.what == "trouble":
        write_trouble(wanted.out)
    else:
        shutil.copyfile(MAP_FILE, wanted.out / MAP_FILE.name)
        write_match(wanted.out)


if __name__ == "__main__":
    main()
