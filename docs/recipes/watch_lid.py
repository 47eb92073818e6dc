"""Watch a lid and print each roll:  .venv/bin/python docs/recipes/watch_lid.py [ROLLS] [picamera | usb:0]"""

import sys

from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.steady import Steady, Throws
from vision.cameras.watch import WatchedCamera
from vision.reader import read_dice
from vision.reading import ALL_SIX
from vision.simulation.table import SimulatedCamera, SimulatedTable

rolls, which = int(sys.argv[1]) if sys.argv[1:] else 5, sys.argv[2:]
table = SimulatedTable()  # without a camera, dice are thrown into this drawn lid
camera = WatchedCamera(lambda: camera_for(CameraSetting.parse(*which)) if which else SimulatedCamera(table))
throws, looks = Throws(Steady()), 0
while rolls:
    looks += 1
    if looks % 40 == 10 and not which:
        table.throw()
    if throws.look(camera.glance()):
        reading = read_dice(camera.frame().image, ALL_SIX)
        dice = ", ".join(f"{die.colour} {die.pips}" for die in reading.dice)
        print(dice if reading.certain else f"not sure: {dice}", flush=True)
        rolls -= 1
