"""The lines that `kernels` prints: of each kernel, and of each network."""

import dataclasses

import flow
import loops
import sass

KERNEL_COLUMNS = ["model", "gpu", "math", "kernel", "threads", "registers", "shared", "stack", "local", "instructions", "multiply_adds", *[kind for kind in sass.CLASSES if kind != "local"], "product_percent", "move_percent", "stall_cycles", "waits", "issue_cycles",
                  "launches", "blocks", "resident", "microseconds", "bound"]
NETWORK_COLUMNS = ["model", "gpu", "math", "kernels", "launches", "registers", "shared", "stack", "local", "matrix_loops", "matrix_percent", "fma_loops", "fma_percent", "move_percent", "microseconds"]
SCHEDULERS = 4
NONE = "-"


@dataclasses.dataclass
class KernelLine:
    """What `kernels` knows of a kernel. `work` and `estimate` are missing where sizes of a run decide them, and for persistent kernels."""

    cubin: object  # cubin.Kernel
    code: list  # instructions
    work: dict = None  # as `cameo tasks --kernels --json` prints it
    estimate: object = None  # estimate.Estimate

    @property
    def main(self):
        return loops.main_loop(loops.find_loops(self.code))

    @property
    def local(self):
        """Returns how many loads and stores of local memory there are: registers that are spilled, and arrays of a thread."""
        return sum(each.kind == "local" for each in self.code)

    def unknown(self):
        return sorted({each.name for each in self.code if each.kind == "unknown"})


@dataclasses.dataclass
class Shares:
    """Of the instructions of a main loop that multiplies, in percent."""

    unit: str  # "matrix", "group" for products of four warps, whose instructions are few, or "fma"
    products: float
    moves: float


def multiplies(loop):
    return 4 * loop.total("products") >= len(loop.body)


def product_loop(line):
    """Returns the main loop of a kernel, or nothing if it multiplies little: fewer than a quarter as many multiply-adds as instructions. Where few steps of matrix units are in no loop, all of them are one
    iteration; of several pieces, that with the least share."""
    if line.main is not None and multiplies(line.main):
        return line.main
    steps = [loops.Loop(body, []) for body in flow.straight_products(line.code)]
    return min(filter(multiplies, steps), key=lambda loop: loop.kinds()["matrix"] / len(loop.body), default=None)


def shares_of(line):
    """Returns the Shares of the loop that multiplies, or nothing if there is none."""
    main = product_loop(line)
    if main is None:
        return None
    kinds = main.kinds()
    unit = "matrix" if kinds["matrix"] else "fma"
    products = 100 * kinds[unit] / len(main.body)
    if main.count("HGMMA"):
        unit = "group"
    return Shares(unit, products, 100 * kinds["move"] / len(main.body))


def number(value, digits=1):
    return NONE if value is None else f"{value:.{digits}f}"


def loop_cells(line):
    main = line.main
    if main is None:
        return [NONE] * (len(sass.CLASSES) + 6)
    kinds, shares = main.kinds(), shares_of(line)
    warps = -(-line.cubin.threads // sass.WARP_THREADS)
    return [len(main.body), main.total("products"), *[kinds[kind] for kind in sass.CLASSES if kind != "local"],
            number(shares and shares.products), number(shares and shares.moves), main.total("stall"), sum(each.waits != 0 for each in main.body), number(len(main.body) * warps / SCHEDULERS)]


def estimate_cells(line):
    if line.estimate is None:
        return [NONE if line.work is None else line.work["launches"]] + [NONE] * 4
    blocks = sum(piece["blocks"] for piece in line.work["pieces"])
    return [line.work["launches"], blocks, line.estimate.resident, number(line.estimate.seconds * 1e6, 2), line.estimate.bound]


def kernel_cells(line):
    kernel = line.cubin
    return [kernel.name, kernel.threads, kernel.registers, kernel.shared_bytes, kernel.stack_bytes, line.local, *loop_cells(line), *estimate_cells(line)]


@dataclasses.dataclass
class Network:
    """The kernels of a model on a GPU, together."""

    lines: list
    copy_seconds: float  # of all copies of a run

    def shares(self, unit):
        return [shares for shares in map(shares_of, self.lines) if shares and shares.unit == unit]

    def least(self, unit):
        """Returns the lowest share of `unit` in a main loop in percent, or nothing if no loop uses it."""
        return min((shares.products for shares in self.shares(unit)), default=None)

    def most_moves(self):
        return max((shares.moves for unit in ("matrix", "fma") for shares in self.shares(unit)), default=None)

    def seconds(self):
        """Returns the estimated seconds of a run, or nothing if some kernel has no estimate. The first launch of a run never begins early."""
        if any(line.estimate is None for line in self.lines):
            return None
        first = max((line.estimate.early for line in self.lines), default=0.0)
        return self.copy_seconds + first + sum(line.work["launches"] * line.estimate.seconds for line in self.lines)


def network_cells(network):
    lines = network.lines
    most = lambda field: max((getattr(line.cubin, field) for line in lines), default=0)
    launches = sum(line.work["launches"] for line in lines) if all(line.work for line in lines) else NONE
    seconds = network.seconds()
    return [len(lines), launches, most("registers"), most("shared_bytes"), most("stack_bytes"), sum(line.local for line in lines), len(network.shares("matrix")), number(network.least("matrix")),
            len(network.shares("fma")), number(network.least("fma")), number(network.most_moves()), number(seconds and seconds * 1e6)]
