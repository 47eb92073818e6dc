#!/bin/bash
# Boots systemd as PID 1 of private namespaces inside ROOT, a debootstrapped Debian folder with systemd installed
# (root). The network is that of the host, so that apt and pip work. Enter it with: nsenter -t PID -m -p -u -i -C
#   boot_systemd.sh ROOT
set -e
cg=/sys/fs/cgroup/unified/boxlid-boot; mkdir -p $cg; echo $$ > $cg/cgroup.procs
exec unshare -p -f --kill-child -m -u -i -C --propagation private bash -c '
root=$1
mount --bind $root $root; mount -t proc proc $root/proc
mount -t sysfs -o ro sysfs $root/sys 2>/dev/null || mount --bind /sys $root/sys
mount -t cgroup2 cgroup2 $root/sys/fs/cgroup || { mount -t tmpfs tmpfs $root/sys/fs; mkdir $root/sys/fs/cgroup; mount -t cgroup2 cgroup2 $root/sys/fs/cgroup; }
mount -t tmpfs -o mode=755 tmpfs $root/dev
for n in null zero full random urandom tty; do touch $root/dev/$n; mount --bind /dev/$n $root/dev/$n; done
mkdir -p $root/dev/pts $root/dev/shm; mount -t devpts -o newinstance,ptmxmode=0666 devpts $root/dev/pts; ln -s pts/ptmx $root/dev/ptmx
ln -s /proc/self/fd $root/dev/fd; mount -t tmpfs tmpfs $root/run; mount -t tmpfs tmpfs $root/tmp
ip link set lo up 2>/dev/null; hostname boxlid-boot
cd $root; mkdir -p old; pivot_root . old; umount -l /old
exec env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console --show-status=yes systemd.unit=multi-user.target' x "${1:?folder}"
