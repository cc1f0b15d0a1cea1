#!/usr/bin/env python3
"""Models with operators that C functions of the program compute: run by a C program of its own and by `cameo run`, on a processor and on a GPU, compared
with NumPy.

usage: extern_ops.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER INCLUDE_FOLDER EMULATOR

Exits 77 (skipped) without the onnx module.
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all

import numpy as np
import onnx
import onnx.parser
from onnx import TensorProto, helper, numpy_helper

GPU = ["--gpu=sm_80", "--gpu-code=host"]

# One function for nodes of several ranks, sizes and attributes. The dynamic sizes are names of inputs, a sum of them, and a data-dependent one.
MODEL = """
<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
net (float[N, 3] x, float[M] v) => (float[N, 3] a, float[M] b, float[NM, 2] c, float[P] e)
  <float[N, 3] s, float[3] bias = {1, 2, 3}, int64[1, P] p, float[P] q> {
  s = com.acme.Affine <scale = 2.0> (x, bias)
  a = com.acme.Affine <scale = -1.5, powers = [1, 2]> (s)
  u = Exp (v)
  b = com.acme.Affine <scale = 3.0, note = "last"> (u)
  c = com.acme.Spread (x, v)
  p = NonZero (v)
  t = Transpose (p)
  q = GatherND (v, t)
  e = com.acme.Affine <scale = 10.0> (q)
}
"""

FUNCTIONS = r"""
#include "net.h"
#include <stdlib.h>
#include <string.h>

/* input0 * scale + input1, where there is one; then the sum of its powers, where there are some. */
int net_com_acme_Affine(const float *x, const cameo_shape *x_shape, const float *bias, const cameo_shape *bias_shape, float *y,
                        const cameo_shape *y_shape, const net_com_acme_Affine_attributes *attributes, const cameo_context *context) {
  (void)context;
  if (x_shape->rank != y_shape->rank || memcmp(x_shape->sizes, y_shape->sizes, x_shape->rank * sizeof(int64_t)) != 0 || !bias != !bias_shape)
    return 1;
  if (attributes->has_note != !strcmp(attributes->note, "last") || attributes->has_powers != (attributes->powers_count == 2))
    return 1;
  for (int64_t i = 0; i < y_shape->elements; ++i) {
    float value = x[i] * attributes->scale + (bias ? bias[i % bias_shape->sizes[0]] : 0), sum = 0;
    for (int64_t p = 0; p < attributes->powers_count; ++p) {
      float power = 1;
      for (int64_t n = 0; n < attributes->powers[p]; ++n)
        power *= value;
      sum += power;
    }
    y[i] = attributes->has_powers ? sum : value;
  }
  return getenv("FAIL") ? 7 : 0;
}

struct spread {
  const float *x, *v;
  float *y;
  int64_t rows, columns;
};

static void spread_rows(void *const *buffers, int64_t begin, int64_t end) {
  const struct spread *s = buffers[0];
  for (int64_t row = begin; row < end; ++row) {
    float sum = 0;
    for (int64_t column = 0; row < s->rows && column < s->columns; ++column)
      sum += s->x[row * s->columns + column];
    s->y[2 * row] = row < s->rows ? sum : s->v[row - s->rows];
    s->y[2 * row + 1] = (float)row;
  }
}

/* One row per row of the first and per element of the second: sum, and number. On the threads of the run. */
int net_com_acme_Spread(const float *x, const cameo_shape *x_shape, const float *v, const cameo_shape *v_shape, float *y, const cameo_shape *y_shape,
                        const cameo_context *context) {
  struct spread spread = {x, v, y, x_shape->sizes[0], x_shape->sizes[1]};
  void *const buffers[] = {&spread};
  if (y_shape->rank != 2 || y_shape->sizes[0] != spread.rows + v_shape->sizes[0] || y_shape->sizes[1] != 2)
    return 1;
  if (context && context->thread_count > 1)
    context->parallel_for(context->parallel_user, spread_rows, buffers, y_shape->sizes[0]);
  else
    spread_rows(buffers, 0, y_shape->sizes[0]);
  return 0;
}
"""

# Kinds of tensors and attributes: names that are invalid in C, absent inputs and outputs, scalars, strings, halves, booleans, empty tensors.
KINDS_FUNCTIONS = r"""
#include "kinds.h"
#include <stdio.h>
#include <string.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%d: expected %s\n", __LINE__, #condition); \
      return 1; \
    } \
  } while (0)

int kinds_weird_domain_2_Op_1(const float *x, const cameo_shape *x_shape, const void *none, const cameo_shape *none_shape, const float *s,
                              const cameo_shape *s_shape, double *ends, const cameo_shape *ends_shape, float *sum, const cameo_shape *sum_shape,
                              int64_t *number, const cameo_shape *number_shape, const kinds_weird_domain_2_Op_1_attributes *a,
                              const cameo_context *context) {
  (void)context;
  CHECK(!none && !none_shape && x_shape->rank == 2 && x_shape->sizes[0] == 2 && x_shape->sizes[1] == 3 && x_shape->elements == 6);
  if (a->class_ == 1) {
    CHECK(s && s_shape->rank == 0 && s_shape->elements == 1 && !ends && !ends_shape && sum_shape->elements == 6 && number_shape->elements == 1);
    CHECK(a->INT64_MAX_ == 2 && !strcmp(a->a_b, "t\"ext?\\\n*/") && a->has_list && a->list_count == 2 && a->list[1] == 2);
    CHECK(a->has_words && a->words_count == 2 && !strcmp(a->words[1], "v") && a->has_floats && a->floats_count == 1 && a->floats[0] == 1.5f);
    for (int i = 0; i < 6; ++i)
      sum[i] = x[i] + *s;
    *number = 42;
  } else {
    CHECK(a->class_ == 5 && a->INT64_MAX_ == -1 && !*a->a_b && !s && !s_shape && !sum && !sum_shape && !number && !number_shape);
    CHECK(!a->has_list && !a->list_count && !a->has_words && !a->words_count && !a->has_floats && !a->floats_count && ends_shape->elements == 2);
    ends[0] = x[0], ends[1] = x[5];
  }
  return 0;
}

int kinds_x_run(const float *x, const cameo_shape *x_shape, float *y, const cameo_shape *y_shape, const cameo_context *context) {
  (void)y_shape, (void)context;
  for (int64_t i = 0; i < x_shape->elements; ++i)
    y[i] = -x[i];
  return 0;
}

int kinds_x_Strings(const char *const *x, const cameo_shape *x_shape, const char **y, const cameo_shape *y_shape, const cameo_context *context) {
  (void)x_shape, (void)y_shape, (void)context;
  y[0] = x[1], y[1] = "own";
  return 0;
}

int kinds_x_Half(const uint16_t *halves, const cameo_shape *halves_shape, const uint8_t *truths, const cameo_shape *truths_shape, const uint8_t *bytes,
                 const cameo_shape *bytes_shape, uint16_t *swapped, const cameo_shape *swapped_shape, uint8_t *chosen, const cameo_shape *chosen_shape,
                 const cameo_context *context) {
  (void)context, (void)halves_shape, (void)truths_shape, (void)swapped_shape;
  CHECK(bytes_shape->rank == 1 && bytes_shape->sizes[0] == chosen_shape->sizes[0] && chosen_shape->elements == bytes_shape->elements);
  swapped[0] = halves[1], swapped[1] = halves[0];
  for (int64_t i = 0; i < bytes_shape->elements; ++i)
    chosen[i] = truths[bytes[i] < 128];
  return 0;
}

int kinds_x_Empty(const float *x, const cameo_shape *x_shape, float *y, const cameo_shape *y_shape, const cameo_context *context) {
  (void)x, (void)y_shape, (void)context;
  CHECK(x_shape->rank == 2 && x_shape->elements == 0 && x_shape->sizes[0] == 0);
  y[0] = (float)x_shape->sizes[1];
  return 0;
}
"""


def kinds_model():
    domain, value = "weird domain.2", helper.make_tensor_value_info
    nodes = [
        helper.make_node("Op-1", ["x", "", "s"], ["", "sum", "number"], domain=domain,
                         **{"class": 1, "INT64_MAX": 2.0, "a b": 't"ext?\\\n*/', "list": [1, 2], "words": ["u", "v"], "floats": [1.5]}),
        helper.make_node("Op-1", ["x"], ["ends"], domain=domain, **{"class": 5, "INT64_MAX": -1.0, "a b": ""}),
        helper.make_node("run", ["sum"], ["y"], domain="x"),
        helper.make_node("Strings", ["t"], ["u"], domain="x"),
        helper.make_node("Half", ["halves", "truths", "bytes"], ["swapped", "chosen"], domain="x"),
        helper.make_node("Empty", ["e"], ["z"], domain="x"),
    ]
    inputs = [value("x", TensorProto.FLOAT, [2, 3]), value("t", TensorProto.STRING, [2]), value("halves", TensorProto.FLOAT16, [2]),
              value("truths", TensorProto.BOOL, [2]), value("bytes", TensorProto.UINT8, ["N"]), value("e", TensorProto.FLOAT, [0, "N"])]
    outputs = [value("y", TensorProto.FLOAT, [2, 3]), value("number", TensorProto.INT64, []), value("ends", TensorProto.DOUBLE, [2]),
               value("u", TensorProto.STRING, [2]), value("swapped", TensorProto.FLOAT16, [2]), value("chosen", TensorProto.BOOL, ["N"]),
               value("z", TensorProto.FLOAT, [1])]
    graph = helper.make_graph(nodes, "kinds", inputs, outputs, [numpy_helper.from_array(np.float32(7.5), "s")],
                              value_info=[value("sum", TensorProto.FLOAT, [2, 3])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(*each) for each in (("", 17), (domain, 3), ("x", 1))], ir_version=8)


def of_kinds(tools, work, *options):
    rng = np.random.default_rng(0)
    given = {"x": rng.random((2, 3), np.float32), "halves": np.array([1, 2], np.float16), "truths": np.array([True, False]),
             "bytes": np.array([0, 200, 255, 3], np.uint8), "e": np.zeros((0, 4), np.float32), "t": np.array(["a", "b"])}
    expected = {"y": -(given["x"] + np.float32(7.5)), "number": np.array(42), "ends": given["x"].ravel()[[0, 5]].astype(np.float64),
                "swapped": given["halves"][::-1], "chosen": given["bytes"] > 127, "z": np.array([4])}
    (work / "kinds").mkdir(exist_ok=True)
    for name, array in given.items():
        np.save(work / "kinds" / f"{name}.npy", array)
    wrong = cameo(tools, "run", work / "kinds.onnx", "--extern-ops", *options, "--inputs", work / "kinds", "--output-dir", work / "outputs")
    for name, array in expected.items():
        wrong = wrong or differs(array, np.load(work / "outputs" / f"{name}.npy"), name)
    return wrong


# Bodies, whose values have types there, and tensors as attributes: none, a small one, and one that is a weight for the compiler.
BODIES_FUNCTIONS = r"""
#include "bodies.h"

/* The sum of x and the tensors of the node, again and again from their begin. */
int bodies_x_Shift(const float *x, const cameo_shape *x_shape, float *y, const cameo_shape *y_shape, const bodies_x_Shift_attributes *a,
                   const cameo_context *context) {
  (void)context;
  if (a->has_table != !!a->table || a->has_table != !!a->table_shape || a->has_halves != !!a->halves || a->has_names != !!a->names)
    return 1;
  if (a->has_table && (a->table_shape->rank != 2 || a->table_shape->sizes[1] != 2 || a->table_shape->elements != 2 * a->table_shape->sizes[0]))
    return 2;
  if (a->has_halves && (a->halves[0] != 0x3c00 || a->halves[1] != 0x4000 || a->truths[0] || !a->truths[1]))
    return 3;
  if (a->has_names && (a->names[1][0] != 'b' || a->names_shape->rank != 1 || a->names_shape->sizes[0] != 2 || *a->scalar != -7 || a->scalar_shape->rank))
    return 4;
  for (int64_t i = 0; i < y_shape->elements; ++i)
    y[i] = x[i % x_shape->elements] + (a->has_table ? a->table[i % a->table_shape->elements] : 100);
  return 0;
}
"""


def table(rows):
    return np.arange(2 * rows, dtype=np.float32).reshape(rows, 2) / 8


def bodies_model():
    value = helper.make_tensor_value_info

    def shift(x, y, **tensors):
        return helper.make_node("Shift", [x], [y], domain="x", **{name: numpy_helper.from_array(array) for name, array in tensors.items()})

    kinds = {"halves": np.array([1, 2], np.float16), "truths": np.array([False, True]), "names": np.array(["a", "b"], object), "scalar": np.array(-7)}
    then = helper.make_graph([shift("x", "then_y", table=table(2), **kinds)], "then", [], [value("then_y", TensorProto.FLOAT, ["N"])])
    other = helper.make_graph([shift("x", "shifted"), helper.make_node("Neg", ["shifted"], ["else_y"])], "else", [], [value("else_y", TensorProto.FLOAT, None)],
                              value_info=[value("shifted", TensorProto.FLOAT, ["N"])])
    # Each body has a value of this name.
    body = helper.make_graph([shift("v", "shifted", table=table(300)), helper.make_node("Add", ["shifted", "x"], ["next"]),
                              helper.make_node("Identity", ["go"], ["go_on"])], "body",
                             [value("i", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), value("v", TensorProto.FLOAT, ["N"])],
                             [value("go_on", TensorProto.BOOL, []), value("next", TensorProto.FLOAT, ["N"])],
                             value_info=[value("shifted", TensorProto.FLOAT, ["N"])])
    nodes = [shift("w", "z2"), helper.make_node("If", ["c"], ["a"], then_branch=then, else_branch=other),
             helper.make_node("Loop", ["n", "", "a"], ["y"], body=body), helper.make_node("Loop", ["three", "", "x"], ["z"], body=body)]
    inputs = [value("x", TensorProto.FLOAT, ["N"]), value("w", TensorProto.FLOAT, [2]), value("c", TensorProto.BOOL, []), value("n", TensorProto.INT64, [])]
    outputs = [value("y", TensorProto.FLOAT, ["N"]), value("z", TensorProto.FLOAT, ["N"]), value("z2", TensorProto.FLOAT, [4])]
    graph = helper.make_graph(nodes, "bodies", inputs, outputs, [numpy_helper.from_array(np.array(3), "three")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("x", 1)], ir_version=8)


def of_bodies(tools, work, condition, *options):
    x = np.arange(5, dtype=np.float32)
    given = {"x": x, "w": np.array([1, 2], np.float32), "c": np.array(condition), "n": np.array(2)}
    again = lambda array: array.ravel()[np.arange(5) % array.size]
    loop = lambda v, rounds: loop(v + again(table(300)) + x, rounds - 1) if rounds else v
    expected = {"y": loop(x + again(table(2)) if condition else -(x + 100), 2), "z": loop(x, 3), "z2": np.array([101, 102, 101, 102], np.float32)}
    (work / "bodies").mkdir(exist_ok=True)
    for name, array in given.items():
        np.save(work / "bodies" / f"{name}.npy", array)
    wrong = cameo(tools, "run", work / "bodies.onnx", "--extern-ops", *options, "--inputs", work / "bodies", "--output-dir", work / "outputs")
    for name, array in expected.items():
        wrong = wrong or differs(array, np.load(work / "outputs" / f"{name}.npy"), name)
    return wrong


def complex_tensor(tools, work):
    node = helper.make_node("Shift", ["x"], ["y"], domain="x", table=numpy_helper.from_array(np.ones(2, np.complex64)))
    graph = helper.make_graph([node], "complex", *([helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])] for name in "xy"))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("x", 1)], ir_version=8), work / "complex.onnx")
    wrong = cameo(tools, "compile", work / "complex.onnx", "--extern-ops", "-o", work / "complex.o") or ""
    return None if "attribute 'table': expected a tensor with elements of a type of C, got 'complex<f32>'" in wrong else f"expected an error at the attribute, got {wrong}"


# Reads x and v, runs, and writes all outputs one after the other.
PROGRAM = r"""
#include "net.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  net_dims dims = {.N = 4, .M = 5};
  cameo_thread_pool *pool = 0;
  cameo_context context;
  if (cameo_thread_pool_create(count > 1 ? atoi(arguments[1]) : 1, &pool) != CAMEO_OK)
    return 1;
  cameo_context_init(&context, pool);
  float x[12], v[5], a[12], b[5], c[18], e[5];
  int64_t e_shape[1] = {-1};
  for (int i = 0; i < 12; ++i)
    x[i] = (float)(i - 6) / 4;
  for (int i = 0; i < 5; ++i)
    v[i] = (float)(i % 2 ? 0 : i + 1);
  net_inputs inputs = {.x = x, .v = v};
  net_outputs outputs = {.a = a, .b = b, .c = c, .e = e, .e_shape = e_shape};
  void *workspace = aligned_alloc(NET_ALIGNMENT, net_workspace_size(&dims));
  cameo_status status = net_run(&inputs, &outputs, &dims, workspace, count > 1 ? &context : 0);
  cameo_thread_pool_destroy(pool);
  free(workspace);
  if (status != CAMEO_OK) {
    printf("status %d: %s\n", status, cameo_status_message(status));
    return 1;
  }
  fwrite(a, sizeof *a, 12, stdout);
  fwrite(b, sizeof *b, 5, stdout);
  fwrite(c, sizeof *c, 18, stdout);
  fwrite(e, sizeof *e, e_shape[0], stdout);
  return 0;
}
"""


def inputs():
    x = ((np.arange(12) - 6) / 4).astype(np.float32).reshape(4, 3)
    v = np.array([1, 0, 3, 0, 5], np.float32)
    return {"x": x, "v": v}


def reference(x, v):
    """Returns NumPy's results of the model, in the order of its outputs."""
    s = x * 2 + np.array([1, 2, 3], np.float32)
    a = s * -1.5 + (s * -1.5) ** 2
    rows = np.concatenate([x.sum(1), v])
    return {"a": a, "b": np.exp(v) * 3, "c": np.stack([rows, np.arange(len(rows))], 1), "e": v[np.nonzero(v)] * 10}


def run(command, **options):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120, **options)


def compile_c(tools, source, output, *more):
    result = run([tools[2], "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{sys.argv[5]}", f"-I{source.parent}", source, *more, "-o", output])
    return result.stdout.decode() if result.returncode else None


def differs(expected, got, what):
    if expected.shape != got.shape or not np.allclose(expected, got, rtol=1e-5, atol=1e-5):
        return f"{what}: expected {expected.tolist()}, got {got.tolist()}"
    return None


def of_a_program(tools, work):
    wrong = compile_c(tools, work / "main.c", work / "main", work / "acme.o", work / "net.o", tools[1], "-lm", "-lpthread")
    if wrong:
        return wrong
    expected = np.concatenate([each.ravel() for each in reference(**inputs()).values()]).astype(np.float32)
    for threads in ([], ["2"]):
        result = run([work / "main", *threads])
        wrong = result.stdout.decode() if result.returncode else differs(expected, np.frombuffer(result.stdout, np.float32), f"threads {threads}")
        if wrong:
            return wrong
    return None


def of_a_failure(work):
    result = run([work / "main"], env={"FAIL": "1"})
    expected = b"status 8: a function of the program that computes a node failed\n"
    return None if result.stdout == expected else f"expected {expected}, got {result.stdout}"


def without_functions(tools, work):
    """The linker must name the missing functions."""
    wrong = compile_c(tools, work / "main.c", work / "none", work / "net.o", tools[1], "-lm", "-lpthread")
    return None if wrong and "net_com_acme_Affine" in wrong and "net_com_acme_Spread" in wrong else f"expected two names, got {wrong}"


def of_a_run(tools, work, *options):
    wrong = cameo(tools, "run", work / "net.onnx", "--extern-ops", *options, "--inputs", work / "inputs", "--output-dir", work / "outputs")
    for name, expected in reference(**inputs()).items():
        wrong = wrong or differs(expected, np.load(work / "outputs" / f"{name}.npy"), name)
    return wrong


def cases(tools, work):
    model = onnx.parser.parse_model(MODEL)
    model.graph.output[2].type.tensor_type.shape.dim[0].dim_param = "N + M"  # the text syntax cannot express this
    onnx.save(model, work / "net.onnx")
    (work / "acme.c").write_text(FUNCTIONS)
    (work / "main.c").write_text('#include <cameo/runtime.h>\n' + PROGRAM)
    (work / "inputs").mkdir(exist_ok=True)
    for name, array in inputs().items():
        np.save(work / "inputs" / f"{name}.npy", array)
    for naive in ([], ["--naive"]):
        name = "naive" if naive else "optimised"
        yield f"compile, {name}", cameo(tools, "compile", work / "net.onnx", "--extern-ops", "-o", work / "net.o", *naive)
        yield f"functions, {name}", compile_c(tools, work / "acme.c", work / "acme.o", "-c")
        yield f"program, {name}", of_a_program(tools, work)
        yield f"failure, {name}", of_a_failure(work)
    yield "without functions", without_functions(tools, work)
    yield "shared library", compile_c(tools, work / "acme.c", work / "acme.so", "-shared", "-fPIC")
    yield "named shared library", compile_c(tools, work / "acme.c", work / "acme-1.so", "-shared", "-fPIC", "-Wl,-soname,acme-1.so")
    yield "position independent", compile_c(tools, work / "acme.c", work / "acme-pic.o", "-c", "-fPIC")
    for library in ("acme.so", "acme-1.so", "acme-pic.o"):
        for naive in ([], ["--naive"], GPU):
            yield f"run with {library} {naive}", of_a_run(tools, work, f"--extern-lib={work / library}", *naive)
    onnx.save(kinds_model(), work / "kinds.onnx")
    (work / "kinds.c").write_text(KINDS_FUNCTIONS)
    yield "kinds, header", cameo(tools, "compile", work / "kinds.onnx", "--extern-ops", "-o", work / "kinds.o")
    yield "kinds, functions", compile_c(tools, work / "kinds.c", work / "kinds.so", "-shared", "-fPIC")
    for naive in ([], ["--naive"], GPU):
        yield f"kinds {naive}", of_kinds(tools, work, f"--extern-lib={work / 'kinds.so'}", *naive)
    onnx.save(bodies_model(), work / "bodies.onnx")
    (work / "bodies.c").write_text(BODIES_FUNCTIONS)
    yield "bodies, header", cameo(tools, "compile", work / "bodies.onnx", "--extern-ops", "-o", work / "bodies.o")
    yield "bodies, functions", compile_c(tools, work / "bodies.c", work / "bodies.so", "-shared", "-fPIC")
    for condition in (True, False):
        for naive in ([], ["--naive"], GPU):
            yield f"bodies {condition} {naive}", of_bodies(tools, work, condition, f"--extern-lib={work / 'bodies.so'}", *naive)
    yield "complex tensor", complex_tensor(tools, work)
    linked = ["--extern-ops", f"--extern-lib={work / 'acme.so'}"]
    sizes = ["--dim", "N=4", "--dim", "M=5"]
    yield "verify", cameo(tools, "verify", work / "net.onnx", *linked, *sizes)
    yield "verify, GPU", cameo(tools, "verify", work / "net.onnx", *linked, *sizes, *GPU)
    yield "verify, float64", cameo(tools, "verify", work / "net.onnx", *linked, *sizes, "--against=float64")
    yield "bench", cameo(tools, "bench", work / "net.onnx", *linked, *sizes, "--runs=2", "--profile")
    yield "tasks", cameo(tools, "tasks", work / "net.onnx", "--extern-ops", *sizes)
    yield "size", cameo(tools, "size", work / "net.onnx", "--extern-ops", *sizes)
    yield "report", cameo(tools, "report", work / "net.onnx", *linked, *sizes, "--measure", "--runs=2", "-o", work / "net.html")
    yield "tune", cameo(tools, "tune", work / "net.onnx", *linked, *sizes, "--trials=2", "--records", work / "net.jsonl")
    yield "program of the compiler", cameo(tools, "compile", work / "net.onnx", *linked, *sizes, "--emit=exe", "-o", work / "net")
    yield "its run", None if run([work / "net"]).returncode == 0 else "expected status 0"


if __name__ == "__main__":
    os.environ.update(CAMEO_CUDA_DRIVER=sys.argv[6], CAMEO_EMULATOR_CHECK="on")
    judge_all(cases)
