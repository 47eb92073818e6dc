#!/bin/bash
# Installs the Debian package by apt in a clean Debian folder, starts it as its unit does, and gets the first page.
#   sudo tools/try_install.sh [SUITE [DEB]]     (bookworm, and what `make deb` builds, unless said otherwise)
# CI does this each time. It needs root and the mirror of this machine's apt, and leaves nothing behind; systemd itself is
# tried by tools/try_deb.sh. Ends with 0, with 1 where the package is wrong, with 75 where the mirror could not be had,
# which says nothing of the package, and with 2 where nothing was tried.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
suite=${1:-bookworm}
deb=${2:-}
tries=3
[ "$(id -u)" = 0 ] || { echo "NOT TRIED: apt install in a Debian folder wants root: sudo tools/try_install.sh" >&2; exit 2; }
unshare -m true 2>/dev/null || { echo "NOT TRIED: this machine lets nobody, not even root, mount a folder's /proc" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/var/tmp}/boxlid-install-XXXXXX")
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT
wrong() { echo "WRONG: the package in $suite: $*" >&2; tail -n 20 "$work/said" >&2; exit 1; }
# from_mirror WHAT COMMAND...: tried again, for a mirror may stumble
from_mirror() {
    local what=$1
    shift
    for try in $(seq $tries); do
        if "$@" >"$work/said" 2>&1; then return; fi
        echo "$what: try $try of $tries failed" >&2
        [ "$try" = $tries ] || sleep $((try * 5))
    done
    tail -n 20 "$work/said" >&2
    echo "MIRROR: $what could not be had from $(mirror_for "$suite"); this says nothing of the package" >&2
    exit 75
}
fresh_folder() { rm -rf --one-file-system "$root"; (debian_folder "$suite" "$root"); }
there() { in_folder "$root" "$@"; }
install() { there sh -c "cd /root && apt install -y -q $* ./$(basename "$deb")"; }

if [ -z "$deb" ]; then
    step "make deb"
    deb=$(make --no-print-directory -C "$project" deb | tail -n 1)
fi
step "a clean $suite"
from_mirror "Debian's $suite" fresh_folder
cp "$deb" "$root/root/"
from_mirror "the list of packages" there apt-get update -q

step "apt install ./$(basename "$deb")"
install --simulate >"$work/said" 2>&1 || wrong "apt does not know how to install it"
from_mirror "what it depends on" install --download-only
seconds_of_install=$SECONDS
install -o Dpkg::Use-Pty=0 >"$work/said" 2>&1 || wrong "apt could not install it"
grep '^boxlid:' "$work/said" || true
echo "unpacked and configured in $((SECONDS - seconds_of_install)) s"

step "a photograph, and the first page, with $suite's own Python, OpenCV and Flask"
there python3 /project/tests/standins/first_page.py /project/tests/pictures/reading/easy_1002.jpg >"$work/said" 2>&1 || wrong "it does not run"
cat "$work/said"
