# SPDX-License-Identifier: Apache-2.0
"""A Pad before a pool becomes the pads of the pool at -O2, if that leaves out what the Pad adds, or counts it. Near misses stay."""

import numpy as np
import pytest

import onnxfold_models as m
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(50)
PADS = [0, 0, 1, 0, 0, 0, 1, 2]
MAX = dict(kernel_shape=[2, 3])
MEAN = dict(MAX, count_include_pad=1)


def expectLeft(folder, nodes, left, *, value=None, pads=tuple(PADS), opset=21, flags=("-O2",), special=(), runs=True):
    tensors = [const("p", np.int64(pads))] + ([const("v", np.float32(value))] if value is not None else [])
    source = m.model(nodes, [info("x", ("n", 3, 5, "w"))], [info("y", (None,) * 4)], tensors, opset=opset)
    x = RANDOM.standard_normal((2, 3, 5, 7)).astype(np.float32)
    x[0, 0, 0, : len(special)] = special
    out = m.folded(folder, source, *flags, feeds=[{"x": x}, {"x": -np.abs(x)}], runs=runs)
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"
    return {one.name: list(one.ints) or one.i for one in out.graph.node[-1].attribute}


def padded(pool, value=None, before="x", **attributes):
    inputs = [before, "p"] + (["v"] if value is not None else [])
    return [node("Pad", inputs, ["t"]), node(pool, ["t"], ["y"], **attributes)]


@pytest.mark.parametrize("value", [None, 0.0, -0.0])
def test_averages_count_zeros(folder, value):
    attributes = expectLeft(folder, padded("AveragePool", value, **MAX, strides=[2, 1]), ["AveragePool"], value=value)
    assert attributes["pads"] == [1, 0, 1, 2] and attributes["count_include_pad"] == 1 and attributes["strides"] == [2, 1]


def test_pads_of_both(folder):
    nodes = padded("AveragePool", kernel_shape=[3, 4], count_include_pad=1, pads=[1, 1, 0, 0])
    assert expectLeft(folder, nodes, ["AveragePool"])["pads"] == [2, 1, 1, 2]
    nodes = padded("MaxPool", -np.inf, kernel_shape=[3, 4], pads=[1, 1, 0, 0])
    assert expectLeft(folder, nodes, ["MaxPool"], value=-np.inf)["pads"] == [2, 1, 1, 2]


def test_maxima_without_the_smallest(folder):
    assert expectLeft(folder, padded("MaxPool", -np.inf, **MAX), ["MaxPool"], value=-np.inf)["pads"] == [1, 0, 1, 2]


@pytest.mark.parametrize("before", [node("Relu", ["x"], ["r"]), node("Abs", ["x"], ["r"]), node("Sigmoid", ["x"], ["r"]),
                                    node("Clip", ["x", "least"], ["r"])])
def test_maxima_of_what_is_never_below_zero(folder, before):
    nodes = [*([node("Constant", [], ["least"], value_float=0.0)] if before.op_type == "Clip" else []), before,
             *padded("MaxPool", before="r", **MAX)]
    expectLeft(folder, nodes, [before.op_type, "MaxPool"])


@pytest.mark.parametrize("opset", [10, 21])
@pytest.mark.parametrize("upper, fuses", [(6.0, True), (0.0, True), (-5.0, False), ("x", False)])
def test_upper_bounds_of_a_clip(folder, opset, upper, fuses):
    """Where the upper bound is below the lower one, all elements are the upper one: below 0."""
    if opset == 10 and upper == "x":
        return  # bounds are attributes there
    pads = [node("Pad", ["r", "p"], ["t"])] if opset == 21 else [node("Pad", ["r"], ["t"], pads=PADS)]
    if opset == 10:
        before = [node("Clip", ["x"], ["r"], min=0.0, max=upper)]
    else:
        high = node("ReduceMax", ["x"], ["high"], keepdims=0) if upper == "x" else node("Constant", [], ["high"], value_float=upper)
        before = [node("Constant", [], ["low"], value_float=0.0), high, node("Clip", ["x", "low", "high"], ["r"])]
    nodes = [*before, *pads, node("MaxPool", ["t"], ["y"], **MAX)]
    left = [one.op_type for one in nodes if one.op_type not in ("Constant", "Pad" if fuses else "")]
    expectLeft(folder, nodes, left, opset=opset, runs=(opset, upper) != (10, -5.0))  # ONNX Runtime refuses those attributes


@pytest.mark.parametrize("name, nodes, value", [
    ("zeros are more than a negative maximum", padded("MaxPool", **MAX), None),
    ("of what may be below zero", [node("Tanh", ["x"], ["r"]), *padded("MaxPool", before="r", **MAX)], None),
    ("a mean of ones", padded("AveragePool", 1.0, **MEAN), 1.0),
    ("own pads that are not counted", padded("AveragePool", kernel_shape=[3, 4], pads=[0, 1, 0, 1]), None),
    ("windows of padding alone", padded("AveragePool", kernel_shape=[2, 2]), None),
    ("windows that are cut off", padded("AveragePool", **MEAN, ceil_mode=1), None),
    ("windows with holes", padded("MaxPool", -np.inf, **MAX, dilations=[2, 1]), -np.inf),
    ("pads by the size", padded("MaxPool", -np.inf, **MAX, auto_pad="SAME_UPPER"), -np.inf),
])
def test_others_stay(folder, name, nodes, value):
    # ONNX Runtime itself fuses a Pad of two into a window of two, and refuses the result.
    expectLeft(folder, nodes, [one.op_type for one in nodes], value=value, runs=name != "windows of padding alone")


def test_pads_of_channels_and_crops_stay(folder):
    for pads in ([0, 1, 1, 0, 0, 0, 1, 2], [1, 0, 1, 0, 0, 0, 1, 2], [0, 0, -1, 0, 0, 0, 1, 2]):
        expectLeft(folder, padded("AveragePool", **MEAN), ["Pad", "AveragePool"], pads=pads)


def test_positions_of_maxima_stay(folder):
    nodes = [node("Pad", ["x", "p", "v"], ["t"]), node("MaxPool", ["t"], ["m", "i"], **MAX), node("Cast", ["i"], ["j"], to=1),
             node("Add", ["m", "j"], ["y"])]
    expectLeft(folder, nodes, ["Pad", "MaxPool", "Cast", "Add"], value=-np.inf)


def test_by_name_and_level(folder):
    nodes = padded("AveragePool", **MEAN)
    expectLeft(folder, nodes, ["Pad", "AveragePool"], flags=("-O1",))
    expectLeft(folder, nodes, ["Pad", "AveragePool"], flags=("-O2", "--disable=pad-pool"))


def test_infinities(folder):
    expectLeft(folder, padded("AveragePool", **MAX), ["AveragePool"], special=[np.inf, np.nan])
    expectLeft(folder, padded("MaxPool", -np.inf, **MAX), ["MaxPool"], value=-np.inf, special=[np.inf, -np.inf])
