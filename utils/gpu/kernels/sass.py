"""Reads the machine code of NVIDIA GPUs from sm_70 on: instructions of 128 bits.

There is no public description of these bits. The operations and fields here were found by assembling one PTX instruction at a time, on sm_80, sm_89, sm_90a, sm_100a and sm_120.
"""

import dataclasses

INSTRUCTION_BYTES = 16
WARP_THREADS = 32
ALWAYS, NEVER = 7, 15  # the guards PT and !PT: with the latter an instruction does nothing
ZERO = 255  # the register RZ
GROUP_SPEED = 0.96 / 0.63  # products of four warps per product of mma.sync: the shares of the peak that both reach (arXiv 2501.12084)

# Class -> operation -> its low 9 bits. The three bits above these are the form of the operands.
OPERATIONS = {
    "matrix": {"HMMA": 0x03C, "IMMA": 0x037, "DMMA": 0x03F, "BMMA": 0x03D, "QMMA": 0x07A, "HGMMA": 0x1F0, "IGMMA": 0x1F1, "QGMMA": 0x1F3},
    "fma": {"FFMA": 0x023, "DFMA": 0x02B, "IDP": 0x026, "FFMA2": 0x049, "FFMA.B": 0x055},
    "float": {
        "FMUL": 0x020, "FADD": 0x021, "FMNMX": 0x009, "FSETP": 0x00B, "FSEL": 0x008, "FSET": 0x00A, "FSWZADD": 0x022, "FCHK": 0x102, "FMUL2": 0x04A, "FADD2": 0x04B,
        "HADD2": 0x030, "HFMA2": 0x031, "HMUL2": 0x032, "HSET2": 0x033, "HSETP2": 0x034, "HFMA2.MMA": 0x035, "HMNMX2": 0x040, "DMUL": 0x028, "DADD": 0x029, "DSETP": 0x02A, "FMNMX3": 0x076
    },
    "integer": {
        "IMAD": 0x024, "IMAD.WIDE": 0x025, "IMAD.HI": 0x027, "IADD3": 0x010, "VIADD": 0x036, "LEA": 0x011, "LOP3": 0x012, "IABS": 0x013, "PRMT": 0x016, "IMNMX": 0x017, "VIMNMX": 0x048, "VIADDMNMX": 0x046, "VIMNMX3": 0x00F,
        "SHF": 0x019, "SGXT": 0x01A, "BMSK": 0x01B, "PLOP3": 0x01C, "ISETP": 0x00C, "SEL": 0x007, "P2R": 0x003, "R2P": 0x004, "LEPC": 0x14E, "FLO": 0x100, "BREV": 0x101, "POPC": 0x109
    },
    "move": {"MOV": 0x002, "CS2R": 0x005},
    "shared": {"LDSM": 0x03B, "STSM": 0x044, "LDS": 0x184, "STS": 0x188, "ATOMS": 0x18C, "ATOMS.CAST": 0x18D},
    "global": {"LDG": 0x181, "STG": 0x186, "LD": 0x180, "ST": 0x185, "ATOM": 0x18A, "ATOM.CAST": 0x18B, "ATOMG": 0x1A8, "ATOMG.CAST": 0x1A9, "RED": 0x18E},
    "local": {"LDL": 0x183, "STL": 0x187},
    "copy": {"LDGSTS": 0x1AE, "UTMALDG": 0x1B4, "UBLKCP": 0x1BA, "UTMASTG": 0x1B5},
    "barrier": {
        "BAR": 0x11D, "DEPBAR": 0x11A, "LDGDEPBAR": 0x1AF, "WARPSYNC": 0x148, "ENDCOLLECTIVE": 0x11B, "SYNCS": 0x1A7, "WARPGROUP": 0x1C5, "USETMAXREG": 0x1C8, "MEMBAR": 0x192, "ERRBAR": 0x1AB, "CCTL": 0x18F, "FENCE.VIEW.ASYNC": 0x1C6, "NANOSLEEP": 0x15D, "ARRIVES": 0x1B0
    },
    "branch": {"BRA": 0x147, "BRX": 0x149, "EXIT": 0x14D, "BSSY": 0x145, "BSYNC": 0x141, "BREAK": 0x142, "CALL": 0x143, "CALL.ABS": 0x144, "RET": 0x150, "YIELD": 0x146, "KILL": 0x15B, "BPT": 0x15C, "BMOV": 0x155, "BMOV.B": 0x156, "WARPSYNC.COLLECTIVE": 0x14A},
    "conversion": {"F2FP": 0x03E, "F2F": 0x104, "F2I": 0x105, "I2F": 0x106, "FRND": 0x107, "F2F.64": 0x110, "F2I.64": 0x111, "I2F.64": 0x112, "FRND.64": 0x113, "I2FP": 0x045, "I2IP": 0x039},
    "special": {"MUFU": 0x108},
    "uniform": {
        "UMOV": 0x082, "UIADD3": 0x090, "ULEA": 0x091, "ULOP3": 0x092, "UPRMT": 0x096, "USHF": 0x099, "USGXT": 0x09A, "UBMSK": 0x09B, "UPLOP3": 0x09C, "UISETP": 0x08C, "USEL": 0x087, "UIMAD": 0x0A4, "UIMAD.WIDE": 0x0A5, "UIMAD.HI": 0x0A7, "UIADD3.64": 0x097,
        "UFLO": 0x0BD, "UPOPC": 0x0BF, "UBREV": 0x0BE, "ULDC": 0x0B9, "LDCU": 0x1AC, "S2UR": 0x1C3, "R2UR": 0x1C2, "CS2UR": 0x1C0, "UP2UR": 0x083, "UR2UP": 0x084, "VOTEU": 0x086, "UCGABAR": 0x1C7, "UVIRTCOUNT": 0x0BB, "ELECT": 0x12F, "R2UR.B": 0x0CA, "UVIMNMX": 0x0C8
    },
    "other": {"S2R": 0x119, "LDC": 0x182, "SHFL": 0x189, "VOTE": 0x006, "MATCH": 0x1A1, "REDUX": 0x1C4, "CREDUX": 0x0CC, "PREEXIT": 0x02D, "ACQBULK": 0x02E, "R2UR.FILL": 0x0CB},
    "nothing": {"NOP": 0x118}
}
NAMES = {number: (name, kind) for kind, operations in OPERATIONS.items() for name, number in operations.items()}
# What newer architectures have in place of an operation with the same number.
FROM_100 = {0x035: ("IADD.64", "integer"), 0x098: ("UIADD.64", "uniform")}
CLASSES = list(OPERATIONS)


@dataclasses.dataclass
class Instruction:
    address: int
    name: str  # the operation, or its number if it is not known
    kind: str  # a key of OPERATIONS; "move" also for arithmetic with zero, "nothing" also where the guard is false, "unknown"
    stall: int  # cycles until the warp may issue the next instruction
    waits: int  # bits of the barriers of earlier instructions that the warp waits for first
    products: int = 0  # multiply-adds of a thread; those of a matrix instruction are divided by the threads of a warp
    half_products: float = 0  # of a matrix instruction: the products of float16 that take as long
    shared_bytes: int = 0  # read from or written to shared memory by a warp
    global_bytes: int = 0  # likewise of global memory
    neighbour_bytes: int = 0  # likewise read from the shared memory of other blocks of a cluster
    ahead: int = 0  # of a wait for groups of copies: how many may be pending
    target: int = None  # address that a branch with a fixed target jumps to
    is_conditional: bool = False  # whether the warp may not execute it, or take the branch


def bits(word, low, count):
    return word >> low & (1 << count) - 1


def signed(value, count):
    return value - (1 << count) if value >> count - 1 else value


def is_move(name, word):
    """Whether an operation of arithmetic only copies an operand: it multiplies by the register of zero, and adds. ptxas moves so in order to use other units."""
    return name in ("IMAD", "HFMA2", "HFMA2.MMA", "FFMA") and bits(word, 24, 8) == ZERO


def group_columns(word):
    """Returns the columns of a product of four warps, which has 64 rows."""
    return 8 * (bits(word, 53, 5) + 1)


def products_of(name, word):
    if name == "HMMA":
        is_deep, is_shallow = bits(word, 75, 1), bits(word, 78, 1)
        depth = 16 if is_deep else 4 if is_shallow else 8
        return 16 * 8 * depth // WARP_THREADS
    if name in ("IMMA", "QMMA"):
        return 16 * 8 * (32 if bits(word, 75, 1) else 16) // WARP_THREADS
    if name == "HGMMA":
        return 64 * group_columns(word) * 16 // (4 * WARP_THREADS)
    return {"FFMA": 1, "FFMA.B": 1, "DFMA": 1, "FFMA2": 2, "IDP": 4, "DMMA": 8 * 8 * 4 // WARP_THREADS}.get(name, 0)


def half_products_of(name, word, products):
    """tf32 is half as fast as float16, bytes twice as fast. The rate is that of mma.sync; products of four warps have their own (GROUP_SPEED)."""
    if name == "HGMMA":
        return products / GROUP_SPEED
    is_tf32 = name == "HMMA" and bits(word, 83, 1)
    return products * (2 if is_tf32 else 0.5 if name in ("IMMA", "QMMA") else 1)


def access_bytes(word):
    """Returns the bytes of a thread of a load or store."""
    return (1, 1, 2, 2, 4, 8, 16, 16)[bits(word, 73, 3)]


def copy_bytes(word, capability):
    return 4 << bits(word, 74 if capability >= 100 else 73, 2)


def branch_target(address, word, capability):
    """Distances are counted from the next instruction on, in units of 4 bytes; from sm_90 on their low 8 bits lie elsewhere."""
    distance = signed(bits(word, 34, 48), 48)
    return address + INSTRUCTION_BYTES + 4 * (distance << 8 | bits(word, 16, 8) if capability >= 90 else distance)


def decode(address, word, capability):
    number = bits(word, 0, 9)
    name, kind = (FROM_100.get(number) if capability >= 100 else None) or NAMES.get(number) or (f"{bits(word, 0, 12):#05x}", "unknown")
    result = Instruction(address, name, kind, bits(word, 105, 4), bits(word, 116, 6))
    result.is_conditional = bits(word, 12, 4) != ALWAYS or (name == "BRA" and bits(word, 87, 4) != ALWAYS)
    if bits(word, 12, 4) == NEVER:
        result.kind = "nothing"
    elif is_move(name, word):
        result.kind = "move"
    elif name == "LDSM":
        result.shared_bytes = 8 * 16 << bits(word, 72, 2)
    elif kind == "shared":
        result.shared_bytes = access_bytes(word) * WARP_THREADS
    elif name == "LDGSTS":
        result.shared_bytes = result.global_bytes = copy_bytes(word, capability) * WARP_THREADS
    elif name == "HGMMA":
        # A warp has a fourth of the left matrix and of the right one.
        result.shared_bytes = (64 + group_columns(word)) * 16 * 2 // 4
    elif name in ("LDG", "STG"):
        result.global_bytes = access_bytes(word) * WARP_THREADS
    elif name == "LD":
        # A load whose address may be in any memory; kernels have them for other blocks of a cluster alone.
        result.neighbour_bytes = access_bytes(word) * WARP_THREADS
    elif name == "DEPBAR":
        result.ahead = bits(word, 38, 6)
    elif name == "BRA":
        result.target = branch_target(address, word, capability)
    result.products = products_of(name, word) if result.kind in ("matrix", "fma") else 0
    result.half_products = half_products_of(name, word, result.products) if result.kind == "matrix" else 0
    return result


def read_code(code, capability):
    """Returns the instructions of `code`, the bytes of a kernel. Those behind the end, which fill the section, are left out."""
    found = [decode(at, int.from_bytes(code[at:at + INSTRUCTION_BYTES], "little"), capability) for at in range(0, len(code) - INSTRUCTION_BYTES + 1, INSTRUCTION_BYTES)]
    while found and (found[-1].name == "NOP" or found[-1].target == found[-1].address):
        found.pop()
    return found
