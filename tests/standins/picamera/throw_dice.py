"""Draws three throws of the simulated table as the pictures that libcamera's virtual camera then shows."""

import sys
from pathlib import Path

import cv2

from vision.simulation.table import SimulatedTable

folder = Path(sys.argv[1])
for old in folder.glob("*.jpg"):
    old.unlink()
table = SimulatedTable(seed=3)
for number in range(3):
    table.throw()
    table.clock.wait(3)
    cv2.imwrite(str(folder / f"{number}.jpg"), cv2.resize(table.picture(number), (1280, 720)))
