# Shared by the scripts beside it and those of the Debian package: where things are, and how to speak.
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
root=${BOXLID_ROOT:-} # another folder than /, for tests; sudo passes no such words on
home=$root/opt/boxlid
config=$root/etc/boxlid/boxlid.toml
state=$root/var/lib/boxlid
run=$root/run/boxlid
units=$root/etc/systemd/system
sysusers=$root/etc/sysusers.d/boxlid.conf
polkit=$root/etc/polkit-1/rules.d/50-boxlid.rules
avahi=$root/etc/avahi/services/boxlid.service
command=$root/usr/local/bin/boxlid
networks=$root/etc/NetworkManager/system-connections

say() { printf 'boxlid: %s\n' "$*"; }
fail() { printf 'boxlid: %s\n' "$*" >&2; exit 1; }
need_root() { [ "$(id -u)" = 0 ] || fail "this changes the system: run it with sudo"; }
booted() { [ -d "$root/run/systemd/system" ]; }

# write_settings TEMPLATE: the settings, where there are none yet, with this machine's name in the network
write_settings() {
    if [ -e "$config" ]; then
        say "keeping your settings in $config"
        return 0
    fi
    install -D -m 644 "$1" "$config.new"
    sed -i "s/\"boxlid.local\"/\"$(hostname | tr '[:upper:]' '[:lower:]').local\"/" "$config.new"
    mv -f "$config.new" "$config"
}
say_where() {
    say "pages       http://$(hostname).local/ and http://$(hostname -I | cut -d' ' -f1)/"
    say "settings    $config"
    say "games       $state"
    say "check       boxlid doctor, or the page /health"
}

# point NAME at VERSION in one step: a power cut leaves the old link or the new one
link() {
    ln -sfn "versions/$2" "$home/$1.new"
    mv -T "$home/$1.new" "$home/$1"
}
version_of() { basename "$(readlink "$home/$1" 2>/dev/null || true)"; }

# start the service anew and wait until a page answers
restart_and_wait() {
    systemctl enable --quiet boxlid.socket boxlid.service
    booted || { say "systemd is not running here: the service starts with the next boot"; return 0; }
    systemctl daemon-reload
    systemctl start boxlid.socket
    systemctl restart boxlid.service || return 1
    python3 - <<'PYTHON'
import sys, time, urllib.error, urllib.request
end = time.monotonic() + 60
while time.monotonic() < end:
    try:
        urllib.request.urlopen("http://127.0.0.1/", timeout=5)
        sys.exit(0)
    except urllib.error.HTTPError:
        sys.exit(0)
    except OSError:
        time.sleep(0.3)
sys.exit(1)
PYTHON
}
