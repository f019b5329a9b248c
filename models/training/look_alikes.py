"""What the coin detector takes for coins where none lies: print on maps, grounds, hexes as large as coins."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CELL_PX, REFERENCE_RADIUS_MM, TYPICAL_THICKNESS_MM
from models.loading import load_model
from models.training.shot import Item, Pinhole
from models.training.tables import Shot, topview
from sample_footage.camera import looking_at
from sample_footage.hex_table import PAPERS, STYLES, TABLE_MM, HexTable, seen_bgr

# From this logit on the detector sees something; no more than so many of a table, the hottest.
_LEAST_LOGIT, _MOST = -2.7, 14
# Nearer to a thing than this share of its radius and of its own, a circle may be the thing's.
_OF_ITS_OWN, _BESIDE_MM = 0.15, 1.0
_PITCH_MM, _ELEVATION_DEG = (18.0, 48.0), (30.0, 88.0)
# Focal length in px and size of the pictures of mats.
_CAMERAS = ((1400.0, (1920, 1080)), (930.0, (1280, 720)))

Array = NDArray[np.float64]


def hex_mats(seed: int, count: int) -> Iterator[Shot]:
    """Mats of hexes in every style, seen by webcams all round; the origin is somewhere on the mat."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        style, paper = STYLES[rng.integers(len(STYLES))], PAPERS[rng.integers(len(PAPERS))]
        middle = rng.uniform(100, 300, 2)
        mat = HexTable(
            rng.uniform(*_PITCH_MM), rng.uniform(0, 60), (middle[0], middle[1]), style, paper, seed=1000 + number
        )
        focal, size = _CAMERAS[rng.integers(len(_CAMERAS))]
        elevation, azimuth = rng.uniform(*_ELEVATION_DEG), rng.uniform(0, 360)
        camera = looking_at((TABLE_MM[0] / 2, 235.0, 0.0), 880.0, elevation, azimuth, 1.0, size, focal)
        turned = np.asarray(camera.rotation)
        origin = np.append(rng.uniform(0.3, 0.7, 2) * TABLE_MM, 0.0)
        pinhole = Pinhole(camera.matrix, turned, turned @ origin + camera.tvec_mm, size)
        yield Shot(seen_bgr(mat, camera), pinhole, [])


def look_alikes(shot: Shot) -> tuple[Array, Array]:
    """Centres (n, 2) and radii (n,) of circles beside everything that lies there, mm, in the plane of a typical rim."""
    tile, mm2tile = topview(shot)
    logit, right, down, log_radius = _told(tile)
    hottest = (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))) & (logit > _LEAST_LOGIT)
    rows, columns = np.nonzero(hottest)
    order = np.argsort(-logit[rows, columns])
    rows, columns = rows[order], columns[order]
    cells = np.stack([columns + right[rows, columns], rows + down[rows, columns]], axis=1)
    px = cells * CELL_PX + (CELL_PX - 1) / 2
    centres = (px - mm2tile[:, 2]) @ np.linalg.inv(mm2tile[:, :2]).T
    radii = REFERENCE_RADIUS_MM * np.exp(log_radius[rows, columns])
    alone = np.flatnonzero(_are_in_view(shot, centres, radii) & _are_beside(shot, centres, radii))[:_MOST]
    return centres[alone], radii[alone].astype(float)


def _told(tile: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(4, h, w); see `models.coins`."""
    session = load_model("coin_detector")
    picture = np.ascontiguousarray(tile.transpose(2, 0, 1)[None], np.float32)
    (told,) = session.run(None, {session.get_inputs()[0].name: picture})
    return np.asarray(told[0], np.float32)


def _are_in_view(shot: Shot, centres: Array, radii: Array) -> NDArray[np.bool_]:
    corners = centres[:, None] + 1.5 * radii[:, None, None] * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    px = shot.camera.project(np.c_[corners.reshape(-1, 2), np.full(4 * len(radii), TYPICAL_THICKNESS_MM)])
    inside = (px > 0) & (px < np.array(shot.picture_bgr.shape[1::-1]) - 1)
    return np.asarray(inside.reshape(-1, 8).all(axis=1))


def _are_beside(shot: Shot, centres: Array, radii: Array) -> NDArray[np.bool_]:
    free = np.ones(len(radii), bool)
    for item in shot.items:
        gap = np.linalg.norm(centres - _seen(shot, item), axis=1) - item.radius_mm
        free &= gap > _OF_ITS_OWN * radii + _BESIDE_MM
    return free


def _seen(shot: Shot, item: Item) -> Array:
    """(2,) where its top shows in the plane of a typical rim."""
    top = np.append(item.centre_mm, item.top_mm)[None]
    return shot.camera.on_plane(shot.camera.project(top), TYPICAL_THICKNESS_MM)[0]
