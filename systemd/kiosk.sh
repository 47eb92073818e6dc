#!/bin/sh
# The table display on a screen at this machine, after its desktop starts. Off by default:  sudo systemd/kiosk.sh on | off
set -eu
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
entry=$root/etc/xdg/autostart/boxlid-kiosk.desktop
case ${1:-} in
    on)
        browser=$(command -v chromium || command -v chromium-browser) ||
            fail "a browser is wanted: sudo apt install chromium"
        mkdir -p "$(dirname "$entry")"
        cat >"$entry" <<ENTRY
[Desktop Entry]
Type=Application
Name=Boxlid table display
Exec=$browser --kiosk --noerrdialogs --no-first-run --password-store=basic http://localhost/table
ENTRY
        chmod 644 "$entry"
        say "the table display opens when the desktop starts; Alt+F4 closes it"
        ;;
    off)
        rm -f "$entry"
        say "the table display does not open by itself any more"
        ;;
    *) fail "say on or off" ;;
esac
