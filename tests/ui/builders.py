"""A small table for the tests of the user's side: scenes, set-ups, scripted eyes, plain pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from shapely import LineString, Point
from shapely.affinity import translate

from rules.map import Map, Road
from rules.scene import COIN_DIAMETER_MM, Piece, Scene
from rules.setup import Player, Setup
from ui.paint.projection import BoardView
from vision.frame import Frame
from vision.motion.change import Obstacle

SIZE_PX = (640, 480)
TABLE_MM = (320.0, 240.0)
VIEW = BoardView(TABLE_MM, SIZE_PX, margin_px=0.0)  # 2 px a mm
PLAYERS = (Player("Ann", "red"), Player("Ben", "blue", "far"))


def a_coin(name="c1", cls="gbp-5p", at=(100.0, 120.0), owner="red", **more):
    return Piece(name, "coin", cls, at, Point(at).buffer(COIN_DIAMETER_MM.get(cls, 20.0) / 2), owner, **more)


def moved(piece, dx, dy):
    x, y = piece.position_mm
    return replace(piece, position_mm=(x + dx, y + dy), footprint=translate(piece.footprint, dx, dy))


def a_scene(*pieces, time_s=0.0):
    return Scene(TABLE_MM, tuple(pieces), time_s)


def a_setup(**more):
    road = Road(LineString([(0, 120), (320, 120)]), "a", "A43")
    return Setup("omms", TABLE_MM, PLAYERS, Map(roads=(road,)), **more)


def a_frame(index=0, t_s=None, level=90):
    return Frame(
        np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8), index, index / 10 if t_s is None else t_s, "test"
    )


@dataclass
class Seen:
    scene: Scene
    changed: bool
    frozen: bool = False
    plane: object = VIEW
    camera: object = None
    looking: bool = False
    soft: bool = False
    aside: Obstacle | None = None


class ScriptedEyes:
    """Sees the first scene at the first frame, and each later one at the frame that it is given for."""

    def __init__(self, scenes: dict[int, Scene]) -> None:
        self.scenes = scenes
        self.last = scenes[min(scenes)]

    def update(self, frame):
        new = self.scenes.get(frame.index)
        self.last = new or self.last
        return Seen(self.last, new is not None)


def write_document(path: Path, document) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def scene_document(*features, size_mm=TABLE_MM):
    return {
        "type": "FeatureCollection",
        "schema": "sandtable/scene/1",
        "table": {"size_mm": list(size_mm)},
        "features": list(features),
    }


def coin_feature(name="c1", cls="gbp-5p", at=(100.0, 120.0), owner="red", **more):
    known = {"kind": "coin", "class": cls, "owner": owner, "position_mm": list(at), **more}
    return {"type": "Feature", "id": name, "geometry": None, "properties": known}


def map_document(*lines):
    roads = [
        {
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": [list(point) for point in line]},
            "properties": {"kind": "road", "class": "a", "ref": "A43"},
        }
        for line in lines
    ]
    return {"type": "FeatureCollection", "schema": "sandtable/map/1", "features": roads}


SETUP_TOML = """schema = "sandtable/setup/1"
game = "omms"
[table]
size_mm = [320, 240]
[calibration]
points = [[10, 470, 0, 0], [630, 470, 320, 0], [630, 10, 320, 240], [10, 10, 0, 240]]
[[player]]
name = "Ann"
colour = "red"
[map]
file = "map.geojson"
"""


def write_setup(folder: Path, text: str = SETUP_TOML) -> Path:
    write_document(folder / "map.geojson", map_document([(0, 120), (320, 120)]))
    path = folder / "setup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def clicked_setup(folder: Path, camera, told_mm, corners_mm, lens: bool = False) -> Path:
    """A set-up by four corners that a camera of 1280 x 720 px shows at `corners_mm`, told at `told_mm`; with its lens,
    if that is asked for."""
    rows = np.c_[camera.to_image(corners_mm), told_mm].round(2).tolist()
    fx, (cx, cy) = camera.lens.matrix[0, 0], camera.lens.matrix[:2, 2]
    block = f"[camera]\nsize_px = [1280, 720]\nfx = {fx}\nfy = {fx}\ncx = {cx}\ncy = {cy}\n" if lens else ""
    path = folder / "table.toml"
    path.write_text(
        f'schema = "sandtable/setup/1"\ngame = "omms"\n[table]\nsize_mm = {np.max(told_mm, axis=0).tolist()}\n{block}'
        f"[calibration]\npoints = {rows}\n"
    )
    return path
