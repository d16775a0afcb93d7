# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: pooling, convolutions and normalisations on SystemDS, where the node tests have one image, one channel or no NaN."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_systemds as systemds


def node(op, inputs, dims, outputs=("y",), types=(TensorProto.FLOAT,), **attributes):
    """A model of one node. `inputs`: arrays of graph inputs; `dims`: shapes of inputs in the model, where they are not those."""
    elements = {np.dtype("float32"): TensorProto.FLOAT, np.dtype("int64"): TensorProto.INT64, np.dtype("uint8"): TensorProto.UINT8,
                np.dtype("int8"): TensorProto.INT8, np.dtype("int32"): TensorProto.INT32}  # fmt: skip
    names = [f"x{i}" for i in range(len(inputs))]
    values = [
        helper.make_tensor_value_info(name, elements[value.dtype], dims[i] if i in dims else value.shape)
        for i, (name, value) in enumerate(zip(names, inputs))
    ]
    made = helper.make_node(op, names, list(outputs), **attributes)
    graph = helper.make_graph(
        [made], "g", values, [helper.make_tensor_value_info(name, one, None) for name, one in zip(outputs, types)]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return onnx.shape_inference.infer_shapes(model)


def expect(folder, op, inputs, dims=None, **attributes):
    systemds.expectSame(folder, node(op, inputs, dims or {}, **attributes), inputs)


def values(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


GEOMETRIES = {
    "1d": ((7,), {"kernel_shape": [3], "strides": [2], "pads": [1, 0]}),
    "1d-dilated": ((9,), {"kernel_shape": [3], "dilations": [2], "pads": [2, 1]}),
    "2d-asymmetric": ((5, 6), {"kernel_shape": [3, 2], "pads": [1, 0, 0, 1], "strides": [1, 2]}),
    "2d-dilated": ((7, 8), {"kernel_shape": [2, 3], "dilations": [3, 2], "strides": [2, 1], "pads": [1, 1, 1, 1]}),
    "3d": ((4, 5, 6), {"kernel_shape": [2, 3, 2], "strides": [1, 2, 2], "pads": [0, 1, 1, 1, 1, 0]}),
    "3d-dilated": ((5, 6, 7), {"kernel_shape": [2, 2, 3], "dilations": [2, 3, 1], "strides": [2, 1, 3]}),
    "same": ((5, 6), {"kernel_shape": [3, 2], "auto_pad": "SAME_LOWER", "strides": [2, 2]}),
}


@pytest.mark.parametrize("name", GEOMETRIES)
def test_max_pool(folder, name):
    size, attributes = GEOMETRIES[name]
    expect(folder, "MaxPool", [values(2, 3, *size)], {0: ["n", 3, *size]}, **attributes)


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("name", GEOMETRIES)
def test_indices_of_max_pool(folder, name, order):
    """Small integers, for ties: the first one counts. A free batch size. ONNX Runtime refuses column order with dilations."""
    size, attributes = GEOMETRIES[name]
    x = np.random.default_rng(1).integers(-2, 3, (2, 3, *size)).astype(np.float32)
    model = node(
        "MaxPool", [x], {0: ["n", 3, *size]}, ("y", "i"), (TensorProto.FLOAT, TensorProto.INT64), storage_order=order, **attributes
    )
    systemds.expectSame(folder, model, [x])


def test_max_pool_of_infinities(folder):
    """A pad is less than -infinity: its index is none."""
    x = np.float32([[[-np.inf, -np.inf, 1, -np.inf, -np.inf]]])
    model = node("MaxPool", [x], {}, ("y", "i"), (TensorProto.FLOAT, TensorProto.INT64), kernel_shape=[2], pads=[1, 1], strides=[2])
    systemds.expectSame(folder, model, [x], [np.float32([[[-np.inf, 1, -np.inf]]]), np.int64([[[0, 2, 3]]])])


def test_max_pool_of_nan(folder):
    """NaN is the largest, as NumPy has it, dilated or not."""
    x = np.float32([[[1, np.nan, 3, 4, 5]]])
    wanted = np.float32([[[np.nan, np.nan, 4, 5]]])
    expectMax = lambda wanted, **attributes: systemds.expectSame(folder, node("MaxPool", [x], {}, **attributes), [x], [wanted])
    expectMax(wanted, kernel_shape=[2])
    expectMax(np.float32([[[3, np.nan, 5]]]), kernel_shape=[2], dilations=[2])


@pytest.mark.parametrize("withPads", [0, 1])
@pytest.mark.parametrize("ceil", [0, 1])
@pytest.mark.parametrize("name", [name for name in GEOMETRIES if name not in ("same", "2d-asymmetric")])
def test_average_pool(folder, name, ceil, withPads):
    size, attributes = GEOMETRIES[name]
    expect(folder, "AveragePool", [values(2, 3, *size)], {0: ["n", 3, *size]}, ceil_mode=ceil, count_include_pad=withPads, **attributes)


@pytest.mark.parametrize("withPads", [0, 1])
def test_average_pool_with_asymmetric_pads(folder, withPads):
    size, attributes = GEOMETRIES["2d-asymmetric"]
    expect(folder, "AveragePool", [values(2, 3, *size)], {0: ["n", 3, *size]}, count_include_pad=withPads, **attributes)


def test_window_outside_of_the_image(folder):
    """Before version 22, the last window of ceil_mode may start in the pads: what it averages is not defined."""
    size, attributes = GEOMETRIES["2d-asymmetric"]
    model = node("AveragePool", [values(2, 3, *size)], {}, ceil_mode=1, **attributes)
    systemds.expectRefused(folder, model, "a window lies outside of the image")


@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("name", ["1d", "2d-dilated", "3d"])
def test_lp_pool(folder, name, p):
    size, attributes = GEOMETRIES[name]
    expect(folder, "LpPool", [values(2, 3, *size)], {0: ["n", 3, *size]}, p=p, **attributes)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_global_lp_pool(folder, p):
    expect(folder, "GlobalLpPool", [values(2, 3, 4, 5)], {0: ["n", 3, 4, 5]}, p=p)


@pytest.mark.parametrize("groups, filters", [(1, 4), (2, 6), (4, 4), (4, 8)])
@pytest.mark.parametrize("name", GEOMETRIES)
def test_conv(folder, name, groups, filters):
    """Kernels are inputs; a bias; a free batch size."""
    size, attributes = GEOMETRIES[name]
    inputs = [values(2, 4, *size), values(filters, 4 // groups, *attributes["kernel_shape"], seed=1), values(filters, seed=2)]
    expect(folder, "Conv", inputs, {0: ["n", 4, *size]}, group=groups, **attributes)


def test_dilated_conv_of_infinities(folder):
    """Between the values of the kernel are no zeros, whose product with infinity would be NaN."""
    x = values(1, 1, 5, 5)
    x[0, 0, 1, 1] = np.inf
    expect(folder, "Conv", [x, np.abs(values(1, 1, 2, 2, seed=1))], dilations=[2, 2])


def test_conv_with_wide_pads(folder):
    """Windows of nothing but pads."""
    expect(folder, "Conv", [values(2, 2, 3, 3), values(3, 2, 2, 2, seed=1), values(3, seed=2)], pads=[3, 4, 2, 5])


TRANSPOSED = {
    "1d": ((5,), [3], {"strides": [2], "pads": [1, 2]}),
    "2d": ((3, 4), [3, 2], {"strides": [2, 3], "output_padding": [1, 2]}),
    "2d-dilated": ((3, 4), [2, 3], {"strides": [2, 1], "dilations": [3, 2], "pads": [1, 0, 0, 2]}),
    "3d": ((2, 3, 4), [2, 3, 2], {"strides": [2, 1, 3], "pads": [0, 1, 1, 1, 0, 2]}),
    "same": ((3, 4), [3, 3], {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    "output_shape": ((3, 4), [3, 3], {"strides": [3, 2], "output_shape": [8, 8]}),
    "output_shape-larger": ((3, 4), [3, 3], {"strides": [3, 2], "output_shape": [10, 9]}),
}


@pytest.mark.parametrize("groups, filters", [(1, 3), (2, 4), (4, 4)])
@pytest.mark.parametrize("name", TRANSPOSED)
def test_conv_transpose(folder, name, groups, filters):
    size, kernel, attributes = TRANSPOSED[name]
    inputs = [values(2, 4, *size), values(4, filters // groups, *kernel, seed=1), values(filters, seed=2)]
    expect(folder, "ConvTranspose", inputs, {0: ["n", 4, *size]}, group=groups, **attributes)


@pytest.mark.parametrize("size", [1, 3, 5, 9])
def test_lrn(folder, size):
    expect(folder, "LRN", [values(2, 5, 3, 2)], {0: ["n", 5, 3, 2]}, size=size, alpha=0.3, beta=0.6, bias=1.5)


@pytest.mark.parametrize("size", [2, 4])
def test_lrn_of_even_size(folder, size):
    """One channel more behind than before. ONNX Runtime has no even sizes; the reference sums as many channels as there are images."""
    x = values(5, 5, 3, 2)
    model = node("LRN", [x], {0: ["n", 5, 3, 2]}, size=size, alpha=0.3, beta=0.6, bias=1.5)
    systemds.expectSame(folder, model, [x], oracle=systemds.reference)


def test_max_unpool(folder):
    """Of several images and channels, with a larger output_shape."""
    x = values(2, 3, 2, 2)
    indices = np.stack([np.random.default_rng(i).permutation(16)[:4] + 16 * i for i in range(6)]).reshape(2, 3, 2, 2)
    expect(folder, "MaxUnpool", [x, indices], kernel_shape=[2, 2], strides=[2, 2])


@pytest.mark.parametrize("shape", [(4, 3), (4, 3, 5), (2, 3, 4, 2)])
def test_batch_normalization_in_training(folder, shape):
    inputs = [values(*shape), values(3, seed=1), values(3, seed=2), values(3, seed=3), np.abs(values(3, seed=4))]
    model = node(
        "BatchNormalization", inputs, {0: ["n", *shape[1:]]}, ("y", "mean", "var"), (TensorProto.FLOAT,) * 3,
        training_mode=1, momentum=0.7, epsilon=0.01,
    )  # fmt: skip
    systemds.expectSame(folder, model, inputs, oracle=systemds.reference)


@pytest.mark.parametrize("axis", [1, 2, -1])
def test_layer_normalization(folder, axis):
    x = values(2, 3, 4)
    inputs = [x, values(*x.shape[axis:], seed=1), values(*x.shape[axis:], seed=2)]
    model = node("LayerNormalization", inputs, {0: ["n", 3, 4]}, ("y", "m", "d"), (TensorProto.FLOAT,) * 3, axis=axis)
    systemds.expectSame(folder, model, inputs)


BETWEEN = {
    "ThresholdedRelu": "b = ThresholdedRelu <alpha = 0.3> (a)",
    "Shrink": "b = Shrink <lambd = 0.2, bias = 0.1> (a)",
    "Where": "positive = Greater (a, zero)  b = Where (positive, a, zero)",
    "Where of numbers": "positive = Greater (a, zero)  b = Where (positive, step, zero)",
    "QuantizeLinear": "q = QuantizeLinear (a, step)  b = DequantizeLinear (q, step)",
}


@pytest.mark.parametrize("between", BETWEEN)
def test_between_convolutions(folder, between):
    """SystemDS does not know the size of what a function returns, if it is called for several sizes; it takes an ifelse() of that
    and a number for a matrix of no rows."""
    model = onnx.parser.parse_model(
        """<ir_version: 10, opset_import: ["" : 21]>
        g (float[2,4,8,8] x, float[4,1,3,3] w, float[5,4,1,1] v, float[5,1,2,2] u) => (float[2,5,5,5] y)
        <float zero = {0}, float step = {0.125}> {
          a = Conv <group = 4> (x, w)  %s  c = Conv (b, v)  y = Conv <group = 5> (c, u)
        }"""
        % BETWEEN[between]
    )
    random = np.random.default_rng(1)
    shapes = [(2, 4, 8, 8), (4, 1, 3, 3), (5, 4, 1, 1), (5, 1, 2, 2)]
    systemds.expectSame(folder, model, [random.standard_normal(shape).astype(np.float32) for shape in shapes])
