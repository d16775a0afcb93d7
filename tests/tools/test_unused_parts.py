# SPDX-License-Identifier: Apache-2.0
"""Functions that no node calls, and imports of operator sets without nodes, go."""

import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import info, node

X, Y = info("x"), info("y")


def function(name, nodes, domain="test", imports=(("", 21),)):
    return helper.make_function(
        domain, name, ["a"], ["b"], nodes, [helper.make_opsetid(key, version) for key, version in imports]
    )


def namesOf(model):
    return [f.name for f in model.functions]


def importsOf(model):
    return sorted(entry.domain for entry in model.opset_import)


def test_functions_that_nothing_calls(folder):
    """Also those that only such functions call; what a body or a function calls is kept."""
    functions = [
        function("Called", [node("Inner", ["a"], ["b"], domain="test")], imports=(("", 21), ("test", 1))),
        function("Inner", [node("Exp", ["a"], ["b"])]),
        function("InBranch", [node("Neg", ["a"], ["b"])]),
        function("Dead", [node("OfDead", ["a"], ["b"], domain="test")], imports=(("", 21), ("test", 1))),
        function("OfDead", [node("Abs", ["a"], ["b"])]),
    ]
    then = m.graph([node("InBranch", ["x"], ["p"], domain="test")], [], [info("p")])
    otherwise = m.graph([node("Abs", ["x"], ["q"])], [], [info("q")])
    nodes = [
        node("Called", ["x"], ["y"], domain="test"),
        node("If", ["flag"], ["z"], then_branch=then, else_branch=otherwise),
    ]
    flag = info("flag", (), TensorProto.BOOL)
    model = m.model(nodes, [X, flag], [Y, info("z")], domains=[("test", 1)], functions=functions)
    assert namesOf(m.folded(folder, model)) == ["Called", "Inner", "InBranch"], "functions"


def test_function_whose_only_call_folds(folder):
    """What it computes is a constant then, and its domain is needed no more."""
    nodes = [node("Gone", ["x"], ["h"], domain="test"), node("Shape", ["h"], ["s"]), node("Exp", ["x"], ["y"])]
    functions = [function("Gone", [node("Exp", ["a"], ["b"])])]
    model = m.model(nodes, [X], [Y], domains=[("test", 1)], functions=functions)
    out = m.folded(folder, model)
    assert (namesOf(out), importsOf(out)) == ([], [""]), "functions and imports"


def test_overloads_are_different_functions(folder):
    functions = [function("F", [node("Exp", ["a"], ["b"])]), function("F", [node("Neg", ["a"], ["b"])])]
    functions[0].overload, functions[1].overload = "one", "two"
    call = node("F", ["x"], ["y"], domain="test")
    call.overload = "two"
    model = m.model([call], [X], [Y], domains=[("test", 1)], functions=functions)
    out = m.folded(folder, model, runs=False)
    assert [f.overload for f in out.functions] == ["two"], "overloads"


def test_imports_without_nodes(folder):
    """Those of nodes, in bodies too, of functions, and of what functions use are kept; so is ai.onnx."""
    functions = [function("F", [node("Inner", ["a"], ["b"], domain="other")], imports=(("other", 3),))]
    domains = [("test", 1), ("other", 3), ("ai.onnx.ml", 4), ("com.acme", 7)]
    model = m.model([node("F", ["x"], ["y"], domain="test")], [X], [Y], domains=domains, functions=functions)
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert importsOf(out) == ["", "other", "test"], "imports"


def test_one_import_is_left(folder):
    """The checker refuses a model that imports nothing, also if nothing is left of it."""
    scaler = node("Scaler", ["c"], ["y"], domain="ai.onnx.ml", offset=[1.0], scale=[2.0])
    model = m.model([scaler], [], [Y], [m.const("c", [[1, 2, 3], [4, 5, 6]], "float32")], domains=[("ai.onnx.ml", 4)])
    del model.opset_import[0]
    out = m.folded(folder, model, runs=False)
    assert (m.operators(out), importsOf(out)) == ([], ["ai.onnx.ml"]), "operators and imports"


def test_what_is_asked_for_stays(folder):
    functions = [function("Dead", [node("Abs", ["a"], ["b"])])]
    model = m.model([node("Exp", ["x"], ["y"])], [X], [Y], domains=[("test", 1)], functions=functions)
    onnx.save(model, folder / "model.onnx")
    for flags in (["-O0"], ["--disable=unused-node"], ["--skip=*"], ["--only=op:Relu"]):
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", f"output with {flags}")


def test_training_keeps_all(folder):
    functions = [function("Dead", [node("Abs", ["a"], ["b"])])]
    model = m.model([node("Exp", ["x"], ["y"])], [X], [Y], domains=[("test", 1)], functions=functions)
    model.training_info.add().algorithm.CopyFrom(m.graph([node("Dead", ["x"], ["w"], domain="test")], [], [info("w")]))
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert (namesOf(out), importsOf(out)) == (["Dead"], ["", "test"]), "functions and imports"
