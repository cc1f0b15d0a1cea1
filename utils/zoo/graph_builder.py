"""One ONNX graph under construction: names, initialisers, nodes, inputs and outputs.

Names follow what the PyTorch exporter writes, since importers meet those most often: a node in scope `layer1.0.conv1` is
`/layer1.0.conv1/Conv`, its result `/layer1.0.conv1/Conv_output_0`, its weight `layer1.0.conv1.weight`.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Optional

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from spread import Spread

# The IR version that was current when the operator set came out; readers refuse a model whose IR is older than its operators.
IR_VERSION_OF_OPSET = {13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 21: 10}


@dataclass(frozen=True)
class Options:
    """Options that every network has."""

    seed: int = 0
    batch: object = 1  # a number, or the name of a symbolic dimension
    small: bool = False

    def pick(self, full, small):
        return small if self.small else full


@dataclass(frozen=True)
class Value:
    """A tensor in the graph. `spread` is set in networks that track statistics."""

    name: str
    shape: tuple
    spread: Optional[Spread] = None

    @property
    def channels(self):
        return self.shape[1]


class GraphBuilder:
    def __init__(self, name, opset, options):
        self.name = name
        self.opset = opset
        self.options = options
        self.spreads = {}  # value name -> Spread; a quantiser needs it to choose scales
        self._scopes = []
        self._taken = set()
        self._nodes = []
        self._initializers = []
        self._inputs = []
        self._outputs = []

    # Names

    @contextmanager
    def scope(self, name):
        self._scopes.append(str(name))
        try:
            yield
        finally:
            self._scopes.pop()

    def parameter_name(self, leaf):
        return ".".join(self._scopes + [leaf])

    def _unique(self, wanted):
        name, count = wanted, 0
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    # Parameters

    def random(self, leaf):
        """Returns a random generator for a parameter. It depends only on the parameter's name and the seed, so a new layer does not change the
        weights of others."""
        digest = np.frombuffer(sha256(self.parameter_name(leaf).encode()).digest(), dtype="<u4")
        return np.random.Generator(np.random.PCG64([self.options.seed, *digest.tolist()]))

    def normal(self, leaf, shape, std, mean=0.0):
        array = self.random(leaf).standard_normal(shape, dtype=np.float32)
        array *= np.float32(std)
        if mean:
            array += np.float32(mean)
        return array

    def initializer(self, leaf, array):
        name = self.parameter_name(leaf)
        if name in self._taken:
            raise ValueError(f"initialiser '{name}' is defined twice")
        self._taken.add(name)
        self._initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def normal_initializer(self, leaf, shape, std, mean=0.0):
        return self.initializer(leaf, self.normal(leaf, shape, std, mean))

    # Nodes

    def node(self, op_type, inputs, outputs=1, **attributes):
        """Adds a node and returns the name of its result, or a list of names if there are several."""
        path = "/" + "/".join(self._scopes + [op_type])
        name = self._unique(path)
        results = [self._unique(f"{name}_output_{i}") for i in range(outputs)]
        names = [value.name if isinstance(value, Value) else value for value in inputs]
        attributes = dict(sorted(attributes.items()))
        self._nodes.append(helper.make_node(op_type, names, results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    def constant(self, value, dtype=None):
        """Adds a Constant node, which exporters use for scalars, axes and shapes."""
        array = np.array(value, dtype=dtype)
        if dtype is None and array.dtype == np.float64:
            array = array.astype(np.float32)
        return self.node("Constant", [], value=numpy_helper.from_array(array))

    def value(self, name, shape, spread):
        """Returns a result with its shape and statistics."""
        self.spreads[name] = spread
        return Value(name, tuple(shape), spread)

    # Interface

    def input(self, name, shape, element=TensorProto.FLOAT, spread=None):
        self._taken.add(name)
        self._inputs.append(helper.make_tensor_value_info(name, element, list(shape)))
        if spread is not None:
            self.spreads[name] = spread
        return Value(name, tuple(shape), spread)

    def rename(self, old, name):
        """Renames a result, so that it can be referred to from outside."""
        for node in self._nodes:
            for names in (node.input, node.output):
                for i, other in enumerate(names):
                    if other == old:
                        names[i] = name
        if old in self.spreads:
            self.spreads[name] = self.spreads.pop(old)
        self._taken.add(name)

    def output(self, value, name, shape=None, element=TensorProto.FLOAT):
        """Makes a result an output of the graph with the given name."""
        shape = value.shape if shape is None else shape
        self.rename(value.name if isinstance(value, Value) else value, name)
        self._outputs.append(helper.make_tensor_value_info(name, element, list(shape)))

    def model(self):
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        return finish_model(graph, self.opset)


def finish_model(graph, opset):
    """Wraps a graph. Nothing may depend on the run, because the bytes must depend on the seed only."""
    model = helper.make_model(graph, producer_name="cameo-zoo", opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = IR_VERSION_OF_OPSET[opset]
    return model
