"""Cuts the net of pieces into four, so that what it does at full width can be done a strip at a time.

    python -m models.training.parts NAME [TILES.npz ...]

Writes NAME_near.onnx (the picture to strides 4 and 8), NAME_far.onnx (stride 8 and coarser, over the whole view),
NAME_join.onnx (both together to the first maps) and NAME_sticks.onnx (the branch for matches, from stride 8 to its
maps), each with its sum. They say which NAME.onnx they were cut from: run this again whenever that was trained again,
or the eyes do without them. With tiles that the net learnt from the far part and the branch count in eight bits: their
channels are wide, and the far part takes half the time (14.0 -> 7.6 ms on a table of 700 x 500 mm; the heats' logits are
off by 0.06). The other two have few channels and gain nothing.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx.utils import Extractor

from models.loading import CENTRE, WHOLE
from models.training.eight_bits import in_eight_bits
from models.training.sums import write_sum

FOLDER = Path(__file__).parent.parent
# So many tiles of each file tell what the far part sees.
TILES = 40


def cut(name: str, folder: Path = FOLDER, tiles: NDArray[np.uint8] | None = None) -> None:
    """The four parts of NAME.onnx beside it.

    tiles  (n, height, width, 3) that it may see, if far part and branch are to count in eight bits
    """
    path = folder / f"{name}.onnx"
    whole = onnx.shape_inference.infer_shapes(onnx.load(str(path)))
    picture, maps = whole.graph.input[0].name, whole.graph.output[0].name
    quarter, back = _relu(whole, "/quarter")[-1], _relu(whole, "/merge_eighth")[-1]
    eighth, thin = _relu(whole, "/eighth")[0], _relu(whole, "/sticks/eighth")[0]
    said, matches = next(node for node in whole.graph.node if maps in node.output).input
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for part, inputs, outputs in (
        ("near", [picture], [quarter, eighth, thin]),
        ("far", [eighth], [back]),
        ("sticks", [thin], [matches]),
        ("join", [quarter, back], [said]),
    ):
        _write(Extractor(whole).extract_model(inputs, outputs), digest, folder / f"{name}_{part}.onnx")
    if tiles is not None:
        seen = _seen_from_near(folder / f"{name}_near.onnx", tiles)
        for part, samples in zip(("far", "sticks"), seen, strict=True):
            written = folder / f"{name}_{part}.onnx"
            in_eight_bits(written, samples, written, is_middle=True)
            _write(onnx.load(str(written)), digest, written)


def _seen_from_near(near: Path, tiles: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    """What the near part makes of tiles at stride 8, for either U: (n, channels, height / 8, width / 8)."""
    session = onnxruntime.InferenceSession(str(near), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    pictures = tiles.transpose(0, 3, 1, 2).astype(np.float32) - np.float32(CENTRE)
    seen = zip(*(session.run(None, {name: picture[None]})[1:] for picture in pictures), strict=True)
    return [np.concatenate(each) for each in seen]


def _relu(model: onnx.ModelProto, within: str) -> list[str]:
    """The rectified outputs of one stage, from its first block to its last."""
    outputs = [output for node in model.graph.node if node.op_type == "Relu" for output in node.output]
    return [output for output in outputs if output.startswith(f"{within}/")]


def _write(model: onnx.ModelProto, digest: str, path: Path) -> None:
    onnx.helper.set_model_props(model, {WHOLE: digest})
    draft = path.with_suffix(".onnx.part")
    onnx.save(model, str(draft))
    draft.replace(path)
    write_sum(path)


def main() -> None:
    """Cut the net that is named."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("name")
    options.add_argument("tiles", nargs="*", type=Path)
    given = options.parse_args()
    tiles = [np.load(path)["tiles"][:TILES] for path in given.tiles]
    cut(given.name, tiles=np.concatenate(tiles) if tiles else None)


if __name__ == "__main__":
    main()
