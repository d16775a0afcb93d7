# SPDX-License-Identifier: Apache-2.0
"""Copies at graph outputs by one rule (docs/rewrites.md), and nodes that add nothing: empty operands, Dropout with a ratio of 0."""

import numpy as np
import pytest
from onnx import TensorProto

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

X = info("x", ("n", 3))
FEEDS = [{"x": np.random.default_rng(k).standard_normal((2 + k, 3)).astype(np.float32)} for k in range(2)]


def nodesOf(out):
    return sorted((one.op_type, *one.input[:1], one.output[0]) for one in out.graph.node)


def outputs(*names):
    return [info(name, ("n", 3)) for name in names]


def test_copies(folder):
    """Of a node: erased. Of an input, or of what is an output already: kept."""
    nodes = [node("Relu", ["x"], ["r"]), node("Identity", ["r"], ["a"]), node("Identity", ["r"], ["b"]), node("Identity", ["x"], ["c"])]
    out = cleaned(folder, m.model(nodes, [X], outputs(*"abc")), feeds=FEEDS)
    assert nodesOf(out) == [("Identity", "a", "b"), ("Identity", "x", "c"), ("Relu", "x", "a")], f"{nodesOf(out)}"


def test_equal_outputs(folder):
    """The second is a copy of the first, and other users read the first."""
    nodes = [node("Exp", ["x"], ["a"]), node("Exp", ["x"], ["b"]), node("Neg", ["b"], ["c"])]
    out = cleaned(folder, m.model(nodes, [X], outputs(*"abc")), feeds=FEEDS)
    assert nodesOf(out) == [("Exp", "x", "a"), ("Identity", "a", "b"), ("Neg", "a", "c")], f"{nodesOf(out)}"
    out = cleaned(folder, m.model(nodes, [X], outputs(*"abc")), "--disable=common-subexpression", feeds=FEEDS)
    assert m.operators(out) == ["Exp", "Exp", "Neg"], "operators with --disable"


def test_equal_nodes_of_several_results(folder):
    """Each gives an output, so both are kept; what reads another result of the second reads the first, and is equal then."""
    nodes = [
        node("Split", ["x"], ["p", "a"], axis=1, num_outputs=2),
        node("Split", ["x"], ["q", "b"], axis=1, num_outputs=2),
        node("Exp", ["p"], ["r"]),
        node("Exp", ["q"], ["s"]),
        node("Add", ["r", "s"], ["c"]),
    ]
    source = m.model(nodes, [info("x", ("n", 4))], [info(name, ("n", 2)) for name in "abc"])
    out = cleaned(folder, source, feeds=[{"x": np.random.default_rng(3).standard_normal((2, 4)).astype(np.float32)}])
    assert m.operators(out) == ["Split", "Split", "Exp", "Add"], "operators"
    assert list(out.graph.node[-1].input) == ["r", "r"], "inputs of Add"


def test_equal_outputs_that_copy_stay(folder):
    axes = const("axes", np.array([0], np.int64))
    nodes = [node("Unsqueeze", ["x", "axes"], [name]) for name in "ab"]
    out = cleaned(folder, m.model(nodes, [X], [info(name, (1, "n", 3)) for name in "ab"], [axes]), feeds=FEEDS)
    assert m.operators(out) == ["Unsqueeze", "Unsqueeze"], "operators"


def test_equal_loops_at_outputs(folder):
    body = m.graph(
        [node("Mul", ["s", "s"], ["p"]), node("Identity", ["c"], ["go"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("s", ("n", 3))],
        [info("go", (), TensorProto.BOOL), info("p", ("n", 3))],
    )
    nodes = [node("Loop", ["count", "", "x"], [name], body=body) for name in "ab"]
    out = cleaned(folder, m.model(nodes, [X], outputs(*"ab"), [const("count", np.int64(3))]), feeds=FEEDS)
    assert m.operators(out) == ["Loop", "Identity"], "operators"


def test_concat_with_nothing(folder):
    """A part of which nothing is left at run time: Slice to the first 0 rows."""
    nodes = [
        node("Slice", ["x", "zero", "zero", "one"], ["e"]),
        node("Concat", ["x", "e", "x"], ["a"], axis=1),
        node("Concat", ["e", "x"], ["h"], axis=-1),
        node("Relu", ["h"], ["b"]),
    ]
    constants = [const("zero", np.array([0], np.int64)), const("one", np.array([1], np.int64))]
    model = m.model(nodes, [X], [info("a", ("n", 6)), info("b", ("n", 3))], constants)
    out = cleaned(folder, model, feeds=FEEDS)
    assert m.operators(out) == ["Concat", "Relu"], f"operators are {m.operators(out)}"
    assert list(out.graph.node[0].input) == ["x", "x"], "inputs"


@pytest.mark.parametrize("opset, kind", [(12, "float64"), (13, "float32"), (21, "float32")])
def test_dropout_of_nothing(folder, opset, kind):
    """A ratio of 0, in training or in a mode that is not known."""
    constants = [const("ratio", np.array(0, kind)), const("yes", np.array(True))]
    nodes = [
        node("Dropout", ["x", "ratio", "yes"], ["h"]),
        node("Dropout", ["h", "ratio", "train"], ["k"]),
        node("Relu", ["k"], ["y"]),
    ]
    model = m.model(nodes, [X, info("train", (), TensorProto.BOOL)], outputs("y"), constants, opset=opset, ir=8)
    feeds = [{**feed, "train": np.array(flag)} for feed in FEEDS for flag in (False, True)]
    assert m.operators(cleaned(folder, model, feeds=feeds)) == ["Relu"], "operators"


def test_dropout_stays(folder):
    """In training with the default ratio, or where the mask is used."""
    yes, ratio = const("yes", np.array(True)), const("ratio", np.float32(0))
    model = m.model([node("Dropout", ["x", "", "yes"], ["h"]), node("Relu", ["h"], ["y"])], [X], outputs("y"), [yes])
    assert m.operators(cleaned(folder, model, runs=False)) == ["Dropout", "Relu"], "the default ratio"
    model = m.model(
        [node("Dropout", ["x", "ratio", "yes"], ["h", "mask"]), node("Relu", ["h"], ["y"])],
        [X],
        [*outputs("y"), info("mask", ("n", 3), TensorProto.BOOL)],
        [yes, ratio],
    )
    assert "Dropout" in m.operators(cleaned(folder, model, feeds=FEEDS)), "the mask is an output"
