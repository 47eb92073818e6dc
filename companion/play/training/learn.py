"""Learns a judgement by self-play:  python -m companion.play.training.learn OUT.npz [--sheets others]."""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from companion.play.choosing import Judging
from companion.play.features import POINTS, ROW_CODES, Features, possible_codes
from companion.play.games import Index
from companion.play.judgement import Array, Judgement, JudgementNetwork, read_network, write_network
from companion.play.levels import Wavering
from companion.play.players import Player
from companion.play.strategies import FewestSkips, FourWeights
from companion.play.training.self_play import Lessons, lessons
from companion.play.training.tables import Tables, original, other_sheets

HIDDEN, SECOND = 64, 32
ROUNDS = 14
KEPT_ROUNDS = 3
SHARE = 0.5  # of the positions of a round are learnt from: neighbours tell the same
BATCH = 2048
RATE, LAST_RATE = 2e-3, 1e-4
RATE_AGAIN = 1e-3  # of a network that has learnt before
WAVERS = 6.0  # points


class Learner(nn.Module):
    """The network of `Network`, as PyTorch learns it."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.EmbeddingBag(ROW_CODES, HIDDEN, mode="sum")
        self.others = nn.EmbeddingBag(ROW_CODES, HIDDEN, mode="sum")
        for table in (self.own, self.others):
            nn.init.normal_(table.weight, std=0.05)
            with torch.no_grad():
                table.weight[~torch.from_numpy(possible_codes())] = 0  # noughts take no room in the file
        self.numbers = nn.Linear(Features.SIZE, HIDDEN)
        self.second = nn.Linear(HIDDEN, SECOND)
        self.third = nn.Linear(SECOND, 3)

    def forward(self, own: torch.Tensor, others: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        hidden = self.numbers(numbers) + self.own(own)
        if others.shape[1]:
            hidden = hidden + self.others(others)
        answer: torch.Tensor = self.third(torch.relu(self.second(torch.relu(hidden))))
        return answer

    def take(self, network: JudgementNetwork) -> None:
        """Go on from what was learnt before."""
        kept = (
            (self.own.weight, network.own),
            (self.others.weight, network.others),
            (self.numbers.weight, network.numbers.T),
            (self.numbers.bias, network.bias),
            (self.second.weight, network.second.T),
            (self.second.bias, network.second_bias),
            (self.third.weight, network.third.T),
            (self.third.bias, network.third_bias),
        )
        with torch.no_grad():
            for parameter, array in kept:
                parameter.copy_(torch.from_numpy(array.copy()))

    def network(self) -> JudgementNetwork:
        def array(tensor: torch.Tensor) -> Array:
            return tensor.detach().numpy().copy()

        return JudgementNetwork(
            array(self.own.weight),
            array(self.others.weight),
            array(self.numbers.weight.T),
            array(self.numbers.bias),
            array(self.second.weight.T),
            array(self.second.bias),
            array(self.third.weight.T),
            array(self.third.bias),
        )


def loss_of(learner: Learner, part: Lessons, index: Index) -> torch.Tensor:
    numbers = part.seen.numbers[index]
    answer = learner(
        torch.from_numpy(part.seen.own[index].astype(np.int64)),
        torch.from_numpy(part.seen.others[index].astype(np.int64)),
        torch.from_numpy(numbers),
    )
    came = torch.from_numpy(part.came[index])
    points = came[:, 0] / POINTS - torch.from_numpy(numbers[:, Features.SCORE])
    margin = came[:, 1] / POINTS - torch.from_numpy(numbers[:, Features.AHEAD])
    loss = nn.functional.mse_loss(answer[:, 0], points)
    if part.seen.others.shape[1]:
        loss = loss + nn.functional.mse_loss(answer[:, 1], margin)
        loss = loss + 0.3 * nn.functional.binary_cross_entropy_with_logits(answer[:, 2], came[:, 2])
    return loss


def batches(parts: list[Lessons], rng: np.random.Generator) -> Iterator[tuple[Lessons, Index]]:
    """A share of the positions, in batches of one kind of table, in any order."""
    found = []
    for part in parts:
        order = rng.permutation(len(part.came))
        taken = int(SHARE * len(order))
        found += [(part, order[start : start + BATCH]) for start in range(0, taken, BATCH)]
    rng.shuffle(found)  # type: ignore[arg-type]
    yield from found


def players_of(learner: Learner | None, rng: np.random.Generator) -> tuple[Judgement | None, list[Player]]:
    """Who plays a round: at first known strategies, then what was learnt, sure and wavering."""
    if learner is None:
        return None, [Judging(Wavering(FourWeights(), 0.15, rng)), FewestSkips(), Judging(FourWeights())]
    judgement = Judgement(learner.network())
    sure, wavering = Judging(judgement), Judging(Wavering(judgement, WAVERS, rng))
    return judgement, [sure, wavering, sure, wavering, Judging(FourWeights())]


def learn(
    out: Path, rounds: int, tables: Tables, seed: int, start: Path | None = None, times: int = 1
) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # small batches: more threads only wait for each other
    rng, learner = np.random.default_rng(seed), Learner()
    if start is not None:
        learner.take(read_network(start))
    rate = RATE if start is None else RATE_AGAIN
    optimiser = torch.optim.Adam(learner.parameters(), lr=rate)
    kept: list[list[Lessons]] = []
    for number in range(rounds):
        began = time.monotonic()
        judgement, players = players_of(learner if number or start else None, rng)
        fresh = [lessons(kind, judgement, players, games, rng) for kind, games in tables(rng)]
        kept = [*kept, fresh][-KEPT_ROUNDS:] if number > 1 else [fresh]
        for group in optimiser.param_groups:
            group["lr"] = rate * (LAST_RATE / rate) ** (number / max(1, rounds - 1))
        total, steps = 0.0, 0
        for part, index in batches([part for each in kept for part in each] * times, rng):
            optimiser.zero_grad()
            loss = loss_of(learner, part, index)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            total, steps = total + loss.item(), steps + 1
        write_network(learner.network(), out)
        print(
            f"round {number + 1} of {rounds}: loss {total / steps:.4f}, {time.monotonic() - began:.0f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sheets", choices=("original", "others"), default="original")
    parser.add_argument("--start", type=Path, help="a network that has learnt before")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--times", type=int, default=1, help="that a round's lessons are gone through")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tables = original if options.sheets == "original" else other_sheets
    learn(options.out, options.rounds, tables, options.seed, options.start, options.times)


if __name__ == "__main__":
    main()
