#!/usr/bin/env python3
"""utils/bench/search prints what a short session finds: bench_search.py SEARCH CAMEO MODELS"""

import re
import subprocess
import sys


def table(*command):
    result = subprocess.run([sys.executable, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    print(result.stdout + result.stderr)
    return result.stdout if result.returncode == 0 else ""


def main():
    search, cameo, models = sys.argv[1:]
    rate = table(search, "rate", "--cameo", cameo, "--models", models, "--network", "mlp_tiny", "--seconds", "10")
    # Candidates, failures, candidates per second; estimated, measured and untuned milliseconds; the ratio to ONNX Runtime if it is there.
    is_rate = re.search(r"^mlp_tiny +\d+ +\d+ +\d+\.\d +\d+\.\d{3} +\d+\.\d{3} +[+-]\d+\.\d% +\d+\.\d{3} +\d\.\d{3} +(\d+\.\d{3}|-)$", rate, re.MULTILINE)
    product = table(search, "matmul", "--cameo", cameo, "--trials", "4")
    is_product = re.search(r"^0 +\d+\.\d +\d+\.\d{4} +\d+\.\d +\d+\.\d$", product, re.MULTILINE)
    return 0 if is_rate and is_product else 1


if __name__ == "__main__":
    sys.exit(main())
