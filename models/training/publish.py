"""From a trained net to the files that are committed: NAME.onnx and NAME.sha256."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
from torch import Tensor, nn

from models.training.parts import cut


def publish(
    net: nn.Module,
    example: Tensor | tuple[Tensor, ...],
    name: str,
    folder: Path,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    moving_axes: tuple[int, ...],
) -> None:
    """Writes the net (batch normalisation folded in by onnxruntime) whole or not at all, and its parts where it has any.

    example      an input, or one for each of `inputs`
    moving_axes  axes of every input and output whose length is free
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
    draft.replace(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / f"{name}.sha256").write_text(f"{digest}  {path.name}\n", encoding="ascii")
    if (folder / f"{name}_near.onnx").exists():
        cut(name, folder)
