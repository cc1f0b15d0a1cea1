#!/usr/bin/env python3
"""utils/bench/decoder prints a line of numbers for a step, one for a prompt, and one for steps in a cache with free rows: bench_decoder.py DECODER CAMEO FOLDER_WITH_MODEL"""

import re
import subprocess
import sys

SKIPPED = 77


def main():
    script, cameo, models = sys.argv[1:]
    result = subprocess.run([sys.executable, script, "--cameo", cameo, "--models", models, "--steps", "16", "--prompts", "4", "--slots", "40", "--runs=1"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    print(result.stdout + result.stderr)
    if "ONNX Runtime was not found" in result.stderr:
        return SKIPPED
    rows = [re.search(rf"^{name} +1 .*\d\.\d.*$", result.stdout, re.MULTILINE) for name in ("step behind 16", "prompt of 4", "step, 40 slots")]
    return 0 if result.returncode == 0 and all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
