# SPDX-License-Identifier: Apache-2.0
"""Clean-ups from file to file: what is erased, what is kept, and what the report says."""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X = np.array([[1, -0.0, np.inf], [-3, 0.5, np.nan]], np.float32)
W = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


def inputsOf(container, op):
    return [list(one.input) for one in container.node if one.op_type == op]


def chain(*nodes, constants=(), shape=("n", 3), **more):
    """x -> nodes -> Relu -> y; the last node makes `h`."""
    return m.model([*nodes, node("Relu", ["h"], ["y"])], [info("x", shape)], [info("y", shape)], constants, **more)


def test_replaced_node_is_erased_and_its_user_is_patched(folder):
    out = cleaned(folder, chain(node("Mul", ["x", "one"], ["h"]), constants=[const("one", np.float32(1))]), feeds=[{"x": X}])
    assert m.operators(out) == ["Relu"], "operators"
    assert inputsOf(out.graph, "Relu") == [["x"]], "inputs of Relu"
    assert m.initializerNames(out) == [], "initializers"


def test_chain_of_many_kinds(folder):
    """Each is seen through the others."""
    nodes = [
        node("Transpose", ["x"], ["a"], perm=[1, 0]),
        node("Identity", ["a"], ["b"]),
        node("Dropout", ["b"], ["c"]),
        node("Transpose", ["c"], ["d"], perm=[1, 0]),
        node("Neg", ["d"], ["e"]),
        node("Reshape", ["e", "same"], ["f"]),
        node("Neg", ["f"], ["g"]),
        node("Cast", ["g"], ["h"], to=F32),
    ]
    out = cleaned(folder, chain(*nodes, constants=[const("same", [0, 3], np.int64)]), feeds=[{"x": X}])
    assert (m.operators(out), inputsOf(out.graph, "Relu")) == (["Relu"], [["x"]]), "what is left"


def test_level_0_does_none(folder):
    model = chain(node("Identity", ["x"], ["h"]), node("Neg", ["x"], ["unused"]))
    cleaned(folder, model, "-O0", feeds=[{"x": X}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "-O0")
    cleaned(folder, model, "-O1", feeds=[{"x": X}])
    t.fold(folder / "model.onnx", folder / "default.onnx")
    t.expectSameBytes(folder / "out.onnx", folder / "default.onnx", "-O1 and the default")


def test_disable_by_name(folder):
    model = chain(
        node("Identity", ["x"], ["a"]), node("Neg", ["a"], ["b"]), node("Neg", ["b"], ["h"]), node("Exp", ["x"], ["u"])
    )
    for flags, expected in (
        ([], ["Relu"]),
        (["--disable=twice"], ["Neg", "Neg", "Relu"]),
        (["--disable=identity"], ["Identity", "Relu"]),
        (["--disable=unused-node"], ["Exp", "Relu"]),
        (["--disable=twice,identity", "--disable=unused-node"], ["Identity", "Neg", "Neg", "Exp", "Relu"]),
    ):
        out = cleaned(folder, model, *flags, feeds=[{"x": X}])
        assert m.operators(out) == expected, f"operators with {flags}"


def test_disable_with_a_wrong_name(folder):
    onnx.save(chain(node("Identity", ["x"], ["h"])), folder / "model.onnx")
    result = t.run("--disable=identity,nothing", folder / "model.onnx")
    assert result.code == 1, "exit status"
    assert "--disable is 'nothing', expected a name of --list-patterns" in result.err, result.err


def test_every_listed_pattern_can_be_disabled(folder):
    onnx.save(chain(node("Identity", ["x"], ["h"])), folder / "model.onnx")
    listed = [line.split()[0] for line in t.runOk("--list-patterns").out.decode().splitlines()]
    assert len(listed) >= 18 and len(set(listed)) == len(listed), f"names are {listed}"
    tested = {path.stem for path in (t.ROOT / "tests/onnx/transforms").glob("*.mlir")}
    assert set(listed) <= tested, f"no test for {set(listed) - tested}"
    t.fold(folder / "model.onnx", folder / "out.onnx", *[f"--disable={name}" for name in listed])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "all disabled")


def test_skip_protects_nodes_and_their_readers(folder):
    model = m.model(
        [
            node("Identity", ["x"], ["a"], name="kept"),
            node("Identity", ["x"], ["b"], name="other"),
            node("Relu", ["a"], ["c"], name="ra"),
            node("Neg", ["b"], ["d"], name="rb"),
            node("Add", ["c", "d"], ["y"]),
        ],
        [info("x")],
        [info("y")],
    )
    out = cleaned(folder, model, "--skip=kept", feeds=[{"x": X}])
    assert m.operators(out) == ["Identity", "Relu", "Neg", "Add"], "operators with --skip=kept"
    assert inputsOf(out.graph, "Relu") + inputsOf(out.graph, "Neg") == [["a"], ["x"]], "inputs"
    out = cleaned(folder, model, "--skip=rb", feeds=[{"x": X}])
    assert inputsOf(out.graph, "Relu") + inputsOf(out.graph, "Neg") == [["x"], ["b"]], "inputs with --skip=rb"
    cleaned(folder, model, "--skip=*", feeds=[{"x": X}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "--skip=*")


def test_graph_outputs_stay(folder):
    """Two outputs are two names, also where the values are equal, and an output that copies an input is kept a copy."""
    model = m.model(
        [node("Exp", ["x"], ["y"]), node("Identity", ["y"], ["z"]), node("Identity", ["x"], ["copy"])],
        [info("x")],
        [info("y"), info("z"), info("copy")],
    )
    cleaned(folder, model, feeds=[{"x": X}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "nothing to do")


def test_outputs_take_the_place_of_copies(folder):
    """The node that makes the value makes the output, under its name; what else read the value reads that."""
    nodes = [
        node("Exp", ["x"], ["h"]),
        node("Sin", ["h"], ["s"]),
        node("Identity", ["h"], ["y"]),
        node("Mul", ["s", "one"], ["z"]),
        node(
            "If",
            ["c"],
            ["u"],
            then_branch=body(node("Cos", ["h"], ["v"]), output="v"),
            else_branch=body(node("Tan", ["y"], ["w"]), output="w"),
        ),
    ]
    model = m.model(nodes, [info("x"), info("c", (), BOOL)], [info("y"), info("z"), info("u")], [const("one", np.float32(1))])
    model.graph.value_info.extend([info("h"), info("s")])
    out = cleaned(folder, model, feeds=BOTH)
    assert [list(one.output) for one in out.graph.node] == [["y"], ["z"], ["u"]], "results"
    assert inputsOf(out.graph, "Sin") == [["y"]], "inputs of Sin"
    for which, op in (("then_branch", "Cos"), ("else_branch", "Tan")):
        assert inputsOf(branchOf(out.graph, which), op) == [["y"]], f"inputs of {op}"
    assert len(out.graph.value_info) == 0, "value infos"


def test_outputs_of_nodes_with_several_results(folder):
    nodes = [node("TopK", ["x", "k"], ["v", "i"], name="top"), node("Cast", ["i"], ["y"], to=I64), node("Neg", ["v"], ["z"])]
    model = m.model(nodes, [info("x")], [info("y", (2, 2), I64), info("z", (2, 2))], [const("k", [2], np.int64)])
    out = cleaned(folder, model, feeds=[{"x": W}])
    assert [list(one.output) for one in out.graph.node] == [["v", "y"], ["z"]], "results"


def test_outputs_in_bodies_and_functions(folder):
    """The results of branches and functions are theirs as well."""
    then = body(node("Exp", ["x"], ["a"]), node("Identity", ["a"], ["t"]), output="t")
    other = body(node("Identity", ["x"], ["e"]), output="e")
    call = node("F", ["y"], ["z"], domain="t")
    function = helper.make_function(
        "t", "F", ["a"], ["b"], [node("Exp", ["a"], ["c"]), node("Identity", ["c"], ["b"])], [helper.make_opsetid("", 21)]
    )
    model = choice(then, other, more=[call])
    model.graph.output.append(info("z"))
    model.opset_import.append(helper.make_opsetid("t", 1))
    model.functions.append(function)
    out = cleaned(folder, model, feeds=BOTH)
    assert [list(one.output) for one in branchOf(out.graph, "then_branch").node] == [["t"]], "the then branch"
    assert [one.op_type for one in branchOf(out.graph, "else_branch").node] == ["Identity"], "the else branch"
    assert [list(one.output) for one in out.functions[0].node] == [["b"]], "the function"


def test_outputs_that_cannot_take_the_place_of_copies(folder):
    """Two outputs have two names; a protected node keeps its result's name, and a protected reader what it reads."""
    nodes = [node("Exp", ["x"], ["h"], name="exp"), node("Identity", ["h"], ["y"]), node("Identity", ["h"], ["z"])]
    model = m.model(nodes, [info("x")], [info("y"), info("z")])
    out = cleaned(folder, model, feeds=[{"x": X}])
    seen = [(one.op_type, *one.input, *one.output) for one in out.graph.node]
    assert seen == [("Exp", "x", "y"), ("Identity", "y", "z")], "nodes"
    cleaned(folder, model, "--skip=exp", feeds=[{"x": X}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "--skip=exp")
    model = m.model([*nodes[:2], node("Sin", ["h"], ["z"], name="sin")], [info("x")], [info("y"), info("z")])
    cleaned(folder, model, "--skip=sin", feeds=[{"x": X}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "--skip=sin")


def test_output_names_that_mean_another_value_before(folder):
    """In the branch `e` is the outer one until the branch makes its own. ONNX's checker and ONNX Runtime refuse that."""
    nodes = [node("Exp", ["x"], ["a"]), node("Sin", ["e"], ["b"]), node("Add", ["a", "b"], ["d"])]
    then = body(*nodes, node("Identity", ["a"], ["e"]), node("Add", ["d", "e"], ["t"]), output="t")
    then.output.append(info("e"))
    other = body(node("Neg", ["x"], ["n"]), node("Abs", ["x"], ["o"]), output="n")
    other.output.append(info("o"))
    model = choice(then, other, [node("Cos", ["x"], ["e"])])
    next(one for one in model.graph.node if one.op_type == "If").output.append("p")
    model.graph.output.append(info("p"))
    onnx.save(model, folder / "model.onnx")
    result = t.run("-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 1 and "value 'e' is defined twice, here and around the graph" in result.err, result


def test_equal_nodes_are_one(folder):
    model = m.model(
        [
            node("Mul", ["x", "v"], ["a"]),
            node("Mul", ["x", "w"], ["b"]),
            node("Exp", ["a"], ["c"]),
            node("Exp", ["b"], ["d"]),
            node("Sub", ["c", "d"], ["y"]),
        ],
        [info("x")],
        [info("y")],
        [const("v", W), const("w", W)],
    )
    out = cleaned(folder, model, feeds=[{"x": W}])
    assert m.operators(out) == ["Mul", "Exp", "Sub"], "operators"
    assert inputsOf(out.graph, "Sub") == [["c", "c"]], "inputs of Sub"
    assert m.initializerNames(out) == ["v"], "initializers"


def test_random_operators_are_never_one(folder):
    nodes = [node("RandomNormal", [], [name], shape=[2, 3], seed=1.0) for name in "ab"]
    model = m.model([*nodes, node("Sub", ["a", "b"], ["c"]), node("Add", ["c", "x"], ["y"])], [info("x")], [info("y")])
    cleaned(folder, model, runs=False)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "random operators")


def choice(then, other, nodes=(), constants=(), more=()):
    """x, c -> nodes; y = If(c)."""
    chosen = node("If", ["c"], ["y"], name="choice", then_branch=then, else_branch=other)
    return m.model([*nodes, chosen, *more], [info("x"), info("c", (), BOOL)], [info("y")], constants)


def body(*nodes, output, name="b", inputs=(), constants=()):
    return m.graph(nodes, inputs, [info(output)], constants, name=name)


BOTH = [{"x": X, "c": np.array(value)} for value in (True, False)]


def branchOf(graph, which):
    one = next(one for one in graph.node if one.op_type == "If")
    return next(attribute.g for attribute in one.attribute if attribute.name == which)


def test_inputs_in_bodies_are_patched(folder):
    """A body reads a value of the graph around it that is replaced, two levels down as well."""
    inner = body(node("Exp", ["h"], ["i"]), output="i", name="inner")
    nested = node("If", ["c"], ["u"], name="deep", then_branch=inner, else_branch=body(node("Abs", ["h"], ["j"]), output="j"))
    then = body(nested, output="u", name="then")
    other = body(node("Neg", ["h"], ["e"]), output="e", name="else")
    out = cleaned(folder, choice(then, other, [node("Identity", ["x"], ["h"])]), feeds=BOTH)
    assert t.operatorCounts(out).get("Identity", 0) == 0, "Identity"
    assert inputsOf(branchOf(out.graph, "else_branch"), "Neg") == [["x"]], "inputs in the else branch"
    deep = branchOf(branchOf(out.graph, "then_branch"), "then_branch")
    assert inputsOf(deep, "Exp") == [["x"]], "inputs two levels down"


def test_nodes_in_bodies_go(folder):
    then = body(node("Identity", ["x"], ["a"]), node("Exp", ["a"], ["t"]), output="t", name="then")
    other = body(node("Exp", ["x"], ["b"]), node("Exp", ["x"], ["d"]), node("Add", ["b", "d"], ["e"]), output="e")
    out = cleaned(folder, choice(then, other), feeds=BOTH)
    assert [one.op_type for one in branchOf(out.graph, "then_branch").node] == ["Exp"], "then branch"
    assert [one.op_type for one in branchOf(out.graph, "else_branch").node] == ["Exp", "Add"], "else branch"


def test_equal_nodes_across_bodies(folder):
    """A body may read an outer equal node; a branch not what the other one has, nor the graph what a branch has."""
    then = body(node("Exp", ["x"], ["t1"]), node("Tanh", ["x"], ["t2"]), node("Add", ["t1", "t2"], ["t"]), output="t")
    other = body(node("Tanh", ["x"], ["e1"]), node("Neg", ["e1"], ["e"]), output="e")
    model = choice(then, other, [node("Exp", ["x"], ["outer"])], more=[node("Tanh", ["x"], ["last"])])
    model.graph.output.extend([info("outer"), info("last")])
    out = cleaned(folder, model, feeds=BOTH)
    thenNodes = branchOf(out.graph, "then_branch")
    assert inputsOf(thenNodes, "Add") == [["outer", "t2"]], "inputs in the then branch"
    assert t.operatorCounts(out) == {"Exp": 1, "If": 1, "Tanh": 3, "Add": 1, "Neg": 1}, "operators"


def test_names_in_bodies_hide_outer_ones(folder):
    """The argument of a loop's body is called as a value outside is: what the body reads cannot be renamed to that. ONNX's
    checker allows it for inputs of bodies."""
    nodes = [node("Identity", ["go"], ["again"]), node("Add", ["x", "h"], ["next"])]
    inputs = [info("i", (), I64), info("go", (), BOOL), info("x")]
    inner = m.graph(nodes, inputs, [info("again", (), BOOL), info("next")], name="body")
    model = m.model(
        [node("Identity", ["x"], ["h"]), node("Loop", ["n", "yes", "w"], ["y"], body=inner)],
        [info("x"), info("n", (), I64)],
        [info("y")],
        [const("yes", np.array(True)), const("w", W)],
    )
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert t.operatorCounts(out).get("Identity") == 2, "Identity"
    loop = next(one for one in out.graph.node if one.op_type == "Loop")
    assert inputsOf(next(a.g for a in loop.attribute if a.name == "body"), "Add") == [["x", "h"]], "inputs of Add"
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx"), folder / "out.onnx", "folded again")


def test_inputs_in_functions_are_patched(folder):
    """In a function that is called twice what holds for both is erased, and an attribute that is a parameter is not known."""
    flip = node("Transpose", ["b"], ["d"])
    flip.attribute.append(helper.make_attribute_ref("perm", AttributeProto.INTS))
    flip.attribute[0].ref_attr_name = "order"
    nodes = [node("Identity", ["a"], ["b"]), flip, node("Transpose", ["d"], ["e"]), node("Neg", ["e"], ["f"])]
    nodes += [node("Neg", ["f"], ["g"]), node("Exp", ["g"], ["h"]), node("Sin", ["a"], ["unused"])]
    function = helper.make_function("t", "F", ["a"], ["h"], nodes, [helper.make_opsetid("", 21)], ["order"])
    called = [node("F", ["x"], [name], domain="t", order=order) for name, order in (("y", [1, 2, 0]), ("z", [0, 2, 1]))]
    shape = (2, 3, 4)
    outputs = [info(name, ("p", "q", "r")) for name in "yz"]
    model = m.model(called, [info("x", shape)], outputs, domains=[("t", 1)], functions=[function])
    feeds = [{"x": np.arange(24, dtype=np.float32).reshape(shape) / 24}]
    out = cleaned(folder, model, feeds=feeds)
    body = out.functions[0]
    assert [one.op_type for one in body.node] == ["Transpose", "Transpose", "Exp"], "operators of the function"
    assert inputsOf(body, "Transpose") + inputsOf(body, "Exp") == [["a"], ["d"], ["e"]], "inputs"


def test_value_infos_and_annotations_go(folder):
    """What the file says about the type of an erased value is erased, what it says about others is kept. The annotation is that
    of the value which is read in its place."""
    nodes = [node("Identity", ["x"], ["a"]), node("Exp", ["a"], ["h"]), node("Sin", ["x"], ["unused"])]
    model = chain(*nodes, constants=[const("scale", np.float32(0.5))])
    model.graph.value_info.extend(info(name, ("n", 3)) for name in ("a", "h", "unused"))
    for name in ("a", "h"):
        annotation = model.graph.quantization_annotation.add()
        annotation.tensor_name = name
        pair = annotation.quant_parameter_tensor_names.add()
        pair.key, pair.value = "SCALE_TENSOR", "scale"
    out = cleaned(folder, model, feeds=[{"x": X}])
    assert [one.name for one in out.graph.value_info] == ["h"], "value infos"
    assert [one.tensor_name for one in out.graph.quantization_annotation] == ["h", "x"], "annotations"
    assert m.initializerNames(out) == ["scale"], "initializers"


def test_parameters_of_annotations_stay(folder):
    """An initializer that only a replaced node reads is still the scale of another value."""
    model = chain(node("Mul", ["x", "scale"], ["a"]), node("Exp", ["a"], ["h"]), constants=[const("scale", np.float32(1))])
    annotation = model.graph.quantization_annotation.add()
    annotation.tensor_name = "h"
    pair = annotation.quant_parameter_tensor_names.add()
    pair.key, pair.value = "SCALE_TENSOR", "scale"
    out = cleaned(folder, model, feeds=[{"x": X}])
    assert m.operators(out) == ["Exp", "Relu"], "operators"
    assert m.initializerNames(out) == ["scale"], "initializers"


def test_values_of_training_stay(folder):
    """The training step reads values of the main graph by name."""
    nodes = [node("Identity", ["x"], ["a"]), node("Exp", ["a"], ["h"]), node("Mul", ["h", "w"], ["loss"])]
    model = chain(*nodes, constants=[const("w", W)], shape=(2, 3))
    step = m.graph([node("Sub", ["w", "a"], ["s"]), node("Sub", ["s", "loss"], ["new"])], [], [info("new")], name="step")
    model.training_info.append(helper.make_training_info(step, [("w", "new")], None, None))
    out = cleaned(folder, model, feeds=[{"x": X}])
    assert sorted(m.operators(out)) == ["Exp", "Identity", "Mul", "Relu"], "operators"
    assert m.initializerNames(out) == ["w"], "initializers"
    assert out.training_info[0] == model.training_info[0], "training information"


def test_ir_3(folder):
    """Every initializer is a graph input too, which nobody can feed: one without readers goes, and so does its input."""
    model = m.model(
        [node("Mul", ["x", "one"], ["h"]), node("Relu", ["h"], ["y"])],
        [info("x"), info("one", (1,))],
        [info("y")],
        [const("one", np.ones(1, np.float32))],
        opset=8,
        ir=3,
    )
    out = m.folded(folder, model)
    assert (m.operators(out), inputsOf(out.graph, "Relu")) == (["Relu"], [["x"]]), "what is left"
    assert m.initializerNames(out) == [] and [one.name for one in out.graph.input] == ["x"], "what only the Mul read"


def test_overridable_neutral_element_stays(folder):
    """From IR 4 on a caller may give another one."""
    model = chain(node("Mul", ["x", "one"], ["h"]), constants=[const("one", np.float32(1))])
    model.graph.input.append(info("one", ()))
    cleaned(folder, model, feeds=[{"x": X}, {"x": X, "one": np.array(2, np.float32)}])
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "overridable initializer")


def test_legacy_broadcasts(folder):
    """Before version 7 the second operand is aligned by `axis` and the first has the shape of the result."""
    nodes = [
        node("Mul", ["x", "ones"], ["a"], broadcast=1, axis=0),
        node("Pow", ["a", "ones"], ["b"], broadcast=1, axis=0),
        node("Sub", ["b", "zeros"], ["h"], broadcast=1, axis=1),
    ]
    constants = [const("ones", np.ones(2, np.float32)), const("zeros", np.zeros(3, np.float32))]
    model = chain(*nodes, constants=constants, shape=(2, 3), opset=6, ir=4)
    out = cleaned(folder, model, runs=False)  # ONNX Runtime begins with version 7
    assert m.operators(out) == ["Relu"], "operators"


def test_nodes_that_may_fail_stay(folder):
    """Nobody reads it, but a runtime refuses the model, and still does."""
    model = chain(
        node("Identity", ["x"], ["h"]),
        node("Div", ["k", "zero"], ["unused"]),
        constants=[const("k", np.arange(3)), const("zero", np.array(0))],
    )
    out = cleaned(folder, model, runs=False)
    assert m.operators(out) == ["Div", "Relu"], "operators"


def test_unused_control_flow_goes(folder):
    """An If without users is erased, with the initializers that only its branches read."""
    then = body(node("Add", ["x", "w"], ["t"]), output="t", name="then")
    other = body(node("Mul", ["x", "w"], ["e"]), output="e", name="else")
    model = choice(then, other, [], [const("w", W)], more=[node("Exp", ["x"], ["z"])])
    model.graph.output[0].name = "z"
    out = cleaned(folder, model, feeds=BOTH)
    assert (m.operators(out), m.initializerNames(out)) == (["Exp"], []), "what is left"


def test_sequences_and_optionals(folder):
    """Identity of what is no tensor."""
    nodes = [
        node("SequenceConstruct", ["x", "x"], ["s"]),
        node("Identity", ["s"], ["t"]),
        node("Optional", ["x"], ["o"]),
        node("Identity", ["o"], ["p"]),
        node("OptionalGetElement", ["p"], ["g"]),
        node("SequenceAt", ["t", "at"], ["e"]),
        node("Add", ["g", "e"], ["y"]),
    ]
    model = m.model(nodes, [info("x")], [info("y")], [const("at", np.array(1))], opset=18)
    out = cleaned(folder, model, feeds=[{"x": X}])
    assert t.operatorCounts(out).get("Identity", 0) == 0, "Identity"


def test_report_names_the_pattern(folder):
    model = m.model(
        [
            node("Identity", ["x"], ["a"], name="copy"),
            node("Exp", ["a"], ["b"], name="first"),
            node("Exp", ["a"], ["c"], name="second"),
            node("Sub", ["b", "c"], ["y"], name="reader"),
            node("Sin", ["a"], ["u"], name="unused"),
        ],
        [info("x")],
        [info("y")],
    )
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    seen = {one["name"]: (one["action"], one["reason"]["code"], one["reason"]["text"]) for one in report["nodes"]}
    assert seen["copy"] == ("removed", "none", "identity"), "Identity"
    assert seen["second"] == ("removed", "none", "common-subexpression"), "the second Exp"
    assert seen["unused"] == ("removed", "none", "unused-node"), "Sin"
    assert [seen[name][:2] for name in ("first", "reader")] == [("changed", "input-not-constant")] * 2, "readers"
    assert report["ops"] == {"Exp": [2, 1], "Identity": [1, 0], "Sin": [1, 0], "Sub": [1, 1]}, "ops"
    text = t.runOk("--quiet", "--report", "--check", folder / "out.onnx").err
    assert "changed" not in text and "removed" not in text, f"the report of the second run is {text}"
    result = t.run("--check", folder / "model.onnx")
    assert result.code == 2, "exit status of --check"
