#!/usr/bin/env python3
"""Functions of the model: constants in bodies fold where they are, once for all calls; what is passed in is not copied."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
X, Y = info("x", (64, 64)), info("y", (64, 64))
FEED = {"x": np.random.default_rng(1).standard_normal((64, 64)).astype(np.float32)}
W = np.random.default_rng(2).standard_normal((64, 64)).astype(np.float32)
V = np.random.default_rng(3).standard_normal((64, 64)).astype(np.float32)


def function(name, inputs, nodes):
    return helper.make_function("own", name, inputs, ["b"], nodes, [helper.make_opsetid("", 21)])


def calls(functions, nodes, constants=(), outputs=(Y,)):
    return m.model(nodes, [X], list(outputs), constants, domains=[("own", 1)], functions=functions)


def call(name, inputs, output):
    return node(name, inputs, [output], domain="own")


def sizeOf(model):
    return len(model.SerializeToString())


@suite.case
def a_folded_constant_is_stored_once_for_two_calls(folder):
    """16 KB of a body that is called twice stay 16 KB."""
    body = [
        node("Constant", [], ["w"], value=const("", W)),
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("MatMul", ["a", "t"], ["b"]),
    ]
    model = calls([function("F", ["a"], body)], [call("F", ["x"], "h"), call("F", ["h"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    t.expectEqual([one.op_type for one in out.functions[0].node], ["Constant", "MatMul"], "nodes of the body")
    t.expect((m.constantValue(out.functions[0], "t") == W.T).all(), "the constant is the transposed one")
    t.expectEqual(m.operators(out), ["F", "F"], "calls")
    t.expect(sizeOf(out) < W.nbytes + 1000, f"{sizeOf(out)} bytes for one constant of {W.nbytes}")


@suite.case
def tied_weights_that_are_passed_are_not_copied(folder):
    """What could fold for this weight stays in the body: a Transpose for both calls, and the weight once."""
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)], [call("F", ["x", "w"], "h"), call("F", ["h", "w"], "y")], [const("w", W)]
    )
    out = cleaned(folder, model, feeds=[FEED])
    t.expectEqual(m.initializerNames(out), ["w"], "initializers")
    t.expectEqual([one.op_type for one in out.functions[0].node], ["Transpose", "MatMul"], "nodes of the body")
    t.expect(sizeOf(out) <= sizeOf(model), f"{sizeOf(out)} bytes of {sizeOf(model)}")


@suite.case
def different_constants_keep_one_body(folder):
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)],
        [call("F", ["x", "w"], "h"), call("F", ["h", "v"], "y")],
        [const("w", W), const("v", V)],
    )
    out = cleaned(folder, model, feeds=[FEED])
    t.expectEqual([one.name for one in out.functions], ["F"], "functions")
    t.expectEqual(sorted(m.initializerNames(out)), ["v", "w"], "initializers")
    t.expectEqual(sizeOf(out), sizeOf(model), "bytes")


@suite.case
def what_is_folded_outside_is_passed(folder):
    """A call reads the folded value under its name; two calls the same one."""
    body = [node("MatMul", ["a", "w"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)],
        [node("Transpose", ["w"], ["t"], perm=[1, 0]), call("F", ["x", "t"], "h"), call("F", ["h", "t"], "y")],
        [const("w", W)],
    )
    out = cleaned(folder, model, feeds=[FEED])
    t.expectEqual((m.operators(out), m.initializerNames(out)), (["F", "F"], ["t"]), "nodes and initializers")
    t.expect((m.constantValue(out.graph, "t") == W.T).all(), "the value is the transposed one")


@suite.case
def constants_below_a_call(folder):
    """Functions that functions call fold too, whoever calls them."""
    inner = [
        node("Constant", [], ["two"], value_float=2.0),
        node("Mul", ["two", "two"], ["four"]),
        node("Add", ["a", "four"], ["b"]),
    ]
    outer = helper.make_function(
        "own",
        "G",
        ["a"],
        ["b"],
        [call("F", ["a"], "h"), call("F", ["h"], "b")],
        [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)],
    )
    model = calls([function("F", ["a"], inner), outer], [call("G", ["x"], "h"), call("F", ["h"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    t.expectEqual([one.name for one in out.functions], ["F", "G"], "functions")
    t.expectEqual([one.op_type for one in out.functions[0].node], ["Constant", "Add"], "nodes of the inner body")
    t.expectEqual(m.constantValue(out.functions[0], "four"), np.float32(4), "the constant")


if __name__ == "__main__":
    sys.exit(suite.main())
