# SPDX-License-Identifier: Apache-2.0
"""A value whose elements are all one number is known whatever its shape: what adds it, chooses by it or starts from it is simpler,
bit for bit. Near misses are kept."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
RANDOM = np.random.default_rng(44)
X = np.array([[1, -0.0, np.inf, 2], [-3, 0.5, np.nan, 0], [7, 8, 9, -1]], np.float32)


def zeros(value=0.0, shape=(1, 1)):
    """`h`, of the shape of x, made of one number."""
    return [node("Shape", ["x"], ["sh"]), node("Expand", ["z", "sh"], ["h"])], [const("z", np.full(shape, value, np.float32))]


def expectLeft(folder, nodes, constants, left, *flags, kind=F32, x=X):
    source = m.model(nodes, [info("x", ("n", 4), kind)], [info("y", ("n", 4), kind)], constants)
    out = cleaned(folder, source, *flags, feeds=[{"x": x}])
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"


MOVES = {
    "expanded": [node("Identity", ["h"], ["u"])],
    "tiled": [node("Tile", ["h", "once"], ["u"])],
    "turned": [node("Transpose", ["h"], ["v"]), node("Neg", ["x"], ["w"]), node("Transpose", ["v"], ["u"])],
    "joined": [node("Slice", ["h", "zero", "two", "one"], ["v"]), node("Slice", ["h", "two", "end", "one"], ["w"]),
               node("Concat", ["v", "w"], ["u"], axis=1)],
    "chosen": [node("IsNaN", ["x"], ["c"]), node("Where", ["c", "h", "h2"], ["u"])],
    "cast": [node("Cast", ["h"], ["v"], to=I64), node("Cast", ["v"], ["u"], to=F32)],
}


@pytest.mark.parametrize("name", MOVES)
def test_zeros_that_moved_are_added(folder, name):
    nodes, constants = zeros()
    constants += [const("once", [1, 1], np.int64)]
    constants += [const(name, [value], np.int64) for name, value in (("zero", 0), ("one", 1), ("two", 2), ("end", 1 << 60))]
    nodes += [node("Expand", ["z", "sh"], ["h2"]), *MOVES[name], node("Abs", ["x"], ["a"]), node("Add", ["a", "u"], ["y"])]
    expectLeft(folder, nodes, constants, ["Abs"])


def test_sums_that_grow_or_lose_a_sign_are_kept(folder):
    """x + 0 of floats makes 0 of -0; a shape that the zeros alone have is needed."""
    nodes, constants = zeros()
    expectLeft(folder, [*nodes, node("Add", ["x", "h"], ["y"])], constants, ["Add"])
    nodes, constants = zeros(-0.0)
    expectLeft(folder, [*nodes, node("Relu", ["x"], ["r"]), node("Add", ["r", "h"], ["y"])], constants, ["Relu"])
    nodes, constants = zeros(1.0)
    expectLeft(folder, [*nodes, node("Mul", ["h", "x"], ["m"]), node("Neg", ["m"], ["y"])], constants, ["Neg"])
    one = [node("Shape", ["x"], ["sh"]), node("Expand", ["z", "sh"], ["h"]), node("Abs", ["s"], ["a"]), node("Add", ["a", "h"], ["y"])]
    source = m.model(one, [info("x", ("n", 4)), info("s", ("k", 1))], [info("y", (None, 4))], [const("z", np.zeros((1, 1), np.float32))])
    out = cleaned(folder, source, feeds=[{"x": X, "s": np.ones((1, 1), np.float32)}])
    assert m.operators(out) == ["Shape", "Expand", "Abs", "Add"], "a shape that grows"


def test_products_with_zero(folder):
    """Of integers they are zeros; of floats they may be NaN or -0."""
    zero = [const("zero", np.int64(0)), const("p", np.int64(5))]
    nodes = [node("Mul", ["x", "zero"], ["h"]), node("Add", ["h", "x"], ["s"]), node("Mul", ["s", "p"], ["y"])]
    expectLeft(folder, nodes, zero, ["Mul"], kind=I64, x=np.arange(8, dtype=np.int64).reshape(2, 4))
    nodes = [node("Mul", ["x", "zero"], ["h"]), node("Abs", ["x"], ["a"]), node("Add", ["h", "a"], ["y"])]
    expectLeft(folder, nodes, [const("zero", np.float32(0))], ["Mul", "Abs", "Add"])


def test_known_shapes_become_constants(folder):
    nodes = [node("Mul", ["x", "zero"], ["h"]), node("Sub", ["h", "one"], ["y"])]
    source = m.model(nodes, [info("x", (2, 3), I64)], [info("y", (2, 3), I64)], [const("zero", np.int64(0)), const("one", np.int64(1))])
    out = cleaned(folder, source, feeds=[{"x": np.ones((2, 3), np.int64)}])
    assert m.operators(out) == [], "operators"
    m.expectValue(out.graph, "y", np.full((2, 3), -1))


def test_masks_of_ones(folder):
    """Where(mask == 0, lowest, x) with a mask of ones is x; with a mask of the model it is not."""
    nodes = [node("Shape", ["x"], ["sh"]), node("ConstantOfShape", ["sh"], ["mask"], value=const("v", [1], np.int64)),
             node("Cast", ["mask"], ["f"], to=F32), node("Equal", ["f", "zero"], ["none"]), node("Not", ["none"], ["all"]),
             node("And", ["all", "all2"], ["both"]), node("Where", ["both", "x", "low"], ["y"])]
    constants = [const("zero", np.float32(0)), const("low", np.float32(-1e30))]
    fixed = [*nodes[:5], node("Not", ["none"], ["all2"]), *nodes[5:-1], node("Where", ["both", "x", "low"], ["w"]), node("Neg", ["w"], ["y"])]
    expectLeft(folder, fixed, constants, ["Neg"], x=np.arange(1, 13, dtype=np.float32).reshape(3, 4))  # ONNX Runtime's Where loses -0
    source = m.model(nodes, [info("x", ("n", 4)), info("all2", ("n", 4), BOOL)], [info("y", ("n", 4))], constants)
    out = cleaned(folder, source, feeds=[{"x": np.abs(X) + 1, "all2": X > 0}])
    assert "Where" in m.operators(out), "the caller's mask counts"


@pytest.mark.parametrize("op, gates", [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_states_of_zeros(folder, op, gates):
    """zero_state_expand.onnx: states made by Expand; a state of other numbers or of another shape is kept."""
    values = [const("w", RANDOM.random((1, 3 * gates, 4), np.float32)), const("r", RANDOM.random((1, 3 * gates, 3), np.float32))]
    values += [const(name, [value], np.int64) for name, value in (("one", 1), ("two", 2), ("three", 3))]
    for number, left in ((0.0, [op]), (0.5, ["Shape", "Slice", "Concat", "Expand", op])):
        nodes = [node("Shape", ["x"], ["sh"]), node("Slice", ["sh", "one", "two"], ["n"]),
                 node("Concat", ["one", "n", "three"], ["d"], axis=0), node("Expand", ["z", "d"], ["h"]),
                 node(op, ["x", "w", "r", "", "", *(["h", "h"] if op == "LSTM" else ["h"])], ["y"], hidden_size=3)]
        source = m.model(nodes, [info("x", ("S", "N", 4))], [info("y", ("S", 1, "N", 3))],
                         [*values, const("z", np.full((1, 1, 1), number, np.float32))], opset=17)
        x = RANDOM.random((5, 2, 4), np.float32)
        out = cleaned(folder, source, feeds=[{"x": x}])
        assert [one for one in m.operators(out) if one != "Slice"] == [one for one in left if one != "Slice"], f"states of {number}"


def test_near_misses_of_moves(folder):
    """Concat of two numbers, a Cast that rounds, and a choice between two numbers are not uniform."""
    constants = [const("z", np.zeros((1, 1), np.float32)), const("o", np.ones((1, 1), np.float32)), const("two", [2], np.int64),
                 const("zero", [0], np.int64), const("one", [1], np.int64), const("big", np.full((1, 1), (1 << 53) + 1, np.int64))]
    base = [node("Shape", ["x"], ["sh"]), node("Expand", ["z", "sh"], ["h"]), node("Expand", ["o", "sh"], ["g"]), node("Abs", ["x"], ["a"])]
    halves = [node("Slice", ["h", "zero", "two", "one"], ["v"]), node("Slice", ["g", "zero", "two", "one"], ["w"]),
              node("Concat", ["v", "w"], ["u"], axis=1)]
    choice = [node("IsNaN", ["x"], ["c"]), node("Where", ["c", "h", "g"], ["u"])]
    rounds = [node("Expand", ["big", "sh"], ["b"]), node("Cast", ["b"], ["d"], to=TensorProto.DOUBLE), node("Cast", ["d"], ["e"], to=I64),
              node("Sub", ["e", "b"], ["k"]), node("Cast", ["k"], ["u"], to=F32)]
    for more in (halves, choice, rounds):
        nodes = [*base, *more, node("Add", ["a", "u"], ["y"])]
        source = m.model(nodes, [info("x", ("n", 4))], [info("y", ("n", 4))], constants)
        onnx.checker.check_model(source)
        out = cleaned(folder, source, feeds=[{"x": X}])
        assert m.operators(out)[-1] == "Add", f"operators are {m.operators(out)}"
