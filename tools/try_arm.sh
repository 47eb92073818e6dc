#!/bin/bash
# Tries the Debian package on 64-bit ARM, emulated by qemu in a Debian folder: it installs, reads pictures as this machine
# does, and gives the first page.
#   sudo tools/try_arm.sh [SUITE] [FOLDER]     (bookworm, the default, or trixie)
# By hand, not in CI: it needs root, a network for apt (200 to 300 MB the first time), and 15 to 30 minutes the first
# time; the folder is kept for the next. Times are those of an emulation and say nothing about a Pi.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
suite=${1:-bookworm}
root=${2:-/var/tmp/boxlid-arm-$suite}
work=$(mktemp -d)
failed=0
trap 'rm -rf "$work"' EXIT
pictures=$(cd "$project" && ls tests/pictures/lids/*.jpg tests/pictures/places/*.jpg)

step "the package"
"$project/tools/setup.sh" dev
(cd "$project" && .venv/bin/python -m tools.packages.deb --out "$work")
debian_folder "$suite" "$root" "" arm64
learn_arm
echo "the folder's machine: $(in_folder "$root" uname -m)"

step "apt install, in $suite"
mkdir -p "$root/root/packages"
rm -f "$root"/root/packages/*
cp "$work"/*.deb "$root/root/packages/"
apt_for "$root" update
install() {
    apt_for "$root" install --no-install-recommends --reinstall "$root"/root/packages/*.deb >"$work/apt" 2>&1 ||
        { tail -n 20 "$work/apt" >&2; exit 1; }
}
seconds install
in_folder "$root" apt-get check -qq
in_folder "$root" dpkg-query -W boxlid python3 python3-opencv python3-numpy python3-flask python3-waitress
in_folder "$root" id boxlid

step "pictures are read as here"
read_here "$work"/*.deb $pictures >"$work/here.jsonl"
in_folder "$root" sh -c "cd /project && boxlid read --json $(echo $pictures)" >"$work/there.jsonl"
python3 "$project/tools/same_answers.py" "$work/here.jsonl" "$work/there.jsonl" || failed=1

step "the first page"
in_folder "$root" sh -c '
    boxlid run --simulate --host 127.0.0.1 --port 8042 --state /root/state >/root/run.log 2>&1 </dev/null &
    python3 - <<PYTHON
import time, urllib.request
began = time.monotonic()
while True:
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8042/", timeout=60).read().decode()
        break
    except OSError:
        if time.monotonic() - began > 600:
            raise
        time.sleep(0.5)
assert "Boxlid" in page, page
print(f"{len(page)} bytes after {time.monotonic() - began:.0f} s")
PYTHON
    kill $!'
in_folder "$root" boxlid doctor | grep '^ok *version'
[ $failed = 0 ] && echo && echo "all is as it should be"
exit $failed
