"""Draws docs/wiring.svg from the default pins and docs/camera-stand.svg from the angles of lenses.

.venv/bin/python -m tools.draw_hardware [FOLDER]
"""

import sys
from pathlib import Path

from hardware.pins import Pins
from tools.camera_stand import stand, table
from tools.wiring import wiring


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs"
    (folder / "wiring.svg").write_text(str(wiring(Pins())), encoding="utf-8")
    (folder / "camera-stand.svg").write_text(str(stand()), encoding="utf-8")
    print(table())


if __name__ == "__main__":
    main()
