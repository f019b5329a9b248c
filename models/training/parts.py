"""Cuts a U-shaped net into three, so that what it does at full width can be done a strip at a time.

    python -m models.training.parts NAME ...

Writes NAME_near.onnx (the picture to strides 4 and 8), NAME_far.onnx (stride 8 and coarser, over the whole view) and
NAME_join.onnx (both together to the maps), each with its sum. They say which NAME.onnx they were cut from: run this
again whenever that was trained again, or the eyes do without them.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import onnx
from onnx.utils import Extractor

from models.loading import WHOLE
from models.training.sums import write_sum

FOLDER = Path(__file__).parent.parent


def cut(name: str, folder: Path = FOLDER) -> None:
    """The three parts of NAME.onnx beside it."""
    path = folder / f"{name}.onnx"
    whole = onnx.shape_inference.infer_shapes(onnx.load(str(path)))
    picture, maps = whole.graph.input[0].name, whole.graph.output[0].name
    quarter, eighth, back = _relu(whole, "/quarter")[-1], _relu(whole, "/eighth")[0], _relu(whole, "/merge_eighth")[-1]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for part, inputs, outputs in (
        ("near", [picture], [quarter, eighth]),
        ("far", [eighth], [back]),
        ("join", [quarter, back], [maps]),
    ):
        made = Extractor(whole).extract_model(inputs, outputs)
        onnx.helper.set_model_props(made, {WHOLE: digest})
        _write(made, folder / f"{name}_{part}.onnx")


def _relu(model: onnx.ModelProto, within: str) -> list[str]:
    """The rectified outputs of one stage, from its first block to its last."""
    outputs = [output for node in model.graph.node if node.op_type == "Relu" for output in node.output]
    return [output for output in outputs if output.startswith(f"{within}/")]


def _write(model: onnx.ModelProto, path: Path) -> None:
    draft = path.with_suffix(".onnx.part")
    onnx.save(model, str(draft))
    draft.replace(path)
    write_sum(path)


def main() -> None:
    """Cut the nets that are named."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="+")
    for name in options.parse_args().names:
        cut(name)


if __name__ == "__main__":
    main()
