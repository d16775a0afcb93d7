# SPDX-License-Identifier: Apache-2.0
"""A fold showed mistakes that a model always had: Expand of an empty tensor, which a runtime meets when it gets there, became one
of a constant, and ONNX Runtime did not load the file; a Reshape got a constant shape, and the checker saw that the model declares
another one. What accepted a model before must accept it after, so the nodes that hide the mistake stay, and a warning names it.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

LEVELS = ("-O0", "-O1", "-O2")
SHOWN = "the checker or ONNX Runtime would refuse what it accepts now"
SIZES = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "one"], ["g"]), node("Concat", ["g", "rest"], ["sizes"], axis=0)]
PARTS = [const("one", np.array([1])), const("rest", np.array([-1]))]


def reshaped(declared, more=()):
    """Reshape(x, its own sizes), of 2 x 3 to 3 x 2; other nodes fold whatever becomes of these."""
    nodes = [*SIZES, node("Reshape", ["x", "sizes"], ["y"], "reshape"), *more]
    nodes += [node("Neg", ["w"], ["v"]), node("Add", ["x", "v"], ["z"])]
    outputs = [*declared, info("z", (2, 3))]
    return m.model(nodes, [info("x", (2, 3))], outputs, [*PARTS, const("w", np.ones((2, 3), np.float32))], opset=17)


def branches(declared, read=None):
    """If with a constant condition, of branches with two ranks; the declared type is that of neither."""
    then = helper.make_graph([node("Neg", ["x"], ["a"])], "then", [], [info("a", (2, 3))])
    other = helper.make_graph([node("ReduceSum", ["x", "axis"], ["b"], keepdims=0)], "else", [], [info("b", (2,))])
    nodes = [node("If", ["yes"], [read or "y"], "choice", then_branch=then, else_branch=other)]
    nodes += [node("Abs", [read], ["y"])] if read else []
    constants = [const("yes", np.array(True)), const("axis", np.array([1]))]
    return m.model(nodes, [info("x", (2, 3))], [info("y", declared)], constants, opset=17)


def expanded(opset=17):
    """Expand(an empty tensor, 2 x 3) fails; inference does not see that NonZero finds nothing."""
    nodes = [node("Shape", ["x"], ["s"]), node("ConstantOfShape", ["s"], ["zeros"]), node("NonZero", ["zeros"], ["places"])]
    nodes += [node("Expand", ["places", "s"], ["e"], "expand"), node("Cast", ["e"], ["y"], to=1)]
    return m.model(nodes, [info("x", (2, 3))], [info("y", ("a", "b"))], opset=opset)


def folded(folder, source, *flags):
    path = folder / "model.onnx"
    onnx.save(source, path)
    onnx.checker.check_model(source, full_check=True)
    compare.session(path)
    result = t.runOk(*flags, "-o", folder / "out.onnx", path)
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    compare.session(folder / "out.onnx")
    again = t.fold(folder / "out.onnx", folder / "again.onnx", *flags)
    t.expectSameBytes(again, folder / "out.onnx", f"folded again with {flags}")
    return t.operatorCounts(onnx.load(folder / "out.onnx")), result.err


def found(declared):
    """Where a constant is not 0, which no inference knows: 2 places; w is folded whatever becomes of them."""
    nodes = [node("NonZero", ["c"], ["places"], "where"), node("Cast", ["places"], ["y"], "numbers", to=1)]
    nodes += [node("Neg", ["w"], ["v"]), node("Add", ["x", "v"], ["z"])]
    constants = [const("c", np.array([1, 0, 2], np.float32)), const("w", np.ones((2, 3), np.float32))]
    return m.model(nodes, [info("x", (2, 3))], [info("y", declared), info("z", (2, 3))], constants, opset=17)


def repeated(declared):
    """A Loop of 4 iterations, which the file does not tell; it has a model of test data of Glow, in which the 20 were declared 10."""
    body = helper.make_graph(
        [node("Identity", ["going"], ["on"]), node("Identity", ["i"], ["each"])], "body",
        [info("i", (), TensorProto.INT64), info("going", (), TensorProto.BOOL)],
        [info("on", (), TensorProto.BOOL), info("each", (), TensorProto.INT64)],
    )
    nodes = [node("Add", ["two", "two"], ["four"]), node("Loop", ["four", ""], ["all"], "rounds", body=body)]
    nodes += [node("Cast", ["all"], ["y"], to=1), node("Neg", ["w"], ["v"]), node("Add", ["x", "v"], ["z"])]
    constants = [const("two", np.array(2)), const("w", np.ones((2, 3), np.float32))]
    return m.model(nodes, [info("x", (2, 3))], [info("y", declared), info("z", (2, 3))], constants, opset=17)


MISTAKES = {  # model, the node, what is said of it, nodes that stay
    "size of an output": (reshaped([info("y", (3, 4))]), "'reshape' (Reshape)", "differ in dimension 1", {"Shape", "Concat"}),
    "a size below 0": (reshaped([info("y", (3, -1))]), "'reshape' (Reshape)", "(2) vs (-1)", {"Shape", "Concat"}),
    "a node that reads it": (
        reshaped([info("r", (2, "n"))], more=[node("Relu", ["y"], ["r"], "relu")]), "'relu' (Relu)", "differ in dimension 0",
        {"Shape", "Concat"},
    ),
    "a size that a value tells": (found((1, 3)), "'numbers' (Cast)", "(2) vs (3)", {"NonZero"}),
    "a count of iterations": (repeated((3,)), "(Cast)", "(4) vs (3)", {"Loop"}),
    "a node that fails": (expanded(), "'expand' (Expand) fails in every run", "Incompatible dimensions", {"NonZero"}),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", MISTAKES)
def test_what_hides_it_stays(folder, level, case):
    model, name, text, kept = MISTAKES[case]
    counts, err = folded(folder, model, level)
    assert kept <= counts.keys() and "Neg" not in counts, counts
    assert SHOWN in err and name in err and text in err, err


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("read", (None, "r"))
def test_branches_that_hide_it_stay(folder, level, read):
    """The chosen branch is inlined from -O1 on, in place of a node of which nothing could be inferred."""
    counts, err = folded(folder, branches((), read=read), level)
    assert "If" in counts, counts
    assert level == "-O0" or (SHOWN in err and "differ in rank: (2) vs (0)" in err), err


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_right_folds(folder, level):
    for declared in ((3, 2), (3, "n"), ("a", "b")):
        counts, err = folded(folder, reshaped([info("y", declared)]), level)
        assert "Shape" not in counts and "warning" not in err, (counts, err)
    for model in (found((1, 2)), found(("a", "b")), repeated((4,)), repeated(("n",))):
        counts, err = folded(folder, model, level)
        assert counts == {"Add": 1} and "warning" not in err, (counts, err)
    counts, err = folded(folder, branches((2, 3)), level)
    assert ("If" in counts) == (level == "-O0") and "warning" not in err, (counts, err)


@pytest.mark.parametrize("level", LEVELS)
def test_what_the_checker_refuses_anyway_folds(folder, level):
    """The declared type of `q` is seen to be wrong without a fold: nobody accepts more than before. ONNX Runtime warns of it."""
    model = reshaped([info("y", (3, 2, "n")), info("q", (7,))], more=[node("Abs", ["x"], ["q"])])
    onnx.save(model, folder / "model.onnx")
    result = t.runOk(level, "-o", folder / "out.onnx", folder / "model.onnx")
    assert "Shape" not in t.operatorCounts(onnx.load(folder / "out.onnx"))
    assert "the model says that 'y'" in result.err and SHOWN not in result.err, result.err
    compare.session(folder / "out.onnx")


def test_from_a_stream(folder):
    """The second run reads what the first one has read."""
    model = MISTAKES["size of an output"][0].SerializeToString()
    result = t.runOk("-", "-o", folder / "out.onnx", stdin=model)
    assert result.err.count(SHOWN) == 1, result.err
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)


def test_sizes_below_0_are_said(folder):
    onnx.save(reshaped([info("y", ("n", -1))]), folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "-o", folder / "out.onnx")
    assert "dimension 1 of 'y' is -1; a size below 0 is taken as unknown" in result.err, result.err


@pytest.mark.parametrize("level", LEVELS)
def test_without_outputs_nodes_stay(folder, level):
    """All was erased from -O1 on, and ONNX Runtime does not load a model without a node."""
    model = m.model([node("Neg", ["w"], ["v"]), node("Add", ["x", "v"], ["z"])], [info("x")], [], [const("w", np.ones(3, np.float32))])
    counts, err = folded(folder, model, level)
    assert {"Neg", "Add"} <= counts.keys() and "has no outputs" in err, (counts, err)


def test_sparse_initializers_by_their_names(folder):
    """--verify said "NotConstant 'w': domain 'onnx-fold' has no operator 'NotConstant'" of an initializer."""
    values = helper.make_tensor("w", TensorProto.FLOAT, [1], [2.0])
    sparse = helper.make_sparse_tensor(values, helper.make_tensor("", TensorProto.INT64, [1], [1]), [3])
    model = m.model([node("Add", ["x", "w"], ["y"])], [info("x", (3,))], [info("y", (3,))], opset=17)
    model.graph.sparse_initializer.append(sparse)
    onnx.save(model, folder / "model.onnx")
    result = t.run("--verify", folder / "model.onnx", "-o", folder / "out.onnx")
    assert "initializer 'w': is sparse, or" in result.err and "NotConstant" not in result.err, result


def test_sparse_attributes_by_their_kind(folder):
    """A Constant's `value` that is a sparse tensor was shown as the bytes of a dialect's attribute."""
    sparse = helper.make_sparse_tensor(helper.make_tensor("v", 1, [1], [2.0]), helper.make_tensor("i", 7, [1], [1]), [3])
    attribute = helper.make_attribute("value", sparse)
    made = node("Constant", [], ["c"])
    made.attribute.append(attribute)
    onnx.save(m.model([made, node("Add", ["x", "c"], ["y"])], [info("x", (3,))], [info("y", (3,))]), folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    reasons = {one["outputs"][0]: one["reason"] for one in report["nodes"]}
    assert "attribute 'value' is SPARSE_TENSOR, expected TENSOR" in reasons["c"]["text"], reasons


def joined(size):
    """The shape of two tensors of 3 that a sequence joins, whose type says `size`."""
    nodes = [node("SequenceConstruct", ["c", "c"], ["s"]), node("ConcatFromSequence", ["s"], ["k"], axis=0), node("Shape", ["k"], ["y"])]
    model = m.model(nodes, [], [info("y", (1,), TensorProto.INT64)], [const("c", np.ones(3, np.float32))], opset=17)
    model.graph.value_info.append(info("k", (size,)))
    return model


@pytest.mark.parametrize("level", LEVELS)
def test_a_size_of_a_sequence_that_a_value_contradicts(folder, level):
    """ONNX infers no sizes of what a sequence holds, so the 7 that the model says was folded, where runtimes have 6."""
    operators, said = folded(folder, joined(7), level)
    assert not operators and "the model says that 'k' is tensor<7xf32>, inferred is tensor<6xf32>" in said, f"{operators}: {said}"
    expectConstant(folder, [6])
    operators, said = folded(folder, joined(6), level)
    assert not operators and "the model says" not in said, f"{operators}: {said}"


@pytest.mark.parametrize("level", LEVELS)
def test_a_size_of_parts_that_a_value_contradicts(folder, level):
    """Inference does not follow the parts of a split list, so Shape stays; above -O0 the list is none any more."""
    nodes = [node("SplitToSequence", ["c"], ["s"], axis=0), node("ConcatFromSequence", ["s"], ["k"], axis=0), node("Shape", ["k"], ["y"])]
    model = m.model(nodes, [], [info("y", (1,), TensorProto.INT64)], [const("c", np.ones(3, np.float32))], opset=17)
    model.graph.value_info.append(info("k", (7,)))
    operators, said = folded(folder, model, level)
    assert "the model says that 'k' is tensor<7xf32>, inferred is tensor<3xf32>" in said, f"{operators}: {said}"
    if level == "-O0":
        assert operators["Shape"] == 1, operators
    else:
        expectConstant(folder, [3])


def expectConstant(folder, value):
    (constant,) = onnx.load(folder / "out.onnx").graph.initializer
    assert onnx.numpy_helper.to_array(constant).tolist() == value, constant


# Nodes that make k of a (2) and b (3), and the sizes that it has.
TAKEN = {
    "joined": ([node("SequenceConstruct", ["a", "b"], ["s"]), node("ConcatFromSequence", ["s"], ["k"], axis=-1)], [5]),
    "of what was computed": (
        [node("Relu", ["a"], ["r"]), node("SequenceConstruct", ["r", "b"], ["s"]), node("ConcatFromSequence", ["s"], ["k"], axis=0)],
        [5],
    ),
    "inserted": (
        [
            node("SequenceEmpty", [], ["none"]),
            node("SequenceInsert", ["none", "a"], ["one"]),
            node("SequenceInsert", ["one", "b", "first"], ["s"]),
            node("ConcatFromSequence", ["s"], ["k"], axis=0),
        ],
        [5],
    ),
    "stacked": ([node("SequenceConstruct", ["a", "a", "a"], ["s"]), node("ConcatFromSequence", ["s"], ["k"], axis=1, new_axis=1)], [2, 3]),
    "taken": ([node("SequenceConstruct", ["a", "b"], ["s"]), node("SequenceAt", ["s", "first"], ["k"])], [2]),
}


def taken(name, sizes):
    nodes = [*TAKEN[name][0], node("Shape", ["k"], ["y"])]
    inputs = [info("a", (2,)), info("b", (3,))]
    model = m.model(nodes, inputs, [info("y", (len(sizes),), TensorProto.INT64)], [const("first", np.array(0))], opset=17)
    model.graph.value_info.append(info("k", sizes))
    return model


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", TAKEN)
def test_a_size_of_a_sequence_of_inputs(folder, name, level):
    """At -O0 the size that the model says was folded, above it the right one, both without a word."""
    sizes = TAKEN[name][1]
    wrong = [sizes[0], *sizes[1:-1], 9] if len(sizes) > 1 else [9]
    operators, said = folded(folder, taken(name, wrong), level)
    text = "x".join(map(str, sizes))
    assert "Shape" not in operators and f"inferred is tensor<{text}xf32>" in said, f"{operators}: {said}"
    assert sizes in [onnx.numpy_helper.to_array(one).tolist() for one in onnx.load(folder / "out.onnx").graph.initializer]
    operators, said = folded(folder, taken(name, sizes), level)
    assert "Shape" not in operators and "the model says" not in said, f"{operators}: {said}"


def test_a_size_of_a_sequence_that_is_not_known(folder):
    """Of tensors of two sizes SequenceAt takes one or the other, so what the model says is all that is known."""
    nodes = [node("SequenceConstruct", ["a", "b"], ["s"]), node("SequenceAt", ["s", "i"], ["k"]), node("Shape", ["k"], ["y"])]
    inputs = [info("a", (2,)), info("b", (3,)), info("i", (), TensorProto.INT64)]
    model = m.model(nodes, inputs, [info("y", (1,), TensorProto.INT64)], opset=17)
    model.graph.value_info.append(info("k", (None,)))
    operators, said = folded(folder, model, "-O1")
    assert operators["Shape"] == 1 and "the model says" not in said, f"{operators}: {said}"
