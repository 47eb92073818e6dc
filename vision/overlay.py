"""What was seen, drawn into the picture: lid, dice, numbers, doubts and their reasons. Judges nothing."""

from typing import cast

import cv2
import numpy as np

from vision.camera import Image
from vision.reading import Corners, DieColour, Reading, SeenDie

Tint = tuple[int, int, int]  # blue, green, red

SURE = 0.9
LID_TINT: Tint = (255, 200, 0)
DOUBT: Tint = (0, 90, 255)
GOOD: Tint = (90, 220, 60)
PAPER: Tint = (40, 36, 32)
INK: Tint = (240, 240, 240)
TINTS: dict[DieColour, Tint] = {
    DieColour.WHITE: (245, 245, 245),
    DieColour.RED: (60, 60, 235),
    DieColour.YELLOW: (40, 215, 250),
    DieColour.GREEN: (80, 190, 60),
    DieColour.BLUE: (235, 130, 50),
    DieColour.BLACK: (30, 30, 30),
    DieColour.OTHER: (200, 80, 200),
}
FONT = cv2.FONT_HERSHEY_SIMPLEX
SHORTEST = 720  # small pictures are enlarged: words must be readable


def draw_overlay(image: Image, reading: Reading, *, words: bool = True) -> Image:
    """A copy of the picture with everything that was seen in it; the answer in words below, if wanted."""
    scale = max(1.0, SHORTEST / max(1, min(image.shape[:2])))
    if scale > 1:
        image = cast(Image, cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR))
    seen = reading.enlarged(scale)
    picture = image.copy()
    unit = max(1.0, min(picture.shape[:2]) / 768)
    if seen.lid is not None:
        _outline(picture, seen.lid, LID_TINT, round(2 * unit))
    for die in seen.dice:
        _draw_die(picture, die, unit)
    if not words:
        return picture
    return cast(Image, np.vstack([picture, _words(reading, picture.shape[1], unit)]))


def _outline(picture: Image, corners: Corners, tint: Tint, width: int) -> None:
    points = np.round(np.array(corners) * 16).astype(np.int32)
    cv2.polylines(picture, [points], True, PAPER, width + 2, cv2.LINE_AA, 4)
    cv2.polylines(picture, [points], True, tint, width, cv2.LINE_AA, 4)


def _draw_die(picture: Image, die: SeenDie, unit: float) -> None:
    """The die's square in its colour, its number, and how sure that is."""
    half = die.size / 2
    ring = die.corners or (
        (die.x - half, die.y - half),
        (die.x + half, die.y - half),
        (die.x + half, die.y + half),
        (die.x - half, die.y + half),
    )
    _outline(picture, ring, TINTS[die.colour], round(2 * unit))
    sure = die.confidence >= SURE
    text = f"{die.colour} {die.pips}" if sure else f"{die.colour} {die.pips}? {die.confidence:.2f}"
    size = 0.5 * unit
    (width, height), _ = cv2.getTextSize(text, FONT, size, round(unit))
    x = round(min(max(0, die.x - width / 2), picture.shape[1] - width))
    reach = max(abs(corner[1] - die.y) for corner in ring)
    y = round(die.y - reach - 6 * unit)
    if y - height < 0:
        y = round(die.y + reach + height + 8 * unit)
    cv2.rectangle(picture, (x - 3, y - height - 4), (x + width + 3, y + 5), PAPER, cv2.FILLED)
    cv2.putText(picture, text, (x, y), FONT, size, INK if sure else DOUBT, round(unit), cv2.LINE_AA)


def _words(reading: Reading, width: int, unit: float) -> Image:
    """A strip with the answer: certain, or every problem."""
    lines: list[tuple[str, Tint]] = []
    answer = ", ".join(f"{die.colour} {die.pips}" for die in reading.dice) or "no dice"
    took = f"   ({reading.milliseconds:.0f} ms)" if reading.milliseconds else ""
    head = f"{'certain' if reading.certain else 'not certain'}: {answer}{took}"
    lines.append((head, GOOD if reading.certain else DOUBT))
    size = 0.5 * unit
    for problem in reading.problems:
        lines += [(line, INK) for line in _wrapped(f"- {problem.text}", width - 20, size)]
    step = round(24 * unit)
    strip = np.full((step * len(lines) + step // 2, width, 3), PAPER, np.uint8)
    for i, (line, tint) in enumerate(lines):
        cv2.putText(strip, line, (10, step * (i + 1) - step // 5), FONT, size, tint, round(unit), cv2.LINE_AA)
    return strip


def _wrapped(text: str, width: int, size: float) -> list[str]:
    """The text in lines that fit; OpenCV's letters know ASCII only."""
    lines = [""]
    for word in text.encode("ascii", "replace").decode().split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and cv2.getTextSize(longer, FONT, size, 1)[0][0] > width:
            lines.append(f"  {word}")
        else:
            lines[-1] = longer
    return lines
