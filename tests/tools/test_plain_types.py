# SPDX-License-Identifier: Apache-2.0
"""Types that are inferred without ONNX's functions (onnx/folding/PlainTypes.cpp) are what those functions say: all operators
of the table, over pairs of shapes with fixed, named, unnamed and equal sizes."""

import itertools
import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from test_shapes import shapeOf, written

SOURCE = (t.ROOT / "onnx/folding/PlainTypes.cpp").read_text()
KINDS = {kind: re.findall(r"\"(\w+)\"", names) for names, kind in re.findall(r"name :\s*\{([^}]*)\}\)\s*\(\*made\)\[name\] = SameSizes::(\w+)", SOURCE)}
SIZES = [(2, 3), (1, 3), ("n", 3), ("n", 1), ("n", "k"), ("k", "n"), (None, 3), (1, 1), (3,), (), ("n", 2, 3)]


def test_the_table_is_read():
    assert sorted(KINDS) == ["Arithmetic", "Comparison", "Unary"] and min(map(len, KINDS.values())) >= 5


def mayBroadcast(a, b):
    fixed = lambda size: isinstance(size, int) and size != 1
    return not any(fixed(x) and fixed(y) and x != y for x, y in zip(a[::-1], b[::-1]))


def expectLikeOnnx(folder, op, kind, shapes, opset, lists=(), **attributes):
    """Every size that ONNX's functions know is known, by its name; one that they leave open may be known. `lists` are constants."""
    inputs = [m.info(f"x{i}", shape) for i, shape in enumerate(shapes)]
    constants = [m.const(f"c{i}", np.array(values, np.int64)) for i, values in enumerate(lists)]
    result = TensorProto.BOOL if op in KINDS["Comparison"] else TensorProto.FLOAT
    # y is not the output, which would state a type.
    nodes = [m.node(op, [value.name for value in [*inputs, *constants]], ["y"], **attributes), m.node("Cast", ["y"], ["z"], to=TensorProto.INT32)]
    model = m.model(nodes, inputs, [m.info("z", None, TensorProto.INT32)], constants, opset=opset)
    wanted = {value.name: value for value in onnx.shape_inference.infer_shapes(model, strict_mode=True).graph.value_info}
    got = {value.name: value for value in written(folder, model, "--shapes", checks=False).graph.value_info}
    assert got["y"].type.tensor_type.elem_type == wanted["y"].type.tensor_type.elem_type == result
    theirs, ours = shapeOf(wanted["y"]), shapeOf(got["y"])
    assert theirs is None or len(ours) == len(theirs), (op, shapes, ours, theirs)
    for a, b in zip(theirs or [], ours):
        assert a == b or a is None or str(a).startswith("unk__"), (op, shapes, ours, theirs)


@pytest.mark.parametrize("kind", ["Arithmetic", "Comparison", "Unary"])
def test_same_sizes(folder, kind):
    """All pairs for one operator, and one pair for each of the others."""
    pairs = [(a,) for a in SIZES] if kind == "Unary" else [pair for pair in itertools.product(SIZES, SIZES) if mayBroadcast(*pair)]
    for i, op in enumerate(KINDS[kind]):
        for shapes in pairs if i == 0 else [pairs[i % len(pairs)]]:
            expectLikeOnnx(folder, op, kind, shapes, 21)


def test_products(folder):
    for shapes in [((2, 3), (3, 4)), (("n", 3), (3, 4)), (("n", "k"), ("k", "l")), (("n", "k"), (3, 4)), ((2, "n", 3), (3, 4)), ((3,), (3, 4))]:
        expectLikeOnnx(folder, "MatMul", "Product", shapes, 21)


def test_sums(folder):
    """Axes from both ends, twice the same, none, and without the sizes of 1 that are left."""
    for shape in [(2, 3), ("n", 3), (2, "n", 3)]:
        for axes in [[0], [1], [-1], [0, -1], [1, 1], []]:
            expectLikeOnnx(folder, "ReduceSum", "Sum", [shape], 21, [axes])
    expectLikeOnnx(folder, "ReduceSum", "Sum", [("n", 3)], 13, [[1]], keepdims=0)


def test_slices(folder):
    """Places from both ends, beyond them, and of nothing; an axis whose size is open; steps."""
    for starts, ends, axes in [([0], [2], [1]), ([-2], [9], [1]), ([1], [-1], [-1]), ([2], [1], [1]), ([-9], [-8], [1]), ([0, 1], [1, 3], [0, 1])]:
        for shape in [(4, 3), ("n", 3)]:
            expectLikeOnnx(folder, "Slice", "Slice", [shape], 21, [starts, ends, axes])
    expectLikeOnnx(folder, "Slice", "Slice", [(4, 3)], 10, [[0], [3], [0]])
    expectLikeOnnx(folder, "Slice", "Slice", [(4, 3)], 21, [[0], [3], [0], [2]])


def test_older_operators_are_asked_for(folder):
    """Add of opset 6 broadcasts only if it is told to; the functions of ONNX know."""
    expectLikeOnnx(folder, "Add", "Arithmetic", [(2, 3), (2, 3)], 6)
    expectLikeOnnx(folder, "Exp", "Unary", [("n", 3)], 12)
