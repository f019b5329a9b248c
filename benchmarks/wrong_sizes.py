"""A size that was told wrong, and cards and coins on the table that contradict it: is it said, and never without cause?

    .venv/bin/python -m benchmarks.wrong_sizes [STILL.jpg ...] [--shares 0 0.028 -0.028]

Each rendered still (by default those of things and the sample ones, which have two to five cards, or coins
and no card) is measured by four points that its own set-up's plane shows at the corners of its table, and by the lens;
the table is told larger than it is by each of the shares. Then it is proved as `calibrate check` and the set-up do: by
the cards that are read on that plane, and by the coins that the eyes name on it. Printed: how large cards and coins
show, what is said and the light; at last on how many pictures something is said, by share and by whether cards show.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.arguments import existing
from benchmarks.turned import STILL
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.proof import TrustReport
from calibration.table import CalibrationSpec, calibrate_table
from ui.eyes import packaged_eyes
from ui.measuring.known_size import trusted
from ui.measuring.table import plane_for
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame
from vision.scale.known_coins import known_coins
from vision.stream.picture import read_picture

Size = tuple[float, float]
Measured = tuple[CalibrationSpec, TablePlane]
THINGS = STILL.parent.parent / "things"


@dataclass
class Told:
    """On how many pictures something was said, by share and by what shows."""

    said: Counter[tuple[float, str]] = field(default_factory=Counter)
    pictures: Counter[tuple[float, str]] = field(default_factory=Counter)

    def add(self, share: float, report: TrustReport) -> None:
        """Count a picture's report."""
        key = share, "cards show" if any(proof.kind == "card" for proof in report.proofs) else "coins only"
        self.pictures[key] += 1
        self.said[key] += bool(report.contradiction)

    def print(self) -> None:
        """A line for each share and kind."""
        for share, shows in sorted(self.pictures):
            key = share, shows
            print(f"told {share:+.1%}, {shows}: said on {self.said[key]} of {self.pictures[key]}")


def told_longer(frame: Frame, camera: TablePlane, size_mm: Size, longer: Size, lens: Lens | None) -> Measured:
    """The table by its corners, as the camera shows them, told so many times as wide and as deep as `size_mm`."""
    corners_mm = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * size_mm
    rows = np.c_[camera.to_image(corners_mm), corners_mm * longer].tolist()
    told_mm = (float(size_mm[0] * longer[0]), float(size_mm[1] * longer[1]))
    spec = CalibrationSpec(tuple(map(tuple, rows)), lens=lens, table_size_mm=told_mm)
    return spec, calibrate_table(frame.image_bgr, spec)


def proved(frame: Frame, setup: SetupFile, camera: TablePlane, share: float) -> TrustReport:
    """What proves the table of a picture that is told larger than it is by a share."""
    longer = (1 + share, 1 + share)
    spec, plane = told_longer(frame, camera, setup.rules.table_size_mm, longer, camera.lens)
    seen = packaged_eyes(setup.rules, frozenset({"coin"})).look(frame, plane)
    return trusted(frame, plane, spec, setup.rules.card_mm, known_coins(frame.image_bgr, plane, seen))


def middles_of(shown: Mapping[str, Sequence[float]]) -> str:
    """How many of each kind showed by what share, in the middle."""
    return ", ".join(f"{len(each)} {kind}s {100 * np.median(each):+.2f} %" for kind, each in shown.items() if each)


def line_of(report: TrustReport) -> str:
    """How large cards and coins show, the light, and what is said."""
    shown = {kind: [p.off_mm / p.true_mm for p in report.proofs if p.kind == kind] for kind in ("card", "coin")}
    said = f"\n    {report.contradiction}" if report.contradiction else ""
    return f"{middles_of(shown)}; {report.light} {report.believe_mm:.1f} mm{said}"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = [*sorted(THINGS.glob("*.jpg")), *sorted(STILL.parent.glob("*.jpg"))]
    options.add_argument("stills", type=existing, nargs="*", default=usual)
    options.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.028, -0.028])
    given = options.parse_args()
    cv2.setNumThreads(1)
    told = Told()
    for still in given.stills:
        frame, setup = read_picture(still), read_setup(still.with_suffix(".setup.toml"))
        camera = plane_for(setup, frame)
        for share in given.shares:
            report = proved(frame, setup, camera, share)
            told.add(share, report)
            print(f"{still.stem}, told {share:+.1%}: {line_of(report)}", flush=True)
    told.print()


if __name__ == "__main__":
    main()
