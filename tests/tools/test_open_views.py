# SPDX-License-Identifier: Apache-2.0
"""Views whose computed sizes are products of open dimensions are a Flatten at -O2; Transposes of axes of size 1 go into a Reshape
with a rest beside copied sizes. Near misses stay."""

import numpy as np
import pytest

import onnxfold_models as m
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(51)
OPEN = ("a", "b", "c", "d")


def size(axis, name):
    return [node("Shape", ["x"], [f"{name}s"]), node("Gather", [f"{name}s", f"axis{axis}"], [name])]


SIZES = [one for axis, name in enumerate(OPEN) for one in size(axis, name)]
INDICES = [const(f"axis{axis}", np.int64([axis])) for axis in range(4)] + [const("rest", np.int64([-1])), const("eight", np.int64([8]))]


def expectLeft(folder, nodes, shape, left, flags=("-O2",), rank=2):
    source = m.model([*SIZES[: 2 * len(shape)], *nodes], [info("x", shape)], [info("y", (None,) * rank)], INDICES, opset=17)
    sizes = {"a": 2, "b": 3, "c": 4, "d": 5}
    feeds = [{"x": RANDOM.standard_normal([sizes.get(one, one) for one in shape]).astype(np.float32)}]
    out = m.folded(folder, source, *flags, feeds=feeds)
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"
    return out


def view(before, *target):
    return [node("Concat", list(target), ["t"], axis=0), node("Reshape", [before, "t"], ["y"])]


@pytest.mark.parametrize("rank, axis, products, target", [
    (3, 2, [("p", "a", "b")], ("p", "c")),
    (3, 2, [], ("rest", "c")),
    (3, 1, [("p", "c", "b")], ("a", "p")),
    (4, 2, [("p", "b", "a"), ("q", "c", "d")], ("p", "q")),
    (4, 2, [("q", "c", "d")], ("rest", "q")),
    (4, 3, [("p", "a", "b"), ("q", "p", "c")], ("q", "d")),
])
def test_two_products(folder, rank, axis, products, target):
    nodes = [node("Mul", list(factors), [name]) for name, *factors in products] + view("x", *target)
    out = expectLeft(folder, nodes, OPEN[:rank], ["Reshape"] if axis == 1 else ["Flatten"])
    if axis != 1:  # [a, b * c] is [0, -1]
        assert out.graph.node[-1].attribute[0].i == axis


@pytest.mark.parametrize("target", [("rest", "a"), ("b", "rest"), ("c", "rest")])
def test_other_sizes_stay(folder, target):
    out = expectLeft(folder, view("x", *target), OPEN[:3], ["Shape", "Concat", "Reshape"])
    assert out.graph.node[-1].op_type == "Reshape"


def test_by_name_and_level(folder):
    for flags in (("-O1",), ("-O2", "--disable=reshape-flat")):
        expectLeft(folder, view("x", "rest", "c"), OPEN[:3], ["Shape", "Concat", "Reshape"], flags)


def test_a_rest_beside_copies(folder):
    turned = [node("Transpose", ["x"], ["u"], perm=[0, 2, 1, 3])]
    shape = ("a", 1, "c", 8)
    expectLeft(folder, turned + view("u", "a", "c", "eight"), shape, ["Reshape"], rank=3)
    for flags in (("-O1",), ("-O2", "--disable=transpose-rest")):
        expectLeft(folder, turned + view("u", "a", "c", "eight"), shape, ["Transpose", "Reshape"], flags, rank=3)
    expectLeft(folder, turned + view("u", "a", "c", "rest"), ("a", "b", "c", 8), ["Transpose", "Reshape"], rank=3)
