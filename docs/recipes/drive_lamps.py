"""Light each row's lamp in turn:  .venv/bin/python docs/recipes/drive_lamps.py  (drawn without pins)"""

import time

from companion.view.lamps import Lamps, Light, Status
from companion.words import english
from hardware.opening import open_panel
from hardware.pins import Pins
from hardware.terminal import line

panel = open_panel(Pins())
print(english(panel.notice) if panel.notice else f"the lamps of the {panel.name}")
for row in range(4):
    rows = tuple(Light.BLINKING if number == row else Light.OFF for number in range(4))
    lamps = Lamps(rows=rows, status=Status.READY)
    panel.show(lamps)
    print(line(lamps))
    time.sleep(1)
panel.close()
