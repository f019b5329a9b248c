"""The training loop that the nets share: a time, a cosine of the learning rate over it, and weights kept on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from models.training.widened import widened

RATE = 2.5e-3
_WARM_STEPS = 100
_KEEP_EVERY = 400
_TELL_EVERY = 50


def train_for(
    net: nn.Module,
    minutes: float,
    batch_loss: Callable[[], Tensor],
    resume: Path | None,
    keep: Path,
    rate: float = RATE,
    averaged: AveragedModel | None = None,
    *,
    decay: float = 1e-4,
    clock_s: Callable[[], float] = time.time,
) -> None:
    """Train for so many minutes.

    batch_loss  the loss of the next batch
    resume      weights to start from, of this net or of a narrower one
    keep        where the weights are written every few hundred steps and at the end
    rate        the highest learning rate
    averaged    what is kept in the net's place: the mean of its last weights
    decay       of the weights (AdamW)
    clock_s     what the minutes are told by; the processor's, beside other work
    """
    if resume:
        net.load_state_dict(widened(torch.load(resume, map_location=next(net.parameters()).device), net))
    kept = net if averaged is None else averaged.module
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=decay)
    started, step, running = clock_s(), 0, torch.zeros((), device=next(net.parameters()).device)
    while (share := (clock_s() - started) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / _WARM_STEPS) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-5
        loss = batch_loss()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        if averaged is not None:
            averaged.update_parameters(net)
        # Not read before it is told: to read it is to wait for the GPU.
        running += loss.detach()
        step += 1
        if step % _TELL_EVERY == 0:
            print(f"{share:5.1%} step {step} loss {float(running) / _TELL_EVERY:.3f}", flush=True)  # noqa: T201
            running.zero_()
        if step % _KEEP_EVERY == 0:
            _save(kept, keep)
    _save(kept, keep)


def _save(net: nn.Module, keep: Path) -> None:
    """The weights, as a machine without a GPU can read them too."""
    torch.save({name: weight.cpu() for name, weight in net.state_dict().items()}, keep)
