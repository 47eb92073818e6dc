#!/bin/bash
# Our camera class over the real picamera2 and libcamera's virtual camera, in a Debian 13 folder (root):
#   sudo tools/try_picamera.sh [ROOT]
# The folder is made the first time, in about 4 minutes and 1.6 GB; nothing is installed on this machine but debootstrap.
set -euo pipefail
. "$(dirname "$0")/debian_folder.sh"
root=${1:-/var/tmp/boxlid-debian13}
standins=/project/tests/standins/picamera
if [ ! -e "$root/etc/picam-ready" ]; then
    debian_folder trixie "$root"
    in_folder "$root" bash -ec 'apt-get update -qq
        apt-get install -y -qq --no-install-recommends python3-libcamera libcamera-ipa python3-numpy python3-prctl \
            python3-venv gcc g++ python3-dev libcap-dev >/dev/null
        python3 -m venv --system-site-packages /opt/v
        /opt/v/bin/pip install -q --no-cache-dir --disable-pip-version-check picamera2==0.3.38 opencv-python-headless'
    touch "$root/etc/picam-ready"
fi
mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/srv/frames"
cp "$project/tests/standins/picamera/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
# the camera shows what the simulated table looks like
in_folder "$root" env PYTHONPATH=/project /opt/v/bin/python "$standins/throw_dice.py" /srv/frames
in_folder "$root" /opt/v/bin/python "$standins/try_picamera.py" "$standins" /project /srv/frames 2> >(grep -v '^\[' >&2)
