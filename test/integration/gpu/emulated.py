"""What programs that run models in the emulator share. NumPy and ONNX have to be installed, or the program that imports this is skipped."""

import os
import pathlib
import sys

SKIPPED = 77
try:
    import numpy
    import onnx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/command-server"))
from command_server import client_for

# The options of cameo for kernels that the emulator runs.
CODE = ("--gpu=sm_80", "--gpu-code=host")


def environment(emulator, **settings):
    """Returns the environment of a program that uses the emulator in place of the driver."""
    return {**os.environ, "CAMEO_CUDA_DRIVER": emulator, **settings}
