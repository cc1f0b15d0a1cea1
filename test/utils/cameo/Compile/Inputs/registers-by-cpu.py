"""Reads what llvm-objdump -d prints of an object for several processors: for each, and for what they share, the widest registers, and whether instructions are those of
AVX."""

import re
import sys

widths, extended, cpu = {}, {}, None
for line in sys.stdin:
    if label := re.match(r"[0-9a-f]+ <(.*)>:$", line):
        named = re.search(r"\.(x86-64(-v\d)?)$", label[1])
        cpu = named[1] if named else "shared"
        widths.setdefault(cpu, set())
        extended.setdefault(cpu, False)
    elif cpu and (instruction := re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)", line)):
        widths[cpu] |= set(re.findall(r"%([xyz]mm)", instruction[2]))
        extended[cpu] |= instruction[1].startswith("v")
for cpu in sorted(widths):
    print(cpu, max(widths[cpu], default="none"), "AVX" if extended[cpu] else "")
