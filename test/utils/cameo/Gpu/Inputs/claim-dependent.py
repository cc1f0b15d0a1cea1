"""Copies a library of a model for the emulator, and makes it say that its kernels wait for earlier launches (cameo_gpu_image).

usage: claim-dependent.py LIBRARY.so CLAIMED.so
"""

import pathlib
import struct
import sys

HOST, CAPABILITY, IS_SPECIFIC = 2, 90, 1
library = pathlib.Path(sys.argv[1]).read_bytes()
image = struct.pack("<3I", HOST, CAPABILITY, IS_SPECIFIC)
assert library.count(image + struct.pack("<I", 0)) == 1
pathlib.Path(sys.argv[2]).write_bytes(library.replace(image + struct.pack("<I", 0), image + struct.pack("<I", 1)))
