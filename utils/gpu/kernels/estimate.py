"""Estimates the time of kernels and of networks from machine code, without a device.

A kernel's blocks share a multiprocessor as far as registers, shared memory and threads allow. Its main loop takes as long as the unit that is busiest: the matrix units, the schedulers, the pipes of
threads, shared memory, the second-level cache, or the latency of one block's own iteration. Launches, and bytes that must come from memory, are added or bound it.
"""

import dataclasses
import math

import loops
import sass

# What the table of devices (dialects/Target/GpuMachine) does not have. OVERLAP, LAUNCH_SECONDS, BEGIN_CYCLES and NEAR_CYCLES are set so that both times of tiles and times of networks on an H200 come out (results.md); the others are known or taken from the rules.
SCHEDULERS = 4
SHARED_BYTES = 128  # of shared memory per cycle of a multiprocessor
CACHE_BYTES = 32  # of the second-level cache per cycle of a multiprocessor
MEMORY_SHARE = 0.9  # of the data sheet's bandwidth
CACHE_SHARE = 0.8  # of the second-level cache that holds what a run reads again
ISSUE_RATE = 0.9  # instructions per cycle of a scheduler with many warps
FETCH_CYCLES = 825  # from a load of global memory to its use, as in the model of tiles (passes/Schedule/Rules/Gpu/ThreadModel.h)
NEAR_CYCLES = 250  # likewise where the second-level cache has it
SHARED_CYCLES = 30  # from a load of shared memory to its use
BARRIER_CYCLES = 40
OVERLAP = 2.5  # how well units overlap: 1 not at all, infinity fully
LAUNCH_SECONDS = 0.8e-6  # from the end of a kernel to the begin of the next one, in a captured graph
COPY_SECONDS = 1.5e-6
BEGIN_CYCLES = 1000  # of a kernel before and behind its loops: arguments, addresses, the first fetch
# Threads that a pipe serves in a cycle, for classes that are slower than the schedulers; that of "fma" is the device's own.
PIPES = {"integer": 64, "special": 16, "conversion": 64}
RESERVED_BYTES = 1024  # of shared memory, for each block
GRANULE_REGISTERS = 256  # of a warp


@dataclasses.dataclass
class Estimate:
    seconds: float  # of a launch, with what it takes to launch
    bound: str  # what takes most of them: "launch", "memory", "matrix", "issue", "pipe", "shared", "cache" or "latency"
    resident: int  # blocks of a multiprocessor at a time
    waves: float  # blocks of a multiprocessor, divided by those


def most_threads(capability):
    """Returns the most threads and the most blocks of a multiprocessor at a time."""
    return (2048, 32) if capability in (80, 90, 100) else (1536, 24 if capability != 86 else 16)


def resident_blocks(kernel, threads, gpu):
    """Returns how many blocks of `threads` threads a multiprocessor has room for. Registers are given out to warps in granules."""
    warps = math.ceil(threads / sass.WARP_THREADS)
    granules = math.ceil(kernel.registers * sass.WARP_THREADS / GRANULE_REGISTERS)
    registers = max(1, granules) * GRANULE_REGISTERS * warps
    own = kernel.shared_bytes + (RESERVED_BYTES if kernel.capability < 90 else 0)
    shared = (gpu["shared_bytes"] + RESERVED_BYTES) // max(own, RESERVED_BYTES)
    threads_limit, blocks_limit = most_threads(kernel.capability)
    return max(1, min(gpu["registers"] // registers, shared, threads_limit // (warps * sass.WARP_THREADS), blocks_limit))


def unit_cycles(body, warps, gpu):
    """Returns unit -> cycles of a multiprocessor for `warps` warps that issue the instructions of `body` once."""
    kinds = {kind: 0 for kind in sass.CLASSES}
    for each in body:
        kinds[each.kind] = kinds.get(each.kind, 0) + 1
    total = lambda field: sum(getattr(each, field) for each in body)
    pipes = {**PIPES, "fma": gpu["thread_products"]}
    lanes = warps * sass.WARP_THREADS
    return {
        "matrix": total("half_products") * lanes / gpu["matrix_products"],
        "issue": len(body) * warps / SCHEDULERS / ISSUE_RATE,
        "pipe": max(kinds[kind] * lanes / rate for kind, rate in pipes.items()),
        "shared": total("shared_bytes") * warps / SHARED_BYTES,
        "cache": total("global_bytes") * warps / CACHE_BYTES,
    }


def latency_cycles(body):
    """Returns the cycles of one warp for an iteration. It waits for what it fetches as long as the fetches ahead leave, and for shared memory once behind each barrier. Loops without a barrier read what
    is near in a cache more often than not."""
    names = [each.name for each in body]
    ahead = 1 + max((each.ahead for each in body if each.name == "DEPBAR"), default=0)
    barriers = names.count("BAR")
    fetches = (FETCH_CYCLES / ahead if barriers else NEAR_CYCLES) if any(each.global_bytes for each in body) else 0
    own = sum(each.stall for each in body) + barriers * BARRIER_CYCLES + (SHARED_CYCLES if "LDS" in names or "LDSM" in names else 0)
    return max(own, fetches)


def product_loops(code):
    """Returns the loops that multiply, one for each loop nest, in the order of addresses."""
    found = [loops.main_loop([loop]) for loop in loops.find_loops(code)]
    return [loop for loop in found if loop and loop.total("products")]


def outside(code, loop):
    if loop is None:
        return code
    return [each for each in code if not loop.body[0].address <= each.address <= loop.body[-1].address]


def iterations_of(code, loop, piece, warps):
    """Returns how often a block runs `loop`: as often as the loop does what the other code leaves of the piece's multiply-adds or, if the loop has none, accesses."""
    rest = outside(code, loop)
    for field, amount in (("products", piece["multiply_adds"] / sass.WARP_THREADS), ("global_bytes", piece["accessed_bytes"])):
        if loop.total(field):
            return max(1.0, (amount / warps - sum(getattr(each, field) for each in rest)) / loop.total(field))
    return 1.0


def piece_cycles(code, loop, piece, threads, rounds, resident, gpu):
    """Returns unit -> cycles of a multiprocessor for `rounds` blocks of a piece, of which it runs `resident` at a time."""
    warps = math.ceil(threads / sass.WARP_THREADS)
    units = unit_cycles(outside(code, loop), warps * rounds, gpu)
    latency = FETCH_CYCLES
    if loop:
        times = iterations_of(code, loop, piece, warps)
        for unit, cycles in unit_cycles(loop.body, warps * rounds, gpu).items():
            units[unit] += times * cycles
        latency += times * latency_cycles(loop.body)
    units["latency"] = latency * max(1.0, rounds / resident)
    return units


def loops_of_pieces(code, pieces):
    """Returns the loop of each piece, or nothing for pieces without one. If there are as many loops that multiply as pieces that do, they are in the same order."""
    multiplying = product_loops(code)
    main = loops.main_loop(loops.find_loops(code))
    with_products = [number for number, piece in enumerate(pieces) if piece["multiply_adds"]]
    own = dict(zip(with_products, multiplying)) if len(with_products) == len(multiplying) else {}
    return [own.get(number) or (main if len(pieces) == 1 or piece["multiply_adds"] else None) for number, piece in enumerate(pieces)]


def overlap(units):
    """Returns the cycles in which units with these cycles finish side by side. They wait for each other, so it is more than the busiest one's; a norm stands between that and the sum."""
    return sum(cycles**OVERLAP for cycles in units.values())**(1 / OVERLAP)


def memory_seconds(work, gpu, is_cached):
    """Returns the seconds in which a launch reads and writes what it must. Weights come from memory, unless they stay in the second-level cache, and so does everything that is too large for it."""
    all_bytes = work["read_bytes"] + work["written_bytes"]
    from_memory = all_bytes if all_bytes > CACHE_SHARE * gpu["l2_bytes"] else 0 if is_cached else work["weight_bytes"]
    per_second = gpu["processors"] * gpu["megahertz"] * 1e6
    return from_memory / (gpu["memory_gigabytes"] * 1e9 * MEMORY_SHARE) + (all_bytes - from_memory) / (CACHE_BYTES * per_second)


def estimate_kernel(code, kernel, work, gpu, is_cached):
    """Returns the Estimate of a launch of `kernel`, or nothing where sizes of the run decide what it does. `work` is the kernel as `cameo tasks --kernels --json` prints it; `is_cached` says whether
    weights are in the second-level cache."""
    pieces = work["pieces"]
    if any(piece[field] is None for piece in pieces for field in ("blocks", "multiply_adds", "accessed_bytes")) or work["read_bytes"] is None or work["written_bytes"] is None:
        return None
    blocks = sum(piece["blocks"] for piece in pieces)
    if blocks == 0:
        return Estimate(0.0, "launch", 0, 0.0)
    resident = resident_blocks(kernel, work["threads"], gpu)
    rounds = math.ceil(blocks / gpu["processors"])
    units = {}
    for piece, loop in zip(pieces, loops_of_pieces(code, pieces)):
        for unit, cycles in piece_cycles(code, loop, piece, work["threads"], rounds * piece["blocks"] / blocks, resident, gpu).items():
            units[unit] = max(units.get(unit, 0), cycles) if unit == "latency" else units.get(unit, 0) + cycles
    second = gpu["megahertz"] * 1e6
    busiest = max(units, key=units.get)
    memory = memory_seconds(work, gpu, is_cached)
    begin = LAUNCH_SECONDS + BEGIN_CYCLES / second
    busy = overlap(units) / second
    seconds = begin + max(busy, memory)
    bound = "launch" if begin > seconds / 2 else "memory" if memory > busy else busiest
    return Estimate(seconds, bound, resident, blocks / gpu["processors"] / resident)


def is_cached(works, gpu):
    """Whether the weights of all kernels stay in the second-level cache between runs."""
    return sum(work["weight_bytes"] for work in works) < CACHE_SHARE * gpu["l2_bytes"]
