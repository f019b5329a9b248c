"""One side of a table told wrong and no lens file: do cards and coins say so by their shape, and never without cause?

    .venv/bin/python -m benchmarks.wrong_sides [STILL.jpg ...] [--shares 0 0.05 -0.05]

Each rendered still (by default those of things and the sample ones) is measured by four points that its own set-up's
plane shows at the corners of its table, and no lens file, the width or the depth told longer by each of the shares.
Then it is proved as `calibrate check` does. Printed: by what share cards and coins show wider than deep, how far the
table is off, what it states and what it states in play, where they are counted in, what is said and the light; at last
on how many pictures something is said, and on how many corners what is stated in play holds.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.arguments import existing
from benchmarks.turned import STILL
from benchmarks.wrong_sizes import THINGS, middles_of, told_longer
from calibration.plane import SIGMAS_95, TablePlane
from calibration.proof import TrustReport
from calibration.table import CalibrationSpec
from ui.eyes import packaged_eyes
from ui.measuring.known_size import trusted
from ui.measuring.shape_seen import in_doubt_by_things
from ui.measuring.table import plane_for
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame
from vision.scale.known_coins import coins_wider, known_coins
from vision.stream.picture import read_picture

Shown = dict[str, list[float]]


@dataclass
class Told:
    """On how many pictures something was said, and of how many corners what is stated in play holds, by share."""

    pictures: Counter[float] = field(default_factory=Counter)
    said: Counter[float] = field(default_factory=Counter)
    held: Counter[float] = field(default_factory=Counter)

    def print(self) -> None:
        """A line for each share."""
        for share, many in self.pictures.items():
            holds = f"in play holds for {self.held[share] / (4 * many):.1%} of the corners"
            print(f"one side told {share:+.1%}: said on {self.said[share]} of {many}; {holds}")


def watched(still: Path, share: float, side: int, told: Told) -> None:
    """One still, its width (`side` 0) or depth told longer by a share: measured, proved, counted and printed."""
    frame, setup = read_picture(still), read_setup(still.with_suffix(".setup.toml"))
    camera, size_mm = plane_for(setup, frame), setup.rules.table_size_mm
    wider, deeper = 1 + share * np.eye(2)[side]
    try:
        spec, plane = told_longer(frame, camera, size_mm, (float(wider), float(deeper)), None)
    except ValueError as error:
        print(f"{still.stem}: refused, {error}")
        return
    played = in_doubt_by_things(plane, spec, replace(setup.rules, table_size_mm=spec.table_size_mm), frame)
    px = camera.to_image(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * size_mm)
    off_mm = np.hypot(*(plane.to_table(px) - camera.to_table(px)).T)
    stated_mm, played_mm = (SIGMAS_95 * each.sigma_mm(px) for each in (plane, played))
    report, shown = proved(frame, setup, spec, plane)
    told.pictures[share] += 1
    told.said[share] += "measure both sides" in report.contradiction
    told.held[share] += int((off_mm <= played_mm).sum())
    which, off = ("width", "depth")[side], f"{off_mm.max():.1f} mm off"
    line = f"{still.stem}, {which} told {share:+.1%}: {middles_of(shown)}; {off}"
    stated = f"{stated_mm.max():.1f} stated, in play {played_mm.max():.1f}"
    print(f"{line}, {stated}; {report.light} {report.believe_mm:.1f}", flush=True)
    if report.contradiction:
        print(f"    {report.contradiction}", flush=True)


def proved(frame: Frame, setup: SetupFile, spec: CalibrationSpec, plane: TablePlane) -> tuple[TrustReport, Shown]:
    """What `calibrate check` says of it, and by what share each card and coin shows wider than deep."""
    seen = packaged_eyes(setup.rules, frozenset({"coin"})).look(frame, plane)
    coins, wider = known_coins(frame.image_bgr, plane, seen), coins_wider(frame.image_bgr, plane, seen)
    report = trusted(frame, plane, spec, setup.rules.card_mm, coins, wider)
    return report, {"card": [p.wider for p in report.proofs if p.wider is not None], "coin": list(wider)}


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = [*sorted(THINGS.glob("*.jpg")), *sorted(STILL.parent.glob("*.jpg"))]
    options.add_argument("stills", type=existing, nargs="*", default=usual)
    options.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.05, -0.05])
    given = options.parse_args()
    cv2.setNumThreads(1)
    told = Told()
    for still in given.stills:
        for share, side in [(each, side) for each in given.shares for side in ((0, 1) if each else (0,))]:
            watched(still, share, side, told)
    told.print()


if __name__ == "__main__":
    main()
