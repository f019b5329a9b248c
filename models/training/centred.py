"""Takes the scaling of the picture out of a net's front, where it goes over every pixel twice.

    python -m models.training.centred NAME

A net that begins with `picture / 128 - 1` is told `picture - 128` instead, and its first weights are a 128th: a power
of two, so that it says the same to the last bit. What tells it the picture subtracts while it brings bytes to floats,
which costs nothing more (a table of 700 x 500 mm through the near part of `pieces`: 26 -> 20 CPU ms).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from models.loading import CENTRE, CENTRED
from models.training.sums import write_sum

FOLDER = Path(__file__).parent.parent


def centred(model: onnx.ModelProto) -> onnx.ModelProto:
    """The net told the picture less CENTRE, under the name CENTRED; as it is where it does not begin so."""
    graph = model.graph
    picture = graph.input[0].name
    reading = {name: node for node in graph.node for name in node.input}
    scale = reading[picture]
    shift = reading[scale.output[0]]
    if (scale.op_type, shift.op_type) != ("Div", "Sub"):
        return model
    constants = {node.output[0]: node for node in graph.node if node.op_type == "Constant"}
    if [_value(constants[node.input[1]]) for node in (scale, shift)] != [CENTRE, 1.0]:
        raise ValueError(f"{graph.name}: its front is not picture / {CENTRE:.0f} - 1")
    first = reading[shift.output[0]]
    weights = next(each for each in graph.initializer if each.name == first.input[1])
    less = numpy_helper.to_array(weights) / np.float32(CENTRE)
    weights.CopyFrom(numpy_helper.from_array(less, weights.name))
    first.input[0] = graph.input[0].name = CENTRED
    for node in (scale, shift, constants[scale.input[1]], constants[shift.input[1]]):
        graph.node.remove(node)
    return model


def _value(node: onnx.NodeProto) -> float:
    return float(numpy_helper.to_array(node.attribute[0].t))


def centre(path: Path) -> None:
    """Rewrites the net in `path`, whole or not at all, and its sum."""
    draft = path.with_suffix(".onnx.part")
    onnx.save(centred(onnx.load(str(path))), str(draft))
    draft.replace(path)
    write_sum(path)


def main() -> None:
    """Rewrite the net that is named."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("name")
    centre(FOLDER / f"{options.parse_args().name}.onnx")


if __name__ == "__main__":
    main()
