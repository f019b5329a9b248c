"""`sandtable enrol`: teach the eyes the user's own pieces."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

import click

from ui.length import Length
from ui.ruled import PATH, SETUP_OPTION
from ui.telling.results import say
from ui.telling.words import counted

if TYPE_CHECKING:
    from rules.scene import Kind
    from ui.setup.enrolling import Taught
    from ui.setup.setup_file import SetupFile
    from vision.taught.enrol import Enrolled

# Two photos show both faces of a coin; a third would rarely tell more.
_MOST_PHOTOS = 2
_UNPROVEN = (
    "the size goes by where the set-up's points were clicked: of a photo by another camera, or from elsewhere, it is"
    " wrong, and nothing would tell; measure the piece and compare"
)
_BY_RULER = ", or give --diameter-mm"
_ANY_CAMERA = "; or measure the coin and give --diameter-mm: then a photo by any camera will do"


@click.command("enrol")
@click.argument("name")
@click.argument("photos", metavar="PHOTO...", type=PATH, nargs=-1)
@SETUP_OPTION
@click.option("--kind", type=click.Choice(["coin", "card", "soldier"]), default="coin", show_default=True)
@click.option(
    "--diameter-mm",
    type=Length(10, 50),
    help="How wide the coin is, by a ruler: the photo then needs no scale, and may be a close one from above.",
)
@click.option("--forget", is_flag=True, help="Forget the piece NAME again; takes no photo.")
def command(
    *,
    name: str,
    photos: tuple[Path, ...],
    setup_path: Path | None,
    kind: Kind,
    diameter_mm: float | None,
    forget: bool,
) -> None:
    """Teach the piece NAME from one or two photos of it alone on the table; it is kept beside the set-up.

    NAME has letters (a to z, A to Z), digits and hyphens, 41 at most. Each piece has one name: what cannot be told from
    a piece of another name is refused.
    """
    from ui.setup.enrolled import (
        checked_name,
        folder_of,
        forget_taught,
        refuse_capitals,
        refuse_no_place,
        taught_names,
        write_taught,
    )
    from ui.setup.setup_file import read_setup

    _check_count(photos, forget=forget)
    if diameter_mm is not None and kind != "coin":
        raise click.UsageError(f"enrol: --diameter-mm is of a coin, not of a {kind}.")
    refuse_no_place(setup_path)
    setup = read_setup(setup_path) if setup_path is not None else None
    folder = folder_of(setup_path)
    if forget:
        forget_taught(folder, name)
        say(f"forgot {name}; {_left(taught_names(folder))}")
        return
    checked_name(name, kind)
    refuse_capitals(folder, name)
    seen = [_seen_in(photo, setup, kind, diameter_mm) for photo in photos]
    known, notes = _learned(name, photos, seen, kind, by_ruler=diameter_mm is not None)
    _refuse_double(known, setup_path, setup)
    if diameter_mm is None and any(shown.is_unproven for shown in seen):
        notes.append(f"{_UNPROVEN}{_BY_RULER if kind == 'coin' else ''}")
    for note in notes:
        say(f"sandtable: {note}")
    is_again = name in taught_names(folder)
    write_taught(folder, known)
    instead = ", in place of what was learned by that name before" if is_again else ""
    of_what = f"a {kind} {_size(known, seen)}, from {counted(len(photos), 'photo')}{instead}"
    say(f"learned {name}: {of_what}; kept in {folder}")


def _learned(
    name: str, photos: tuple[Path, ...], seen: list[Taught], kind: Kind, *, by_ruler: bool
) -> tuple[Enrolled, list[str]]:
    """The piece as the photos show it, and what a person should know of them; ValueError where they teach none."""
    from vision.taught.enrol import learned

    notes = [f"{photo}: {note}" for photo, shown in zip(photos, seen, strict=True) for note in shown.notes]
    kept = [photo for photo in photos if not photo.is_fifo()]  # a pipe has been read, and is empty now
    if len({photo.read_bytes() for photo in kept}) < len(kept):
        notes.append(f"{photos[-1]}: the same picture as {photos[0]}, which tells no more: give another, or one alone")
    try:
        samples, called = [shown.samples for shown in seen], [str(photo) for photo in photos]
        known = learned(name, samples, kind, by_ruler=by_ruler, called=called)
    except ValueError as error:
        raise ValueError("; ".join((str(error), *notes))) from None  # one line, with what spoils the photo
    if known.shows_two:
        unlike = f"looks nothing like {photos[0]}: if it is no other face of the piece, teach it from one photo"
        notes.append(f"{photos[-1]}: {unlike}")
    return known, notes


def _size(known: Enrolled, seen: list[Taught]) -> str:
    """How large it is, for the person: of a card both sides, as the photos show it in the middle."""
    sides_mm = [shown.samples[0].sides_mm for shown in seen]
    if known.kind == "card":
        length_mm, breadth_mm = (mean(each) for each in zip(*(sides for sides in sides_mm if sides), strict=True))
        return f"{length_mm:.1f} x {breadth_mm:.1f} mm"
    return f"{known.size_mm:g} mm across" if known.by_ruler else f"{known.size_mm:.1f} mm across"


def _refuse_double(known: Enrolled, setup_path: Path | None, setup: SetupFile | None) -> None:
    """ValueError for a piece that cannot be told from one of another name, unless both stand for one class."""
    from ui.eyes import meanings
    from ui.setup.enrolled import forget_command, taught_whole

    others = [other for other in taught_whole(setup_path) if other.name != known.name]
    stands_for = meanings(setup.rules if setup is not None else None, (known, *others))
    for other in others:
        are_one = known.name in stands_for and stands_for[known.name] == stands_for.get(other.name)
        if not are_one and known.is_like(other):
            raise ValueError(
                f"enrol: this cannot be told from {other.name}, which was taught already; forget that first:"
                f" {forget_command(other.name, setup_path)}; or teach this as {other.name}, in its place"
            )


def _seen_in(photo: Path, setup: SetupFile | None, kind: Kind, diameter_mm: float | None) -> Taught:
    """What is in a photo; ValueError names it where the set-up does not measure it, one of two."""
    from ui.setup.enrolling import taught_as_wide, taught_in

    if diameter_mm is not None:
        return taught_as_wide(photo, setup, diameter_mm)
    try:
        return taught_in(photo, setup, kind)
    except ValueError as error:
        if str(photo) in str(error):
            raise
        raise ValueError(f"{photo}: {error}{_ANY_CAMERA if kind == 'coin' else ''}") from None


def _check_count(photos: tuple[Path, ...], *, forget: bool) -> None:
    if forget and photos:
        raise click.UsageError("enrol: --forget takes a name alone, no photo.")
    if not forget and not photos:
        raise click.UsageError("enrol: no photo; give one or two of the piece alone on the table.")
    if len(photos) > _MOST_PHOTOS:
        raise click.UsageError(f"enrol: {len(photos)} photos; give one or two.")


def _left(names: tuple[str, ...]) -> str:
    return f"still known: {', '.join(names)}" if names else "nothing else was taught"
