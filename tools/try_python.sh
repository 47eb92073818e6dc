#!/bin/bash
# Tries wheel and source archive as people install them: pip, pipx and uv, each from the file, up to the first page.
#   tools/try_python.sh     (after make release; by hand: it needs a network for PyPI)
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=$(realpath dist/boxlid-*.whl)
archive=$(realpath dist/boxlid-*.tar.gz)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
picture=$(realpath tests/pictures/reading/easy_1002.jpg)
export PIPX_HOME=$work/pipx PIPX_BIN_DIR=$work/pipx-bin UV_TOOL_DIR=$work/uv UV_TOOL_BIN_DIR=$work/uv-bin XDG_DATA_HOME=$work/data
cd "$work" # away from the clone: nothing of it is to be found by chance

# try NAME PROGRAM: a picture is read, the first page comes, the doctor knows the installation
try() {
    "$2" read "$picture"
    local port
    port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$2" run --simulate --port "$port" --host 127.0.0.1 --state "$work/$1" >"$work/$1.log" 2>&1 </dev/null &
    local running=$! page=
    for _ in $(seq 240); do
        page=$(sed -n 's/.*Start *\(http:[^ ]*\).*/\1/p' "$work/$1.log")
        [ -z "$page" ] || break
        kill -0 $running || { cat "$work/$1.log"; exit 1; }
        sleep 0.5
    done
    python3 - "$page" <<'PYTHON'
import re, sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=60).read().decode()
styles = re.search(r'href="(/a/[^"]*\.css)"', page)[1]
print("first page", len(page), "bytes; its styles", len(urllib.request.urlopen(sys.argv[1] + styles).read()))
PYTHON
    kill $running
    wait $running || true
    { "$2" doctor --state "$work/$1" || true; } | grep '^ok *version'
}

python3 -m venv tools-venv
tools-venv/bin/pip install -qq pipx uv
echo "== pip, the wheel"
python3 -m venv pip
pip/bin/pip install -qq "$wheel"
try pip "$work/pip/bin/boxlid"
echo "== pipx install, the wheel"
tools-venv/bin/pipx install "$wheel" >/dev/null
try pipx "$PIPX_BIN_DIR/boxlid"
echo "== uv tool install, the wheel"
tools-venv/bin/uv tool install -q "$wheel"
try uv "$UV_TOOL_BIN_DIR/boxlid"
echo "== uv tool install, the source archive"
tools-venv/bin/uv tool install -q --force "$archive"
try uv-archive "$UV_TOOL_BIN_DIR/boxlid"
