"""How well lid and dice are found on labelled pictures, as a table. Reads pictures, changes nothing."""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.dice.finder import Candidate, find_dice
from vision.place.lid import Lid, find_lid
from vision.scoring.truth import Image, Points, TrueDie, TrueScene

SURE = 0.4  # candidates below this count neither as found nor as extra
NEAR, NEAR_BOX = 0.3, 0.5  # of an edge: exact labels, and boxes round whole dice


@dataclass(slots=True)
class Tally:
    """What came of one group of pictures."""

    counts: Counter[str] = field(default_factory=Counter)
    sizes: list[float] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    angles: list[float] = field(default_factory=list)
    lids: list[float] = field(default_factory=list)
    lid_ms: list[float] = field(default_factory=list)
    dice_ms: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        c = self.counts
        dice, found = max(1, c["dice"]), max(1, c["found"])
        text = (
            f"{name:20} dice {c['dice']:5} found {100 * c['found'] / dice:5.1f} % extra {c['extra']:3}"
            f" pips {100 * c['pips'] / max(1, c['readable']):5.1f} %"
            f" leaning told {c['leans told']}/{c['leans']} false {c['flat called leaning']}"
            f" place {_middle(self.places):.3f} size {_middle(self.sizes):.3f}"
            f" angle {_middle(self.angles):4.1f}°"
            f" {_middle(self.dice_ms):5.1f} ms"
        )
        if c["lids"]:
            far = sum(error > 0.3 for error in self.lids)
            text += (
                f" | lids {c['lid found']}/{c['lids']} worse than 0.3 edge: {far}"
                f" corner {_middle(self.lids):.3f} p95 {_high(self.lids):.3f} {_middle(self.lid_ms):4.1f} ms"
            )
        return text if found else name


def score(scenes: Sequence[TrueScene], *, own_lid: bool, worst: int) -> list[str]:
    """Lines of a table, one per group; then the pictures with most faults."""
    groups: dict[str, Tally] = defaultdict(Tally)
    faults: list[tuple[int, str]] = []
    for scene in scenes:
        image = scene.picture()
        faults.append(
            (_score_one(scene, image, (groups[scene.group], groups["ALL"]), own_lid=own_lid), scene.path.name)
        )
    lines = [groups[name].line(name) for name in sorted(groups, key=lambda n: (n == "ALL", n))]
    return lines + [
        f"  {name}: {count} faults" for count, name in sorted(faults, reverse=True)[:worst] if count
    ]


def _score_one(scene: TrueScene, image: Image, tallies: tuple[Tally, ...], *, own_lid: bool) -> int:
    lid: Lid | None = None
    if scene.lid is not None:
        lid = _score_lid(scene, image, tallies)
        if not own_lid:
            ring = [(float(x), float(y)) for x, y in scene.lid]
            lid = Lid((ring[0], ring[1], ring[2], ring[3]))
    started = time.thread_time()
    found = [c for c in find_dice(image, lid) if c.score >= SURE]
    spent = 1000 * (time.thread_time() - started)
    for tally in tallies:
        tally.dice_ms.append(spent)
    wanted = [d for d in scene.dice if d.in_lid or scene.lid is None or lid is None]
    return _score_dice(scene, wanted, found, tallies)


def _score_lid(scene: TrueScene, image: Image, tallies: tuple[Tally, ...]) -> Lid | None:
    assert scene.lid is not None
    started = time.thread_time()
    lid = find_lid(image)
    spent = 1000 * (time.thread_time() - started)
    edges = [die.size for die in scene.dice if die.in_lid] or [float(np.ptp(scene.lid[:, 0])) / 12]
    for tally in tallies:
        tally.counts["lids"] += 1
        tally.lid_ms.append(spent)
        if lid is not None:
            tally.counts["lid found"] += 1
            tally.lids.append(corner_error(lid.points, scene.lid) / float(np.median(edges)))
    return lid


def corner_error(seen: Points, true: Points) -> float:
    """The worst corner's distance, whichever corner comes first and whichever way round."""
    turns = [np.roll(way, k, axis=0) for way in (seen, seen[::-1]) for k in range(4)]
    return float(min(np.linalg.norm(turn - true, axis=1).max() for turn in turns))


def _score_dice(
    scene: TrueScene, wanted: list[TrueDie], found: list[Candidate], tallies: tuple[Tally, ...]
) -> int:
    near = NEAR if scene.exact else NEAR_BOX
    pairs = sorted(
        (math.hypot(d.x - c.x, d.y - c.y) / d.size, i, j)
        for i, d in enumerate(wanted)
        for j, c in enumerate(found)
    )
    owner: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance < near and i not in owner and j not in owner.values():
            owner[i] = j
    faults = 0
    for i, die in enumerate(wanted):
        if die.state == "cocked" and i in owner:
            _count(tallies, leans=1, **{"leans told": int(found[owner[i]].flat < 0.5)})
        if not die.readable:
            continue
        _count(tallies, dice=1)
        if i in owner:
            faults += _score_found(die, found[owner[i]], tallies)
        else:
            faults += 1
    doubtful = [d for d in wanted if not d.readable] + [d for d in scene.dice if d not in wanted]
    for j, candidate in enumerate(found):
        beside = any(math.hypot(d.x - candidate.x, d.y - candidate.y) < 0.8 * d.size for d in doubtful)
        if j not in owner.values() and not beside:
            _count(tallies, extra=1)
            faults += 1
    return faults


def _score_found(die: TrueDie, seen: Candidate, tallies: tuple[Tally, ...]) -> int:
    right = seen.likeliest == die.pips
    _count(tallies, found=1, readable=1, pips=int(right), **{"flat called leaning": int(seen.flat < 0.5)})
    for tally in tallies:
        tally.places.append(math.hypot(die.x - seen.x, die.y - seen.y) / die.size)
        tally.sizes.append(abs(math.log(seen.size / die.size)))
        if die.corners is not None:
            tally.angles.append(_angle_between(np.array(seen.corners), die.corners))
    return int(not right)


def _count(tallies: tuple[Tally, ...], **numbers: int) -> None:
    for tally in tallies:
        tally.counts.update(numbers)


def _angle_between(seen: Points, true: Points) -> float:
    """Degrees between the squares' sides, from -45 to 45, without sign."""
    a, b = seen[1] - seen[0], true[1] - true[0]
    turn = math.degrees(math.atan2(a[1], a[0]) - math.atan2(b[1], b[0])) % 90
    return min(turn, 90 - turn)


def _middle(values: list[float]) -> float:
    return float(np.median(values)) if values else math.nan


def _high(values: list[float]) -> float:
    return float(np.percentile(values, 95)) if values else math.nan


def draw_found(image: Image, lid: Lid | None, found: Sequence[Candidate]) -> Image:
    """The picture with what was found, to look at."""
    shown = image.copy()
    if lid is not None:
        cv2.polylines(shown, [np.round(lid.points).astype(np.int32)], True, (255, 0, 255), 2)
    for candidate in found:
        colour = (0, 255, 0) if candidate.flat >= 0.5 else (0, 0, 255)
        cv2.polylines(shown, [np.round(np.array(candidate.corners)).astype(np.int32)], True, colour, 2)
        text = f"{candidate.likeliest} {candidate.score:.2f}"
        at = (int(candidate.corners[0][0]), int(candidate.corners[0][1]))
        cv2.putText(shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 0), 1)
    return shown
