"""Dice given their colours at a calibrated table, where all six have been seen before. Measures nothing."""

from collections.abc import Sequence
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.bodies import (
    HARD_TO_SAY,
    PALETTE,
    Assignment,
    Body,
    Ways,
    linear,
    shade_of,
    weighed,
)
from vision.image.arrays import Numbers
from vision.memory.calibration import DieSample, Lab
from vision.reading import DieColour

DARKEST = 0.012  # in linear light: below it a channel says nothing
BRIGHTNESS, TINT = 0.3, 0.11  # how far a die strays from its sample, in natural logarithms
LIGHT_BRIGHTNESS, LIGHT_TINT = 0.5, 0.12  # how far the light of all dice together strays
OTHER_PIPS = 1.3  # what pips of another shade cost, in natural logarithms: one such sign alone is not sure
PLAIN_PIPS = 32.0  # unless they differ from the body by so much, then as now: of 1,900 faces none erred so
PLAINLY_OTHER = 5.0
TAILS = 4.0
SOFTNESS = 1.0


def assign_known(
    bodies: Sequence[Body], expected: Sequence[DieColour], samples: Sequence[DieSample]
) -> Assignment:
    """The likeliest colours of at most as many dice as were calibrated, in a light changed for all alike."""
    return assign_taught(bodies, expected, samples, ())


def assign_taught(
    bodies: Sequence[Body],
    expected: Sequence[DieColour],
    samples: Sequence[DieSample],
    rolls: Sequence[Sequence[DieSample]],
) -> Assignment:
    """The same, where confirmed rolls showed the dice since: as likely as in the lights seen so far."""
    n = len(bodies)
    if not 0 < n <= len(samples):
        return weighed(Ways(np.zeros((0, n), np.int64), np.zeros(0)), expected, SOFTNESS)
    orders = np.array(list(permutations(range(len(samples)), n)), np.int64)
    numbers = np.array([PALETTE.index(s.colour) for s in samples])
    seen = np.log(np.array([b.numbers for b in bodies]) + DARKEST)
    pips = _cost_of_pips(bodies, samples)[np.arange(n), orders].sum(1)
    kept = _in_light(samples)
    lights = [kept, *(_as_in(roll, samples, kept) for roll in rolls)]
    each = [_likelihoods((seen[:, None] - light[None])[np.arange(n), orders]) for light in lights]
    likelihoods = np.logaddexp.reduce(each, axis=0) - np.log(len(each)) - pips
    return weighed(_each_once(numbers[orders], likelihoods), expected, SOFTNESS)


def _in_light(samples: Sequence[DieSample]) -> Numbers:
    """Logarithms of the bodies' colours: dice x channels."""
    return np.asarray(np.log(np.array([in_linear_light(s.body) for s in samples]) + DARKEST))


def _as_in(roll: Sequence[DieSample], samples: Sequence[DieSample], kept: Numbers) -> Numbers:
    """The calibrated dice as they looked in that roll; those not in it changed as the others did."""
    dice, shown = list(roll), list(_in_light(roll))
    now = np.full_like(kept, np.nan)
    for i, sample in enumerate(samples):
        at = next((j for j, die in enumerate(dice) if die.colour is sample.colour), None)
        if at is not None:
            dice.pop(at)
            now[i] = shown.pop(at)
    change = np.nanmean(now - kept, axis=0)
    return np.where(np.isnan(now), kept + change, now)


def _cost_of_pips(bodies: Sequence[Body], samples: Sequence[DieSample]) -> Numbers:
    """For each die and each sample, what it costs that one has dark pips and the other light ones."""
    lighter = np.array([0.0 if b.pips is None else b.pips for b in bodies])
    seen = np.array([shade_of(value) for value in lighter])
    were_lighter = np.array([s.pip.lightness - s.body.lightness for s in samples])
    kept = np.array([shade_of(value) for value in were_lighter])
    told = (seen[:, None] != HARD_TO_SAY) & (kept[None] != HARD_TO_SAY)
    plain = np.minimum(np.abs(lighter)[:, None], np.abs(were_lighter)[None]) > PLAIN_PIPS
    cost = np.where(plain, PLAINLY_OTHER, OTHER_PIPS)
    return np.where(told & (seen[:, None] != kept[None]), cost, 0.0)


def _each_once(colours: NDArray[np.int64], likelihoods: Numbers) -> Ways:
    """Of ways that differ only in which white die is which, the likelier."""
    order = np.argsort(-likelihoods)
    code = colours @ (len(PALETTE) ** np.arange(colours.shape[1]))
    _, first = np.unique(code[order], return_index=True)
    kept = order[first]
    return Ways(colours[kept], likelihoods[kept])


def in_linear_light(colour: Lab) -> Numbers:
    """A measured colour as red, green and blue in linear light."""
    lab = np.array([[[colour.lightness, colour.a, colour.b]]], np.float32)
    shown = cv2.cvtColor(lab, cv2.COLOR_Lab2BGR)[0, 0, ::-1]
    return linear(np.clip(shown, 0, 1))


def _likelihoods(away: Numbers) -> Numbers:
    """How likely each way is, given how far each die is from its sample in each channel."""
    n = away.shape[1]
    light = away.mean(1, keepdims=True)
    brightness, tint = _split(light)
    # the more dice, the surer what they share is the light
    light_brightness = brightness / (1 + (BRIGHTNESS / LIGHT_BRIGHTNESS) ** 2 / n)
    light_tint = tint / (1 + (TINT / LIGHT_TINT) ** 2 / n)
    cost = _tails((light_brightness / LIGHT_BRIGHTNESS) ** 2 + ((light_tint / LIGHT_TINT) ** 2).sum(2))
    b, t = _split(away - light_brightness[..., None] - light_tint)
    cost_of_dice = _tails((b / BRIGHTNESS) ** 2 + ((t / TINT) ** 2).sum(2))
    return np.asarray(-cost[:, 0] - cost_of_dice.sum(1))


def _split(logarithms: Numbers) -> tuple[Numbers, Numbers]:
    brightness = logarithms.mean(2)
    return brightness, logarithms - brightness[..., None]


def _tails(squared: Numbers) -> Numbers:
    return np.asarray(0.5 * (TAILS + 3) * np.log1p(squared / TAILS))
