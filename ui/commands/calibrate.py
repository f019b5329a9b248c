"""`sandtable calibrate`: the lens, and how far to trust the table's measure."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.new_file import refuse_overwriting
from ui.ruled import NEW_FILE, OUT_OPTION, PATH
from ui.telling.results import give, say

if TYPE_CHECKING:
    from calibration.boards.lens_fit import LensReport
    from vision.frame import Frame


@click.group("calibrate")
def command() -> None:
    """Measure the lens, or check how far to trust the table's measure."""


@command.command("lens", short_help="Measure the lens from views of a ChArUco or chessboard.")
@click.argument("frames", metavar="[FRAMES...]", nargs=-1, type=PATH)
@click.option("--source", help="Camera number, URL or video, instead of FRAMES: hold the board about in its view.")
@click.option("--model", type=click.Choice(["auto", "pinhole", "fisheye"]), default="auto", show_default=True)
@click.option("--out", "-o", type=NEW_FILE, help="The lens file (TOML); standard output without.")
def lens(*, frames: tuple[Path, ...], source: str | None, model: str, out: Path | None) -> None:
    """Camera matrix and distortion from ChArUco or chessboard views, with the reprojection error.

    FRAMES are pictures, or folders of pictures.
    """
    from calibration.boards.lens_file import lens_text
    from rules.files.json_file import write_whole

    if bool(frames) == (source is not None):
        raise click.UsageError("Give either FRAMES... or --source.")
    report = _of_source(source, out, model) if source is not None else _of_pictures(frames, out, model)
    for line in _lines_of(report):
        say(line)
    if out is None:
        click.echo(lens_text(report), nl=False)
    else:
        write_whole(out, lens_text(report).encode())
        say(f"wrote {out}; its [camera] goes into the set-up file, or: sandtable setup --quick --lens {out}")


def _lines_of(report: LensReport) -> Iterator[str]:
    """How well each view is explained, and how well all are."""
    for view in report.views:
        yield f"{view.name}: {view.corners} corners, {view.rms_px:.2f} px{'' if view.used else ', left out'}"
    for name in report.unseen:
        yield f"{name}: the board is not seen whole"
    median, p95, worst = report.quantiles_px
    yield f"{report.rms_px:.3f} px RMS; half within {median:.2f}, 95 % within {p95:.2f}, the worst {worst:.2f} px"
    for warning in report.warnings:
        yield f"warning: {warning}"


def _of_source(source: str, out: Path | None, model: str) -> LensReport:
    """The lens by what a source shows of the board, with a window that guides where there is a display."""
    from calibration.boards.lens_fit import report_lens
    from ui.measuring.lens_views import collected
    from ui.qt import has_display
    from vision.source import open_source

    refuse_overwriting((Path(source),), (out,))
    watched = {}
    with open_source(source) as opened:
        # A camera that is not there needs no window.
        if has_display():
            from ui.window.lens import lens_guide

            watched["look"] = lens_guide().look
        return report_lens(*collected(opened.beats(), None, say, camera=opened, **watched), model=model)  # type: ignore[arg-type]


def _of_pictures(frames: tuple[Path, ...], out: Path | None, model: str) -> LensReport:
    """The lens by pictures. What is left out of them is told once there is a lens, or else with the reason."""
    from calibration.boards.lens_fit import calibrate_lens
    from vision.stream.picture import pictures_in

    given = [picture for path in frames for picture in pictures_in(path)]
    refuse_overwriting(given, (out,))
    readable, torn = _readable(given)
    views, copies = _different(readable)
    names = [Path(frame.source).name for frame in views]
    try:
        report = calibrate_lens([frame.image_bgr for frame in views], names, model=model)  # type: ignore[arg-type]
    except ValueError as error:
        others = f" and {len(frames) - 1} more" if len(frames) > 1 else ""
        raise ValueError("; ".join((f"{frames[0]}{others}: {error}", *copies, *torn))) from None
    for remark in (*copies, *(f"warning: {fault}" for fault in torn)):
        say(remark)
    return report


def _different(views: list[Frame]) -> tuple[list[Frame], list[str]]:
    """Each picture once: a copy would count as a view of its own, and the lens as better known than it is. And what is
    to be said of it. By what they show, for a pipe can be read but once."""
    first: dict[tuple[tuple[int, ...], bytes], Frame] = {}
    for view in views:
        first.setdefault((view.image_bgr.shape, sha256(view.image_bgr.tobytes()).digest()), view)
    copies = len(views) - len(first)
    told = [f"{copies} of the {len(views)} pictures are copies of others: left out"] if copies else []
    return list(first.values()), told


def _readable(pictures: list[Path]) -> tuple[list[Frame], list[str]]:
    """The pictures, and a sentence for each file that is none; ValueError if no file is one."""
    from vision.stream.picture import read_picture

    views: list[Frame] = []
    faults: list[ValueError] = []
    for path in pictures:
        try:
            views.append(read_picture(path))
        except ValueError as error:
            faults.append(error)
    if not views:
        raise faults[0]
    return views, [f"{fault}: passed over" for fault in faults]


@command.command("check", short_help="How many millimetres to believe, and where.")
@click.argument("input_path", metavar="[INPUT]", type=PATH, required=False)
@click.option("--setup", "setup_path", type=PATH, required=True, help="Set-up file (TOML).")
@click.option("--source", help="Camera number or URL, instead of INPUT.")
@OUT_OPTION
def check(*, input_path: Path | None, setup_path: Path, source: str | None, out: Path | None) -> None:
    """How many millimetres to believe, and where, in the picture or video INPUT."""
    from ui.eyes import packaged_eyes
    from ui.measuring.known_size import trusted
    from ui.measuring.map_seen import with_map_seen
    from ui.measuring.table import plane_for, print_of, spec_of
    from ui.measuring.trust import trust_document
    from ui.setup.setup_file import files_of, read_setup
    from ui.still import first_frame, frames_of
    from vision.scale.known_coins import coins_wider, known_coins

    if (input_path is None) == (source is None):
        raise click.UsageError("Give either INPUT or --source.")
    refuse_overwriting((input_path or Path(str(source)), *files_of(setup_path)), (out,))
    setup = read_setup(setup_path)
    frame = frames_of(input_path, None)[0] if input_path is not None else first_frame(str(source))
    plane = plane_for(setup, frame)
    # Cards and coins prove the plane even where the set-up does not use them to find it.
    eyes = packaged_eyes(setup.rules, frozenset({"coin"}))
    eyes.known_print = print_of(setup)
    seen = eyes.look(frame, plane)
    coins, wider = known_coins(frame.image_bgr, plane, seen), coins_wider(frame.image_bgr, plane, seen)
    proved = trusted(frame, plane, spec_of(setup), setup.rules.card_mm, coins, wider)
    report = with_map_seen(setup, proved, plane, frame)
    give(trust_document(report), out)  # before the rest: where it cannot be written, that alone is told
    proof = f"{len(report.proofs)} things of known size" if report.proofs else "nothing of known size to prove it"
    say(f"{report.light}: believe {report.believe_mm:.2f} mm (95 %) all over what shows of the table; {proof}")
    for note in report.notes:
        say(note)
