"""Shapes in mm as Blender objects: lathes, prisms, tubes, sheets, and limbs melted into one body."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
from numpy.typing import NDArray

from models.training.rendered.shadows import FINE_MM2, Body

Array = NDArray[np.float64]

_ROUND = 36
# So short a stretch of a sheet bends.
_BENDS_MM = 7.0


def solid(points: Array, faces: list[tuple[int, ...]], material: object, smooth: bool = False) -> object:
    """A mesh of (n, 3) points in mm, linked to the scene."""
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata([tuple(map(float, p)) for p in points], [], faces)
    if smooth:
        mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    mesh.materials.append(material)
    thing = bpy.data.objects.new("solid", mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def ring(count: int = _ROUND) -> Array:
    """(count, 2) points of the unit circle."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def lathe(profile: Array, material: object) -> object:
    """A body of revolution about z; `profile` holds (radius, z) from its foot outwards, up and back in."""
    circle = ring()
    return skin([np.c_[circle * radius, np.full(_ROUND, z)] for radius, z in profile], material)


def skin(hoops: list[Array], material: object, smooth: bool = True) -> object:
    """A skin stretched over hoops that have as many points (n, 3) each."""
    return solid(np.concatenate(hoops), bands(len(hoops), len(hoops[0])), material, smooth)


def bands(hoops: int, count: int) -> list[tuple[int, ...]]:
    """The faces between so many hoops of `count` points each."""
    return [
        (k * count + i, k * count + (i + 1) % count, (k + 1) * count + (i + 1) % count, (k + 1) * count + i)
        for k in range(hoops - 1)
        for i in range(count)
    ]


def label(radius: float, z: float, material: object) -> object:
    """A printed disc that lies at that height, its picture upright as seen from -y."""
    circle = ring()
    thing = solid(np.c_[circle * radius, np.full(_ROUND, z)], [tuple(range(_ROUND))], material)
    layer = thing.data.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", (circle / 2 + 0.5).astype(np.float32).ravel())
    return thing


def prism(outline: Array, low: float, high: float, material: object, draft: float = 1.0) -> object:
    """An upright prism over a convex outline (n, 2); its top is `draft` times as wide."""
    count, middle = len(outline), outline.mean(axis=0)
    top = middle + (outline - middle) * draft
    points = np.concatenate([np.c_[outline, np.full(count, low)], np.c_[top, np.full(count, high)]])
    faces: list[tuple[int, ...]] = [tuple(range(count))[::-1], tuple(range(count, 2 * count))]
    faces += [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
    return solid(points, faces, material)


def tube(path: Array, radius: Array | float, material: object, count: int = 12) -> object:
    """A round tube along (n, 3) points, closed at both ends."""
    points, faces = tube_mesh(path, radius, count)
    return solid(points, faces, material, smooth=True)


def tube_mesh(path: Array, radius: Array | float, count: int = 12) -> tuple[Array, list[tuple[int, ...]]]:
    """Points and faces of a tube."""
    path, radii = np.asarray(path, float), np.broadcast_to(np.asarray(radius, float), len(path))
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None] + 1e-9
    least = np.eye(3)[np.abs(along.mean(axis=0)).argmin()]
    side = np.cross(along, least)
    side /= np.linalg.norm(side, axis=1)[:, None] + 1e-9
    up = np.cross(along, side)
    circle = ring(count)
    hoops = path[:, None] + radii[:, None, None] * (
        circle[None, :, :1] * side[:, None] + circle[None, :, 1:] * up[:, None]
    )
    faces = bands(len(path), count)
    faces += [tuple(range(count))[::-1], tuple(range((len(path) - 1) * count, len(path) * count))]
    return hoops.reshape(-1, 3), faces


def limb(a: Array, b: Array, radius_a: float, radius_b: float, count: int = 10) -> tuple[Array, list[tuple[int, ...]]]:
    """A stick with round ends from a to b: one part of a body."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    along = b - a
    length = float(np.linalg.norm(along))
    along = along / length if length > 1e-6 else np.array([0.0, 0.0, 1.0])
    bend = np.linspace(0, np.pi / 2, 4)[:-1]
    path = [a - along * radius_a * np.cos(t) for t in bend] + [
        b + along * radius_b * np.sin(t) for t in [0.0, *bend[1:], 1.5]
    ]
    radii = [radius_a * max(np.sin(t), 0.08) for t in bend] + [radius_b * np.cos(t) for t in [0.0, *bend[1:], 1.5]]
    return tube_mesh(np.array([*path[:3], a, *path[3:]]), np.array([*radii[:3], radius_a, *radii[3:]]), count)


def body(parts: list[tuple[Array, list[tuple[int, ...]]]], material: object, melt_mm: float = 0.8) -> object:
    """Parts melted into one skin, as plastic is moulded."""
    points, faces, start = [], [], 0
    for vertices, polygons in parts:
        points.append(vertices)
        faces += [tuple(v + start for v in polygon) for polygon in polygons]
        start += len(vertices)
    thing = solid(np.concatenate(points), faces, material)
    remesh = thing.modifiers.new("melt", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", melt_mm, True
    relax = thing.modifiers.new("relax", "SMOOTH")
    relax.iterations, relax.factor = 3, 0.5
    return thing


def sheet(size: tuple[float, float], lift: Array, material: object) -> object:
    """A thin cloth over a grid of heights `lift` (rows, columns), centred on the origin, with a picture's uv."""
    rows, columns = lift.shape
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, columns), np.linspace(-0.5, 0.5, rows))
    points = np.stack([x * size[0], y * size[1], lift], axis=-1).reshape(-1, 3)
    faces: list[tuple[int, ...]] = [
        (r * columns + c, r * columns + c + 1, (r + 1) * columns + c + 1, (r + 1) * columns + c)
        for r in range(rows - 1)
        for c in range(columns - 1)
    ]
    thing = solid(points, faces, material, smooth=True)
    flat = np.stack([x + 0.5, y + 0.5], axis=-1).reshape(-1, 2)
    layer = thing.data.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", flat[np.array(faces).ravel()].astype(np.float32).ravel())
    return thing


def finer(lift: Array, size: tuple[float, float]) -> Array:
    """Heights on a grid of cells of a few mm, the same surface: what lies on another sheet bends over its edge."""
    for axis, side in ((1, size[0]), (0, size[1])):
        coarse = np.linspace(0, 1, lift.shape[axis])
        split = int(np.ceil(side / (lift.shape[axis] - 1) / _BENDS_MM))
        fine = np.linspace(0, 1, split * (lift.shape[axis] - 1) + 1)
        lift = np.apply_along_axis(lambda line, at=fine, known=coarse: np.interp(at, known, line), axis, lift)
    return lift


def corners(things: list[object]) -> Array:
    """(n, 3) corners of things in mm, where they stand, before their modifiers are applied."""
    found = [np.zeros((0, 3))]
    for thing in things:
        flat = np.empty(3 * len(thing.data.vertices))
        thing.data.vertices.foreach_get("co", flat)
        pose = np.array(thing.matrix_basis)
        found.append(flat.reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3])
    return np.concatenate(found)


def bend(thing: object, higher: Callable[[Array], Array]) -> None:
    """Change the height of each corner of a sheet that lies: given (n, 3) corners, by (n,) mm."""
    flat = np.empty(3 * len(thing.data.vertices))
    thing.data.vertices.foreach_get("co", flat)
    flat[2::3] += higher(corners([thing]))
    thing.data.vertices.foreach_set("co", flat)
    thing.data.update()


def place(things: list[object], at: Array, turn: float, index: int) -> None:
    """Turn things about z, set them down at (x, y) mm and give them their number in the picture."""
    for thing in things:
        thing.rotation_euler[2] += turn
        c, s = np.cos(turn), np.sin(turn)
        x, y, z = thing.location
        thing.location = (at[0] + c * x - s * y, at[1] + s * x + c * y, z)
        thing.pass_index = index


def standing() -> Body:
    """All meshes of the scene but the ground, with their modifiers applied."""
    return shaped([thing for thing in bpy.context.scene.objects if thing.type == "MESH" and thing.pass_index > 0])


def shaped(things: list[object]) -> Body:
    """Some things with their modifiers applied."""
    graph = bpy.context.evaluated_depsgraph_get()
    points, faces = [np.zeros((0, 3))], []
    for thing in things:
        fine, coarse = _parts(thing.evaluated_get(graph))
        points.append(fine)
        faces += coarse
    return Body(np.concatenate(points), faces)


def _parts(thing: object) -> tuple[Array, list[Array]]:
    """Its corners in mm, and those of its faces that are coarse."""
    data = thing.data
    flat = np.empty(3 * len(data.vertices))
    data.vertices.foreach_get("co", flat)
    pose = np.array(thing.matrix_world)
    corners = flat.reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]
    areas = np.empty(len(data.polygons))
    data.polygons.foreach_get("area", areas)
    return corners, [corners[list(data.polygons[int(n)].vertices)] for n in np.nonzero(areas > FINE_MM2)[0]]
