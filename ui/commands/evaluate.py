"""`sandtable evaluate`: score `scene` against the truth files of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.new_file import refuse_overwriting
from ui.ruled import OUT_OPTION, PATH
from ui.telling.results import give, say

if TYPE_CHECKING:
    from ui.evaluation.report import Failure
    from ui.evaluation.score import Score
    from ui.evaluation.truth import Picture
    from ui.setup.setup_file import SetupFile


@click.command("evaluate")
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--split", help="Only pictures with this in the column `split` of labels.csv, such as dev.")
@OUT_OPTION
def command(*, folder: Path, split: str | None, out: Path | None) -> None:
    """Score `scene` against NAME.truth.geojson or labels.csv in DIR: JSON as the result, a table on standard error.

    Each picture has NAME.setup.toml or setup.toml beside it, unless its cards measure its table.
    """
    from ui.evaluation.looked_at import refuse_other_tables
    from ui.evaluation.report import failures, table
    from ui.evaluation.truth import LABELS, absent_from, passed_over, pictures_in
    from ui.setup.setup_file import read_setup

    pictures = pictures_in(folder, split)
    refuse_overwriting((folder / LABELS, *(file for each in pictures for file in each.files)), (out,))
    # A set-up that is at fault is nobody's miss, and is told before anything is looked at.
    setups = {path: read_setup(path) for path in dict.fromkeys(each.setup for each in pictures) if path is not None}
    refuse_other_tables(pictures, setups)
    score, failed = _scored(pictures, setups)
    if len(failed) == len(pictures):
        raise ValueError(f"{folder}: no picture in it can be scored ({len(pictures)} tried); {failed[0].why}")
    kinds = score.document()
    say(table(kinds))
    for line in failures(failed, len(pictures)):
        say(line)
    for warning in filter(None, (absent_from(folder, split), passed_over(folder))):
        say(f"warning: {warning}")
    documents = [failure.document() for failure in failed]
    give({"schema": "sandtable/evaluation/1", "pictures": len(pictures), "failed": documents, "kinds": kinds}, out)


def _scored(pictures: Sequence[Picture], setups: Mapping[Path, SetupFile]) -> tuple[Score, list[Failure]]:
    """What is seen on all pictures beside what lies there, and which could not be scored, or not be measured."""
    from ui.evaluation.looked_at import UnfitError, pieces_on
    from ui.evaluation.report import Failure
    from ui.evaluation.score import Score
    from ui.telling.progress import progress

    score, failed = Score(), list[Failure]()
    with progress("evaluating", len(pictures)) as advance:
        for done, picture in enumerate(pictures, start=1):
            try:
                score.add(picture.known, pieces_on(picture, setups[picture.setup] if picture.setup else None))
            except UnfitError as error:
                failed.append(Failure(picture.path.name, str(error), is_missed=False))
            except ValueError as error:
                # A picture that cannot be measured is a miss of everything on it, not the end of the evaluation.
                failed.append(Failure(picture.path.name, str(error), is_missed=True))
                score.add(picture.known, ())
            advance(done)
    return score, failed
