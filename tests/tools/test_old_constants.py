# SPDX-License-Identifier: Apache-2.0
"""What a file of old versions can state as a constant: below IR version 4 initializers are inputs too, so folded values become
Constant nodes, and those take integers from opset 9 on only. What such a file cannot state is kept, with the reason, and what
reads it folds. Results are valid for the checker with full_check, and equal in ONNX Runtime.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(6, dtype=np.float32).reshape(2, 3)
PAIR = np.array([3, 2], np.int64)


def old(nodes, initializers, outputs=(info("y", (3, 2)),), opset=8, ir=3, **more):
    """A model of one input of shape (2, 3); at IR version 3 all initializers are inputs as well."""
    inputs = [info("x", (2, 3))]
    if ir < 4:
        inputs += [info(one.name, one.dims, one.data_type) for one in initializers]
    return m.model(nodes, inputs, list(outputs), list(initializers), opset=opset, ir=ir, **more)


def check(folder, source, operators, *flags, isValid=True):
    """Folds; the operators that are left, what the checker says, results as before, and nothing more to do."""
    path, out = folder / "model.onnx", folder / "out.onnx"
    onnx.save(source, path)
    report = t.foldWithReport(path, out, *flags)
    model = onnx.load(out)
    if isValid:
        onnx.checker.check_model(source, full_check=True)
        onnx.checker.check_model(model, full_check=True)
    assert m.operators(model) == operators, f"operators with {flags}"
    stored = {one.name for one in model.graph.initializer}
    expected = [one.name for one in source.graph.input if one.name == "x" or one.name in stored]
    assert [one.name for one in model.graph.input] == expected, "inputs"
    feeds = [{"x": np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)}]
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(path, feeds)):
        compare.expectAgreement(got, want, f"{flags}")
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *flags), out, f"folded again with {flags}")
    return report


# Two lists of integers are one in the end, which a Reshape reads.
JOINED = [
    node("Shape", ["w"], ["shape"]),
    node("Slice", ["shape"], ["first"], starts=[1], ends=[2]),
    node("Slice", ["shape"], ["second"], starts=[0], ends=[1]),
    node("Concat", ["first", "second"], ["to"], axis=0),
    node("Mul", ["w", "two"], ["scaled"]),
    node("Add", ["x", "scaled"], ["sum"]),
    node("Reshape", ["sum", "to"], ["y"]),
]
WEIGHTS = [const("w", W), const("two", np.float32(2))]


def test_integers_stay(folder):
    for flags in ((), ("-O0",)):
        report = check(folder, old(JOINED, WEIGHTS), ["Shape", "Slice", "Slice", "Concat", "Add", "Reshape"], *flags)
        reasons = {one["outputs"][0]: one["reason"] for one in report["nodes"] if one["action"] == "kept"}
        for name in ("shape", "first", "second", "to"):
            assert reasons[name]["code"] == "no-tensor", f"reason of {name}"
            assert "opset 9" in reasons[name]["text"] and "IR version 4" in reasons[name]["text"], reasons[name]["text"]
        assert reasons["sum"]["code"] == "input-not-constant", "reason of sum"


def test_integers_that_only_folded_nodes_read_go(folder):
    nodes = [
        node("Shape", ["w"], ["shape"]),
        node("Slice", ["shape"], ["first"], starts=[1], ends=[2]),
        node("Cast", ["first"], ["real"], to=TensorProto.FLOAT),
        node("Mul", ["w", "real"], ["scaled"]),
        node("Add", ["x", "scaled"], ["y"]),
    ]
    check(folder, old(nodes, [const("w", W)], [info("y", (2, 3))]), ["Add"])


def test_later_versions_state_them(folder):
    check(folder, old(JOINED, WEIGHTS, opset=9), ["Add", "Reshape"])
    check(folder, old(JOINED, WEIGHTS, ir=4), ["Add", "Reshape"])


def test_a_graph_that_has_such_nodes_gets_more(folder):
    """PyTorch wrote them, and runtimes take them: nothing is lost where the checker refuses the model already."""
    nodes = [node("Constant", [], ["unit"], value=const("", [1, 1], np.int64)), *JOINED]
    nodes[4] = node("Concat", ["first", "second"], ["parts"], axis=0)
    nodes.insert(5, node("Mul", ["parts", "unit"], ["to"]))
    check(folder, old(nodes, WEIGHTS), ["Add", "Reshape"], isValid=False)


def test_in_functions_of_old_opsets(folder):
    body = [
        node("Constant", [], ["w"], value=const("", W)),
        node("Shape", ["w"], ["of"]),
        node("Mul", ["w", "w"], ["square"]),
        node("Reshape", ["square", "of"], ["same"]),
        node("Reshape", ["a", "of"], ["b"]),
        node("Add", ["b", "same"], ["c"]),
    ]
    function = helper.make_function("local", "F", ["a"], ["c"], body, [helper.make_opsetid("", 8)])
    call = node("F", ["x"], ["y"], domain="local")
    source = old([call], [], [info("y", (2, 3))], ir=8, domains=[("local", 1)], functions=[function])
    onnx.save(source, folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "out.onnx", "-O0")
    out = onnx.load(folder / "out.onnx")
    onnx.checker.check_model(out, full_check=True)
    kept = [one.op_type for one in out.functions[0].node if one.op_type != "Constant"]
    assert kept == ["Shape", "Reshape", "Add"], "operators of the function"


def test_clean_ups_make_none(folder):
    """Two Reshapes in a row, and one whose target is computed, could be one with a new constant."""
    nodes = [
        node("Reshape", ["x", "flat"], ["line"]),
        node("Unsqueeze", ["line"], ["row"], axes=[0]),
        node("Reshape", ["row", "pair"], ["y"]),
    ]
    initializers = [const("flat", [6], np.int64), const("pair", PAIR)]
    onnx.save(old(nodes, initializers), folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    onnx.checker.check_model(out, full_check=True)
    assert not [one for one in out.graph.node if one.op_type == "Constant"], "a Constant node of integers"
