"""Weights of a narrower net, laid into a wider one of the same build so that it computes what the narrower one did."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def widened(narrow: dict[str, Tensor], net: nn.Module) -> dict[str, Tensor]:
    """The state of `net` with `narrow` in the first channels of each layer (Net2Net, Chen, Goodfellow and Shlens 2016).

    Old channels do not listen to new ones, whose weights stay as they were drawn. ValueError if `net` is narrower.
    """
    return {key: _laid(narrow[key], value, key) for key, value in net.state_dict().items()}


def between(start: dict[str, Tensor], end: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Weights that lie `share` of the way from start to end; counters are those of the end."""
    return {
        key: torch.lerp(start[key], value, share) if value.is_floating_point() else value for key, value in end.items()
    }


def _laid(old: Tensor, new: Tensor, key: str) -> Tensor:
    if any(a > b for a, b in zip(old.shape, new.shape, strict=True)):
        raise ValueError(
            f"{key}: {tuple(old.shape)} does not fit into {tuple(new.shape)}; give a narrower net's weights"
        )
    laid = new.clone()
    if laid.dim() > 1:
        laid[: len(old)] = torch.zeros_like(laid[: len(old)])
    laid[tuple(slice(side) for side in old.shape)] = old
    return laid
