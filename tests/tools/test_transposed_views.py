# SPDX-License-Identifier: Apache-2.0
"""A Transpose that moves only axes of size 1 is a view, which goes into the Reshape, Flatten, Squeeze or Unsqueeze beside it."""

import numpy as np
import pytest

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(45)


def expectLeft(folder, nodes, shape, constants, left, rank, more=(), opset=17):
    source = m.model(nodes, [info("x", shape)], [info("y", (None,) * rank)], [const(*one, np.int64) for one in constants], opset=opset)
    source = more(source) if more else source
    feeds = [{"x": RANDOM.random([size if isinstance(size, int) else free for size in shape]).astype(np.float32)} for free in (1, 3)]
    out = cleaned(folder, source, feeds=feeds)
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"
    return out


def test_reshape_of_a_moved_one(folder):
    """transpose1.onnx: [S, 1, N, 3] -> [S, N, 1, 3] -> [S, N, 3]."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 2, 1, 3]), node("Reshape", ["t", "s"], ["y"])]
    out = expectLeft(folder, nodes, ("S", 1, "N", 3), [("s", [0, -1, 3])], ["Reshape"], 3)
    assert list(out.graph.node[0].input)[0] == "x", "what it reads"


def test_copies_of_other_places(folder):
    """A 0 copies what stands at its place after the Transpose: a number, or the rest."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[1, 0, 2]), node("Reshape", ["t", "s"], ["y"])]
    expectLeft(folder, nodes, (1, 5, 6), [("s", [0, 2, 3])], ["Reshape"], 3)
    expectLeft(folder, nodes, (1, "N", 6), [("s", [0, 2, 3])], ["Reshape"], 3)
    expectLeft(folder, nodes, (1, "N", 6), [("s", [0, 0, 2, -1])], ["Transpose", "Reshape"], 4)


@pytest.mark.parametrize("last, left", [
    (node("Flatten", ["t"], ["y"], axis=1), ["Flatten"]),
    (node("Squeeze", ["t", "two"], ["y"]), ["Squeeze"]),
])
def test_other_views(folder, last, left):
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 2, 1, 3]), last]
    expectLeft(folder, nodes, ("S", 1, "N", 3), [("two", [2])], left, 2 if last.op_type == "Flatten" else 3)


def test_transposes_of_views(folder):
    nodes = [node("Reshape", ["x", "s"], ["r"]), node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3])]
    expectLeft(folder, nodes, ("n", 12), [("s", [-1, 1, 4, 3])], ["Reshape"], 4)
    nodes = [node("Unsqueeze", ["x", "axes"], ["r"]), node("Transpose", ["r"], ["y"], perm=[1, 0, 2, 3])]
    expectLeft(folder, nodes, ("n", 12), [("axes", [1, 2])], ["Unsqueeze"], 4)


def test_what_moves_elements_is_kept(folder):
    """Open sizes are not 1, and two of them that change places move elements."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 2, 1, 3]), node("Reshape", ["t", "s"], ["y"])]
    expectLeft(folder, nodes, ("S", "K", "N", 3), [("s", [0, -1, 3])], ["Transpose", "Reshape"], 3)
    expectLeft(folder, nodes, ("S", 2, "N", 3), [("s", [0, -1, 3])], ["Transpose", "Reshape"], 3)
    nodes = [node("Reshape", ["x", "s"], ["r"]), node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3])]
    expectLeft(folder, nodes, ("n", 12), [("s", [-1, 2, 2, 3])], ["Reshape", "Transpose"], 4)
    nodes = [node("Unsqueeze", ["x", "axes"], ["r"]), node("Transpose", ["r"], ["y"], perm=[2, 0, 1])]
    expectLeft(folder, nodes, ("n", 12), [("axes", [1])], ["Unsqueeze", "Transpose"], 3)
    nodes = [node("Transpose", ["x"], ["t"], perm=[2, 1, 0]), node("Squeeze", ["t", "one"], ["y"])]
    expectLeft(folder, nodes, ("n", 1, 12), [("one", [1])], ["Transpose", "Squeeze"], 2)


def test_views_with_a_rest_beside_a_size(folder):
    """view_b_rest.onnx: x.view(b, -1, 16, 16), where b is no copy and the rest is a number."""
    nodes = [node("Shape", ["x"], ["b"], start=0, end=1), node("Reshape", ["x", "u"], ["r"]), node("Relu", ["r"], ["q"]),
             node("Concat", ["b", "m1", "c", "c"], ["t"], axis=0), node("Reshape", ["q", "t"], ["y"], allowzero=1)]
    constants = [("m1", [-1]), ("c", [16]), ("u", [-1, 16, 16])]
    expectLeft(folder, nodes, ("b", 16, 64), constants, ["Reshape", "Relu", "Reshape"], 4, opset=21)
    # A batch of 0 would be a copy of another size without allowzero.
    nodes[-1] = node("Reshape", ["q", "t"], ["y"])
    expectLeft(folder, nodes, ("b", 16, 64), constants, ["Shape", "Reshape", "Relu", "Concat", "Reshape"], 4, opset=21)
    source = m.model(nodes, [info("x", ("b", 16, 64))], [info("y", (None,) * 4)], [const(*one, np.int64) for one in constants])
    feeds = [{"x": RANDOM.random((size, 16, 64)).astype(np.float32)} for size in (1, 3)]
    out = cleaned(folder, source, "-O2", feeds=feeds)
    assert m.operators(out) == ["Reshape", "Relu", "Reshape"], "at -O2 no dimension is 0"
    # The rest is no number.
    nodes[-2] = node("Concat", ["b", "m1", "c"], ["t"], axis=0)
    nodes[-1] = node("Reshape", ["q", "t"], ["y"], allowzero=1)
    expectLeft(folder, nodes, ("b", "k", 64), [("m1", [-1]), ("c", [16]), ("u", [-1, 8, 8])],
               ["Shape", "Reshape", "Relu", "Concat", "Reshape"], 3, opset=21)
