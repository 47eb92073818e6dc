"""What Lighthouse says of the phone's sheet. Needs Node.js; the tool itself comes from npm."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.benchmarks.figure import Figure, at_least
from companion.process.command_error import CallFault, CommandError

VERSION = "12.8"
CATEGORIES = ("performance", "accessibility", "best-practices")
CHROME_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
PATIENCE_SECONDS = 300


def lighthouse(address: str, headers: dict[str, str], chromium: Path) -> Iterator[Figure]:
    """The scores of one page, 0 to 100."""
    tool = shutil.which("lighthouse")
    npx = shutil.which("npx")
    if tool is None and npx is None:
        raise CommandError(CallFault.TEXT, text="Lighthouse needs Node.js (npx): apt-get install npm")
    command = [tool] if tool else [str(npx), "--yes", f"lighthouse@{VERSION}"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        command += [address, f"--extra-headers={json.dumps(headers)}", f"--chrome-flags={CHROME_FLAGS}"]
        command += ["--quiet", "--output=json", f"--output-path={out}"]
        command += [f"--only-categories={','.join(CATEGORIES)}"]
        environment = {**os.environ, "CHROME_PATH": str(chromium)}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
        )
        if not out.exists():
            raise CommandError(
                CallFault.TEXT, text=f"Lighthouse gave no report: {done.stderr.strip()[-200:]}"
            )
        scores = json.loads(out.read_text(encoding="utf-8"))["categories"]
    for name in CATEGORIES:
        yield at_least(f"Lighthouse, {name}", 100 * scores[name]["score"], 100, "")
