"""`sandtable evaluate`: score `scene` against the truth files of a folder."""

from __future__ import annotations

from pathlib import Path

import click

from ui.new_file import refuse_overwriting
from ui.results import give, say
from ui.ruled import OUT_OPTION, PATH


@click.command("evaluate")
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--split", help="Only pictures with this in the column `split` of labels.csv, such as dev.")
@OUT_OPTION
def command(*, folder: Path, split: str | None, out: Path | None) -> None:
    """Score `scene` against NAME.truth.geojson or labels.csv in DIR: JSON as the result, a table on standard error."""
    from ui.evaluation.report import table
    from ui.evaluation.score import Score
    from ui.evaluation.truth import LABELS, absent_from, pictures_in
    from ui.eyes import eyes_for
    from ui.progress import progress
    from ui.setup_file import read_setup
    from ui.still import frames_of, still_scene

    pictures = pictures_in(folder, split)
    refuse_overwriting((folder / LABELS, *(file for each in pictures for file in each.files)), (out,))
    # A set-up that is at fault is nobody's miss, and is told before anything is looked at.
    setups = {path: read_setup(path) for path in dict.fromkeys(each.setup for each in pictures) if path is not None}
    score, failed = Score(), []
    with progress("evaluating", len(pictures)) as advance:
        for done, picture in enumerate(pictures, start=1):
            try:
                setup = setups[picture.setup] if picture.setup is not None else None
                look = eyes_for(setup.rules if setup else None)
                found = still_scene(setup, frames_of(picture.path, None), look).pieces
            except ValueError as error:
                # A picture that cannot be measured is a miss of everything on it, not the end of the evaluation.
                failed.append({"file": picture.path.name, "why": str(error)})
                found = ()
            score.add(picture.known, found)
            advance(done)
    kinds = score.document()
    say(table(kinds))
    absent = absent_from(folder, split)
    if absent is not None:
        say(f"warning: {absent}")
    for failure in failed:
        say(f"{failure['file']}: {failure['why']}")
    give({"schema": "sandtable/evaluation/1", "pictures": score.pictures, "failed": failed, "kinds": kinds}, out)
