# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: quantised operators on SystemDS, with several channels, blocks, ties and saturation."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_systemds as systemds


def node(op, inputs, names, constants=(), free=None, types=(TensorProto.UINT8,), **attributes):
    """A model of one node. `names`: of its inputs, which are graph inputs, but for `constants`; `free`: an input with a free batch."""
    graphInputs = [
        helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), (["n", *value.shape[1:]] if name == free else value.shape)
        )
        for name, value in zip(names, inputs)
        if name not in constants
    ]
    outputs = [f"y{i}" for i in range(len(types))]
    graph = helper.make_graph(
        [helper.make_node(op, list(names), outputs, **attributes)], "g", graphInputs,
        [helper.make_tensor_value_info(name, type, None) for name, type in zip(outputs, types)],
        [numpy_helper.from_array(value, name) for name, value in zip(names, inputs) if name in constants],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return onnx.shape_inference.infer_shapes(model)


def expect(folder, op, inputs, names, constants=(), **options):
    inputs = [np.asarray(value) for value in inputs]
    model = node(op, inputs, names, constants, **options)
    given = [value for name, value in zip(names, inputs) if name not in constants]
    systemds.expectSame(folder, model, given, oracle=systemds.onnxRuntime)


def integers(dtype, *shape, seed=0):
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max + 1, shape).astype(dtype)


def weights(*shape, seed=0):
    """Of 7 bits: with 8, ONNX Runtime's sums of uint8 * int8 saturate at 16 bits on older processors."""
    return np.random.default_rng(seed).integers(-64, 64, shape).astype(np.int8)


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


TYPES = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8, np.uint16: TensorProto.UINT16, np.int16: TensorProto.INT16}


@pytest.mark.parametrize("dtype", TYPES)
def test_ties_of_quotients(folder, dtype):
    """0.15 / 0.1 is 1.5 in float32, a tie, and a little more or less in doubles."""
    random = np.random.default_rng(1)
    scale = np.float32(random.uniform(0.01, 1, 50))
    for i, one in enumerate(scale[:3]):
        x = (np.arange(-400, 400, dtype=np.float32) + np.float32(0.5)) * one
        x = np.concatenate([x, [1e30, -1e30, np.inf, -np.inf]]).astype(np.float32)
        folderOf = folder / str(i)
        folderOf.mkdir()
        zero = dtype(3)
        names, inputs = ["x", "scale", "zero"], [x, np.array(one), np.array(zero)]
        expect(folderOf, "QuantizeLinear", inputs, names, ["scale", "zero"], types=[TYPES[dtype]])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("isConstant", [False, True])
def test_axes(folder, axis, isConstant):
    x = floats(4, 3, 5) * 100
    scale, zero = np.abs(floats(x.shape[axis], seed=1)) + np.float32(0.1), integers(np.int8, x.shape[axis], seed=2)
    constants = ["scale", "zero"] if isConstant else []
    names = ["x", "scale", "zero"]
    expect(folder, "QuantizeLinear", [x, scale, zero], names, constants, types=[TensorProto.INT8], axis=axis)
    q = integers(np.int8, 4, 3, 5)
    expect(folder, "DequantizeLinear", [q, scale, zero], names, constants, types=[TensorProto.FLOAT], axis=axis)


@pytest.mark.parametrize("axis, size", [(1, 2), (1, 3), (2, 4)])
def test_blocks(folder, axis, size):
    """The last block may be shorter."""
    shape = [2, 6, 8] if size != 3 else [2, 6, 4]
    blocks = list(shape)
    blocks[axis] //= size
    scale, zero = np.abs(floats(*blocks, seed=1)) + np.float32(0.1), integers(np.uint8, *blocks, seed=2)
    names, options = ["x", "scale", "zero"], {"axis": axis, "block_size": size}
    expect(folder, "QuantizeLinear", [floats(*shape) * 50, scale, zero], names, **options)
    q = integers(np.uint8, *shape)
    expect(folder, "DequantizeLinear", [q, scale, zero], names, types=[TensorProto.FLOAT], **options)
    model = node("DequantizeLinear", [q, scale, zero], names, types=[TensorProto.FLOAT], free="x", **options)
    systemds.expectRefused(folder, model, "has blocks of the free batch size")


def test_int32_is_dequantized(folder):
    """Biases: up to 2^31, without a zero point."""
    q = integers(np.int32, 3, 4)
    expect(folder, "DequantizeLinear", [q, np.float32(0.5)], ["x", "scale"], types=[TensorProto.FLOAT])


@pytest.mark.parametrize("shift, factor", [(0, 1), (5, 1), (-5, 1), (0, 1e-3), (0.3, 1e4)])
def test_dynamic(folder, shift, factor):
    """Values on one side of 0: it is covered all the same."""
    x = (floats(3, 4, 5, seed=3) + np.float32(shift)) * np.float32(factor)
    types = [TensorProto.UINT8, TensorProto.FLOAT, TensorProto.UINT8]
    expect(folder, "DynamicQuantizeLinear", [x], ["x"], types=types)


def test_dynamic_of_zeros(folder):
    """Undefined: at least no NaN, which is no integer."""
    x = np.zeros((2, 3), np.float32)
    types = [TensorProto.UINT8, TensorProto.FLOAT, TensorProto.UINT8]
    model = node("DynamicQuantizeLinear", [x], ["x"], types=types)
    systemds.expectSame(folder, model, [x], [np.zeros((2, 3), np.uint8), np.float32(0), np.uint8(0)])


@pytest.mark.parametrize("batch", [(), (2,)])
def test_matmul_integer(folder, batch):
    a, b = integers(np.uint8, *batch, 3, 4), weights(4, 5, seed=1)
    inputs = [a, b, np.uint8(7), weights(5, seed=2)]
    expect(folder, "MatMulInteger", inputs, ["a", "b", "za", "zb"], types=[TensorProto.INT32], free="a" if batch else None)


@pytest.mark.parametrize("perColumn", [False, True])
def test_qlinear_matmul(folder, perColumn):
    a, b = integers(np.uint8, 2, 3, 4), integers(np.uint8, 4, 5, seed=1)
    count = [5] if perColumn else []
    scaleB, zeroB = np.float32(np.abs(floats(*count, seed=2)) + 0.1), np.asarray(integers(np.uint8, *count, seed=3))
    inputs = [a, np.float32(0.03), np.uint8(113), b, np.asarray(scaleB), zeroB, np.float32(1.7), np.uint8(118)]
    names = ["a", "sa", "za", "b", "sb", "zb", "sy", "zy"]
    expect(folder, "QLinearMatMul", inputs, names, names[1:], free="a")


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("attributes", [{"pads": [1, 1, 1, 1]}, {"dilations": [2, 1], "strides": [1, 2], "pads": [2, 0, 1, 1]}])
def test_conv_integer(folder, groups, attributes):
    """Pads are the zero point, not 0."""
    x, w = integers(np.uint8, 2, 4, 5, 6), integers(np.uint8, 6, 4 // groups, 3, 2, seed=1)
    inputs = [x, w, np.uint8(100), np.uint8(30)]
    expect(folder, "ConvInteger", inputs, ["x", "w", "zx", "zw"], types=[TensorProto.INT32], free="x", group=groups, **attributes)


@pytest.mark.parametrize("isPerFilter", [False, True])
@pytest.mark.parametrize("groups", [1, 2])
def test_qlinear_conv(folder, groups, isPerFilter):
    x, w = integers(np.uint8, 2, 4, 5, 6), weights(6, 4 // groups, 3, 2, seed=1)
    scaleW = np.abs(floats(6, seed=2)) + np.float32(0.01) if isPerFilter else np.float32(0.02)
    zeroW = np.zeros(6, np.int8) if isPerFilter else np.int8(0)
    bias = np.random.default_rng(3).integers(-3000, 3000, 6).astype(np.int32)
    inputs = [x, np.float32(0.05), np.uint8(120), w, np.asarray(scaleW), np.asarray(zeroW), np.float32(3.1), np.uint8(128), bias]
    names = ["x", "sx", "zx", "w", "sw", "zw", "sy", "zy", "b"]
    expect(folder, "QLinearConv", inputs, names, names[1:], free="x", group=groups, pads=[1, 0, 0, 1], strides=[2, 1])


def test_computed_scale(folder):
    """A scale that the graph computes is one of float32: 5 / 255 and 25.5 of them are a tie there. (DynamicQuantizeLinear's body.)"""
    nodes = [helper.make_node("Div", ["range", "steps"], ["scale"]), helper.make_node("QuantizeLinear", ["x", "scale"], ["y"])]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [value("x", TensorProto.FLOAT, [3]), value("range", TensorProto.FLOAT, [])], [value("y", TensorProto.UINT8, [3])],
        [numpy_helper.from_array(np.asarray(np.float32(255)), "steps")],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    systemds.expectSame(folder, model, [np.float32([0.5, 1.5, 4.5]), np.asarray(np.float32(5))])
