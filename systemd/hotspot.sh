#!/bin/sh
# A wifi of Boxlid's own, for tables without one. Off by default:  sudo systemd/hotspot.sh on | off
set -eu
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
name=boxlid-hotspot
connection=$networks/$name.nmconnection
password_in() { sed -n 's/^psk=\(........*\)$/\1/p' "$1" 2>/dev/null; }

# a file of its own: what stands in a command's arguments, everybody on the machine can read
write_connection() {
    umask 077
    mkdir -p "$networks"
    # letters and figures that are not mistaken for one another
    password=$(LC_ALL=C tr -dc 'abcdefghijkmnpqrstuvwxyz23456789' </dev/urandom | head -c 10)
    [ ${#password} = 10 ] || fail "no password could be made: /dev/urandom gave nothing"
    # the lowest rank: a known wifi within reach is taken first
    cat >"$connection.new" <<KEYFILE
[connection]
id=$name
uuid=$(cat /proc/sys/kernel/random/uuid)
type=wifi
autoconnect-priority=-10

[wifi]
mode=ap
band=bg
ssid=Boxlid

[wifi-security]
key-mgmt=wpa-psk
psk=$password

[ipv4]
method=shared
address1=10.42.0.1/24

[ipv6]
method=disabled
KEYFILE
    mv -f "$connection.new" "$connection"
}

reload() { nmcli connection reload || fail "NetworkManager does not answer: systemctl status NetworkManager tells why"; }

turn_on() {
    command -v nmcli >/dev/null 2>&1 || fail "NetworkManager is wanted (it comes with Raspberry Pi OS)"
    if booted; then nmcli -t -f TYPE device | grep -qx wifi || fail "this machine has no wifi that NetworkManager knows"; fi
    [ -n "$(password_in "$connection")" ] || write_connection
    if booted; then
        reload
        if ! nmcli -g connection.id connection show "$name" >/dev/null 2>&1; then
            rm -f "$connection"
            fail "NetworkManager does not take the wifi, so it is off: journalctl -u NetworkManager tells why"
        fi
    fi
    say "the wifi Boxlid comes up where no known wifi is in reach"
    say "a phone that says it has no internet must be told to stay"
    say "password $(password_in "$connection"), pages http://10.42.0.1/"
}

turn_off() {
    rm -f "$connection" "$connection.new"
    if booted && command -v nmcli >/dev/null 2>&1; then reload; fi
    say "the wifi Boxlid is off"
}

case ${1:-} in
    on) turn_on ;;
    off) turn_off ;;
    *) fail "say on or off" ;;
esac
