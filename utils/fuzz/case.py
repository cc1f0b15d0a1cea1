"""A model with inputs for each of its runs, and what is known of its values: what is judged, reduced and kept."""

import dataclasses
import json

import numpy as np
import onnx
from onnx import TensorProto, helper

from element_types import NAMES, from_storage, number_of
from sizes import is_open, of_run


@dataclasses.dataclass
class Case:
    model: onnx.ModelProto
    feeds: list    # per run: the stored array of each input, by name
    values: dict   # by name: type, shapes (one per run), whether it is exact
    title: str = ""

    def inputs(self):
        """Returns the inputs that a run passes; initializers stay constants."""
        constants = {each.name for each in self.model.graph.initializer}
        return [each for each in self.model.graph.input if each.name not in constants]

    def input_types(self):
        return {each.name: NAMES[each.type.tensor_type.elem_type] for each in self.inputs()}

    def nodes(self):
        """Returns the nodes of the graph, of its functions, and of the graphs inside them."""
        return nodes_within([*self.model.graph.node, *[node for function in self.model.functions for node in function.node]])

    def types(self):
        """Returns the types of all values and constants."""
        nodes = self.nodes()
        constants = [*self.model.graph.initializer, *[tensor for graph in graphs_in(nodes) for tensor in graph.initializer],
                     *[attribute.t for node in nodes for attribute in node.attribute if attribute.HasField("t")]]
        return {value["type"] for value in self.values.values()} | {NAMES.get(each.data_type) for each in constants}

    def output_types(self):
        return [NAMES[each.type.tensor_type.elem_type] for each in self.model.graph.output]

    def is_open(self):
        return any(dim.HasField("dim_param") for each in self.inputs() for dim in each.type.tensor_type.shape.dim)

    def has_empty(self):
        return any(0 in shape for value in self.values.values() for shape in value["shapes"] or ())

    def has_one(self, node):
        """Whether a result of the node has a dimension of size 1."""
        return any(1 in shape for name in node.output if name in self.values for shape in self.values[name]["shapes"] or ())

    def symbols(self, run):
        """Returns the sizes of the named dimensions in a run."""
        return {dim.dim_param: int(self.feeds[run][each.name].shape[axis]) for each in self.inputs()
                for axis, dim in enumerate(each.type.tensor_type.shape.dim) if dim.dim_param}

    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(self.model.SerializeToString())
        for run, feed in enumerate(self.feeds):
            np.savez(folder / f"run-{run}.npz", **{name: array.astype("S") if array.dtype == object else array for name, array in feed.items()})
        (folder / "case.json").write_text(json.dumps({"title": self.title, "runs": len(self.feeds), "values": self.values}))


def load_case(folder):
    model = onnx.load(str(folder / "model.onnx"))
    known = json.loads((folder / "case.json").read_text())
    feeds = []
    for run in range(known["runs"]):
        with np.load(folder / f"run-{run}.npz") as arrays:
            feeds.append({name: array.astype(object) if array.dtype.kind == "S" else array for name, array in arrays.items()})
    return Case(model, feeds, known["values"], known["title"])


def value_info(name, type_, shape):
    made = helper.make_tensor_value_info(name, number_of(type_), None if shape is None else [])
    for size in shape or ():
        dim = made.type.tensor_type.shape.dim.add()
        if is_open(size):
            dim.dim_param = size.symbol
        else:
            dim.dim_value = size
    return made


def graphs_in(nodes):
    return [attribute.g for node in nodes for attribute in node.attribute if attribute.HasField("g")]


def nodes_within(nodes):
    return [*nodes, *[node for graph in graphs_in(nodes) for node in nodes_within(graph.node)]]


def names_read(nodes):
    """Returns the names that the nodes, and the graphs inside them, read."""
    graphs = graphs_in(nodes)
    return {name for node in nodes for name in node.input} | {name for graph in graphs for name in names_read(graph.node)} | {each.name for graph in graphs for each in graph.output}


def case_of(graph):
    outputs = graph.outputs()
    names = {each.name for each in outputs} | names_read(graph.nodes)
    inputs = [each for each in graph.inputs if each.name in names] or graph.inputs[:1]
    infos = [value_info(each.name, each.type, each.shape) for each in inputs]
    stated = [value_info(each.name, each.type, None) for each in outputs]
    made = helper.make_graph(graph.nodes, f"seed{graph.seed}", infos, stated, [each for each in graph.initializers if each.name in names])
    imports = [helper.make_opsetid("", graph.opset)] + [helper.make_opsetid(domain, version) for domain, version in graph.domains.items()]
    model = helper.make_model(made, opset_imports=imports, ir_version=8 if graph.opset < 19 else 10)
    kept = {each.name for each in inputs}
    feeds = [{name: array for name, array in feed.items() if name in kept} for feed in graph.feeds]
    values = {each.name: {"type": each.type, "exact": each.exact, "shapes": [of_run(each.shape, run) for run in range(graph.run_count)]} for each in graph.values}
    return Case(model, feeds, values, f"seed {graph.seed}")


# ---- the same with more bits ----

HALVES = (TensorProto.FLOAT16, TensorProto.BFLOAT16)


def widen_tensor(tensor):
    if tensor.data_type not in HALVES:
        return
    bits = np.frombuffer(tensor.raw_data, np.uint16) if tensor.HasField("raw_data") else np.array(tensor.int32_data, np.uint16)
    numbers = bits.view(np.float16).astype(np.float32) if tensor.data_type == TensorProto.FLOAT16 else (bits.astype(np.uint32) << 16).view(np.float32)
    tensor.ClearField("int32_data")
    tensor.data_type, tensor.raw_data = TensorProto.FLOAT, numbers.tobytes()


def widen_graph(graph):
    for tensor in graph.initializer:
        widen_tensor(tensor)
    for info in [*graph.input, *graph.output, *graph.value_info]:
        if info.type.tensor_type.elem_type in HALVES:
            info.type.tensor_type.elem_type = TensorProto.FLOAT
    widen_nodes(graph.node)


def widen_nodes(nodes):
    for node in nodes:
        for attribute in node.attribute:
            if attribute.name in ("to", "dtype", "output_datatype", "output_dtype") and attribute.i in HALVES:
                attribute.i = TensorProto.FLOAT
            if attribute.HasField("t"):
                widen_tensor(attribute.t)
            if attribute.HasField("g"):
                widen_graph(attribute.g)


def with_wider_halves(case):
    """Returns the case with float32 instead of float16 and bfloat16. The compiler may compute in float64 as well (--wide)."""
    types = case.input_types()
    if not any(value["type"] in ("f16", "bf16") for value in case.values.values()):
        return case
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    widen_graph(model.graph)
    for function in model.functions:
        widen_nodes(function.node)
    widened = {"f16": lambda array: array.astype(np.float32), "bf16": lambda array: from_storage("bf16", array)}
    feeds = [{name: widened.get(types[name], lambda array: array)(array) for name, array in feed.items()} for feed in case.feeds]
    return Case(model, feeds, case.values, case.title)
