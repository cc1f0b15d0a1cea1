#!/usr/bin/env python3
"""Operators of com.microsoft, each as a model of one node, compared with ONNX Runtime and with the naive path on the same data.

usage: contributed_operators.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER [CASE...]

Each with the sizes that it has, and once more with sizes that the run chooses. What is quantised ends with a DequantizeLinear, as a step more or less is
no error, and caches of integers with a Cast. What ONNX Runtime has no kernel for agrees with a formula in NumPy, where the case has one. Exits 77 (skipped) without the onnx module; without ONNX
Runtime the naive path alone is compared with.
"""

import shutil
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all, verify_against
from contributed_cases import CASES
import contributed_formulas  # noqa: F401, adds cases
import contributed_variants  # noqa: F401, adds cases

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

TYPES = {"float32": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "int32": TensorProto.INT32, "int64": TensorProto.INT64,
         "bool": TensorProto.BOOL, "float16": TensorProto.FLOAT16, "int16": TensorProto.INT16, "raw": TensorProto.UINT8}


def make_model(path, case, is_open):
    """Writes a model with inputs x0, x1, ... and outputs y0, y1, ...; the inputs in `fixed` are initializers."""
    names = ["" if array is None else f"x{i}" for i, array in enumerate(case.inputs)]
    given = [(name, array) for i, (name, array) in enumerate(zip(names, case.inputs)) if array is not None and i not in case.fixed]
    fixed = [numpy_helper.from_array(np.asarray(case.inputs[i]), names[i]) for i in case.fixed if case.inputs[i] is not None]
    results = ["" if kind is None else f"y{i}" for i, kind in enumerate(case.outputs)]
    nodes = [helper.make_node(case.operator, names, results, domain=case.domain, **case.attributes)]

    def shape_of(name, array):
        stated = case.open_shapes.get(name) if is_open else None
        return stated or list(np.shape(array))

    inputs = [helper.make_tensor_value_info(name, TYPES[str(array.dtype)], shape_of(name, array)) for name, array in given]
    outputs, stated_inside = [], []
    for name, kind in zip(results, case.outputs):
        if kind in ("uint8", "int8"):
            parameters = [parameter for parameter in names[case.scale_of_result:case.scale_of_result + 2] if parameter]
            nodes.append(helper.make_node("DequantizeLinear", [name, *parameters], [f"real_{name}"]))
            name, kind = f"real_{name}", "float32"
        if kind == "cache":
            stated_inside.append(helper.make_tensor_value_info(name, TensorProto.INT8, (case.open_shapes if is_open else case.result_shapes).get(name)))
            nodes.append(helper.make_node("Cast", [name], [f"real_{name}"], to=TensorProto.FLOAT))
            name, kind = f"real_{name}", "float32"
        if kind and case.kept and name != "y0":
            fixed += [numpy_helper.from_array(np.array([number]), f"{name}_{what}") for what, number in (("begin", 0), ("end", case.kept), ("axis", 2))]
            nodes.append(helper.make_node("Slice", [name, f"{name}_begin", f"{name}_end", f"{name}_axis"], [f"kept_{name}"]))
            outputs.append(helper.make_tensor_value_info(f"kept_{name}", TYPES[kind], None))
        elif kind:
            stated = (case.open_shapes if is_open else case.result_shapes).get(name)
            outputs.append(helper.make_tensor_value_info(name, TYPES[kind], stated))
    graph = helper.make_graph(nodes, case.name, inputs, outputs, fixed, value_info=stated_inside)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return dict(given)


def judge(tools, model, data, case):
    library = model.with_suffix(".so")
    bounds = {"naive": case.tolerance, "onnxruntime": case.peer_tolerance or case.tolerance}
    wrong = cameo(tools, "compile", model, "--emit=lib", "-o", library)
    for reference in ("naive", "onnxruntime") if case.has_kernel else ("naive",):
        wrong = wrong or verify_against([reference], tools, model, library, "--inputs", data, f"--rtol={bounds[reference]}")
    return wrong or (case.formula and judge_formula(tools, library, data, case))


def judge_formula(tools, library, data, case):
    """Compares the outputs of a run with those of the case's formula."""
    outputs = data / "outputs"
    wrong = cameo(tools, "run", library, "--inputs", data, "--output-dir", outputs)
    if wrong:
        return wrong
    for i, expected in enumerate(case.formula(*case.inputs, **case.attributes)):
        got = np.load(outputs / f"y{i}.npy").astype(np.float64)
        if got.shape != np.shape(expected):
            return f"y{i}: expected shape {np.shape(expected)}, got {got.shape}"
        distance, bound = np.abs(got - expected).max(), case.tolerance * np.abs(expected).max()
        if not distance <= bound:
            return f"y{i}: {distance} from the formula, expected at most {bound}"
    return None


def cases(tools, work):
    chosen = sys.argv[5:]
    for case in CASES:
        if chosen and case.name not in chosen:
            continue
        for is_open in (False, True) if case.open_shapes else (False,):
            model, data = work / f"{case.name}.onnx", work / case.name
            shutil.rmtree(data, ignore_errors=True)
            data.mkdir()
            for name, array in make_model(model, case, is_open).items():
                np.save(data / f"{name}.npy", array)
            yield f"{case.name}{' with open sizes' if is_open else ''}", judge(tools, model, data, case)


if __name__ == "__main__":
    judge_all(cases)
