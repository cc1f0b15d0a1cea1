#!/usr/bin/env python3
"""Simulates cameo-worker without running candidates: cost and noise of a candidate are computed from its id. So each worker returns the same results each time.

usage: simulated_worker.py [MILLISECONDS [FACTOR]]    (duration of a candidate, and factor on the time of the sentinel)
"""

import json
import struct
import sys
import time

HEADER, HEADER_BYTES, BLOB_BYTES, ITEM_BYTES = struct.Struct("<IIQQII"), 72, 16, 192
KIND_AT, COMPARES = 120, 1


def mixed(value):
    """Returns a pseudo-random number in [0, 1)."""
    value = (value ^ value >> 31) * 0x9E3779B97F4A7C15 % 2**64
    value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9 % 2**64
    return (value ^ value >> 32) / 2**64


def result_of(package, at):
    (item,) = struct.unpack_from("<Q", package, at)
    (kind,) = struct.unpack_from("<I", package, at + KIND_AT)
    result = {"id": f"{item:016x}", "error": "none"}
    if kind != COMPARES:
        cost = 1e-4 * 8 ** mixed(item)
        result["costs"] = [cost * (1 + 0.02 * mixed(item + i + 1)) for i in range(5)]
    if kind > COMPARES:
        result["default_costs"] = [4e-4 * (1 + 0.02 * mixed(item + i + 50)) for i in range(5)]
    if kind != 0:
        result["proof"] = {"max_abs": 0, "max_ulp": 0, "bound": 1e-6}
    return {**result, "sentinel": 1e-4 * (float(sys.argv[2]) if len(sys.argv) > 2 else 1), "interruptions": 0, "time": "2026-01-01T00:00:00Z"}


def main():
    seconds = float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0
    while header := sys.stdin.buffer.read(HEADER_BYTES):
        _, _, size, digest, blobs, items = HEADER.unpack_from(header)
        package = header + sys.stdin.buffer.read(size - HEADER_BYTES)
        print(json.dumps({"format": 1, "package": f"{digest:016x}", "items": items, "machine": {"machine": "simulated", "system": "test", "cpu": "none", "identity": "simulated, none"}}))
        for i in range(items):
            time.sleep(seconds)
            print(json.dumps(result_of(package, HEADER_BYTES + blobs * BLOB_BYTES + i * ITEM_BYTES)))
        print(json.dumps({"end": f"{digest:016x}", "results": items}), flush=True)


if __name__ == "__main__":
    main()
