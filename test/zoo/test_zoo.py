#!/usr/bin/python3
"""Every network of the zoo, in its small form: valid, reproducible, and where ONNX Runtime is at hand, runnable.

Run with /usr/bin/python3, which has Debian's onnx. ONNX Runtime is found as by `cameo`: ORT_LIBRARY, or what utils/check fetched.
"""

import functools
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ZOO = HERE.parent.parent / "utils" / "zoo"
sys.path[:0] = [str(ZOO), str(HERE)]

import numpy as np
import onnx

from graph_builder import GraphBuilder, Options
from onnxruntime_c import LIBRARY_VARIABLE, Runtime, Session, find_library
from registry import NETWORKS, make_model
from report_activations import SYMBOL_SIZE, random_feeds, with_all_results

# Their full form takes seconds to make.
LARGE = {"bert_base", "bert_base_opset17", "gemma2", "gpt2_decode", "gpt_oss_int4", "llama_int4", "vgg11", "vit_b16"}
CONTRIBUTED = {"gpt_oss_int4", "llama_int4"}  # has operators that the checker does not know

INFINITE = {"t5_encoder"}  # takes the logarithm of a distance of 0, and does not use it
IN_PIXELS = {"yolov8"}


def make_small(name, seed=0, batch=1):
    return make_model(name, Options(seed=seed, batch=batch, small=True))


@functools.cache
def small(name, seed=0, batch=1):
    """As make_small, but made once: nothing here changes a model."""
    return make_small(name, seed, batch)


def constant(_, leaf, shape, std, mean=0.0):
    """In the place of GraphBuilder.normal where weights do not matter: random numbers are most of what large models take to make."""
    return np.full(shape, mean + std, np.float32)


def to_bytes(model):
    return model.SerializeToString(deterministic=True)


def dimensions(info):
    return [dim.dim_value or dim.dim_param for dim in info.type.tensor_type.shape.dim]


def for_each_network(test):
    """Runs a test once per network and reports each failure under the network's name."""

    @functools.wraps(test)
    def run(self):
        for name in NETWORKS:
            with self.subTest(network=name):
                test(self, name)

    return run


class ModelTest(unittest.TestCase):
    @for_each_network
    def test_passes_the_checker(self, name):
        if name in CONTRIBUTED:
            return
        for batch in (1, 3, "batch"):
            onnx.checker.check_model(small(name, batch=batch), full_check=True)

    @for_each_network
    def test_declares_the_shapes_that_inference_finds(self, name):
        if name in CONTRIBUTED:
            return
        model = small(name, batch=2)
        bare = onnx.ModelProto()
        bare.CopyFrom(model)
        for info in bare.graph.output:
            info.type.tensor_type.ClearField("shape")
        inferred = onnx.shape_inference.infer_shapes(bare, strict_mode=True, data_prop=True)
        for declared, found in zip(model.graph.output, inferred.graph.output):
            # Inference gives up where a shape is computed from another; what it does know must agree.
            for ours, theirs in zip(dimensions(declared), dimensions(found)):
                if isinstance(ours, int) and isinstance(theirs, int):
                    self.assertEqual(ours, theirs, declared.name)

    @for_each_network
    def test_bytes_depend_on_the_seed_only(self, name):
        first = to_bytes(small(name, seed=0))
        self.assertEqual(first, to_bytes(make_small(name, seed=0)))
        self.assertEqual(len({first, to_bytes(small(name, seed=1)), to_bytes(small(name, seed=2))}), 3)

    @for_each_network
    def test_structure_does_not_depend_on_the_seed(self, name):
        nodes = [[node.SerializeToString() for node in small(name, seed=seed).graph.node] for seed in (0, 1)]
        self.assertEqual(*nodes)

    @for_each_network
    def test_weights_are_raw_and_finite(self, name):
        for tensor in small(name).graph.initializer:
            self.assertTrue(tensor.HasField("raw_data"), tensor.name)
            self.assertTrue(np.isfinite(onnx.numpy_helper.to_array(tensor).astype(np.float64)).all(), tensor.name)

    @for_each_network
    def test_small_form_uses_the_same_operators(self, name):
        if name not in LARGE:
            with mock.patch.object(GraphBuilder, "normal", constant):
                full = {node.op_type for node in make_model(name).graph.node}
            self.assertEqual(full, {node.op_type for node in small(name).graph.node})

    def test_operator_sets_are_mixed(self):
        versions = {small(name).opset_import[0].version for name in NETWORKS}
        self.assertEqual(versions, {13, 14, 15, 16, 17, 21})


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def zoo(self, *arguments):
        command = [sys.executable, str(ZOO / "zoo"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def test_lists_every_network(self):
        result = self.zoo("list")
        self.assertEqual(result.returncode, 0)
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()], list(NETWORKS))

    def test_writes_the_same_bytes_in_another_process(self):
        names = ["resnet18_qdq", "bert_base"]
        result = self.zoo("make", *names, "--small", "--seed", "7", "-o", "new/folder")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        written = sorted(path.name for path in (self.folder / "new/folder").iterdir())
        self.assertEqual(written, sorted(f"{name}.onnx" for name in names))
        for name in names:
            self.assertEqual((self.folder / "new/folder" / f"{name}.onnx").read_bytes(), to_bytes(small(name, seed=7)))

    def test_form_is_part_of_the_name(self):
        result = self.zoo("make", "mlp", "--small", "--form", "int8")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        model = onnx.load(self.folder / "mlp_int8.onnx")
        self.assertEqual({node.op_type for node in model.graph.node}, {"Add", "Cast", "DynamicQuantizeLinear", "MatMulInteger", "Mul", "Relu"})
        self.assertEqual({tensor.data_type for tensor in model.graph.initializer if len(tensor.dims) == 2}, {onnx.TensorProto.INT8})

    def test_missing_form_is_one_error_and_writes_nothing(self):
        result = self.zoo("make", "yolov8", "--small", "--form", "float16")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^zoo: error: 'yolov8' has no float16 form: .*NonMaxSuppression.*\n$")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_batch_options_reach_the_model(self):
        for options, expected in ((["--batch", "5"], 5), (["--symbolic-batch"], "batch")):
            self.zoo("make", "mlp", "--small", *options)
            model = onnx.load(self.folder / "mlp.onnx")
            self.assertEqual(dimensions(model.graph.input[0])[0], expected)
            self.assertEqual(dimensions(model.graph.output[0])[0], expected)

    def test_unknown_name_is_one_error_and_writes_nothing(self):
        result = self.zoo("make", "mlp", "resnet81", "-o", "out")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "zoo: error: no network named 'resnet81'; did you mean 'resnet18'?\n")
        self.assertFalse((self.folder / "out").exists())

    def test_failure_to_write_is_one_error_and_keeps_nothing_aside(self):
        (self.folder / "mlp.onnx").mkdir()
        result = self.zoo("make", "mlp", "--small")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["mlp.onnx"])

    def test_wrong_usage_exits_2(self):
        for arguments in (["make"], ["make", "mlp", "--all"], ["make", "mlp", "--batch", "0"], []):
            self.assertEqual(self.zoo(*arguments).returncode, 2, arguments)


@unittest.skipUnless(find_library(), f"{LIBRARY_VARIABLE} is not set and utils/check fetched no ONNX Runtime")
class RunTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runtime = Runtime(find_library())

    def run_model(self, data, feeds, **options):
        session = Session(self.runtime, data, **options)
        try:
            return session.run(feeds)
        finally:
            session.close()

    @for_each_network
    def test_activations_are_sane(self, name):
        model = small(name)
        results = self.run_model(with_all_results(model), random_feeds(model), optimise=False)
        for key, array in results.items():
            is_number = ~np.isnan(array) if name in INFINITE else np.isfinite(array)
            self.assertTrue(is_number.all(), key)
        for info in model.graph.output:
            array = results[info.name]
            if array.size == 0:
                continue
            if array.size > 1:
                self.assertGreater(array.std(), 1e-3, info.name)
            self.assertTrue(np.isfinite(array).all(), info.name)
            self.assertLess(np.abs(array).max(), 1000.0 if name in IN_PIXELS else 100.0, info.name)
        self.check_relus(model, results)

    def check_relus(self, model, results):
        for node in model.graph.node:
            if node.op_type == "Relu":
                share = float((results[node.output[0]] > 0).mean())
                self.assertGreater(share, 0.1, node.name)

    @for_each_network
    def test_symbolic_batch_computes_the_same(self, name):
        fixed, symbolic = small(name, batch=SYMBOL_SIZE), small(name, batch="batch")
        feeds = random_feeds(fixed)
        expected = self.run_model(to_bytes(fixed), feeds)
        for key, array in self.run_model(to_bytes(symbolic), feeds).items():
            bound = 1e-2 if array.dtype == np.float16 else 1e-4
            np.testing.assert_allclose(array, expected[key], rtol=bound, atol=bound, err_msg=key)

    def test_two_forms_of_bert_agree(self):
        models = [small("bert_base"), small("bert_base_opset17")]
        feeds = random_feeds(models[0])
        results = [self.run_model(to_bytes(model), feeds) for model in models]
        for key, array in results[0].items():
            np.testing.assert_allclose(array, results[1][key], rtol=1e-4, atol=1e-4, err_msg=key)

    def test_quantised_form_stays_near_the_float_one(self):
        models = [small("resnet18"), small("resnet18_qdq")]
        feeds = random_feeds(models[0])
        exact, rounded = (self.run_model(to_bytes(model), feeds)["output"] for model in models)
        self.assertGreater(np.corrcoef(exact.ravel(), rounded.ravel())[0, 1], 0.95)

    def test_other_forms_stay_near_float32(self):
        for name in ("lstm_text", "minilm", "unet_512"):
            output = small(name).graph.output[0].name
            feeds = random_feeds(small(name))
            exact = self.run_model(to_bytes(small(name)), feeds)[output]
            for form, least in (("float16", 0.9999), ("int8", 0.95)):
                model = make_model(name, Options(small=True), form)
                given = {key: array.astype(np.float16) if form == "float16" and array.dtype == np.float32 else array for key, array in feeds.items()}
                rounded = self.run_model(to_bytes(model), given)[output]
                self.assertEqual(rounded.dtype, np.float16 if form == "float16" else np.float32)
                self.assertGreater(np.corrcoef(exact.ravel(), rounded.astype(np.float32).ravel())[0, 1], least, f"{name}, {form}")

    def test_gpt2_accepts_any_past(self):
        model = small("gpt2_decode")
        for past in (0, 1, 9):
            feeds = random_feeds(model)
            feeds = {key: a[:, :, :1].repeat(past, 2) if a.ndim == 4 else a for key, a in feeds.items()}
            results = self.run_model(to_bytes(model), feeds)
            self.assertEqual(results["present.0.key"].shape[2], past + 1)


if __name__ == "__main__":
    unittest.main()
