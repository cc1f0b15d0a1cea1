#!/usr/bin/env python3
"""Runs the libFuzzer target of the importer, with the models of a folder as seeds: it must find no crash, hang, leak or second error.

The corpus that a run extends stays in the work folder, and the next run continues with it.
"""

import argparse
import os
import pathlib
import subprocess
import sys

# Larger models have weights, which the importer does not interpret.
MAX_SEED_BYTES = 32 << 10


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzzer", required=True, help="the program fuzz-import")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where inputs are kept, and those that fail")
    parser.add_argument("--seconds", type=int, default=60, help="how long; default: 60")
    parser.add_argument("--seed", type=int, default=1, help="of the fuzzer; default: 1")
    parser.add_argument("models", type=pathlib.Path, nargs="+", help="folders with model.onnx files to begin with")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    corpus = arguments.work / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = [path for folder in arguments.models for path in sorted(folder.glob("**/model.onnx"))
             if path.stat().st_size <= MAX_SEED_BYTES]
    if not seeds:
        print(f"skipped: no models in {', '.join(map(str, arguments.models))} (Debian: libonnx-testdata)")
        return 0
    listed = arguments.work / "seeds"
    listed.write_text(",".join(map(str, seeds)))
    return subprocess.call([arguments.fuzzer, f"-max_total_time={arguments.seconds}", f"-seed={arguments.seed}", f"-seed_inputs=@{listed}",
                            f"-max_len={2 * MAX_SEED_BYTES}", "-timeout=60", "-rss_limit_mb=4000", "-print_final_stats=1", "-verbosity=0",
                            f"-artifact_prefix={arguments.work}{os.sep}", corpus])


if __name__ == "__main__":
    sys.exit(main())
