#!/bin/sh
# Takes the service away. Games and calibration stay in /var/lib/boxlid, settings in /etc/boxlid:  sudo make uninstall
# In the folder of the service root writes, reads and follows nothing: a link there could lead anywhere.
set -eu
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
if booted; then
    systemctl disable --now --quiet boxlid.service boxlid.socket 2>/dev/null || true
fi
"$here/hotspot.sh" off >/dev/null || say "the wifi could not be switched off; its settings are gone"
"$here/kiosk.sh" off >/dev/null
rm -rf "$home" "$run"
rm -f "$units/boxlid.socket" "$units/boxlid.service" "$sysusers" "$polkit" "$avahi" "$command"
rm -f "$units"/*.wants/boxlid.service "$units"/*.wants/boxlid.socket
if booted; then
    systemctl daemon-reload
    systemctl reset-failed boxlid.service boxlid.socket 2>/dev/null || true
fi
if id boxlid >/dev/null 2>&1; then userdel boxlid; fi
say "done: the service is gone; games stay in $state, settings in $config"
say "to remove them too:  sudo rm -r $state $(dirname "$config")"
say "the system's packages stay; other programs may use them"
