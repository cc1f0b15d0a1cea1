#!/usr/bin/env python3
"""Products by the matrix unit in tiles whose rows or columns are no power of two, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_uneven.py CAMEO EMULATOR WORK_FOLDER

Edges that tiles do not divide, constants that are packed along the depth, operands stored along it, more threads than vectors, sums that the blocks of a cluster or others divide. Where NVIDIA's assembler is
installed, it takes the kernels, too.
"""

import sys

import gpu_clusters
import gpu_groups
from gpu_groups import make_product, run_all

# As in gpu_clusters.py: "packed" constants are so, and blocks that divide a sum are a cluster or "apart".
PRODUCTS = [
    (1, 128, 144, 256, "", "", "packed", "float16", 64, 48, 64, 3, 1, 32, 48),
    (1, 200, 200, 192, "", "", "packed", "float16", 96, 96, 32, 4, 1, 48, 48),
    (1, 100, 192, 384, "", "", "packed", "bfloat16", 32, 192, 128, 3, 3, 16, 48),
    (1, 128, 384, 384, "", "", "packed apart", "float16", 64, 96, 64, 4, 2, 32, 48),
    (1, 300, 72, 136, "", "turned", "", "float16", 192, 64, 32, 2, 1, 48, 32),
    (3, 50, 100, 48, "", "turned", "", "float16", 48, 48, 16, 3, 1, 48, 48),
]


def steps(shape):
    batch, _, _, depth, _, _, how, _, rows, columns, fetched, stages, splits, warp_rows, warp_columns = shape
    outer = [(1, 1)] if batch > 1 else []
    found = gpu_groups.steps_of([*outer, (rows, warp_rows), (columns, warp_columns)], [fetched], columns, stages, "packed" in how, depth // splits if splits > 1 else None)
    found = gpu_clusters.in_cluster(found) if splits > 1 and "apart" not in how else found
    return [*found[:-1], "tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>"]


if __name__ == "__main__":
    sys.exit(run_all([(make_product, steps, shape) for shape in PRODUCTS], "tensor = [0, "))
