#!/usr/bin/env python3
"""Constants stand in the file once: what only copies one is not stored beside it, and one that nobody reads is not stored."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
W = np.arange(6, dtype=np.float32).reshape(2, 3)
OUTPUTS = [info("y"), info("p", (3, 3))]
COPIES = {
    "identity": [node("Identity", ["w"], ["z"])],
    "two_identities": [node("Identity", ["w"], ["z0"]), node("Identity", ["z0"], ["z"])],
    "same_shape": [node("Reshape", ["w", "shape"], ["z"])],
    "same_type": [node("Cast", ["w"], ["z"], to=TensorProto.FLOAT)],
    "dropout": [node("Dropout", ["w"], ["z"])],
    "whole_slice": [node("Slice", ["w", "zero", "huge"], ["z"])],
}


def shared(copies, weight=W):
    """y = x + a copy of w; w is read itself too."""
    rows, columns = weight.shape
    square = [const("v", np.ones((rows, columns), np.float32)), const("shape", weight.shape, np.int64)]
    more = [const("zero", [0], np.int64), const("huge", [2**40], np.int64)]
    nodes = [*copies, node("Add", ["x", "z"], ["y"]), node("Mul", ["x", "w"], ["p"])]
    outputs = [info("y", weight.shape), info("p", weight.shape)]
    return m.model(nodes, [info("x", weight.shape)], outputs, [const("w", weight), *square, *more])


def initializers(model):
    return sorted(one.name for one in model.graph.initializer)


def checkCopies(folder, kind):
    """It was folded: the file held w twice, under two names."""
    out = m.folded(folder, shared(COPIES[kind]))
    t.expectEqual((m.operators(out), initializers(out)), (["Add", "Mul"], ["w"]), "operators and initializers")


for kind in COPIES:
    suite.add(f"copy_by_{kind}", lambda folder, kind=kind: checkCopies(folder, kind))


@suite.case
def a_large_one(folder):
    """The growth budget left the Identity in the graph, as a copy of 4 MB would not have fitted."""
    weight = np.random.default_rng(1).standard_normal((1024, 1024), np.float32)
    out = m.folded(folder, shared(COPIES["identity"], weight))
    t.expectEqual((m.operators(out), initializers(out)), (["Add", "Mul"], ["w"]), "operators and initializers")


@suite.case
def the_only_reader_gives_its_name(folder):
    """What was read by the copy alone is stored under the name of the copy: no reader changes."""
    nodes = [node("Identity", ["w"], ["z"]), node("Add", ["x", "z"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("y")], [const("w", W)]))
    t.expectEqual((m.operators(out), initializers(out)), (["Add"], ["z"]), "operators and initializers")


@suite.case
def an_output_of_the_graph_keeps_its_name(folder):
    nodes = [node("Identity", ["w"], ["z"]), node("Mul", ["x", "w"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("y"), info("z")], [const("w", W)]))
    t.expect("z" in initializers(out) and m.operators(out) == ["Mul"], f"{m.operators(out)} {initializers(out)}")


@suite.case
def bodies_and_branches(folder):
    """Copies in the body of a loop, and in the branch that is taken: both read the value outside."""
    body = m.graph(
        [node("Identity", ["w"], ["z"]), node("Add", ["s", "z"], ["s2"]), node("Identity", ["c"], ["c2"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("s")],
        [info("c2", (), TensorProto.BOOL), info("s2")],
    )
    then = m.graph([node("Identity", ["w"], ["o"])], [], [info("o")])
    otherwise = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")])
    nodes = [
        node("Loop", ["n", "", "x"], ["l"], body=body),
        node("If", ["t"], ["b"], then_branch=then, else_branch=otherwise),
        node("Add", ["l", "b"], ["a"]),
        node("Mul", ["a", "w"], ["y"]),
    ]
    inputs = [info("x"), info("n", (), TensorProto.INT64)]
    model = m.model(nodes, inputs, [info("y")], [const("w", W), const("t", True, np.bool_)])
    out = m.folded(folder, model)
    t.expectEqual((m.operators(out), initializers(out)), (["Loop", "Add", "Mul"], ["w"]), "operators and initializers")
    (inner,) = t.subgraphs(out.graph.node[0])
    t.expectEqual([one.op_type for one in inner.node], ["Add", "Identity"], "operators of the body")
    t.expectEqual((list(inner.initializer), list(inner.node[0].input)), ([], ["s", "w"]), "constants and inputs there")


@suite.case
def a_value_that_callers_may_give(folder):
    nodes = [node("Identity", ["w"], ["z"]), node("Add", ["x", "z"], ["y"]), node("Mul", ["x", "w"], ["p"])]
    model = m.model(nodes, [info("x"), info("w")], [info("y"), info("p")], [const("w", W)])
    out = m.folded(folder, model)
    t.expectEqual((m.operators(out), initializers(out)), (["Add", "Mul"], ["w"]), "operators and initializers")
    t.expectEqual([one.name for one in out.graph.input], ["x", "w"], "inputs")


def unread(**more):
    nodes = [node("Constant", [], ["k"], value=const("", W)), node("Relu", ["x"], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", W), const("v", W + 1)], **more)


@suite.case
def what_nobody_reads(folder):
    """Initializers and Constant nodes that nothing in the model ever read: only nodes went."""
    model = unread()
    out = m.folded(folder, model)
    t.expectEqual(([one.op_type for one in out.graph.node], initializers(out)), (["Relu"], []), "nodes and initializers")
    onnx.save(model, folder / "model.onnx")
    for flags in (["-O0"], ["--disable=unused-node"], ["--skip=*"], ["--only=op:Relu"]):
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", f"output with {flags}")


@suite.case
def unread_in_a_body(folder):
    then = m.graph([node("Constant", [], ["k"], value=const("", W)), node("Relu", ["x"], ["p"])], [], [info("p")], [const("u", W)])
    otherwise = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise)]
    out = m.folded(folder, m.model(nodes, [info("x"), info("c", (), TensorProto.BOOL)], [info("y")]))
    branch = next(one for one in t.subgraphs(out.graph.node[0]) if one.node[0].op_type != "Neg")
    t.expectEqual(([one.op_type for one in branch.node], list(branch.initializer)), (["Relu"], []), "of the branch")


@suite.case
def what_others_than_nodes_need(folder):
    """Quantisation annotations name initializers, and training reads and binds them; before IR version 4 each is an input."""
    annotated = unread()
    entry = annotated.graph.quantization_annotation.add(tensor_name="y").quant_parameter_tensor_names.add()
    entry.key, entry.value = "SCALE_TENSOR", "w"
    t.expectEqual(initializers(m.folded(folder, annotated)), ["w"], "with an annotation")
    trained = unread()
    trained.training_info.add().algorithm.CopyFrom(m.graph([node("Neg", ["w"], ["g"])], [], [info("g")]))
    t.expectEqual(initializers(m.folded(folder, trained, runs=False)), ["v", "w"], "with training, which keeps all")
    old = unread(opset=8, ir=3)
    old.graph.input.extend([info("w"), info("v")])
    t.expectEqual(initializers(m.folded(folder, old)), ["v", "w"], "with IR version 3")


if __name__ == "__main__":
    sys.exit(suite.main())
