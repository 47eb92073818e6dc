#!/bin/bash
# Tries the Debian package as somebody would who has just downloaded it, in a clean Debian folder with a booted systemd:
# installation, first page, readings, kill, upgrade, downgrade, removal, purge. Ends with an error where one is not so.
#   sudo tools/try_deb.sh [SUITE] [FOLDER]     (bookworm, the default, or trixie)
# By hand, not in CI: it needs root, a network for apt (200 to 300 MB the first time), port 80, and some minutes.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
suite=${1:-bookworm}
base=${2:-/var/tmp/boxlid-deb-$suite}
root=$base-trial
work=$(mktemp -d)
failed=0
not() { ! "$@"; }
is_installed() { inside dpkg-query -W -f '${db:Status-Status} ${Version}' boxlid | grep -qx "installed $1"; }
page_says() { says "$1" curl -s --max-time 60 -H 'Accept-Language: de' "http://127.0.0.1/${2:-}"; }
runs() { inside systemctl is-active boxlid.socket boxlid.service; }
state() { inside sh -c 'cd /var/lib/boxlid && sha256sum key && ls | grep -v -e -wal -e -shm'; }
same_state() { state | diff "$work/before" -; }
left() { find "$root" -xdev -mindepth 1 -iname '*boxlid*' -not -path "$root/root/*" -not -path "$root/var/lib/dpkg/*" -not -path "$root/var/log/*" \
    -not -path "$root/tmp/*" -not -path "$root/run/*" -not -name boxlid-folder-ready -not -name boxlid-trial; }

step "the package, and another one with a higher number"
"$project/tools/setup.sh" dev
(cd "$project" && .venv/bin/python -m tools.packages.deb --out "$work")
deb=$(basename "$work"/*.deb)
version=$(dpkg-deb -f "$work/$deb" Version)
dpkg-deb -R "$work/$deb" "$work/newer"
sed -i "s/^Version: .*/Version: $version+1/" "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -b "$work/newer" "$work/newer.deb" >/dev/null
if command -v lintian >/dev/null; then
    lintian --allow-root "$work/$deb" >"$work/lintian" 2>&1 || true
    expect "lintian has no error" not grep -q '^E:' "$work/lintian"
else
    echo "lintian is not installed here: not asked"
fi

debian_folder "$suite" "$base" systemd-sysv,dbus,libpam-systemd,curl
rm -rf "$root"
cp -a --reflink=auto "$base" "$root"
cp "$work"/*.deb "$root/root/"
boot_folder "$root" "$work/boot"
trap 'inside systemctl poweroff 2>/dev/null || true; rm -rf "$work"' EXIT

step "sudo apt install ./$deb"
inside apt-get update -qq
seconds apt install "/root/$deb"
cp -n "$root"/var/cache/apt/archives/*.deb "$base/var/cache/apt/archives/" || true # for the next time
expect "it is installed" is_installed "$version"
expect "the service runs" runs
expect "the first page comes, in German if asked" page_says '<html lang="de"'
expect "the rules in short come" page_says '<html lang="de"' help
expect "the settings have this machine's name" grep -q "\"$(inside hostname).local\"" "$root/etc/boxlid/boxlid.toml"
inside boxlid doctor || true
expect "the doctor names the package" says "$version, the Debian package" boxlid doctor
echo "size of what was installed: $(inside sh -c "dpkg-query -W -f '\${Installed-Size}\n'" | awk '{s += $1} END {print int(s / 1024) " MB in all"}')"

step "ten pictures and more are read as here"
pictures() { (cd "$project" && ls tests/pictures/lids/*.jpg tests/pictures/places/*.jpg); }
mkdir -p "$root/root/pictures"
(cd "$project" && tar c $(pictures) | tar x -C "$root/root/pictures")
read_here "$work/$deb" $(pictures) >"$work/here.jsonl"
inside sh -c "cd /root/pictures && boxlid read --json $(pictures | tr '\n' ' ')" >"$work/there.jsonl"
python3 "$project/tools/same_answers.py" "$work/here.jsonl" "$work/there.jsonl" || failed=1

step "stop, then the first page by the socket alone"
inside systemctl stop boxlid.service
seconds first_page
step "kill -9, then the next request"
before=$(main_pid)
inside kill -9 "$before"
seconds first_page
expect "a new process answers" [ "$(main_pid)" != "$before" ]
inside sh -c 'grep -E "VmRSS|RssAnon|RssFile" /proc/$(systemctl show -P MainPID boxlid.service)/status'

step "upgrade, downgrade"
echo '# a change of mine' >>"$root/etc/boxlid/boxlid.toml"
state >"$work/before"
mine() { tail -n 1 "$root/etc/boxlid/boxlid.toml" | grep -q 'a change of mine'; }
before=$(main_pid)
seconds apt install /root/newer.deb
expect "the newer one is installed" is_installed "$version+1"
expect "its service runs" runs
expect "and is another process" [ "$(main_pid)" != "$before" ]
expect "games and key are the same" same_state
expect "the settings are kept" mine
apt install --allow-downgrades "/root/$deb"
expect "the older one is installed again" is_installed "$version"
expect "its service runs" runs
expect "games and key are the same" same_state
inside systemctl disable --now --quiet boxlid.service boxlid.socket
apt install /root/newer.deb
expect "a service that was switched off stays so" not inside systemctl is-enabled boxlid.service boxlid.socket
inside systemctl enable --now --quiet boxlid.socket boxlid.service

step "the wifi and the screen of its own"
expect "a wifi wants NetworkManager, and says so" says "NetworkManager is wanted" boxlid-hotspot on
expect "a screen wants a browser, and says so" says "a browser is wanted" boxlid-kiosk on

step "remove"
apt remove boxlid
expect "the service is gone" not inside systemctl is-active boxlid.service
expect "nothing of the program is left" [ ! -e "$root/usr/share/boxlid" ]
expect "games and key are the same" same_state
expect "the settings are kept" mine

step "an installation of a clone in its way is named"
mkdir -p "$root/opt/boxlid/current"
apt install "/root/$deb"
expect "it is not installed" not is_installed "$version"
rm -r "$root/opt/boxlid"

step "install again, then purge"
apt install "/root/$deb"
expect "the service runs" runs
expect "games and key are the same" same_state
apt purge boxlid
expect "its user is gone" not inside id boxlid
expect "nothing is left" [ -z "$(left)" ]
left
[ $failed = 0 ] && echo && echo "all is as it should be"
exit $failed
