"""Pieces of transformers in the forms exporters leave them: decomposed or whole LayerNorm, GELU, shapes computed in the graph.

No statistics are tracked here. LayerNorm brings every sublayer back to unit scale, so a gain per matrix is enough.
"""

import numpy as np
from onnx import TensorProto

from graph_builder import GraphBuilder, Value


class TransformerNet(GraphBuilder):
    def __init__(self, name, opset, options, norm_epsilon):
        super().__init__(name, opset, options)
        self.norm_epsilon = norm_epsilon

    # Parameters

    def matrix(self, inputs, outputs, gain, transposed=False):
        shape = (outputs, inputs) if transposed else (inputs, outputs)
        return self.normal_initializer("weight", shape, gain / np.sqrt(inputs))

    def bias(self, outputs):
        return self.normal_initializer("bias", (outputs,), 0.05)

    def linear(self, x, inputs, outputs, gain=1.0, name="dense"):
        """Adds a matrix product over the last dimension and its bias, as two nodes."""
        with self.scope(name):
            product = self.node("MatMul", [x, self.matrix(inputs, outputs, gain)])
            return self.node("Add", [self.bias(outputs), product])

    # Normalisation and activation

    def layer_norm(self, x, width, name):
        with self.scope(name):
            weight = self.normal_initializer("weight", (width,), 0.1, mean=1.0)
            bias = self.normal_initializer("bias", (width,), 0.1)
            if self.opset >= 17:
                return self.node("LayerNormalization", [x, weight, bias], axis=-1, epsilon=self.norm_epsilon)
            centred = self.node("Sub", [x, self.node("ReduceMean", [x], axes=[-1])])
            square = self.node("Pow", [centred, self.constant(2.0)])
            variance = self.node("ReduceMean", [square], axes=[-1])
            deviation = self.node("Sqrt", [self.node("Add", [variance, self.constant(self.norm_epsilon)])])
            normal = self.node("Div", [centred, deviation])
            return self.node("Add", [self.node("Mul", [normal, weight]), bias])

    def gelu(self, x):
        """Adds the exact GELU with the error function."""
        error = self.node("Erf", [self.node("Div", [x, self.constant(np.sqrt(2.0))])])
        product = self.node("Mul", [x, self.node("Add", [error, self.constant(1.0)])])
        return self.node("Mul", [product, self.constant(0.5)])

    def gelu_by_tanh(self, x):
        """Adds the approximation that GPT-2 was trained with."""
        half = self.node("Mul", [x, self.constant(0.5)])
        cube = self.node("Mul", [self.node("Pow", [x, self.constant(3.0)]), self.constant(0.044715)])
        inner = self.node("Mul", [self.node("Add", [x, cube]), self.constant(np.sqrt(2.0 / np.pi))])
        return self.node("Mul", [half, self.node("Add", [self.node("Tanh", [inner]), self.constant(1.0)])])

    # Shapes

    def dimension(self, x, axis):
        """Returns a dimension of x as a scalar computed in the graph, as from a traced `x.size(axis)`."""
        return self.node("Gather", [self.node("Shape", [x]), self.constant(axis, np.int64)], axis=0)

    def as_vector(self, scalar):
        return self.node("Unsqueeze", [scalar, self.constant([0], np.int64)])

    def reshape(self, x, shape):
        return self.node("Reshape", [x, self.constant(shape, np.int64)])

    def reshape_computed(self, x, parts):
        """Adds a reshape whose shape mixes numbers with scalars computed in the graph."""
        vectors = [self.constant([part], np.int64) if isinstance(part, int) else self.as_vector(part) for part in parts]
        return self.node("Reshape", [x, self.node("Concat", vectors, axis=0)])

    def reshape_tokens(self, x, *last):
        """Reshapes to [batch, -1, last...]. A symbolic batch stays as in the input."""
        batch = self.options.batch
        return self.reshape(x, [batch if isinstance(batch, int) else 0, -1, *last])

    # Interface

    def token_input(self, name, *shape):
        return self.input(name, (self.options.batch, *shape), TensorProto.INT64)

    def output_named(self, result, name, *shape):
        self.output(Value(result, (self.options.batch, *shape)), name)
