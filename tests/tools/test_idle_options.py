# SPDX-License-Identifier: Apache-2.0
"""Options that change nothing say so, with names that may have been meant; and types that only inlining shows to be wrong."""

import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import numpy as np
import onnxfold_testing as t
from bad_cases import put

node = helper.make_node


def info(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(shape=(2, 3, 4), values=(), functions=(), nodes=None, initializers=()):
    nodes = nodes or [
        node("Constant", [], ["k"], value_float=1.0),
        node("Conv_", ["x"], ["c"], name="conv_1", domain="acme"),
        node("Relu", ["c"], ["r"], name="block/relu"),
        node("Mul", ["r", "k"], ["y"], name="mul"),
    ]
    graph = helper.make_graph(nodes, "g", [info("x", shape)], [info("y", None)], list(initializers), value_info=list(values))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("acme", 1)]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)


def warningsOf(folder, made, *flags):
    path = put(folder, made.SerializeToString())
    result = t.runOk("-o", folder / "out.onnx", *flags, path)
    return [line.partition("warning: ")[2] for line in result.err.splitlines() if "warning: " in line]


def test_a_shape_that_the_input_has(folder):
    """`?` leaves a dimension as it is, so nothing became open, without a word."""
    for text in ("x:?,3,4", "x:2,3,4", "x:?,?,?"):
        [warning] = warningsOf(folder, model(), f"--input-shape={text}")
        assert warning.endswith(f"model.onnx: --input-shape={text} changes nothing: the input has shape [2,3,4] without it"), warning
    assert not warningsOf(folder, model(shape=["n", 3, None]), "--input-shape=x:2,?,?"), "a near miss: one is fixed"
    assert not warningsOf(folder, model(shape=["n", 3, 4]), "--dim=n:2", "--input-shape=x:2,3,4"), "two that say the same"


@pytest.mark.parametrize("flag", ["--only", "--skip"])
def test_a_pattern_that_matches_no_node(folder, flag):
    for glob, says in (
        ("nosuch", f"{flag}=nosuch: matches no node"),
        ("conv1", f"{flag}=conv1: matches no node, such as 'conv_1'"),
        ("relu*", f"{flag}=relu*: matches no node, such as 'block/relu'"),
        ("op:relu", f"{flag}=op:relu: matches no node, such as 'Relu'"),
        ("domain:acne", f"{flag}=domain:acne: matches no node, such as 'acme'"),
        ("op:Constant", f"{flag}=op:Constant: matches only Constant nodes, which go when nothing reads them"),
    ):
        warnings = warningsOf(folder, model(), f"{flag}={glob}")
        assert [one.partition("model.onnx: ")[2] for one in warnings] == [says], f"{glob}: {warnings}"
    for glob in ("conv_1", "*/relu", "op:R*", "domain:ai.onnx", "domain:", "domain:acme", "*"):
        assert not warningsOf(folder, model(), f"{flag}={glob}"), f"near miss: {glob}"


def test_each_pattern_is_looked_at(folder):
    warnings = warningsOf(folder, model(), "--only=op:Relu", "--only=op:Reshape", "--skip=mul", "--skip=mull")
    assert len(warnings) == 2 and "--only=op:Reshape" in warnings[0] and "--skip=mull" in warnings[1], f"{warnings}"


def test_names_that_are_errors_say_what_was_meant(folder):
    weights = [numpy_helper.from_array(np.ones(3, np.float32), name) for name in ("lora_a", "lora_b")]
    path = put(folder, model(initializers=weights).SerializeToString())
    for flag, says in (
        ("--keep-initializer=lora_c", "such as 'lora_a', 'lora_b'"),
        ("--run-once=Lora_a", "such as 'lora_a'"),
        ("--disable=unused-nod", "such as 'unused-node'"),
        ("--outputs=rr", "such as 'r'"),
    ):
        result = t.run(flag, "-o", folder / "out.onnx", path)
        assert result.code == 1 and says in result.err, str(result)


def test_a_type_that_inlining_shows_to_be_wrong(folder):
    """The branch takes the place of the If, and the wrong type of the result was dropped without a word."""
    def branch(name):
        return helper.make_graph([node("Abs", ["x"], [name])], name, [], [info(name, None)])

    nodes = [node("If", ["c"], ["a"], then_branch=branch("t"), else_branch=branch("e")), node("Neg", ["a"], ["y"])]
    condition = [numpy_helper.from_array(np.array(True), "c")]
    wrong = model(nodes=nodes, values=[info("a", [7])], initializers=condition)
    [warning] = warningsOf(folder, wrong)
    assert "the model says that 'a' is tensor<7xf32>, inferred is tensor<2x3x4xf32>" in warning, warning
    result = t.run("--strict", "-o", folder / "none.onnx", folder / "model.onnx")
    assert result.code == 1 and "'a' is tensor<7xf32>" in result.err and not (folder / "none.onnx").exists(), str(result)
    right = model(nodes=nodes, values=[info("a", [2, 3, 4])], initializers=condition)
    assert not warningsOf(folder, right, "--strict"), "a near miss"
