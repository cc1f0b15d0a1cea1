"""Turns a float model into 8-bit form as dynamic quantisation tools write it: weights are integers, activations are quantised in each run.

A product's activations go through DynamicQuantizeLinear, once for all consumers of a tensor. MatMulInteger or ConvInteger follows, then Cast, and Mul
with the product of both scales; a convolution's bias is an Add. Weights of MatMul are int8 around zero, those of Conv uint8, which is what ONNX Runtime
has a kernel for; each has one scale. A Gemm becomes a MatMul and an Add first. Products of computed operands stay in float.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """A graph that is rewritten. A body sees the initialisers of the graph around it, and quantised weights are theirs."""

    def __init__(self, graph, outer=None):
        self._graph = graph
        self._root = outer._root if outer else self
        self._arrays = dict(outer._arrays if outer else {})
        self._arrays.update({tensor.name: tensor for tensor in graph.initializer})
        self._nodes = []
        self._quantised = {}  # activation -> its names after DynamicQuantizeLinear
        if not outer:
            self.weights = {}  # initialiser -> names of the quantised one, its scale and zero point

    def rewrite(self):
        for node in self._graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    Graph(attribute.g, self).rewrite()
            attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
            if self._is_quantised(node, attributes):
                self._rewrite_product(node, attributes)
            else:
                self._nodes.append(node)
        del self._graph.node[:]
        self._graph.node.extend(self._nodes)

    def _is_quantised(self, node, attributes):
        if node.op_type not in ("MatMul", "Gemm", "Conv") or self._matrix(node.input[1]) is None:
            return False
        return attributes.get("alpha", 1.0) == attributes.get("beta", 1.0) == 1.0 and not attributes.get("transA", 0)

    def _matrix(self, name):
        tensor = self._arrays.get(name)
        return numpy_helper.to_array(tensor) if tensor is not None and tensor.data_type == TensorProto.FLOAT else None

    def _add(self, op_type, inputs, result, **attributes):
        self._nodes.append(helper.make_node(op_type, inputs, [result], name=result, **attributes))
        return result

    def _constant(self, name, array):
        self._root._graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _quantise_weight(self, name, transposed, element):
        if name not in self._root.weights:
            array = self._matrix(name).T if transposed else self._matrix(name)
            largest = np.float32(max(np.abs(array).max(initial=0), 1e-30))
            scale = largest / np.float32(127)
            numbers = np.clip(np.rint(array / scale), -127, 127).astype(np.int16)
            zero = 0 if element == np.int8 else 128
            self._root.weights[name] = (self._constant(f"{name}_quantized", (numbers + zero).astype(element)), self._constant(f"{name}_scale", scale),
                                        self._constant(f"{name}_zero_point", element(zero)))
        return self._root.weights[name]

    def _quantise_activation(self, name):
        if name not in self._quantised:
            names = [f"{name}_{part}" for part in ("quantized", "scale", "zero_point")]
            self._nodes.append(helper.make_node("DynamicQuantizeLinear", [name], names, name=f"{name}_QuantizeLinear"))
            self._quantised[name] = names
        return self._quantised[name]

    def _rewrite_product(self, node, attributes):
        source, weight, *bias = node.input
        result = node.output[0]
        transposed, is_conv = attributes.get("transB", 0), node.op_type == "Conv"
        quantised, scale, zero = self._quantise_activation(source)
        matrix, matrix_scale, matrix_zero = self._quantise_weight(weight, transposed, np.uint8 if is_conv else np.int8)
        operands = [quantised, matrix, zero, matrix_zero]
        if is_conv:
            integers = self._add("ConvInteger", operands, f"{result}_integers", **attributes)
        else:
            integers = self._add("MatMulInteger", operands, f"{result}_integers")
        floats = self._add("Cast", [integers], f"{result}_floats", to=TensorProto.FLOAT)
        scales = self._add("Mul", [scale, matrix_scale], f"{result}_scales")
        scaled = self._add("Mul", [floats, scales], f"{result}_scaled" if bias else result)
        if bias and is_conv:
            shape = (1, -1) + (1,) * (self._matrix(weight).ndim - 2)
            bias = [self._constant(f"{result}_bias", self._matrix(bias[0]).reshape(shape))]
        if bias:
            self._add("Add", [scaled, bias[0]], result)


def used_names(graph):
    names = {info.name for info in graph.output}
    for node in graph.node:
        names.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                names |= used_names(attribute.g)
    return names


def quantise(model):
    """Converts the model in place and returns it."""
    Graph(model.graph).rewrite()
    used = used_names(model.graph)
    kept = [tensor for tensor in model.graph.initializer if tensor.name in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    del model.graph.value_info[:]
    return model
