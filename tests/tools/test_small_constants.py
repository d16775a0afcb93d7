# SPDX-License-Identifier: Apache-2.0
"""What --max-growth leaves out of the model is written as Expand(something small) where it is a broadcast of that.

The results are compared with ONNX Runtime's for the model as it was; a second run changes nothing.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

SIDE = 1024  # 4 MB of f32: more than the limit of 1 MiB
FILL = onnx.numpy_helper.from_array(np.array([1], np.float32))


def filled(name, shape="s"):
    return node("ConstantOfShape", [shape], [name], value=FILL)


def square(nodes, initializers=(), outputs=(info("y", (SIDE, SIDE)),), **options):
    """A model of one input of SIDE x SIDE; `s` is that shape."""
    inputs = [info("x", (SIDE, SIDE))]
    return m.model(nodes, inputs, list(outputs), [const("s", [SIDE, SIDE], np.int64), *initializers], **options)


def check(folder, source, operators, *flags):
    """Folds; the operators that are left, results as before, and nothing more to do."""
    path, out = folder / "model.onnx", folder / "out.onnx"
    onnx.save(source, path)
    t.fold(path, out, *flags)
    model = onnx.load(out)
    onnx.checker.check_model(model, full_check=True)
    assert m.operators(model) == operators, f"operators with {flags}"
    feeds = [m.ones(source)]
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(path, feeds)):
        compare.expectAgreement(got, want, f"{flags}")
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *flags), out, f"folded again with {flags}")
    return model


MASK = [filled("a"), node("Mul", ["a", "k"], ["b"]), node("Add", ["b", "row"], ["c"]), node("Add", ["x", "c"], ["y"])]
ROW = np.arange(SIDE, dtype=np.float32).reshape(1, SIDE)


def test_chain_becomes_one_expand(folder):
    source = square(MASK, [const("k", np.float32(-1e9)), const("row", ROW)])
    out = check(folder, source, ["Expand", "Add"])
    expand = out.graph.node[0]
    assert list(expand.output) == ["c"], "output of Expand"
    m.expectValue(out.graph, expand.input[0], np.float32(-1e9) + ROW)
    m.expectValue(out.graph, expand.input[1], np.array([SIDE, SIDE], np.int64))
    assert len(out.graph.initializer) == 2, "initializers"
    record = {one.key: one.value for one in out.metadata_props}["onnx-fold.growth"].split()
    # Only the row and its shape are new; the earlier row, a number and the earlier shape are erased.
    assert int(record[2]) == 0, "growth in the record"
    check(folder, source, ["ConstantOfShape", "Mul", "Add", "Add"], "--disable=small-constant")
    check(folder, source, ["ConstantOfShape", "Mul", "Add", "Add"], "-O0")
    check(folder, source, ["Add"], "--max-growth=unlimited")


def test_report_says_what_became_of_it(folder):
    onnx.save(square(MASK, [const("k", np.float32(-1e9)), const("row", ROW)]), folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    actions = {one["op"]: one["action"] for one in report["nodes"][:3]}
    assert report["nodes"][2]["action"] == "changed", "action of the last node of the chain"
    assert [actions["ConstantOfShape"], actions["Mul"]] == ["folded", "folded"], "actions of the others"
    assert report["ops"]["Expand"] == [0, 1], "Expand before and after"


def test_what_is_small_already_stays(folder):
    """ConstantOfShape and Expand of constants are as small as they can be."""
    check(folder, square([filled("a"), node("Add", ["x", "a"], ["y"])]), ["ConstantOfShape", "Add"])
    nodes = [node("Expand", ["row", "s"], ["a"]), node("Add", ["x", "a"], ["y"])]
    check(folder, square(nodes, [const("row", ROW)]), ["Expand", "Add"])


def test_what_is_no_broadcast_stays(folder):
    nodes = [node("Add", ["row", "column"], ["a"]), node("Add", ["x", "a"], ["y"])]
    check(folder, square(nodes, [const("row", ROW), const("column", ROW.T)]), ["Add", "Add"])


def test_budget_counts_the_small_constants(folder):
    """A number and two dimensions take 20 bytes; `s`, which another node reads, does not die."""
    nodes = [filled("a"), node("Neg", ["a"], ["b"]), node("Add", ["x", "b"], ["c"]), node("Op", ["c", "s"], ["y"], domain="other")]
    source = square(nodes, domains=[("other", 1)])
    onnx.save(source, folder / "model.onnx")
    for limit, first in ((19, ["ConstantOfShape", "Neg"]), (20, ["Expand"])):
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", f"--max-growth={limit}"))
        assert m.operators(out) == [*first, "Add", "Op"], f"operators with {limit} bytes"
        again = t.fold(folder / "out.onnx", folder / "again.onnx", f"--max-growth={limit}")
        t.expectSameBytes(again, folder / "out.onnx", f"folded again with {limit} bytes")


def test_several_that_read_each_other(folder):
    """A value that the graph gives and that others are computed from; two of one chain."""
    nodes = [
        filled("a"),
        node("Neg", ["a"], ["b"]),
        node("Exp", ["b"], ["c"]),
        node("Add", ["b", "row"], ["d"]),
        node("Add", ["x", "c"], ["p"]),
        node("Mul", ["p", "d"], ["y"]),
    ]
    outputs = [info("y", (SIDE, SIDE)), info("b", (SIDE, SIDE))]
    out = check(folder, square(nodes, [const("row", ROW)], outputs), ["Expand", "Expand", "Expand", "Add", "Mul"])
    assert [one.output[0] for one in out.graph.node] == ["b", "c", "d", "p", "y"], "values"


def test_rows_that_others_read(folder):
    """A row that Expand makes large: where a node that is kept reads it Expand is kept, and so is that node if its own
    result is no broadcast. Where only nodes that fold read it, it is erased, and nobody needs another one."""
    row, other = const("row", ROW), const("other", ROW.T)
    expand = node("Expand", ["row", "s"], ["large"])
    nodes = [expand, node("Add", ["large", "other"], ["a"]), node("Add", ["x", "a"], ["y"])]
    check(folder, square(nodes, [row, other]), ["Expand", "Add", "Add"])
    nodes = [expand, node("ReduceMax", ["large"], ["most"], keepdims=0), node("Add", ["x", "most"], ["y"])]
    check(folder, square(nodes, [row]), ["Add"])
    # A computed row is folded, the Expand behind it reads the constant.
    nodes = [node("Neg", ["row"], ["less"]), node("Expand", ["less", "s"], ["large"]), node("Neg", ["large"], ["more"])]
    nodes += [node("Add", ["large", "other"], ["a"]), node("Add", ["x", "a"], ["b"]), node("Mul", ["b", "more"], ["y"])]
    out = check(folder, square(nodes, [row, other]), ["Expand", "Expand", "Add", "Add", "Mul"])
    for one, sign in zip(out.graph.node, (-1, 1)):
        m.expectValue(out.graph, one.input[0], sign * ROW)


def test_in_bodies_and_functions(folder):
    def branch(name, number):
        nodes = [filled(f"a{name}"), node("Mul", [f"a{name}", number], [f"b{name}"]), node("Add", ["x", f"b{name}"], [name])]
        return m.graph(nodes, [], [info(name, (SIDE, SIDE))], [], name)

    body = [
        node("Constant", [], ["fs"], value=const("", [SIDE, SIDE], np.int64)),
        filled("fa", "fs"),
        node("Neg", ["fa"], ["fb"]),
        node("Add", ["p", "fb"], ["q"]),
    ]
    function = helper.make_function("local", "Shift", ["p"], ["q"], body, [helper.make_opsetid("", 21)])
    source = m.model(
        [
            node("If", ["flag"], ["z"], then_branch=branch("o1", "k"), else_branch=branch("o2", "l")),
            node("Shift", ["z"], ["y"], domain="local"),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE))],
        [const("s", [SIDE, SIDE], np.int64), const("k", np.float32(2)), const("l", np.float32(3))],
        domains=[("local", 1)],
        functions=[function],
    )
    out = check(folder, source, ["If", "Shift"])
    for graph in (attribute.g for attribute in out.graph.node[0].attribute):
        assert [one.op_type for one in graph.node] == ["Expand", "Add"], "operators of a branch"
    kept = [one.op_type for one in out.functions[0].node if one.op_type != "Constant"]
    assert kept == ["Expand", "Add"], "operators of the function"


def test_in_old_models(folder):
    """Expand came with opset 8, Constant nodes of integers with opset 9; at IR version 3 the constants are nodes."""
    one = const("one", np.ones((1, 1), np.float32))
    nodes = [node("Tile", ["one", "s"], ["a"]), node("Neg", ["a"], ["b"]), node("Add", ["x", "b"], ["y"])]
    check(folder, square(nodes, [one], opset=7, ir=4), ["Tile", "Neg", "Add"])
    nodes[:1] = [node("Expand", ["one", "s"], ["a"])]
    for opset, operators in ((8, ["Expand", "Neg", "Add"]), (9, ["Expand", "Add"])):
        source = square(nodes, [one], opset=opset, ir=3)
        source.graph.input.extend([info("s", (2,), TensorProto.INT64), info("one", (1, 1))])
        check(folder, source, operators)
