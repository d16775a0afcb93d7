# SPDX-License-Identifier: Apache-2.0
"""Sizes of what branches and calls give: those that both branches give, and those of a body for what is passed to it.

Every model is run in ONNX Runtime with several sizes, before and after.
"""

import numpy as np
from onnx import TensorProto, helper

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64 = TensorProto.BOOL, TensorProto.INT64
X, C = info("x", ("N", 4)), info("c", (), BOOL)
FEEDS = [
    {"x": np.linspace(-1, 1, n * 4, dtype=np.float32).reshape(n, 4), "c": np.array(c)}
    for n in (0, 1, 5)
    for c in (True, False)
]
CONSTANTS = [
    const("zero", np.array(0)),
    const("one", np.array(1)),
    const("pair", np.array([0, 1])),
    const("whole", np.array([-1, 2])),
    const("first", np.array([0])),
    const("twice", np.array([2, 1])),
]


def check(folder, nodes, outputs, inputs=(X,), functions=(), flags=()):
    """The folded graph, and which of the `outputs` are constants: name -> rank."""
    read = {name for one in nodes for name in one.input}
    read |= {name for one in nodes for a in one.attribute for inner in a.g.node for name in inner.input}
    model = m.model(
        nodes,
        inputs,
        [info(name, (None,) * rank, I64) for name, rank in outputs.items()],
        [one for one in CONSTANTS if one.name in read],
        domains=[("own", 1)] if functions else [],
        functions=functions,
    )
    names = {one.name for one in inputs}
    feeds = [{name: value for name, value in feed.items() if name in names} for feed in FEEDS]
    out = cleaned(folder, model, *flags, feeds=feeds).graph
    return out, [name for name in outputs if m.constantValue(out, name) is not None]


def branch(*nodes):
    return m.graph(nodes, [], [info(nodes[-1].output[0], None)])


def choice(one, other):
    return node("If", ["c"], ["y"], then_branch=one, else_branch=other)


def sizesOfY():
    """r: how many dimensions y has; a, b: its first and second; d: a less the first of x."""
    return [
        node("Shape", ["y"], ["s"]),
        node("Size", ["s"], ["r"]),
        node("Gather", ["s", "zero"], ["a"]),
        node("Gather", ["s", "one"], ["b"]),
        node("Shape", ["x"], ["sx"]),
        node("Gather", ["sx", "zero"], ["n"]),
        node("Sub", ["a", "n"], ["d"]),
    ]


SIZES = dict.fromkeys(("r", "a", "b", "d"), 0)


def test_branches_alike(folder):
    """Both give N x 4: the second is known, and the first is that of x, also where nothing but constants folds."""
    for flags in (), ("-O0",):
        nodes = [choice(branch(node("Relu", ["x"], ["p"])), branch(node("Neg", ["x"], ["q"]))), *sizesOfY()]
        place = folder / "".join(flags)
        place.mkdir(exist_ok=True)
        _, known = check(place, nodes, SIZES, (X, C), flags=flags)
        assert known == ["r", "b", "d"], "constants"


def test_branches_of_other_sizes(folder):
    """What differs between the branches is not known, what is equal is."""
    nodes = [choice(branch(node("Relu", ["x"], ["p"])), branch(node("Concat", ["x", "x"], ["q"], axis=0))), *sizesOfY()]
    assert check(folder, nodes, SIZES, (X, C))[1] == ["r", "b"], "constants"


def test_branches_of_other_ranks(folder):
    flat = branch(node("Unsqueeze", ["x", "first"], ["q"]))
    nodes = [choice(branch(node("Relu", ["x"], ["p"])), flat), node("Shape", ["y"], ["s"]), node("Size", ["s"], ["r"])]
    assert check(folder, nodes, {"r": 0}, (X, C))[1] == [], "constants"


def function(name, inputs, nodes, attributes=()):
    domains = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    return helper.make_function("own", name, inputs, ["out"], nodes, domains, attributes)


def call(name, inputs, output="y", **attributes):
    return node(name, inputs, [output], domain="own", **attributes)


RELU = function("F", ["a"], [node("Relu", ["a"], ["out"])])


def test_what_a_body_gives_for_an_argument(folder):
    """Nothing says the type of the call's result but the body."""
    nodes = [call("F", ["x"], "h"), call("F", ["h"]), *sizesOfY()]
    assert check(folder, nodes, SIZES, functions=[RELU])[1] == ["r", "b", "d"], "constants"


def test_calls_in_calls(folder):
    outer = function("G", ["a"], [call("F", ["a"], "h"), node("Relu", ["h"], ["out"])])
    nodes = [call("G", ["x"], "h"), call("G", ["h"]), *sizesOfY()]
    assert check(folder, nodes, SIZES, functions=[outer, RELU])[1] == ["r", "b", "d"], "constants"


def test_sizes_that_are_passed(folder):
    """A body that reshapes to what it is given: [-1, 2] of N x 4 is some size x 2; to the sizes of x it is N x 4."""
    body = function("F", ["a", "to"], [node("Reshape", ["a", "to"], ["out"])])
    nodes = [call("F", ["x", "whole"], "h"), node("Shape", ["x"], ["given"]), call("F", ["h", "given"]), *sizesOfY()]
    more = [node("Shape", ["h"], ["sh"]), node("Gather", ["sh", "one"], ["two"])]
    known = check(folder, [*nodes, *more], {**SIZES, "two": 0}, functions=[body])[1]
    assert known == ["r", "b", "d", "two"], "constants"


def test_sizes_that_attributes_decide(folder):
    """Of two calls one transposes; each gets the sizes of its own attribute."""
    turn = node("Transpose", ["a"], ["out"])
    reference = turn.attribute.add(name="perm", ref_attr_name="order", type=7)
    assert reference.ref_attr_name == "order", "a reference"
    body = function("F", ["a"], [turn], ["order"])
    nodes = [
        call("F", ["x"], "turned", order=[1, 0]),
        call("F", ["x"], "y", order=[0, 1]),
        *sizesOfY(),
        node("Shape", ["turned"], ["st"]),
        node("Gather", ["st", "zero"], ["four"]),
    ]
    known = check(folder, nodes, {**SIZES, "four": 0}, functions=[body])[1]
    assert known == ["r", "b", "d", "four"], "constants"


def test_sizes_that_depend_on_values(folder):
    """How many elements of x are not 0 is no size of x, and another number for each call."""
    body = function("F", ["a"], [node("NonZero", ["a"], ["out"])])
    nodes = [
        call("F", ["x"], "y"),
        node("Neg", ["x"], ["negative"]),
        node("Relu", ["negative"], ["less"]),
        call("F", ["less"], "z"),
        node("Shape", ["y"], ["s"]),
        node("Shape", ["z"], ["sz"]),
        node("Gather", ["s", "zero"], ["two"]),
        node("Gather", ["s", "one"], ["a"]),
        node("Gather", ["sz", "one"], ["b"]),
        node("Sub", ["a", "b"], ["d"]),
    ]
    known = check(folder, nodes, dict.fromkeys(("two", "a", "d"), 0), functions=[body])[1]
    assert known == ["two"], "constants"


def test_functions_in_branches(folder):
    """The body of a branch calls, and a body has branches."""
    inner = function("F", ["a"], [node("Relu", ["a"], ["out"])])
    nodes = [choice(branch(call("F", ["x"], "p")), branch(node("Neg", ["x"], ["q"]))), *sizesOfY()]
    assert check(folder, nodes, SIZES, (X, C), functions=[inner])[1] == ["r", "b", "d"], "constants"
