# Debian folders to try things in, for the scripts beside this one (root; nothing of this machine is changed but that
# binfmt_misc learns 64-bit ARM where a folder of it is wanted):   . tools/debian_folder.sh
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

step() { printf '\n== %s\n' "$*"; }
# seconds COMMAND...: how long it takes
seconds() { local began; began=$(date +%s.%N); "$@" >/dev/null; echo "$(date +%s.%N) $began" | awk '{printf "%.1f s\n", $1 - $2}'; }
need_tools() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "$tool is wanted: sudo apt install debootstrap qemu-user-static binfmt-support" >&2; exit 1; }
    done
}

# mirror_for SUITE: where this machine's apt has Debian from; a mirror has all of its releases
mirror_for() {
    local found
    found=${MIRROR:-$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
        awk -v suite="$1" '$1 == suite { print $2; exit }
            $1 ~ /^(bookworm|trixie|forky|sid|stable|testing|unstable)$/ && !other { other = $2 } END { if (other) print other }' |
        head -n 1)}
    [ -n "$found" ] || { echo "this machine's apt names no mirror of Debian; name one: MIRROR=http://..." >&2; return 1; }
    echo "$found"
}
# as_our_apt ROOT: the folder fetches as this machine does, its proxies and tries included
as_our_apt() {
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    { apt-config dump | grep -E '^Acquire::https?::' || true; echo 'Acquire::Retries "3";'; } >"$1/etc/apt/apt.conf.d/boxlid-trial"
}

# debian_folder SUITE ROOT [PACKAGE,PACKAGE... [ARCHITECTURE]]: made if it is not there yet
debian_folder() {
    local suite=$1 root=$2 packages=ca-certificates${3:+,$3} architecture=${4:-$(dpkg --print-architecture)} mirror proxy=
    [ ! -e "$root/etc/boxlid-folder-ready" ] || { as_our_apt "$root"; return 0; }
    need_tools debootstrap
    [ "$architecture" = "$(dpkg --print-architecture)" ] || learn_arm
    mirror=$(mirror_for "$suite") || exit 1
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    mkdir -p "$root"
    http_proxy=${proxy:-${http_proxy:-}} debootstrap --arch="$architecture" --variant=minbase --include="$packages" "$suite" "$root" \
        "$mirror" >"$root.log" || { tail -n 5 "$root.log" >&2; exit 1; }
    as_our_apt "$root"
    [ -z "${PIP_CERT:-}" ] || cp /etc/ssl/certs/ca-certificates.crt "$root$PIP_CERT"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/boxlid-trial" # nobody pulls the plug of a folder
    touch "$root/etc/boxlid-folder-ready"
}

# read_here DEB PICTURE...: what this machine's locked versions make of them, with the package's own program
read_here() {
    local deb=$1 tree
    shift
    tree=$(mktemp -d)
    dpkg-deb -x "$deb" "$tree"
    (cd "$project" && .venv/bin/python -s "$tree/usr/share/boxlid/program" read --json "$@")
    rm -rf "$tree"
}

# the kernel runs programs of 64-bit ARM by qemu; on most machines Debian's package has seen to it
learn_arm() {
    need_tools qemu-aarch64-static
    local known=/proc/sys/fs/binfmt_misc
    [ -e $known/register ] || mount -t binfmt_misc binfmt_misc $known
    [ -e $known/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$known/register
}

# in_folder ROOT COMMAND...: there, with the project read-only at /project and without this machine's environment
in_folder() {
    local root=$1
    shift
    unshare -m -p -f --kill-child --propagation private bash -c '
        root=$1 project=$2; shift 2
        mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/run"; mount --bind /sys "$root/sys"
        mkdir -p "$root/project"; mount --bind "$project" "$root/project"; mount -o remount,bind,ro "$root/project"
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
            DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT=$PIP_CERT} "$@"' - "$root" "$project" "$@"
}

# apt_for ROOT ARGUMENTS...: this machine's apt and dpkg for a folder of 64-bit ARM: the scripts of the packages are
# emulated, and not the unpacking, which would take an hour. dpkg takes the folder's packages for foreign ones and is
# told to go on: apt has found out what they need, and  in_folder ROOT apt-get check  does so once more.
apt_for() {
    local root=$1
    shift
    unshare -m -p -f --kill-child --propagation private bash -c '
        root=$1; shift
        mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/run"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
            -o Dir="$root" -o Dir::State::status="$root/var/lib/dpkg/status" -o APT::Architecture=arm64 \
            -o APT::Architectures::=arm64 -o Dpkg::Use-Pty=0 -o DPkg::Options::="--root=$root" \
            -o DPkg::Options::=--force-architecture -o DPkg::Options::=--force-depends "$@"' - "$root" "$@"
}

# --- a folder with a systemd of its own, booted; the network and so port 80 are this machine's -------------------

ours='^/lib/systemd/systemd --log-target=console'
pid() { pgrep -f "$ours" | head -n 1; }
# inside COMMAND...: in the folder that is booted
inside() {
    nsenter -t "$(pid)" -m -p -u -i -C env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT=$PIP_CERT} "$@"
}
# boot_folder ROOT LOG
boot_folder() {
    [ -z "$(pid)" ] || { echo "such a systemd runs already (process $(pid))" >&2; exit 1; }
    setsid "$project/tests/standins/boot_systemd.sh" "$1" >"$2" 2>&1 &
    for _ in $(seq 60); do
        sleep 0.5
        [ -n "$(pid)" ] && [ "$(inside systemctl is-system-running 2>/dev/null || true)" = running ] && break
    done
    echo "systemd: $(inside systemctl is-system-running)"
}
gone() {
    for _ in $(seq 40); do [ -n "$(pid)" ] || return 0; sleep 0.5; done
    return 1
}
first_page() { inside curl -s -o /dev/null --retry 60 --retry-delay 0 --retry-connrefused --max-time 60 http://127.0.0.1/; }
main_pid() { inside systemctl show -P MainPID boxlid.service; }

# --- what is expected of it; the script has made a folder $work, and ends with $failed -------------------------------

# expect WHAT COMMAND...: said either way; whoever runs this sees all that is wrong at once
expect() {
    local what=$1
    shift
    if "$@" >"$work/said" 2>&1; then echo "ok     $what"; else failed=1; echo "WRONG  $what: $(tail -n 3 "$work/said")"; fi
}
# says TEXT COMMAND...: in the folder; read to its end, or the command would hear that nobody listens
says() { local text=$1; shift; { inside "$@" 2>&1 || true; } | grep -e "$text" >/dev/null; }
apt() { inside apt-get -y -qq -o Dpkg::Use-Pty=0 "$@" 2>&1 | grep '^boxlid:' || true; }
