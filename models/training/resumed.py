"""A reader to teach on from what was published: the weights of NAME.onnx, its eight bits as floats again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

Array = NDArray[np.float32]


def resume(net: nn.Module, path: Path) -> None:
    """Puts the published weights into a net of the same layers.

    Normalisation was folded into the convolutions when it was published: it hands through now, but for their biases.
    """
    layers = [each for each in net.modules() if isinstance(each, (nn.Conv2d, nn.Linear))]
    folded = [each for each in net.modules() if isinstance(each, nn.BatchNorm2d)]
    weights = _weights(onnx.load(str(path)).graph)
    if [tuple(layer.weight.shape) for layer in layers] != [weight.shape for weight, _ in weights]:
        raise ValueError(f"{path}: its layers are not those of the net that is to go on from it; train from the start")
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, weights, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            if isinstance(layer, nn.Linear):
                layer.bias.copy_(torch.from_numpy(bias))
        for norm, (_, bias) in zip(folded, weights, strict=False):
            norm.bias.copy_(torch.from_numpy(bias))
            norm.weight.fill_((1 + norm.eps) ** 0.5)


def hold(net: nn.Module) -> None:
    """Keeps normalisation out of a batch's own means: it was folded in."""
    for each in net.modules():
        if isinstance(each, nn.BatchNorm2d):
            each.eval()


def _weights(graph: onnx.GraphProto) -> list[tuple[Array, Array]]:
    """Weight and bias of each convolution and dense layer, in their order."""
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in constants:
            constants[node.output[0]] = _floats(*(constants[name] for name in node.input))
    return [
        (np.array(constants[node.input[1]], np.float32), np.array(constants[node.input[2]], np.float32))
        for node in graph.node
        if node.op_type in ("Conv", "Gemm")
    ]


def _floats(quantised: NDArray[np.int8], scale: Array, zero: NDArray[np.int8] | int = 0) -> Array:
    """What a quantised constant stands for; scales are one for all or one for each of its rows."""
    shape = (-1,) + (1,) * (quantised.ndim - 1)
    off = quantised.astype(np.float32) - np.asarray(zero, np.float32).reshape(shape)
    return np.asarray(off * np.reshape(scale, shape), np.float32)
