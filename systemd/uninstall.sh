#!/bin/sh
# Takes the service away. Games, calibration and settings stay in /var/lib/boxlid:  sudo make uninstall
set -eu
. "$(dirname "$0")/common.sh"
need_root
if booted; then
    systemctl disable --now --quiet boxlid.service boxlid.socket 2>/dev/null || true
fi
"$here/hotspot.sh" off >/dev/null
"$here/kiosk.sh" off >/dev/null
if [ -e "$config" ] && [ -d "$state" ]; then
    cp "$config" "$state/boxlid.toml"
    say "the settings are kept in $state/boxlid.toml; a new installation takes them up"
fi
rm -rf "$home" /etc/boxlid /run/boxlid
rm -f "$units/boxlid.socket" "$units/boxlid.service" "$sysusers" "$polkit" "$avahi" "$command"
rm -f "$units"/*.wants/boxlid.service "$units"/*.wants/boxlid.socket
if booted; then
    systemctl daemon-reload
    systemctl reset-failed boxlid.service boxlid.socket 2>/dev/null || true
fi
if id boxlid >/dev/null 2>&1; then userdel boxlid; fi
say "done: the service is gone; games and settings stay in $state (sudo rm -r $state removes them)"
say "the system's packages stay; other programs may use them"
