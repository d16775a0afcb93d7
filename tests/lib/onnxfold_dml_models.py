# SPDX-License-Identifier: Apache-2.0
"""Three models as exporters write them: an MLP, a CNN, a transformer. For tests (small) and for bench/dml.

Each function returns the model and the array of its input.
"""

import numpy as np
from onnx import TensorProto

import onnxfold_models as m


class Net:
    """Nodes one after the other; weights are drawn as they are asked for."""

    def __init__(self, seed=1):
        self.random, self.nodes, self.constants = np.random.default_rng(seed), [], []

    def constant(self, array):
        self.constants.append(m.const(f"w{len(self.constants)}", array))
        return self.constants[-1].name

    def weight(self, *shape):
        fan = np.prod(shape[1:]) if len(shape) > 1 else 25
        return self.constant((self.random.normal(size=shape) / np.sqrt(fan)).astype(np.float32))

    def add(self, op, *inputs, **attributes):
        name = f"/{op}_{len(self.nodes)}_output_0"
        self.nodes.append(m.node(op, list(inputs), [name], f"/{op}_{len(self.nodes)}", **attributes))
        return name

    def linear(self, x, size, result):
        return self.add("Gemm", x, self.weight(result, size), self.weight(result), transB=1)

    def model(self, shape, result):
        self.nodes[-1].output[0] = "y"
        inputs, outputs = [m.info("x", shape)], [m.info("y", result, TensorProto.FLOAT)]
        return m.model(self.nodes, inputs, outputs, self.constants, opset=17, ir=8)

    def input(self, *shape):
        return self.random.normal(size=shape).astype(np.float32)


def mlp(rows=64, sizes=(784, 256, 128, 10)):
    net, value = Net(), "x"
    for i, (size, result) in enumerate(zip(sizes, sizes[1:])):
        value = net.linear(value, size, result)
        value = net.add("Relu", value) if i + 2 < len(sizes) else net.add("Softmax", value, axis=-1)
    return net.model(["N", sizes[0]], ["N", sizes[-1]]), net.input(rows, sizes[0])


def cnn(rows=16, size=32, channels=(3, 32, 64), classes=10):
    net, value = Net(), "x"
    for c, f in zip(channels, channels[1:]):
        value = net.add("Conv", value, net.weight(f, c, 3, 3), net.weight(f), dilations=[1, 1], group=1, kernel_shape=[3, 3],
                        pads=[1, 1, 1, 1], strides=[1, 1])
        moments = [net.constant(np.abs(net.random.normal(size=f)).astype(np.float32) + 0.5) for _ in range(4)]
        value = net.add("BatchNormalization", value, *moments, epsilon=1e-5)
        value = net.add("Relu", value)
        value = net.add("MaxPool", value, kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4, ceil_mode=0, dilations=[1, 1])
        size //= 2
    value = net.add("Flatten", value)
    value = net.add("Relu", net.linear(value, channels[-1] * size * size, 128))
    net.add("Softmax", net.linear(value, 128, classes), axis=1)
    full = size * 2 ** (len(channels) - 1)
    return net.model(["N", channels[0], full, full], ["N", classes]), net.input(rows, channels[0], full, full)


def normalized(net, x, width):
    return net.add("LayerNormalization", x, net.weight(width), net.weight(width), axis=-1, epsilon=1e-5)


def linearOfTokens(net, x, width, result):
    """As PyTorch writes a linear layer of a tensor of rank 3."""
    return net.add("Add", net.weight(result), net.add("MatMul", x, net.weight(width, result)))


def attention(net, x, rows, tokens, heads, width):
    part = width // heads
    shape = net.constant(np.int64([rows, tokens, heads, part]))
    q, k, v = (net.add("Reshape", linearOfTokens(net, x, width, width), shape) for _ in range(3))
    q, v = (net.add("Transpose", one, perm=[0, 2, 1, 3]) for one in (q, v))
    k = net.add("Transpose", k, perm=[0, 2, 3, 1])
    scores = net.add("Div", net.add("MatMul", q, k), net.constant(np.float32(np.sqrt(part))))
    values = net.add("MatMul", net.add("Softmax", scores, axis=-1), v)
    values = net.add("Transpose", values, perm=[0, 2, 1, 3])
    values = net.add("Reshape", values, net.constant(np.int64([rows, tokens, width])))
    return linearOfTokens(net, values, width, width)


def gelu(net, x):
    """The form with tanh."""
    number = lambda value: net.constant(np.float32(value))
    cube = net.add("Mul", net.add("Pow", x, number(3)), number(0.044715))
    inner = net.add("Tanh", net.add("Mul", net.add("Add", x, cube), number(np.sqrt(2 / np.pi))))
    return net.add("Mul", net.add("Mul", x, number(0.5)), net.add("Add", inner, number(1)))


def transformer(rows=4, tokens=64, heads=4, width=128, layers=1):
    """BERT's layers: normalised after each sum."""
    net, value = Net(), "x"
    for _ in range(layers):
        value = normalized(net, net.add("Add", attention(net, value, rows, tokens, heads, width), value), width)
        inner = gelu(net, linearOfTokens(net, value, width, 4 * width))
        value = normalized(net, net.add("Add", linearOfTokens(net, inner, 4 * width, width), value), width)
    return net.model([rows, tokens, width], [rows, tokens, width]), net.input(rows, tokens, width)
