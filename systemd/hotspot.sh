#!/bin/sh
# A wifi of Boxlid's own, for tables without one. Off by default:  sudo systemd/hotspot.sh on | off
set -eu
. "$(dirname "$0")/common.sh"
need_root
connection=/etc/NetworkManager/system-connections/boxlid-hotspot.nmconnection
reload() { if booted && command -v nmcli >/dev/null 2>&1; then nmcli connection reload; fi; }
case ${1:-} in
    on)
        command -v nmcli >/dev/null 2>&1 || fail "NetworkManager is wanted (it comes with Raspberry Pi OS)"
        if [ ! -e "$connection" ]; then
            # letters and figures that are not mistaken for one another
            password=$(LC_ALL=C tr -dc 'abcdefghijkmnpqrstuvwxyz23456789' </dev/urandom | head -c 10)
            umask 077
            mkdir -p "$(dirname "$connection")"
            # the lowest rank: a known wifi within reach is taken first
            nmcli --offline connection add type wifi con-name boxlid-hotspot ssid Boxlid \
                802-11-wireless.mode ap 802-11-wireless.band bg wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password" \
                ipv4.method shared ipv4.addresses 10.42.0.1/24 ipv6.method disabled \
                connection.autoconnect-priority -10 >"$connection"
        fi
        reload
        say "the wifi Boxlid comes up where no known wifi is in reach"
        say "a phone that says it has no internet must be told to stay"
        say "password $(sed -n 's/^psk=//p' "$connection"), pages http://10.42.0.1/"
        ;;
    off)
        rm -f "$connection"
        reload
        say "the wifi Boxlid is off"
        ;;
    *) fail "say on or off" ;;
esac
