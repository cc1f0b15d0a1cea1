"""Makes a failing case small: as few nodes, attributes, runs and elements as still fail in the same way."""

import copy
import time

import numpy as np
import onnx
from onnx import TensorProto

from case import Case, names_read, value_info
from element_types import FLOATS, NAMES, STORAGE, to_bytes, to_storage
from judge import Unsupported
from sizes import Size

MOST_SECONDS = 240


class Reducer:
    def __init__(self, case, judge, failure, seconds=MOST_SECONDS):
        self.case, self.judge, self.failure = case, judge, failure
        self.deadline = time.monotonic() + seconds
        self.random = np.random.default_rng(0)

    def fails(self, case):
        """Returns whether the case fails as before. If so, it replaces the current case."""
        if time.monotonic() > self.deadline:
            return False
        try:
            failure = self.judge.judge(case)
        except Unsupported:
            return False
        except Exception:  # a candidate may be an invalid model
            return False
        if failure is None or failure.kind != self.failure.kind:
            return False
        self.case, self.failure = case, failure
        return True

    # ---- candidates ----

    def copy(self, outputs=None, nodes=None):
        """Returns the case with these outputs (names) and nodes, and without everything that they do not need."""
        model = onnx.ModelProto()
        model.CopyFrom(self.case.model)
        graph = model.graph
        wanted = [each for each in graph.output if outputs is None or each.name in outputs]
        kept, needed = [], {each.name for each in wanted}
        for node in reversed(list(graph.node) if nodes is None else nodes):
            if needed & set(node.output):
                kept.append(copy.deepcopy(node))
                needed |= names_read([node])
        inputs = [each for each in graph.input if each.name in needed]
        constants = [each for each in graph.initializer if each.name in needed]
        for field, values in (("output", wanted), ("node", kept[::-1]), ("input", inputs), ("initializer", constants)):
            values = [copy.deepcopy(each) for each in values]
            graph.ClearField(field)
            getattr(graph, field).extend(values)
        names = {each.name for each in inputs}
        return Case(model, [{name: array for name, array in feed.items() if name in names} for feed in self.case.feeds], self.case.values, self.case.title)

    def as_output(self, name):
        """Returns the case with an intermediate value as its only output, without the nodes after it."""
        known = self.case.values[name]
        model = onnx.ModelProto()
        model.CopyFrom(self.case.model)
        model.graph.ClearField("output")
        model.graph.output.append(value_info(name, known["type"], None))
        kept, self.case = self.case, Case(model, self.case.feeds, self.case.values, self.case.title)
        made = self.copy()
        self.case = kept
        return made

    def without(self, node):
        """Returns the case with inputs instead of the results of a node."""
        model = onnx.ModelProto()
        model.CopyFrom(self.case.model)
        graph = model.graph
        graph.node.remove(next(each for each in graph.node if each.output == node.output))
        feeds = [dict(feed) for feed in self.case.feeds]
        read = names_read(graph.node)
        for name in node.output:
            known = self.case.values.get(name)
            if name not in read or known is None:
                continue
            graph.input.append(value_info(name, known["type"], self.shape_of(known["shapes"])))
            for feed, shape in zip(feeds, known["shapes"]):
                feed[name] = self.numbers(known["type"], shape)
        outputs = [each for each in graph.output if each.name not in node.output]
        if not outputs:
            return None
        graph.ClearField("output")
        graph.output.extend(outputs)
        kept, self.case = self.case, Case(model, feeds, self.case.values, self.case.title)
        made = self.copy()
        self.case = kept
        return made

    def shape_of(self, shapes):
        """Returns the shape. Sizes that differ between runs, or that have a name, keep a name."""
        names = {}
        for run_index in range(len(self.case.feeds)):
            for name, size in self.case.symbols(run_index).items():
                names.setdefault(name, []).append(size)
        known = {tuple(sizes): name for name, sizes in names.items()}
        return [sizes[0] if len(set(sizes)) == 1 and sizes not in known else Size(sizes, known.get(sizes, "r" + "_".join(map(str, sizes)))) for sizes in zip(*shapes)]

    def numbers(self, type_, shape):
        if type_ == "string":
            return np.full(shape, b"a", object)
        if type_ == "bool":
            return self.random.random(shape) < 0.5
        if type_ in FLOATS:
            return to_storage(type_, self.random.uniform(0.25, 2, shape))
        return self.random.integers(0, 2, shape).astype(STORAGE[type_][1])

    def with_size(self, old, new):
        """Returns the case with all dimensions `old` of inputs and constants cut to `new`."""
        made = self.copy()
        cut = lambda array: array[tuple(slice(0, new) if size == old else slice(None) for size in array.shape)]
        for info in made.model.graph.input:
            for dim in info.type.tensor_type.shape.dim:
                if dim.HasField("dim_value") and dim.dim_value == old:
                    dim.dim_value = new
        for tensor in made.model.graph.initializer:
            if tensor.data_type not in NAMES or tensor.data_type == TensorProto.STRING or not tensor.HasField("raw_data"):
                continue
            type_ = NAMES[tensor.data_type]
            array = np.frombuffer(tensor.raw_data, STORAGE[type_][1]).reshape(tuple(tensor.dims))
            array = cut(array)
            if type_ == "i64" and array.ndim == 1 and array.size <= 8:
                array = np.where(array == old, new, array)
            del tensor.dims[:]
            tensor.dims.extend(array.shape)
            tensor.raw_data = to_bytes(type_, array)
        made.feeds = [{name: cut(array) for name, array in feed.items()} for feed in made.feeds]
        made.values = {}
        return made

    # ---- the steps ----

    def fewer_runs(self):
        for run in range(len(self.case.feeds)):
            if len(self.case.feeds) > 1:
                made = self.copy()
                made.feeds = [made.feeds[run]]
                made.values = {name: {**value, "shapes": [value["shapes"][run]]} for name, value in made.values.items()}
                if self.fails(made):
                    return

    def fewer_outputs(self):
        names = [each.name for each in self.case.model.graph.output]
        if len(names) == 1:
            return
        for name in names:
            if self.fails(self.copy(outputs={name})):
                return
        for name in names:
            rest = {each.name for each in self.case.model.graph.output} - {name}
            if rest:
                self.fails(self.copy(outputs=rest))

    def fewer_nodes(self):
        """Removes nodes from the end, by taking an earlier output; then from the front, by inputs."""
        changed = True
        while changed and time.monotonic() < self.deadline:
            changed = False
            nodes = list(self.case.model.graph.node)
            if len(self.case.model.graph.output) == 1:
                for node in nodes[:-1]:
                    if node.op_type != "Constant" and node.output[0] in self.case.values and self.fails(self.as_output(node.output[0])):
                        changed = True
                        break
            if changed:
                continue
            for node in list(self.case.model.graph.node):
                if not any(each.output == node.output for each in self.case.model.graph.node) or node.op_type == "Constant" or len(self.case.model.graph.node) == 1:
                    continue
                made = self.without(node)
                if made is not None and made.model.graph.node and self.fails(made):
                    changed = True

    def fewer_attributes(self):
        # A node without an attribute may leave other nodes unused, which are removed as well. So nodes are identified by their results.
        for result in [node.output[0] for node in self.case.model.graph.node]:
            for name in [attribute.name for node in self.case.model.graph.node if node.output[0] == result for attribute in node.attribute]:
                made = self.copy()
                node = next((each for each in made.model.graph.node if each.output[0] == result), None)
                if node is None:
                    break
                kept = [copy.deepcopy(each) for each in node.attribute if each.name != name]
                del node.attribute[:]
                node.attribute.extend(kept)
                self.fails(made)

    def smaller_sizes(self):
        if self.case.is_open() or len(self.case.model.graph.node) > 8:
            return
        sizes = {size for feed in self.case.feeds for array in feed.values() for size in array.shape} | {size for tensor in self.case.model.graph.initializer for size in tensor.dims}
        for old in sorted((size for size in sizes if size > 1), reverse=True):
            for new in (1, 2, 3, 4, 5, 8, 9, 16, 17, old // 2, old - 1):
                if new < old and self.fails(self.with_size(old, new)):
                    break

    def reduce(self):
        for step in (self.fewer_runs, self.fewer_outputs, self.fewer_nodes, self.fewer_outputs, self.fewer_nodes, self.fewer_attributes, self.smaller_sizes):
            step()
        return self.case, self.failure


def reduce_case(case, judge, failure, seconds=MOST_SECONDS):
    return Reducer(case, judge, failure, seconds).reduce()
