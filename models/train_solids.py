"""Trains models/terrain.onnx, for the look at 1 px/mm, and models/figures.onnx, for that at 2 px/mm.

    python -m models.train_solids --data FOLDER --look terrain|figures [--minutes 40] [--resume FILE.pt] [--share 0.6]
        [--temper 1.15] [--rate 2.5e-3] [--seed 51]

FOLDER holds the train*.npz files of `models.train_solids_data`. --seed says in which order they are shown, --rate how
fast it learns at most. --resume starts from the weights of this net
or of a narrower one; with --share the weights published lie so far on the way from there to what training ends in
(Wortsman et al. 2022). --temper multiplies what it says of terrain, so that its chances are those that come true
(temperature scaling, Guo et al. 2017).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import solids
from models.training.layers import block
from models.training.loop import RATE, train_for
from models.training.publish import publish
from models.training.solid_crops import CELLS, PARTS, crop_of
from models.training.widened import between, widened

SEED = 51
BATCH = 8
# Channels at strides 16 and 32, where weights cost least time.
LOW = {"terrain": (144, 160), "figures": (256, 384)}


class SolidsNet(nn.Module):
    """U-shaped, strides 2 to 32, output at stride 4: terrain is large, so the lowest level sees half a table.

    What is up in the picture (`models.solids.SLANT_PX`) is told to every level.
    """

    def __init__(self, low: tuple[int, int]) -> None:
        super().__init__()
        sixteenth, lowest = low
        self.stem = nn.Sequential(nn.Conv2d(3, 20, 3, 2, 1, bias=False), nn.BatchNorm2d(20), nn.ReLU())
        self.quarter = nn.Sequential(block(20, 48, 2), block(48, 48))
        self.eighth = nn.Sequential(block(48, 96, 2), block(96, 96), block(96, 96))
        self.sixteenth = nn.Sequential(block(96, sixteenth, 2), *(block(sixteenth, sixteenth) for _ in range(4)))
        self.lowest = nn.Sequential(block(sixteenth, lowest, 2), *(block(lowest, lowest) for _ in range(3)))
        self.lateral = nn.ModuleList(
            [nn.Conv2d(lowest, sixteenth, 1), nn.Conv2d(sixteenth, 96, 1), nn.Conv2d(96, 72, 1)]
        )
        self.skip = nn.Conv2d(48, 72, 1)
        self.merge = nn.ModuleList([nn.Sequential(block(c, c), block(c, c)) for c in (sixteenth, 96, 72)])
        self.head = nn.Conv2d(72, solids.CHANNELS, 1)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        self.halve = nn.AvgPool2d(2)
        self.upward = nn.Sequential(nn.Conv2d(5, 24, 1), nn.ReLU())
        self.told = nn.ModuleList([nn.Conv2d(24, channels, 1) for channels in (48, 96, sixteenth, lowest)])
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[solids.HEAT] = -5.5
            for layer in self.told:
                layer.weight.zero_()
                layer.bias.zero_()

    def forward(self, picture_bgr: Tensor, slant: Tensor) -> Tensor:
        """(n, 3, h, w) 0 to 255, sides multiples of 32, and (n, 2, h / 4, w / 4), to (n, 21, h / 4, w / 4)."""
        length = torch.sqrt((slant * slant).sum(1, keepdim=True) + 1e-6)
        up = [self.upward(torch.cat([slant, length, slant / length], 1))]
        for _ in range(3):
            up.append(self.halve(up[-1]))
        quarter = self.quarter(self.stem(picture_bgr / 128 - 1)) + self.told[0](up[0])
        eighth = self.eighth(quarter) + self.told[1](up[1])
        sixteenth = self.sixteenth(eighth) + self.told[2](up[2])
        lowest = self.lowest(sixteenth) + self.told[3](up[3])
        sixteenth = self.merge[0](sixteenth + self.grow(self.lateral[0](lowest)))
        eighth = self.merge[1](eighth + self.grow(self.lateral[1](sixteenth)))
        return self.head(self.merge[2](self.skip(quarter) + self.grow(self.lateral[2](eighth))))


def loss_of(output: Tensor, asked: dict[str, Tensor]) -> Tensor:
    """Focal loss (CornerNet, Law and Deng 2018) on anything, cross entropy on its kind and on surfaces, absolute loss
    on measures."""
    wanted, weight, near = asked["wanted"].float(), asked["weight"].float(), asked["near"].float()
    logit, heat = output[:, :4].logsumexp(1), wanted[:, :4].amax(1)
    chance = torch.sigmoid(logit)
    centre = (heat > 0.999).float() * weight
    hit = centre * (1 - chance) ** 2 * nn.functional.logsigmoid(logit)
    miss = (1 - centre) * weight * (1 - heat) ** 4 * chance**2 * nn.functional.logsigmoid(-logit)
    focal = -(hit.sum() + miss.sum()) / centre.sum().clamp(min=1)
    count = near.sum().clamp(min=1)
    kind = (nn.functional.cross_entropy(output[:, :4], wanted[:, :4].argmax(1), reduction="none") * near).sum() / count
    share = torch.tensor([1.0, 1.0, 0.7, 0.7, 2.0], device=output.device)[None, :, None, None]
    measures = ((output[:, 4:9] - wanted[:, 4:9]).abs() * share * near[:, None]).sum() / count
    logistic = nn.functional.binary_cross_entropy_with_logits
    shown = logistic(output[:, 9], asked["figure"].float()) + logistic(output[:, 10], asked["hand"].float())
    ground = asked["ground"].long()
    importance = torch.tensor([0.5, *([1.5] * 8)], device=output.device)
    terrain = nn.functional.cross_entropy(output[:, solids.GROUND], ground, weight=importance, reduction="sum") / (
        importance[ground.clamp(min=0)] * (ground >= 0)
    ).sum().clamp(min=1)
    solid = (ground > 0).float()
    height = (
        (output[:, 11] - asked["height"].float() / solids.HEIGHT_UNIT_PX).abs() * solid
    ).sum() / solid.sum().clamp(min=1)
    return 1.5 * focal + 0.5 * kind + 0.6 * measures + 1.5 * shown + 2 * terrain + 0.5 * height


class Store:
    """All tiles of some files, cut into batches of upright views as one look sees them."""

    def __init__(self, files: list[Path], look: solids.Look) -> None:
        self.look = look
        opened = [np.load(path) for path in files]
        self.parts = {key: np.concatenate([f[key] for f in opened]) for key in opened[0].files}

    def batch(self, rng: np.random.Generator) -> dict[str, Tensor]:
        """Random crops by their parts."""
        picked = rng.choice(len(self.parts["tiles"]), BATCH, replace=False)
        crops = [crop_of({key: part[n] for key, part in self.parts.items()}, self.look, rng) for n in picked]
        return {key: torch.from_numpy(np.stack([crop[key] for crop in crops])) for key in PARTS}


def lit_anew(pictures: Tensor) -> Tensor:
    """(n, h, w, 3) uint8 to (n, 3, h, w) 0 to 255, each in another light; what is black stays black."""
    planes = pictures.permute(0, 3, 1, 2).float()
    drawn = torch.randn(7, len(planes), 1, 1, 1, device=planes.device)
    gain = torch.exp(0.15 * drawn[0] + 0.05 * torch.cat(list(drawn[1:4]), 1))
    lit = (planes * gain + 5 * drawn[4]).clamp(0, 255)
    return lit * (planes.amax(1, keepdim=True) > 0)


def loss_on(net: SolidsNet, batch: dict[str, Tensor], low_precision: bool) -> Tensor:
    """The loss of a batch of `models.training.solid_crops.PARTS`."""
    told = batch["slant"][:, :, None, None].expand(-1, -1, CELLS, CELLS)
    pictures = lit_anew(batch["picture"]).contiguous(memory_format=torch.channels_last)
    with torch.autocast(pictures.device.type, torch.bfloat16, enabled=low_precision):
        output = net(pictures, told)
    return loss_of(output.float(), batch)


def train(store: Store, net: SolidsNet, args: argparse.Namespace, keep: Path) -> None:
    """Trains for so many minutes; one cosine of the learning rate over the time given."""
    rng = np.random.default_rng(args.seed)

    # bfloat16 halves the time of a step (measured: 0.29 s to 0.15 s); losses stay in single precision. A processor
    # without AVX-512 makes it up in software, in twelve times as long (1.1 s to 13 s).
    low_precision = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    train_for(net, args.minutes, lambda: loss_on(net, store.batch(rng), low_precision), args.resume, keep, args.rate)


def temper(net: SolidsNet, by: float) -> None:
    """Make the net so much surer of the classes of terrain."""
    with torch.no_grad():
        net.head.weight[solids.GROUND] *= by
        net.head.bias[solids.GROUND] *= by


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--look", choices=solids.LOOKS, required=True)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--temper", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    return parser.parse_args()


def main() -> None:
    """The command line."""
    args = parsed()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    look = solids.LOOKS[args.look]
    net = SolidsNet(LOW[args.look]).to(memory_format=torch.channels_last)
    start = widened(torch.load(args.resume), net) if args.resume else net.state_dict()
    start = {key: value.clone() for key, value in start.items()}
    keep = args.data / f"{look.net}.pt"
    train(Store(sorted(args.data.glob("train*.npz")), look), net, args, keep)
    net.load_state_dict(between(start, net.state_dict(), args.share))
    temper(net, args.temper)
    torch.save(net.state_dict(), keep)
    example = (torch.zeros(1, 3, 256, 256), torch.zeros(1, 2, 64, 64))
    publish(net, example, look.net, args.out, ("picture", "slant"), ("maps",), (2, 3))


if __name__ == "__main__":
    main()
