"""`sandtable enrol`: teach the eyes the user's own pieces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.results import say
from ui.ruled import PATH, SETUP_OPTION

if TYPE_CHECKING:
    from rules.scene import Kind

# Two photos show both faces of a coin; a third would rarely tell more.
_MOST_PHOTOS = 2


@click.command("enrol")
@click.argument("name")
@click.argument("photos", metavar="PHOTO...", type=PATH, nargs=-1)
@SETUP_OPTION
@click.option("--kind", type=click.Choice(["coin", "card", "soldier"]), default="coin", show_default=True)
@click.option("--forget", is_flag=True, help="Forget the piece NAME again; takes no photo.")
def command(*, name: str, photos: tuple[Path, ...], setup_path: Path | None, kind: Kind, forget: bool) -> None:
    """Teach the piece NAME from one or two photos of it alone on the table; it is kept beside the set-up."""
    from ui.enrolled import checked_name, folder_of, forget_taught, taught_names, write_taught
    from ui.enrolling import taught_in
    from ui.setup_file import read_setup
    from vision.enrol import learned

    _check_count(photos, forget=forget)
    setup = read_setup(setup_path) if setup_path is not None else None
    folder = folder_of(setup_path)
    if forget:
        forget_taught(folder, name)
        say(f"forgot {name}; {_left(taught_names(folder))}")
        return
    checked_name(name)
    seen = [taught_in(photo, setup, kind) for photo in photos]
    for photo, shown in zip(photos, seen, strict=True):
        for note in shown.notes:
            say(f"sandtable: {photo}: {note}")
    known = learned(name, [shown.samples for shown in seen], kind)
    is_again = name in taught_names(folder)
    write_taught(folder, known)
    instead = ", in place of what was learned by that name before" if is_again else ""
    of_what = f"a {kind} {known.size_mm:.1f} mm across, from {len(photos)} photo(s){instead}"
    say(f"learned {name}: {of_what}; kept in {folder}")


def _check_count(photos: tuple[Path, ...], *, forget: bool) -> None:
    if forget and photos:
        raise click.UsageError("enrol: --forget takes a name alone, no photo.")
    if not forget and not photos:
        raise click.UsageError("enrol: no photo; give one or two of the piece alone on the table.")
    if len(photos) > _MOST_PHOTOS:
        raise click.UsageError(f"enrol: {len(photos)} photos; give one or two.")


def _left(names: tuple[str, ...]) -> str:
    return f"still known: {', '.join(names)}" if names else "nothing else was taught"
