"""From a trained net to the files that are committed: NAME.onnx and NAME.sha256."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.centred import centre
from models.training.eight_bits import in_eight_bits
from models.training.parts import cut


def publish(
    net: nn.Module,
    example: Tensor | tuple[Tensor, ...],
    name: str,
    folder: Path,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    moving_axes: tuple[int, ...],
    samples: NDArray[np.float32] | tuple[NDArray[np.float32], ...] | None = None,
    tiles: NDArray[np.uint8] | None = None,
) -> None:
    """Writes the net (batch normalisation folded in by onnxruntime) whole or not at all, and its parts where it has any.

    example      an input, or one for each of `inputs`
    moving_axes  axes of every input and output whose length is free
    samples      what it may see, of each input, if it is to count in eight bits (`models.training.eight_bits`)
    tiles        the same for its far part (`models.training.parts`)
    """
    net.eval()
    axes = {each: {axis: f"{each}_{axis}" for axis in moving_axes} for each in (*inputs, *outputs)}
    path = folder / f"{name}.onnx"
    draft = path.with_suffix(".onnx.part")
    torch.onnx.export(
        net,
        example if isinstance(example, tuple) else (example,),
        str(draft),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    if samples is None:
        draft.replace(path)
        centre(path)
    else:
        in_eight_bits(draft, samples, path)
        draft.unlink(missing_ok=True)
    if (folder / f"{name}_near.onnx").exists():
        cut(name, folder, tiles)
