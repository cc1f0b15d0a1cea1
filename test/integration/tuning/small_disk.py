"""A file system of a few megabytes that can be filled to the last byte: in a mount namespace of its own, so that nothing is left of it."""

import errno
import os
import pathlib
import shutil
import subprocess


class SmallDisk:
    """With `with`. Programs see it at `folder` when their command begins with `enter`; `path` is the same folder for everybody."""

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
        """The disk, or none and why: a system may keep namespaces from users, and a container mounts from root."""
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
        """To the last byte: also what files have left in their last pages can be written to only there."""
        with open(self.path / "ballast", "ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError as error:
                    assert error.errno == errno.ENOSPC, error

    def free(self):
        (self.path / "ballast").unlink(missing_ok=True)
