#!/usr/bin/env bash
# All tests: first those without a browser, on all cores, then those in one; a crowd of browsers is what makes such
# tests fail now and then. The last lines are the counts of both.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
color=no
[ -t 1 ] && color=yes
mkdir -p build

tests() { # NAME OPTIONS...
    .venv/bin/python -m pytest --color="$color" "${@:2}" | tee "build/$1.txt" || failed=1
}

tests tests --ignore tests/browser --numprocesses auto --maxprocesses 4 --dist loadfile --cov --cov-report=
tests browser-tests tests/browser --cov --cov-append --cov-report=term-missing:skip-covered --cov-fail-under=100
echo
tail -qn 1 build/tests.txt build/browser-tests.txt
exit $failed
