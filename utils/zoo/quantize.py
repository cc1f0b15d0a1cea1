"""Turns a float network into 8-bit QDQ form, as static quantisation tools write it.

Activations are int8 with one scale and zero point each, weights int8 with a scale per output channel, biases int32 with the
product of both scales. QuantizeLinear/DequantizeLinear pairs surround every operator; a ReLU stays with its producer. Scales
come from the statistics the network tracked while it was built, in place of a calibration run.
"""

import numpy as np
from onnx import helper, numpy_helper

from graph_builder import finish_model

# Elements further out than this many deviations saturate. Skipped correlations make tracked deviations about a third too small.
DEVIATIONS = 7.0

QUANTISED = {"Conv", "Gemm", "Add", "MaxPool", "GlobalAveragePool", "Flatten"}
KEEPS_SCALE = {"MaxPool", "Flatten"}  # these operators only move elements, so inputs and results share one scale


class Quantizer:
    def __init__(self, net, name):
        self._source = net.model().graph
        self._opset = net.opset
        self._spreads = net.spreads
        self._name = name
        self._arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in self._source.initializer}
        self._producers = {node.output[0]: node for node in self._source.node}
        self._consumers = {}
        for node in self._source.node:
            for value in node.input:
                self._consumers.setdefault(value, []).append(node)
        self._nodes = []
        self._initializers = []
        self._dequantised = {}  # value -> its name after the quantise/dequantise pair
        self._scales = {}

    def model(self):
        outputs = {info.name for info in self._source.output}
        for info in self._source.input:
            self._add_pair(info.name)
        for node in self._source.node:
            self._rewrite(node)
            value = node.output[0]
            if not self._is_merged_with_relu(value):
                self._add_pair(value, is_output=value in outputs)
        graph = helper.make_graph(
            self._nodes, self._name, self._source.input, self._source.output, self._initializers
        )
        return finish_model(graph, self._opset)

    def _is_merged_with_relu(self, value):
        consumers = self._consumers.get(value, [])
        return len(consumers) == 1 and consumers[0].op_type == "Relu"

    def _rewrite(self, node):
        if node.op_type not in QUANTISED | {"Relu"}:
            raise ValueError(f"no rule to quantise {node.op_type}")
        inputs = [self._dequantised.get(value, value) for value in node.input]
        if node.op_type in ("Conv", "Gemm"):
            inputs[1:] = self._quantise_parameters(*node.input)
        copy = helper.make_node(node.op_type, inputs, [self._written_name(node.output[0])], name=node.name)
        copy.attribute.extend(node.attribute)
        self._nodes.append(copy)

    def _written_name(self, value):
        """Returns the name before the quantise/dequantise pair. A graph output keeps its name after the pair, so it gets another one before it."""
        return f"{value}_float" if any(info.name == value for info in self._source.output) else value

    # Activations

    def _activation_scale(self, value):
        producer = self._producers.get(value)
        if producer is not None and producer.op_type in KEEPS_SCALE:
            return self._activation_scale(producer.input[0])
        low, high = self._spreads[value].bounds(DEVIATIONS)
        if producer is not None and producer.op_type == "Relu":
            low = 0.0
        low, high = min(low, 0.0), max(high, 0.0)
        scale = np.float32((high - low) / 255.0)
        return scale, np.int8(np.clip(np.rint(-128.0 - low / scale), -128, 127))

    def _add_pair(self, value, is_output=False):
        scale, zero_point = self._scales[value] = self._activation_scale(value)
        names = [self._keep(f"{value}_scale", scale), self._keep(f"{value}_zero_point", zero_point)]
        after = value if is_output else f"{value}_dequantized"
        quantised = f"{value}_quantized"
        self._add_node("QuantizeLinear", [self._written_name(value), *names], quantised, value)
        self._add_node("DequantizeLinear", [quantised, *names], after, value)
        self._dequantised[value] = after

    # Parameters

    def _quantise_parameters(self, value, weight_name, bias_name):
        weight, bias = self._arrays[weight_name], self._arrays[bias_name]
        rows = np.abs(weight.reshape(len(weight), -1)).max(axis=1)
        scales = (rows / 127.0).astype(np.float32)
        per_row = scales.reshape(-1, *[1] * (weight.ndim - 1))
        quantised = np.rint(weight / per_row).clip(-127, 127).astype(np.int8)
        bias_scales = (scales * self._scales[value][0]).astype(np.float32)
        quantised_bias = np.rint(bias / bias_scales.astype(np.float64)).astype(np.int32)
        return [
            self._dequantise_parameter(weight_name, quantised, scales),
            self._dequantise_parameter(bias_name, quantised_bias, bias_scales),
        ]

    def _dequantise_parameter(self, name, array, scales):
        inputs = [
            self._keep(f"{name}_quantized", array),
            self._keep(f"{name}_scale", scales),
            self._keep(f"{name}_zero_point", np.zeros(len(scales), array.dtype)),
        ]
        self._add_node("DequantizeLinear", inputs, f"{name}_dequantized", name, axis=0)
        return f"{name}_dequantized"

    def _keep(self, name, array):
        self._initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def _add_node(self, op_type, inputs, output, subject, **attributes):
        self._nodes.append(helper.make_node(op_type, inputs, [output], name=f"{subject}_{op_type}", **attributes))
