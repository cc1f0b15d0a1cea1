#!/usr/bin/env python3
"""The Python module with models of all kinds, compared with NumPy and with what ONNX's backend tests store; wrong calls are exceptions.

usage: python_module.py CAMEO MODULE_FOLDER WORK_FOLDER

Exits 77 (skipped) without the onnx module.
"""

import copy
import os
import pathlib
import platform
import subprocess
import sys
import threading
import unittest
from unittest import mock

sys.dont_write_bytecode = True  # these folders may be read-only, and are part of a source tree
from caller_models import client_for, compile_model, random, write

import numpy as np
import onnx
from onnx import numpy_helper

CAMEO, MODULE_FOLDER, WORK = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, MODULE_FOLDER)
import cameo

BACKEND_TESTS = pathlib.Path("/usr/share/libonnx-testdata/data/node")
built = {}


def library(name, *options):
    if (name, options) not in built:
        output = WORK / f"{name}-{len(built)}.so"
        built[name, options] = compile_model(CAMEO, write(name, WORK), output, "--emit=lib", *options)
    return built[name, options]


class Calls(unittest.TestCase):
    def test_several_outputs(self):
        model, x, b = cameo.load(library("fixed")), random(2, 3), random(3)
        for out in (model(x, b), model(x, b=b), model(b=b, x=x), model.run({"x": x, "b": b})):
            self.assertEqual(list(out), ["y", "best"])
            np.testing.assert_array_equal(out["y"], np.maximum(x + b, 0))
            np.testing.assert_array_equal(out["best"], np.argmax(x + b, 1))
        self.assertEqual([(each.name, each.type, each.shape) for each in model.inputs], [("x", "float32", (2, 3)), ("b", "float32", (3,))])

    def test_arrays_of_any_layout(self):
        model, x, b = cameo.load(library("fixed")), random(2, 3), random(3)
        expected = np.maximum(x + b, 0)
        misaligned = np.frombuffer(b"?" + x.tobytes(), np.float32, offset=1).reshape(2, 3)
        for view in (np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], misaligned, x.tolist()):
            np.testing.assert_array_equal(model(view, b)["y"], expected)
        read_only = x.copy()
        read_only.flags.writeable = False
        np.testing.assert_array_equal(model(read_only, b)["y"], expected)

    def test_outputs_in_place(self):
        model, x, b, y = cameo.load(library("fixed")), random(2, 3), random(3), np.empty((2, 3), np.float32)
        self.assertIs(model.run({"x": x, "b": b}, outputs={"y": y})["y"], y)
        np.testing.assert_array_equal(y, np.maximum(x + b, 0))

    def test_outputs_have_memory_of_their_own(self):
        model, memory = cameo.load(library("alike")), np.empty(9, np.float32)
        x, first, second = random(4), memory[:4], memory[4:8]
        model.run({"x": x}, outputs={"y": first, "z": second})
        np.testing.assert_array_equal(memory[:8], np.concatenate([np.maximum(x, 0), -x]))
        for other in (first, memory[3:7]):
            with self.assertRaisesRegex(ValueError, "output 'z': expected other memory than that of 'y'"):
                model.run({"x": x}, outputs={"y": first, "z": other})

    def test_sizes_of_the_run(self):
        model = cameo.load(library("open"))
        self.assertEqual(model.symbols, ["n", "m"])
        for n, m in [(1, 1), (5, 2), (0, 3), (40, 17)]:
            x, z, scale = random(n, 3), random(m, 3), random(n)
            out = model(x, z, scale)
            np.testing.assert_array_equal(out["y"], np.concatenate([x, z]))
            np.testing.assert_array_equal(out["scaled"], x * scale[:, None])

    def test_several_processors(self):
        one = cameo.load(library("open", "--prefix=one"))
        self.assertEqual(one.target.rpartition("/")[2], one.cpu)
        best, base = ("x86-64-v2", "x86-64") if platform.machine() == "x86_64" else ("neoverse-n1", "generic")
        x, z, scale = random(5, 3), random(2, 3), random(5)
        for number, name in enumerate([base, "none"]):
            with mock.patch.dict(os.environ, {"CAMEO_CPU": name}):
                model = cameo.load(library("open", f"--cpu={base},{best}", f"--prefix=several{number}"))
                self.assertEqual((model.target.rpartition("/")[2], model.cpu), (f"{best},{base}", name if name == base else None))
                if name == base:
                    np.testing.assert_array_equal(model(x, z, scale)["scaled"], x * scale[:, None])
                else:
                    self.assertRaisesRegex(cameo.Error, "not compiled for the processor", model, x, z, scale)

    def test_sizes_that_data_decides(self):
        model = cameo.load(library("found"))
        self.assertEqual(model.outputs[0].shape[1], "?")
        for x in (np.eye(5, dtype=np.float32), np.zeros((3, 2), np.float32), np.ones((2, 7), np.float32)):
            out = model(x)
            np.testing.assert_array_equal(out["places"], np.stack(np.nonzero(x)))
        memory = np.empty((2, 14), np.int64)
        self.assertTrue(np.shares_memory(model.run({"x": x}, outputs={"places": memory})["places"], memory))

    def test_strings(self):
        model = cameo.load(library("labels"))
        words, numbers = np.array(["The", "Cat", "Été", ""]), np.array([[0.5], [1e20]], np.float32)
        out = model(words, numbers)
        self.assertEqual(out["kept"].tolist(), ["cat", "été", ""])
        self.assertEqual(out["labelled"].tolist(), [[word + end for word in words] for end in ("0.5", "1e+20")])
        self.assertEqual(out["known"].tolist(), [False, True, False, False])
        # Longer strings than the first area holds, and the same strings in arrays of other types.
        long = ["x" * 100000, b"a", "the", "Cat"]
        self.assertEqual(model(long, numbers)["labelled"][1].tolist(), ["x" * 100000 + "1e+20", "a1e+20", "the1e+20", "Cat1e+20"])

    def test_element_types(self):
        model = cameo.load(library("types"))
        x = np.array([1, -2.5, 3.14159, 65504], np.float32)
        out = model(x=x, half=x.astype(np.float16), brain=(x.view(np.uint32) >> 16).astype(np.uint16), flag=True, none=[])
        np.testing.assert_array_equal(out["y"], x.astype(np.float16))
        np.testing.assert_allclose((out["z"].astype(np.uint32) << 16).view(np.float32), x, rtol=2**-8)
        np.testing.assert_allclose(out["w"], 2 * x, rtol=2**-7)
        self.assertEqual((out["other"].dtype, out["other"].shape, bool(out["other"])), (np.bool_, (), False))
        self.assertEqual(out["nothing"].shape, (0,))
        self.assertEqual([each.type for each in model.outputs], ["float16", "bfloat16", "float32", "bool", "uint8"])

    def test_weights_in_a_file(self):
        weights = WORK / "weighted.weights"
        path = library("weighted", f"--weights={weights}")
        x = random(2, 4)
        expected = x @ np.arange(1, 17, dtype=np.float32).reshape(4, 4)
        np.testing.assert_allclose(cameo.load(path, weights=weights)(x)["y"], expected, rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "in a separate file"):
            cameo.load(path)
        for content in (b"", b"CAMEOWTS" + bytes(200), weights.read_bytes()[:-65]):
            wrong = WORK / "wrong.weights"
            wrong.write_bytes(content)
            with self.assertRaisesRegex(cameo.Error, "expected the weights of 'weighted'"):
                cameo.load(path, weights=wrong)

    def test_threads(self):
        x = random(128, 128)
        for threads in (0, 2, 3):
            model = cameo.load(library("wide"), threads=threads)
            np.testing.assert_allclose(model(x, x)["y"], x @ x, rtol=1e-4, atol=1e-4)
        with self.assertRaisesRegex(cameo.Error, "cannot start the threads"):
            cameo.load(library("wide"), threads=100000)
        with self.assertRaisesRegex(ValueError, "threads: expected a number of 0 or more, got -1"):
            cameo.load(library("wide"), threads=-1)
        with self.assertRaises(TypeError):
            cameo.load(library("wide"), threads=1.5)

    def test_threads_outlive_a_copy(self):
        model, x = cameo.load(library("wide"), threads=2), random(128, 128)
        other = copy.copy(model)
        del model
        np.testing.assert_allclose(other(x, x)["y"], x @ x, rtol=1e-4, atol=1e-4)

    def test_callers_at_the_end_of_the_program(self):
        program = ("import sys, threading, time; sys.path.insert(0, sys.argv[1]); import cameo, numpy\n"
                   "model, x = cameo.load(sys.argv[2], threads=2), numpy.ones((128, 128), numpy.float32)\n"
                   "def call():\n    while True: model(x, x)\n"
                   "for _ in range(3): threading.Thread(target=call, daemon=True).start()\n"
                   "time.sleep(0.2)\n")
        for _ in range(10):
            subprocess.run([sys.executable, "-c", program, MODULE_FOLDER, library("wide")], check=True, timeout=60)

    def test_many_callers(self):
        model, wide, wrong = cameo.load(library("open"), threads=2), cameo.load(library("wide"), threads=2), []
        square = random(128, 128)
        product = wide(square, square)["y"]

        def call(n):
            x, scale = random(n, 3), random(n)
            for _ in range(100):
                if not np.array_equal(model(x, x, scale)["scaled"], x * scale[:, None]):
                    wrong.append(n)
                if not np.array_equal(wide(square, square)["y"], product):
                    wrong.append("wide")
        callers = [threading.Thread(target=call, args=(n,)) for n in (1, 50, 300, 2000)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        self.assertEqual(wrong, [])


class WrongCalls(unittest.TestCase):
    def check(self, kind, message, call, *arguments, **named):
        with self.assertRaisesRegex(kind, message):
            call(*arguments, **named)

    def test_names(self):
        model, x, b = cameo.load(library("fixed")), random(2, 3), random(3)
        self.check(TypeError, "missing input 'b'", model, x)
        self.check(TypeError, "unexpected input 'c': the model has x, b", model, x, b, c=b)
        self.check(TypeError, "expected 2 inputs, got 3", model, x, b, b)
        self.check(TypeError, "input 'x' is given twice", model, x, b, x=x)
        self.check(TypeError, "unexpected output 'z'", model.run, {"x": x, "b": b}, {"z": x})
        self.check(TypeError, "unexpected size 'n'", model.run, {"x": x, "b": b}, sizes={"n": 1})

    def test_types(self):
        model, x, b = cameo.load(library("fixed")), random(2, 3), random(3)
        self.check(TypeError, "input 'x': expected elements of type float32, got float64", model, x.astype(np.float64), b)
        self.check(TypeError, "input 'x': .*got >f4", model, x.astype(">f4"), b)
        self.check(TypeError, "input 'x'", model, None, b)
        self.check(TypeError, "input 'x'", model, [["a", "b", "c"]] * 2, b)
        self.check(TypeError, "input 'b': .*got complex128", model, x, [1j, 2, 3])
        self.check(TypeError, "output 'y': .*got float64", model.run, {"x": x, "b": b}, {"y": np.empty((2, 3))})
        self.check(TypeError, "output 'y': expected an array, got list", model.run, {"x": x, "b": b}, {"y": [0]})
        types = cameo.load(library("types"))
        self.check(TypeError, r"input 'brain': expected elements of type bfloat16 \(bits in uint16\), got float32", types,
                   x[0][[0, 1, 2, 0]], x[0][[0, 1, 2, 0]].astype(np.float16), random(4), True, [])
        strings = cameo.load(library("labels"))
        self.check(TypeError, "input 'words': expected strings, got float32", strings, random(4), random(2, 1))
        self.check(TypeError, "input 'words': expected strings, got int", strings, np.array(["a", 1, "b", "c"], object), random(2, 1))
        self.check(ValueError, "without zero bytes", strings, ["a\0b", "", "", ""], random(2, 1))
        self.check(TypeError, "expected no array for strings", strings.run, {"words": ["a"] * 4, "numbers": random(2, 1)},
                   {"kept": np.empty(4, object)})

    def test_shapes(self):
        model, x, b = cameo.load(library("fixed")), random(2, 3), random(3)
        self.check(ValueError, "input 'x': expected shape 2x3, got 3x2", model, x.reshape(3, 2), b)
        self.check(ValueError, "input 'b': expected shape 3, got 1x3", model, x, b[None])
        self.check(ValueError, "output 'y': expected shape 2x3, got 3x2", model.run, {"x": x, "b": b}, {"y": np.empty((3, 2), np.float32)})
        self.check(ValueError, "output 'y': .*C-contiguous", model.run, {"x": x, "b": b}, {"y": np.empty((3, 2), np.float32).T})
        self.check(ValueError, "output 'y': expected other memory", model.run, {"x": x, "b": b}, {"y": x})
        opened = cameo.load(library("open"))
        self.check(ValueError, "input 'scale': expected shape n, where n is 4, m is 2, got 3", opened, random(4, 3), random(2, 3), random(3))
        self.check(ValueError, "input 'z': expected shape mx3", opened, random(4, 3), random(2, 4), random(4))
        self.check(ValueError, "input 'x': expected shape nx3", opened.run, {"x": random(4, 3), "z": random(1, 3), "scale": random(4)},
                   sizes={"n": 5})
        self.check(ValueError, "dimension 'n': expected a size of 64 bits", opened.run,
                   {"x": random(4, 3), "z": random(1, 3), "scale": random(4)}, sizes={"n": 2**63})
        # The model still works after all wrong calls.
        np.testing.assert_array_equal(model(x, b)["y"], np.maximum(x + b, 0))

    def test_libraries(self):
        garbage = WORK / "garbage.so"
        for content in (b"", b"garbage", b"\x7fELF\x02\x01" + b"\xff" * 100, pathlib.Path(library("fixed")).read_bytes()[:2000]):
            garbage.write_bytes(content)
            self.check(ValueError, "garbage.so: expected an ELF shared library", cameo.load, garbage)
        self.check(OSError, "missing.so", cameo.load, WORK / "missing.so")
        fifo = WORK / "fifo.so"
        fifo.unlink(missing_ok=True)
        os.mkfifo(fifo)
        for path in (fifo, pathlib.Path("/dev/zero")):
            self.check(ValueError, f"{path.name}: expected a regular file", cameo.load, path)
        self.check(ValueError, "with the prefix 'other', found fixed", cameo.load, library("fixed"), prefix="other")
        other = compile_model(CAMEO, write("fixed", WORK), WORK / "other.so", "--emit=lib",
                              f"--target={'x86_64' if 'aarch64' in cameo.load(library('fixed')).target else 'aarch64'}-linux-gnu")
        self.check(OSError, "other.so", cameo.load, other)


class BackendTests(unittest.TestCase):
    """Models whose expected outputs come from ONNX."""


def backend_test(name):
    def test(self):
        folder = BACKEND_TESTS / name
        if not folder.exists():
            self.skipTest("ONNX's backend tests (libonnx-testdata) are not there")
        graph = onnx.load(folder / "model.onnx").graph
        model = cameo.load(compile_model(CAMEO, folder / "model.onnx", WORK / f"{name}.so", "--emit=lib", "--prefix=m"))

        def read(kind, index):
            return numpy_helper.to_array(onnx.load_tensor(str(folder / "test_data_set_0" / f"{kind}_{index}.pb")))
        out = model(*[read("input", index) for index in range(len(graph.input))])
        self.assertEqual(len(out), len(graph.output))
        for index, (name_, array) in enumerate(out.items()):
            expected = read("output", index)
            self.assertEqual((name_, array.shape), (graph.output[index].name, expected.shape))
            if array.dtype == object:
                self.assertEqual(array.ravel().tolist(), [each.decode() if isinstance(each, bytes) else each for each in expected.ravel().tolist()])
            else:
                np.testing.assert_allclose(array, expected, rtol=1e-3, atol=1e-6)
    return test


for each in ("nonmaxsuppression_suppress_by_IOU", "nonmaxsuppression_two_classes", "nonzero_example", "compress_0", "top_k", "split_variable_parts_2d",
             "lstm_with_initial_bias", "strnormalizer_export_monday_casesensintive_lower", "dynamicquantizelinear", "cast_FLOAT_to_FLOAT16",
             "and4d", "qlinearmatmul_3D", "conv_with_autopad_same", "batchnorm_example_training_mode"):
    setattr(BackendTests, f"test_{each}", backend_test(f"test_{each}"))

if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
