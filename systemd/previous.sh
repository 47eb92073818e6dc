#!/bin/sh
# Goes back to the version that ran before the last installation; once more goes forth again.
set -eu
. "$(dirname "$0")/common.sh"
need_root
now=$(version_of current)
before=$(version_of previous)
[ -n "$before" ] && [ -d "$home/versions/$before" ] || fail "there is no previous version in $home/versions"
link current "$before"
link previous "$now"
restart_and_wait || fail "version $before gave no page within a minute; journalctl -u boxlid tells why"
say "done: version $before runs; version $now is kept beside it"
