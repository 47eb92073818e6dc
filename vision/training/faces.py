"""Trains the small network that reads a face: `python -m vision.training.faces --renders DIR --tray DIR --out FILE`.

Input: 36x36 crops, each less its mean and over its deviation. Output: six pips and "not the top face of a die, or
nobody can tell", then where the face really lies in the crop and where the die's foot is. Colour-blind: channels are mixed and inverted.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.facedata import EDGE, NOT_A_FACE, PATCH, load, wiped

SIZE, SPAN = 36, 1.7  # a crop's pixels, and its width in face edges
FACE = SIZE / SPAN
WIPED = 0.08  # of the faces lose pips, so that a blank or spoilt face is known as such
PLACES = 7  # shift right and down, log size, cos and sin of four times the turn, right and down to the foot


class FaceNet(nn.Module):
    """Five convolutions and one layer: 45,000 numbers."""

    def __init__(self):
        super().__init__()
        widths, layers = (3, 16, 24, 32, 40, 40), []
        for i, (a, b) in enumerate(zip(widths, widths[1:], strict=False)):
            layers += [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
            if i in (0, 2, 4):
                layers += [nn.MaxPool2d(2)]
        self.body = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(40 * 16, 7 + PLACES)

    def forward(self, x):
        return self.head(self.drop(torch.flatten(self.body(x), 1)))


def sample(patch, rng):
    """A crop of the patch, its label and the place of the face in it (NaN if unknown)."""
    corners, label, exact = patch.corners, patch.label, patch.exact
    middle = corners.mean(0)
    far = rng.random() < 0.28
    image = patch.image
    if not far and label != NOT_A_FACE and len(patch.pips) and rng.random() < WIPED:
        image, label = wiped(patch, rng), NOT_A_FACE
    turn = rng.uniform(0, 360)
    base = np.deg2rad(rng.uniform(0, 90))
    if exact:
        side = corners[1] - corners[0]
        base = np.arctan2(side[1], side[0])
    tilt = (
        np.deg2rad(turn)
        if rng.random() < 0.5 or not exact
        else np.deg2rad(90 * rng.integers(4) + rng.normal(0, 4))
    )
    scale = np.exp(rng.normal(0, 0.07 if exact else 0.1))
    shift = rng.normal(0, 0.06 if exact else 0.07, 2)
    if far:
        kind = rng.random()
        if kind < 0.8:
            a, r = rng.uniform(0, 2 * np.pi), rng.uniform(0.36, 0.95)
            shift = r * np.array([np.cos(a), np.sin(a)])
        else:
            scale = rng.choice([rng.uniform(0.45, 0.6), rng.uniform(1.6, 1.9)])
    at = middle + shift * EDGE
    if (
        far
        and abs(np.log(scale)) < 0.4
        and len(patch.others)
        and np.hypot(*(patch.others - at).T).min() < 0.36 * EDGE
    ):
        return None
    if far:
        label = NOT_A_FACE
    # picture to crop: rectify by the true corners (small shear), then turn and scale
    frame = np.eye(2)
    if exact and rng.random() < 0.6:
        s1, s2 = corners[1] - corners[0], corners[3] - corners[0]
        frame = np.linalg.inv(np.stack([s1, s2], 1)) * EDGE
        c, s = np.cos(base), np.sin(base)
        frame = np.array([[c, -s], [s, c]]) @ frame
        if np.linalg.det(frame) < 0:
            frame = np.eye(2)
    stretch = np.exp(rng.normal(0, 0.03, 2))
    c, s = np.cos(tilt - base), np.sin(tilt - base)
    linear = np.diag(stretch) @ np.array([[c, -s], [s, c]]) @ frame * (FACE / EDGE / scale)
    if rng.random() < 0.5:
        linear = np.diag([-1.0, 1.0]) @ linear
    matrix = np.hstack([linear, (np.full(2, (SIZE - 1) / 2) - linear @ at)[:, None]])
    crop = cv2.warpAffine(
        image, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    place = np.full(PLACES, np.nan, np.float32)
    if exact and not far and label != NOT_A_FACE:
        seen = corners @ linear.T + matrix[:, 2]
        mid = (seen.mean(0) - (SIZE - 1) / 2) / FACE
        side = seen[1] - seen[0]
        angle = 4 * np.arctan2(side[1], side[0])
        size = np.log(np.sqrt(abs(cv2.contourArea(np.float32(seen)))) / FACE)
        place[:] = [*mid, size, np.cos(angle), np.sin(angle), *(linear @ patch.foot / FACE)]
    return crop, label, place


def disturb(crops, rng):
    """Colours mixed and inverted, light, glare, shadow, blur, noise; then each crop normalised."""
    x = crops.astype(np.float32) / 255
    n = len(x)
    mix = rng.dirichlet([0.35, 0.35, 0.35], (n, 3)).astype(np.float32)
    keep = rng.random(n) < 0.35
    mix[keep] = np.eye(3, dtype=np.float32)[rng.permuted(np.tile(np.arange(3), (keep.sum(), 1)), axis=1)]
    x = np.einsum("nhwc,nkc->nhwk", x, mix)
    x = np.power(np.clip(x, 0, 1), np.exp(rng.normal(0, 0.25, (n, 1, 1, 1))).astype(np.float32))
    grid = np.linspace(-1, 1, SIZE, dtype=np.float32)
    gx, gy = np.meshgrid(grid, grid)
    for i in range(n):
        kind = rng.random()
        a, r = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
        across = gx * np.cos(a) + gy * np.sin(a) - r
        if kind < 0.15:  # the edge of a shadow
            x[i] *= (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-across * rng.uniform(4, 30))))[..., None]
        elif kind < 0.3:  # a veil of glare
            x[i] += rng.uniform(0.1, 0.45) * np.exp(-((across / rng.uniform(0.2, 0.8)) ** 2))[..., None]
        elif kind < 0.42:  # a small gleam
            cx, cy, w = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.04, 0.14)
            x[i] += rng.uniform(0.2, 0.8) * np.exp(-((gx - cx) ** 2 + (gy - cy) ** 2) / w**2)[..., None]
        if rng.random() < 0.35:
            x[i] = cv2.GaussianBlur(x[i], (0, 0), rng.uniform(0.4, 1.2))
        if rng.random() < 0.2:
            small = int(rng.integers(16, 28))
            x[i] = cv2.resize(cv2.resize(x[i], (small, small), interpolation=cv2.INTER_AREA), (SIZE, SIZE))
    x = np.clip(x, 0, 1)
    x += rng.normal(0, 1, x.shape).astype(np.float32) * rng.choice([0, 0.01, 0.03], (n, 1, 1, 1)).astype(
        np.float32
    )
    flip = rng.random(n) < 0.5
    x[flip] = 1 - x[flip]
    return normalised(x)


def normalised(x):
    """As vision/pips.py does before the network: each crop less its mean and over its deviation."""
    mean = x.mean((1, 2, 3), keepdims=True)
    dev = x.std((1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((x - mean) / (dev + 0.02)).transpose(0, 3, 1, 2).astype(np.float32))


def batch(patches, rng, size, weights):
    crops, labels, places = [], [], []
    while len(crops) < size:
        for i in rng.choice(len(patches), size - len(crops), p=weights):
            made = sample(patches[i], rng)
            if made:
                crops.append(made[0])
                labels.append(made[1])
                places.append(made[2])
    return np.stack(crops), np.array(labels), np.stack(places)


def loss_of(out, labels, places):
    loss = nn.functional.cross_entropy(out[:, :7], labels)
    known = ~torch.isnan(places[:, 0])
    if known.any():
        away = out[known, 7:] - places[known]
        away = torch.where(torch.isnan(away), torch.zeros_like(away), away)
        weight = torch.tensor([4.0, 4.0, 4.0, 0.5, 0.5, 4.0, 4.0])
        loss = loss + nn.functional.smooth_l1_loss(away * weight, torch.zeros_like(away), beta=0.2)
    return loss


def measure(net, held):
    """Held-back pictures: how often right, how often wrong and sure of it, and the temperature that fits best."""
    net.eval()
    crops, labels, places = held
    with torch.no_grad():
        out = net(torch.from_numpy(normalised(crops.astype(np.float32) / 255)))
    logits, truth = out[:, :7], torch.from_numpy(labels)
    said = logits.argmax(1)
    sure = logits.softmax(1).max(1).values
    face = truth < NOT_A_FACE
    wrong = (said != truth) & (said < NOT_A_FACE)
    temperatures = np.arange(0.5, 3.0, 0.05)
    fits = [float(nn.functional.cross_entropy(logits / t, truth)) for t in temperatures]
    known = ~np.isnan(places[:, 0])
    away = (
        (out.numpy()[known][:, [7, 8, 9, 12, 13]] - places[known][:, [0, 1, 2, 5, 6]])
        if known.any()
        else np.zeros((1, 5))
    )
    net.train()
    return (
        f"faces right {100 * (said == truth)[face].float().mean():.2f} %  not a face right"
        f" {100 * (said == truth)[~face].float().mean():.2f} %  misread {int((wrong & face).sum())}/{int(face.sum())}"
        f"  phantom {int((wrong & ~face).sum())}/{int((~face).sum())}  wrong above 0.9"
        f" {int((wrong & (sure > 0.9)).sum())}  temperature {temperatures[int(np.argmin(fits))]:.2f}"
        f"  place off {np.nanmean(np.abs(away), 0).round(3)}"
    )


def train(options):
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    patches = [p for p in load(options.renders, options.tray) if p.label >= 0]
    kept = [p for p in patches if p.held_back]
    patches = [p for p in patches if not p.held_back]
    weights = np.array([0.7 if p.label == NOT_A_FACE else 1.0 for p in patches])
    weights /= weights.sum()
    print(f"{len(patches)} patches to learn from, {len(kept)} held back, {PATCH} pixels wide", flush=True)
    hold = np.random.default_rng(5)
    sets = {}
    for name, exact in (("renders", True), ("tray", False)):
        group = [p for p in kept if p.exact is exact and (exact or p.label != NOT_A_FACE)]
        if group:
            sets[name] = batch(group, hold, 2 * len(group), np.full(len(group), 1 / len(group)))
    net = FaceNet()
    print(sum(p.numel() for p in net.parameters()), "numbers", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=2e-3)
    steps = options.steps
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps, pct_start=0.15)
    start = time.monotonic()
    for step in range(steps):
        crops, labels, places = batch(patches, rng, 256, weights)
        out = net(torch.from_numpy(disturb(crops, rng)))
        loss = loss_of(out, torch.from_numpy(labels), torch.from_numpy(places))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 250 == 249 or step == steps - 1:
            print(f"{step + 1} steps, {time.monotonic() - start:.0f} s, loss {loss.item():.3f}", flush=True)
            for name, held in sets.items():
                print(f"  {name}: {measure(net, held)}", flush=True)
            export(net, options.out)
    net.eval()
    return net


def folded(net):
    """The same network with every batch normalisation folded into the convolution before it."""
    layers, previous = [], None
    for layer in net.body:
        if isinstance(layer, nn.BatchNorm2d):
            previous = nn.utils.fuse_conv_bn_eval(previous.eval(), layer.eval())
            layers[-1] = previous
        else:
            layers.append(layer)
            previous = layer
    return nn.Sequential(*layers, nn.Flatten(), net.head)


def export(net, out):
    """Plain operations only, so that OpenCV 4.6 to 5.0 read it."""
    import copy  # noqa: PLC0415

    plain = folded(copy.deepcopy(net).eval()).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        plain,
        (torch.zeros(1, 3, SIZE, SIZE),),
        str(out),
        input_names=["crops"],
        output_names=["faces"],
        dynamic_axes={"crops": {0: "n"}, "faces": {0: "n"}},
        opset_version=12,
        dynamo=False,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renders", nargs="+", type=Path, required=True, help="folders with truth.jsonl")
    parser.add_argument("--tray", type=Path, help="folder with labels.json")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    net = train(options)
    export(net, options.out)
    print(f"wrote {options.out}, {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
