# SPDX-License-Identifier: Apache-2.0
"""A second run changed what the first had left, because the first did not see its own end: a Split whose other result lost its
reader, a Loop of no iterations that nobody read, a Where of two constants that became one when they were written.

(onnxfold_models.folded folds everything twice and compares the bytes.)
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64 = TensorProto.INT64
LEVELS = ("-O0", "-O1", "-O2")


def split(readers, outputs, sizes=(1, 0)):
    """Of Shape(x), without its last element: p has all of the rest, q nothing."""
    nodes = [node("Shape", ["x"], ["s"], end=-1), node("Split", ["s", "k"], ["p", "q"], axis=0), *readers]
    constants = [const("k", sizes, np.int64), const("z", 0, np.int64), const("one", [1], np.int64)]
    return m.model(nodes, [info("x", ("M", 3))], outputs, constants, opset=17, ir=8)


READERS = {
    "replaced": [node("Concat", ["q", "p"], ["c"], axis=0), node("CumSum", ["c", "z"], ["y"])],
    "chain": [
        node("Abs", ["q"], ["a"]),
        node("Neg", ["a"], ["b"]),
        node("Concat", ["b", "p"], ["c"], axis=0),
        node("CumSum", ["c", "z"], ["y"]),
    ],
    "folds": [node("Size", ["q"], ["n"]), node("CumSum", ["p", "n"], ["y"])],
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("readers", READERS.values(), ids=READERS.keys())
def test_split_of_which_one_result_is_read(folder, readers, level):
    out = m.folded(folder, split(readers, [info("y", (None,), I64)]), level)
    if level != "-O0":
        assert m.operators(out) == ["Shape", "CumSum"], "operators"


def test_split_of_which_both_are_read(folder):
    """A near miss: one of two readers of the other result is left."""
    nodes = [
        node("Split", ["x", "k"], ["p", "q"], axis=1),
        node("Neg", ["q"], ["w"]),
        node("Shape", ["q"], ["n"]),
        node("Reshape", ["p", "n"], ["y"]),
    ]
    outputs = [info("y", (2, 2)), info("w", (2, 2))]
    source = m.model(nodes, [info("x", (2, 4))], outputs, [const("k", [2, 2], np.int64)])
    assert "Split" in m.operators(m.folded(folder, source))


def loop(reader=None, body=True):
    """No iterations. The body gives one slice of what folds in it, or of what it gets."""
    nodes = [node("Neg", ["shape"], ["minus"]), node("Abs", ["minus"], ["again"]), node("Expand", ["value", "again"], ["slice"])]
    inner = m.graph(
        [node("Identity", ["go"], ["on"]), *(nodes if body else [node("NonZero", ["x"], ["slice"])])],
        [info("i", (), I64), info("go", (), TensorProto.BOOL)],
        [info("on", (), TensorProto.BOOL), info("slice", None, TensorProto.FLOAT if body else I64)],
        [const("shape", [2], np.int64), const("value", np.float32(1))],
    )
    nodes = [node("Loop", ["none", "yes"], ["scan"], body=inner), node("Neg", ["x"], ["y"])]
    outputs = [info("y")]
    if reader:
        nodes.append(node(reader, ["scan"], ["n"]))
        outputs.append(info("n", {"Size": (), "Shape": (None,), "Neg": (None,) * 3}[reader], I64))
    return m.model(nodes, [info("x")], outputs, [const("none", 0, np.int64), const("yes", True)], opset=20)


@pytest.mark.parametrize("flags", ([], ["-O0"], ["-O2"], ["--shapes"], ["--unroll=4"], ["--max-growth=0"]), ids=str)
@pytest.mark.parametrize("reader", (None, "Size", "Shape"))
@pytest.mark.parametrize("body", (True, False))
def test_loop_of_no_iterations(folder, reader, flags, body):
    source = loop(reader, body)
    out = m.folded(folder, source, *flags)
    if not reader and "-O0" not in flags:
        assert m.operators(out) == ["Neg"], "an unread loop"


def where(left, right, rows=2):
    """The branches are constants once they are folded."""
    nodes = [node("Neg", ["a"], ["b"]), node("Abs", ["d"], ["e"]), node("Where", ["c", "b", "e"], ["y"])]
    inputs = [info("c", (rows, 3), TensorProto.BOOL)]
    return m.model(nodes, inputs, [info("y", (rows, 3))], [const("a", left, np.float32), const("d", right, np.float32)])


@pytest.mark.parametrize("flags", ([], ["-O2"], ["--max-growth=0"], ["--shapes"]), ids=str)
def test_where_of_equal_constants(folder, flags):
    feeds = [{"c": np.array([[True, False, True]] * 2)}]
    assert m.operators(m.folded(folder, where(-np.ones((2, 3)), np.ones((2, 3))), *flags, feeds=feeds)) == []
    # A broadcast of the condition decides about the shape: known, or not.
    out = m.folded(folder, where([-1.0], [1.0]), *flags, feeds=feeds)
    assert m.operators(out) == []
    m.expectValue(out.graph, "y", np.ones((2, 3), np.float32))
    feeds += [{"c": np.array([[False, True, True]])}]
    assert m.operators(m.folded(folder, where([-1.0], [1.0], "n"), *flags, feeds=feeds)) == ["Where"]
    del feeds[1]
    # These are equal numbers, but not the same bits.
    assert m.operators(m.folded(folder, where(np.zeros((2, 3)), np.zeros((2, 3))), *flags, feeds=feeds)) == ["Where"]


@pytest.mark.parametrize("kind", ("Loop", "Scan"))
def test_what_others_read_of_a_kept_loop(folder, kind):
    """A near miss: what no iteration makes, and what is read, is known only to the runtime."""
    if kind == "Loop":
        assert "Loop" in m.operators(m.folded(folder, loop("Neg", body=False), runs=False))
        return
    inner = m.graph([node("NonZero", ["x"], ["o"])], [info("s", (1,), I64)], [info("o", None, I64)])
    nodes = [node("Scan", ["empty"], ["scan"], body=inner, num_scan_inputs=1), node("Neg", ["scan"], ["y"])]
    source = m.model(nodes, [info("x")], [info("y", (None,) * 3, I64)], [const("empty", np.zeros((0, 1)), np.int64)])
    onnx.save(source, folder / "model.onnx")
    assert m.operators(onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))) == ["Scan", "Neg"]
