"""What was seen, drawn into the picture: lid, dice, numbers, doubts and their reasons. Judges nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.image.box import Box, box_of, box_of_reading, whole
from vision.reading import DieColour, Outline, Reading, SeenDie

Tint = tuple[int, int, int]  # blue, green, red

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
FINE, LARGE = 0.5, 1.1  # letters beside dice; large ones are read on a phone, and across a table
Label = Callable[[SeenDie], str]


def draw_overlay(image: Image, reading: Reading, problems: Sequence[str] = ()) -> Image:
    """The whole picture with everything that was seen in it; below it the answer, and problems in words."""

    def label(die: SeenDie) -> str:
        number = f"{die.pips}? {die.confidence:.2f}" if die.doubtful else f"{die.pips}"
        return f"{die.colour} {number}"

    picture = _drawn(image, reading, label, FINE)
    return cast(Image, np.vstack([picture, _words(reading, problems, picture.shape[1], _unit(picture))]))


def draw_close_up(image: Image, reading: Reading, names: Mapping[str, str], part: Box | None = None) -> Image:
    """The lid with what was seen in it, for people who know its dice by these names.

    A die whose colour has no name there, or one that OpenCV has no letters for, is labelled with its number.
    """

    def label(die: SeenDie) -> str:
        name = names.get(die.colour, "")
        number = f"{die.pips}?" if die.doubtful else f"{die.pips}"
        return f"{name} {number}" if name and name.isascii() else number

    part = part or box_of_reading(image, reading)
    return _drawn(part.of(image), reading.seen_from(part.left, part.top), label, LARGE)


def _drawn(image: Image, reading: Reading, label: Label, letters: float) -> Image:
    """An enlarged copy with lid, dice and labels; labels come last, so that no ring hides one."""
    scale = max(1.0, SHORTEST / max(1, min(image.shape[:2])))
    picture = cast(Image, cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR))
    seen, unit = reading.enlarged(scale), _unit(picture)
    if seen.place is not None:
        _outline(picture, seen.place, LID_TINT, round(2 * unit))
    for die in seen.dice:
        _outline(picture, die.outline, TINTS[die.colour], round(2 * unit))
    taken = [box_of(die.outline) for die in seen.dice]
    for die in seen.dice:
        taken.append(_write(picture, die, label(die), letters * unit, taken))
    return picture


def _unit(picture: Image) -> float:
    """What a pixel is in a picture of usual size."""
    return max(1.0, float(min(picture.shape[:2])) / 768)


def _outline(picture: Image, corners: Outline, tint: Tint, width: int) -> None:
    points = np.round(np.array(corners) * 16).astype(np.int32)
    cv2.polylines(picture, [points], True, PAPER, width + 2, cv2.LINE_AA, 4)
    cv2.polylines(picture, [points], True, tint, width, cv2.LINE_AA, 4)


def _write(picture: Image, die: SeenDie, text: str, size: float, taken: Sequence[Box]) -> Box:
    """The die's label beside it, edged in its colour; where it is now."""
    stroke = max(1, round(2 * size))
    (width, height), _ = cv2.getTextSize(text, FONT, size, stroke)
    edge = round(10 * size)
    box = _beside(die, width + 2 * edge, height + 2 * edge, taken, whole(picture))
    corner, opposite = (box.left, box.top), (box.right - 1, box.bottom - 1)
    cv2.rectangle(picture, corner, opposite, PAPER, cv2.FILLED)
    cv2.rectangle(picture, corner, opposite, TINTS[die.colour], stroke)
    ink = DOUBT if die.doubtful else INK
    place = (box.left + edge, box.top + edge + height)
    cv2.putText(picture, text, place, FONT, size, ink, stroke, cv2.LINE_AA)
    return box


def _beside(die: SeenDie, width: int, height: int, taken: Sequence[Box], picture: Box) -> Box:
    """Above the die, below or to a side: where it hides least of dice and labels, and is in the picture."""
    about = box_of(die.outline)
    gap = height // 4
    left, top = (about.left + about.right - width) // 2, (about.top + about.bottom - height) // 2
    corners = (
        (left, about.top - gap - height),
        (left, about.bottom + gap),
        (about.right + gap, top),
        (about.left - gap - width, top),
    )
    spots = [_kept_in(picture, Box(x, y, x + width, y + height)) for x, y in corners]
    return min(spots, key=lambda spot: sum(spot.shared_with(other) for other in taken))


def _kept_in(picture: Box, box: Box) -> Box:
    """Pushed into the picture, as far as there is room."""
    left = max(0, min(box.left, picture.right - box.width))
    top = max(0, min(box.top, picture.bottom - box.height))
    return Box(left, top, left + box.width, top + box.height)


def _words(reading: Reading, problems: Sequence[str], width: int, unit: float) -> Image:
    """A strip with the answer: certain, or every problem."""
    lines: list[tuple[str, Tint]] = []
    answer = ", ".join(f"{die.colour} {die.pips}" for die in reading.dice) or "no dice"
    took = f"   ({reading.milliseconds:.0f} ms)" if reading.milliseconds else ""
    head = f"{'certain' if reading.certain else 'not certain'}: {answer}{took}"
    lines.append((head, GOOD if reading.certain else DOUBT))
    size = 0.5 * unit
    for problem in problems:
        lines += [(line, INK) for line in _wrapped(f"- {problem}", width - 20, size)]
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
