"""Painted soldiers: a material that is boots below, a coat above and a face on top, or blots; and paint taken anew."""

from __future__ import annotations

import bpy
import numpy as np

from models.training.rendered import paint

_SKIN = np.array(paint.SKIN_RGB)


def uniform(rng: np.random.Generator, tall: float) -> object:
    """Bands from the base of a figure `tall` mm up to its hat, their edges uneven."""
    paints = [paint.colour(rng) * rng.uniform(0.3, 1.0) for _ in range(4)]
    paints.insert(3, _SKIN[rng.integers(len(_SKIN))])
    ends = np.cumsum(np.r_[0.0, rng.dirichlet(np.array([2, 6, 8, 3, 2.0]))[:-1]])
    stuff, noise, ramp = _ramped(rng, paints, ends, rng.uniform(2, 6))
    tree = stuff.node_tree
    where, split = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(where.outputs["Object"], split.inputs[0])
    depth = rng.uniform(0.02, 0.25)
    uneven = _scaled(tree, noise.outputs[0], depth)
    uneven.inputs[2].default_value = -depth / 2
    share = _scaled(tree, split.outputs[2], 1 / (1.15 * tall))
    tree.links.new(uneven.outputs[0], share.inputs[2])
    tree.links.new(share.outputs[0], ramp.inputs["Fac"])
    return stuff


def _scaled(tree: object, source: object, factor: float) -> object:
    """A node that multiplies `source` and adds its third input."""
    node = tree.nodes.new("ShaderNodeMath")
    node.operation = "MULTIPLY_ADD"
    node.inputs[1].default_value = factor
    tree.links.new(source, node.inputs[0])
    return node


def blots(rng: np.random.Generator) -> object:
    """Two to four paints in blots of 2 to 12 mm."""
    count = int(rng.integers(2, 5))
    ends = np.r_[0.0, np.sort(rng.uniform(0.35, 0.65, count - 1))]
    stuff, noise, ramp = _ramped(rng, [paint.colour(rng) for _ in range(count)], ends, rng.uniform(4, 24))
    stuff.node_tree.links.new(noise.outputs[0], ramp.inputs["Fac"])
    return stuff


def _ramped(rng: np.random.Generator, paints: list, ends: np.ndarray, blot_mm: float) -> tuple[object, object, object]:
    """A material coloured by a ramp of even paints that begin at `ends`, and the noise that is to drive it."""
    stuff = paint.material(paints[0], rng.uniform(0.3, 0.9))
    tree = stuff.node_tree
    where = tree.nodes.new("ShaderNodeTexCoord")
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 1 / blot_mm
    tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    while len(ramp.color_ramp.elements) < len(paints):
        ramp.color_ramp.elements.new(1.0)
    for element, end, rgb in zip(ramp.color_ramp.elements, ends, paints, strict=True):
        element.position, element.color = float(end), (*np.clip(rgb, 0, 1), 1)
    tree.links.new(ramp.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return stuff, noise, ramp


def repaint(rng: np.random.Generator) -> None:
    """Everything on the table in other colours: each stuff its own, each of a ramp's paints too."""
    for stuff in bpy.data.materials:
        for node in stuff.node_tree.nodes if stuff.node_tree else ():
            if node.type == "BSDF_PRINCIPLED":
                node.inputs["Base Color"].default_value = (*np.clip(paint.colour(rng), 0, 1), 1)
            elif node.type == "VALTORGB":
                for element in node.color_ramp.elements:
                    element.color = (*np.clip(paint.colour(rng), 0, 1), 1)
