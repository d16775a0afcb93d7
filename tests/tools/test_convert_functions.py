# SPDX-License-Identifier: Apache-2.0
"""--convert in models whose layers are functions, as torch's exporter and onnxscript write them. ONNX Runtime is the judge."""

import json
from collections import Counter

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node

RANDOM = np.random.default_rng(4502)
F32, F16, I64, I32 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.INT32
OPSET = helper.make_opsetid("", 21)
LOCAL = helper.make_opsetid("local", 1)
FEED = {"x": RANDOM.standard_normal((2, 5, 8)).astype(np.float32)}


def reference(name, of, kind):
    attribute = onnx.AttributeProto()
    attribute.name, attribute.ref_attr_name, attribute.type = name, of, kind
    return attribute


def normalization():
    """A leaf whose epsilon is a parameter."""
    body = [node("LayerNormalization", ["v", "scale", "bias"], ["r"])]
    body[0].attribute.append(reference("epsilon", "eps", onnx.AttributeProto.FLOAT))
    return helper.make_function("local", "Norm", ["v", "scale", "bias"], ["r"], body, [OPSET], ["eps"])


def linear():
    body = [node("MatMul", ["v", "w"], ["p"]), node("Add", ["p", "b"], ["r"])]
    return helper.make_function("local", "Linear", ["v", "w", "b"], ["r"], body, [OPSET])


def block():
    """Calls both, and has a body."""
    then = helper.make_graph([node("Tanh", ["h"], ["a"])], "then", [], [m.info("a", (2, 5, 8))])
    other = helper.make_graph([node("Relu", ["h"], ["a"])], "else", [], [m.info("a", (2, 5, 8))])
    body = [
        node("Norm", ["v", "scale", "bias"], ["n"], domain="local", eps=1e-5),
        node("Linear", ["n", "w", "b"], ["h"], domain="local"),
        node("ReduceSum", ["h"], ["s"], keepdims=0),
        node("Constant", [], ["zero"], value_float=0.0),
        node("Less", ["s", "zero"], ["c"]),
        node("If", ["c"], ["i"], then_branch=then, else_branch=other),
        node("Add", ["i", "v"], ["r"]),
    ]
    return helper.make_function("local", "Block", ["v", "scale", "bias", "w", "b"], ["r"], body, [OPSET, LOCAL])


def deep(calls=3):
    """Three functions deep: a model of blocks, each with weights of its own."""
    nodes, weights, value = [], [], "x"
    for i in range(calls):
        names = [f"{part}{i}" for part in ("scale", "bias", "w", "b")]
        arrays = [np.ones(8), RANDOM.standard_normal(8), RANDOM.standard_normal((8, 8)), RANDOM.standard_normal(8)]
        weights += [m.const(name, array.astype(np.float32)) for name, array in zip(names, arrays)]
        nodes.append(node("Block", [value, *names], [f"v{i}"], domain="local"))
        value = f"v{i}"
    stack = helper.make_function("local", "Stack", ["x", *(each.name for each in weights)], [value], nodes, [OPSET, LOCAL])
    call = node("Stack", ["x", *(each.name for each in weights)], ["y"], domain="local")
    model = m.model([call], [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 8))], weights, domains=[("local", 1)])
    model.functions.extend([normalization(), linear(), block(), stack])
    return model


def convert(folder, source, *options, feed=FEED, tolerance=0.02):
    onnx.save(source, folder / "in.onnx")
    report = folder / "report.json"
    out = t.fold(folder / "in.onnx", folder / "out.onnx", f"--report=json:{report}", *options)
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *options), out, "a second run")
    onnx.checker.check_model(str(out), full_check=True)
    for got, want in zip(compare.outputs(out, [feed]), compare.outputs(folder / "in.onnx", [feed]), strict=True):
        compare.expectAgreement(got, want, "converted", tolerance)
    return onnx.load(out), json.loads(report.read_text())["conversion"]


def allNodes(model):
    pending = [*model.graph.node, *(each for function in model.functions for each in function.node)]
    while pending:
        each = pending.pop()
        yield each
        for attribute in each.attribute:
            for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                pending.extend(graph.node)


def counts(model):
    return Counter(each.op_type for each in allNodes(model))


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["-O2"]], ids="".join)
def test_three_deep(folder, flags):
    """All weights, and no Cast but at the edges and beside the constant that states its type."""
    result, report = convert(folder, deep(), "--convert=f32:f16", *flags)
    assert all(each.data_type == F16 for each in result.graph.initializer), report
    assert counts(result)["Cast"] == 2 and [each.type.tensor_type.elem_type for each in result.graph.input] == [F32]
    assert not report["kept"], report["kept"]


def test_interface(folder):
    onnx.save(deep(), folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "-O0", "--convert=f32:f16", "--convert-io", "--verify")
    result = onnx.load(out)
    assert counts(result)["Cast"] == 0 and result.graph.input[0].type.tensor_type.elem_type == F16
    compare.outputs(out, [{"x": FEED["x"].astype(np.float16)}])


def test_there_and_back(folder):
    source = deep()
    half, _ = convert(folder, source, "--convert=f32:f16", "-O0")
    back, _ = convert(folder, half, "--convert=f16:f32", "-O0")
    assert counts(back) == counts(source) and all(each.data_type == F32 for each in back.graph.initializer)


def two(first, second):
    """One function, called with two values."""
    function = helper.make_function("local", "Twice", ["v"], ["r"], [node("Add", ["v", "v"], ["r"])], [OPSET])
    nodes = [node("Cast", ["x"], ["a"], to=first), node("Cast", ["x"], ["b"], to=second)]
    nodes += [node("Twice", ["a"], ["p"], domain="local"), node("Twice", ["b"], ["q"], domain="local")]
    outputs = [m.info("p", (2, 5, 8), first), m.info("q", (2, 5, 8), second)]
    model = m.model(nodes, [m.info("x", (2, 5, 8))], outputs, domains=[("local", 1)])
    model.functions.append(function)
    return model


def test_calls_that_disagree(folder):
    result, report = convert(folder, two(F32, TensorProto.DOUBLE), "--convert=f32:f16", "-O0")
    assert counts(result) == {"Cast": 2, "Twice": 2, "Add": 1}
    assert "the function is called with values of several types" in [each["reason"] for each in report["kept"]]
    near, report = convert(folder, two(TensorProto.DOUBLE, TensorProto.DOUBLE), "--convert=f64:f32", "-O0")
    assert not report["kept"], "a near miss"


def test_a_call_that_is_skipped(folder):
    """What all calls share is one class: it stays as a whole, with the reason."""
    source = deep()
    result, report = convert(folder, source, "--convert=f32:f16", "--convert-skip=op:Norm", "-O0")
    assert counts(result)["Norm"] == 1
    assert any("--convert-skip" in each["reason"] for each in report["kept"])


def test_a_type_that_is_a_parameter(folder):
    """Cast(to=@kind): what it gives is not known in the function."""
    body = [node("Cast", ["v"], ["c"]), node("Neg", ["c"], ["r"])]
    body[0].attribute.append(reference("to", "kind", onnx.AttributeProto.INT))
    function = helper.make_function("local", "To", ["v"], ["r"], body, [OPSET], ["kind"])
    nodes = [node("To", ["x"], ["y"], domain="local", kind=F32), node("To", ["x"], ["z"], domain="local", kind=TensorProto.INT32)]
    model = m.model(nodes, [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 8)), m.info("z", (2, 5, 8), I32)], domains=[("local", 1)])
    model.functions.append(function)
    result, _ = convert(folder, model, "--convert=f32:f16", "-O0")
    assert counts(result)["To"] == 2


def test_results_of_calls(folder):
    """The type of a result follows from the function, also into the next one."""
    length = helper.make_function("local", "Length", ["v"], ["r"], [node("Shape", ["v"], ["s"]), node("ReduceProd", ["s"], ["r"])], [OPSET])
    scale = helper.make_function("local", "Scale", ["v", "n"], ["r"], [node("CastLike", ["n", "v"], ["c"]), node("Div", ["v", "c"], ["r"])], [OPSET])
    nodes = [node("Length", ["x"], ["n"], domain="local"), node("Scale", ["x", "n"], ["h"], domain="local"), node("Exp", ["h"], ["y"])]
    model = m.model(nodes, [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 8))], domains=[("local", 1)])
    model.functions.extend([length, scale])
    result, report = convert(folder, model, "--convert=f32:f16", "-O0")
    assert counts(result)["Cast"] <= 2 and result.graph.output[0].type.tensor_type.elem_type == F32


def test_loops_in_functions(folder):
    """The state of a Loop, and what its body reads from the function around it."""
    body = helper.make_graph(
        [node("Identity", ["go"], ["more"]), node("MatMul", ["state", "w"], ["p"]), node("Tanh", ["p"], ["next"])],
        "body", [m.info("i", (), I64), m.info("go", (), TensorProto.BOOL), m.info("state", (2, 5, 8))],
        [m.info("more", (), TensorProto.BOOL), m.info("next", (2, 5, 8))])
    body.input[2].ClearField("type")
    function = helper.make_function("local", "Repeat", ["v", "w"], ["r"], [
        node("Constant", [], ["n"], value_int=3), node("Constant", [], ["on"], value=m.const("on", np.bool_(True))),
        node("Loop", ["n", "on", "v"], ["r"], body=body)], [OPSET])
    weight = m.const("w", RANDOM.standard_normal((8, 8)).astype(np.float32))
    call = node("Repeat", ["x", "w"], ["y"], domain="local")
    model = m.model([call], [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 8))], [weight], domains=[("local", 1)])
    model.functions.append(function)
    result, report = convert(folder, model, "--convert=f32:f16", "-O0")
    assert result.graph.initializer[0].data_type == F16 and counts(result)["Cast"] == 2, report["kept"]


def test_integers(folder):
    """i64 to i32 in a function: indices of a known axis."""
    function = helper.make_function("local", "Pick", ["v", "i"], ["r"], [node("Gather", ["v", "i"], ["r"], axis=2)], [OPSET])
    model = m.model([node("Pick", ["x", "ids"], ["y"], domain="local")], [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 2))],
                    [m.const("ids", np.int64([1, 3]))], domains=[("local", 1)])
    model.functions.append(function)
    result, _ = convert(folder, model, "--convert=i64:i32", "-O0")
    assert result.graph.initializer[0].data_type == I32


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("form", ["value_float", "value_floats"])
def test_constants_that_are_parameters(folder, form, calls):
    """The Mul stayed in f32 between two Casts, because the type of the Constant was not known: its attribute states it."""
    kind = onnx.AttributeProto.FLOAT if form == "value_float" else onnx.AttributeProto.FLOATS
    constant = node("Constant", [], ["c"])
    constant.attribute.append(reference(form, "factor", kind))
    function = helper.make_function("local", "Scaled", ["v"], ["r"], [constant, node("Mul", ["v", "c"], ["r"])], [OPSET], ["factor"])
    factors = [2.5, 3.5] if form == "value_float" else [[2.5], [3.5]]
    nodes = [node("Scaled", ["x" if i == 0 else f"a{i - 1}"], [f"a{i}"], domain="local", factor=factors[i]) for i in range(calls)]
    nodes.append(node("Abs", [f"a{calls - 1}"], ["y"]))
    source = m.model(nodes, [m.info("x", (2, 5, 8))], [m.info("y", (2, 5, 8))])
    source.functions.append(function)
    source.opset_import.append(LOCAL)
    onnx.save(source, folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--convert=f32:f16", "--disable=constant-call", "--verify", "--quiet")
    result = onnx.load(folder / "out.onnx")
    onnx.checker.check_model(result, full_check=True)
    assert [each.op_type for each in result.functions[0].node] == ["Constant", "Cast", "Mul"], result.functions[0]
    assert Counter(each.op_type for each in result.graph.node)["Cast"] == 2
