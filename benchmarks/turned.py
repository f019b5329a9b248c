"""A camera that is kicked, drifts, zooms, hunts for its focus, or shows its picture mirrored, upside down or in another
size: what is said.

    .venv/bin/python -m benchmarks.turned [PICTURE] [--case NAME ...]

PICTURE, a rendered still with a set-up beside it that tells its camera, becomes a clip of 10 s at 10 pictures a second,
each a JPEG with noise of its own; from 4 s on the camera is turned about its lens (a turn moves every pixel exactly as
the lens tells, so that the truth is known), or the picture is spoilt otherwise. The clip goes through the session that
`sandtable play --headless` opens, looking for coins with the packaged nets. Printed for each case: what was said and
when after the trouble began, how far the plane that holds at the end is off the picture beyond what it was off before
(mm, worst of the table that shows), and how many of the pieces kept their id. Wall seconds do not count: the times are
the clip's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing
from benchmarks.table_error import GRID
from calibration.plane import TablePlane
from rules.course.events import TABLE_EVENTS
from sample_footage.automatic_camera import out_of_focus
from ui.eyes import eyes_for
from ui.measuring.table import plane_for
from ui.playing.session import opened_session
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame, ImageBgr
from vision.stream.health import Health, Trouble
from vision.stream.picture import read_picture

Array = NDArray[np.float64]

STILL = Path(__file__).parent.parent / "sample_footage" / "stills" / "still-000-plain.jpg"
RATE, SECONDS, BEGINS_S, NOISE, JPEG_QUALITY = 10, 10.0, 4.0, 1.5, 95
EACH_PX = 8
# Degrees to the right, up and clockwise, by the seconds since the trouble began.
TURNS: dict[str, Callable[[float], tuple[float, float, float]]] = {
    "2 px": lambda _: (0.07, 0.04, 0.0),
    "104 px": lambda _: (3.6, 1.8, 0.0),
    "5 degrees of roll": lambda _: (0.0, 0.0, 5.0),
    "two kicks": lambda after_s: (0.6, 0.2, 0.0) if after_s < 0.7 else (1.1, -0.3, 0.4),
    "a drift": lambda after_s: (0.053 * after_s, 0.0, 0.0),
}
# How long a lens looks for its focus, how soft and how much larger the picture is half way, and when it does.
HUNT_S, HUNT_BLUR_PX, BREATH = 0.9, 2.5, 0.008
HUNTS: dict[str, tuple[float, ...]] = {"a hunt for focus": (0.0,), "three hunts": (0.0, 1.5, 3.0)}
CUT_PX, HD, QHD = 240, (1280, 720), (960, 540)


@dataclass(frozen=True)
class Spoilt:
    """What a program makes of the picture, and where it shows the px (n, 2); None where nothing can be measured."""

    picture: Callable[[ImageBgr], ImageBgr]
    places: Callable[[Array], Array] | None = None


SPOILT: dict[str, Spoilt] = {
    "a zoom of 1 %": Spoilt(lambda image: zoomed(image, 1.01), lambda px: (px - MIDDLE_PX) * 1.01 + MIDDLE_PX),
    "a zoom of 3 %": Spoilt(lambda image: zoomed(image, 1.03), lambda px: (px - MIDDLE_PX) * 1.03 + MIDDLE_PX),
    "upside down": Spoilt(lambda image: np.ascontiguousarray(image[::-1, ::-1]), lambda px: 2 * MIDDLE_PX - px),
    "mirrored": Spoilt(lambda image: np.ascontiguousarray(image[:, ::-1])),
    "mirrored top to bottom": Spoilt(lambda image: np.ascontiguousarray(image[::-1])),
    "out of focus": Spoilt(lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 4.0), np.uint8)),
    # The session scales other sizes back to the first one, the middle in the middle.
    "1280 x 720": Spoilt(lambda image: resized(image, HD), lambda px: px),
    "960 x 540": Spoilt(lambda image: resized(image, QHD), lambda px: px),
    "640 x 360": Spoilt(lambda image: resized(image, (640, 360)), lambda px: px),
    # A picture on its side is turned back by a quarter: as it was, or upside down.
    "on its right side": Spoilt(lambda image: on_its_side(image, cv2.ROTATE_90_CLOCKWISE), lambda px: px),
    "on its left side": Spoilt(
        lambda image: on_its_side(image, cv2.ROTATE_90_COUNTERCLOCKWISE), lambda px: 2 * MIDDLE_PX - px
    ),
    "its sides cut off": Spoilt(lambda image: np.ascontiguousarray(image[:, CUT_PX:-CUT_PX]), lambda px: px),
}
MIDDLE_PX = np.array([959.5, 539.5])
CASES = [*TURNS, *HUNTS, *SPOILT]


def resized(image: ImageBgr, size_px: tuple[int, int]) -> ImageBgr:
    """As a camera of fewer pixels shows it."""
    return np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def on_its_side(image: ImageBgr, way: int) -> ImageBgr:
    """The picture turned by a quarter."""
    return np.asarray(cv2.rotate(image, way), np.uint8)


def zoomed(image: ImageBgr, factor: float) -> ImageBgr:
    """The picture zoomed by `factor` about its middle."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0, factor)
    return np.asarray(cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_CUBIC), np.uint8)


def hunting(image: ImageBgr, after_s: float, begun_s: tuple[float, ...]) -> ImageBgr:
    """The picture by a lens that begins to look for its focus at those times."""
    since_s = min((after_s - at_s for at_s in begun_s if after_s >= at_s), default=HUNT_S)
    share = np.sin(np.pi * min(since_s, HUNT_S) / HUNT_S)
    return out_of_focus(image, HUNT_BLUR_PX * share, 1 + BREATH * share) if since_s < HUNT_S else image


def turned(camera: TablePlane, degrees: tuple[float, float, float]) -> TablePlane:
    """The same lens in the same place, looking elsewhere."""
    right, up, clockwise = np.radians(degrees)
    turn = cv2.Rodrigues(np.array([up, -right, -clockwise]))[0]
    rotation = turn @ camera.rotation
    return replace(camera, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec=turn @ camera.tvec)


def seen_by(other: TablePlane, image: ImageBgr, camera: TablePlane) -> ImageBgr:
    """What the camera saw, as another in the same place sees it."""
    return shown_at(image, *places_of(other, camera))


def shown_at(image: ImageBgr, to_x: NDArray[np.float32], to_y: NDArray[np.float32]) -> ImageBgr:
    """The picture whose pixels show what the old one has in those places; grey beyond its edge."""
    return np.asarray(cv2.remap(image, to_x, to_y, cv2.INTER_CUBIC, borderValue=(60, 60, 60)), np.uint8)


def places_of(other: TablePlane, camera: TablePlane) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(h, w) each: where the camera sees what the other, in the same place, sees at each pixel."""
    width, height = camera.lens.size_px
    # Reckoned at every eighth pixel: between them a lens is straight to a thousandth of a pixel.
    u, v = np.meshgrid(*(np.arange(-2 * EACH_PX, side + 3 * EACH_PX, EACH_PX, dtype=float) for side in (width, height)))
    ahead = np.c_[other.lens.rays(np.c_[u.ravel(), v.ravel()]), np.ones(u.size)] @ other.rotation @ camera.rotation.T
    few = camera.lens.project(ahead, np.zeros(3), np.zeros(3))[0].reshape(*u.shape, 2).astype(np.float32)
    across, down = np.meshgrid(*(np.arange(side, dtype=np.float32) / EACH_PX + 2 for side in (width, height)))
    to_x, to_y = (cv2.remap(few[..., axis], across, down, cv2.INTER_LINEAR) for axis in (0, 1))
    return np.asarray(to_x, np.float32), np.asarray(to_y, np.float32)


@dataclass
class Shown:
    """A camera of made pictures: `image`, and from `BEGINS_S` on what is `shown` so many seconds after."""

    image: ImageBgr
    shown: Callable[[float], ImageBgr]
    name: str = "a clip"
    live: bool = False
    health: Health = field(default_factory=Health)

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the source: as a live camera says it."""
        return self.health.trouble

    def beats(self) -> Iterator[Frame]:
        """All pictures."""
        rng = np.random.default_rng(0)
        for number in range(round(SECONDS * RATE)):
            after_s = number / RATE - BEGINS_S
            clean = self.image if after_s < 0 else self.shown(after_s)
            height, width = clean.shape[:2]
            noise = cv2.resize(rng.normal(0, NOISE, (height // 2, width // 2, 3)), (width, height))
            noisy = np.clip(clean + noise, 0, 255).astype(np.uint8)
            jpeg = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
            frame = Frame(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8), number, number / RATE, self.name)
            self.health.see(frame)
            yield frame


def watched(camera: Shown, setup: SetupFile) -> tuple[list[str], list[TablePlane], list[frozenset[str]]]:
    """What the session said of the camera and when, the planes that it drew with, and the ids that it knew."""
    said: list[str] = []
    planes: list[TablePlane] = []
    ids: list[frozenset[str]] = []
    session = opened_session(setup, camera, eyes_for(setup.rules))  # type: ignore[arg-type]
    for tick in session.referee.watch(session.frames):
        for event in tick.events:
            if event.kind == "camera":
                what, kind, sentence = (event.fields.get(key) for key in ("what", "kind", "sentence"))
                said.append(f"{event.time_s - BEGINS_S:4.1f} s  {what} ({kind}): {sentence}")
            elif event.kind in TABLE_EVENTS and event.time_s > BEGINS_S:
                said.append(f"{event.time_s - BEGINS_S:4.1f} s  {event.kind} {event.fields.get('piece', '')}: INVENTED")
        if isinstance(tick.plane, TablePlane) and (not planes or planes[-1] is not tick.plane):
            planes.append(tick.plane)
        if tick.match is not None:
            ids.append(frozenset(piece.id for piece in tick.match.scene.pieces))
    return said, planes, ids


def off_mm(plane: TablePlane, px: Array, shows: NDArray[np.bool_]) -> float:
    """The worst of the places of the grid that show, where they show at `px`."""
    return float(np.hypot(*(plane.to_table(px[shows]) - GRID[shows]).T).max())


def added_mm(planes: list[TablePlane], camera: TablePlane, after_px: Array) -> float:
    """How much farther off the last plane is than the first, where the grid shows at `after_px` now."""
    inside = [((px > 0) & (px < camera.lens.size_px)).all(axis=1) for px in (camera.to_image(GRID), after_px)]
    shows = inside[0] & inside[1]
    return off_mm(planes[-1], after_px, shows) - off_mm(planes[0], camera.to_image(GRID), shows)


def main() -> None:
    """Show the clips, watch them and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("picture", type=existing, nargs="?", default=STILL)
    options.add_argument("--case", nargs="+", choices=CASES, default=CASES)
    given = options.parse_args()
    setup, frame = read_setup(given.picture.with_suffix(".setup.toml")), read_picture(given.picture)
    camera, image = plane_for(setup, frame), frame.image_bgr
    for name in given.case:
        after_px: Array | None = None
        if name in TURNS:
            turn = TURNS[name]
            after_px = turned(camera, turn(SECONDS - BEGINS_S)).to_image(GRID)
            shown = cache(lambda degrees: seen_by(turned(camera, degrees), image, camera))
            source = Shown(image, lambda after_s, turn=turn, shown=shown: shown(turn(after_s)))
        elif name in HUNTS:
            after_px = camera.to_image(GRID)
            source = Shown(image, lambda after_s, begun_s=HUNTS[name]: hunting(image, after_s, begun_s))
        else:
            spoilt = SPOILT[name].picture(image)
            after_px = SPOILT[name].places(camera.to_image(GRID)) if SPOILT[name].places else None
            source = Shown(image, lambda _, spoilt=spoilt: spoilt)
        said, planes, ids = watched(source, setup)
        added = f"added {added_mm(planes, camera, after_px):.2f} mm, " if after_px is not None else ""
        kept = len(ids[0] & ids[-1]) if ids else 0
        print(f"{name}: {added}{kept} of {len(ids[0]) if ids else 0} ids kept", *said, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
