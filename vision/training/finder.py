"""Train the finder's networks, or score the finder: python -m vision.training.finder --help."""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator, default_rng
from torch import Tensor, nn
from torch.nn import functional as fn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.dice.finder import find_dice
from vision.networks import network as running
from vision.networks.planes import PIPS, DicePlane, LidPlane
from vision.place.lid import find_lid
from vision.scoring.truth import TrueScene, load
from vision.training.earlier import begin_with
from vision.training.finder_data import held_out, held_out_runs, placed_exactly
from vision.training.finder_net import dice_network, export, lid_network, weight_count
from vision.training.finder_score import SURE, draw_found, score
from vision.training.finder_views import DICE_VIEW, LID_VIEW, Labelled, View, dice_view, lid_view, stack
from vision.training.scenes import draw


@dataclass(frozen=True, slots=True)
class Sources:
    """Where views come from and how often."""

    renders: list[Labelled]
    drawn: list[Labelled]
    photographs: list[Labelled]

    def pick(self, rng: Generator) -> Labelled:
        shelves = [(self.renders, 0.5), (self.drawn, 0.38), (self.photographs, 0.12)]
        filled = [(shelf, weight) for shelf, weight in shelves if shelf]
        weights = np.array([weight for _, weight in filled])
        shelf = filled[int(rng.choice(len(filled), p=weights / weights.sum()))][0]
        return shelf[int(rng.integers(len(shelf)))]

    def pick_lid(self, rng: Generator) -> Labelled:
        shelf = self.renders if self.renders and rng.random() < 0.6 else self.drawn
        return shelf[int(rng.integers(len(shelf)))]


def in_memory(scenes: Sequence[TrueScene]) -> list[Labelled]:
    return [Labelled(scene.picture(), scene.dice, scene.lid, scene.exact) for scene in scenes]


def drawn(count: int, seed: int) -> list[Labelled]:
    pictures = (draw(default_rng((seed, index))) for index in range(count))
    return [Labelled(picture.image, picture.dice, picture.lid) for picture in pictures]


def dice_loss(said: Tensor, planes: Tensor, weights: Tensor) -> Tensor:
    heat = _focal(said[:, DicePlane.HEAT], planes[:, DicePlane.HEAT], weights[:, DicePlane.HEAT])
    near = weights[:, DicePlane.DX].sum().clamp(min=1)
    shaped = weights[:, DicePlane.SIZE].sum().clamp(min=1)
    total = heat
    for plane, factor in ((DicePlane.DX, 1.0), (DicePlane.DY, 1.0)):
        total = total + factor * _absolute(said, planes, weights, plane) / near
    for plane, factor in (
        (DicePlane.SIZE, 8.0),
        (DicePlane.STRETCH_X, 8.0),
        (DicePlane.STRETCH_D, 8.0),
        (DicePlane.COS4, 1.0),
        (DicePlane.SIN4, 1.0),
    ):
        total = total + factor * _absolute(said, planes, weights, plane) / shaped
    lean = fn.binary_cross_entropy_with_logits(
        said[:, DicePlane.LEAN], planes[:, DicePlane.LEAN], weights[:, DicePlane.LEAN], reduction="sum"
    )
    known = weights[:, PIPS].amax(1)
    read = -(fn.log_softmax(said[:, PIPS], 1) * planes[:, PIPS]).sum(1) * known
    return total + 4 * lean / near + read.sum() / known.sum().clamp(min=1)


def lid_loss(said: Tensor, planes: Tensor, weights: Tensor) -> Tensor:
    floor = fn.binary_cross_entropy_with_logits(said[:, LidPlane.FLOOR], planes[:, LidPlane.FLOOR])
    corner = _focal(said[:, LidPlane.CORNER], planes[:, LidPlane.CORNER], weights[:, LidPlane.CORNER])
    near = weights[:, LidPlane.CORNER_DX].sum().clamp(min=1)
    moved = _absolute(said, planes, weights, LidPlane.CORNER_DX) + _absolute(
        said, planes, weights, LidPlane.CORNER_DY
    )
    return 6 * floor + corner + 0.5 * moved / near


def _focal(said: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Penalty-reduced focal loss for peaks (as in CenterNet)."""
    sure = torch.sigmoid(said).clamp(1e-5, 1 - 1e-5)
    peak = (wanted > 0.999).float()
    hit = peak * (1 - sure) ** 2 * torch.log(sure)
    miss = (1 - peak) * (1 - wanted) ** 4 * sure**2 * torch.log(1 - sure)
    return -((hit + miss) * weight).sum() / (peak * weight).sum().clamp(min=1)


def _absolute(said: Tensor, planes: Tensor, weights: Tensor, plane: int) -> Tensor:
    return (weights[:, plane] * (said[:, plane] - planes[:, plane]).abs()).sum()


def fit(
    network: nn.Module,
    loss: Callable[[Tensor, Tensor, Tensor], Tensor],
    views: Callable[[Generator], View],
    steps: int,
    options: argparse.Namespace,
    keep: Callable[[nn.Module], None],
) -> None:
    """Learn for a number of steps; the rate rises, then falls along a cosine. Kept is a running mean."""
    rng = default_rng(options.seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-4)
    network.train().to(memory_format=torch.channels_last)  # half as fast again on a processor
    steady = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(0.996), use_buffers=True)
    started, mean = time.monotonic(), 0.0
    for step in range(steps):
        falling = 0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2
        rate = options.rate * min(1, (step + 1) / 100) * falling
        for group in optimiser.param_groups:
            group["lr"] = rate
        pictures, planes, weights = stack([views(rng) for _ in range(options.batch)])
        seen = torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last)
        value = loss(network(seen), torch.from_numpy(planes), torch.from_numpy(weights))
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimiser.step()
        steady.update_parameters(network)
        mean += (float(value.detach()) - mean) * max(0.01, 1 / (step + 1))
        if step % 100 == 99:
            spent = (time.monotonic() - started) / 60
            print(f"  step {step + 1} of {steps}, {spent:.1f} min, loss {mean:.3f}", flush=True)
        if step % 500 == 499 or step + 1 == steps:
            keep(steady.module)


def train(options: argparse.Namespace) -> None:
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    learn = [scene for folder in options.renders for scene in held_out(load(folder))[0]]
    sources = Sources(in_memory(learn), drawn(options.drawn, options.seed), [])
    print(f"{len(sources.renders)} renders, {len(sources.drawn)} drawn", flush=True)
    if "lid" in options.parts:
        _train_lid(sources, options)
    if "dice" in options.parts:
        _train_dice(sources, options)


def _train_lid(sources: Sources, options: argparse.Namespace) -> None:
    network = lid_network()
    print(f"lid network, {weight_count(network)} weights")
    _resume(network, "lid", options)
    if options.start is not None:
        generators = [default_rng((options.seed, index)) for index in range(96)]
        views = [lid_view(rng, sources.pick_lid(rng)) for rng in generators]
        begin_with(network, options.start, torch.from_numpy(stack(views)[0]))

    def keep(steady: nn.Module) -> None:
        torch.save(steady.state_dict(), options.state / "lid.pt")
        export(steady, options.out.with_name("lid.onnx"), *LID_VIEW)

    fit(network, lid_loss, lambda rng: lid_view(rng, sources.pick_lid(rng)), options.lid_steps, options, keep)


def _train_dice(sources: Sources, options: argparse.Namespace) -> None:
    """First renders and drawings; then, told by that network where faces lie, the photographs too."""
    network = dice_network()
    print(f"dice network, {weight_count(network)} weights")
    _resume(network, "dice", options)

    def keep(steady: nn.Module) -> None:
        torch.save(steady.state_dict(), options.state / "dice.pt")
        export(steady, options.out, *DICE_VIEW)

    learned = options.resume
    for steps in options.steps:
        if learned and options.tray is not None:
            learn, _ = held_out_runs(load(options.tray))
            sources.photographs[:] = in_memory(placed_exactly(learn, options.out))
        fit(network, dice_loss, lambda rng: dice_view(rng, sources.pick(rng)), steps, options, keep)
        options.seed += 1
        learned = True


def score_sets(options: argparse.Namespace) -> None:
    """A table per set; of the renders learned from, only those held out."""
    cv2.setNumThreads(1)
    if options.weights is not None:
        running.WEIGHTS = options.weights
    for folder in options.score:
        scenes = load(folder)
        if options.held_out:
            scenes = (held_out if scenes[0].exact else held_out_runs)(scenes)[1]
        print(f"{folder}: {len(scenes)} pictures")
        for line in score(scenes, own_lid=not options.true_lid, worst=options.worst):
            print(f"  {line}")
        if options.drawings is not None:
            options.drawings.mkdir(parents=True, exist_ok=True)
            for scene in scenes:
                image = scene.picture()
                lid = find_lid(image) if scene.lid is not None else None
                shown = draw_found(image, lid, [c for c in find_dice(image, lid) if c.score > SURE])
                cv2.imwrite(str(options.drawings / f"{scene.path.parent.name}_{scene.path.stem}.png"), shown)


def _resume(network: nn.Module, name: str, options: argparse.Namespace) -> None:
    if options.resume:
        network.load_state_dict(torch.load(options.state / f"{name}.pt"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--renders", type=Path, nargs="+", help="rendered lids with truth.jsonl, to learn from"
    )
    parser.add_argument("--tray", type=Path, help="photographs with labels.json, to learn from")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/finder.onnx"))
    parser.add_argument(
        "--score", type=Path, nargs="+", metavar="SET", help="score on these sets, train nothing"
    )
    parser.add_argument("--weights", type=Path, help="score other weights than the installed ones")
    parser.add_argument("--held-out", action="store_true", help="score only what training leaves out")
    parser.add_argument("--true-lid", action="store_true", help="score the dice with the lid's true place")
    parser.add_argument("--worst", type=int, default=0, help="name the pictures with most faults")
    parser.add_argument("--drawings", type=Path, help="draw what was found into this folder")
    parser.add_argument("--state", type=Path, default=Path("build/finder"), help="where checkpoints go")
    parser.add_argument("--parts", nargs="+", choices=("lid", "dice"), default=("lid", "dice"))
    parser.add_argument("--drawn", type=int, default=2000, help="how many pictures to draw beside them")
    parser.add_argument(
        "--steps", type=int, nargs="+", default=(3000, 5000), help="for the dice network, in rounds"
    )
    parser.add_argument("--lid-steps", type=int, default=8000)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="an earlier lid network's weights to begin with")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoints")
    options = parser.parse_args()
    if options.score:
        score_sets(options)
        return
    options.state.mkdir(parents=True, exist_ok=True)
    train(options)


if __name__ == "__main__":
    main()
