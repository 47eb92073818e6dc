#!/bin/bash
# Our camera class over the real picamera2 and libcamera's virtual camera, in a Debian 13 folder (root):
#   sudo tools/try_picamera.sh [ROOT]
# The folder is made the first time, in about 4 minutes and 1.6 GB; nothing is installed on this machine but debootstrap.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-/var/tmp/boxlid-debian13}
mirror=${MIRROR:-http://deb.debian.org/debian}
standins=/project/tests/standins/picamera
inside() {
    unshare -m --propagation private bash -c '
        root=$1 project=$2; shift 2
        mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/run"; mount --bind /sys "$root/sys"
        mkdir -p "$root/project"; mount --bind "$project" "$root/project"; mount -o remount,bind,ro "$root/project"
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
            DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT=$PIP_CERT} "$@"' - "$root" "$project" "$@"
}
if [ ! -e "$root/etc/picam-ready" ]; then
    command -v debootstrap >/dev/null || { echo "debootstrap is wanted: sudo apt install debootstrap" >&2; exit 1; }
    debootstrap --variant=minbase --include=ca-certificates trixie "$root" "$mirror" >/dev/null
    cp /etc/resolv.conf "$root/etc/"
    [ -z "${PIP_CERT:-}" ] || cp /etc/ssl/certs/ca-certificates.crt "$root$PIP_CERT"
    inside bash -ec 'apt-get update -qq
        apt-get install -y -qq --no-install-recommends python3-libcamera libcamera-ipa python3-numpy python3-prctl \
            python3-venv gcc g++ python3-dev libcap-dev >/dev/null
        python3 -m venv --system-site-packages /opt/v
        /opt/v/bin/pip install -q --no-cache-dir --disable-pip-version-check picamera2==0.3.38 opencv-python-headless'
    touch "$root/etc/picam-ready"
fi
mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/srv/frames"
cp "$project/tests/standins/picamera/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
# the camera shows what the simulated table looks like
inside env PYTHONPATH=/project /opt/v/bin/python "$standins/throw_dice.py" /srv/frames
inside /opt/v/bin/python "$standins/try_picamera.py" "$standins" /project /srv/frames 2> >(grep -v '^\[' >&2)
