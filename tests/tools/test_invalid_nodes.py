# SPDX-License-Identifier: Apache-2.0
"""Nodes of the standard that break it are kept, and what is said of them is what is wrong with them."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_testing as t
from bad_cases import put

node = helper.make_node
C = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3), "c")
COND = numpy_helper.from_array(np.array(True), "cond")


def branch(name):
    return helper.make_graph([node("Abs", ["c"], [name])], name, [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)])


def modelOf(first, opset=17, domains=(), functions=(), outputs=("y",)):
    """`first` makes 'a' of constants; a node that is right reads it."""
    nodes = [*first, node("Mul", ["a", "x"], ["y"])]
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in outputs]
    graph = helper.make_graph(nodes, "g", infos, results, [C, COND])
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(*one) for one in domains]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)


def reasonsOf(model, folder, *flags):
    path = put(folder, model.SerializeToString())
    report = t.foldWithReport(path, folder / "out.onnx", *flags)
    return {one["outputs"][0]: one["reason"] for one in report["nodes"]}, report["warnings"]


BROKEN = {  # what 'a' is made by, the text
    "absent": (node("Add", ["c", ""], ["a"]), "breaks Add-14: input #1 ('B') is absent, expected a value"),
    "few": (node("Add", ["c"], ["a"]), "breaks Add-14: has 1 inputs, expected 2"),
    "many": (node("Abs", ["c"], ["a", "b"]), "breaks Abs-13: has 2 outputs, expected 1"),
    "unknown attribute": (node("Abs", ["c"], ["a"], foo=1), "breaks Abs-13: has an attribute 'foo', which is not one of Abs-13"),
    "no attribute": (node("Concat", ["c", "c"], ["a"]), "breaks Concat-13: has no attribute 'axis', which is required"),
    "kind": (node("Concat", ["c", "c"], ["a"], axis=1.0), "breaks Concat-13: attribute 'axis' is "),
    "no branch": (node("If", ["cond"], ["a"], then_branch=branch("q")), "breaks If-16: has no graph 'else_branch', which is required"),
    "no value": (node("Constant", [], ["a"]), "breaks Constant-13: has no value of a known kind"),
    "not constant": (node("Add", ["x"], ["a"]), "breaks Add-14: has 1 inputs, expected 2"),
    "overload": (node("Abs", ["c"], ["a"], overload="o"), "has the overload 'o', expected none of Abs-13"),
    "later": (node("Mish", ["c"], ["a"]), "opset 17 of domain 'ai.onnx' has no operator 'Mish', opset 18 has one"),
    "no import": (node("Scaler", ["c"], ["a"], domain="ai.onnx.ml"), "the model has no opset_import of domain 'ai.onnx.ml'"),
    "no import of another": (node("Gelu", ["c"], ["a"], domain="com.microsoft"), "the model has no opset_import of domain 'com.microsoft'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_invalid_node_is_not_called_custom(folder, name):
    """Of a Resize without its roi the report said: "domain '' has no operator 'Resize' that is known here"."""
    broken, text = BROKEN[name]
    reasons, warnings = reasonsOf(modelOf([broken]), folder)
    assert reasons["a"]["code"] == "invalid" and reasons["a"]["text"].startswith(text), f"reason: {reasons['a']}"
    folded = onnx.load(folder / "out.onnx")
    assert [one.op_type for one in folded.graph.node] == [broken.op_type, "Mul"], "the node is kept as it was"
    if text.startswith("breaks") and name != "no value":
        assert any(f"node 'a' ({broken.op_type}) is kept: {text}" in one for one in warnings), f"no warning: {warnings}"


UNKNOWN = {  # near misses: these break nothing that is known here
    "own": (node("F", ["c"], ["a"], domain="acme"), "no-kernel", "domain 'acme' has no operator 'F' that is known here"),
    "no such": (node("relu", ["c"], ["a"]), "no-kernel", "domain 'ai.onnx' has no operator 'relu' that is known here"),
    "contributed": (node("F", ["c"], ["a"], domain="com.microsoft"), "no-kernel", "domain 'com.microsoft' has no operator 'F'"),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_operators_stay_unknown(folder, name):
    unknown, code, text = UNKNOWN[name]
    reasons, warnings = reasonsOf(modelOf([unknown], domains=[("acme", 1), ("com.microsoft", 1)]), folder)
    assert reasons["a"]["code"] == code and reasons["a"]["text"].startswith(text), f"reason: {reasons['a']}"
    likely = [f"node 'a' (relu) is kept: {text}, expected one of its operators, such as 'Relu'"] if name == "no such" else []
    assert len(warnings) == len(likely) and all(said in one for said, one in zip(likely, warnings)), f"warnings: {warnings}"


def test_misspelled_operators(folder):
    """Nothing warned of a Reluu of ai.onnx. Each name is said once, and in domains of the standard only; without near names none is."""
    nodes = [node("Reluu", ["c"], ["u"]), node("Reluu", ["c"], ["v"]), node("Scalerr", ["c"], ["w"], domain="ai.onnx.ml"), node("Frobnicator", ["c"], ["a"])]
    _, warnings = reasonsOf(modelOf(nodes, domains=[("ai.onnx.ml", 3)]), folder)
    domain = "has no operator '{}' that is known here"
    assert [one.split(": ", 1)[1] for one in warnings] == [
        "node 'u' (Reluu) is kept: domain 'ai.onnx' " + domain.format("Reluu") + ", expected one of its operators, such as 'Relu', 'Celu', 'Elu'",
        "node 'w' (Scalerr) is kept: domain 'ai.onnx.ml' " + domain.format("Scalerr") + ", expected one of its operators, such as 'Scaler'",
        "node 'a' (Frobnicator) is kept: domain 'ai.onnx' " + domain.format("Frobnicator"),
    ]


def test_names_that_something_knows(folder):
    """Near misses: a function of the model or of a library, a schema, an operator of ONNX Runtime, and an opset of later days."""
    function = helper.make_function("", "Reluu", ["p"], ["q"], [node("Relu", ["p"], ["q"])], [helper.make_opsetid("", 17)])
    misspelled = modelOf([node("Reluu", ["c"], ["a"])])
    (folder / "own.json").write_text(json.dumps({"domains": {"": {"Reluu": {}}}}))
    library = helper.make_model(helper.make_graph([], "g", [], []), functions=[function], opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.save(library, folder / "library.onnx")
    scale = numpy_helper.from_array(np.ones(3, np.float32), "s")
    runtimes = modelOf([node("SimplifiedLayerNormalization", ["x", "s"], ["a"])])
    runtimes.graph.initializer.append(scale)
    for model, flags in (
        (modelOf([node("Reluu", ["c"], ["a"])], functions=[function]), []),
        (misspelled, [f"--schemas={folder / 'own.json'}"]),
        (misspelled, [f"--schemas={folder / 'library.onnx'}"]),
        (runtimes, []),
        (modelOf([node("Reluu", ["c"], ["a"])], 999), []),
    ):
        _, warnings = reasonsOf(model, folder, *flags)
        assert not any("Reluu" in one or "Simplified" in one for one in warnings), f"warnings: {warnings}"


def test_newer_opsets_are_no_custom_operators(folder):
    for first, opset, domains in (
        (node("Abs", ["c"], ["a"]), 999, ()),
        (node("Scaler", ["c"], ["a"], domain="ai.onnx.ml"), 17, [("ai.onnx.ml", 99)]),
        (node("Gelu", ["c"], ["a"], domain="com.microsoft"), 17, [("com.microsoft", 2)]),
    ):
        reasons, _ = reasonsOf(modelOf([first], opset, domains), folder)
        assert reasons["a"]["code"] == "unknown-version", f"reason: {reasons['a']}"
        assert "is newer than" in reasons["a"]["text"], f"reason: {reasons['a']}"


def test_constant_of_a_parameter_is_not_unknown(folder):
    """Near miss: a Constant whose value is an attribute of the function around it."""
    function = helper.make_function("acme", "F", ["p"], ["q"], [], [helper.make_opsetid("", 17)], ["alpha"])
    constant = node("Constant", [], ["k"])
    constant.attribute.add(name="value_float", ref_attr_name="alpha", type=onnx.AttributeProto.FLOAT)
    function.node.extend([constant, node("Mul", ["p", "k"], ["q"])])
    call = node("F", ["x"], ["a"], domain="acme", alpha=2.0)
    reasons, warnings = reasonsOf(modelOf([call], domains=[("acme", 1)], functions=[function]), folder, "-O0")
    assert reasons["k"]["text"] == "an attribute is a parameter of the function", f"reasons: {reasons}"
    assert not warnings, f"warnings: {warnings}"


def test_each_kind_of_fault_is_one_warning(folder):
    nodes = [node("Add", ["c"], [f"u{i}"]) for i in range(50)] + [node("Abs", ["c"], ["a"])]
    _, warnings = reasonsOf(modelOf(nodes), folder)
    assert len([one for one in warnings if "breaks Add-14" in one]) == 1, f"warnings: {warnings}"


@pytest.mark.parametrize("opset", [9, 10, 12, 13, 18])
def test_target_opset_does_not_let_invalid_nodes_pass(folder, opset):
    """Resize-11 without its roi became a custom operator, which opset 9 does not know, so the conversion to it succeeded."""
    model = modelOf([node("Resize", ["c", "", "s"], ["a"])], opset=11)
    model.graph.initializer.append(numpy_helper.from_array(np.ones(2, np.float32), "s"))
    path = put(folder, model.SerializeToString())
    result = t.run(f"--target-opset={opset}", "-o", folder / "out.onnx", path)
    assert result.code == 1 and not (folder / "out.onnx").exists(), str(result)
    assert "node 'a' (Resize): breaks Resize-11: input #1 ('roi') is absent" in result.err, result.err
    t.runOk("--target-opset=11", "--quiet", "-o", folder / "out.onnx", path)  # near miss: nothing is to be converted


def test_invalid_constant_is_not_converted(folder):
    path = put(folder, modelOf([node("Constant", [], ["a"])], opset=13).SerializeToString())
    result = t.run("--target-opset=17", "-o", folder / "out.onnx", path)
    assert result.code == 1 and "breaks Constant-13" in result.err, str(result)


def test_verify_compares_what_is_beside_an_invalid_node(folder):
    """No inputs make it run, so its results are made up, as those of an unknown operator are."""
    model = modelOf([node("Abs", ["c"], ["a"], foo=1), node("Add", ["c", "c"], ["d"])], outputs=("y", "d"))
    path = put(folder, model.SerializeToString())
    result = t.runOk("--verify", "--messages=json", "-o", folder / "out.onnx", path)
    report = next(one for one in map(json.loads, result.err.splitlines()) if one["kind"] == "report")["report"]
    compared = {one["name"]: one["equal"] for one in report["verify"]["compared"]}
    assert compared == {"output 'y'": True, "output 'd'": True, "input #0 of Abs 'a'": True}, f"compared: {report['verify']}"
