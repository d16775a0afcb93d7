# SPDX-License-Identifier: Apache-2.0
"""compat.onnxscript and compat.graphsurgeon: what the published tests of onnxscript 0.7 (optimizer) and ONNX GraphSurgeon 0.6
(fold_constants) ask of values, nodes and arguments, on models of our own. docs/python.md says what differs on purpose."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnx_fold
import onnxfold_compare as compare
import onnxfold_models as m
from onnx_fold.compat.onnxscript import fold_constants, optimize, optimize_ir
from onnxfold_models import const, info, node
from python_cases import W, operators, save, withExternalData

onnx_ir = pytest.importorskip("onnx_ir")
INT64 = TensorProto.INT64


def expectSame(folder, before, after, *feeds):
    paths = save(folder, before, "before.onnx"), save(folder, after, "after.onnx")
    for wanted, got in zip(*(compare.outputs(path, list(feeds)) for path in paths)):
        compare.expectAgreement(got, wanted, "what was optimized")


# ---- onnxscript ----------------------------------------------------------------------------------------------------------------


def small():
    """z = x * (two + two), also in a function that is called."""
    body = [node("Identity", ["a"], ["i"]), node("Mul", ["i", "i"], ["b"])]
    function = helper.make_function("com.example", "Square", ["a"], ["b"], body, [helper.make_opsetid("", 18)])
    nodes = [node("Constant", [], ["two"], value_float=2.0, name="two"), node("Add", ["two", "two"], ["four"], name="sum")]
    nodes += [node("Mul", ["x", "four"], ["h"], name="scale"), node("Square", ["h"], ["z"], domain="com.example", name="call")]
    model = m.model(nodes, [info("x")], [info("z")], domains=[("com.example", 1)], opset=18)
    model.functions.append(function)
    return model


def test_kinds(folder):
    """A ModelProto stays as it is; an onnx_ir.Model is changed in place; functions are inlined unless `inline=False`."""
    model = small()
    data = model.SerializeToString()
    result = optimize(model)
    assert operators(result) == ["Mul", "Mul"] and m.initializerNames(result) == ["four"] and not result.functions, f"{result}"
    assert model.SerializeToString() == data, "the argument"
    expectSame(folder, model, result, {"x": W})
    ir = onnx_ir.from_proto(small())
    assert optimize(ir, 5, onnx_shape_inference=False, stop_if_no_change=False) is ir, "the same object"
    assert (
        [one.op_type for one in ir.graph] == ["Mul", "Mul"] and not ir.functions and "four" in ir.graph.initializers
    ), "in place"
    ir = onnx_ir.from_proto(small())
    assert optimize_ir(ir, inline=False) is None and [one.op_type for one in ir.graph] == ["Mul", "Square"], "a function"
    model = small()
    assert fold_constants(model) and operators(model) == ["Mul", "Square"], "in place"
    assert not fold_constants(model), "nothing more"


def test_external_data(folder):
    """Tensors of an onnx_ir.Model stay in their file, and those that were computed come to it."""
    path = save(folder, withExternalData(folder))
    ir = optimize(onnx_ir.load(path))
    assert [one.op_type for one in ir.graph] == ["Mul", "Add"], "operators"
    assert np.array_equal(ir.graph.initializers["v"].const_value.numpy(), W + W), "computed"
    assert np.array_equal(ir.graph.initializers["w"].const_value.numpy(), W), "in its file"


def test_folded_nodes_of_choice():
    ir = onnx_ir.from_proto(small())
    asked = []
    optimize(ir, should_fold=lambda one: (asked.append(one.name), False if one.op_type == "Add" else None)[1])
    assert [one.op_type for one in ir.graph][0] == "Add" and [one.name for one in ir.graph][0] == "sum", "kept, with its name"
    assert asked == ["two", "sum", "scale", "call"], f"{asked}"
    with pytest.raises(TypeError, match="expected an onnx_ir.Model"):
        optimize(small(), should_fold=lambda one: False)


def test_limits():
    """Numbers of elements; a Transpose of a large constant folds all the same."""
    nodes = [node("Add", ["w", "w"], ["a"]), node("Transpose", ["w"], ["t"]), node("Mul", ["x", "a"], ["y"])]
    nodes.append(node("Expand", ["one", "s"], ["v"]))
    constants = [const("w", W), const("one", np.full((1,), 3, np.float32)), const("s", [100], np.int64)]
    model = m.model(nodes, [info("x")], [info("y"), info("v", (100,)), info("t", (3, 2))], constants, opset=18)
    assert operators(optimize(model)) == ["Mul"], "without"
    assert sorted(operators(optimize(model, input_size_limit=5))) == ["Add", "Mul"], "operands"
    assert sorted(operators(optimize(model, input_size_limit=6))) == ["Mul"], "operands"
    assert sorted(operators(optimize(model, output_size_limit=99))) == ["Expand", "Mul"], "results"
    assert sorted(operators(optimize(model, output_size_limit=100))) == ["Mul"], "results"


COPIES = {
    "Concat": ([], {"axis": 0}),
    "Dropout": ([], {}),
    "Cast": ([], {"to": TensorProto.FLOAT}),
    "CastLike": ([const("c", [2.0], np.float32)], {}),
    "Expand": ([const("c", [2, 3], np.int64)], {}),
    "Reshape": ([const("c", [2, 3], np.int64)], {}),
}


@pytest.mark.parametrize("op", COPIES)
def test_copies_of_inputs_are_identities(folder, op):
    """From input to output: a node that copies becomes an Identity, and names of inputs and outputs stay."""
    constants, attributes = COPIES[op]
    model = m.model(
        [node(op, ["x", *(one.name for one in constants)], ["z"], **attributes)], [info("x")], [info("z")], constants
    )
    for result in (optimize(model), optimize(model, level=1)):
        [only] = result.graph.node
        assert (only.op_type, list(only.input), list(only.output)) == ("Identity", ["x"], ["z"]), f"{only}"
        expectSame(folder, model, result, {"x": W})


def test_other_outputs_keep_their_names(folder):
    """One that is read inside, two of one value, a constant, an input, one of a branch."""
    then = m.graph([node("Neg", ["y"], ["t"])], [], [info("t")])
    other = m.graph([node("Identity", ["y"], ["e"])], [], [info("e")])
    nodes = [
        node("Exp", ["x"], ["y"]),
        node("Identity", ["y"], ["same"]),
        node("Add", ["w", "w"], ["k"]),
        node("If", ["c"], ["b"], then_branch=then, else_branch=other),
    ]
    outputs = [info("y"), info("same"), info("k"), info("b"), info("x")]
    model = m.model(nodes, [info("x"), info("c", (), TensorProto.BOOL)], outputs, [const("w", W)])
    result = optimize(model)
    assert [one.name for one in result.graph.output] == ["y", "same", "k", "b", "x"], "names"
    assert sorted(operators(result)) == ["Exp", "Identity", "If"], f"{operators(result)}"
    for c in (True, False):
        expectSame(folder, model, result, {"x": W, "c": np.array(c)})


def test_quantization_is_kept():
    """As there: weights stay compact, and so does what computes with them."""
    constants = [const("w", W), const("s", np.float32(0.5)), const("p", np.uint8(1), np.uint8)]
    nodes = [node("QuantizeLinear", ["w", "s", "p"], ["q"]), node("DequantizeLinear", ["q", "s", "p"], ["d"])]
    model = m.model([*nodes, node("Add", ["x", "d"], ["y"])], [info("x")], [info("y")], constants)
    assert operators(optimize(model)) == ["QuantizeLinear", "DequantizeLinear", "Add"], f"{operators(optimize(model))}"


SPLITS = {
    "sizes": ([const("k", [1, 2], np.int64)], ["k"], {}, 2),
    "one size": ([const("k", 2, np.int64)], ["k"], {}, 2),
    "keepdims of sizes has no effect": ([const("k", [2, 1], np.int64)], ["k"], {"keepdims": 0}, 2),
    "ones": ([], [], {}, 3),
    "ones without the axis": ([], [], {"keepdims": 0}, 3),
}


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("reader", ("SequenceAt", "ConcatFromSequence", "new_axis", "SequenceLength"))
def test_sequences_become_tensors(folder, kind, reader):
    constants, operands, attributes, count = SPLITS[kind]
    nodes = [node("SplitToSequence", ["x", *operands], ["s"], axis=1, **attributes)]
    outputs = [info("y", None)]
    if reader == "SequenceAt":
        nodes += [node("SequenceAt", ["s", f"i{i}"], [f"a{i}"]) for i in (0, 1)] + [node("SequenceAt", ["s", "last"], ["l"])]
        nodes += [node("Neg", ["a0"], ["y"]), node("Exp", ["a1"], ["y1"]), node("Exp", ["l"], ["y2"])]
        outputs += [info("y1", None), info("y2", None)]
        constants = [*constants, const("i0", 0, np.int64), const("i1", 1, np.int64), const("last", -1, np.int64)]
    elif reader == "SequenceLength":
        nodes.append(node("SequenceLength", ["s"], ["y"]))
        outputs = [info("y", (), INT64)]
    else:
        if reader == "new_axis" and count == 2:
            pytest.skip("parts of unequal shapes are not stacked")
        nodes.append(node("ConcatFromSequence", ["s"], ["y"], axis=-1, new_axis=int(reader == "new_axis")))
        if reader != "new_axis" and "without" in kind:
            nodes[-1].attribute[0].i = 0
    model = m.model(nodes, [info("x")], outputs, constants, opset=18)
    result = optimize(model)
    assert not any("Sequence" in one for one in operators(result)), f"{operators(result)}"
    onnx.checker.check_model(result, full_check=True)
    expectSame(folder, model, result, {"x": W})
    if reader == "SequenceLength":
        m.expectValue(result.graph, "y", count)


def test_constructed_sequences(folder):
    nodes = [node("Add", ["x", "x"], ["a"]), node("SequenceConstruct", ["x", "a", "x"], ["s"])]
    concat = [node("ConcatFromSequence", ["s"], ["y"], axis=0)]
    at = [node("SequenceAt", ["s", "i"], ["h"]), node("Neg", ["h"], ["y"])]
    for readers, wanted in (
        (concat, ["Add", "Concat"]),
        (at, ["Add", "Neg"]),
        (concat + at[:1] + [node("Neg", ["h"], ["z"])], None),
    ):
        outputs = [info("y", None)] + ([info("z", None)] if wanted is None else [])
        model = m.model([*nodes, *readers], [info("x")], outputs, [const("i", 1, np.int64)], opset=18)
        result = optimize(model)
        assert operators(result) == (wanted or ["Add", "Concat", "Neg"]), f"{operators(result)}"
        expectSame(folder, model, result, {"x": W})


def test_sequences_that_stay(folder):
    """Of unknown length, with another reader, with an element that is not there."""
    split = node("SplitToSequence", ["x", "k"], ["s"], axis=1)
    at = [node("SequenceAt", ["s", "i"], ["h"]), node("Neg", ["h"], ["y"])]
    sizes, zero, far = const("k", [1, 2], np.int64), const("i", 0, np.int64), const("i", 7, np.int64)
    unknown = m.model([node("SplitToSequence", ["x"], ["s"], axis=1), *at], [info("x", (2, "n"))], [info("y", None)], [zero])
    outside = m.model([split, *at], [info("x")], [info("y", None)], [sizes, far])
    more = m.model([split, *at], [info("x")], [info("y", None), m.sequenceInfo("s")], [sizes, zero])
    dynamic = m.model([split, *at], [info("x"), info("i", (), INT64)], [info("y", None)], [sizes])
    for name, model in (("unknown", unknown), ("outside", outside), ("an output", more), ("dynamic", dynamic)):
        assert operators(optimize(model)) == ["SplitToSequence", "SequenceAt", "Neg"], f"{name}: {operators(optimize(model))}"


# ---- ONNX GraphSurgeon ---------------------------------------------------------------------------------------------------------

F32 = np.float32


@pytest.fixture
def gs():
    return pytest.importorskip("onnx_graphsurgeon")


def folded(graph, **arguments):
    """The graph, whose nodes are some of those that it had, valid."""
    from onnx_fold.compat import graphsurgeon

    assert graphsurgeon.fold_constants(graph, **arguments) is graph, "in place"
    return graph.cleanup()


def added(gs):
    """y = x * (a + b)"""
    x, y = gs.Variable("x", F32, (2, 3)), gs.Variable("y", F32, (2, 3))
    a, b, c = gs.Constant("a", W), gs.Constant("b", W), gs.Variable("c")
    nodes = [gs.Node("Add", "add", inputs=[a, b], outputs=[c]), gs.Node("Mul", "mul", inputs=[x, c], outputs=[y])]
    return gs.Graph(nodes, [x], [y], opset=13)


def test_graphs_keep_their_objects(gs):
    """Nodes and tensors stay the objects that they were; what is constant becomes a gs.Constant in its place."""
    graph = added(gs)
    before, tensors = list(graph.nodes), graph.tensors()
    folded(graph)
    assert [one is before[1] for one in graph.nodes] == [True], "the node"
    assert before[1].inputs[1] is tensors["c"] and isinstance(tensors["c"], gs.Constant), "the tensor"
    assert np.array_equal(tensors["c"].values, W + W) and graph.outputs[0] is tensors["y"], "its values"
    onnx.checker.check_model(gs.export_onnx(graph), full_check=True)
    once = [one.op for one in graph.nodes]
    assert [one.op for one in folded(graph).nodes] == once, "again"


def test_what_graphs_exclude(gs):
    asked = []
    graph = folded(added(gs), should_exclude_node=lambda one: (asked.append(one), one.op == "Add")[1])
    assert [one.name for one in graph.nodes] == ["add", "mul"] and asked[0] is graph.nodes[0], "by a function"
    assert [one.op for one in folded(added(gs), size_threshold=23).nodes] == ["Add", "Mul"], "by size"
    assert [one.op for one in folded(added(gs), size_threshold=24).nodes] == ["Mul"], "by size"
    for way in (None, "basic", "recursive"):
        assert [one.op for one in folded(added(gs), partitioning=way, error_ok=False).nodes] == ["Mul"], "no effect"
    with pytest.raises(ValueError, match="expected None, 'basic' or 'recursive'"):
        folded(added(gs), partitioning="all")


@pytest.mark.parametrize("shape, wanted", [((2, 3, 4, 5), True), (("n", 3, "h", 5), True), (("n", "c", 4, "w"), False)])
def test_shapes_in_graphs(gs, shape, wanted):
    """Static sizes fold, also those of a shape that is not static as a whole."""
    x, y = gs.Variable("x", F32, shape), gs.Variable("y", np.int64, (2,))
    sizes, part = gs.Variable("sizes"), gs.Variable("part")
    nodes = [
        gs.Node("Shape", "shape", inputs=[x], outputs=[sizes]),
        gs.Node("Gather", "gather", inputs=[sizes, gs.Constant("i", np.array([1, 3]))], outputs=[part]),
        gs.Node("Add", "add", inputs=[part, gs.Constant("k", np.array([1, 1]))], outputs=[y]),
    ]
    graph = folded(gs.Graph(nodes, [x], [y], opset=13))
    assert (not graph.nodes) == wanted, f"{graph.nodes}"
    if wanted:
        assert graph.outputs[0].values.tolist() == [4, 6], f"{graph.outputs[0]}"
    x, y, sizes = gs.Variable("x", F32, (2, 3)), gs.Variable("y", np.int64, (2,)), gs.Variable("sizes")
    nodes = [gs.Node("Shape", inputs=[x], outputs=[sizes]), gs.Node("Neg", inputs=[sizes], outputs=[y])]
    assert [one.op for one in folded(gs.Graph(nodes, [x], [y], opset=13), fold_shapes=False).nodes] == [
        "Shape",
        "Neg",
    ], "not asked"


def branching(gs):
    """y = if not true: -(x + (a + a)) else exp(x)"""
    x, y = gs.Variable("x", F32, (2, 3)), gs.Variable("y", F32, (2, 3))
    c, n, a = gs.Constant("c", np.array(True)), gs.Variable("n"), gs.Constant("a", W)
    s, h, t, e = gs.Variable("s"), gs.Variable("h"), gs.Variable("t", F32, (2, 3)), gs.Variable("e", F32, (2, 3))
    then = [gs.Node("Add", inputs=[a, a], outputs=[s]), gs.Node("Add", inputs=[x, s], outputs=[h])]
    then = gs.Graph([*then, gs.Node("Neg", inputs=[h], outputs=[t])], [], [t], name="then")
    other = gs.Graph([gs.Node("Exp", inputs=[x], outputs=[e])], [], [e], name="else")
    nodes = [gs.Node("Not", inputs=[c], outputs=[n])]
    nodes.append(gs.Node("If", attrs={"then_branch": then, "else_branch": other}, inputs=[n], outputs=[y]))
    return gs.Graph(nodes, [x], [y], opset=13)


def test_branches_of_graphs(gs):
    """A known condition: the branch stands in its place, unless `flatten_subgraphs=False`. Bodies fold, unless not asked."""
    graph = folded(branching(gs))
    assert [one.op for one in graph.nodes] == ["Exp"] and graph.nodes[0].outputs[0] is graph.outputs[0], "flat"
    onnx.checker.check_model(gs.export_onnx(graph), full_check=True)
    graph = folded(branching(gs), flatten_subgraphs=False)
    assert [one.op for one in graph.nodes] == ["If"] and isinstance(graph.nodes[0].inputs[0], gs.Constant), "not flat"
    assert [one.op for one in graph.nodes[0].attrs["then_branch"].cleanup().nodes] == ["Add", "Neg"], "the body"
    graph = folded(branching(gs), flatten_subgraphs=False, recurse_subgraphs=False)
    assert [one.op for one in graph.nodes[0].attrs["then_branch"].cleanup().nodes] == ["Add", "Add", "Neg"], "not asked"


def test_names_that_two_branches_make(gs):
    """A value of one branch is never that of the other of the same name."""
    x, y, c = gs.Variable("x", F32, (2, 3)), gs.Variable("y", F32, (2, 3)), gs.Variable("c", bool, ())
    branches = {}
    for name, op in (("then_branch", "Add"), ("else_branch", "Mul")):
        a, k, t = gs.Constant(f"{name}_a", W), gs.Variable("k"), gs.Variable(f"{name}_t", F32, (2, 3))
        nodes = [gs.Node(op, inputs=[a, a], outputs=[k]), gs.Node("Add", inputs=[x, k], outputs=[t])]
        branches[name] = gs.Graph(nodes, [], [t], name=name)
    graph = folded(gs.Graph([gs.Node("If", attrs=branches, inputs=[c], outputs=[y])], [x, c], [y], opset=13))
    for name, value in (("then_branch", W + W), ("else_branch", W * W)):
        for one in graph.nodes[0].attrs[name].nodes:
            if one.op == "Add" and isinstance(one.inputs[1], gs.Constant):
                assert np.array_equal(one.inputs[1].values, value) or one.inputs[1].name.endswith("_a"), name


def test_random_nodes_of_graphs(gs):
    y = gs.Variable("y", F32, (2, 3))
    graph = gs.Graph([gs.Node("RandomUniform", attrs={"shape": [2, 3]}, outputs=[y])], [], [y], opset=13)
    assert [one.op for one in folded(graph).nodes] == ["RandomUniform"], "kept"


def test_small_results_of_large_ones(gs):
    """Over the limit is a tensor, and not what is computed from it; also in a graph that is both branches of an If."""
    for pushed in (False, True):
        t, y = gs.Variable("t"), gs.Variable("y", F32, (2,))
        nodes = [gs.Node("Tile", inputs=[gs.Constant("a", W[0]), gs.Constant("r", np.array([9]))], outputs=[t])]
        bounds = [gs.Constant(name, np.array([value])) for name, value in (("from", 0), ("to", 2))]
        nodes.append(gs.Node("Slice", inputs=[t, *bounds], outputs=[y]))
        graph = outer = gs.Graph(nodes, [], [y], opset=13)
        if pushed:
            c, z = gs.Variable("c", bool, ()), gs.Variable("z", F32, (2,))
            both = {"then_branch": graph, "else_branch": graph}
            outer = gs.Graph([gs.Node("If", attrs=both, inputs=[c], outputs=[z])], [c], [z], opset=13)
        from onnx_fold.compat import graphsurgeon

        graphsurgeon.fold_constants(outer, size_threshold=8)
        assert [len(one.outputs) for one in nodes] == [1, 0] and isinstance(y, gs.Constant), f"{nodes}"
        assert y.values.tolist() == W[0][:2].tolist() and not graph.cleanup().nodes, "its values"


def test_constants_that_are_inputs_of_graphs(gs):
    """They fold, and quantization does not: it says what is kept compact."""
    a, b, q = gs.Constant("a", W), gs.Variable("b", F32, (2, 3)), gs.Variable("q", np.uint8, (2, 3))
    scale, zero = gs.Constant("scale", np.array(2, F32)), gs.Constant("zero", np.array(0, np.uint8))
    nodes = [gs.Node("Add", inputs=[a, a], outputs=[b]), gs.Node("QuantizeLinear", inputs=[b, scale, zero], outputs=[q])]
    graph = folded(gs.Graph(nodes, [a], [q], opset=13))
    assert [one.op for one in graph.nodes] == ["QuantizeLinear"] and np.array_equal(b.values, W + W), f"{graph.nodes}"


def test_what_is_no_graph(gs):
    from onnx_fold.compat import graphsurgeon

    for model in (onnx.ModelProto(), "model.onnx", gs.Function("F", nodes=[], inputs=[], outputs=[])):
        with pytest.raises(TypeError, match="expected an onnx_graphsurgeon.Graph"):
            graphsurgeon.fold_constants(model)
