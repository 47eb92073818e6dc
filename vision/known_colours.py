"""Dice given their colours at a calibrated table, where all six have been seen before. Measures nothing."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import cv2
import numpy as np

from vision.calibration import DieSample, Lab
from vision.colour import UNEXPECTED, Assignment, Body, Numbers, linear, weigh
from vision.reading import DieColour

DARKEST = 0.012  # in linear light: below it a channel says nothing
BRIGHTNESS, TINT = 0.3, 0.11  # how far a die strays from its sample, in natural logarithms
LIGHT_BRIGHTNESS, LIGHT_TINT = 0.5, 0.12  # how far the light of all dice together strays
TAILS = 4.0
SOFTNESS = 1.0


def assign_known(
    bodies: Sequence[Body], expected: Sequence[DieColour], samples: Sequence[DieSample]
) -> Assignment:
    """The likeliest colours of at most as many dice as were calibrated, in a light changed for all alike."""
    n, wanted = len(bodies), Counter(expected)
    if n == 0 or n > len(samples):
        return Assignment((DieColour.OTHER,) * n, (0.0,) * n, n == 0 and not wanted)
    seen = np.log(np.array([b.numbers for b in bodies]) + DARKEST)
    kept = np.log(np.array([in_linear_light(s.body) for s in samples]) + DARKEST)
    orders = np.array(list(permutations(range(len(samples)), n)))
    away = (seen[:, None] - kept[None])[np.arange(n), orders]  # orders x dice x channels
    likelihoods = _likelihoods(away)
    found: dict[tuple[DieColour, ...], tuple[float, bool]] = {}
    for order, likelihood in zip(orders.tolist(), likelihoods.tolist(), strict=True):
        colours = tuple(samples[i].colour for i in order)
        strange = sum((Counter(colours) - wanted).values())
        score = likelihood - UNEXPECTED * strange
        if colours not in found or score > found[colours][0]:
            found[colours] = score, strange == 0
    return weigh([(score, fits, colours) for colours, (score, fits) in found.items()], n, SOFTNESS)


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
