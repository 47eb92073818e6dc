#!/bin/sh
# Makes .venv with what a make target needs:  tools/setup.sh run | dev
# Safe to call every time: it does nothing when nothing changed.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-run}
venv=.venv

say() { printf 'setup: %s\n' "$*" >&2; }

# apt_install PACKAGE... : installs when it may, otherwise says which line to run.
apt_install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        say "please install with your system's package manager: $*"
        exit 1
    fi
    if [ "$(id -u)" = 0 ]; then sudo=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo="sudo -n"
    else
        say "this needs system packages; please run:  sudo apt-get install -y $*"
        exit 1
    fi
    say "installing system packages: $*"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 python3.14; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

python=$(find_python)
if [ -z "$python" ]; then
    apt_install python3 python3-venv
    python=$(find_python)
    [ -n "$python" ] || { say "Python 3.11 or newer is wanted; this system offers none"; exit 1; }
fi
"$python" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv

if [ "$kind" = dev ] && ! command -v chromium >/dev/null 2>&1; then apt_install chromium; fi
if [ "$kind" = dev ] && ! command -v cc >/dev/null 2>&1; then apt_install gcc libc6-dev; fi
if [ "$kind" = dev ] && ! command -v systemd-analyze >/dev/null 2>&1; then apt_install systemd; fi

want=$(cat pyproject.toml tools/setup.sh | cksum | tr ' ' '-')
have_dev=no
[ "$(cat $venv/.made-dev 2>/dev/null || true)" = "$want" ] && have_dev=yes
[ "$have_dev" = yes ] && exit 0
[ "$kind" = run ] && [ "$(cat $venv/.made-run 2>/dev/null || true)" = "$want" ] && exit 0

[ -x $venv/bin/python ] || { say "making $venv"; "$python" -m venv $venv; }
if [ "$kind" = dev ]; then what='.[dev]'; else what=.; fi
say "installing the Python packages (about a minute the first time)"
$venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$what"
echo "$want" > "$venv/.made-$kind"
say "ready"
