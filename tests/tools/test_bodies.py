# SPDX-License-Identifier: Apache-2.0
"""Folding inside bodies: branches, loops, scans and functions, with constants of their own and of the graphs around them."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
BOOL, I64 = TensorProto.BOOL, TensorProto.INT64
CONDITION = info("c", (), BOOL)
BOTH = [{"x": W, "c": np.array(value)} for value in (True, False)]


def choice(then, other, constants=(), opset=21, ir=10):
    """y = If(c) of two branches that read x."""
    return m.model(
        [node("If", ["c"], ["y"], name="choice", then_branch=then, else_branch=other)],
        [info("x"), CONDITION],
        [info("y")],
        constants,
        opset=opset,
        ir=ir,
    )


def branch(nodes, output, name, constants=()):
    return m.graph(nodes, [], [info(output)], constants, name=name)


def plain(name="else"):
    return branch([node("Neg", ["x"], ["e"])], "e", name)


def branchOf(folded, which):
    attribute = next(one for one in folded.graph.node[0].attribute if one.name == which)
    return attribute.g


def test_outer_constants_fold_in_a_branch(folder):
    """The value is written into the branch: who takes the other one does not pay for it."""
    then = branch([node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["t"])], "t", "then")
    out = m.folded(folder, choice(then, plain(), [const("w", W)]), feeds=BOTH)
    body = branchOf(out, "then_branch")
    assert [one.op_type for one in body.node if one.op_type != "Constant"] == ["Mul"], "operators of the branch"
    m.expectValue(body, "v", W + W)


def test_inner_constants_fold_in_a_branch(folder):
    then = branch(
        [
            node("Constant", [], ["k"], value=const("", W)),
            node("Add", ["k", "own"], ["v"]),
            node("Mul", ["x", "v"], ["t"]),
        ],
        "t",
        "then",
        [const("own", W)],
    )
    out = m.folded(folder, choice(then, plain()), feeds=BOTH)
    body = branchOf(out, "then_branch")
    assert [one.op_type for one in body.node if one.op_type != "Constant"] == ["Mul"], "operators of the branch"
    m.expectValue(body, "v", W + W)


def test_same_name_in_two_branches(folder):
    """Two branches may both have a value 'v'; each gets its own."""
    then = branch([node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["t"])], "t", "then")
    other = branch([node("Mul", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["t"])], "t", "else")
    out = m.folded(folder, choice(then, other, [const("w", W)]), feeds=BOTH)
    m.expectValue(branchOf(out, "then_branch"), "v", W + W)
    m.expectValue(branchOf(out, "else_branch"), "v", W * W)


def test_branch_whose_output_is_constant(folder):
    then = branch([node("Add", ["w", "w"], ["t"])], "t", "then")
    out = m.folded(folder, choice(then, plain(), [const("w", W)]), feeds=BOTH)
    m.expectValue(branchOf(out, "then_branch"), "t", W + W)


def test_branch_at_ir_3(folder):
    """Before IR 4 also a body gets Constant nodes."""
    then = branch([node("Add", ["k", "k"], ["v"]), node("Mul", ["x", "v"], ["t"])], "t", "then")
    then.node.insert(0, node("Constant", [], ["k"], value=const("", W)))
    out = m.folded(folder, choice(then, plain(), opset=8, ir=3), feeds=BOTH)
    body = branchOf(out, "then_branch")
    assert [one.op_type for one in body.node] == ["Constant", "Mul"], "nodes of the branch"
    assert len(body.initializer) == 0, "number of initializers of the branch"


def test_outer_dynamic_values_do_not_fold(folder):
    then = branch([node("Add", ["x", "x"], ["v"]), node("Mul", ["v", "w"], ["t"])], "t", "then")
    m.folded(folder, choice(then, plain(), [const("w", W)]), feeds=BOTH)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "model without constants to fold")


def test_outer_value_that_folds_and_is_read_in_a_branch(folder):
    """Add of constants outside, read inside: it must be there for the branch, and what follows in the branch folds too."""
    then = branch([node("Neg", ["v"], ["u"]), node("Mul", ["x", "u"], ["t"])], "t", "then")
    other = branch([node("Mul", ["x", "v"], ["e"])], "e", "else")
    model = choice(then, other, [const("w", W)])
    model.graph.node.insert(0, node("Add", ["w", "w"], ["v"]))
    out = m.folded(folder, model, feeds=BOTH)
    counts = t.operatorCounts(out)
    assert [counts.get(name, 0) for name in ("Add", "Neg", "Mul")] == [0, 0, 2], "Add, Neg and Mul"
    m.expectValue(out.graph, "v", W + W)


def test_overridable_outer_initializer_does_not_fold_in_a_branch(folder):
    then = branch([node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["t"])], "t", "then")
    model = choice(then, plain(), [const("w", W)])
    model.graph.input.append(info("w"))
    m.folded(folder, model, feeds=BOTH)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "model with an overridable initializer")


def loop(body, constants, *more):
    nodes = [node("Loop", ["n", "yes", "x"], ["y", *more], body=body)]
    return m.model(nodes, [info("x"), info("n", (), I64)], [info("y")], [const("yes", np.array(True)), *constants])


def test_loop_body(folder):
    """Constants fold in the body; what depends on the state or on the iteration does not."""
    nodes = [
        node("Identity", ["go"], ["again"]),
        node("Add", ["w", "w"], ["v"]),
        node("Cast", ["i"], ["f"], to=1),
        node("Mul", ["state", "v"], ["p"]),
        node("Add", ["p", "f"], ["next"]),
    ]
    body = m.graph(
        nodes,
        [info("i", (), I64), info("go", (), BOOL), info("state")],
        [info("again", (), BOOL), info("next")],
        name="body",
    )
    out = m.folded(folder, loop(body, [const("w", W)]), feeds=[{"x": W, "n": np.array(3)}])
    inner = next(one for one in out.graph.node[0].attribute if one.name == "body").g
    assert [one.op_type for one in inner.node if one.op_type != "Constant"] == [
        "Identity",
        "Cast",
        "Mul",
        "Add",
    ], "operators of the body"
    m.expectValue(inner, "v", W + W)


def test_loop_state_that_starts_as_a_constant_is_none(folder):
    """The initial value is a constant, the state is not."""
    nodes = [node("Identity", ["go"], ["again"]), node("Add", ["state", "w"], ["next"])]
    body = m.graph(
        nodes,
        [info("i", (), I64), info("go", (), BOOL), info("state")],
        [info("again", (), BOOL), info("next")],
        name="body",
    )
    model = m.model(
        [node("Loop", ["n", "yes", "w"], ["y"], body=body)],
        [info("n", (), I64)],
        [info("y")],
        [const("yes", np.array(True)), const("w", W)],
    )
    out = m.folded(folder, model, feeds=[{"n": np.array(2)}])
    assert t.operatorCounts(out).get("Add") == 1, "number of Add"


def test_nested_bodies(folder):
    """A constant of the main graph, two levels down."""
    inner = m.graph(
        [node("Transpose", ["w"], ["wt"]), node("Transpose", ["wt"], ["v"]), node("Mul", ["state", "v"], ["t"])],
        [],
        [info("t")],
        name="then",
    )
    other = m.graph([node("Neg", ["state"], ["e"])], [], [info("e")], name="else")
    body = m.graph(
        [node("Identity", ["go"], ["again"]), node("If", ["go"], ["next"], then_branch=inner, else_branch=other)],
        [info("i", (), I64), info("go", (), BOOL), info("state")],
        [info("again", (), BOOL), info("next")],
        name="body",
    )
    out = m.folded(folder, loop(body, [const("w", W)]), feeds=[{"x": W, "n": np.array(2)}])
    assert t.operatorCounts(out).get("Transpose", 0) == 0, "number of Transpose"


def test_scan_body(folder):
    nodes = [
        node("Sqrt", ["k"], ["root"]),
        node("Mul", ["row", "root"], ["p"]),
        node("Add", ["sum", "p"], ["total"]),
        node("Identity", ["p"], ["each"]),
    ]
    body = m.graph(
        nodes, [info("sum", (3,)), info("row", (3,))], [info("total", (3,)), info("each", (3,))], name="body"
    )
    model = m.model(
        [node("Scan", ["zero", "x"], ["last", "y"], body=body, num_scan_inputs=1)],
        [info("x")],
        [info("last", (3,)), info("y")],
        [const("zero", np.zeros(3, np.float32)), const("k", np.float32(4))],
    )
    out = m.folded(folder, model)
    assert t.operatorCounts(out).get("Sqrt", 0) == 0, "number of Sqrt"


def functionModel(body, attributes=(), defaults=(), opset=21, calls=None):
    function = helper.make_function(
        "com.example", "F", ["a"], ["b"], body, [helper.make_opsetid("", opset)], list(attributes), list(defaults)
    )
    calls = calls or [node("F", ["x"], ["y"], domain="com.example")]
    return m.model(calls, [info("x")], [info("y")], [const("w", W)], domains=[("com.example", 1)], functions=[function])


def test_function_body(folder):
    """A function has no initializers: the folded value is a Constant node in its operator's place."""
    body = [
        node("Constant", [], ["two"], value_float=2.0),
        node("Neg", ["a"], ["n"]),
        node("Mul", ["two", "two"], ["four"]),
        node("Add", ["n", "four"], ["b"]),
    ]
    out = m.folded(folder, functionModel(body))
    nodes = out.functions[0].node
    assert [one.op_type for one in nodes] == ["Neg", "Constant", "Add"], "nodes of the function"
    m.expectValue(out.functions[0], "four", np.float32(4))
    assert (list(out.functions[0].input), list(out.functions[0].output)) == (["a"], ["b"]), "inputs and outputs of the function"


def test_function_attribute_is_no_constant(folder):
    """A Constant whose value is a parameter of the function differs from call to call: what is made of it is what calls pass."""
    parameter = node("Constant", [], ["k"])
    attribute = parameter.attribute.add()
    attribute.name, attribute.type, attribute.ref_attr_name = "value_float", onnx.AttributeProto.FLOAT, "alpha"
    body = [parameter, node("Mul", ["k", "k"], ["square"]), node("Add", ["a", "square"], ["b"])]
    calls = [
        node("F", ["x"], ["h"], domain="com.example", alpha=2.0),
        node("F", ["h"], ["y"], domain="com.example", alpha=3.0),
    ]
    model = functionModel(body, attributes=["alpha"], calls=calls)
    out = m.folded(folder, model, "--disable=lift-from-function")
    assert [one.op_type for one in out.functions[0].node] == ["Constant", "Mul", "Add"], "nodes of the function"
    out = m.folded(folder, model)
    assert [one.op_type for one in out.functions[0].node] == ["Add"], "nodes of the function"
    passed = [m.constantValue(out.graph, call.input[-1]) for call in out.graph.node]
    assert [float(value) for value in passed] == [4.0, 9.0], "what the calls pass"


def test_function_attribute_of_an_operator(folder):
    """An operator with an attribute that is a parameter does not fold by itself, though its inputs are constants: calls say what
    the attribute is."""
    cast = node("ReduceSum", ["k"], ["r"])
    attribute = cast.attribute.add()
    attribute.name, attribute.type, attribute.ref_attr_name = "keepdims", onnx.AttributeProto.INT, "keep"
    body = [node("Constant", [], ["k"], value=const("", W)), cast, node("Add", ["a", "r"], ["b"])]
    calls = [node("F", ["x"], ["y"], domain="com.example", keep=0)]
    model = functionModel(body, attributes=["keep"], calls=calls)
    out = m.folded(folder, model, "--disable=lift-from-function")
    assert "ReduceSum" in [one.op_type for one in out.functions[0].node], "ReduceSum with a parameter was folded"
    out = m.folded(folder, model)
    assert [one.op_type for one in out.functions[0].node] == ["Constant", "Add"], "nodes of the function"
    assert m.constantValue(out.functions[0], "r").tolist() == W.sum(), "the sum without kept dimensions"


def test_function_with_its_own_opset(folder):
    """The function imports opset 12, the model 21: each operator is what its own import says. (The checker refuses such a model
    where the definitions differ; runtimes take it.)"""
    body = [
        node("Constant", [], ["k"], value=const("", W)),
        node("Softmax", ["k"], ["s"], axis=0),
        node("Add", ["a", "s"], ["b"]),
    ]
    onnx.save(functionModel(body, opset=12), folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    value = m.constantValue(out.functions[0], "s")
    if value is not None:
        wide = np.exp(W.astype(np.float64) - W.max())
        assert np.allclose(
            value, wide / wide.sum(), rtol=1e-6
        ), f"Softmax-11 of axis 0 is over all elements; the value is {value}"


def test_call_with_constant_inputs(folder):
    """A call of a function is an unknown operator: the call and its weight are kept."""
    calls = [node("F", ["w"], ["h"], domain="com.example"), node("Add", ["x", "h"], ["y"])]
    out = m.folded(folder, functionModel([node("Neg", ["a"], ["b"])], calls=calls))
    folds = m.constantValue(out.graph, "h") is not None
    assert folds or "w" in m.initializerNames(out), "the weight of the call is erased"
