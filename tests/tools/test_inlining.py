# SPDX-License-Identifier: Apache-2.0
"""Branches of an If with a known condition stand in its place: names, outputs, what nodes say beside their operators."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

X = info("x", ("n", 3))
YES, NO = const("yes", np.array(True)), const("no", np.array(False))
K = const("k", np.array([1, 2, 3], np.float32))


def branch(nodes, outputs, constants=()):
    return m.graph(nodes, [], [info(name, ("n", 3)) for name in outputs], constants, name="branch")


def choice(then, otherwise, outputs, condition="yes", name="choice"):
    return node("If", [condition], outputs, name=name, then_branch=then, else_branch=otherwise)


def taken(nodes, outputs, *, results, constants=(), more=(), graphOutputs=None, **how):
    """A model whose If takes a branch of these nodes; the other one gives x for each result."""
    other = branch([node("Identity", ["x"], [f"o{k}"]) for k in range(len(results))], [f"o{k}" for k in range(len(results))])
    nodes = [choice(branch(nodes, outputs, constants), other, results), *more]
    return m.model(nodes, [X], graphOutputs or [info(name, ("n", 3)) for name in results], [YES], **how)


def test_nodes_keep_their_bytes(folder):
    """Doc strings, unknown fields, attributes: only names that must change do."""
    inner = node("Add", ["x", "k"], ["a"], name="inside", doc_string="said about it")
    inner.MergeFromString(bytes([0xFA, 0x3F, 3]) + b"odd")  # field 1023
    out = m.folded(folder, taken([inner, node("Exp", ["a"], ["b"])], ["b"], results=["y"], constants=[K]))
    assert m.operators(out) == ["Add", "Exp"], "operators"
    inner.output[0] = out.graph.node[0].output[0]
    assert out.graph.node[0].SerializeToString() == inner.SerializeToString(), "the node that was inside"
    assert list(out.graph.node[1].output) == ["y"], "outputs of the last node"


def test_both_branches(folder):
    for number, (condition, expected) in enumerate((("yes", "Exp"), ("no", "Neg"))):
        place = folder / condition
        place.mkdir()
        then = branch([node("Exp", ["x"], ["a"])], ["a"])
        otherwise = branch([node("Neg", ["x"], ["a"])], ["a"])
        model = m.model([choice(then, otherwise, ["y"], condition)], [X], [info("y", ("n", 3))], [YES, NO])
        assert m.operators(m.folded(place, model)) == [expected], f"operators with {condition}"


def test_outputs_of_every_kind(folder):
    """A node's, one node's twice, an initializer of the branch, an outer value, a graph input."""
    nodes = [node("Exp", ["x"], ["a"])]
    results = ["first", "second", "constant", "outer", "given"]
    then = branch([*nodes], ["a", "a", "k", "before", "x"], [K])
    other = branch([node("Identity", ["x"], [f"o{k}"]) for k in range(5)], [f"o{k}" for k in range(5)])
    shapes = {"constant": (3,)}
    outputs = [info(name, shapes.get(name, ("n", 3))) for name in results]
    model = m.model([node("Abs", ["x"], ["before"]), choice(then, other, results)], [X], outputs, [YES])
    out = m.folded(folder, model, runs=False)  # ONNX Runtime refuses a branch that gives one value twice
    feed = {"x": np.array([[1, -2, 3]], np.float32)}
    for got, want in zip(ReferenceEvaluator(out).run(None, feed), ReferenceEvaluator(model).run(None, feed)):
        assert np.array_equal(got, want), f"result is {got}, expected {want}"
    assert "If" not in m.operators(out), f"operators are {m.operators(out)}"
    assert [value.name for value in out.graph.output] == results, "outputs"


def test_initializer_that_two_branches_give(folder):
    """onnx-simplifier 0.4.33 lost the name of an initializer that a branch gives."""
    then, otherwise = branch([], ["k"], [K]), branch([], ["k2"], [const("k2", np.zeros(3, np.float32))])
    model = m.model(
        [choice(then, otherwise, ["c"]), node("Add", ["x", "c"], ["y"])], [X], [info("y", ("n", 3))], [YES]
    )
    out = m.folded(folder, model)
    assert m.operators(out) == ["Add"], "operators"


def test_names_that_clash(folder):
    """Names of the branch that its surroundings have too, and those in bodies of other nodes."""
    inside = [node("Exp", ["x"], ["other"]), node("Neg", ["other"], ["last"])]
    then = branch(inside, ["last"])
    otherwise = branch([node("Identity", ["x"], ["o"])], ["o"])
    second = choice(
        branch([node("Abs", ["x"], ["other"])], ["other"]),
        branch([node("Sign", ["x"], ["o2"])], ["o2"]),
        ["z"],
        "flag",
        "second",
    )
    model = m.model(
        [choice(then, otherwise, ["y"]), second],
        [X, info("flag", (), TensorProto.BOOL)],
        [info("y", ("n", 3)), info("z", ("n", 3))],
        [YES],
    )
    out = m.folded(folder, model)
    assert [n.op_type for n in out.graph.node] == ["Exp", "Neg", "If"], "operators"


def test_ifs_in_ifs(folder):
    """The inner one is known too, or is kept with the names that its bodies read."""
    for number, flag in enumerate(("yes", "flag")):
        place = folder / flag
        place.mkdir()
        inner = choice(
            branch([node("Neg", ["a"], ["p"])], ["p"]),
            branch([node("Abs", ["x"], ["q"]), node("Relu", ["q"], ["r"])], ["r"]),
            ["s"],
            flag,
            "inner",
        )
        then = branch([node("Add", ["x", "k"], ["a"]), inner], ["a", "s"], [K])
        other = branch([node("Identity", ["x"], ["o0"]), node("Identity", ["x"], ["o1"])], ["o0", "o1"])
        model = m.model(
            [choice(then, other, ["y", "z"])],
            [X, info("flag", (), TensorProto.BOOL)],
            [info("y", ("n", 3)), info("z", ("n", 3))],
            [YES],
        )
        out = m.folded(place, model)
        expected = ["Add", "Neg"] if flag == "yes" else ["Add", "If"]
        assert [n.op_type for n in out.graph.node] == expected, f"operators with {flag}"


def test_branches_in_loops(folder):
    """In the body of a loop that is kept."""
    then = branch([node("Exp", ["s0"], ["e"])], ["e"])
    otherwise = branch([node("Neg", ["s0"], ["f"])], ["f"])
    body = m.graph(
        [choice(then, otherwise, ["n"]), node("Identity", ["go"], ["again"])],
        [info("i", (), TensorProto.INT64), info("go", (), TensorProto.BOOL), info("s0", ("n", 3))],
        [info("again", (), TensorProto.BOOL), info("n", ("n", 3))],
        name="body",
    )
    loop = node("Loop", ["count", "yes", "x"], ["y"], body=body)
    model = m.model([loop], [X, info("count", (), TensorProto.INT64)], [info("y", ("n", 3))], [YES])
    out = m.folded(folder, model)
    assert [n.op_type for n in out.graph.node[0].attribute[0].g.node] == ["Exp", "Identity"], "operators of the body"


def test_equal_nodes_inside_and_outside_are_one(folder):
    model = taken(
        [node("Exp", ["x"], ["a"]), node("Neg", ["a"], ["b"])],
        ["b"],
        results=["y"],
        more=[node("Exp", ["x"], ["e"]), node("Add", ["e", "y"], ["z"])],
        graphOutputs=[info("z", ("n", 3))],
    )
    assert m.operators(m.folded(folder, model)) == ["Exp", "Neg", "Add"], "operators"


def test_protected_nodes_stay(folder):
    model = taken([node("Exp", ["x"], ["a"], name="precious")], ["a"], results=["y"])
    for flags in (["--skip=*precious"], ["--skip=choice"], ["--disable=constant-branch"], ["-O0"]):
        onnx.save(model, folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", f"output with {flags}")


def test_unknown_condition_stays(folder):
    then, otherwise = branch([node("Exp", ["x"], ["a"])], ["a"]), branch([node("Neg", ["x"], ["b"])], ["b"])
    flag = info("flag", (), TensorProto.BOOL)
    out = m.folded(folder, m.model([choice(then, otherwise, ["y"], "flag")], [X, flag], [info("y", ("n", 3))]))
    assert [n.op_type for n in out.graph.node] == ["If"], "operators"


def test_old_models_have_constant_nodes(folder):
    """Before IR version 4 an initializer would have to be an input."""
    nodes = [node("Constant", [], ["k"], value=K), node("Add", ["x", "k"], ["a"])]
    model = taken(nodes, ["a"], results=["y"], ir=3, opset=8)
    del model.graph.initializer[:]
    model.graph.node.insert(0, node("Constant", [], ["yes"], value=YES))
    out = m.folded(folder, model)
    assert [n.op_type for n in out.graph.node] == ["Constant", "Add"], "operators"


def test_functions_have_constant_nodes(folder):
    inside = branch([node("Add", ["x", "k"], ["a"])], ["a"], [K])
    other = branch([node("Identity", ["x"], ["o"])], ["o"])
    function = helper.make_function(
        "test", "Choose", ["x"], ["y"], [node("Constant", [], ["yes"], value=YES), choice(inside, other, ["y"])],
        [helper.make_opsetid("", 21)],
    )
    call = node("Choose", ["x"], ["z"], domain="test")
    model = m.model([call], [X], [info("z", ("n", 3))], domains=[("test", 1)], functions=[function])
    out = m.folded(folder, model)
    assert [n.op_type for n in out.functions[0].node] == ["Constant", "Add"], "operators of the function"


def test_report_says_where_nodes_stood(folder):
    onnx.save(taken([node("Exp", ["x"], ["a"], name="moved")], ["a"], results=["y"]), folder / "model.onnx")
    t.runOk(f"--report=json:{folder}/report.json", folder / "model.onnx", "-o", folder / "out.onnx")
    nodes = {n["name"]: n for n in json.loads((folder / "report.json").read_text())["nodes"]}
    assert nodes["moved"]["graph"] == "main_graph/choice/then_branch", "graph of the node that moved"
    assert nodes["moved"]["outputs"] == ["a"], "its outputs"
    assert (nodes["choice"]["action"], nodes["choice"]["reason"]["text"]) == ("removed", "constant-branch"), "the If"
