# SPDX-License-Identifier: Apache-2.0
"""--verify of models whose bodies declare other sizes than they get or give: ONNX Runtime asks for none of them, and so a run
believes none where one is wrong. Each model is compared with ONNX Runtime too, before and after.

Kinds: carried values that are declared with another rank or size than they begin with, that grow, that get another rank in each
iteration, and that a sequence holds; states and slices of a Scan; branches of an If; a loop in a loop.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_testing as t
from onnxfold_models import const, graph, info, model, node

INT, BOOL = TensorProto.INT64, TensorProto.BOOL
BELIEVED_NONE = "it was run whatever types its body declares"
DECLARED = {"scalar": (), "one": (1,), "three": (3,), "matrix": (2, 2), "named": ("q",)}
GROWS = node("Concat", ["k", "k"], ["r"], axis=0)
GETS_RANK = node("Unsqueeze", ["k", "first"], ["r"])
STAYS = node("Neg", ["k"], ["r"])
# ONNX Runtime refuses a Concat of what is declared as a scalar.
STEPS = [(name, step) for name in DECLARED for step in (STAYS, GETS_RANK, GROWS) if (name, step) != ("scalar", GROWS)]


def loop(declared, begins, *step, more=(), carried=info):
    """y = what three iterations of the nodes make of k, which is x at first."""
    head = [info("i", (), INT), info("go", (), BOOL), carried("k", shape=declared)]
    outputs = [info("again", (), BOOL), carried("r", shape=declared)]
    body = graph([node("Identity", ["go"], ["again"]), *step], head, outputs, name="body")
    return model([node("Loop", ["n", "", "x"], ["y"], body=body)], [info("x", begins)], [info("y", None)],
                 [const("n", np.int64(3)), const("first", np.int64([0])), *more], opset=17, ir=8)


def check(folder, source, *flags, sizes=(2, 3)):
    """The text of the run with --verify; the result computes what the model does for each size of an open dimension."""
    path, out = folder / "model.onnx", folder / "out.onnx"
    onnx.save(source, path)
    result = t.run("--verify=2", *flags, "-o", out, path)
    assert result.code == 0, f"exit status ({result})"
    for size in sizes:
        feed = {}
        for value in source.graph.input:
            shape = [one.dim_value if one.HasField("dim_value") else size for one in value.type.tensor_type.shape.dim]
            kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            feed[value.name] = np.asarray(np.arange(int(np.prod(shape))).reshape(shape) - 2).astype(kind)
        for got, want in zip(compare.outputs(out, [feed]), compare.outputs(path, [feed])):
            compare.expectAgreement(got, want, f"size {size}")
    return result.err


@pytest.mark.parametrize("flags", [("-O2", "--max-growth=unlimited"), ("-O1", "--unroll=4")], ids=lambda flags: flags[-1])
@pytest.mark.parametrize("declared,step", STEPS, ids=lambda one: one if isinstance(one, str) else one.op_type)
def test_a_carried_value_is_not_what_the_body_declares(folder, declared, step, flags):
    for begins in (("b",), (2, 2)):
        source = loop(DECLARED[declared], begins, step)
        source.graph.node.append(node("Size", ["y"], ["s"]))
        source.graph.output.append(info("s", (), INT))
        check(folder, source, *flags)


def test_a_warning_names_what_is_contradicted(folder):
    """An argument that no inference knows: the sizes of a Reshape to numbers of the input."""
    target, k = node("Shape", ["k"], ["t"]), node("Concat", ["k", "k"], ["c"], axis=0)
    nonzero = [node("NonZero", ["c"], ["z"]), node("Cast", ["z"], ["f"], to=1), node("ReduceSum", ["f", "first"], ["r"], keepdims=0)]
    err = check(folder, loop((2,), (2,), k, target, *nonzero), "-O1", sizes=(2,))
    assert BELIEVED_NONE in err and "Loop 'y': argument #2 of its body is f32[" in err, err
    err = check(folder, loop((None,), (2,), k, target, *nonzero), "-O1", sizes=(2,))
    assert BELIEVED_NONE not in err, f"a near miss: {err}"


@pytest.mark.parametrize("declared", [(2,), (3,), (), (2, 2), None], ids=str)
def test_sequences_scans_and_inner_loops(folder, declared):
    inner = graph([node("Identity", ["on"], ["more"]), node("Concat", ["c", "c"], ["d"], axis=0)],
                  [info("j", (), INT), info("on", (), BOOL), info("c", declared)], [info("more", (), BOOL), info("d", declared)])
    if declared != ():
        check(folder, loop(declared, ("b",), node("Loop", ["n", "", "k"], ["r"], body=inner)), "-O1")

    def listOf(name, shape):
        return helper.make_tensor_sequence_value_info(name, TensorProto.FLOAT, shape)

    lists = loop(declared, ("b",), node("SequenceInsert", ["k", "x"], ["r"]), carried=listOf)
    lists.graph.node[0].input[2] = "e"
    lists.graph.node.insert(0, node("SequenceEmpty", [], ["e"]))
    lists.graph.node[1].output[0] = "l"
    lists.graph.node.append(node("ConcatFromSequence", ["l"], ["y"], axis=0))
    check(folder, lists, "-O1")

    declared = declared and ("q",)  # ONNX Runtime asks for the numbers that a Scan's body declares
    step = [node("Add", ["k", "e"], ["r"]), node("Neg", ["e"], ["o"])]
    if declared == ():
        return
    body = graph(step, [info("k", declared), info("e", declared)], [info("r", declared), info("o", declared)], name="body")
    check(folder, model([node("Scan", ["x", "z"], ["y", "s"], body=body, num_scan_inputs=1)],
                        [info("x", ("b",)), info("z", (3, "b"))], [info("y", None), info("s", None)], opset=17, ir=8), "-O1")


@pytest.mark.parametrize("shapes", [((4,), (2, 3)), ((4,), (5,)), ((), ())], ids=str)
def test_branches(folder, shapes):
    then = graph([node("Neg", ["x"], ["a"])], [], [info("a", shapes[0])], name="then")
    other = graph([node("Concat", ["x", "x"], ["b"], axis=1)], [], [info("b", shapes[1])], name="other")
    check(folder, model([node("If", ["c"], ["y"], then_branch=then, else_branch=other)], [info("c", (), BOOL), info("x", (2, 3))],
                        [info("y", None)], opset=17, ir=8), "-O1")
