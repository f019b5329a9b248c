"""Whole matches drawn by chance, refereed from the first frame to the last: what hands did, found, missed and invented.

    .venv/bin/python -m benchmarks.matches [FOLDER] [--game omms|pocket|omniwar] [--count 8] [--seed 1] [--rough]
        [--shoved] [--automatic] [--told]

FOLDER holds clips of `sample_footage.generate matches` (made first if it has none): each has another camera, lamp,
table, purse and pair of players, and hands that move, slide, take, bring and stack coins, push one aside with the
sleeve, hover, and reach in from both sides at once. Each goes through the session that `sandtable play` opens, and its
log is compared with the truth: an event is found when the log has one of its kind to within 5 mm of its place within
half a minute (each for one event alone, as many and as soon as can be); named when class and owner are right too,
unknown when the log does not say, wrong otherwise. What else the log has is invented, and so are more kicks than the
camera got (*kicked*). A move told as one that was taken away and another that was brought is missed once, invented
twice.

`--game pocket`: Pocket Wargame, coins on a grid of cards. Hands reach in from the near and the far edge; besides, they
turn coins over, toss one beside the cards, roll a die, nudge a card or turn it; with `--decks` the cards are those of
rendered sheets (`models.training.decks`, its TEST_DECKS: none was trained on), one of them by chance. What is turned
over is told when it is read anew, or moved a little, in its place (*anew*: what else is read anew where it lies, which
is no event; faces under a dot are never told, and not counted). Each scene that was agreed is compared with what lay
then: squares (column, row and card), units on their square and of their owner (`benchmarks.battlefields`).

`--rough`: matches in which each deed is one that is seldom done. Of OMMS (`sample_footage.rough_coins`): coins
exchanged and swapped in their places, turned over, nudged, laid against one another, taken back, swept along by a
sleeve three at a time, carried as a pile; a hand that rests while the other player moves, a card on the map, dice; the
tripod kicked, a lamp put out. Of Pocket (`sample_footage.rough_play`): cards pushed and turned, pushed by the sleeve
with all that lies on them, turned face down and up again, exchanged, taken off; dice rolled again; coins stacked,
turned, tossed; the tripod kicked, a lamp put out. There is a joker, and in three of five no coin bears a dot. Of
OmniWar (`sample_footage.rough_units`): as of OMMS, from hex to hex, without cards. `--shoved`: rough ones in which the
tripod is carried by up to 40 mm each way and turned with it, before every third deed.

`--automatic`: each clip as a webcam shows it that exposes, balances and focuses by itself when hands come and go
(`sample_footage.automatic_camera`; written to FOLDER/automatic).

`--game omniwar`: OmniWar, coins with dots on a hex mat, players at the near and far edges. Each agreed scene is
compared with what lay then: the grid with the printed one, units with their hex, owner and reach, what is told though
nothing lies there, the ground under papers; and each move with the hexes that it was judged from and to
(`benchmarks.hexfields`).

`--told`: the truth tells what lies where in place of the nets, so that what is left is the error of change gate, hand,
camera watch and tracking alone.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.arguments import existing, some
from benchmarks.battlefields import BATTLEFIELD, battlefield_counts
from benchmarks.hexfields import HEXFIELD, hexfield_counts, hexfield_line, judged_cells
from benchmarks.trouble import Watched, watched
from rules.course.events import TABLE_EVENTS, Event
from rules.scene import UNKNOWN
from sample_footage.automatic_camera import by_itself
from sample_footage.clip_file import write_clip
from sample_footage.match_set import GAMES, MatchSet
from vision.stream.video_file import read_video, video_info

SAME_PLACE_MM = 5.0
# What is told later than this tells of something else that happened at the same place.
LATEST_S = 30.0
# What the log may call an event: a piece that is turned over is read anew where it lies, or moved a little.
SAID = {"move": ("move",), "place": ("place",), "remove": ("remove",), "dice": ("dice",), "turn": ("scene", "move")}


def place_of(event: dict[str, Any]) -> list[float]:
    """Where a piece came to lie, or lay before it was taken off."""
    return list(event["to_mm"] or event["from_mm"])


def true_events(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """What happened, in order; a card in place of which another face shows, and no back, was taken off for another."""
    classes = {name: piece["class"] for name, piece in truth["pieces"].items()}
    found: list[dict[str, Any]] = []
    for one in truth["events"]:
        was, classes[one["piece"]] = classes[one["piece"]], one["class"]
        is_exchange = one["event"] == "turn" and one.get("kind") == "card" and "BACK" not in (was, one["class"])
        gone, come = {"event": "remove", "class": was, "to_mm": None}, {"event": "place", "from_mm": None}
        found += [{**one, **gone}, {**one, **come}] if is_exchange else [one]
    return found


def told_events(seen: Watched) -> list[Event]:
    """What the log has of pieces put elsewhere, of dice, and of what was read anew where it lies, in order."""
    return [told for event in seen.events[1:] for told in told_by(event)]


def told_by(event: Event) -> list[Event]:
    """An event, or one for each piece that it tells of, with the piece's class, owner, face and place."""
    if event.kind in TABLE_EVENTS:
        feature = event.fields.get("feature")
        face = feature["properties"].get("face") if feature else None
        return [replace(event, fields={**event.fields, "face": face})]
    features = {"dice": lambda: [event.fields["feature"]], "scene": lambda: event.fields["features"]}
    return [replace(event, fields=fields_of(feature)) for feature in features.get(event.kind, list)()]


def fields_of(feature: dict[str, Any]) -> dict[str, Any]:
    """What a scene's feature says of a piece, as a move does."""
    said = feature["properties"]
    shown = {"class": said.get("class"), "owner": said.get("owner"), "face": said.get("face", "unknown")}
    return {"owner": "none", **shown, "from_mm": None, "to_mm": said["position_mm"]}


def matched(true: list[dict[str, Any]], told: list[Event], within_mm: float) -> list[Event | None]:
    """For each true event the one of the log that tells it: of its kind, at its place, soon after it. As many as can
    be, as early as can be; of two that came there at once, the one with the right name."""
    late = np.full((len(true), len(told) + len(true)), LATEST_S)
    for i, one in enumerate(true):
        for j, event in enumerate(told):
            after_s = event.time_s - one["taken_s"]
            if event.kind in SAID[one["event"]] and 0 <= after_s < LATEST_S and off_mm(event, one) < within_mm:
                late[i, j] = after_s + (naming(event, one) != "named")
    rows, columns = linear_sum_assignment(late)
    found = {int(i): told[j] for i, j in zip(rows, columns, strict=True) if j < len(told) and late[i, j] < LATEST_S}
    return [found.get(i) for i in range(len(true))]


def off_mm(event: Event, one: dict[str, Any]) -> float:
    """How far the log's place is from the true one."""
    return math.dist(place_of(dict(event.fields)), place_of(one))


def naming(event: Event, one: dict[str, Any]) -> str:
    """Whether class and owner, and the face of what was turned over, are right, wrong, or left open."""
    keys = ("class", "owner", "face") if one["event"] == "turn" else ("class", "owner")
    # Whose a miniature is nobody knows: a match takes it for that of the player in whose strip it stood.
    told = [(event.fields[key], one[key]) for key in keys if one[key] != UNKNOWN]
    if all(said == true for said, true in told):
        return "named"
    return "unknown" if all(said in (true, "unknown") for said, true in told) else "wrong"


def lines(true: list[dict[str, Any]], pairs: list[Event | None], told: list[Event]) -> Iterable[str]:
    """One line for each event that is missed, wrongly named or invented."""
    for one, event in zip(true, pairs, strict=True):
        what = f"{one['event']} of {one['class']} {one['owner']} at {one['time_s']:.1f} s to {one['to_mm']}"
        if event is None:
            yield f"    missed   {what}"
        elif naming(event, one) != "named":
            yield f"    {naming(event, one):8} {what}: {event.fields['class']} {event.fields['owner']}"
    for event in told:
        if not any(event is pair for pair in pairs):
            said = event.fields
            way = f"{said['from_mm']} to {said['to_mm']}"
            what = "anew    " if event.kind == "scene" else "invented"
            yield f"    {what} {event.kind} of {said['class']} {said['owner']} at {event.time_s:.1f} s, {way}"


def report(clip: Path, told: bool, within_mm: float = SAME_PLACE_MM) -> tuple[Counter[str], list[float], list[float]]:
    """Print what became of a match; its counts, the mm that events are off, the seconds until they were told."""
    truth = json.loads(clip.with_suffix(".truth.json").read_text(encoding="utf-8"))
    seen = watched(clip, truth, told, clip.with_suffix(".setup.toml"))
    said = told_events(seen)
    happened = true_events(truth)
    pairs = matched(happened, said, within_mm)
    true = [one for one, event in zip(happened, pairs, strict=True) if event is not None or shows(one)]
    pairs = matched(true, said, within_mm)
    found = [(event, one) for event, one in zip(pairs, true, strict=True) if event is not None]
    counts = Counter(naming(event, one) for event, one in found)
    others = [event for event in said if not any(event is pair for pair in pairs)]
    anew = sum(event.kind == "scene" for event in others)
    counts |= Counter(true=len(true), found=len(found), missed=len(true) - len(found), invented=len(others) - anew)
    counts["kicks"] = sum(event.fields.get("what") == "kicked" for event in seen.events)
    counts["kicked"] = len(truth.get("kicks_s", ()))
    print(f"{clip.stem}: {told_of(counts)}; {seen.cpu_s:.0f} CPU s for {truth['duration_s']:.0f} s")
    print("\n".join(lines(true, pairs, said)), flush=True)
    if "grid" in truth:
        told_grid = battlefield_counts(seen.matches, truth)
        print("    " + "  ".join(f"{name} {count}" for name, count in told_grid.items()))
        counts += told_grid
    if "mat" in truth:
        counts += hexes_told(seen, found, truth)
    return counts, [off_mm(*pair) for pair in found], [event.time_s - free_s(truth, one) for event, one in found]


def hexes_told(seen: Watched, found: list[tuple[Event, dict[str, Any]]], truth: dict[str, Any]) -> Counter[str]:
    """Print what became of the hexes; the counts."""
    print(f"    {hexfield_line(seen.matches, truth)}")
    counts = hexfield_counts(seen.matches, truth)
    counts.update(judged_cells(seen.matches[-1], found, truth) if seen.matches else {})
    print("    " + "  ".join(f"{name} {counts[name]}" for name in HEXFIELD))
    return counts


def shows(one: dict[str, Any]) -> bool:
    """Whether an event can be seen: under a dot no face is told (`models/coin_classifier.md`)."""
    return bool(one["event"] != "turn" or one["owner"] == "none")


def free_s(truth: dict[str, Any], one: dict[str, Any]) -> float:
    """From when on no hand is over the table after the event."""
    at_s = float(one["time_s"])
    for hand in sorted(truth["hands"], key=lambda hand: float(hand["from_s"])):
        if hand["from_s"] <= at_s < hand["to_s"]:
            at_s = float(hand["to_s"])
    return at_s


def told_of(counts: Counter[str]) -> str:
    """The counts in a line."""
    return "  ".join(
        f"{name} {counts[name]}"
        for name in ("true", "found", "named", "unknown", "wrong", "missed", "invented", "kicks", "kicked")
    )


def made(folder: Path, wanted: argparse.Namespace) -> list[Path]:
    """The folder's clips, drawn first if it has none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("match-*.mp4")):
        drawn = MatchSet(wanted.game, wanted.seed, wanted.deeds, wanted.decks, wanted.rough, wanted.shoved)
        drawn.write(folder, range(wanted.count))
    return sorted(folder.glob("match-*.mp4"))


def by_automatic_camera(clip: Path) -> Path:
    """The clip as a camera shows it that sets itself, with its truth and set-up, written if it is not there yet."""
    out = clip.parent / "automatic"
    if not (out / clip.name).exists():
        shutil.copytree(clip.parent, out, ignore=shutil.ignore_patterns("*.mp4*", out.name), dirs_exist_ok=True)
        rate_hz = video_info(clip).rate_hz
        frames = by_itself((frame.image_bgr for frame in read_video(clip)), rate_hz)
        write_clip(out / clip.name, frames, round(rate_hz), crf=22, preset="veryfast")
    return out / clip.name


def main() -> None:
    """Print what became of each match, and of all together."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-matches")
    options.add_argument("--count", type=some, default=8)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--game", choices=GAMES, default="omms")
    options.add_argument("--deeds", type=some, default=6, help="how much hands do in each match")
    options.add_argument("--decks", type=existing, nargs="+", default=(), help="pocket: sheets of cards to draw with")
    options.add_argument("--rough", action="store_true", help="what is seldom done, a kick, dimmed light")
    options.add_argument("--shoved", action="store_true", help="rough ones: the tripod is carried elsewhere")
    options.add_argument("--automatic", action="store_true", help="by a camera that exposes and focuses by itself")
    options.add_argument("--told", action="store_true", help="the truth tells what lies where, in place of the nets")
    options.add_argument("--within", type=float, default=SAME_PLACE_MM, help="mm: how near its place an event is told")
    given = options.parse_args()
    clips = made(given.folder, given)
    clips = [by_automatic_camera(clip) for clip in clips] if given.automatic else clips
    reports = [report(clip, given.told, given.within) for clip in clips]
    total = sum((counts for counts, _, _ in reports), Counter[str]())
    off, late_s = (np.concatenate(parts) for parts in zip(*(rest for _, *rest in reports), strict=True))
    print(f"{len(reports)} matches: {told_of(total)}")
    if "squares" in total:
        print("    " + "  ".join(f"{name} {total[name]}" for name in BATTLEFIELD))
    if "scenes" in total:
        print("    " + "  ".join(f"{name} {total[name]}" for name in HEXFIELD))
    print(f"off by {np.median(off):.2f} mm (median), {np.quantile(off, 0.95):.2f} (p95)")
    print(f"told {np.median(late_s):.2f} s after the last hand left (median), {np.quantile(late_s, 0.95):.2f} (p95)")


if __name__ == "__main__":
    main()
