"""Learning a fixed table from two pictures. What is kept of it is in vision/memory.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from vision.calibration.learning import calibrate
>>> from vision.cameras.clock import StepClock
>>> from vision.memory.calibration import load, save
>>> from vision.reader import read_dice
>>> from vision.simulation.table import SimulatedTable
>>> clock = StepClock()
>>> table = SimulatedTable(3, clock=clock)
>>> empty = table.picture()
>>> table.lay_out()
>>> clock.wait(5)
>>> learnt = calibrate(empty, table.picture())
>>> learnt.problems
()
>>> with TemporaryDirectory() as folder:
...     file = Path(folder) / "calibration.toml"
...     _ = save(learnt.calibration, file, empty)
...     read_dice(table.picture(), calibration=load(file)).certain
True
"""
