# SPDX-License-Identifier: Apache-2.0
"""What refers to values by name, apart from operands: it follows renames, and keeps a node that it could not follow.

A MatMul whose device configuration shards its result `mm` became one with the result `y`, whose configuration still said `mm`;
equal nodes of two pipeline stages became one; Gemm and Conv with BatchNormalization had no configuration and no texts any more;
the quantization annotation of a value that took the name of a graph output was dropped.
"""

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_references as r
import onnxfold_testing as t
from onnxfold_models import const, info, node
from onnxfold_placed import B, SAME_Y, THREE, W, X, Y, annotation, folded, loop, metadata, model, placed, spec, stages, told, warnings

RUNS = (["-O0"], ["-O1"], ["-O2"])

# The list of fields


def test_every_field_is_in_the_list():
    """A field of a later version of onnx.proto has to be judged: what it refers to, and whether that follows."""
    texts, entries = r.referringFields()
    assert texts == set(r.FIELDS) and entries == set(r.ENTRIES), "fields of onnx.proto that hold texts"
    page = (Path(__file__).parents[2] / "onnx/io/RATIONALE.md").read_text()
    listed = set(re.findall(r"`(\w+(?:\.\w+)+)`", page))
    missing = {name for name, what in r.FIELDS.items() if what not in ("text", "by its list") and name not in listed}
    assert not missing | (set(r.ENTRIES) - listed), "fields that RATIONALE.md does not list"


# Device configurations


@pytest.mark.parametrize("flags", RUNS, ids=str)
def test_result_takes_the_name_of_an_output(folder, flags):
    """sharding_0: MatMul makes `mm`, and a copy of it is the output."""
    source = model([placed(node("MatMul", ["x", "w"], ["mm"]), spec("x", 0), spec("w", 1), spec("mm", 2, "n")), node("Identity", ["mm"], ["y"])])
    out = folded(folder, source, *flags)
    assert r.roles(out) == {0: {("MatMul", 0)}, 1: {("MatMul", 1)}, 2: {("MatMul", -1)}}
    assert len(out.graph.node) == (2 if flags == ["-O0"] else 1)


@pytest.mark.parametrize("flags", RUNS, ids=str)
def test_operand_is_another_value(folder, flags):
    """sharding_1: MatMul reads a copy of the input."""
    source = model([node("Identity", ["x"], ["r"]), placed(node("MatMul", ["r", "w"], ["y"]), spec("r", 0), spec("y", 1))])
    out = folded(folder, source, *flags)
    assert r.roles(out) == {0: {("MatMul", 0)}, 1: {("MatMul", -1)}}


def test_initializer_takes_the_name_of_an_output(folder):
    """An initializer that is an output under another name; the node that reads it shards it."""
    nodes = [node("Identity", ["w"], ["z"]), placed(node("MatMul", ["x", "w"], ["y"]), spec("w", 0))]
    out = folded(folder, model(nodes, [Y, info("z", (3, 4))]))
    assert r.roles(out) == {0: {("MatMul", 1)}} and m.initializerNames(out) == ["b", "z"] or m.initializerNames(out) == ["z"]


@pytest.mark.parametrize("flags", RUNS, ids=str)
def test_sharded_value_folds(folder, flags):
    """The constant has the name that the reader's spec has."""
    nodes = [
        placed(node("Mul", ["w", "two"], ["w2"]), spec("w2", 5)),
        placed(node("MatMul", ["x", "w2"], ["mm"]), spec("w2", 0)),
        node("Identity", ["mm"], ["y"]),
    ]
    out = folded(folder, model(nodes, constants=[W, const("two", 2, np.float32)]), *flags)
    assert r.roles(out) == {0: {("MatMul", 1)}} and "w2" in m.initializerNames(out)


def test_equal_constants_become_one(folder):
    """Readers of equal folded constants read one of them."""
    nodes = [
        node("Mul", ["w", "two"], ["v"]),
        node("Mul", ["two", "w"], ["u"]),
        placed(node("MatMul", ["x", "v"], ["y"]), spec("v", 0)),
        placed(node("MatMul", ["x2", "u"], ["z"]), spec("u", 1)),
    ]
    out = folded(folder, model(nodes, [Y, info("z", ("n", 4))], [X, info("x2", ("n", 3))], [W, const("two", 2, np.float32)]))
    assert r.roles(out) == {0: {("MatMul", 1)}, 1: {("MatMul", 1)}} and len(out.graph.initializer) == 1


def test_stages_are_not_merged(folder):
    """sharding_2: equal nodes of two pipeline stages are two; of one stage they are one."""

    def twins(a, b):
        sums = [node("Add", ["a", "b"], ["s"]), node("Sin", ["s"], ["y"])]
        return model([a, b, *sums], [SAME_Y], constants=[])

    def relu(name, number, stage, configuration="c"):
        return placed(node("Relu", ["x"], [name], name), spec(name, number), stage=stage, configuration=configuration)

    apart = folded(folder, twins(relu("a", 0, 0), relu("b", 1, 1)))
    assert m.operators(apart) == ["Relu", "Relu", "Add", "Sin"], "two stages"
    for other in (relu("b", 0, 0, "d"), relu("b", 1, 0), node("Relu", ["x"], ["b"])):
        assert m.operators(folded(folder, twins(relu("a", 0, 0), other))).count("Relu") == 2, str(other)
    one = folded(folder, twins(relu("a", 0, 0), relu("b", 0, 0)))
    assert m.operators(one) == ["Relu", "Add", "Sin"] and r.roles(one) == {0: {("Relu", -1)}}, "one stage"


@pytest.mark.parametrize("first, second", [(0, 0), (0, 1)], ids=["equal", "unequal"])
def test_bodies_of_stages(folder, first, second):
    """Ifs with equal bodies are one only if the nodes in these have equal configurations."""

    def branches(name, stage):
        inner = placed(node("Relu", ["x"], [name]), spec(name, 7), stage=stage)
        other = node("Neg", ["x"], [name + "n"])
        return node(
            "If",
            ["c"],
            [name + "i"],
            then_branch=m.graph([inner], [], [info(name, None)]),
            else_branch=m.graph([other], [], [info(name + "n", None)]),
        )

    nodes = [branches("p", first), branches("q", second), node("Add", ["pi", "qi"], ["s"]), node("Sin", ["s"], ["y"])]
    source = model(nodes, [SAME_Y], [X, info("c", (), TensorProto.BOOL)], [])
    assert m.operators(folded(folder, source)).count("If") == (1 if first == second else 2)


def gemm(first=(), second=(), stages=(0, 0), configured=(True, True)):
    """MatMul and Add, which are a Gemm at -O2."""
    mm, add = node("MatMul", ["x", "w"], ["mm"], "mm"), node("Add", ["mm", "b"], ["y"], "add")
    if configured[0]:
        placed(mm, *first, stage=stages[0])
    if configured[1]:
        placed(add, *second, stage=stages[1])
    return model([mm, add])


def test_fused_node_has_the_configuration(folder):
    """sharding_5: both are of one stage, and what they shard the Gemm reads or makes."""
    out = folded(folder, gemm([spec("x", 0), spec("w", 1)], [spec("b", 2), spec("y", 3)]), "-O2")
    assert m.operators(out) == ["Gemm"] and stages(out.graph.node[0]) == [0]
    assert r.roles(out) == {0: {("Gemm", 0)}, 1: {("Gemm", 1)}, 2: {("Gemm", 2)}, 3: {("Gemm", -1)}}


KEPT = [
    (gemm(stages=(0, 1)), "device_configurations of node 'mm' (MatMul) differ from those of node 'add' (Add)"),
    (gemm(configured=(True, False)), "device_configurations of node 'mm' (MatMul) differ from those of node 'add' (Add)"),
    (gemm(configured=(False, True)), "device_configurations of node 'mm' (MatMul) differ from those of node 'add' (Add)"),
    (gemm([spec("mm", 0)]), "device configuration 'c' shards 'mm', which would be neither read nor made"),
    (gemm([], [spec("mm", 0)]), "device configuration 'c' shards 'mm', which would be neither read nor made"),
]


@pytest.mark.parametrize("source, reason", KEPT, ids=["stages", "first", "second", "between", "read-between"])
def test_unlike_nodes_are_not_fused(folder, source, reason):
    """Near misses: of another stage, without a configuration, or with a spec of the value in between."""
    assert m.operators(folded(folder, source, "-O2")) == ["MatMul", "Add"]
    told = warnings(folder, source, "-O2")
    assert f"told.onnx: node 'add' (Add) is kept: {reason}" in told, told


def convolution(configured):
    """Conv and BatchNormalization."""
    rng = np.random.default_rng(5)
    scale, shift, mean, variance = (const(name, rng.random(4) + 0.5, np.float32) for name in ("s", "t", "m", "v"))
    conv, norm = node("Conv", ["x", "k"], ["c"], "conv"), node("BatchNormalization", ["c", "s", "t", "m", "v"], ["y"], "norm")
    conv, norm = told(conv, "one", at="here", by="conv"), told(norm, "one", at="here", by="norm")
    if configured:
        placed(conv, spec("x", 0)), placed(norm, *configured)
    kernel = const("k", rng.random((4, 3, 1, 1)), np.float32)
    return model([conv, norm], [info("y", (1, 4, 5, 5))], [info("x", (1, 3, 5, 5))], [kernel, scale, shift, mean, variance])


def test_convolution_and_norm(folder):
    """The new Conv has what both say; a spec of the norm's scale cannot follow, as the Conv has other weights."""
    out = folded(folder, convolution([spec("y", 1)]), "-O2")
    assert m.operators(out) == ["Conv"] and r.roles(out) == {0: {("Conv", 0)}, 1: {("Conv", -1)}}
    assert metadata(out.graph.node[0]) == {"at": "here"} and out.graph.node[0].doc_string == "one"
    source = convolution([spec("s", 1)])
    assert m.operators(folded(folder, source, "-O2")) == ["Conv", "BatchNormalization"]
    assert "shards 's'" in warnings(folder, source, "-O2")


def test_node_with_a_device_is_kept(folder):
    """A copy of a value between two stages moves it: it is no copy for a runtime."""
    source = model([node("Relu", ["x"], ["r"]), placed(node("Identity", ["r"], ["i"], "move"), spec("i", 0), stage=1), node("Sin", ["i"], ["y"])], [SAME_Y], constants=[])
    assert m.operators(folded(folder, source)) == ["Relu", "Identity", "Sin"]
    assert "node 'move' (Identity) is kept: its device configuration 'c' would be lost with it" in warnings(folder, source)


def test_the_second_of_two_equal_functions(folder):
    """Relu(Relu(x)) is the first one, if that says of the value what the second says."""

    def source(stage):
        first = placed(node("Relu", ["x"], ["a"]), spec("a", 0))
        return model([first, placed(node("Relu", ["a"], ["b"], "again"), spec("b", 0), stage=stage), node("Sin", ["b"], ["y"])], [SAME_Y], constants=[])

    assert m.operators(folded(folder, source(0))) == ["Relu", "Sin"]
    assert m.operators(folded(folder, source(1))) == ["Relu", "Relu", "Sin"]
    assert "node 'again' (Relu) is kept" in warnings(folder, source(1))


def test_operand_that_is_sharded_is_not_left_out(folder):
    """A Gemm with a bias of zeros reads none at -O2, unless the bias is sharded."""
    zeros = const("b", [0, 0, 0, 0], np.float32)
    for specs, left in (([spec("x", 0)], 2), ([spec("b", 0)], 3)):
        source = model([placed(node("Gemm", ["x", "w", "b"], ["y"], "gemm"), *specs)], constants=[W, zeros])
        assert len(folded(folder, source, "-O2").graph.node[0].input) == left
    assert "node 'gemm' (Gemm) is kept: device configuration 'c' shards 'b', which the node would read no more" in warnings(folder, source, "-O2")


def test_name_that_is_none_of_the_node(folder):
    """The specification has none such: it is kept as it is, with a warning."""
    source = model([placed(node("MatMul", ["x", "w"], ["mm"], "mm"), spec("q", 0)), node("Identity", ["mm"], ["y"])])
    m.folded(folder, source)
    assert "device_configurations shard 'q', which is neither an input nor an output" in warnings(folder, source)


@pytest.mark.parametrize("flag", ["--dim=n:4", "--input-shape=x:4,3"])
def test_dimension_of_a_spec(folder, flag):
    """A dimension that is fixed is a number in specs too; another one keeps its name."""
    source = model([placed(node("MatMul", ["x", "w"], ["mm"]), spec("x", 0, "n"), spec("mm", 1, "k")), node("Identity", ["mm"], ["y"])], inputs=[X, info("z", ("k",))])
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", flag))
    simple = [one.sharded_dim[0].simple_sharding[0] for one in out.graph.node[0].device_configurations[0].sharding_spec]
    assert (simple[0].dim_value, simple[0].num_shards, simple[1].dim_param) == (4, 2, "k")
    r.expectReferences(out)


# Bodies and functions


SCALES = [const("q", 0.5, np.float32), const("q2", 0.25, np.float32), const("q3", 0.125, np.float32)]


def test_unrolled_iterations(folder):
    """Each copy shards its own values and has annotations of its own."""
    inner = [placed(node("Sin", ["s"], ["u"]), spec("s", 0), spec("u", 1)), placed(node("Cos", ["u"], ["a"]), spec("u", 2), spec("a", 3))]
    nodes = [loop(inner, annotations=[annotation("u", SCALE_TENSOR="q")]), node("Neg", ["l"], ["y"])]
    source = model(nodes, [SAME_Y], constants=[THREE, SCALES[0]])
    out = folded(folder, source, "--unroll=4")
    assert m.operators(out) == ["Sin", "Cos"] * 3 + ["Neg"]
    assert r.roles(out) == {0: {("Sin", 0)}, 1: {("Sin", -1)}, 2: {("Cos", 0)}, 3: {("Cos", -1)}}
    assert r.annotated(out.graph) == {"q": ["Sin"] * 3}
    kept = folded(folder, source)
    assert m.operators(kept) == ["Loop", "Neg"]


def test_annotation_that_names_a_value_of_the_body(folder):
    """Its scale is an initializer of the body: the loop is kept, and says why."""
    inner = [node("Sin", ["s"], ["u"]), node("Cos", ["u"], ["a"])]
    one = loop(inner, annotations=[annotation("u", SCALE_TENSOR="own")])
    one.attribute[0].g.initializer.append(const("own", 0.5, np.float32))
    source = model([one, node("Neg", ["l"], ["y"])], [SAME_Y], constants=[THREE])
    assert m.operators(folded(folder, source, "--unroll=4")) == ["Loop", "Neg"]
    assert "loop 'loop' is not unrolled: quantization_annotation of a body names values of that body" in warnings(folder, source, "--unroll=4")


def branch(prefix, annotations=()):
    nodes = [placed(node("Sin", ["x"], [prefix + "u"]), spec("x", 0), spec(prefix + "u", 1)), placed(node("Cos", [prefix + "u"], [prefix + "v"]), spec(prefix + "u", 2), spec(prefix + "v", 3))]
    body = m.graph(nodes, [], [info(prefix + "v", None)])
    body.quantization_annotation.extend(annotations)
    return body


def test_branch_that_is_taken(folder):
    """Its nodes stand in the graph, where `u` is another value already."""
    then, other = branch("", [annotation("u", SCALE_TENSOR="q")]), branch("o")
    nodes = [node("Exp", ["x"], ["e"]), node("If", ["yes"], ["i"], "if", then_branch=then, else_branch=other), node("Add", ["i", "e"], ["y"])]
    source = model(nodes, [SAME_Y], constants=[const("yes", True, np.bool_), SCALES[0]])
    out = folded(folder, source)
    assert m.operators(out) == ["Exp", "Sin", "Cos", "Add"]
    assert r.roles(out) == {0: {("Sin", 0)}, 1: {("Sin", -1)}, 2: {("Cos", 0)}, 3: {("Cos", -1)}}
    assert r.annotated(out.graph) == {"q": ["Sin"]}
    placed(source.graph.node[1], spec("i", 9))
    assert m.operators(folded(folder, source)) == ["Exp", "If", "Add"]
    assert "node 'if' (If) is kept: its device configuration 'c' would be lost with it" in warnings(folder, source)


def functionModel(calls, **more):
    """Calls of a function that folds in part when its second operand is a constant."""
    inner = [
        node("Mul", ["k", "k"], ["kk"]),
        placed(node("Add", ["p", "kk"], ["u"]), spec("p", 0), spec("kk", 1), spec("u", 2)),
        placed(node("Sin", ["u"], ["o"]), spec("u", 3), spec("o", 4)),
    ]
    function = helper.make_function("f", "F", ["p", "k"], ["o"], inner, [helper.make_opsetid("", 21)])
    return model(calls, [SAME_Y], constants=[const("one", [1, 2, 3], np.float32), const("two", [2, 2, 2], np.float32)], domains=[("f", 1)], functions=[function], **more)


def test_inlined_call(folder):
    """The body's nodes shard the values of the graph."""
    call = node("F", ["x", "one"], ["r"], "call", domain="f")
    out = folded(folder, functionModel([call, node("Neg", ["r"], ["y"])]))
    assert m.operators(out) == ["Add", "Sin", "Neg"] and not out.functions
    assert r.roles(out) == {0: {("Add", 0)}, 1: {("Add", 1)}, 2: {("Add", -1)}, 3: {("Sin", 0)}, 4: {("Sin", -1)}}
    source = functionModel([placed(call, spec("r", 8)), node("Neg", ["r"], ["y"])])
    out = folded(folder, source)
    assert m.operators(out) == ["F", "Neg"] and r.roles(out)[8] == {("F", -1)}
    assert "node 'call' (F) is kept: its device configuration 'c' would be lost with it" in warnings(folder, source)


def test_lifted_constant(folder):
    """What the calls pass has another name in the body, and another place in the calls."""
    calls = [node("F", ["x", "one"], ["r"], domain="f"), node("F", ["r", "two"], ["r2"], domain="f"), node("Neg", ["r2"], ["y"])]
    out = folded(folder, functionModel(calls))
    found = r.roles(out)
    assert {number: found[number] for number in (0, 2, 3, 4)} == {0: {("Add", 0)}, 2: {("Add", -1)}, 3: {("Sin", 0)}, 4: {("Sin", -1)}}
    assert found[1] == {("Add", 1)}


def test_operand_of_a_call_that_is_no_longer_read(folder):
    """A spec of the weight became one of the transposed weight, which the call passed in its place."""
    body = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    imports = [helper.make_opsetid("", 21)]
    function = helper.make_function("f", "F", ["a", "w"], ["b"], body, imports)
    large = [const(name, np.random.default_rng(i).standard_normal((32, 32)), np.float32) for i, name in enumerate("wv")]
    calls = [placed(node("F", ["x", "w"], ["h"], domain="f"), spec("x", 0), spec("h", 1)), placed(node("F", ["h", "v"], ["y"], domain="f"), spec("y", 2))]
    shape = ("n", 32)

    def source():
        return model(calls, [info("y", shape)], [info("x", shape)], large, domains=[("f", 1)], functions=[function])

    out = folded(folder, source())
    assert list(out.functions[0].input) == ["a", "t"], "the weights are not sharded: the transposed ones take their place"
    assert r.roles(out) == {0: {("F", 0)}, 1: {("F", -1)}, 2: {("F", -1)}}
    calls[1].device_configurations[0].sharding_spec.append(spec("v", 3))
    out = folded(folder, source())
    assert list(out.functions[0].input) == ["a", "w", "t"], "a sharded operand stays"
    assert r.roles(out)[3] == {("F", 1)} and out.graph.node[1].input[1] == "v"


# Quantization annotations


@pytest.mark.parametrize("flags", RUNS, ids=str)
def test_annotated_value_takes_a_name(folder, flags):
    """`mm` is annotated, and a copy of it is the output."""
    source = model([node("MatMul", ["x", "w"], ["mm"]), node("Identity", ["mm"], ["y"])], constants=[W, SCALES[0]], annotations=[("mm", {"SCALE_TENSOR": "q"})])
    out = folded(folder, source, *flags)
    assert r.annotated(out.graph) == {"q": ["MatMul"]} and "q" in m.initializerNames(out)


def test_annotated_copy_goes(folder):
    """The value that readers read instead has the annotation, unless it has another one."""

    def source(first, annotations):
        nodes = [node(first, ["x"], ["a"]), node("Identity", ["a"], ["c"], "copy"), node("Cos", ["c"], ["y"])]
        return model(nodes, [SAME_Y], constants=SCALES, annotations=annotations)

    q, q2 = {"SCALE_TENSOR": "q"}, {"SCALE_TENSOR": "q2"}
    assert r.annotated(folded(folder, source("Sin", [("c", q)])).graph) == {"q": ["Sin"]}, "moves"
    assert r.annotated(folded(folder, source("Sin", [("a", q), ("c", q)])).graph) == {"q": ["Sin"]}, "is the same"
    other = source("Sin", [("a", q), ("c", q2)])
    assert r.annotated(folded(folder, other).graph) == {"q": ["Sin"], "q2": ["Identity"]}, "differs"
    assert "node 'copy' (Identity) is kept: quantization_annotation of 'c' differs from that of 'a'" in warnings(folder, other)
    inputs = model([node("Identity", ["x"], ["c"], "copy"), node("Cos", ["c"], ["y"])], [SAME_Y], constants=SCALES, annotations=[("c", q)])
    out = folded(folder, inputs)
    assert [one.tensor_name for one in out.graph.quantization_annotation] == ["x"] and m.operators(out) == ["Cos"], "of an input"
    inputs.graph.quantization_annotation.append(annotation("x", **q2))
    assert m.operators(folded(folder, inputs)) == ["Identity", "Cos"], "of an input that has another one"


def test_annotated_value_between_fused_nodes(folder):
    """It would be no value any more; that of the result is kept."""
    between = model([node("MatMul", ["x", "w"], ["mm"], "mm"), node("Add", ["mm", "b"], ["y"], "add")], constants=[W, B, *SCALES], annotations=[("mm", {"SCALE_TENSOR": "q"})])
    assert m.operators(folded(folder, between, "-O2")) == ["MatMul", "Add"]
    assert "node 'add' (Add) is kept: quantization_annotation names 'mm'" in warnings(folder, between, "-O2")
    between.graph.quantization_annotation[0].tensor_name = "y"
    out = folded(folder, between, "-O2")
    assert r.annotated(out.graph) == {"q": ["Gemm"]} and m.operators(out) == ["Gemm"]


def test_scale_that_a_node_makes(folder):
    """A scale in a Constant node, or computed, that nothing but the annotation reads."""
    nodes = [
        node("Constant", [], ["k"], value=const("", 0.5, np.float32)),
        node("Mul", ["half", "half"], ["computed"]),
        node("Sin", ["x"], ["s"]),
        node("Cos", ["s"], ["c"]),
        node("Identity", ["c"], ["y"]),
    ]
    source = model(nodes, [SAME_Y], constants=[const("half", 0.5, np.float32)], annotations=[("s", {"SCALE_TENSOR": "k"}), ("c", {"SCALE_TENSOR": "computed"})])
    for flags in RUNS:
        assert r.annotated(folded(folder, source, *flags).graph) == {"k": ["Sin"], "computed": ["Cos" if flags != ["-O0"] else "Cos"]}


def test_parameters_that_are_no_tensors(folder):
    """qonnx writes types there."""
    source = model([node("MatMul", ["x", "w"], ["mm"]), node("Identity", ["mm"], ["y"])], annotations=[("mm", {"finn_datatype": "INT8"}), ("w", {"finn_datatype": "INT4"})])
    out = folded(folder, source)
    found = {one.tensor_name: one.quant_parameter_tensor_names[0].value for one in out.graph.quantization_annotation}
    assert found == {"y": "INT8", "w": "INT4"}


def test_scale_that_a_body_names(folder):
    """A scale of the main graph that only an annotation in a body names."""
    body = branch("", [annotation("u", SCALE_TENSOR="q")])
    source = model([node("If", ["c"], ["y"], then_branch=body, else_branch=branch("o"))], [SAME_Y], [X, info("c", (), TensorProto.BOOL)], [SCALES[0]])
    out = folded(folder, source)
    assert "q" in m.initializerNames(out)


# Everything at once


def everything():
    """A model in which every kind of reference is to everything that rewrites touch."""
    inner = [placed(node("Sin", ["s"], ["u"]), spec("s", 20), spec("u", 21)), placed(node("Cos", ["u"], ["a"]), spec("u", 22), spec("a", 23, "n"))]
    nodes = [
        placed(node("Mul", ["w", "two"], ["w2"]), spec("w", 90), spec("w2", 91)),
        node("Identity", ["x"], ["x1"]),
        placed(node("MatMul", ["x1", "w2"], ["mm"], "mm"), spec("x1", 0, "n"), spec("w2", 1), stage=3),
        placed(node("Add", ["mm", "b"], ["sum"], "add"), spec("b", 2), spec("sum", 3, "n"), stage=3),
        placed(node("Relu", ["sum"], ["r1"]), spec("r1", 4), stage=1),
        placed(node("Relu", ["sum"], ["r2"]), spec("r2", 5), stage=2),
        placed(node("Tanh", ["sum"], ["t1"]), spec("t1", 6)),
        placed(node("Tanh", ["sum"], ["t2"]), spec("t2", 6)),
        node("Sum", ["r1", "r2", "t1", "t2"], ["total"]),
        node("Identity", ["total"], ["copy"]),
        placed(node("Softplus", ["copy"], ["soft"]), spec("copy", 7), spec("soft", 8)),
        node("Identity", ["soft"], ["y"]),
        loop(inner, annotations=[annotation("u", SCALE_TENSOR="q3")]),
        node("If", ["yes"], ["i"], then_branch=branch("", [annotation("v", SCALE_TENSOR="q2")]), else_branch=branch("o")),
        node("F", ["i", "one"], ["called"], domain="f"),
        placed(node("Sub", ["l", "called"], ["z"]), spec("l", 10), spec("called", 11), spec("z", 12)),
    ]
    for one in nodes:
        told(one, "doc", all="yes", own=one.op_type)
    constants = [W, B, const("two", 2, np.float32), THREE, const("yes", True, np.bool_), const("one", [1, 2, 3], np.float32), *SCALES]
    annotations = [("soft", {"SCALE_TENSOR": "q"}), ("w", {"finn_datatype": "INT4"}), ("sum", {"SCALE_TENSOR": "q2"})]
    function = functionModel([]).functions[0]
    result = model(nodes, [Y, info("z", ("n", 3))], constants=constants, annotations=annotations, domains=[("f", 1)], functions=[function])
    result.graph.value_info.extend([info("mm", ("n", 4)), info("copy", ("n", 4)), info("soft", ("n", 4))])
    return result


EXPECTED = {
    0: {("MatMul", 0), ("Gemm", 0)},
    1: {("MatMul", 1), ("Gemm", 1)},
    2: {("Add", 1), ("Gemm", 2)},
    3: {("Add", -1), ("Gemm", -1)},
    4: {("Relu", -1)},
    5: {("Relu", -1)},
    6: {("Tanh", -1)},
    7: {("Softplus", 0)},
    8: {("Softplus", -1)},
    10: {("Sub", 0)},
    11: {("Sub", 1)},
    12: {("Sub", -1)},
    20: {("Sin", 0)},
    21: {("Sin", -1)},
    22: {("Cos", 0)},
    23: {("Cos", -1)},
}
OPTIONS = [
    ["-O0"],
    ["-O1"],
    ["-O2"],
    ["-O2", "--unroll=8", "--shapes"],
    ["-O1", "--unroll=8", "--external-data"],
    ["-O2", "--unroll=8", "--dim=n:2", "--shapes"],
    ["-O2", "--max-growth=0", "--unroll=8"],
    ["-O1", "--target-opset=23", "--unroll=8"],
    ["-O2", "--only=MatMul,Identity"],
    ["-O1", "--provenance", "--unroll=8"],
    ["-O1", "--keep-initializer=w", "--unroll=8"],
    ["-O1", "--bind=x=x.npy", "--unroll=8"],
]


@pytest.mark.parametrize("flags", OPTIONS, ids=" ".join)
def test_everything(folder, flags):
    source = everything()
    r.expectReferences(source)
    np.save(folder / "x.npy", np.ones((2, 3), np.float32))
    flags = [flag.replace("x.npy", str(folder / "x.npy")) for flag in flags]
    binds = any(flag.startswith("--bind") for flag in flags)
    onnx.save(source, folder / "model.onnx")
    if binds or any(flag.startswith(("--dim", "--external")) for flag in flags):
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", *flags))
        onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
        r.expectReferences(out)
    else:
        out = folded(folder, source, *flags)
    for number, found in r.roles(out).items():
        assert number in (90, 91) or number in (0, 1, 2, 3, 4) or found, number
        if number in EXPECTED and number > 4:
            assert found <= EXPECTED[number], f"spec {number} is of {found}"


@pytest.mark.parametrize("flags", [["--outputs=soft,sum"], ["--inputs=x,sum"], ["--inputs=copy", "--outputs=y"], ["--run-once=w"]], ids=" ".join)
def test_everything_in_parts(folder, flags):
    """Cut, and split in two."""
    onnx.save(everything(), folder / "model.onnx")
    t.runOk("--quiet", folder / "model.onnx", "-o", folder / "out.onnx", "--unroll=8", *flags)
    for path in folder.glob("out*.onnx"):
        onnx.checker.check_model(str(path), full_check=True)
        r.expectReferences(onnx.load(path))


def test_training(folder):
    """Bindings name initializers of the main graph, and outputs of graphs that are not read."""
    source = everything()
    info_ = source.training_info.add()
    info_.algorithm.CopyFrom(m.graph([placed(node("Sub", ["w", "rate"], ["w_new"]), spec("w", 50), spec("w_new", 51))], [], [info("w_new", (3, 4))], [const("rate", 0.1, np.float32)]))
    info_.initialization.CopyFrom(m.graph([node("Identity", ["zero"], ["b_new"])], [], [info("b_new", (4,))], [const("zero", [0, 0, 0, 0], np.float32)]))
    info_.update_binding.add(key="w", value="w_new")
    info_.initialization_binding.add(key="b", value="b_new")
    for flags in RUNS:
        onnx.save(source, folder / "model.onnx")
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", *flags))
        r.expectReferences(out)
        assert {"w", "b"} <= set(m.initializerNames(out))


def test_text_format(folder):
    """The same of a model in protobuf's text format."""
    from google.protobuf import text_format

    (folder / "model.onnxtxt").write_text(text_format.MessageToString(everything()))
    onnx.save(everything(), folder / "model.onnx")
    text, binary = (t.fold(folder / f"model.{kind}", folder / f"{kind}.onnx", "-O2", "--unroll=8") for kind in ("onnxtxt", "onnx"))
    t.expectSameBytes(text, binary, "of the text")
