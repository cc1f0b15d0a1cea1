#!/usr/bin/env python3
"""utils/bench/search prints what a short session finds: bench_search.py SEARCH CAMEO MODELS"""

import pathlib
import re
import subprocess
import sys
import tempfile


def table(*command):
    result = subprocess.run([sys.executable, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    print(result.stdout + result.stderr)
    return result.stdout if result.returncode == 0 else ""


def main():
    search, cameo, models = sys.argv[1:]
    rate = table(search, "rate", "--cameo", cameo, "--models", models, "--network", "mlp_tiny", "--seconds", "10")
    # Candidates, failures, candidates per second; estimated, measured and untuned milliseconds; the ratio to ONNX Runtime if it is installed.
    is_rate = re.search(r"^mlp_tiny +\d+ +\d+ +\d+\.\d +\d+\.\d{3} +\d+\.\d{3} +[+-]\d+\.\d% +\d+\.\d{3} +\d\.\d{3} +(\d+\.\d{3}|-)$", rate, re.MULTILINE)
    product = table(search, "matmul", "--cameo", cameo, "--trials", "4")
    is_product = re.search(r"^0 +\d+\.\d +\d+\.\d{4} +\d+\.\d +\d+\.\d$", product, re.MULTILINE)
    chance = table(search, "random-tasks", "--cameo", cameo, "--count", "1", "--trials", "4")
    # Milliseconds of the default schedule, and of the results of searches with and without it; two ratios, and the operators.
    is_chance = re.search(r"^1:\d+ +\d+\.\d{4} +\d+\.\d{4} +\d+\.\d{4} +\d+\.\d{3} +\d+\.\d{3} +[A-Z]\w+", chance, re.MULTILINE)
    is_summary = re.search(r"within 10% of the best that was found for [01] of 1 tasks .*\n.*from nothing the search is within 5% .* [01] of 1 tasks", chance)
    # On a loaded machine half a minute can be too short for a whole network, so that one is only made and compiled.
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "tcn.onnx"
        sys.dont_write_bytecode = True  # the folder may be read-only
        sys.path.append(str(pathlib.Path(search).parent))
        import unseen_networks
        unseen_networks.make("tcn", model)
        is_compiled = subprocess.run([cameo, "compile", model, "-o", model.with_suffix(".o")]).returncode == 0
    unknown = subprocess.run([sys.executable, search, "networks", "--cameo", cameo, "--network", "tcm"], capture_output=True, text=True, timeout=60)
    is_refused = unknown.returncode == 1 and re.search(r"^search: error: expected --network .* or tcn or .*, got tcm$", unknown.stderr)
    # If the compiler cannot be started, the benchmark must end with an error.
    absent = subprocess.run([sys.executable, search, "random-tasks", "--cameo", "/bin/nothing", "--count", "1"], capture_output=True, text=True, timeout=60)
    broken = subprocess.run([sys.executable, search, "random-tasks", "--cameo", search, "--count", "1"], capture_output=True, text=True, timeout=60)
    is_ended = all(each.returncode == 1 and "search: error:" in each.stderr for each in (absent, broken))
    return 0 if is_ended and is_rate and is_product and is_chance and is_summary and is_compiled and is_refused else 1


if __name__ == "__main__":
    sys.exit(main())
