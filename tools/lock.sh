#!/bin/sh
# Renews the locked versions that every installation uses:  make lock
# Each package that pyproject.toml leads to, in one version for Python 3.11 and newer on any machine, with the hashes
# of its files. Look at the difference, run all tests, and commit the files with what they were made from.
set -eu
cd "$(dirname "$0")/.."
uv_version=0.13.8
tool=build/lock
[ -x "$tool/bin/uv" ] && "$tool/bin/uv" --version | grep -q " $uv_version" || {
    python3 -m venv "$tool"
    "$tool/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
}

# what builds the package is installed like the rest: then nothing is fetched while it is built
needs_to_build() { sed -n 's/^requires = \["\(.*\)"\]$/\1/p' pyproject.toml; }

lock() {
    name=$1
    shift
    new=$(mktemp)
    { echo "# Made by make lock; never by hand. From: $(python3 tools/check_locked.py --digest)"; } >"$new"
    needs_to_build | "$tool/bin/uv" pip compile pyproject.toml - "$@" --constraint tools/constraints.txt \
        --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --upgrade \
        --no-header --no-annotate --quiet >>"$new"
    mv "$new" "tools/locked/$name.txt"
    chmod 644 "tools/locked/$name.txt"
}

lock run --extra mqtt
lock dev --extra mqtt --extra club --extra dev
python3 tools/check_locked.py
