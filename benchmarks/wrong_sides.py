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
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.arguments import existing
from benchmarks.turned import STILL
from benchmarks.wrong_sizes import THINGS
from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, calibrate_table
from ui.eyes import packaged_eyes
from ui.known_size import trusted
from ui.setup_file import read_setup
from ui.shape_seen import in_doubt_by_things
from ui.table import plane_for
from vision.known_coins import coins_wider, known_coins
from vision.picture import read_picture


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = [*sorted(THINGS.glob("*.jpg")), *sorted(STILL.parent.glob("*.jpg"))]
    options.add_argument("stills", type=existing, nargs="*", default=usual)
    options.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.05, -0.05])
    given = options.parse_args()
    cv2.setNumThreads(1)
    said, all_of, held = Counter[float](), Counter[float](), Counter[float]()
    for still in given.stills:
        frame, setup = read_picture(still), read_setup(still.with_suffix(".setup.toml"))
        camera, (width, depth) = plane_for(setup, frame), setup.rules.table_size_mm
        corners_mm = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)
        for share, side in [(each, side) for each in given.shares for side in ((0, 1) if each else (0,))]:
            longer = 1 + share * np.eye(2)[side]
            rows = np.c_[camera.to_image(corners_mm), corners_mm * longer].tolist()
            size_mm = (float(width * longer[0]), float(depth * longer[1]))
            spec = CalibrationSpec(tuple(map(tuple, rows)), table_size_mm=size_mm)
            try:
                plane = calibrate_table(frame.image_bgr, spec)
            except ValueError as error:
                print(f"{still.stem}: refused, {error}")
                continue
            seen = packaged_eyes(setup.rules, frozenset({"coin"})).look(frame, plane)
            coins, wider = known_coins(frame.image_bgr, plane, seen), coins_wider(frame.image_bgr, plane, seen)
            report = trusted(frame, plane, spec, setup.rules.card_mm, coins, wider)
            shown = {"card": [p.wider for p in report.proofs if p.wider is not None], "coin": wider}
            all_of[share] += 1
            said[share] += "measure both sides" in report.contradiction
            middles = ", ".join(f"{len(each)} {k}s {100 * np.median(each):+.2f} %" for k, each in shown.items() if each)
            px = camera.to_image(corners_mm)
            off_mm = np.hypot(*(plane.to_table(px) - corners_mm).T)
            played = in_doubt_by_things(plane, spec, replace(setup.rules, table_size_mm=size_mm), frame)
            stated_mm, played_mm = (SIGMAS_95 * each.sigma_mm(px) for each in (plane, played))
            held[share] += int((off_mm <= played_mm).sum())
            told = f"{'width' if side == 0 else 'depth'} told {share:+.1%}: {middles}; {off_mm.max():.1f} mm off"
            stated = f"{stated_mm.max():.1f} stated, in play {played_mm.max():.1f}"
            print(f"{still.stem}, {told}, {stated}; {report.light} {report.believe_mm:.1f}", flush=True)
            if report.contradiction:
                print(f"    {report.contradiction}", flush=True)
    for share, many in all_of.items():
        holds = f"in play holds for {held[share] / (4 * many):.1%} of the corners"
        print(f"one side told {share:+.1%}: said on {said[share]} of {many}; {holds}")


if __name__ == "__main__":
    main()
