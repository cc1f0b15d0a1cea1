"""Whether the kernels of one processor in an object for several are those of an object for it alone, instruction by instruction: same-kernels.py ALONE AMONG CPU, of
which the files have what llvm-objdump -d --no-show-raw-insn prints."""

import pathlib
import re
import sys


def read(path, ending):
    kernels = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if label := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            name = label[1].removesuffix(ending)
            lines = kernels.setdefault(name, []) if re.search(r"\.k\d+(\.parallel)?$", name) else []
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line):
            # Distances within a function are the same, places are not.
            text = re.sub(r"\s*#.*", "", instruction[1])
            lines.append(re.sub(r"0x[0-9a-f]+ <[^>+]*(\+0x[0-9a-f]+)?>", r"<\1>", text))
    for lines in kernels.values():
        # What fills the space up to the next function.
        while lines and re.match(r"nop|int3|xchgw\s+%ax, %ax", lines[-1].strip()):
            lines.pop()
    return kernels


alone, among = read(sys.argv[1], ""), read(sys.argv[2], f".{sys.argv[3]}")
ours = {name: among[name] for name in alone}
assert len(alone) >= 3 and all(alone.values()), alone.keys()
different = [name for name in alone if alone[name] != ours[name]]
assert not different, different
