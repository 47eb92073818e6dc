"""Read the dice in one photo:  .venv/bin/python docs/recipes/read_photo.py PHOTO"""

import sys
from pathlib import Path

from vision.image.picture import open_picture
from vision.reader import read_dice
from vision.reading import ALL_SIX

reading = read_dice(open_picture(Path(sys.argv[1])).image, ALL_SIX)
print("certain" if reading.certain else "not certain")
for die in reading.dice:
    print(f"{die.colour} {die.pips}{', doubtful' if die.doubtful else ''}")
for problem in reading.problems:
    print(problem.kind, *problem.colours)
