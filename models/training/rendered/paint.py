"""What things are made of: plastic, glaze, card, cloth, metal, skin, and printed pictures, in linear colour."""

from __future__ import annotations

import bpy
import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Army plastics, by eye from toy shops (linear RGB).
ARMY_RGB = {
    "green": (0.05, 0.16, 0.04),
    "tan": (0.42, 0.30, 0.16),
    "grey": (0.22, 0.23, 0.24),
    "blue": (0.03, 0.09, 0.35),
    "red": (0.45, 0.03, 0.03),
    "yellow": (0.65, 0.42, 0.03),
    "white": (0.75, 0.75, 0.72),
    "black": (0.02, 0.02, 0.02),
    "brown": (0.14, 0.08, 0.04),
    "olive": (0.10, 0.09, 0.03),
}
SKIN_RGB = ((0.62, 0.36, 0.25), (0.50, 0.28, 0.18), (0.30, 0.15, 0.08), (0.12, 0.06, 0.035), (0.72, 0.46, 0.36))


def colour(rng: np.random.Generator) -> Array:
    """Any paint: near white now and then, else a hue with its own depth."""
    if rng.random() < 0.3:
        return np.full(3, rng.uniform(0.45, 0.85)) * rng.normal(1, 0.03, 3)
    if rng.random() < 0.2:
        return np.full(3, rng.uniform(0.01, 0.12))
    hsv = np.float32([[[rng.uniform(0, 360), rng.beta(2, 2), rng.uniform(0.05, 0.8)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(float)


def material(
    rgb: Array,
    rough: float = 0.5,
    metal: float = 0.0,
    bump_mm: float = 0.0,
    grain_mm: float = 2.0,
    mottle: float = 0.0,
) -> object:
    """One stuff: `bump_mm` deep dents and `mottle` (share of brightness) spots, `grain_mm` across."""
    stuff = bpy.data.materials.new("stuff")
    stuff.use_nodes = True
    tree = stuff.node_tree
    surface = tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*np.clip(rgb, 0, 1), 1)
    surface.inputs["Roughness"].default_value = rough
    surface.inputs["Metallic"].default_value = metal
    if bump_mm or mottle:
        _grain(tree, surface, np.clip(rgb, 0, 1), bump_mm, grain_mm, mottle)
    return stuff


def _grain(tree: object, surface: object, rgb: Array, bump_mm: float, grain_mm: float, mottle: float) -> None:
    where = tree.nodes.new("ShaderNodeTexCoord")
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 1 / grain_mm
    noise.inputs["Detail"].default_value = 2.0
    tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
    if bump_mm:
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Distance"].default_value = bump_mm
        tree.links.new(noise.outputs[0], bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    if mottle:
        ramp = tree.nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
        ramp.color_ramp.elements[0].color = (*np.clip(rgb * (1 - mottle), 0, 1), 1)
        ramp.color_ramp.elements[1].color = (*np.clip(rgb * (1 + mottle), 0, 1), 1)
        tree.links.new(noise.outputs[0], ramp.inputs["Fac"])
        tree.links.new(ramp.outputs["Color"], surface.inputs["Base Color"])


def printed(picture: NDArray[np.uint8], rough: float = 0.5) -> object:
    """Paper or cloth that carries a picture (h, w, 3 BGR) over its uv."""
    high, wide = picture.shape[:2]
    image = bpy.data.images.new("print", wide, high)
    rgba = np.ones((high, wide, 4), np.float32)
    rgba[..., :3] = picture[::-1, :, ::-1].astype(np.float32) / 255
    image.pixels.foreach_set(rgba.ravel())
    stuff = material(np.ones(3), rough)
    node = stuff.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    stuff.node_tree.links.new(node.outputs["Color"], stuff.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    return stuff


def cover(rng: np.random.Generator, px: tuple[int, int] = (160, 224)) -> NDArray[np.uint8]:
    """A cover or wrapper: a tint, a picture of blots, bars and titles."""
    picture = np.empty((px[1], px[0], 3), np.uint8)
    picture[:] = _ink(rng)
    if rng.random() < 0.5:
        blots = cv2.resize(rng.normal(0, 1, (6, 5, 3)).astype(np.float32), px, interpolation=cv2.INTER_CUBIC)
        picture = np.clip(picture + blots * rng.uniform(5, 45), 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 7)):
        a = rng.uniform(0, 1, 2) * px
        b = a + rng.uniform(0.05, 0.6, 2) * px
        cv2.rectangle(picture, a.astype(int).tolist(), b.astype(int).tolist(), _ink(rng), -1)
    for _ in range(rng.integers(0, 5)):
        centre = (rng.uniform(0, 1, 2) * px).astype(int).tolist()
        cv2.circle(picture, centre, int(rng.uniform(4, 45)), _ink(rng), -1 if rng.random() < 0.7 else 3, cv2.LINE_AA)
    for _ in range(rng.integers(0, 8)):
        text = "".join(rng.choice(list("abcdeghilmnoprstuvAESTRK  "), rng.integers(3, 14)))
        at = (rng.uniform(0, 0.7, 2) * px).astype(int).tolist()
        cv2.putText(picture, text, at, int(rng.integers(8)), rng.uniform(0.25, 1.2), _ink(rng), 1, cv2.LINE_AA)
    return picture


def pattern(rng: np.random.Generator) -> NDArray[np.uint8]:
    """A napkin's print: plain, dots, checks, stripes, or a border."""
    cloth = np.empty((192, 192, 3), np.uint8)
    base = rng.uniform(200, 252, 3) if rng.random() < 0.5 else np.array(_ink(rng))
    cloth[:] = base
    ink, kind, step = _ink(rng), rng.integers(6), int(rng.integers(8, 40))
    if kind == 1:
        for u in range(step // 2, 192, step):
            for v in range(step // 2, 192, step):
                cv2.circle(cloth, (u, v), max(1, step // 4), ink, -1, cv2.LINE_AA)
    elif kind in (2, 3):
        for u in range(0, 192, step):
            cloth[u : u + step // 2] = cloth[u : u + step // 2] * 0.5 + 0.5 * np.array(ink)
            if kind == 2:
                cloth[:, u : u + step // 2] = cloth[:, u : u + step // 2] * 0.5 + 0.5 * np.array(ink)
    elif kind == 4:
        cv2.rectangle(cloth, (8, 8), (183, 183), ink, int(rng.integers(2, 12)))
    return cloth


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    hsv = np.uint8([[[rng.integers(180), rng.beta(2, 2) * 255, rng.uniform(10, 250)]]])
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)
