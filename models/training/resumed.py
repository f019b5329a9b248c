"""A net to teach on from what was published: the weights of NAME.onnx, its eight bits as floats again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from models.loading import CENTRE, CENTRED

Array = NDArray[np.float32]

_LAYERS = (nn.Conv2d, nn.Linear)


def resume(net: nn.Module, path: Path) -> None:
    """Puts the published weights into a net of the same layers.

    Normalisation was folded into the convolutions when it was published: it hands through now, but for their biases.
    """
    layers = dict(net.named_modules())
    weights = _weights(onnx.load(str(path)).graph)
    wanted = {name: tuple(each.weight.shape) for name, each in layers.items() if isinstance(each, _LAYERS)}
    if wanted != {name: weight.shape for name, (weight, _) in weights.items()}:
        raise ValueError(f"{path}: its layers are not those of the net that is to go on from it; train from the start")
    with torch.no_grad():
        for name, (weight, bias) in weights.items():
            layers[name].weight.copy_(torch.from_numpy(weight))
            norm = layers.get(_next(name))
            if isinstance(norm, nn.BatchNorm2d):
                norm.bias.copy_(torch.from_numpy(bias))
                norm.weight.fill_((1 + norm.eps) ** 0.5)
            else:
                layers[name].bias.copy_(torch.from_numpy(bias))


def hold(net: nn.Module) -> None:
    """Keep normalisation from using a batch's own means: it is folded into the weights."""
    for each in net.modules():
        if isinstance(each, nn.BatchNorm2d):
            each.eval()


def _next(name: str) -> str:
    """What follows a layer of that name in its sequence."""
    within, _, number = name.rpartition(".")
    return f"{within}.{int(number) + 1}" if number.isdecimal() else ""


def _weights(graph: onnx.GraphProto) -> dict[str, tuple[Array, Array]]:
    """Weight and bias of each convolution and dense layer, by its name in the net."""
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in constants:
            constants[node.output[0]] = _floats(*(constants[name] for name in node.input))
    found = {}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            weight, bias = (np.array(constants[name], np.float32) for name in node.input[1:3])
            # `models.training.centred` took the scaling of the picture into the first weights.
            found[_layer(node.name)] = (weight * (CENTRE if node.input[0] == CENTRED else 1)), bias
    return found


def _layer(node: str) -> str:
    """The name in the net of the layer that a node was: /sticks/eighth/eighth.0/eighth.0.1/Conv was sticks.eighth.0.1."""
    name: list[str] = []
    for scope in node.split("/")[1:-1]:
        if name and scope.startswith(f"{name[-1]}."):
            name.pop()
        name.append(scope)
    return ".".join(name)


def _floats(quantised: NDArray[np.int8], scale: Array, zero: NDArray[np.int8] | int = 0) -> Array:
    """What a quantised constant stands for; scales are one for all or one for each of its rows."""
    shape = (-1,) + (1,) * (quantised.ndim - 1)
    off = quantised.astype(np.float32) - np.asarray(zero, np.float32).reshape(shape)
    return np.asarray(off * np.reshape(scale, shape), np.float32)
