#!/bin/sh
# Makes .venv with what a make target needs:  tools/setup.sh run | dev
# Safe to call every time: it does nothing when nothing changed.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-run}
venv=.venv
missing=   # system packages without which it does not go on
welcome=   # those that let more tests run

say() { printf 'setup: %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# --- what the system has to give --------------------------------------------------------------------------

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 python3.14; do
        if has "$candidate" && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

look_for_python() {
    python=$(find_python)
    if [ -n "$python" ]; then
        "$python" -c 'import ensurepip, venv' 2>/dev/null || missing="$missing $python-venv"
    elif has python3; then
        missing="$missing python3.11 python3.11-venv" # an older system, which may offer a newer one beside its own
    else
        missing="$missing python3 python3-venv"
    fi
}

look_for_tools() {
    [ -n "${CHROMIUM:-}" ] || has chromium || missing="$missing chromium fonts-dejavu-core"
    # pages are measured in the letters that their style names; those of another font may be wider
    [ -n "$(fc-list "Noto Sans" 2>/dev/null)" ] || missing="$missing fonts-noto-core"
    has cc || missing="$missing gcc libc6-dev"
    has ffmpeg || missing="$missing ffmpeg"
    look_for_streams
    has mosquitto || [ -x /usr/sbin/mosquitto ] || missing="$missing mosquitto"
    has openssl || missing="$missing openssl"
    has debootstrap || [ -x /usr/sbin/debootstrap ] || missing="$missing debootstrap"
    has systemd-analyze || missing="$missing systemd"
    [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing="$missing postgresql"
    has firefox-esr || welcome="$welcome firefox-esr"
    has WebKitWebDriver || welcome="$welcome webkit2gtk-driver"
    has xvfb-run || welcome="$welcome xvfb xauth"
}

# Network cameras are tried with real servers; that for RTSP runs in the system's own Python.
look_for_streams() {
    if ! /usr/bin/python3 -c 'import gi; gi.require_version("GstRtspServer", "1.0")' 2>/dev/null ||
        ! gst-inspect-1.0 --exists x264enc 2>/dev/null || ! gst-inspect-1.0 --exists rtph264pay 2>/dev/null; then
        missing="$missing python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-tools"
        missing="$missing gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly"
    fi
}

may_install() {
    has apt-get || return 1
    if [ "$(id -u)" = 0 ]; then as_root=; return 0; fi
    if has sudo && sudo -n true 2>/dev/null; then as_root="sudo -n"; return 0; fi
    return 1
}

apt_install() {
    say "installing system packages:$* (a few minutes the first time)"
    log=$(mktemp)
    for step in "update" "install -y --no-install-recommends $*"; do
        if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q $step >"$log" 2>&1; then
            tail -n 15 "$log" >&2
            say "apt-get $step failed; its last words stand above"
            exit 1
        fi
    done
    rm -f "$log"
}

get_packages() {
    if [ -n "$missing$welcome" ] && may_install; then
        apt_install "$missing$welcome"
        python=$(find_python)
        [ -n "$python" ] || { say "Python 3.11 or newer is wanted; this system offers none"; exit 1; }
    elif [ -n "$missing" ]; then
        if has apt-get; then
            say "this needs system packages; please run:  sudo apt-get install -y --no-install-recommends$missing$welcome"
        else
            say "please install with your system's package manager:$missing$welcome"
        fi
        exit 1
    elif [ -n "$welcome" ]; then
        say "tests in other browsers are left out; for them:  sudo apt-get install -y --no-install-recommends$welcome"
    fi
}

# --- what Python has to give ------------------------------------------------------------------------------

# One line a package, each written over the one before where somebody looks on.
progress() {
    while read -r word name _; do
        case "$word $name" in
            "Collecting "*) text="  ${name%%[!A-Za-z0-9._-]*}" ;;
            "Installing collected") text="  putting them in place" ;;
            *) continue ;;
        esac
        if [ -t 2 ]; then printf '\r\033[2Ksetup: %s' "$text" >&2; else say "$text"; fi
    done
    [ ! -t 2 ] || printf '\r\033[2K' >&2
}

# The locked versions, each with the hash of its file; then the project itself, built by what is locked too.
pip_install() {
    log=$venv/setup.log
    pip="$venv/bin/python -m pip install --disable-pip-version-check --progress-bar off"
    rm -f "$venv/.failed"
    {
        { $pip --require-hashes --requirement "tools/locked/$1.txt" &&
            $pip --no-deps --no-build-isolation --editable .; } 2>&1 ||
            touch "$venv/.failed"
    } | tee "$log" | progress
    if [ -e "$venv/.failed" ]; then
        tail -n 15 "$log" >&2
        say "the Python packages could not be installed; pip's last words stand above, all of them in $log"
        exit 1
    fi
}

look_for_python
[ "$kind" != dev ] || look_for_tools
get_packages

want=$(cat pyproject.toml tools/locked/run.txt tools/locked/dev.txt tools/setup.sh | cksum | tr ' ' '-')
[ "$(cat $venv/.made-dev 2>/dev/null || true)" != "$want" ] || exit 0
[ "$kind" != run ] || [ "$(cat $venv/.made-run 2>/dev/null || true)" != "$want" ] || exit 0

[ -x $venv/bin/python ] || { say "making $venv"; "$python" -m venv $venv; }
if [ "$kind" = dev ]; then long="two minutes"; else long="a minute"; fi
say "installing the Python packages (about $long the first time)"
pip_install "$kind"
echo "$want" > "$venv/.made-$kind"
say "ready"
