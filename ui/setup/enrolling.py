"""The pieces in a photo that somebody teaches from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from calibration.plane import TablePlane
    from rules.scene import Kind
    from ui.setup.calibration_block import CalibrationBlock
    from ui.setup.setup_file import SetupFile
    from vision.taught.sample import Sample

# References that hold for another picture only: clicked points, and coins that were measured beside them.
_IN_ANOTHER = ("point ", "coin ")
# What the set-up measures may be so far off a typed diameter, as a share of it.
_AGREES = 0.1
_COVERED = (
    "not all of the coin's rim shows: take away what covers it or lies against it, or lay it on another ground, and"
    " teach it again"
)


class Taught(NamedTuple):
    """What a photo shows to learn from, what is wrong with it, a sentence each, and whether its measure is unproven."""

    samples: list[Sample]
    notes: tuple[str, ...]
    is_unproven: bool = False


def samples_in(photo: Path, setup: SetupFile | None, kind: Kind) -> list[Sample]:
    """The pieces of that kind in the photo, on the playing area where the set-up tells it."""
    return taught_in(photo, setup, kind).samples


def taught_in(photo: Path, setup: SetupFile | None, kind: Kind) -> Taught:
    """The same, and what spoils the photo or its measure: a piece that is learned blurred is hardly known again."""
    from ui.eyes import asked_for, packaged_eyes
    from ui.measuring.measured import faults_in, measured_plane, mended
    from vision.stream.picture import read_picture
    from vision.taught.sample import plain_pieces, sample_of

    taken = read_picture(photo)
    plane = measured_plane(setup, taken)
    frame = mended(setup, taken, plane)
    rules = setup.rules if setup is not None else None
    kinds = asked_for(kind, rules)
    eyes = packaged_eyes(rules, kinds)
    if kind == "coin":
        seen = plain_pieces(frame, plane, eyes.coin_view(frame, plane))
    else:
        seen = [sample_of(frame, plane, one) for one in eyes.look(frame, plane) if one.kind in kinds]
    there = [sample for sample in seen if setup is None or _lies_on(setup.rules.table_size_mm, sample.position_mm)]
    covered = () if all(sample.is_whole for sample in there) else (_COVERED,)
    notes = (*plane.notes, *faults_in(setup, taken, plane), *covered)
    is_unproven = setup is not None and _is_by_places_alone(setup.calibration, plane)
    return Taught(there, notes if any("blurred" in note for note in notes) else (*notes, *_blurs(there)), is_unproven)


def _is_by_places_alone(block: CalibrationBlock, plane: TablePlane) -> bool:
    """Whether nothing that the photo shows had a part in measuring it, and so nothing could tell a moved camera."""
    by = [residual.source for residual in plane.residuals if not residual.rejected]
    compared = block.coins or block.roads or block.seen or any(not one.startswith(_IN_ANOTHER) for one in by)
    return bool(block.points) and not compared


def taught_as_wide(photo: Path, setup: SetupFile | None, diameter_mm: float) -> Taught:
    """What the photo shows of a coin whose owner typed its diameter.

    It is the coin that the set-up measures as so wide; if there is none, the coin alone is the photo's scale, as in a
    photo by another camera or from near by.
    """
    if setup is None:
        return _alone(photo, diameter_mm)
    try:
        seen = taught_in(photo, setup, "coin")
    except ValueError:
        return _alone(photo, diameter_mm)
    agree = [sample for sample in seen.samples if abs(sample.size_mm / diameter_mm - 1) < _AGREES]
    if agree:
        return Taught([replace(sample, size_mm=diameter_mm) for sample in agree], seen.notes)
    if not seen.samples:
        return _alone(photo, diameter_mm)
    measured = f"the set-up measures a coin {seen.samples[0].size_mm:.1f} mm across, not {diameter_mm:g}"
    try:
        alone = _alone(photo, diameter_mm)
    except ValueError:
        raise ValueError(f"{photo}: {measured}; measure it again") from None
    return Taught(alone.samples, (*alone.notes, f"{measured}; what was typed is taken"))


def _alone(photo: Path, diameter_mm: float) -> Taught:
    from vision.light.clarity import clarity_anywhere
    from vision.light.developed import developed
    from vision.light.faults import faults_of
    from vision.scale.alone import near_enough, pieces_alone
    from vision.stream.picture import read_picture

    taken = near_enough(read_picture(photo))
    clarity = clarity_anywhere(taken)
    seen = pieces_alone(developed(taken, clarity), diameter_mm)
    if not seen:
        raise ValueError(
            f"{photo}: no coin found; hold the camera straight above it, so near that it fills a tenth of the picture"
            " or more, on a plain ground"
        )
    # Whether the coin is sharp, its rim tells; what lies about it, and may be white, is no table.
    notes = [str(fault) for fault in faults_of(clarity) if fault.kind in ("black", "dark", "grainy", "grey")]
    return Taught(seen, (*notes, *_blurs(seen)))


def _blurs(samples: list[Sample]) -> tuple[str, ...]:
    """What is to be said of the first one that is blurred."""
    blurs_px = [sample.blur_px for sample in samples if sample.blur_px > 0]
    if not blurs_px:
        return ()
    return (
        f"the coin is blurred (its rim spreads over {blurs_px[0]:.1f} px) and will hardly be known again: focus the"
        " camera, hold it still, go nearer, and teach it again",
    )


def _lies_on(table_size_mm: tuple[float, float], at_mm: tuple[float, float]) -> bool:
    """Whether it is in play: what lies beside the playing area is not meant, and no other piece that is in the way."""
    return all(0 <= place <= side for place, side in zip(at_mm, table_size_mm, strict=True))
