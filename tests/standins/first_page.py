"""Run where the Debian package is installed: what its unit starts reads, and gives the first page.

first_page.py PHOTOGRAPH   (by root, without a systemd; socket, user, folders and command are the units')
"""

import os
import pwd
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

UNIT = Path("/usr/lib/systemd/system/boxlid.service")
SAID = Path("/root/said")  # by the program
DICE = ["blue 1", "green 6", "red 1", "white 4", "white 4", "yellow 3"]
PATIENCE_SECONDS = 300.0  # a machine that does ten other things


def service() -> dict[str, list[str]]:
    """What the unit says of the service, line by line."""
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"(?m)^(\w+)=(.*)$", UNIT.read_text()):
        found.setdefault(key, []).append(value)
    return found


def start() -> "tuple[subprocess.Popen[bytes], str]":
    """As systemd does: the socket is open already, and handed on; the folders belong to the user."""
    said, listening = service(), socket.create_server(("127.0.0.1", 0))
    user = pwd.getpwnam(said["User"][0])
    for folder in ("/var/lib/" + said["StateDirectory"][0], "/run/" + said["RuntimeDirectory"][0]):
        Path(folder).mkdir(mode=0o700, exist_ok=True)
        os.chown(folder, user.pw_uid, user.pw_gid)
    words = [word for line in said["Environment"] for word in shlex.split(line)]
    # the number of the process is known to itself only
    handed_on = 'number=$1; shift; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&"$number"'
    running = subprocess.Popen(
        ["sh", "-c", handed_on, "sh", str(listening.fileno()), *shlex.split(said["ExecStart"][0])],
        env={"PATH": "/usr/bin:/bin"} | dict(word.split("=", 1) for word in words),
        cwd=said["WorkingDirectory"][0],
        stdout=SAID.open("wb"),
        stderr=subprocess.STDOUT,
        pass_fds=(listening.fileno(),),
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
    )
    return running, f"http://127.0.0.1:{listening.getsockname()[1]}"


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read(), "utf-8")


def first_page(running: "subprocess.Popen[bytes]", address: str) -> str:
    """Its socket takes us in before it is there; it may end instead."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return get(address + "/")
        except OSError:
            if running.poll() is not None:
                raise SystemExit(f"it ended with {running.returncode}: {SAID.read_text()}") from None
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def doctor_of_mqtt() -> str:
    """Nothing else has to be installed for it."""
    settings = Path("/root/mqtt.toml")
    settings.write_text('[mqtt]\nbroker = "127.0.0.1"\nport = 9\n')
    call = ["/usr/share/boxlid/program", "doctor", "--config", str(settings), "--state", "/root/state"]
    said = subprocess.run(call, capture_output=True, text=True, check=False).stdout
    line = next((line for line in said.splitlines() if "MQTT" in line), said)
    assert "the broker 127.0.0.1:9 cannot be reached" in line, said
    return line.partition("MQTT")[2].strip()


def main() -> None:
    read = subprocess.run(["boxlid", "read", sys.argv[1]], capture_output=True, text=True, check=True)
    dice = sorted(read.stdout.strip().rpartition(": ")[2].split(", "))
    assert dice == DICE, read.stdout + read.stderr
    print("a photograph is read:", ", ".join(dice))
    print("the doctor about a broker that is not there:", doctor_of_mqtt())
    began = time.monotonic()
    running, address = start()
    try:
        page = first_page(running, address)
        styles = re.search(r'href="(/a/[^"]+\.css)"', page)
        assert "Boxlid" in page, page
        assert styles, page
        print(f"the first page: {len(page)} bytes after {time.monotonic() - began:.1f} s;", end=" ")
        print(f"its styles: {len(get(address + styles[1]))} bytes")
    finally:
        running.terminate()
        running.wait(60)
    assert running.returncode == 0, running.returncode


main()
