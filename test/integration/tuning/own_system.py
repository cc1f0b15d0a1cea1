"""A system for tests with systemd as the first process of new namespaces. Its root is an overlay over this machine's root, and writes are discarded. Its network has only a loopback."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import time

PROGRAM = "/lib/systemd/systemd"
CLONE_NEWNET = 0x40000000
# Disables services of this machine, and units that change kernel settings. Mounts are shared, because credentials of services require it.
BOOT = """
mount -t proc none root/proc
mount -t sysfs -o ro none root/sys
mount -t cgroup2 none root/sys/fs/cgroup
mount -t tmpfs none root/dev
mount -t tmpfs none root/var/log
for each in null zero full random urandom; do touch root/dev/$each; mount --bind /dev/$each root/dev/$each; done
rm -rf root/usr/lib/systemd/system/*.wants root/etc/systemd/system/*.wants root/usr/lib/systemd/system-generators root/etc/systemd/system-generators root/etc/fstab
mkdir root/etc/systemd/system/multi-user.target.wants
ln -s /usr/lib/systemd/system/systemd-journald.service root/etc/systemd/system/multi-user.target.wants
cd root
mkdir outside
pivot_root . outside
exec chroot . sh -ec 'umount -l /outside; mount --make-rshared /; exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=test """ + PROGRAM + """ --system --unit=multi-user.target --log-target=journal'
"""
START = """
cd "$0"
mount --make-rprivate /
mount -t tmpfs none .
cd "$0"
mkdir upper scratch root
mount -t overlay -o lowerdir=/,upperdir=upper,workdir=scratch none root
echo $$ > "$1/cgroup.procs"
exec unshare --pid --fork --kill-child --mount --ipc --uts --net --cgroup sh -ec "$2"
"""


class OwnSystem:
    """A context manager. Commands with the prefix `enter` run in the system; `path` is its root, visible from outside. The calling process and its children use its network from then on."""

    def __init__(self, folder, group):
        self.group = group / f"cameo-test-{os.getpid()}"
        self.group.mkdir()
        pathlib.Path(folder).mkdir(parents=True)
        self.holder = subprocess.Popen(["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "sh", "-ec", START, folder, self.group, BOOT], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
        self.first, self.reason = None, self.wait()

    def wait(self):
        """Waits until systemd accepts commands. Returns the reason if it does not."""
        deadline = time.time() + 30
        while self.holder.poll() is None and time.time() < deadline:
            time.sleep(0.1)
            self.first = next(iter(pathlib.Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text().split()), None)
            if not self.first or pathlib.Path(f"/proc/{self.first}/exe").resolve().name != "systemd":
                continue
            self.path = pathlib.Path(f"/proc/{self.first}/root")
            self.enter = ["nsenter", f"--target={self.first}", "--mount", "--pid", "--ipc", "--uts", "--cgroup"]
            if self.run("systemctl", "is-active", "multi-user.target").returncode == 0:
                with open(f"/proc/{self.first}/ns/net") as network:
                    libc = ctypes.CDLL(None, use_errno=True)
                    return "" if libc.setns(network.fileno(), CLONE_NEWNET) == 0 else os.strerror(ctypes.get_errno())
        self.close()
        return self.holder.stdout.read().strip() or "systemd does not begin"

    @staticmethod
    def make(folder):
        """Returns the system, or None and the reason: the machine may not permit namespaces, mounts or control groups."""
        if os.getuid() != 0:
            return None, "only root may start systemd as another machine's"
        for program, package in ((PROGRAM, "systemd"), ("nsenter", "util-linux"), ("pivot_root", "util-linux"), ("setpriv", "util-linux")):
            if not shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
                return None, f"no {program} (Debian: {package})"
        places = [line.split()[1] for line in pathlib.Path("/proc/mounts").read_text().splitlines() if line.split()[2] == "cgroup2"]
        own = [line.partition("::")[2] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")]
        if not places or not own or not os.access(group := pathlib.Path(places[0] + own[0]), os.W_OK):
            return None, "no control groups of version 2 to write to"
        machine = OwnSystem(folder, group)
        return (None if machine.reason else machine), machine.reason

    def run(self, *words):
        return subprocess.run([*self.enter, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def journal(self, unit):
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}").stdout

    def close(self):
        """Ends the first process, and with it all others."""
        if self.first and self.holder.poll() is None:
            os.kill(int(self.first), signal.SIGKILL)
        self.holder.kill()
        self.holder.wait()
        for place, _, _ in os.walk(self.group, topdown=False):
            for _ in range(50):
                try:
                    os.rmdir(place)
                    break
                except OSError:
                    time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
