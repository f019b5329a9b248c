"""The camera, the lamp and the room around the table, and one picture of it with its masks."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import OpenEXR
from numpy.typing import NDArray

from models.training.rendered import mesh, paint, shadows

Array = NDArray[np.float64]

_SAMPLES = 3
# At most so many dark corners does a gloomy room have.
_MURKS = 4


def prepare(rng: np.random.Generator, samples: int, threads: int) -> None:
    """Cycles on the processor."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", samples
    scene.cycles.use_denoising, scene.cycles.max_bounces, scene.cycles.sample_clamp_indirect = False, 2, 3.0
    scene.cycles.seed = int(rng.integers(1 << 30))
    scene.render.threads_mode, scene.render.threads = "FIXED", threads


def light_up(rng: np.random.Generator, *, gloomy: bool = False) -> tuple[shadows.Lamp, shadows.Room]:
    """A lamp and a room, and the exposure with which a white table comes out white; in a gloomy one metal mirrors dark
    corners and people too."""
    lamp, room = _lamp(rng), _room(rng, _MURKS if gloomy else 0)
    bpy.context.scene.cycles.film_exposure = float(np.pi / (lamp.level + room.level))
    return lamp, room


def furnish(
    rng: np.random.Generator, elevation: float, side_mm: float, px_per_mm: float, threads: int
) -> tuple[shadows.Lamp, shadows.Room]:
    """An orthographic camera that looks towards +y at that elevation (rad) at a table that it does not see, though the
    table throws light back; what shines there."""
    strike()
    scene = bpy.context.scene
    prepare(rng, _SAMPLES, threads)
    scene.render.film_transparent, scene.render.use_persistent_data = True, True
    scene.render.resolution_x = round(side_mm * px_per_mm)
    scene.render.resolution_y = round(side_mm * px_per_mm * np.sin(elevation))
    lens = bpy.data.cameras.new("camera")
    lens.type, lens.ortho_scale, lens.clip_end = "ORTHO", side_mm, 6000
    camera = bpy.data.objects.new("camera", lens)
    camera.location = (0, -2000 * np.cos(elevation), 2000 * np.sin(elevation))
    camera.rotation_euler = (np.pi / 2 - elevation, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    stuff = paint.material(rng.uniform(0.1, 0.7, 3), 0.5)
    ground(stuff, 3000.0).visible_camera = False
    return light_up(rng)


def strike() -> None:
    """Takes the last shot's camera, lamp, room and ground away; what stands on the table stays."""
    for thing in list(bpy.data.objects):
        if thing.type in ("CAMERA", "LIGHT") or (thing.type == "MESH" and not thing.visible_camera):
            bpy.data.objects.remove(thing)


def _lamp(rng: np.random.Generator) -> shadows.Lamp:
    """A lamp or the sun."""
    zenith, azimuth, strength = np.radians(rng.uniform(5, 62)), rng.uniform(0, 2 * np.pi), rng.uniform(0, 5)
    lamp = bpy.data.lights.new("lamp", "SUN")
    lamp.energy, lamp.angle = strength, np.radians(rng.choice([1, 6, 15, 40]) * rng.uniform(0.7, 1.3))
    lamp.color = (1, rng.uniform(0.85, 1), rng.uniform(0.65, 1.05))
    thing = bpy.data.objects.new("lamp", lamp)
    thing.rotation_euler = (zenith, 0, azimuth)
    bpy.context.scene.collection.objects.link(thing)
    towards = np.array([np.sin(azimuth), -np.cos(azimuth), 0]) * np.sin(zenith) + (0, 0, np.cos(zenith))
    return shadows.Lamp(towards, float(lamp.angle), float(strength * np.cos(zenith)))


def _room(rng: np.random.Generator, murks: int) -> shadows.Room:
    """Walls, ceiling and windows as a panorama, with up to so many dark corners."""
    high, wide = 32, 64
    sky = np.ones((high, wide, 3)) * rng.uniform(0.2, 0.8) * rng.normal(1, 0.06, 3)
    sky[: high // 2] *= rng.uniform(0.5, 1.5)
    sky[high // 4 :: -1] *= rng.uniform(0.8, 1.6)
    for _ in range(rng.integers(0, 4)):
        top, left = int(rng.integers(0, high * 0.7)), int(rng.integers(0, wide))
        columns = (left + np.arange(int(rng.integers(3, 14)))) % wide
        sky[top : top + int(rng.integers(2, 9)), columns] = rng.uniform(2, 9) * rng.normal(1, 0.05, 3)
    for _ in range(rng.integers(0, murks + 1) if murks else 0):
        top, left = int(rng.integers(0, high * 0.5)), int(rng.integers(0, wide))
        columns = (left + np.arange(int(rng.integers(5, 40)))) % wide
        sky[top : top + int(rng.integers(4, 16)), columns] *= rng.uniform(0.03, 0.5)
    image = bpy.data.images.new("room", wide, high, float_buffer=True)
    image.pixels.foreach_set(np.dstack([sky[::-1], np.ones((high, wide))]).astype(np.float32).ravel())
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    node = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    node.image = image
    world.node_tree.links.new(node.outputs["Color"], world.node_tree.nodes["Background"].inputs["Color"])
    zenith = (np.arange(high // 2) + 0.5) / high * np.pi
    share = np.cos(zenith) * np.sin(zenith) * (np.pi / high) * (2 * np.pi / wide)
    return shadows.Room(sky, float((sky[: high // 2].mean(axis=2) * share[:, None]).sum()))


def ground(stuff: object, half_mm: float) -> object:
    """The table top, a square about the origin, its picture upright as seen from -y."""
    table = mesh.sheet((2 * half_mm, 2 * half_mm), np.zeros((2, 2)), stuff)
    table.pass_index = 0
    return table


def shoot(folder: Path) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """(h, w, 4) linear premultiplied RGBA, and (h, w) the number of the thing that shows."""
    scene = bpy.context.scene
    scene.view_layers[0].use_pass_object_index = True
    path = folder / "picture.exr"
    settings = scene.render.image_settings
    settings.media_type = "MULTI_LAYER_IMAGE"
    settings.file_format = "OPEN_EXR_MULTILAYER"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    with OpenEXR.File(str(path), separate_channels=True) as file:
        channels = {name: c.pixels for part in file.parts for name, c in part.channels.items()}
    rgba = np.stack([next(p for n, p in channels.items() if n.endswith(f"Combined.{key}")) for key in "RGBA"], axis=-1)
    index = next(pixels for name, pixels in channels.items() if "Index" in name)
    return rgba.astype(np.float32), np.rint(index).astype(np.int16)
