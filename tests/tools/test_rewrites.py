# SPDX-License-Identifier: Apache-2.0
"""Rewrites at -O2 give what the model gave, in ONNX Runtime and at several sizes, and a second run changes nothing; states of
zeros are left out, bit for bit; readers that go make way for what wants to be the only one."""

import numpy as np

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(7)


def values(*shape, scale=1.0):
    return (RANDOM.standard_normal(shape) * scale).astype(np.float32)


def constants(**arrays):
    return [const(name, array) for name, array in arrays.items()]


def rewritten(folder, nodes, shape, left, tensors, opset=21, ranks=4):
    """The model x -> nodes -> y at -O2 has these operators left and agrees with the original."""
    model = m.model(nodes, [info("x", shape)], [info("y", (None,) * ranks)], constants(**tensors), opset=opset)
    sizes = [[size if isinstance(size, int) else count for size in shape] for count in (1, 2, 5)]
    out = m.folded(folder, model, "-O2", feeds=[{"x": values(*one)} for one in sizes])
    assert sorted(m.operators(out)) == sorted(left), "operators"


def norm(of, channels):
    """BatchNormalization of a value, and its constants."""
    tensors = {"scale": values(channels), "shift": values(channels), "mean": values(channels), "var": np.abs(values(channels)) + 0.1}
    return node("BatchNormalization", [of, *tensors], ["y"]), tensors


def test_normalised_convolutions(folder):
    for op, weight, attributes in (("Conv", (6, 2, 3, 3), {"group": 2}), ("ConvTranspose", (4, 6, 3, 3), {"strides": [2, 2]})):
        for bias in ((), ("b",)):
            last, tensors = norm("h", 6)
            tensors["w"] = values(*weight)
            if bias:
                tensors["b"] = values(6)
            nodes = [node(op, ["x", "w", *bias], ["h"], **attributes), last]
            rewritten(folder, nodes, ("n", 4, 7, 8), [op], tensors)


def test_normalised_products(folder):
    last, tensors = norm("h", 5)
    gemm = node("Gemm", ["x", "w", "b"], ["h"], transB=1, alpha=0.5)
    rewritten(folder, [gemm, last], ("n", 3), ["Gemm"], {**tensors, "w": values(5, 3), "b": values(5)}, ranks=2)
    rewritten(folder, [node("MatMul", ["x", "w"], ["h"]), last], ("n", 3), ["Gemm"], {**tensors, "w": values(3, 5)}, ranks=2)


def test_scaled_and_shifted(folder):
    """Mul, Div, Add and Sub go into the weights one after the other."""
    nodes = [
        node("Conv", ["x", "w"], ["a"]),
        node("Mul", ["s", "a"], ["b"]),
        node("Sub", ["b", "c"], ["d"]),
        node("Div", ["d", "e"], ["f"]),
        node("Add", ["f", "g"], ["y"]),
    ]
    tensors = {"w": values(4, 3, 2, 2), "s": values(4, 1, 1) + 3, "c": values(1, 4, 1, 1), "e": np.float32(3), "g": values(1, 1, 1)}
    rewritten(folder, nodes, ("n", 3, 5, 6), ["Conv"], tensors)
    nodes = [node("MatMul", ["x", "w"], ["a"]), node("Div", ["a", "s"], ["b"]), node("Add", ["c", "b"], ["y"])]
    tensors = {"w": values(3, 4), "s": np.float32(8), "c": values(4)}
    rewritten(folder, nodes, ("n", 3), ["Gemm"], tensors, ranks=2)
    rewritten(folder, nodes, ("n", "n", 3), ["Add", "MatMul"], tensors, ranks=3)


def test_padded_convolutions(folder):
    """The Pad's zeros and those of the Conv itself, on each side by themselves, and in both forms of Pad."""
    conv = node("Conv", ["p", "w", "b"], ["y"], pads=[1, 0, 2, 3], strides=[2, 1])
    tensors = {"w": values(5, 3, 3, 2), "b": values(5)}
    pads = np.array([0, 0, 1, 4, 0, 0, 2, 0])
    for opset, pad, more in ((21, node("Pad", ["x", "pads", "zero"], ["p"]), {"pads": pads, "zero": np.float32(0)}),
                             (9, node("Pad", ["x"], ["p"], pads=pads.tolist()), {})):
        rewritten(folder, [pad, conv], ("n", 3, 6, 7), ["Conv"], {**tensors, **more}, opset=opset)
    valid = node("Conv", ["p", "w"], ["y"], auto_pad="VALID", dilations=[1, 2])
    rewritten(folder, [pad, valid], ("n", 3, 6, 7), ["Conv"], {"w": tensors["w"]}, opset=9)
    edge = node("Pad", ["x", "pads"], ["p"], mode="edge")
    rewritten(folder, [edge, conv], ("n", 3, 6, 7), ["Conv", "Pad"], {**tensors, "pads": pads})


def test_transposed_products(folder):
    nodes = [node("Transpose", ["x"], ["t"]), node("Gemm", ["t", "x", "c"], ["y"], alpha=0.5, beta=2.0)]
    rewritten(folder, nodes, ("n", 4), ["Gemm"], {"c": values(4)}, ranks=2)
    nodes = [node("Transpose", ["x"], ["t"], perm=[1, 0]), node("Gemm", ["w", "t"], ["y"], transA=1)]
    rewritten(folder, nodes, ("n", 4), ["Gemm"], {"w": values(4, 3)}, ranks=2)


def test_chains_of_floats(folder):
    nodes = [
        node("Add", ["x", "c"], ["a"]),
        node("Sigmoid", ["x"], ["s"]),
        node("Add", ["a", "s"], ["b"]),
        node("Sub", ["b", "d"], ["e"]),
        node("Mul", ["e", "f"], ["g"]),
        node("Div", ["g", "k"], ["y"]),
    ]
    tensors = {"c": values(3), "d": np.float32(2), "f": np.float32(3), "k": values(3) + 5}
    rewritten(folder, nodes, ("n", 3), ["Sigmoid", "Add", "Add", "Mul"], tensors, ranks=2)


def test_fused(folder):
    """Gelu in both forms, LayerNormalization and HardSwish, with factors in another order than exporters write them."""
    erf = [
        node("Mul", ["r", "x"], ["a"]),
        node("Erf", ["a"], ["b"]),
        node("Add", ["one", "b"], ["c"]),
        node("Mul", ["c", "half"], ["d"]),
        node("Mul", ["d", "x"], ["y"]),
    ]
    numbers = {"one": np.float32(1), "half": np.float32(0.5)}
    rewritten(folder, erf, ("n", 8), ["Gelu"], {**numbers, "r": np.float32(0.5**0.5)}, ranks=2)
    tanh = [
        node("Pow", ["x", "three"], ["a"]),
        node("Mul", ["k", "a"], ["b"]),
        node("Add", ["x", "b"], ["c"]),
        node("Mul", ["c", "r"], ["d"]),
        node("Tanh", ["d"], ["e"]),
        node("Add", ["e", "one"], ["f"]),
        node("Mul", ["x", "f"], ["g"]),
        node("Mul", ["half", "g"], ["y"]),
    ]
    more = {"three": np.float32(3), "k": np.float32(0.044715), "r": np.float32((2 / np.pi) ** 0.5)}
    rewritten(folder, tanh, ("n", 8), ["Gelu"], {**numbers, **more}, ranks=2)
    layer = [
        node("ReduceMean", ["x", "axis"], ["m"]),
        node("Sub", ["x", "m"], ["d"]),
        node("Pow", ["d", "two"], ["q"]),
        node("ReduceMean", ["q", "axis"], ["v"]),
        node("Add", ["v", "epsilon"], ["w"]),
        node("Sqrt", ["w"], ["s"]),
        node("Div", ["d", "s"], ["n"]),
        node("Mul", ["scale", "n"], ["p"]),
        node("Add", ["p", "shift"], ["y"]),
    ]
    tensors = {"axis": np.array([-1]), "two": np.float32(2), "epsilon": np.float32(1e-5), "scale": values(8), "shift": values(8)}
    rewritten(folder, layer, ("n", 3, 8), ["LayerNormalization"], tensors, opset=18, ranks=3)
    hard = [node("HardSigmoid", ["x"], ["h"], alpha=1 / 6, beta=0.5), node("Mul", ["h", "x"], ["y"])]
    rewritten(folder, hard, ("n", 8), ["HardSwish"], {}, ranks=2)


def test_states_of_zeros(folder):
    """As PyTorch exports an LSTM that was given no state: zeros of the batch at hand. Bit for bit, at -O1."""
    nodes = [
        node("Shape", ["x"], ["batch"], start=1, end=2),
        node("Concat", ["two", "batch", "hidden"], ["shape"], axis=0),
        node("ConstantOfShape", ["shape"], ["zeros"]),
        node("LSTM", ["x", "w", "r", "b", "", "zeros", "zeros"], ["", "h", "y"], hidden_size=5, direction="bidirectional"),
        node("Relu", ["h"], ["z"]),
    ]
    tensors = {"two": np.array([2]), "hidden": np.array([5]), "w": values(2, 20, 4), "r": values(2, 20, 5), "b": values(2, 40)}
    model = m.model(nodes, [info("x", ("s", "b", 4))], [info("y", (2, "b", 5)), info("z", (2, "b", 5))], constants(**tensors), opset=17)
    out = cleaned(folder, model, feeds=[{"x": values(3, batch, 4)} for batch in (1, 2, 5)])
    assert m.operators(out) == ["LSTM", "Relu"], "operators"
    assert [name for name in out.graph.node[0].input if name] == ["x", "w", "r", "b"], "inputs of LSTM"


def test_readers_that_go(folder):
    """The inner Concat is read by a node that nobody reads, and by one that is equal to another: both go in the run that joins the
    two. Left for a second run, its bytes would differ."""
    for other in ([node("Sin", ["p"], ["unused"])], [node("Exp", ["p"], ["unused"]), node("Neg", ["unused"], ["no"])]):
        nodes = [node("Concat", ["x", "x"], ["p"], axis=0), node("Concat", ["p", "x"], ["h"], axis=0), *other, node("Relu", ["h"], ["y"])]
        out = cleaned(folder, m.model(nodes, [info("x", ("n", 3))], [info("y", (None, 3))]), feeds=[{"x": values(2, 3)}])
        assert m.operators(out) == ["Concat", "Relu"], "operators"


def test_readers_in_bodies_that_go(folder):
    """The other reader stands in a branch of an If that nobody reads."""
    bodies = [m.graph([node(op, ["p"], [op])], [], [info(op, (None, 3))], name=op) for op in ("Sin", "Cos")]
    nodes = [
        node("Concat", ["x", "x"], ["p"], axis=0),
        node("Concat", ["p", "x"], ["h"], axis=0),
        node("If", ["c"], ["unused"], then_branch=bodies[0], else_branch=bodies[1]),
        node("Relu", ["h"], ["y"]),
    ]
    model = m.model(nodes, [info("x", ("n", 3)), info("c", (), m.TensorProto.BOOL)], [info("y", (None, 3))])
    out = cleaned(folder, model, feeds=[{"x": values(2, 3), "c": np.array(True)}])
    assert m.operators(out) == ["Concat", "Relu"], "operators"
