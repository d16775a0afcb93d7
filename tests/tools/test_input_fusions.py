# SPDX-License-Identifier: Apache-2.0
"""Scales and shifts of inputs go into weights and biases: exactly where no product rounds, otherwise at -O2; scales below opset 8,
grouped ConvTranspose, and reductions of one element. Near misses are kept."""

import numpy as np
import pytest
from onnx import TensorProto
from onnx.reference import ReferenceEvaluator

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

F32, U8 = TensorProto.FLOAT, TensorProto.UINT8
RANDOM = np.random.default_rng(46)


def values(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def expectLeft(folder, nodes, shape, left, tensors, opset=21, rank=4, level="-O2"):
    source = m.model(nodes, [info("x", shape)], [info("y", (None,) * rank)], [const(*one) for one in tensors.items()], opset=opset,
                     ir=4 if opset < 8 else 8)
    feeds = [{"x": values(*[size if isinstance(size, int) else free for size in shape])} for free in (1, 3)]
    if level == "-O2":
        out = m.folded(folder, source, level, feeds=feeds)
    else:
        out = cleaned(folder, source, level, feeds=feeds)
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"
    return out


CONVS = {
    "one number": (node("Conv", ["t", "w"], ["y"], pads=[1, 1, 1, 1]), (6, 4, 3, 3), ()),
    "channels": (node("Conv", ["t", "w", "b"], ["y"], pads=[1, 1, 1, 1]), (6, 4, 3, 3), (4, 1, 1)),
    "groups": (node("Conv", ["t", "w"], ["y"], group=2), (6, 2, 3, 3), (1, 4, 1, 1)),
    "depthwise": (node("Conv", ["t", "w"], ["y"], group=4), (8, 1, 3, 3), (4, 1, 1)),
    "transposed": (node("ConvTranspose", ["t", "w"], ["y"], strides=[2, 2]), (4, 3, 3, 3), (4, 1, 1)),
    "transposed groups": (node("ConvTranspose", ["t", "w"], ["y"], group=2), (4, 3, 3, 3), (4, 1, 1)),
}


@pytest.mark.parametrize("op", ["Mul", "Div"])
@pytest.mark.parametrize("name", CONVS)
def test_scales_before_convolutions(folder, name, op):
    last, weight, scale = CONVS[name]
    tensors = {"c": np.abs(values(*scale)) + np.float32(0.5), "w": values(*weight), "b": values(6)}
    tensors = {key: value for key, value in tensors.items() if key == "c" or key in last.input}
    before = node(op, ["x", "c"], ["t"])
    expectLeft(folder, [before, last], ("n", 4, 7, 6), [last.op_type], tensors)
    expectLeft(folder, [before, last], ("n", 4, 7, 6), [op, last.op_type], tensors, level="-O1")


def test_scales_before_products(folder):
    row = {"w": values(5, 3)}
    expectLeft(folder, [node("Mul", ["c", "x"], ["t"]), node("MatMul", ["t", "w"], ["y"])], ("n", 2, 5), ["MatMul"],
               {**row, "c": values(5) + 3}, rank=3)
    expectLeft(folder, [node("Mul", ["x", "c"], ["t"]), node("MatMul", ["w", "t"], ["y"])], ("n", 3, 4), ["MatMul"],
               {**row, "c": values(3, 1) + 3}, rank=3)
    for trans in (0, 1):
        gemm = node("Gemm", ["t", "w", "b"], ["y"], transB=trans, alpha=0.5)
        expectLeft(folder, [node("Div", ["x", "c"], ["t"]), gemm], ("n", 5), ["Gemm"],
                   {"w": values(3, 5) if trans else values(5, 3), "b": values(3), "c": values(1, 5) + 3}, rank=2)


def test_scales_that_stay(folder):
    """Along other axes, of weights and results that others read, of zeros, of halves, and c / x."""
    conv = node("Conv", ["t", "w"], ["y"])
    weight = {"w": values(6, 4, 3, 3)}
    for name, first, extra in (("rows", node("Mul", ["x", "c"], ["t"]), {"c": values(7, 1)}),
                               ("zero", node("Mul", ["x", "c"], ["t"]), {"c": np.float32(0)}),
                               ("large", node("Mul", ["x", "c"], ["t"]), {"c": np.float32(1e20)}),
                               ("divided", node("Div", ["c", "x"], ["t"]), {"c": np.float32(2)})):
        expectLeft(folder, [first, conv], ("n", 4, 7, 6), [first.op_type, "Conv"], {**weight, **extra})
    nodes = [node("Mul", ["x", "c"], ["t"]), node("Conv", ["t", "w"], ["a"]), node("Conv", ["x", "w"], ["b"]), node("Sub", ["a", "b"], ["y"])]
    expectLeft(folder, nodes, ("n", 4, 7, 6), ["Mul", "Conv", "Conv", "Sub"], {**weight, "c": np.float32(3)})
    matmul = [node("Mul", ["x", "c"], ["t"]), node("MatMul", ["t", "w"], ["y"])]
    expectLeft(folder, matmul, ("n", 4, 5), ["Mul", "MatMul"], {"w": values(5, 3), "c": values(4, 1) + 3}, rank=3)


def test_powers_of_two_of_bytes(folder):
    """An image of bytes divided by 256 is exact at -O1; by 255, or of floats, it is not."""
    for number, left in ((256, ["Cast", "Conv"]), (255, ["Cast", "Div", "Conv"])):
        nodes = [node("Cast", ["x"], ["f"], to=F32), node("Div", ["f", "c"], ["t"]), node("Conv", ["t", "w"], ["y"], pads=[1, 1, 1, 1])]
        source = m.model(nodes, [info("x", ("n", 3, 8, 8), U8)], [info("y", (None,) * 4)],
                         [const("c", np.float32(number)), const("w", values(4, 3, 3, 3))])
        out = cleaned(folder, source, feeds=[{"x": RANDOM.integers(0, 256, (2, 3, 8, 8), np.uint8)}])
        assert m.operators(out) == left, f"divided by {number}"
    small = values(4, 3, 1, 1)
    small[0, 0] = 2e-38  # half of it has fewer bits
    source.graph.initializer[1].CopyFrom(const("w", small))
    source.graph.initializer[0].CopyFrom(const("c", np.float32(256)))
    source.graph.node[-1].ClearField("attribute")
    out = cleaned(folder, source, feeds=[{"x": RANDOM.integers(0, 256, (2, 3, 8, 8), np.uint8)}])
    assert m.operators(out) == ["Cast", "Div", "Conv"], "a weight that would be denormal"


def test_shifts_before_sums(folder):
    conv = {"w": values(6, 2, 3, 3), "c": values(4, 1, 1)}
    last = node("Conv", ["t", "w", "b"], ["y"], group=2)
    expectLeft(folder, [node("Sub", ["x", "c"], ["t"]), last], ("n", 4, 7, 6), ["Conv"], {**conv, "b": values(6)})
    expectLeft(folder, [node("Add", ["c", "x"], ["t"]), node("Conv", ["t", "w"], ["y"], group=2)], ("n", 4, 7, 6), ["Conv"], conv, opset=11)
    nodes = [node("Sub", ["x", "c"], ["s"]), node("Div", ["s", "d"], ["t"]), last]
    expectLeft(folder, nodes, ("n", 4, 7, 6), ["Conv"], {**conv, "b": values(6), "d": np.abs(values(4, 1, 1)) + 1})
    for trans in (0, 1):
        gemm = node("Gemm", ["t", "w"], ["y"], transB=trans)
        expectLeft(folder, [node("Add", ["x", "c"], ["t"]), gemm], ("n", 5), ["Gemm"],
                   {"w": values(3, 5) if trans else values(5, 3), "c": values(5)}, rank=2)


def test_shifts_that_padding_sees_are_kept(folder):
    conv = {"w": values(6, 4, 3, 3), "c": values(4, 1, 1)}
    for attributes in ({"pads": [0, 1, 0, 0]}, {"auto_pad": "SAME_UPPER"}):
        nodes = [node("Sub", ["x", "c"], ["t"]), node("Conv", ["t", "w"], ["y"], **attributes)]
        expectLeft(folder, nodes, ("n", 4, 7, 6), ["Sub", "Conv"], conv)
    nodes = [node("Sub", ["c", "x"], ["t"]), node("Conv", ["t", "w"], ["y"])]
    expectLeft(folder, nodes, ("n", 4, 7, 6), ["Sub", "Conv"], conv)


@pytest.mark.parametrize("alpha, beta", [(0.5, 1.0), (1.0, 2.0), (-0.5, -3.0)])
@pytest.mark.parametrize("op", ["Mul", "Div", "Add", "Sub"])
@pytest.mark.parametrize("bias", [True, False])
def test_factors_of_a_gemm(folder, alpha, beta, op, bias):
    """Before and behind it; beta goes into the bias, alpha into what a shift of the input adds to it."""
    tensors = {"w": values(5, 3), **({"b": values(3)} if bias else {})}
    inputs = ["w", *(["b"] if bias else [])]
    before = [node(op, ["x", "c"], ["t"]), node("Gemm", ["t", *inputs], ["y"], alpha=alpha, beta=beta)]
    behind = [node("Gemm", ["x", *inputs], ["t"], alpha=alpha, beta=beta), node(op, ["t", "c"], ["y"])]
    expectLeft(folder, before, ("n", 5), ["Gemm"], {**tensors, "c": np.abs(values(5)) + np.float32(0.5)}, rank=2)
    expectLeft(folder, behind, ("n", 5), ["Gemm"], {**tensors, "c": np.abs(values(3)) + np.float32(0.5)}, rank=2)


@pytest.mark.parametrize("factors", [{"beta": 0.0}, {"beta": 1e6}, {"beta": 1e-6}])
def test_extreme_factors_of_a_gemm_stay(folder, factors):
    nodes = [node("Gemm", ["x", "w", "b"], ["t"], **factors), node("Add", ["t", "c"], ["y"])]
    expectLeft(folder, nodes, ("n", 5), ["Gemm", "Add"], {"w": values(5, 3), "b": values(3), "c": values(3)}, rank=2)


@pytest.mark.parametrize("group, bias", [(1, True), (2, False), (2, True), (4, True)])
def test_grouped_transposed_convolutions(folder, group, bias):
    """grouped_convtranspose_bn.onnx: each group has output channels of its own."""
    each = 3
    channels = group * each
    tensors = {"w": values(4, each, 3, 3), "g": values(channels), "s": values(channels), "m": values(channels), "v": np.abs(values(channels)) + 0.1}
    if bias:
        tensors["b"] = values(channels)
    nodes = [node("ConvTranspose", ["x", "w", *("b" if bias else "")], ["c"], group=group),
             node("BatchNormalization", ["c", "g", "s", "m", "v"], ["y"])]
    expectLeft(folder, nodes, ("n", 4, 6, 6), ["ConvTranspose"], tensors)
    scale = {key: tensors[key] for key in ("w", "b") if key in tensors}
    nodes = [nodes[0], node("Mul", ["c", "k"], ["y"])]
    expectLeft(folder, nodes, ("n", 4, 6, 6), ["ConvTranspose"], {**scale, "k": np.abs(values(channels, 1, 1)) + 0.5})


def test_scales_of_old_opsets(folder):
    """Up to opset 6 an axis says which channels the numbers are of; along another axis they stay."""
    for op, after in (("Mul", "Add"), ("Div", "Sub")):
        nodes = [node("Conv", ["x", "w"], ["a"]), node(op, ["a", "s"], ["b"], broadcast=1, axis=1), node(after, ["b", "k"], ["y"], broadcast=1, axis=1)]
        tensors = {"w": values(6, 4, 3, 3), "s": np.abs(values(6)) + 0.5, "k": values(6)}
        for opset in (6, 7):
            if opset == 7:
                nodes = [nodes[0], node(op, ["a", "s"], ["b"]), node(after, ["b", "k"], ["y"])]
                tensors = {key: value if key == "w" else value.reshape(6, 1, 1) for key, value in tensors.items()}
            out = foldOld(folder, nodes, tensors, opset)
            assert m.operators(out) == ["Conv"], f"{op} of opset {opset}"
    nodes = [node("Conv", ["x", "w"], ["a"]), node("Mul", ["a", "s"], ["y"], broadcast=1, axis=2)]
    out = foldOld(folder, nodes, {"w": values(6, 4, 3, 3), "s": values(5)}, 6)
    assert m.operators(out) == ["Conv", "Mul"], "rows"


def foldOld(folder, nodes, tensors, opset):
    """ONNX Runtime does not run opset 6: the evaluator of onnx is what the result is compared with."""
    source = m.model(nodes, [info("x", (2, 4, 7, 6))], [info("y", (2, 6, 5, 4))], [const(*one) for one in tensors.items()], opset=opset, ir=4)
    feeds = [{"x": values(2, 4, 7, 6)}]
    out = m.folded(folder, source, "-O2", feeds=feeds, runs=opset >= 7)
    if m.operators(out) == ["Conv"]:
        one = m.model([node("Conv", list(out.graph.node[0].input), ["y"])], [info("x", (2, 4, 7, 6))], [info("y", (2, 6, 5, 4))],
                      list(out.graph.initializer), opset=13)
        [got] = ReferenceEvaluator(one).run(None, feeds[0])
        assert np.allclose(got, oldResult(nodes, tensors, feeds[0]["x"]), rtol=1e-4, atol=1e-4), "values"
    return out


def oldResult(nodes, tensors, x):
    modern = {key: value if key == "w" else value.reshape(-1, 1, 1) for key, value in tensors.items()}
    source = m.model([node(one.op_type, list(one.input), list(one.output)) for one in nodes], [info("x", (2, 4, 7, 6))],
                     [info("y", (2, 6, 5, 4))], [const(*one) for one in modern.items()], opset=13)
    return ReferenceEvaluator(source).run(None, {"x": x})[0]


@pytest.mark.parametrize("op", ["ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceMean"])
def test_reductions_of_one_element(folder, op):
    """A sum of floats begins with 0, so -0 is lost: exact for the others, and for integers."""
    special = np.array([[[-0.0, 1, np.inf, np.nan]], [[0, -2, 1e-40, 3]]], np.float32)
    adds = op in ("ReduceSum", "ReduceMean")
    asInput = {"ReduceSum": 13}.get(op, 18)
    for opset in (11, 18):
        for keep, name in ((1, "Neg"), (0, "Squeeze")):
            reduction = node(op, ["x", "one"], ["r"], keepdims=keep) if opset >= asInput else node(op, ["x"], ["r"], axes=[1], keepdims=keep)
            nodes = [reduction, node("Neg", ["r"], ["y"])]
            tensors = [const("one", [1], np.int64)] if opset >= asInput else []
            source = m.model(nodes, [info("x", ("n", 1, 4))], [info("y", ("n", *((1,) if keep else ()), 4))], tensors, opset=opset)
            out = cleaned(folder, source, feeds=[{"x": special}])
            simple = ["Neg"] if keep else ["Squeeze", "Neg"]
            assert m.operators(out) == ([op, "Neg"] if adds else simple), f"{name} at -O1"
            out = m.folded(folder, source, "-O2", feeds=[{"x": values(2, 1, 4)}])
            assert m.operators(out) == simple, f"{name} at -O2"
            source = m.model(nodes, [info("x", ("n", 1, 4), TensorProto.INT64)], [info("y", (None,) * (3 if keep else 2), TensorProto.INT64)],
                             tensors, opset=opset)
            out = cleaned(folder, source, feeds=[{"x": np.arange(8).reshape(2, 1, 4)}])
            assert m.operators(out) == simple, f"{name} of integers"
    nodes = [node("ReduceMax", ["x"], ["r"], axes=[0]), node("Neg", ["r"], ["y"])]
    out = cleaned(folder, m.model(nodes, [info("x", ("n", 4))], [info("y", (1, 4))], opset=11), feeds=[{"x": special[:, 0]}])
    assert m.operators(out) == ["ReduceMax", "Neg"], "an open size"
