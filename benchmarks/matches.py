"""Whole matches drawn by chance, refereed from the first frame to the last: what hands did, found, missed and invented.

    .venv/bin/python -m benchmarks.matches [FOLDER] [--count 8] [--seed 1] [--told]

FOLDER holds clips of `sample_footage.generate matches` (made first if it has none): each has another camera, lamp,
table, purse and pair of players, and hands that move, slide, take, bring and stack coins, push one aside with the
sleeve, hover, and reach in from both sides at once. Each goes through the session that `sandtable play` opens, and its
log is compared with the truth, in order: an event is found when the log has one of its kind to within 5 mm of its
place; named when class and owner are right too, unknown when the log does not say, wrong otherwise. What else the log
has is invented. A move told as one that was taken away and another that was brought is missed once, invented twice.

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
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.trouble import Watched, watched
from rules.events import TABLE_EVENTS, Event
from sample_footage.drawn_match import drawn_match, write_drawn_match
from sample_footage.kingsmere import MAP_FILE

SAME_PLACE_MM = 5.0


def place_of(event: dict[str, Any]) -> list[float]:
    """Where a coin came to lie, or lay before it was taken off."""
    return list(event["to_mm"] or event["from_mm"])


def told_events(seen: Watched) -> list[Event]:
    """What the log has of coins put elsewhere, in order."""
    return [event for event in seen.events if event.kind in TABLE_EVENTS]


def matched(true: list[dict[str, Any]], told: list[Event]) -> list[Event | None]:
    """For each true event the first of the log of its kind, at its place and not before it, that no other has."""
    left, pairs = list(told), []
    for one in true:
        near = (
            e for e in left if e.kind == one["event"] and e.time_s >= one["taken_s"] and off_mm(e, one) < SAME_PLACE_MM
        )
        found = next(near, None)
        pairs.append(found)
        if found is not None:
            left.remove(found)
    return pairs


def off_mm(event: Event, one: dict[str, Any]) -> float:
    """How far the log's place is from the true one."""
    return math.dist(place_of(dict(event.fields)), place_of(one))


def naming(event: Event, one: dict[str, Any]) -> str:
    """Whether class and owner are right, wrong, or left open."""
    told = [(event.fields[key], one[key]) for key in ("class", "owner")]
    if all(said == true for said, true in told):
        return "named"
    return "unknown" if all(said in (true, "unknown") for said, true in told) else "wrong"


def lines(true: list[dict[str, Any]], pairs: list[Event | None], told: list[Event]) -> Iterable[str]:
    """One line for each event that is not as it should be."""
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
            yield f"    invented {event.kind} of {said['class']} {said['owner']} at {event.time_s:.1f} s, {way}"


def report(clip: Path, told: bool) -> tuple[Counter[str], list[float], list[float]]:
    """Print what became of a match; its counts, the mm that events are off, the seconds until they were told."""
    truth = json.loads(clip.with_suffix(".truth.json").read_text(encoding="utf-8"))
    seen = watched(clip, truth, told, clip.with_suffix(".setup.toml"))
    said, true = told_events(seen), truth["events"]
    pairs = matched(true, said)
    found = [(event, one) for event, one in zip(pairs, true, strict=True) if event is not None]
    counts = Counter(naming(event, one) for event, one in found)
    counts |= Counter(true=len(true), found=len(found), missed=len(true) - len(found), invented=len(said) - len(found))
    print(f"{clip.stem}: {told_of(counts)}; {seen.cpu_s:.0f} CPU s for {truth['duration_s']:.0f} s")
    print("\n".join(lines(true, pairs, said)), flush=True)
    return counts, [off_mm(*pair) for pair in found], [event.time_s - free_s(truth, one) for event, one in found]


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
        f"{name} {counts[name]}" for name in ("true", "found", "named", "unknown", "wrong", "missed", "invented")
    )


def made(folder: Path, count: int, seed: int) -> list[Path]:
    """The folder's clips, drawn first if it has none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("match-*.mp4")):
        shutil.copyfile(MAP_FILE, folder / MAP_FILE.name)
        for number in range(count):
            write_drawn_match(drawn_match(number, seed), folder)
    return sorted(folder.glob("match-*.mp4"))


def main() -> None:
    """Print what became of each match, and of all together."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-matches")
    options.add_argument("--count", type=int, default=8)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--told", action="store_true", help="the truth tells what lies where, in place of the nets")
    given = options.parse_args()
    reports = [report(clip, given.told) for clip in made(given.folder, given.count, given.seed)]
    total = sum((counts for counts, _, _ in reports), Counter[str]())
    off, late_s = (np.concatenate(parts) for parts in zip(*(rest for _, *rest in reports), strict=True))
    print(f"{len(reports)} matches: {told_of(total)}")
    print(f"off by {np.median(off):.2f} mm (median), {np.quantile(off, 0.95):.2f} (p95)")
    print(f"told {np.median(late_s):.2f} s after the last hand left (median), {np.quantile(late_s, 0.95):.2f} (p95)")


if __name__ == "__main__":
    main()
