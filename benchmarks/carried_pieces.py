"""A camera that is carried off before a plain table with coins: is it measured again by them, how well, and who is who?

    .venv/bin/python -m benchmarks.carried_pieces [--tables 4] [--seed 3201]

Rendered tables of cloth or wood, of `sample_footage.still_pictures` ("plain-table"), of which nothing but the coins is
known; the plane is fitted to five points that were clicked to 0.3 px. The camera stands, is carried off within 0.3 s,
stays, and is watched as in a match (`vision.observe`, frames wait for the eyes). Printed for each way to carry it:
how many tables were measured again, by texture and by the pieces, after how long, the worst error on a grid that covers
the table (mm; before it was carried, and after), and coins that kept their id, came or went.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.table_error import GRID
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import TablePlane
from sample_footage.camera import Camera
from sample_footage.carried import Carry, aside_by, round_by
from sample_footage.film import lit_table
from sample_footage.ground import View
from sample_footage.still_pictures import KNOWN_POINTS_MM, LOOKS, Still, still
from ui.eyes import eyes_for
from vision.frame import Frame, ImageBgr
from vision.look_at import LookAt
from vision.memory.tracker import Tracker
from vision.observe import Observer

TABLE_MM = (700.0, 500.0)
CLICK_PX, NOISE = 0.3, 1.5
STOOD_S, CARRIED_S, STANDS_S, RATE_HZ = 3.0, 0.3, 6.0, 10


WAYS = {
    "29 mm aside": aside_by(29, 0, 0),
    "60 mm back, 40 up": aside_by(0, -60, 40),
    "round by 15 degrees": round_by(15),
    "round by 40 degrees": round_by(40),
    "round by 90 degrees": round_by(90),
    "round by 170 degrees": round_by(170),
}


@dataclass(frozen=True)
class Told:
    """What became of one table: by what it was measured again ("" if it was not), and the coins' ids before and after
    by their places."""

    by: str
    after_s: float
    before_mm: float
    after_mm: float
    kept: int
    coins: int
    changed: int


def tables(count: int, seed: int) -> list[Still]:
    """Plain tables alone."""
    step = len(LOOKS)
    return [still(LOOKS.index("plain-table") + step * n, seed) for n in range(count)]


def carried(made: Still, carry: Carry, look: LookAt) -> Told:
    """One table, its camera carried off."""
    rng = np.random.default_rng(7)
    plane = plane_of(made.camera, rng)
    eyes = Observer(plane, look, TABLE_MM)
    now, stood_s = carry(made.camera, 1.0), STOOD_S + CARRIED_S
    was: Tracker | None = None
    again: tuple[str, float, float] | None = None
    for frame in frames(made, carry, rng):
        seen = eyes.update(frame)
        if frame.t_s < STOOD_S:
            was = eyes.tracker
        elif again is None and seen.camera is not None and seen.camera.what == "registered":
            how = (
                "pieces" if seen.camera.kind == "kick" and eyes.plane.residuals[0].source[:5] == "piece" else "texture"
            )
            again = (how, frame.t_s - stood_s, off_mm(eyes.plane, now))
    assert was is not None
    before, after = ({t.id: t.seen.position_mm for t in tracks.tracks} for tracks in (was, eyes.tracker))
    kept = sum(key in after and np.hypot(*np.subtract(after[key], at)) < 2 for key, at in before.items())
    changed = len(before.keys() ^ after.keys()) + len(before) - kept
    how, after_s, after_mm = again or ("", np.nan, np.nan)
    return Told(how, after_s, off_mm(plane, made.camera), after_mm, kept, len(before), changed)


def frames(made: Still, carry: Carry, rng: np.random.Generator) -> Iterator[Frame]:
    """The camera stands, is carried off, and stands."""
    still_frames, carried_frames = round(STOOD_S * RATE_HZ), round(CARRIED_S * RATE_HZ)
    shares = [n / carried_frames for n in range(carried_frames + 1)]
    pictures = [picture(made, carry(made.camera, share)) for share in shares]
    shown = [pictures[0]] * still_frames + pictures[1:] + [pictures[-1]] * round(STANDS_S * RATE_HZ)
    for n, bgr in enumerate(shown):
        noisy = bgr + rng.normal(0, NOISE, bgr.shape)
        yield Frame(np.clip(noisy, 0, 255).astype(np.uint8), n, n / RATE_HZ)


def picture(made: Still, camera: Camera) -> ImageBgr:
    """As that camera shows it."""
    view = View(camera, made.ground, made.light)
    table = lit_table(view, view.bare(), made.pieces)
    return made.sensor.develop(table, table.shape[:2])


def plane_of(camera: Camera, rng: np.random.Generator) -> TablePlane:
    """By five clicked points, through the lens as it is."""
    lens = Lens(camera.size_px, camera.matrix, np.array(camera.distortion), np.zeros((9, 9)))
    places = np.array(KNOWN_POINTS_MM)
    px = camera.project(np.c_[places, np.zeros(len(places))]) + rng.normal(0, CLICK_PX, places.shape)
    return fit_plane(Correspondences.of(px, places, sigma_px=CLICK_PX), lens, lens.size_px, TABLE_MM)


def off_mm(plane: TablePlane, camera: Camera) -> float:
    """The table's worst error."""
    px = camera.project(np.c_[GRID, np.zeros(len(GRID))])
    return float(np.hypot(*(plane.to_table(px) - GRID).T).max())


def line(name: str, told: list[Told]) -> str:
    """All tables, carried one way."""
    by = {how: sum(t.by == how for t in told) for how in ("texture", "pieces")}
    again = [t for t in told if t.by]
    text = f"{name}: {by['texture']} of {len(told)} measured again by texture, {by['pieces']} by the pieces"
    if again:
        before, after, after_s = (max(getattr(t, key) for t in again) for key in ("before_mm", "after_mm", "after_s"))
        coins, kept, changed = (sum(getattr(t, key) for t in again) for key in ("coins", "kept", "changed"))
        text += f" (within {after_s:.1f} s; worst {before:.2f} -> {after:.2f} mm)"
        text += f"; of {coins} coins {kept} kept id and place, {changed} told otherwise"
    return text


def main() -> None:
    """Print a line for each way to carry a camera off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3201)
    args = parser.parse_args()
    look = eyes_for()
    for name, carry in WAYS.items():
        print(line(name, [carried(made, carry, look) for made in tables(args.tables, args.seed)]), flush=True)


if __name__ == "__main__":
    main()
