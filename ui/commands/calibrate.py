"""`sandtable calibrate`: the lens, and how far to trust the table's measure."""

from __future__ import annotations

from pathlib import Path

import click

from ui.results import give, say
from ui.ruled import OUT_OPTION, PATH


@click.group("calibrate")
def command() -> None:
    """Measure the lens, or check how far to trust the table's measure."""


@command.command("check")
@click.argument("input_path", metavar="[INPUT]", type=PATH, required=False)
@click.option("--setup", "setup_path", type=PATH, required=True, help="Set-up file (TOML).")
@click.option("--source", help="Camera number or URL, instead of INPUT.")
@OUT_OPTION
def check(*, input_path: Path | None, setup_path: Path, source: str | None, out: Path | None) -> None:
    """How many millimetres to believe, and where, in the picture or video INPUT."""
    from ui.setup_file import read_setup
    from ui.still import first_frame, frames_of
    from ui.table import plane_for
    from ui.trust import trust_document

    if (input_path is None) == (source is None):
        raise click.UsageError("Give either INPUT or --source.")
    setup = read_setup(setup_path)
    frame = frames_of(input_path, None)[0] if input_path is not None else first_frame(str(source))
    document = trust_document(plane_for(setup, frame), setup.rules.table_size_mm)
    worst = max(document["within_mm_95"].items(), key=lambda item: item[1])
    say(f"{document['light']}: within {worst[1]:.2f} mm everywhere (95 %), the worst is {worst[0]}")
    for note in document["notes"]:
        say(note)
    give(document, out)
