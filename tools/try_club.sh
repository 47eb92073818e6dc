#!/bin/bash
# Does what docs/club.md and docs/mqtt.md tell people to do, line by line as it stands there, in a clean Debian folder
# with a booted systemd: a broker for everybody and a club, then a broker with accounts and TLS.
#   sudo tools/try_club.sh [SUITE] [FOLDER]     (bookworm, the default, or trixie; the folder of tools/try_deb.sh)
# By hand, not in CI: it needs root, apt's network, the ports 80, 1883, 8080 and 8883, and some minutes.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
suite=${1:-bookworm}
base=${2:-/var/tmp/boxlid-deb-$suite}
root=$base-club
work=$(mktemp -d)
failed=0
here=127.0.0.1
# part PAGE HEADING: the indented lines of a page below that heading
part() { awk -v heading="$2" '/^## /{ on = index($0, heading) } on && /^    /{ print substr($0, 5) }' "$project/docs/$1"; }
is_typed='^(sudo |boxlid )'
# type_in LINES...: as somebody at a terminal of the folder, who is root and needs no sudo; this machine is the laptop
type_in() {
    local line
    while read -r line; do
        line=${line//192.168.1.10/$here}
        echo "\$ $line"
        inside sh -c "cd /root && ${line#sudo }" </dev/null >"$work/typed" 2>&1 || { failed=1; echo "WRONG  it failed:"; tail -n 5 "$work/typed"; }
    done
}
# set_keys KEY=VALUE...: in the settings' part [mqtt]
set_keys() {
    local pair
    for pair in "$@"; do
        sed -i -E "/^\[mqtt\]/,/^\[[a-z]/ s|^${pair%%=*} = .*|${pair%%=*} = ${pair#*=}|" "$root/etc/boxlid/boxlid.toml"
    done
}
stop_club() { inside systemctl stop club 2>/dev/null || true; }
start_club() { inside systemd-run --quiet --collect --unit=club --working-directory=/root --setenv=HOME=/root sh -c "exec $*"; }
club_shows() {
    for _ in $(seq 120); do
        inside curl -s --max-time 10 http://127.0.0.1:8080/api/view >"$work/view" || true
        if grep '"connected":true' "$work/view" | grep -q "\"box\":\"$1\""; then return; fi
        sleep 0.5
    done
    inside journalctl --no-pager -u club
    cat "$work/view"
    return 1
}

step "a clean $suite with the package"
"$project/tools/setup.sh" dev
(cd "$project" && .venv/bin/python -m tools.packages.deb --out "$work")
debian_folder "$suite" "$base" systemd-sysv,dbus,libpam-systemd,curl
rm -rf "$root"
cp -a --reflink=auto "$base" "$root"
cp "$work"/*.deb "$root/root/"
echo 'APT::Get::Assume-Yes "true";' >>"$root/etc/apt/apt.conf.d/boxlid-trial"
boot_folder "$root" "$work/boot"
trap 'inside systemctl poweroff 2>/dev/null || true; rm -rf "$work"' EXIT
inside apt-get update -qq
apt install "/root/$(basename "$work"/*.deb)"

step "docs/club.md: the broker"
part club.md "1. The broker" | grep -E "$is_typed" | head -n 1 | type_in
part club.md "1. The broker" | grep -vE "$is_typed" >"$root/etc/mosquitto/conf.d/boxlid.conf"
part club.md "1. The broker" | grep -E "$is_typed" | tail -n +2 | type_in
step "docs/club.md: the box"
set_keys "broker=\"$here\"" 'box="lid-1"'
part club.md "2. The boxes" | grep -E "$is_typed" | type_in
step "docs/club.md: the club"
start_club "$(part club.md "3. The club" | grep -E "$is_typed" | head -n 1)"
expect "the club shows the box" club_shows lid-1
expect "the doctor is content with the broker" says "lets this box in, which is called lid-1 there" boxlid doctor
stop_club

step "docs/mqtt.md: who may what"
part mqtt.md "Who may what" | grep -E "$is_typed" | type_in
set_keys 'box="kitchen"' 'user="kitchen"' 'password_file="/etc/boxlid/mqtt-password"' 'tls=true' 'ca_file="/etc/boxlid/mqtt-ca.crt"'
inside systemctl restart boxlid
expect "the doctor is content with the account" says "lets this box in, which is called kitchen there" boxlid doctor
start_club "boxlid club --broker mqtts://$here --user club --password-file broker/club-club.password --ca-file broker/ca.crt"
expect "the club with its account shows the box" club_shows kitchen
set_keys 'password_file="/root/nowhere"'
expect "a password that is not there is told" says "the password file /root/nowhere cannot be read" boxlid doctor
stop_club

[ $failed = 0 ] && echo && echo "all is as it should be"
exit $failed
