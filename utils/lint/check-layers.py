#!/usr/bin/env python3
"""Checks that every #include, and every include of a .td file, goes along the layer table below.

All headers share one include root, so CMake alone cannot tell a layer that is jumped over. Prints one line per violation
and exits 1; exits 0 and prints the number of files otherwise.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()

# Folder -> what its files may include: folders of this repository, and other libraries by the first part of the path. The entry with the longest
# matching folder applies. A folder may always include itself. "src/" stands for private headers.
DIALECTS = ["dialects", "mlir", "llvm"]
PASSES = DIALECTS + ["passes/Target"]
SCHEDULES = DIALECTS + ["passes/Schedule/Nests", "passes/Schedule/Rules", "passes/Schedule/Steps"]
LAYERS = {
    "dialects": ["dialects", "mlir", "llvm"],
    "dialects/Files": ["llvm"],
    "frontend": DIALECTS + ["frontend"],
    "frontend/Import": DIALECTS + ["frontend", "onnx", "google"],
    "passes/Graph": PASSES,
    "passes/Layout": PASSES,
    "passes/Partition": PASSES,
    "passes/Lower": PASSES,
    "passes/Schedule": PASSES,
    "passes/Schedule/Nests": DIALECTS,
    "passes/Schedule/Rules": PASSES + ["passes/Schedule/Nests"],
    "passes/Schedule/Rules/Gpu": PASSES + ["passes/Schedule/Nests", "passes/Schedule/Rules"],
    "passes/Schedule/Steps": PASSES + ["passes/Schedule/Nests", "passes/Schedule/Rules"],
    "passes/Schedule/Loops": DIALECTS + SCHEDULES,
    "passes/Schedule/Emission/Shared": DIALECTS + ["passes/Schedule/Nests"],
    "passes/Schedule/Emission/Cpu": PASSES + SCHEDULES + ["passes/Schedule/Emission/Shared"],
    "passes/Schedule/Emission/Gpu": DIALECTS + ["passes/Schedule/Nests", "passes/Schedule/Rules", "passes/Schedule/Emission/Shared"],
    "passes/Schedule/Naive": DIALECTS + ["passes/Schedule/Nests", "passes/Schedule/Emission/Shared/BufferForm.h"],
    "passes/Memory": PASSES,
    "passes/Codegen": PASSES + ["runtime/include/cameo/abi.h", "runtime/include/cameo/gpu.h"],
    "passes/Target": DIALECTS,
    "passes/Pipeline": PASSES + ["passes"],
    "autotune": [],
    "autotune/CostModel": ["autotune/Features/FeatureVector.h", "xgboost"],
    "autotune/Records": ["dialects/Files", "llvm"],
    "autotune/Space": SCHEDULES,
    "autotune/Mutate": SCHEDULES + ["autotune/Space"],
    "autotune/Features": SCHEDULES,
    "autotune/Search": SCHEDULES + ["autotune/Space", "autotune/Mutate", "autotune/Features", "autotune/CostModel"],
    "autotune/Measure": PASSES + ["passes/Pipeline", "passes/Codegen", "autotune/Records", "autotune/Search/SearchTask.h", "cameo"]
    + [f"utils/Driver/Run/{each}.h" for each in ("CompareTensors", "RandomInputs", "Tensor")],
    "autotune/TaskScheduler": DIALECTS + ["autotune/Records", "autotune/Search"],
    "runtime": ["cameo"],
    "runtime/include": ["cameo/abi.h", "cameo/runtime.h"],
    "utils": ["dialects", "frontend", "passes", "autotune", "cameo", "utils", "mlir", "llvm"],
    "utils/Driver": ["dialects", "frontend", "passes", "autotune", "cameo", "utils/Driver", "utils/Plugin", "mlir", "llvm", "lld", "onnx"],
    "utils/Driver/Run": ["dialects/Files", "cameo", "llvm", "onnx"],
    "utils/Driver/Link": ["dialects/Files", "utils/Driver/Run", "cameo", "llvm", "lld"],
    "utils/Plugin": PASSES + ["passes/Lower", "autotune/Space"],
    "utils/cameo-farm": ["autotune/Measure/PackageFormat.h"],
    "utils/cameo-worker": ["cameo", "autotune/Measure/PackageFormat.h"],
}

PROJECT = {"dialects", "frontend", "passes", "autotune", "runtime", "utils", "test", "cameo"}
FOREIGN = {"mlir", "mlir-c", "llvm", "llvm-c", "lld", "clang", "onnx", "google", "xgboost"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".td", ".inc"}


def rule_for(folder):
    """Returns the longest folder of the table that contains `folder`."""
    while folder and folder not in LAYERS:
        folder = folder.rpartition("/")[0]
    return folder


def is_within(path, folder):
    return path == folder or path.startswith(folder + "/")


def is_allowed(include, layer, folder):
    # A name without a folder is beside the file, or in the C or C++ library.
    if "/" not in include:
        return True
    top = include.split("/")[0]
    if top not in PROJECT and top not in FOREIGN:
        return True
    return is_within(include, layer) or is_within(include, folder) or any(is_within(include, each) for each in LAYERS[layer])


def check_file(path):
    folder = path.parent.relative_to(ROOT).as_posix()
    layer = rule_for(folder)
    if not layer:
        yield f"{path.relative_to(ROOT)}:1: folder '{folder}' has no entry in the layer table"
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in INCLUDE.finditer(text):
        if not is_allowed(match[1], layer, folder):
            line = text.count("\n", 0, match.start(1)) + 1
            yield f"{path.relative_to(ROOT)}:{line}: '{layer}' must not include '{match[1]}'"
        # Headers must not include protobuf messages, so that only .cpp files depend on them.
        if path.suffix == ".h" and match[1].split("/")[0] in {"onnx", "google"}:
            line = text.count("\n", 0, match.start(1)) + 1
            yield f"{path.relative_to(ROOT)}:{line}: a header must not include '{match[1]}': protobuf stays in .cpp files"


def main():
    files = [
        path
        for top in ("dialects", "frontend", "passes", "autotune", "runtime", "utils")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    ]
    problems = [problem for path in files for problem in check_file(path)]
    print("\n".join(problems) if problems else f"{len(files)} files keep to the layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
