#!/usr/bin/env python3
"""utils/bench/zoo prints a line of numbers for each network: bench_zoo.py ZOO MODE OPTION... NETWORK NETWORK"""

import re
import subprocess
import sys

SKIPPED = 77


def main():
    script, mode, *options = sys.argv[1:]
    quick = {"speed": ["--runs=1"], "scaling": ["--runs=1", "--turns=1"], "dynamic": ["--runs=1", "--turns=1", "--small"]}.get(mode, ["--seeds=1"])
    result = subprocess.run([sys.executable, script, mode, *options, *quick], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    print(result.stdout + result.stderr)
    if "ONNX Runtime was not found" in result.stderr:
        return SKIPPED
    rows = [re.findall(rf"^{name} .*\d\.\d.*$", result.stdout, re.MULTILINE) for name in options[-2:]]
    return 0 if result.returncode == 0 and all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
