"""What the training of nets that look at coins on coins has in common: options, and tables that they never saw."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import torch
from torch import nn

from models.training.stored import stored

_Net = TypeVar("_Net", bound=nn.Module)
# A NamedTuple of arrays.
_Taught = TypeVar("_Taught", bound=tuple)  # type: ignore[type-arg]


def options(description: str | None, minutes: float) -> argparse.ArgumentParser:
    """The command line: what to draw from, how long to train, or which weights only to tell of."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--rendered", type=Path)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--unseen", type=Path)
    parser.add_argument("--tell", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    return parser


def kept(net: _Net, weights: Path) -> _Net:
    """The net with weights that training kept."""
    net.load_state_dict(torch.load(weights))
    return net


def tell_all(
    net: _Net,
    tell: Callable[[str, _Net, _Taught], None],
    kind: type[_Taught],
    tests: Mapping[Path, Callable[[], _Taught]],
) -> None:
    """`tell` of each kind of tables that the net never saw, by the file that they are kept in, NAME_test_KIND.npz."""
    for path, make in tests.items():
        tell(path.stem.rpartition("_")[2], net, stored(path, kind, make))
