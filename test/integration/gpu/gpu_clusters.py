#!/usr/bin/env python3
"""Products and convolutions whose sums the blocks of a cluster divide, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_clusters.py CAMEO EMULATOR WORK_FOLDER

Clusters of 2 to 8 blocks, also of numbers that are no power of two and do not divide a thread's sums; edges that tiles do not divide; operands stored either way; batches; windows; products of one warp and of
four. Where NVIDIA's assembler is installed, it takes the kernels, too.
"""

import sys

import gpu_groups
import gpu_windows
from gpu_groups import make_product, product_steps, run_all

# As in gpu_groups.py, with the rows and columns of a warp.
PRODUCTS = [
    (1, 128, 136, 384, "", "", True, "float16", 64, 64, 64, 2, 3, 32, 32),
    (1, 200, 72, 512, "", "turned", False, "float16", 32, 64, 32, 3, 8, 16, 32),
    (1, 100, 264, 480, "turned", "", True, "bfloat16", 64, 128, 32, 4, 5, 32, 64),
    (3, 40, 72, 192, "", "", False, "float16", 32, 32, 32, 2, 6, 16, 16),
    (1, 56, 40, 448, "", "", True, "float16", 16, 16, 32, 4, 7, 16, 16),
]
GROUPS = [(1, 64, 136, 512, "", "", True, "bfloat16", 64, 128, 64, 4, 2), (1, 192, 72, 512, "", "turned", False, "float16", 128, 64, 64, 4, 4)]
CONVOLUTIONS = [shape for shape in gpu_windows.CONVOLUTIONS if shape[-1] > 1]


def in_cluster(steps):
    """Returns `steps` of a nest with a sum that blocks of a cluster divide, where blocks would: their last loop."""
    last = max(number for number, step in enumerate(steps) if step.endswith("to = block>"))
    return [*steps[:last], steps[last].replace("block", "cluster"), *steps[last + 1:]]


def steps_by_warp(shape):
    batch, _, _, depth, *_, rows, columns, steps, stages, splits, warp_rows, warp_columns = shape
    outer = [(1, 1)] if batch > 1 else []
    found = gpu_groups.steps_of([*outer, (rows, warp_rows), (columns, warp_columns)], [steps], columns, stages, False, depth // splits)
    return [*in_cluster(found)[:-1], "tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>"]


def main():
    cases = [(make_product, steps_by_warp, shape) for shape in PRODUCTS]
    cases += [(make_product, lambda shape: in_cluster(product_steps(shape)), shape) for shape in GROUPS]
    cases += [(gpu_windows.make_convolution, lambda shape: in_cluster(gpu_windows.steps(shape)), shape) for shape in CONVOLUTIONS]
    return run_all(cases, "divide a sum as a cluster")


if __name__ == "__main__":
    sys.exit(main())
