"""Estimates the time of kernels and of networks from machine code, without a device.

A kernel's blocks share a multiprocessor as far as registers, shared memory and threads allow. Its main loop takes as long as the unit that is busiest: the matrix units, the schedulers, the pipes of
threads, shared memory, the second-level cache, or the latency of one block's own iteration. Launches, and bytes that must come from memory, are added or bound it.
"""

import dataclasses
import itertools
import math

import flow
import loops
import sass

# What the table of devices (dialects/Target/GpuMachine) does not have. OVERLAP, LAUNCH_SECONDS, BEGIN_CYCLES and NEAR_CYCLES are set so that both times of tiles and times of networks on an H200 come out (results.md); the others are known or taken from the rules.
SCHEDULERS = 4
SHARED_BYTES = 128  # of shared memory per cycle of a multiprocessor
CACHE_BYTES = 32  # of the second-level cache per cycle of a multiprocessor
ALONE_BYTES = 64  # likewise where few multiprocessors read
MEMORY_SHARE = 0.9  # of the data sheet's bandwidth
CACHE_SHARE = 0.8  # of the second-level cache that holds what a run reads again
ISSUE_RATE = 0.9  # instructions per cycle of a scheduler with many warps
FETCH_CYCLES = 825  # from a load of global memory to its use, as in the model of tiles (passes/Schedule/Rules/Gpu/ThreadModel.h)
NEAR_CYCLES = 250  # likewise where the second-level cache has it
SHARED_CYCLES = 30  # from a load of shared memory to its use
BARRIER_CYCLES = 40
# Of clusters: bytes per cycle of a multiprocessor from the shared memory of others where all read, as on an H800 in clusters of four (arXiv 2501.12084), cycles until the first arrive (180 there), and of a
# barrier with what it orders, which is assumed (RATIONALE.md); multiprocessors that share a part of the device have at least GROUP_PROCESSORS.
NEIGHBOUR_BYTES = 11
NEIGHBOUR_CYCLES = 200
MEETING_CYCLES = 500
GROUP_PROCESSORS = 16
OVERLAP = 2.5  # how well units overlap: 1 not at all, infinity fully
LAUNCH_SECONDS = 0.8e-6  # from the end of a kernel to the begin of the next one, in a captured graph
COPY_SECONDS = 1.5e-6
BEGIN_CYCLES = 1000  # of a kernel before and behind its loops: arguments, addresses, the first fetch
# What remains of both where a kernel begins while the one before still runs. No device has measured it (RATIONALE.md).
DEPENDENT_SHARE = 0.5
# Threads that a pipe serves in a cycle, for classes that are slower than the schedulers; that of "fma" is the device's own.
PIPES = {"integer": 64, "special": 16, "conversion": 64}
RESERVED_BYTES = 1024  # of shared memory, for each block
GRANULE_REGISTERS = 256  # of a warp


@dataclasses.dataclass
class Estimate:
    seconds: float  # of a launch, with what it takes to launch
    early: float  # seconds that it takes less because it begins while the launch before still runs
    bound: str  # what takes most of them: "launch", "memory", "matrix", "issue", "pipe", "shared", "cache", "neighbour" or "latency"
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
    """Returns unit -> cycles of a multiprocessor for `warps` warps, a mean, that issue the instructions of `body` once."""
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
        "neighbour": total("neighbour_bytes") * warps / NEIGHBOUR_BYTES,
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


def outside(code, loop):
    if loop is None:
        return code
    return [each for each in code if not loop.body[0].address <= each.address <= loop.body[-1].address]


def iterations_of(own, last, loop, piece, warps):
    """Returns how often a block runs `loop`, in the mean: as often as the loop does what the other code leaves of the piece's multiply-adds or, if the loop has none, accesses. `own` is the other code of each
    block, `last` that of the last block of those that divide a sum."""
    for field, amount in (("products", piece["multiply_adds"] / sass.WARP_THREADS), ("global_bytes", piece["accessed_bytes"])):
        if loop.total(field):
            rest = sum(getattr(each, field) for each in own) + sum(getattr(each, field) for each in last) / piece["parts"]
            return max(1 / piece["parts"], (amount / warps - rest) / loop.total(field))
    return 1.0


def straight_cycles(code, loop):
    """Returns the cycles of one warp for products of matrix units that are in no loop, from the first to the last; from the end of the loop on, where they follow it, as they read its results."""
    places = [at for at, each in enumerate(code) if each.kind == "matrix"]
    if not places:
        return 0
    follows = loop is not None and loop.body[-1].address < code[places[0]].address
    begin = next(at for at, each in enumerate(code) if each.address > loop.body[-1].address) if follows else places[0]
    return latency_cycles(code[begin:places[-1] + 1])


def later_fetches(code, loop):
    """Returns how often a block waits, outside of its loop, for copies that it started behind its first products: those of a product that reads what the first one leaves in shared memory."""
    inside = {each.address for each in loop.body} if loop else ()
    fetches, has_products, has_copies = 0, False, False
    for each in code:
        has_products |= bool(each.products)
        if each.address in inside:
            continue
        if each.name == "LDGSTS":
            has_copies |= has_products
        elif each.name == "DEPBAR" and has_copies:
            fetches += 1
            has_copies = False
    return fetches


def divided_code(code, loop, behind, piece):
    """Returns the code outside of `loop` that each block executes, and that of one of the blocks that divide a sum; addresses of the latter are in `behind`."""
    rest = outside(code, loop)
    if piece["parts"] == 1:
        return rest, []
    return [each for each in rest if each.address not in behind], [each for each in rest if each.address in behind]


def piece_cycles(code, loop, behind, piece, threads, cluster, rounds, resident, gpu):
    """Returns unit -> cycles of a multiprocessor for `rounds` blocks of a piece, of which it runs `resident` at a time. `cluster` blocks are a cluster."""
    warps = math.ceil(threads / sass.WARP_THREADS)
    own, last = divided_code(code, loop, behind, piece)
    units = unit_cycles(own, warps * rounds, gpu)
    parts = [(last, 1 / piece["parts"])]
    latency = (1 + later_fetches(code, loop)) * FETCH_CYCLES + straight_cycles(own, loop)
    # Copies before a loop that copies, too, are those of its first steps: as many iterations at its end start none.
    is_ahead = loop is not None and loop.count("LDGSTS") > 0
    first_bytes = sum(each.global_bytes for each in own if not (is_ahead and each.name == "LDGSTS"))
    if loop:
        times = iterations_of(own, last, loop, piece, warps)
        parts.append((loop.body, times))
        latency += times * latency_cycles(loop.body)
        if loop.body[0].address not in behind:
            first_bytes += times * loop.total("global_bytes")
    units["cache"] = piece["accessed_bytes"] * rounds / CACHE_BYTES
    if cluster > 1:
        # Blocks meet before they read from each other, and behind that.
        latency += 2 * MEETING_CYCLES + NEIGHBOUR_CYCLES + sum(each.neighbour_bytes for each in last) * warps / piece["parts"] / NEIGHBOUR_BYTES
    elif piece["parts"] > 1:
        # The last block counts its arrival and reads the parts when all others are done.
        latency += 2 * FETCH_CYCLES + max(0, piece["accessed_bytes"] - first_bytes * warps) * piece["parts"] / ALONE_BYTES
    for body, times in parts:
        for unit, cycles in unit_cycles(body, warps * rounds, gpu).items():
            units[unit] += times * cycles
    units["latency"] = latency * max(1.0, rounds / resident)
    return units


def loop_of_piece(code, own, piece, pieces):
    """Returns the main loop of the piece whose code is `own`, or nothing if it has none."""
    if len(pieces) > 1 and not piece["multiply_adds"]:
        return None
    addresses = {each.address for each in own}
    return loops.main_loop([loop for loop in loops.find_loops(code) if loop.body[0].address in addresses])


def overlap(units):
    """Returns the cycles in which units with these cycles finish side by side. They wait for each other, so it is more than the busiest one's; a norm stands between that and the sum."""
    return sum(cycles**OVERLAP for cycles in units.values())**(1 / OVERLAP)


def memory_seconds(work, gpu, is_cached):
    """Returns the seconds in which a launch reads and writes what it must. Weights come from memory, unless they stay in the second-level cache, and so does everything that is too large for it."""
    all_bytes = work["read_bytes"] + work["written_bytes"]
    from_memory = all_bytes if all_bytes > CACHE_SHARE * gpu["l2_bytes"] else 0 if is_cached else work["weight_bytes"]
    per_second = gpu["processors"] * gpu["megahertz"] * 1e6
    return from_memory / (gpu["memory_gigabytes"] * 1e9 * MEMORY_SHARE) + (all_bytes - from_memory) / (CACHE_BYTES * per_second)


def begins_early(code):
    """Whether launches of the kernel may begin before earlier ones have ended: it waits for them (griddepcontrol.wait)."""
    return any(each.name == "ACQBULK" for each in code)


def processors_for(cluster, gpu):
    """Returns how many multiprocessors have blocks where clusters have `cluster` of them: those of a cluster are in one part of the device."""
    processors = gpu["processors"]
    return processors if cluster == 1 else processors // GROUP_PROCESSORS * (GROUP_PROCESSORS // cluster * cluster)


def blocks_of_busiest(pieces, costs, processors):
    """Returns how many blocks of each piece the multiprocessor has that is busy for longest. Blocks are handed out in the order of their numbers, and those of a piece follow each other; `costs` has the
    cycles of one block of each piece."""
    ends = list(itertools.accumulate(piece["blocks"] for piece in pieces))
    begins = [0, *ends[:-1]]
    # Multiprocessor n has block n, and every further one that is `processors` later.
    on = lambda n: [(end - n + processors - 1) // processors - (begin - n + processors - 1) // processors for begin, end in zip(begins, ends)]
    return max((on(n % processors) for n in begins), key=lambda counts: sum(count * cost for count, cost in zip(counts, costs)))


def estimate_kernel(code, kernel, work, gpu, is_cached):
    """Returns the Estimate of a launch of `kernel`, or nothing where sizes of the run decide what it does. `work` is the kernel as `cameo tasks --kernels --json` prints it; `is_cached` says whether
    weights are in the second-level cache."""
    pieces = work["pieces"]
    if any(piece[field] is None for piece in pieces for field in ("blocks", "multiply_adds", "accessed_bytes")) or work["read_bytes"] is None or work["written_bytes"] is None:
        return None
    blocks = sum(piece["blocks"] for piece in pieces)
    if blocks == 0:
        return Estimate(0.0, 0.0, "launch", 0, 0.0)
    resident = resident_blocks(kernel, work["threads"], gpu)
    behind = flow.behind_arrival(code)
    codes = [(own, loop_of_piece(code, own, piece, pieces)) for piece, own in zip(pieces, flow.codes_of_pieces(code, pieces))]

    def cycles_of(piece, own, loop, rounds):
        return piece_cycles(own, loop, behind, piece, work["threads"], work["cluster"] if piece["parts"] > 1 else 1, rounds, resident, gpu)

    costs = [max(cycles for unit, cycles in cycles_of(piece, *each, 1).items() if unit != "latency") for piece, each in zip(pieces, codes)]
    units = {}
    for piece, each, rounds in zip(pieces, codes, blocks_of_busiest(pieces, costs, processors_for(work["cluster"], gpu))):
        for unit, cycles in cycles_of(piece, *each, rounds).items():
            units[unit] = max(units.get(unit, 0), cycles) if unit == "latency" else units.get(unit, 0) + cycles
    second = gpu["megahertz"] * 1e6
    busiest = max(units, key=units.get)
    memory = memory_seconds(work, gpu, is_cached)
    begin = LAUNCH_SECONDS + BEGIN_CYCLES / second
    early = begin * (1 - DEPENDENT_SHARE) if begins_early(code) else 0.0
    begin -= early
    busy = overlap(units) / second
    seconds = begin + max(busy, memory)
    bound = "launch" if begin > seconds / 2 else "memory" if memory > busy else busiest
    return Estimate(seconds, early, bound, resident, blocks / gpu["processors"] / resident)


def is_cached(works, gpu):
    """Whether the weights of all kernels stay in the second-level cache between runs."""
    return sum(work["weight_bytes"] for work in works) < CACHE_SHARE * gpu["l2_bytes"]
