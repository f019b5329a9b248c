"""LENS.toml: a `[camera]` block to put into a set-up, and how well it was measured."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from calibration.boards.lens_fit import LensReport
from calibration.lens import Lens


def lens_text(report: LensReport) -> str:
    """The file's text; its `[camera]` block is the set-up file's, `[lens]` tells how it was measured."""
    lens = report.lens
    k, sigma = lens.matrix, np.sqrt(np.diag(lens.covariance))
    lines = [
        "[camera]",
        f"size_px = [{lens.size_px[0]}, {lens.size_px[1]}]",
        *(
            f"{name} = {value:.4f}"
            for name, value in zip(("fx", "fy", "cx", "cy"), k[[0, 1, 0, 1], [0, 1, 2, 2]], strict=True)
        ),
        f"distortion = [{', '.join(f'{value:.8f}' for value in lens.distortion)}]",
        *(['model = "fisheye"'] if lens.fisheye else []),
        "",
        "[lens]",
        f"rms_px = {report.rms_px:.4f}",
        f"quantiles_px = [{', '.join(f'{value:.4f}' for value in report.quantiles_px)}]  # 50, 95 and 100 %",
        f"views = {sum(view.used for view in report.views)}",
        f'board = "{report.board.name}"',
        f"focal_sigma = {sigma[0]:.6f}  # of fx",
        "covariance = [",
        *(f"  [{', '.join(f'{value:.6e}' for value in row)}]," for row in lens.covariance),
        "]  # of log fx, log fy, cx, cy, distortion",
    ]
    return "\n".join(lines) + "\n"


def read_lens(path: Path) -> Lens:
    """The lens of a LENS.toml, or of any set-up file's `[camera]`; ValueError names the file and what it lacks."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: no TOML file: {error}") from None
    return lens_in(text, path)


def lens_in(text: str, path: Path) -> Lens:
    """The same of the text that was read from `path`: a pipe can be read once only."""
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: no TOML file: {error}") from None
    camera = tables.get("camera")
    if not isinstance(camera, dict):
        raise ValueError(f"{path}: there is no [camera] in it; make a lens file with: sandtable calibrate lens")
    try:
        return _with_error(_lens_of(camera), tables.get("lens"))
    except (KeyError, TypeError, OverflowError) as error:
        raise ValueError(
            f"{path}: [camera] needs size_px, fx, fy, cx, cy and distortion as numbers ({error})"
        ) from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _lens_of(camera: dict[str, Any]) -> Lens:
    fisheye = camera.get("model") == "fisheye"
    width, height = camera["size_px"]
    matrix = np.array([[camera["fx"], 0, camera["cx"]], [0, camera["fy"], camera["cy"]], [0, 0, 1]], float)
    distortion = camera.get("distortion", (0.0,) * (4 if fisheye else 5))
    return Lens.measured((int(width), int(height)), matrix, distortion, fisheye=fisheye)


def _with_error(lens: Lens, measured: object) -> Lens:
    if not isinstance(measured, dict | None):
        raise ValueError("lens should be a table: [lens], and not [[lens]]")
    if measured is None or "covariance" not in measured:
        return lens
    try:
        return lens.with_error(np.array(measured["covariance"], float), float(measured.get("rms_px", 0.0)))
    except (TypeError, ValueError):
        rows = f"{len(lens.covariance)} rows of as many numbers"
        raise ValueError(f"lens.covariance must be {rows}, lens.rms_px a number") from None
