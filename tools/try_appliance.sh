#!/bin/bash
# Tries the appliance in a booted systemd: install, first page, kill, hangs, power-off, upgrade, back, uninstall.
#   sudo tools/try_appliance.sh [SUITE] [FOLDER]     (bookworm, the default, or trixie)
# By hand, not in CI: it needs root, a network for apt and pip, port 80, and some minutes. It changes the folder only,
# which it makes with debootstrap the first time.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
suite=${1:-bookworm}
root=${2:-/var/tmp/boxlid-appliance-$suite}
log=$(mktemp)
page=http://127.0.0.1/

debian_folder "$suite" "$root" systemd-sysv,dbus,polkitd,libpam-systemd,python3,make,curl,procps
rm -rf "$root/root/boxlid"
mkdir -p "$root/root/boxlid"
(cd "$project" && git ls-files -z | tar c --null -T - ) | tar x -C "$root/root/boxlid"
boot_folder "$root" "$log"
trap 'inside systemctl poweroff 2>/dev/null || true' EXIT

step install
inside make -C /root/boxlid install
inside systemctl is-active boxlid.socket boxlid.service

step "stop, then the first page by the socket alone"
inside systemctl stop boxlid.service
seconds first_page

step "kill -9, then the next request"
before=$(main_pid)
inside kill -9 "$before"
seconds first_page
[ "$(main_pid)" != "$before" ] && echo "a new process answers"

step "twenty requests while it is killed: none may be refused"
(for _ in $(seq 20); do inside curl -s -o /dev/null -w '%{http_code}\n' --max-time 30 $page || echo refused; done) >"$log.requests" &
requests=$!
inside kill -9 "$(main_pid)"
wait $requests
sort "$log.requests" | uniq -c

step "a process that hangs is restarted by the watchdog"
before=$(main_pid)
inside kill -STOP "$before"
seconds timeout 120 bash -c "while [ \"\$(nsenter -t $(pid) -m -p -C systemctl show -P MainPID boxlid.service)\" = $before ]; do sleep 0.5; done"
inside systemctl show -P NRestarts boxlid.service

step "a camera that hangs for good (a picture that never ends) is cured by the watchdog"
cp "$root/etc/boxlid/boxlid.toml" "$log.toml"
rm -rf "$root/srv/pictures"
mkdir -p "$root/srv/pictures"
mkfifo -m 666 "$root/srv/pictures/0.jpg"
printf '[camera]\nkind = "folder"\nfolder = "/srv/pictures"\n' >"$root/etc/boxlid/boxlid.toml"
inside systemctl restart boxlid.service
before=$(main_pid)
for second in $(seq 91); do
    [ "$(main_pid)" = "$before" ] || break
    sleep 1
done
if [ "$second" = 91 ]; then echo "NOT RESTARTED within 90 s"; else echo "restarted after $second s"; fi
cp "$log.toml" "$root/etc/boxlid/boxlid.toml"
inside systemctl restart boxlid.service

step "who may switch off (asked of logind, nothing is switched off)"
for who in boxlid nobody; do
    printf '%s: ' $who
    inside setpriv --reuid=$who --regid=nogroup --clear-groups busctl call org.freedesktop.login1 /org/freedesktop/login1 \
        org.freedesktop.login1.Manager CanPowerOff
done

step "the same from within the walls of the service"
walls=()
while IFS= read -r line; do walls+=(-p "$line"); done < <(
    sed -n '/^\[Service\]/,/^\[Install\]/p' "$project/systemd/boxlid.service" |
        grep -E '^[A-Z][A-Za-z]*=' | grep -vE '^(Type|ExecStart|WatchdogSec|Timeout[A-Za-z]*|Restart[A-Za-z]*|DeviceAllow|IPAddressAllow)='
)
inside systemd-run --quiet --wait --pipe "${walls[@]}" busctl call org.freedesktop.login1 /org/freedesktop/login1 \
    org.freedesktop.login1.Manager CanPowerOff
inside systemd-run --quiet --wait --pipe "${walls[@]}" sh -c 'touch /etc/x 2>&1; ls /home 2>&1; id -un; cat /proc/1/cmdline 2>&1' || true

step "memory of the service, settled"
first_page
sleep 20
inside sh -c 'grep -E "VmRSS|RssAnon|RssFile" /proc/$(systemctl show -P MainPID boxlid.service)/status'

step upgrade
sum() { inside sh -c 'cd /var/lib/boxlid && sha256sum key && ls'; }
echo '# a change of mine' >>"$root/etc/boxlid/boxlid.toml"
sum >"$log.before"
inside make -C /root/boxlid install
sum | diff "$log.before" - && echo "the state is the same"
tail -n 1 "$root/etc/boxlid/boxlid.toml"

step "back to the version before"
inside make -C /root/boxlid install-previous
inside curl -s -o /dev/null -w '%{http_code}\n' $page

step uninstall
inside make -C /root/boxlid uninstall
left=$(inside find / -xdev -iname '*boxlid*' -not -path '/root/boxlid*' -not -path '/proc/*' -not -path '/run/*' -not -path '/tmp/*')
echo "left: $left"
inside ls /var/lib/boxlid
inside id boxlid 2>&1 || true

step "install again takes games and settings up"
inside make -C /root/boxlid install
tail -n 1 "$root/etc/boxlid/boxlid.toml"
[ "$(head -n 1 "$log.before")" = "$(sum | sed -n 1p)" ] && echo "the key is the same"

step "power-off by the service's own user"
trap - EXIT
inside setpriv --reuid=nobody --regid=nogroup --clear-groups systemctl --no-ask-password poweroff || echo "nobody: refused"
[ -n "$(pid)" ] && inside setpriv --reuid=boxlid --regid=boxlid --clear-groups systemctl --no-ask-password poweroff || true # the bus goes first
gone && echo "boxlid: switched off"
