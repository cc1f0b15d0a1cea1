"""What the loops and the estimated times of networks must keep: the table gates.tsv.

A line has limits for a model, a GPU and a math: the least share of matrix instructions and of FFMA in a main loop, the largest share of moves, and the most microseconds of a run by the estimate. Limits
only become stricter: `kernels --tighten` writes what is better than the table, and nothing else.
"""

import math
import pathlib

TABLE = pathlib.Path(__file__).with_name("gates.tsv")
KEYS = ["model", "gpu", "math"]
# Column -> whether a larger number is stricter.
LIMITS = {"matrix_percent": True, "fma_percent": True, "move_percent": False, "microseconds": False}
NONE = "-"
BAR_MATRIX_PERCENT = 33  # what loops of mma.sync are to reach


def measured(network):
    """Returns column -> number of a table.Network, or nothing for what it does not have."""
    seconds = network.seconds()
    return {"matrix_percent": network.least("matrix"), "fma_percent": network.least("fma"), "move_percent": network.most_moves(), "microseconds": seconds and seconds * 1e6}


def read(path=TABLE):
    """Returns (model, gpu, math) -> column -> limit."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line]
    head, *rows = rows
    if head != KEYS + list(LIMITS):
        raise ValueError(f"{path}: expected the columns {' '.join(KEYS + list(LIMITS))}")
    limits = {}
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"{path}: expected {len(head)} columns in the line of {row[0]}")
        limits[tuple(row[:len(KEYS)])] = {column: float(text) for column, text in zip(LIMITS, row[len(KEYS):]) if text != NONE}
    return limits


def misses(limits, found):
    """Returns a sentence for each limit that `found`, numbers by column, does not keep. Numbers of the table have one digit behind the point."""
    sentences = []
    for column, limit in limits.items():
        value, is_least = found.get(column), LIMITS[column]
        if value is None or (rounded(column, value) < limit if is_least else rounded(column, value) > limit):
            text = "none" if value is None else f"{value:.1f}"
            sentences.append(f"{column} is {text}, expected {'at least' if is_least else 'at most'} {limit:.1f}")
    return sentences


def rounded(column, value):
    """Rounds to the side that is less strict."""
    return math.floor(value * 10) / 10 if LIMITS[column] else math.ceil(value * 10) / 10


def tighten(limits, found):
    """Returns the stricter of a limit and what is found, for each column that has either."""
    result = {}
    for column, is_least in LIMITS.items():
        have = [limits[column]] if column in limits else []
        have += [rounded(column, found[column])] if found.get(column) is not None else []
        if have:
            result[column] = max(have) if is_least else min(have)
    return result


def write(limits, path=TABLE):
    lines = ["\t".join(KEYS + list(LIMITS))]
    for key in sorted(limits):
        lines.append("\t".join([*key, *[f"{limits[key][column]:.1f}" if column in limits[key] else NONE for column in LIMITS]]))
    path.write_text("\n".join(lines) + "\n")
