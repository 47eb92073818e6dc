"""Trains the small network that sees whether a die leans, and where its foot is.

    python -m vision.training.leaning --renders DIR --out vision/weights/leaning.onnx

Input: crops as vision/leaning.py takes them, a die with half its edge around. Output: the way from the middle
of the face to the middle of the opposite one, in edges, and how likely the die leans. Half of the dice are
drawn by the simulated table's painter, standing and leaning at all angles; the others are rendered lids.
"""

import argparse
import copy
import json
import math
import pickle
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.halves import halved
from vision.leaning import CROP, SPAN
from vision.pips import crop_square, normalised
from vision.reading import ALL_SIX
from vision.simulation.dice import FACES, Stand, draw, face_axis
from vision.simulation.geometry import Optics, Place, look_down, turn, turn_z
from vision.simulation.scene import Painter
from vision.simulation.style import style_of, view_of
from vision.training.facedata import Eye

PATCH, EDGE = 80, 20.0  # pixels kept round a die, and of its edge in them
LEANS_FROM = 9.0  # degrees
WIDTHS = (3, 20, 28, 40, 56)


@dataclass
class Patch:
    image: np.ndarray
    corners: np.ndarray  # of the face, in the patch
    foot: np.ndarray  # way to the opposite face's middle, in patch pixels (NaN if unknown)
    leans: bool
    held_back: bool
    rendered: bool = False


def cut(image, corners, foot, leans):
    corners = np.asarray(corners, float)
    x, y = corners.mean(0)
    # the longest side: a face seen aslant is short one way
    edge = max(float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()), 1.0)
    scale = EDGE / edge
    matrix = np.array([[scale, 0, PATCH / 2 - 0.5 - scale * x], [0, scale, PATCH / 2 - 0.5 - scale * y]])
    if scale < 0.7:
        blurred = cv2.GaussianBlur(image, (0, 0), 0.45 / scale)
        patch = cv2.warpAffine(blurred, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    else:
        patch = cv2.warpAffine(image, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    return Patch(patch, corners @ matrix[:, :2].T + matrix[:, 2], np.asarray(foot) * scale, leans, False)


# ---------------------------------------------------------------- dice drawn here


def drawn_patches(tables, pictures, first_seed):
    """Dice standing and leaning at any angle, in lids of any kind; each tenth table is held back."""
    patches = []
    for seed in range(first_seed, first_seed + tables):
        rng = np.random.default_rng(seed)
        style = style_of(rng)
        size = [(800, 600), (640, 480), (720, 540)][seed % 3]
        scene = Painter(style, anyhow_seen(rng, style, size)).scene(Place())
        for _ in range(pictures):
            image = scene.image.copy()
            stands, tilts = thrown_anyhow(rng, style)
            draw(image, scene, style, stands, 2)
            noise = rng.normal(0, style.noise, image.shape)
            image = np.clip(image + noise, 0, 255).astype(np.uint8)
            new = [seen_patch(rng, image, (scene, style), *die) for die in zip(stands, tilts, strict=True)]
            for patch in new:
                patch.held_back = seed % 10 == 9
            patches += new
    return patches


def anyhow_seen(rng, style, size):
    """A camera mounted as usual, or leaning as far as anybody would mount it."""
    usual = view_of(rng, style.box, *size)
    if rng.random() < 0.6:
        return usual
    optics = Optics(*size, usual.focal, rng.uniform(0, 2 * math.pi))
    lean, way = math.radians(rng.uniform(7, 30)), rng.uniform(0, 2 * math.pi)
    return look_down(float(usual.centre[2]) * rng.uniform(0.9, 1.1), lean, way, (0.0, 0.0), optics)


def thrown_anyhow(rng, style):
    """Six dice, each flat or leaning by 10 to 45 degrees about any axis; many stand side by side."""
    edge = style.dice.edge
    stands, tilts, yaws = [], [], []
    for colour in ALL_SIX:
        yaw, tilt = rng.uniform(0, 2 * math.pi), 0.0
        if rng.random() < 0.42:
            tilt = math.radians(rng.uniform(10, 45))
        beside = int(rng.integers(len(stands))) if stands and rng.random() < 0.5 else None
        if beside is not None:
            yaw = yaws[beside] + rng.integers(4) * math.pi / 2 + rng.normal(0, 0.05)
        place = place_for(rng, style, [stand.centre for stand in stands], beside, yaw)
        around = rng.uniform(0, 2 * math.pi)
        if rng.random() < 0.7:  # one edge stays on the floor
            around = rng.integers(4) * math.pi / 2
        lean = turn(np.array([math.cos(around), math.sin(around), 0]), tilt)
        # it leans about its own sides, then it is turned on the floor
        turned = (turn_z(yaw) @ lean @ with_top(rng, style)).astype(np.float32)
        height = float(np.abs(turned[2]).sum()) * edge / 2
        stands.append(Stand(colour, np.array([*place, height], np.float32), turned))
        tilts.append(math.degrees(tilt))
        yaws.append(yaw)
    return stands, tilts


def place_for(rng, style, others, beside, yaw):
    """Somewhere in the lid away from the others, or at one of the four sides of another die."""
    edge, box = style.dice.edge, style.box
    room = np.array([box.length, box.width]) / 2 - 0.62 * edge
    for trial in range(300):
        place = rng.uniform(-room, room)
        nearest = 1.45
        if beside is not None and trial < 12:
            way = yaw + rng.integers(4) * math.pi / 2
            along = rng.normal(0, 0.25)
            off = np.array([math.cos(way), math.sin(way)]) * rng.uniform(1.03, 1.3)
            off += np.array([-math.sin(way), math.cos(way)]) * along
            place, nearest = others[beside][:2] + off * edge, 1.0
            if (np.abs(place) > room).any():
                continue
        if all(math.dist(place, other[:2]) > nearest * edge for other in others):
            break
    return place


def with_top(rng, style):
    """A cube turned so that one of its faces is up, any of the four ways."""
    axis, sign = face_axis(int(rng.integers(1, 7)), style.dice.left_handed)
    quarter = turn_z(rng.integers(4) * math.pi / 2)
    if axis == 2:
        return quarter if sign > 0 else quarter @ turn(np.array([1.0, 0, 0]), math.pi)
    to_top = np.zeros(3)
    to_top[axis] = sign
    return quarter @ turn(np.cross(to_top, [0, 0, 1]), math.pi / 2)


def seen_patch(rng, image, drawn, stand, tilt):
    """A patch of one die, now and then centred on its second face, as a finder may take it."""
    scene, style = drawn
    half = style.dice.edge / 2
    ups = sorted(FACES, key=lambda p: -up_of(stand, style, p)[2])
    up = up_of(stand, style, ups[1] if tilt > 28 and rng.random() < 0.3 else ups[0])
    sides = [stand.turned[:, a] for a in range(3) if abs(stand.turned[:, a] @ up) < 0.5]
    around = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [stand.centre + (up + a * sides[0] + b * sides[1]) * half for a, b in around]
    middle, below = scene.view.project(np.array([stand.centre + up * half, stand.centre - up * half]))
    return cut(image, scene.view.project(np.array(corners)), below - middle, tilt > LEANS_FROM)


def up_of(stand, style, pips):
    axis, sign = face_axis(pips, style.dice.left_handed)
    return stand.turned[:, axis] * sign


# ---------------------------------------------------------------- rendered lids


def render_patches(folder):
    """Dice of rendered lids; a leaning die's foot follows from its face's corners."""
    patches = []
    for number, line in enumerate((folder / "truth.jsonl").read_text().splitlines()):
        truth = json.loads(line)
        image = cv2.imread(str(folder / truth["file"]))
        if image is None:
            continue
        eye = Eye(truth)
        for die in truth["dice"]:
            if not die["in_frame"] or die["state"] not in {"flat", "cocked"} or die.get("visible", 1) < 0.75:
                continue
            leans = die["state"] == "cocked" and die["tilt_deg"] > LEANS_FROM
            foot = leaning_foot(eye, die) if leans else eye.foot(die["x"], die["y"], die["size_mm"])
            patch = cut(image, die["corners"], foot, leans)
            patch.held_back, patch.rendered = number % 10 == 9, True
            patches.append(patch)
    return patches


def leaning_foot(eye, die):
    """The opposite face's middle, from the pose of the seen face."""
    half = die["size_mm"] / 2
    face = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    corners = np.array(die["corners"], float)
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        face, corners, eye.matrix, eye.bend, flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    best, way = math.inf, np.full(2, np.nan)
    for turned, shift in zip(turns[:count], shifts[:count], strict=True):
        normal = eye.turn.T @ cv2.Rodrigues(turned)[0][:, 2] * eye.up
        tilt = math.degrees(math.acos(float(np.clip(abs(normal[2]), 0, 1))))
        inward = -np.sign(float(cv2.Rodrigues(turned)[0][:, 2] @ shift.ravel()))
        deep = np.array([[0, 0, 0], [0, 0, -inward * die["size_mm"]]])
        seen, _ = cv2.projectPoints(deep, turned, shift, eye.matrix, eye.bend)
        if abs(tilt - die["tilt_deg"]) < best:
            best, way = abs(tilt - die["tilt_deg"]), seen[1, 0] - seen[0, 0]
    return way


# ---------------------------------------------------------------- learning


class LeanNet(nn.Module):
    """Four convolutions and two layers: 60,000 numbers."""

    def __init__(self):
        super().__init__()
        layers = []
        for i, (a, b) in enumerate(pairwise(WIDTHS)):
            layers += [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
            if i < 3:
                layers += [nn.MaxPool2d(2)]
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Linear(WIDTHS[-1] * (CROP // 8) ** 2, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.head(torch.flatten(self.body(x), 1))

    def learning(self, x):
        """The same, half as precise in the body and twice as fast."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            seen = self.body(x.to(memory_format=torch.channels_last))
        return self.head(torch.flatten(seen.float().contiguous(), 1))


def view_of_patch(patch, rng):
    """One crop, as a finder's face would cut it, and its labels."""
    wobble = 0.12 if patch.leans else 0.05
    centre = patch.corners.mean(0) + rng.normal(0, wobble * EDGE, 2)
    side = patch.corners[1] - patch.corners[0]
    angle = math.atan2(side[1], side[0]) + rng.integers(4) * math.pi / 2 + rng.normal(0, 0.12)
    size = EDGE * math.exp(rng.normal(0.05 if patch.leans else 0.0, 0.07))
    c, s = math.cos(angle) * size / 2, math.sin(angle) * size / 2
    corners = np.array(
        [
            (centre[0] + a * c - b * s, centre[1] + a * s + b * c)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), crop_square(CROP, SPAN))
    crop = cv2.warpPerspective(patch.image, matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    foot = matrix[:2, :2] @ patch.foot * SPAN / CROP  # in edges of the square that was cut
    if rng.random() < 0.5:
        crop, foot = np.ascontiguousarray(crop[:, ::-1]), foot * (-1, 1)
    return crop, foot


def batch(patches, rng, count, chances):
    chosen = rng.choice(len(patches), count, p=chances)
    crops, feet = zip(*(view_of_patch(patches[i], rng) for i in chosen), strict=True)
    crops = np.stack([disturbed(crop, rng) for crop in crops])
    leans = np.array([patches[i].leans for i in chosen], np.float32)
    return normalised(list(crops)), np.array(feet, np.float32), leans


def disturbed(crop, rng):
    """Other colours, light, noise and blur: it must see shapes."""
    x = crop.astype(np.float32)
    if rng.random() < 0.8:
        mix = np.eye(3)[rng.permutation(3)] if rng.random() < 0.5 else rng.dirichlet((0.6, 0.6, 0.6), 3)
        x = x @ mix.T.astype(np.float32)
    if rng.random() < 0.3:
        x = 255 - x
    ramp = np.linspace(-1, 1, CROP, dtype=np.float32) * rng.normal(0, 0.15)
    x = x * (rng.uniform(0.6, 1.15) + (ramp[:, None] if rng.random() < 0.5 else ramp[None, :]))[..., None]
    if rng.random() < 0.4:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.1))
    x += rng.normal(0, rng.uniform(0, 7), x.shape)
    return np.clip(x, 0, 255).astype(np.uint8)


def loss_of(out, feet, leans):
    known = ~torch.isnan(feet[:, 0])
    away = nn.functional.smooth_l1_loss(out[known, :2], feet[known], beta=0.05)
    return 4 * away + 0.5 * nn.functional.binary_cross_entropy_with_logits(out[:, 2], leans)


def train(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    start = time.time()
    if options.keep is not None and options.keep.exists():
        drawn, renders = pickle.loads(options.keep.read_bytes())
        for patch in renders:
            patch.rendered = True
    else:
        drawn = drawn_patches(options.tables, options.pictures, 5000)
        renders = [patch for folder in options.renders for patch in render_patches(folder)]
        if options.keep is not None:
            options.keep.write_bytes(pickle.dumps((drawn, renders)))
    print(f"{len(drawn)} drawn, {len(renders)} rendered dice in {time.time() - start:.0f} s", flush=True)
    patches = [p for p in drawn + renders if not p.held_back]
    # leaning dice are rare, rendered ones very
    leaning = np.array([p.leans for p in patches])
    rendered = np.array([p.rendered for p in patches])
    weights = np.where(leaning, 1.0 / leaning.sum(), 1.4 / (~leaning).sum())
    weights[leaning & rendered] = 0.5 / max(1, (leaning & rendered).sum())
    net = LeanNet()
    print(f"{sum(p.numel() for p in net.parameters())} numbers", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, options.steps, pct_start=0.15)
    for step in range(1, options.steps + 1):
        crops, feet, leans = batch(patches, rng, options.batch, weights / weights.sum())
        loss = loss_of(net.learning(torch.from_numpy(crops)), torch.from_numpy(feet), torch.from_numpy(leans))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % options.tell == 0 or step == options.steps:
            print(f"step {step} loss {loss.item():.3f} {time.time() - start:.0f} s", flush=True)
            export(net, options.out)
            for name, some in (("drawn", drawn), ("rendered", renders)):
                score(net, name, [p for p in some if p.held_back])


@torch.no_grad()
def score(net, name, patches):
    """How far feet are off, and how leaning dice part from standing ones."""
    if not patches:
        return
    net.eval()
    rng = np.random.default_rng(7)
    views = [view_of_patch(patch, rng) for patch in patches]
    out = net(torch.from_numpy(normalised([crop for crop, _ in views]))).numpy()
    net.train()
    feet, leans = np.array([foot for _, foot in views]), np.array([p.leans for p in patches])
    off = np.linalg.norm(out[:, :2] - feet, axis=1)
    for what, some in (("standing", ~leans), ("leaning", leans)):
        if some.any():
            away = np.nanpercentile(off[some], [50, 90, 99]).round(3)
            logits = np.percentile(out[some, 2], [1, 5, 50, 95, 99]).round(2)
            print(f"  {name:9} {what:9} {some.sum():5} foot off {away} says {logits}", flush=True)


def export(net, out):
    """Plain operations only, so that OpenCV 4.6 to 5.0 read it."""
    net = copy.deepcopy(net).to(memory_format=torch.contiguous_format).eval()
    layers = []
    for layer in net.body:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = nn.utils.fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    plain = nn.Sequential(*layers, nn.Flatten(), *net.head).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        plain,
        (torch.zeros(1, 3, CROP, CROP),),
        str(out),
        input_names=["crops"],
        output_names=["leaning"],
        dynamic_axes={"crops": {0: "n"}, "leaning": {0: "n"}},
        opset_version=12,
        dynamo=False,
    )
    out.write_bytes(halved(out.read_bytes()))


def main():
    parser = argparse.ArgumentParser(description="Trains the network that sees leaning dice.")
    parser.add_argument("--renders", nargs="*", type=Path, default=[], help="folders with truth.jsonl")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/leaning.onnx"))
    parser.add_argument("--tables", type=int, default=60, help="simulated tables to draw")
    parser.add_argument("--pictures", type=int, default=8, help="throws on each")
    parser.add_argument("--keep", type=Path, help="a file of our own that keeps the dice between runs")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--steps", type=int, default=5500)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--tell", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
