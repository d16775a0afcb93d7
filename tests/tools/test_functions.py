# SPDX-License-Identifier: Apache-2.0
"""Functions of the model: constants fold once for all calls, and none is copied; the only call of a function is its body."""

import numpy as np
import onnx
from onnx import helper

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

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


def test_a_folded_constant_is_stored_once_for_two_calls(folder):
    """16 KB of a body that is called twice are stored once, and both calls pass them."""
    body = [
        node("Constant", [], ["w"], value=const("", W)),
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("MatMul", ["a", "t"], ["b"]),
    ]
    model = calls([function("F", ["a"], body)], [call("F", ["x"], "h"), call("F", ["h"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert [one.op_type for one in out.functions[0].node] == ["MatMul"], "nodes of the body"
    [weight] = out.graph.initializer
    assert (m.constantValue(out.graph, weight.name) == W.T).all(), "the constant is the transposed one"
    assert [list(one.input) for one in out.graph.node] == [["x", weight.name], ["h", weight.name]], "calls"
    assert sizeOf(out) < W.nbytes + 1000, f"{sizeOf(out)} bytes for one constant of {W.nbytes}"


def test_tied_weights_that_are_passed_are_not_copied(folder):
    """What folds for this weight does so once, for both calls, and its own bytes go."""
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)], [call("F", ["x", "w"], "h"), call("F", ["h", "w"], "y")], [const("w", W)]
    )
    out = cleaned(folder, model, feeds=[FEED])
    [weight] = out.graph.initializer
    assert (m.constantValue(out.graph, weight.name) == W.T).all(), "the initializer is the transposed one"
    assert [one.op_type for one in out.functions[0].node] == ["MatMul"], "nodes of the body"
    assert sizeOf(out) <= sizeOf(model), f"{sizeOf(out)} bytes of {sizeOf(model)}"


def test_different_constants_keep_one_body(folder):
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)],
        [call("F", ["x", "w"], "h"), call("F", ["h", "v"], "y")],
        [const("w", W), const("v", V)],
    )
    out = cleaned(folder, model, feeds=[FEED])
    assert [one.name for one in out.functions] == ["F"], "functions"
    assert [one.op_type for one in out.functions[0].node] == ["MatMul"], "nodes of the body"
    passed = [m.constantValue(out.graph, one.input[1]) for one in out.graph.node]
    assert (passed[0] == W.T).all() and (passed[1] == V.T).all(), "each call passes its own"
    assert sizeOf(out) <= sizeOf(model), f"{sizeOf(out)} bytes of {sizeOf(model)}"


def test_what_is_folded_outside_is_passed(folder):
    """A call reads the folded value under its name; two calls the same one."""
    body = [node("MatMul", ["a", "w"], ["b"])]
    model = calls(
        [function("F", ["a", "w"], body)],
        [node("Transpose", ["w"], ["t"], perm=[1, 0]), call("F", ["x", "t"], "h"), call("F", ["h", "t"], "y")],
        [const("w", W)],
    )
    out = cleaned(folder, model, feeds=[FEED])
    assert (m.operators(out), m.initializerNames(out)) == (["F", "F"], ["t"]), "nodes and initializers"
    assert (m.constantValue(out.graph, "t") == W.T).all(), "the value is the transposed one"


def test_constants_below_a_call(folder):
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
    assert [one.name for one in out.functions] == ["F", "G"], "functions"
    assert [one.op_type for one in out.functions[0].node] == ["Constant", "Add"], "nodes of the inner body"
    assert m.constantValue(out.functions[0], "four") == np.float32(4), "the constant"


def transposed(output="b"):
    return [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], [output])]


def test_the_only_call_with_a_constant_that_folds(folder):
    """Its body stands in its place, under new names, and the function is erased."""
    model = calls(
        [function("F", ["a", "w"], transposed())], [node("Neg", ["x"], ["t"]), call("F", ["t", "w"], "y")], [const("w", W)]
    )
    out = cleaned(folder, model, feeds=[FEED])
    assert (m.operators(out), len(out.functions)) == (["Neg", "MatMul"], 0), "nodes and functions"
    assert len(out.graph.initializer) == 1, "initializers"
    off = cleaned(folder, model, "--disable=constant-call", feeds=[FEED])
    assert m.operators(off) == ["Neg", "F"], "operators with --disable=constant-call"
    for skipped in ("op:F", "op:Transpose"):
        off = cleaned(folder, model, f"--skip={skipped}", feeds=[FEED])
        assert m.operators(off) == ["Neg", "F"], f"operators with --skip={skipped}"


def test_calls_that_stay(folder):
    """Nothing folds. Another opset with the same operators, a reference to an attribute, and a call inside, are no reason."""
    w = [const("w", W)]
    other = function("F", ["a", "w"], transposed())
    other.opset_import[0].version = 22
    axis = node("Transpose", ["w"], ["t"])
    axis.attribute.append(onnx.AttributeProto(name="perm", ref_attr_name="perm", type=onnx.AttributeProto.INTS))
    refers = helper.make_function(
        "own", "F", ["a", "w"], ["b"], [axis, node("MatMul", ["a", "t"], ["b"])], [helper.make_opsetid("", 21)], ["perm"]
    )
    withPerm = node("F", ["x", "w"], ["y"], domain="own", perm=[1, 0])
    nested = helper.make_function(
        "own",
        "F",
        ["a", "w"],
        ["b"],
        [node("Transpose", ["w"], ["t"], perm=[1, 0]), call("G", ["a", "t"], "b")],
        [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)],
    )
    product = function("G", ["a", "w"], [node("MatMul", ["a", "w"], ["b"])])
    usual = call("F", ["x", "w"], "y")
    for name, model, left in (
        ("nothing", calls([function("F", ["a", "w"], [node("MatMul", ["a", "w"], ["b"])])], [usual], w), "F"),
        ("opset", calls([other], [usual], w), "MatMul"),
        ("reference", calls([refers], [withPerm], w), "MatMul"),
        ("call", calls([product, nested], [usual], w), "G"),
    ):
        place = folder / name
        place.mkdir()
        assert m.operators(cleaned(place, model, feeds=[FEED])) == [left], f"operators of '{name}'"


def test_results_of_a_call(folder):
    """What is copied, what folds, one value twice; some are outputs of the graph."""
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["p"])]
    body += [node("Identity", ["p"], ["p2"]), node("Identity", ["a"], ["a2"])]
    many = helper.make_function("own", "F", ["a", "w"], ["a2", "t", "p", "p2"], body, [helper.make_opsetid("", 21)])
    names = ["r0", "r1", "r2", "r3"]
    outputs = [info(name, (64, 64)) for name in names]
    model = calls([many], [node("F", ["x", "w"], names, domain="own")], [const("w", W)], outputs)
    cleaned(folder, model, feeds=[FEED])
    place = folder / "inside"
    place.mkdir()
    model = calls([many], [node("F", ["x", "w"], names, domain="own"), node("Sum", names, ["y"])], [const("w", W)])
    out = cleaned(place, model, feeds=[FEED])
    assert m.operators(out) == ["MatMul", "Sum"], "operators"


def test_another_call_in_a_branch_that_goes(folder):
    """Then this one is the only one, in the same run."""
    branches = {
        "then_branch": m.graph([node("Neg", ["h"], ["p"])], [], [info("p", (64, 64))], name="t"),
        "else_branch": m.graph([call("F", ["h", "w"], "q")], [], [info("q", (64, 64))], name="e"),
    }
    model = calls(
        [function("F", ["a", "w"], transposed())],
        [call("F", ["x", "w"], "h"), node("If", ["yes"], ["y"], **branches)],
        [const("w", W), const("yes", np.array(True))],
    )
    out = cleaned(folder, model, feeds=[FEED])
    assert m.operators(out) == ["MatMul", "Neg"], "operators"


def test_a_call_in_a_function(folder):
    """The outer function passes a constant of its own."""
    outer = helper.make_function(
        "own",
        "G",
        ["a"],
        ["b"],
        [node("Constant", [], ["w"], value=const("", W)), call("F", ["a", "w"], "b")],
        [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)],
    )
    model = calls([function("F", ["a", "w"], transposed()), outer], [call("G", ["x"], "h"), call("G", ["h"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert [one.name for one in out.functions] == ["G"], "functions"
    assert [one.op_type for one in out.functions[0].node] == ["MatMul"], "nodes"
    [weight] = out.graph.initializer
    assert (m.constantValue(out.graph, weight.name) == W.T).all(), "calls pass the transposed constant"


def test_attributes_with_defaults(folder):
    """b = a + LeakyRelu(k * factor, slope) for a constant k: a call that leaves attributes out has the defaults, which stand in
    the function alone. Nothing of it folded. (The body of an only call stands in its place.)"""
    body = [
        node("Constant", [], ["c"]),
        node("Mul", ["k", "c"], ["kc"]),
        node("LeakyRelu", ["kc"], ["l"]),
        node("Add", ["a", "l"], ["b"]),
    ]
    for at, name, parameter in ((0, "value_float", "factor"), (2, "alpha", "slope")):
        body[at].attribute.add(name=name, ref_attr_name=parameter, type=onnx.AttributeProto.FLOAT)
    defaults = [helper.make_attribute("slope", 0.5), helper.make_attribute("factor", 3.0)]
    imports = [helper.make_opsetid("", 21)]
    k = -np.arange(6, dtype=np.float32).reshape(2, 3)
    for number, attributes in enumerate(
        ([{}], [{}, {}], [{"factor": 2.0}], [{}, {"slope": 0.25}], [{"factor": 1.0, "slope": 2.0}, {"factor": 4.0}])
    ):
        place = folder / str(number)
        place.mkdir()
        nodes = [
            node("F", [f"v{i}" if i else "x", "k"], [f"v{i + 1}"], domain="own", **given) for i, given in enumerate(attributes)
        ]
        nodes.append(node("Relu", [f"v{len(attributes)}"], ["y"]))
        functions = [helper.make_function("own", "F", ["a", "k"], ["b"], body, imports, [], defaults)]
        model = m.model(nodes, [m.info("x")], [m.info("y")], [m.const("k", k)], domains=[("own", 1)], functions=functions)
        out = m.folded(place, model, feeds=[{"x": 40 + k}])
        nodes = out.functions[0].node if len(attributes) > 1 else out.graph.node[:-1]
        left = [one.op_type for one in nodes if one.op_type != "Constant"]
        assert left == ["Add"], f"operators of the function for calls with {attributes}"


def diverging(second, body=None, functions=()):
    """F(x, w) = x * transposed w, with a constant w, and what `second` is."""
    body = body or [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    nodes = [call2("x", "w", "h"), node("Abs", ["x"], ["v"]), call2("h", second, "y")]
    return calls([function("F", ["a", "w"], body), *functions], nodes, [const("w", W), const("k", V)])


def call2(first, second, output):
    return node("F", [first, second], [output], domain="own")


def test_calls_that_diverge(folder):
    """A constant for one call, and none for the other: lifted it cannot be. One node is left of the first call."""
    out = cleaned(folder, diverging("v"), feeds=[FEED])
    assert m.operators(out) == ["MatMul", "Abs", "F"], "operators"
    assert (m.constantValue(out.graph, out.graph.node[0].input[1]) == W.T).all(), "the constant is the transposed one"
    assert len(out.functions[0].node) == 2, "nodes of the function"
    off = cleaned(folder, diverging("v"), "--disable=constant-call", feeds=[FEED])
    assert m.operators(off) == ["F", "Abs", "F"], "operators with --disable=constant-call"


def test_calls_that_diverge_and_stay(folder):
    """Where all calls pass constants these are lifted; two nodes are more than a call; where nothing folds nothing is gained."""
    two = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["c"]), node("Neg", ["c"], ["b"])]
    none = [node("MatMul", ["a", "w"], ["b"])]
    for name, model, functions in (
        ("all", diverging("k"), ["MatMul"]),
        ("two", diverging("v", two), ["Transpose", "MatMul", "Neg"]),
        ("none", diverging("v", none), ["MatMul"]),
    ):
        place = folder / name
        place.mkdir()
        out = cleaned(place, model, feeds=[FEED])
        assert m.operators(out).count("F") == 2, f"calls of {name}"
        assert [one.op_type for one in out.functions[0].node] == functions, f"nodes of the function of {name}"
