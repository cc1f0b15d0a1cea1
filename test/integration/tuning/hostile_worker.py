#!/usr/bin/env python3
"""A worker that tries a forbidden action, and reports the result.

usage: hostile_worker.py DEED
"""

import json
import os
import pathlib
import signal
import socket
import struct
import sys
import time

HEADER, HEADER_BYTES, BLOB_BYTES, ITEM_BYTES = struct.Struct("<IIQQII"), 72, 16, 192


def connect():
    socket.create_connection(("127.0.0.1", 4222), timeout=2)


def local_socket():
    socket.socketpair()


def write():
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/", str(pathlib.Path(__file__).parent)):
        try:
            pathlib.Path(folder, "hostile-was-here").write_text("x")
            raise SystemExit(f"wrote to {folder}")
        except OSError as error:
            last = error
    raise last


def fork():
    count = 0
    while True:
        try:
            if os.fork() == 0:
                time.sleep(1000)
                os._exit(0)
        except OSError as error:
            raise OSError(f"{error.strerror} after {count}") from None
        count += 1


def leave_processes():
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
    raise OSError("left 5")


def memory():
    held = []
    while True:
        held.append(bytearray(64 << 20))


def file_size():
    file = os.memfd_create("large")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for at in range(1 << 16):
        os.pwrite(file, b"x", at << 26)


def look():
    others = [each for each in os.listdir("/proc") if each.isdigit()]
    raise OSError(f"sees {len(others)} processes, user {os.getuid()}, {len(os.listdir('/proc/self/fd'))} files")


def read_password():
    raise OSError(f"read {len(pathlib.Path(sys.argv[2]).read_bytes())} bytes")


def kill_parent():
    # All visible processes; its own is the first one.
    os.kill(-1, signal.SIGKILL)
    os.kill(os.getppid() or 999999, signal.SIGKILL)


def hang():
    time.sleep(1000)


def outcome(deed):
    try:
        globals()[deed]()
        return "did it"
    except MemoryError:
        return "no memory"
    except OSError as error:
        return error.strerror or str(error)
    except SystemExit as error:
        return str(error)


def main():
    while header := sys.stdin.buffer.read(HEADER_BYTES):
        _, _, size, digest, blobs, items = HEADER.unpack_from(header)
        package = header + sys.stdin.buffer.read(size - HEADER_BYTES)
        print(json.dumps({"format": 1, "package": f"{digest:016x}", "items": items, "machine": {"machine": "hostile", "system": "test", "cpu": "none", "identity": "hostile, none"}}))
        for i in range(items):
            (item,) = struct.unpack_from("<Q", package, HEADER_BYTES + blobs * BLOB_BYTES + i * ITEM_BYTES)
            print('{"id":"%016x","error":"runtime","message":%s}' % (item, json.dumps(outcome(sys.argv[1]))))
        print(json.dumps({"end": f"{digest:016x}", "results": items}), flush=True)


if __name__ == "__main__":
    main()
