"""Tables with hexes for tests, and how far a found grid is from the true one."""

from __future__ import annotations

import numpy as np

from sample_footage.camera import looking_at
from sample_footage.hex_table import TABLE_MM


def a_camera(elevation_deg=50.0, azimuth_deg=0.0, focal_px=930.0, size_px=(1280, 720), distortion=(0.0,) * 5):
    return looking_at(
        (350.0, 235.0, 0.0), 880.0, elevation_deg, azimuth_deg, 1.0, size_px, focal_px, tuple(distortion)
    )  # fmt: skip


def centres_on_table(grid):
    reach = range(-60, 61)
    at = np.array([grid.centre_mm((q, r)) for q in reach for r in reach])
    return at[(at >= 0).all(axis=1) & (at <= TABLE_MM).all(axis=1)]


def worst_mm(at_mm, pitch_mm, direction_deg, origin_mm):
    """The largest distance from a point of `at_mm` (n, 2) to the nearest centre of the true lattice, by search."""
    reach = np.arange(-60, 61)
    q, r = np.meshgrid(reach, reach)
    turn = np.radians(direction_deg)
    first, second = (np.array([np.cos(t), np.sin(t)]) for t in (turn, turn + np.pi / 3))
    true = np.asarray(origin_mm) + pitch_mm * (q.reshape(-1, 1) * first + r.reshape(-1, 1) * second)
    near = true[(np.abs(true - np.array(TABLE_MM) / 2) < np.array(TABLE_MM)).all(axis=1)]
    return max(float(np.linalg.norm(near - point, axis=1).min()) for point in at_mm)
