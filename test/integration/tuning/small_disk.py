"""A file system of a few megabytes that can be filled completely, in a new mount namespace, so that nothing of it remains."""

import errno
import os
import pathlib
import shutil
import subprocess


class SmallDisk:
    """A context manager. Programs see the file system at `folder` if their command has the prefix `enter`; `path` is the same folder, visible from outside."""

    def __init__(self, folder, megabytes):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        own = ["--mount"] if os.getuid() == 0 else ["--mount", "--user", "--map-root-user"]
        self.holder = subprocess.Popen(["unshare", *own, "sh", "-c", f'mount -t tmpfs -o size={megabytes}m none "$0" && echo mounted && exec cat', self.folder],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.enter = ["nsenter", f"--target={self.holder.pid}", *own[:2], *(["--preserve-credentials"] if len(own) > 1 else [])]
        self.path = pathlib.Path(f"/proc/{self.holder.pid}/root{self.folder.resolve()}")
        self.reason = "" if self.holder.stdout.readline() else self.holder.stderr.read().strip()

    @staticmethod
    def make(folder, megabytes):
        """Returns the disk, or None and the reason: a machine may not permit namespaces for users, and a container no mounts for root."""
        if not shutil.which("unshare") or not shutil.which("nsenter"):
            return None, "no unshare and nsenter (Debian: util-linux)"
        disk = SmallDisk(folder, megabytes)
        return (None if disk.reason else disk), disk.reason

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.holder.stdin.close()
        self.holder.wait()

    def fill(self):
        """Fills the disk completely, including the free space in the last pages of files."""
        with open(self.path / "ballast", "ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError as error:
                    assert error.errno == errno.ENOSPC, error

    def free(self):
        (self.path / "ballast").unlink(missing_ok=True)
