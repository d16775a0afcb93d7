# SPDX-License-Identifier: Apache-2.0
"""Initializers without a name, and functions with the name of an operator: neither may change what a model computes.

`y = Neg(a)` with a = [2], beside an initializer without a name of value [1], folded to y = [1]: the one that nobody can read
took the place of the folded one. And a function of the model that is called Neg was run in place of the operator, which is
what ONNX Runtime takes.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

X, Y = info("x", (3,)), info("y", None)
C123 = const("k", [1, 2, 3], np.float32)
FEED = {"x": np.array([1, -2, 3], np.float32)}


def nameless(rng):
    """One to three initializers without a name, of any type and size."""
    kinds = (np.float32, np.int64, np.bool_, np.uint8)
    count, shapes = rng.integers(1, 4), lambda: rng.integers(0, 4, rng.integers(0, 3))
    return [const("", rng.integers(0, 2, shapes()), rng.choice(kinds)) for _ in range(count)]


def everyGraph(model):
    return list(t.allGraphs(model.graph))


def add(model, rng):
    """The same model with initializers without a name between, before and after those of all its graphs."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for graph in everyGraph(result):
        held = list(graph.initializer)
        for tensor in nameless(rng):
            held.insert(rng.integers(0, len(held) + 1), tensor)
        del graph.initializer[:]
        graph.initializer.extend(held)
    return result


def withoutNameless(model):
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for graph in everyGraph(result):
        held = [tensor for tensor in graph.initializer if tensor.name]
        del graph.initializer[:]
        graph.initializer.extend(held)
    return result


def body(nodes, outputs, inputs=(), constants=()):
    return m.graph(nodes, inputs, [info(name, None) for name in outputs], constants, name="body")


def branches():
    """An If that is kept, whose branches fold in parts."""
    then = body([node("Neg", ["k"], ["n"]), node("Add", ["x", "n"], ["r"])], ["r"], constants=[C123])
    other = body([node("Abs", ["w"], ["n"]), node("Mul", ["x", "n"], ["r"])], ["r"])
    nodes = [
        node("ReduceMax", ["x"], ["top"], keepdims=0),
        node("Greater", ["top", "zero"], ["c"]),
        node("If", ["c"], ["y"], then_branch=then, else_branch=other),
    ]
    return m.model(nodes, [X], [Y], [const("w", [-1, 2, 3], np.float32), const("zero", 0, np.float32)])


def loop():
    inner = body(
        [node("Sub", ["zero", "w"], ["n"]), node("Mul", ["a", "n"], ["b"]), node("Identity", ["c"], ["d"])],
        ["d", "b"],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("a", (3,))],
        [const("w", [1, 2, 3], np.float32)],
    )
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Squeeze", ["s"], ["count"]),
        node("Loop", ["count", "", "x"], ["y"], body=inner),
    ]
    return m.model(nodes, [info("x", ("n",))], [Y], [const("zero", 0, np.float32)])


MODELS = {
    "issue": lambda: m.model([node("Neg", ["k"], ["n"]), node("Add", ["n", "x"], ["y"])], [X], [Y], [C123]),
    "nothing folds": lambda: m.model([node("Neg", ["x"], ["y"])], [X], [Y]),
    "unused": lambda: m.model([node("Neg", ["x"], ["y"])], [X], [Y], [const("gone", [1], np.float32)]),
    "output is folded": lambda: m.model([node("Neg", ["a"], ["y"])], [], [info("y", (1,))], [const("a", [2], np.float32)]),
    "unnamed outputs": lambda: m.model(
        [node("TopK", ["a", "k"], ["", "i"]), node("Cast", ["i"], ["f"], to=1), node("Add", ["x", "f"], ["y"])],
        [info("x", (2,))], [Y], [const("a", [2, 3, 4], np.float32), const("k", [2], np.int64)],
    ),
    "branches": branches,
    "loop": loop,
}  # fmt: skip


def foldedFile(folder, model, *flags):
    path = folder / "model.onnx"
    onnx.save(model, path)
    out = t.fold(path, folder / "out.onnx", *flags)
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *flags), out, "folded again")
    return onnx.load(out)


@pytest.mark.parametrize("name", MODELS)
def test_initializers_without_a_name_change_nothing(folder, name):
    """In every graph and body: the nodes beside them fold as without them, and they are unchanged."""
    rng = np.random.default_rng(t.options.seed)
    model = MODELS[name]()
    for flags in ((), ("-O0",), ("-O2", "--unroll=8"), ("--external-data",), ("--disable=unused-node",)):
        for _ in range(20 if t.options.long else 3):
            given = add(model, rng)
            plain, out = foldedFile(folder, model, *flags), foldedFile(folder, given, *flags)
            if flags != ("--external-data",):
                assert withoutNameless(out) == plain, f"{flags}: the model without them folds into another one"
            for before, after in zip(everyGraph(given), everyGraph(out)):
                kept = [tensor for tensor in after.initializer if not tensor.name]
                assert kept == [tensor for tensor in before.initializer if not tensor.name], f"{flags}: nameless initializers"


def test_the_value_that_was_wrong(folder):
    constants = [const("", [1], np.float32), const("a", [2], np.float32)]
    model = m.model([node("Neg", ["a"], ["y"])], [], [info("y", (1,))], constants)
    m.expectValue(foldedFile(folder, model).graph, "y", [-2])


def test_old_models_with_initializers_without_a_name(folder):
    """Before IR version 4 each initializer is an input, also one without a name."""
    model = m.model(
        [node("Neg", ["a"], ["n"]), node("Add", ["n", "x"], ["y"])],
        [X, info("a", (3,)), info("", (1,))],
        [Y],
        [const("a", [2, 2, 2], np.float32), const("", [1], np.float32)],
        opset=8,
        ir=3,
    )
    out = foldedFile(folder, model)
    m.expectValue(out.graph, "n", [-2, -2, -2])
    assert [tensor.name for tensor in out.graph.initializer].count("") == 1, "initializers without a name"


# ---- functions with the name of an operator --------------------------------------------------------------------------------


def function(name, nodes, domain="", overload=""):
    made = helper.make_function(domain, name, ["a"], ["b"], nodes, [helper.make_opsetid("", 21), helper.make_opsetid("my", 1)])
    made.overload = overload
    return made


def withFunctions(functions, nodes, **more):
    weight = const("w", [4, 9, 16], np.float32)
    return m.model(nodes, [X], [Y], [weight], domains=[("my", 1), ("ai.onnx.ml", 5)], functions=functions, **more)


def reasons(folder):
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    return {one["name"] or one["outputs"][0]: one["reason"]["code"] for one in report["nodes"] if one["action"] == "kept"}


def sameOutputs(folder):
    for got, want in zip(compare.outputs(folder / "out.onnx", [FEED]), compare.outputs(folder / "model.onnx", [FEED])):
        compare.expectAgreement(got, want, "folded model")


@pytest.mark.parametrize("domain", ["", "ai.onnx"])
def test_a_function_with_the_name_of_an_operator(folder, domain):
    """Neg that computes Abs: ONNX Runtime negates. Such nodes are kept, and the function with them."""
    own = function("Neg", [node("Abs", ["a"], ["b"])], domain)
    model = withFunctions([own], [node("Neg", ["w"], ["n"]), node("Sqrt", ["w"], ["q"]), node("Sum", ["x", "n", "q"], ["y"])])
    out = foldedFile(folder, model)
    assert m.operators(out) == ["Neg", "Sum"], "operators"
    assert [one.name for one in out.functions] == ["Neg"], "functions"
    assert reasons(folder) == {"n": "no-kernel", "y": "input-not-constant", "b": "input-not-constant"}, "reasons"
    if not domain:
        sameOutputs(folder)


def test_what_such_a_function_calls_stays(folder):
    """Nobody knows whether the call in it happens: the other function gains no input for one of its calls."""
    own = function("Neg", [node("Scale", ["a"], ["b"], domain="my")])
    scale = function("Scale", [node("Mul", ["a", "k"], ["b"])], "my")
    scale.node.insert(0, node("Sqrt", ["four"], ["k"]))
    scale.node.insert(0, node("Constant", [], ["four"], value=const("", [4, 4, 4], np.float32)))
    nodes = [node("Neg", ["x"], ["n"]), node("Scale", ["n"], ["y"], domain="my")]
    out = foldedFile(folder, withFunctions([own, scale], nodes))
    assert m.operators(out) == ["Neg", "Scale"], "operators"
    assert [list(one.input) for one in out.functions] == [["a"], ["a"]], "inputs of functions"


def test_functions_that_are_named_as_later_operators(folder):
    """No operator Gelu is in opset 17: the function is called for sure, and folds."""
    own = helper.make_function("", "Gelu", ["a"], ["b"], [node("Sqrt", ["a"], ["b"])], [helper.make_opsetid("", 17)])
    model = m.model(
        [node("Gelu", ["w"], ["n"]), node("Add", ["x", "n"], ["y"])], [X], [Y], [const("w", [4, 9, 16], np.float32)],
        opset=17, ir=8, functions=[own],
    )  # fmt: skip
    out = foldedFile(folder, model)
    assert m.operators(out) == ["Add"], "operators"
    m.expectValue(out.graph, "n", [2, 3, 4])


def test_verification_leaves_them_out(folder):
    own = function("Neg", [node("Abs", ["a"], ["b"])])
    onnx.save(withFunctions([own], [node("Neg", ["w"], ["n"]), node("Add", ["x", "n"], ["y"])]), folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", "--verify")
    assert [one["code"] for one in report["verify"]["not_run"]][:1] == ["no-kernel"], f"not run: {report['verify']}"


@pytest.mark.parametrize("seed", range(6))
def test_any_operator_as_a_function(folder, seed):
    """Random operators of one input, as functions that compute another one."""
    rng = np.random.default_rng(t.options.seed + seed)
    for _ in range(40 if t.options.long else 4):
        names = list(rng.choice(["Neg", "Abs", "Sqrt", "Exp", "Floor", "Ceil", "Sign", "Relu"], 4, replace=False))
        own = [function(names[0], [node(names[1], ["a"], ["b"])])]
        if rng.integers(2):
            own.append(function(names[1], [node(names[2], ["a"], ["b"])]))
        nodes, last = [], "w"
        for i in range(6):
            nodes.append(node(str(rng.choice(names)), [last if rng.integers(3) else "x"], [f"v{i}"]))
            last = f"v{i}"
        nodes.append(node("Add", ["x", last], ["y"]))
        out = foldedFile(folder, withFunctions(own, nodes))
        mine = {one.name for one in own}
        before = [one.op_type for one in nodes if one.op_type in mine]
        used = [one.op_type for one in out.graph.node if one.op_type in mine]
        assert set(used) <= set(before), "functions that are called"
        # (ONNX Runtime takes the operator, so what it computes of both is the same.)
        sameOutputs(folder)
