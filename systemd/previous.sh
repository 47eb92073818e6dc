#!/bin/sh
# Goes back to the version that ran before the last installation; once more goes forth again.
set -eu
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
now=$(version_of current)
before=$(version_of previous)
[ -n "$before" ] && [ -d "$home/versions/$before" ] || fail "there is no previous version in $home/versions"
link current "$before"
if ! restart_and_wait; then
    link current "$now"
    restart_and_wait ||
        fail "neither $before nor $now gave a page within a minute; $now is in place, journalctl -u boxlid tells why"
    fail "version $before gave no page within a minute: $now runs again; journalctl -u boxlid tells why"
fi
link previous "$now"
say "done: version $before runs; version $now is kept beside it"
