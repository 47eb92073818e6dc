#!/bin/sh
# Installs Boxlid as a service of this machine, or brings a newer version:  sudo make install
# Safe to repeat. Settings and games stay. Nothing is switched over before the new version has proved to start.
set -eu
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
command -v apt-get >/dev/null 2>&1 || fail "this installer is for Raspberry Pi OS and Debian (it needs apt-get)"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "Python 3.11 or newer is wanted: Raspberry Pi OS bookworm or trixie, got $(python3 --version 2>&1)"

[ "$(dpkg-query -W -f '${db:Status-Status}' boxlid 2>/dev/null)" != installed ] ||
    fail "the package boxlid runs here already; take it away first, games and settings stay: sudo apt remove boxlid"

is_pi=no
grep -qa 'Raspberry Pi' /proc/device-tree/model 2>/dev/null && is_pi=yes
case $(dpkg --print-architecture) in
    armhf | armel) bits=32 ;;
    *) bits=64 ;;
esac

# --- packages of the system -------------------------------------------------------------------------------
packages="python3-venv python3-pip python3-numpy polkitd avahi-daemon"
wished="python3-gpiozero python3-lgpio espeak-ng"
[ $is_pi = no ] || wished="$wished python3-picamera2"
# PyPI has no 32-bit builds of OpenCV: there, apt's is taken
[ $bits = 64 ] || packages="$packages python3-opencv python3-flask python3-waitress"
say "bringing the system's packages up to what is needed"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null || fail "apt-get update failed: is this machine on the internet?"
for package in $wished; do
    if apt-cache show "$package" >/dev/null 2>&1; then packages="$packages $package"
    else say "note: there is no package $package here; going on without"; fi
done
# shellcheck disable=SC2086  # a list of words
apt-get install -y -qq --no-install-recommends $packages >/dev/null || fail "apt-get could not install: $packages"

# --- the program, beside the one that runs ----------------------------------------------------------------
number=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/pyproject.toml")
new="$number-$(date +%Y%m%d-%H%M%S)"
place="$home/versions/$new"
made=no
copy=$(mktemp -d)
forget() { rm -rf "$copy"; [ $made = yes ] || rm -rf "$place"; }
trap forget EXIT

say "building version $new"
mkdir -p "$home/versions"
for part in boxlid companion vision hardware web pyproject.toml README.md LICENSE; do cp -r "$source/$part" "$copy/"; done
# the system's packages are seen inside: picamera2 exists nowhere else
python3 -m venv --system-site-packages "$place"
# The locked versions and no others, whole lists of them: pip looks for nothing beside. The system's numpy stays, for a
# newer one would break the system's picamera2; on 32 bits all that apt has is the system's.
locked() { # what awk says of a package's name: its lines of the list
    awk "/^[a-z0-9]/ { name = \$1; sub(/==.*/, \"\", name); wanted = ($1) } wanted" "$source/tools/locked/run.txt"
}
if [ $bits = 64 ]; then locked 'name != "numpy"'
else locked 'name == "segno" || name == "setuptools"'; fi >"$copy/locked.txt"
pip="$place/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps"
{ $pip --require-hashes --requirement "$copy/locked.txt" && $pip --no-build-isolation "$copy"; } ||
    fail "pip could not install the program; the version that ran before still runs"

wanted="cv2, numpy, flask, waitress, segno, gpiozero, companion.commands.run, companion.commands.doctor"
[ $is_pi = no ] || wanted="$wanted, lgpio, picamera2"
(cd / && LG_WD=/tmp "$place/bin/python" -c "import $wanted" 2>"$copy/error") ||
    fail "not every part can be loaded, so nothing was changed: $(tail -n 1 "$copy/error")"
"$place/bin/boxlid" doctor --help >/dev/null || fail "the new version does not start, so nothing was changed"
cp "$source/README.md" "$home/README.md"
made=yes

# --- user, rights, settings, units ------------------------------------------------------------------------
# whole at once: polkit reads a rule the moment it appears, and would refuse half of one for good
put() { install -D -m 644 "$here/$1" "$2.new" && mv -f "$2.new" "$2"; }
put sysusers.conf "$sysusers"
systemd-sysusers "$sysusers"
put polkit.rules "$polkit"
put avahi.service "$avahi"
put boxlid.socket "$units/boxlid.socket"
put boxlid.service "$units/boxlid.service"
put command "$command"
chmod 755 "$command"
write_settings "$here/boxlid.toml"
"$place/bin/python" -c "from pathlib import Path; from companion.settings.config import load; load(Path('$config'))" ||
    fail "please put the settings in $config right, then run this again; the version from before still runs"

# --- over to the new version ------------------------------------------------------------------------------
old=$(version_of current)
link current "$new"
if ! restart_and_wait; then
    made=no # and so it is taken away again
    if [ -n "$old" ]; then
        link current "$old"
        restart_and_wait || true
        fail "version $new gave no page within a minute: gone back to $old; journalctl -u boxlid tells why"
    fi
    fail "version $new gave no page within a minute; journalctl -u boxlid tells why"
fi
[ -z "$old" ] || link previous "$old"
for kept in "$home/versions"/*; do
    case $(basename "$kept") in
        "$new" | "$old") ;;
        *) rm -rf "$kept" ;;
    esac
done

say "done: version $new runs as a service and starts with the machine"
[ -z "$old" ] || say "version $old is kept: sudo make install-previous goes back to it"
say_where
