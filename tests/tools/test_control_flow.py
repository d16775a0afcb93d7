# SPDX-License-Identifier: Apache-2.0
"""Branches, loops, scans, sequences and optionals: what is all known folds away, what is not is kept as it is."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
W = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
YES, FOUR = const("yes", np.array(True)), const("four", np.array(4))
LEVELS = ((), ("-O0",), ("--max-growth=unlimited",))


def bodyOf(nodes, carried, scans=(), condition="go", constants=()):
    """A Loop's body with the arguments i, go and s0, s1 ...; `carried` and `scans` are value infos of what it gives."""
    arguments = []
    for k, value in enumerate(carried):
        argument = onnx.ValueInfoProto()
        argument.CopyFrom(value)
        argument.name = f"s{k}"
        arguments.append(argument)
    # An output of a body may not be one of its inputs: ONNX Runtime.
    nodes = [*nodes, node("Identity", [condition], ["again"])]
    inputs = [info("i", (), I64), info("go", (), BOOL), *arguments]
    return m.graph(nodes, inputs, [info("again", (), BOOL), *carried, *scans], constants, name="body")


def loopModel(body, inputs=("four", "yes", "w"), outputs=("r",), more=(), graphInputs=(), graphOutputs=None, **how):
    constants = how.pop("constants", ())
    loop = node("Loop", inputs, outputs, name="loop", body=body)
    model = m.model(
        [loop, *more], graphInputs, graphOutputs or [info("r")], [YES, FOUR, const("w", W), *constants], **how
    )
    # Nodes without users are erased from any model.
    read = {name for graph in t.allGraphs(model.graph) for one in graph.node for name in one.input}
    for one in [one for one in model.graph.initializer if one.name not in read]:
        model.graph.initializer.remove(one)
    return model


ADD = [node("Add", ["s0", "w"], ["n"], name="add")]


def onlyAdd(out):
    assert m.operators(out) == ["Add"], "operators"


def everywhere(folder, model, check, levels=LEVELS, **more):
    """Folds at every level (validity, a second run, agreement with ONNX Runtime) and calls check(folded model)."""
    for number, flags in enumerate(levels):
        place = folder / str(number)
        place.mkdir()
        check(m.folded(place, model, *flags, **more))


def expectNothingLeft(out):
    assert m.operators(out) == [], "operators that are left"


def reportOf(folder, model, *flags):
    """{name or first output: node of the report}."""
    onnx.save(model, folder / "reported.onnx")
    report = t.foldWithReport(folder / "reported.onnx", folder / "reported.out.onnx", *flags)
    return {one["name"] or one["outputs"][0]: one for one in report["nodes"]}


def expectKept(folder, model, name, code, text="", *flags):
    """The node is kept with that reason, and nothing is changed."""
    nodes = reportOf(folder, model, *flags)
    assert (nodes[name]["action"], nodes[name]["reason"]["code"]) == ("kept", code), f"outcome of {name}"
    assert text in nodes[name]["reason"]["text"], f"the reason is {nodes[name]['reason']['text']!r}, expected {text!r}"
    return nodes


def expectSame(folder):
    t.expectSameBytes(folder / "reported.out.onnx", folder / "reported.onnx", "a model with nothing to fold")


# ---- what folds --------------------------------------------------------------------------------------------------------


def test_loop_folds_away(folder):
    model = loopModel(bodyOf(ADD, [info("n")]))
    everywhere(folder, model, expectNothingLeft)
    onnx.save(model, folder / "model.onnx")
    m.expectValue(onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx")).graph, "r", 5 * W)


def test_report_lists_what_goes_with_a_loop(folder):
    """Nodes of the body are there with action removed, at any depth."""
    then = m.graph([node("Neg", ["w"], ["t"], name="neg")], [], [info("t")], name="then")
    other = m.graph([node("Abs", ["w"], ["e"], name="abs")], [], [info("e")], name="else")
    choice = node("If", ["go"], ["c"], name="choice", then_branch=then, else_branch=other)
    nodes = reportOf(folder, loopModel(bodyOf([choice, node("Add", ["s0", "c"], ["n"], name="add")], [info("n")])))
    actions = {name: one["action"] for name, one in nodes.items()}
    assert actions.pop("loop") == "folded", "action of the loop"
    assert set(actions) == {"choice", "neg", "abs", "add", "again"}, "nodes of the report"
    assert set(actions.values()) == {"removed"}, "actions of the nodes of the body"
    assert {one["reason"]["code"] for one in nodes.values()} == {"none"}, "codes"
    assert nodes["neg"]["graph"].partition("/")[2] == "loop/body/choice/then_branch", "graph of a node in a branch in a loop"
    assert [nodes["loop"]["bytes"], nodes["add"]["bytes"]] == [24, 0], "bytes"


def test_captured_values(folder):
    """Initializers, Constant nodes, folded values and constants of the bodies between."""
    inner = bodyOf(
        [node("Sum", ["s0", "w", "k", "sum", "own", "deep"], ["n"])], [info("n")], constants=[const("deep", W)]
    )
    inner.name = "inner"
    outer = m.graph(
        [
            node("Loop", ["four", "yes", "state"], ["q"], body=inner),
            node("Identity", ["continues"], ["on"]),
        ],
        [info("number", (), I64), info("continues", (), BOOL), info("state")],
        [info("on", (), BOOL), info("q")],
        [const("own", 2 * W)],
        name="outer",
    )
    nodes = [
        node("Constant", [], ["k"], value=const("", W)),
        node("Add", ["k", "w"], ["sum"]),
        node("Loop", ["four", "yes", "w"], ["r"], body=outer),
    ]
    model = m.model(nodes, [], [info("r")], [YES, FOUR, const("w", W)])
    everywhere(folder, model, expectNothingLeft)


def test_branches_fold_into_the_one_that_is_taken(folder):
    for number, value in enumerate((True, False)):
        then = m.graph([node("Neg", ["w"], ["t"])], [], [info("t")], name="then")
        other = m.graph([node("Sqrt", ["w"], ["e"])], [], [info("e")], name="else")
        choice = node("If", ["c"], ["v"], then_branch=then, else_branch=other)
        model = m.model(
            [choice, node("Add", ["x", "v"], ["y"])], [info("x")], [info("y")], [const("w", W), const("c", np.array(value))]
        )
        (folder / str(number)).mkdir()
        everywhere(folder / str(number), model, onlyAdd)


def test_scan_with_axes_and_directions(folder):
    body = m.graph(
        [node("Add", ["state", "row"], ["next"]), node("Neg", ["next"], ["each"])],
        [info("state", (2,)), info("row", (2,))],
        [info("next", (2,)), info("each", (2,))],
        name="body",
    )
    scan = node(
        "Scan",
        ["zero", "w"],
        ["last", "all"],
        body=body,
        num_scan_inputs=1,
        scan_input_axes=[1],
        scan_input_directions=[1],
        scan_output_axes=[-1],
        scan_output_directions=[1],
    )
    model = m.model([scan], [], [info("last", (2,)), info("all")], [const("w", W), const("zero", np.zeros(2, np.float32))])
    everywhere(folder, model, expectNothingLeft)


def test_sequences_fold_through(folder):
    """Split, insert, erase, map, join: no constant can hold what is between, and none is needed."""
    body = m.graph([node("Mul", ["part", "part"], ["square"])], [info("part", (1, 3))], [info("square", (1, 3))], name="b")
    nodes = [
        node("SplitToSequence", ["w"], ["parts"], axis=0),
        node("SequenceMap", ["parts"], ["squares"], body=body),
        node("SequenceInsert", ["squares", "row", "zero"], ["three"]),
        node("SequenceErase", ["three", "one"], ["two"]),
        node("SequenceLength", ["three"], ["count"]),
        node("SequenceAt", ["two", "one"], ["second"]),
        node("ConcatFromSequence", ["two"], ["all"], axis=0),
    ]
    outputs = [info("count", (), I64), info("second", (1, 3)), info("all")]
    constants = [const("w", W), const("row", W[:1]), const("zero", np.array(0)), const("one", np.array(1))]
    everywhere(folder, m.model(nodes, [], outputs, constants), expectNothingLeft)


def test_sequences_carried_round(folder):
    nodes = [node("Add", ["last", "w"], ["v"]), node("SequenceInsert", ["s0", "v"], ["n"])]
    nodes.insert(0, node("SequenceAt", ["s0", "minus"], ["last"]))
    more = [node("ConcatFromSequence", ["q"], ["r"], axis=0)]
    model = loopModel(
        bodyOf(nodes, [m.sequenceInfo("n")]),
        ["four", "yes", "first"],
        ["q"],
        more,
        graphOutputs=[info("r", (10, 3))],
        constants=[const("minus", np.array(-1))],
    )
    model.graph.node.insert(0, node("SequenceConstruct", ["w"], ["first"]))
    everywhere(folder, model, expectNothingLeft)


def test_long_chain_through_a_sequence(folder):
    """Each element is computed from the one before, 3,000 times: deferred, they would be one chain."""
    nodes = [node("SequenceAt", ["s0", "minus"], ["last"]), node("Add", ["last", "w"], ["v"])]
    nodes.append(node("SequenceInsert", ["s0", "v"], ["n"]))
    more = [node("SequenceAt", ["q", "minus"], ["r"])]
    constants = [const("minus", np.array(-1)), const("many", np.array(3000))]
    model = loopModel(bodyOf(nodes, [m.sequenceInfo("n")]), ["many", "yes", "first"], ["q"], more, constants=constants)
    model.graph.node.insert(0, node("SequenceConstruct", ["w"], ["first"]))
    out = m.folded(folder, model, runs=False)
    expectNothingLeft(out)
    m.expectValue(out.graph, "r", 3001 * W)


def test_slices_hold_no_more_than_their_own(folder):
    """A thousand numbers cut out of a thousand states of 1 MB each: the states were all kept."""
    nodes = [node("Add", ["s0", "s0"], ["n"]), node("Gather", ["n", "i0"], ["slice"])]
    constants = [
        const("state", np.zeros(1 << 18, np.float32)),
        const("i0", np.array(5)),
        const("thousand", np.array(1000)),
    ]
    body = bodyOf(nodes, [info("n", (1 << 18,))], [info("slice", ())])
    outputs = [info("r", (1000,))]
    model = loopModel(body, ["thousand", "yes", "state"], ["last", "r"], graphOutputs=outputs, constants=constants)
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    expectNothingLeft(onnx.load(folder / "out.onnx"))
    assert report["peak_bytes"] < 150 << 20, f"the peak is {report['peak_bytes'] >> 20} MB"


def test_shapes_of_iterations_are_forgotten(folder):
    """The body's shapes are known in each iteration only. 10,000 of them kept 83 MB of symbols."""
    nodes = [
        node("Add", ["s0", "step"], ["t"]),
        node("NonZero", ["t"], ["places"]),
        node("Compress", ["t", "first"], ["front"], axis=0),
        node("Concat", ["front", "t"], ["longer"], axis=0),
        node("Slice", ["longer", "begin", "end"], ["n"]),
        *[node(op, ["t"], [op]) for op in ("Neg", "Abs", "Exp", "Relu", "Floor", "Sin", "Cos", "Sign")],
    ]
    constants = {"step": np.ones(1, np.float32), "first": np.array([True]), "begin": np.array([0]), "end": np.array([3])}
    constants |= {"many": np.array(10000), "start": np.zeros(3, np.float32)}
    body = bodyOf(nodes, [info("n", (None,))])
    model = loopModel(
        body, ["many", "yes", "start"], graphOutputs=[info("r", (3,))], constants=[const(*one) for one in constants.items()]
    )
    onnx.save(model, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    m.expectValue(onnx.load(folder / "out.onnx").graph, "r", np.full(3, 10000))
    assert t.isSanitized() or report["peak_bytes"] < 30 << 20, f"the peak is {report['peak_bytes'] >> 20} MB"


def test_optionals_fold_through(folder):
    kind = helper.make_tensor_type_proto(F32, (2, 3))
    nodes = [
        node("Optional", ["w"], ["full"]),
        node("Optional", [], ["empty"], type=kind),
        node("OptionalHasElement", ["full"], ["yes"]),
        node("OptionalHasElement", ["empty"], ["no"]),
        node("OptionalGetElement", ["full"], ["r"]),
    ]
    outputs = [info("yes", (), BOOL), info("no", (), BOOL), info("r")]
    model = m.model(nodes, [], outputs, [const("w", W)], opset=18)
    everywhere(folder, model, expectNothingLeft)
    out = onnx.load(folder / "0" / "out.onnx")
    for name, value in (("yes", True), ("no", False), ("r", W)):
        m.expectValue(out.graph, name, value)


def test_a_dynamic_tensor_is_there(folder):
    """OptionalHasElement of a tensor is true, whatever is in it."""
    nodes = [node("OptionalHasElement", ["x"], ["has"]), node("Neg", ["x"], ["y"])]
    model = m.model(nodes, [info("x")], [info("has", (), BOOL), info("y")], opset=18)
    out = m.folded(folder, model)
    assert m.operators(out) == ["Neg"], "operators"
    m.expectValue(out.graph, "has", True)


def test_no_iterations(folder):
    for number, (count, condition) in enumerate(((0, True), (4, False), (-3, True))):
        body = bodyOf(ADD + [node("Neg", ["n"], ["each"])], [info("n")], [info("each")])
        model = loopModel(
            body,
            ["count", "condition", "w"],
            ["r", "all"],
            graphOutputs=[info("r"), info("all", (None, 2, 3))],
            constants=[const("count", np.array(count)), const("condition", np.array(condition))],
        )
        (folder / str(number)).mkdir()
        everywhere(folder / str(number), model, expectNothingLeft)


def test_number_and_condition_as_vectors(folder):
    """A body that declares its first arguments with shape [1] gets them so. (ONNX Runtime does that too, but its inference
    refuses the model before.)"""
    nodes = [node("Gather", ["table", "i"], ["each"]), node("Identity", ["go"], ["again"])]
    arguments = [info("i", (1,), I64), info("go", (1,), BOOL)]
    body = m.graph(nodes, arguments, [info("again", (1,), BOOL), info("each", (1,))], name="body")
    constants = [const("table", np.arange(9, dtype=np.float32))]
    model = loopModel(body, ["four", "yes"], ["r"], graphOutputs=[info("r", (4, 1))], constants=constants)
    out = m.folded(folder, model, runs=False)
    expectNothingLeft(out)
    m.expectValue(out.graph, "r", np.arange(4).reshape(4, 1))


def test_both_sequences_and_tensors(folder):
    """A loop gives a tensor that is stored and a sequence that only folded nodes read."""
    nodes = ADD + [node("SequenceInsert", ["s1", "n"], ["m"])]
    body = bodyOf(nodes, [info("n"), m.sequenceInfo("m")])
    more = [node("SequenceLength", ["q"], ["count"]), node("Add", ["x", "last"], ["r"])]
    outputs = [info("r"), info("count", (), I64)]
    model = loopModel(body, ["four", "yes", "w", "none"], ["last", "q"], more, [info("x")], outputs)
    model.graph.node.insert(0, node("SequenceEmpty", [], ["none"]))
    everywhere(folder, model, onlyAdd)


def test_old_models(folder):
    """IR version 3: initializers are inputs too, and constants go into nodes."""
    then = m.graph([node("Neg", ["w"], ["t"])], [], [info("t")], name="then")
    other = m.graph([node("Abs", ["w"], ["e"])], [], [info("e")], name="else")
    scanBody = m.graph(
        [node("Add", ["state", "row"], ["next"]), node("Neg", ["next"], ["each"])],
        [info("state", (3,)), info("row", (3,))],
        [info("next", (3,)), info("each", (3,))],
        name="scan",
    )
    nodes = [
        node("If", ["yes"], ["chosen"], then_branch=then, else_branch=other),
        node("Loop", ["four", "yes", "chosen"], ["looped"], body=bodyOf(ADD, [info("n")])),
        node("Scan", ["", "zero", "batch"], ["last", "scanned"], body=scanBody, num_scan_inputs=1),
        node("Add", ["x", "looped"], ["y"]),
    ]
    constants = [YES, FOUR, const("w", W), const("zero", np.zeros((1, 3), np.float32)), const("batch", W[None])]
    kinds = {"yes": info("yes", (), BOOL), "four": info("four", (), I64)}
    inputs = [info("x")] + [kinds.get(one.name) or info(one.name, one.dims) for one in constants]
    outputs = [info("y"), info("last", (1, 3)), info("scanned", (1, 2, 3))]
    model = m.model(nodes, inputs, outputs, constants, opset=8, ir=3)
    everywhere(folder, model, onlyAdd)


def test_branch_in_a_function(folder):
    """A function of the model has no initializers; the branch becomes a Constant node in its body."""
    then = m.graph([node("Mul", ["two", "two"], ["t"])], [], [info("t", ())], name="then")
    other = m.graph([node("Neg", ["two"], ["e"])], [], [info("e", ())], name="else")
    body = [
        node("Constant", [], ["two"], value_float=2.0),
        node("Constant", [], ["c"], value=const("", np.array(True))),
        node("If", ["c"], ["four"], then_branch=then, else_branch=other),
        node("Mul", ["a", "four"], ["b"]),
    ]
    function = helper.make_function("com.example", "F", ["a"], ["b"], body, [helper.make_opsetid("", 21)])
    call = node("F", ["x"], ["y"], domain="com.example")
    model = m.model([call], [info("x")], [info("y")], domains=[("com.example", 1)], functions=[function])
    out = m.folded(folder, model)
    assert [one.op_type for one in out.functions[0].node] == ["Constant", "Mul"], "nodes of the function"
    m.expectValue(out.functions[0], "four", np.float32(4))


# ---- what is kept ------------------------------------------------------------------------------------------------------


def test_dynamic_capture_stays(folder):
    nodes = [node("Add", ["w", "w"], ["twice"]), node("Add", ["s0", "x"], ["p"]), node("Add", ["p", "twice"], ["n"])]
    model = loopModel(bodyOf(nodes, [info("n")]), graphInputs=[info("x")])
    expectKept(folder, model, "loop", "input-not-constant", "in its body, onnx.Add: input #1 is not constant")
    out = m.folded(folder, model)
    inner = next(one for one in out.graph.node[0].attribute if one.name == "body").g
    m.expectValue(inner, "twice", W + W)  # constants in it fold as ever


def test_random_operators_stay(folder):
    nodes = [node("RandomUniformLike", ["s0"], ["u"], name="u"), node("Add", ["s0", "u"], ["n"])]
    model = loopModel(bodyOf(nodes, [info("n")]))
    nodes = expectKept(folder, model, "loop", "not-deterministic", "in its body, onnx.RandomUniformLike: ")
    assert nodes["u"]["reason"]["code"] == "not-deterministic", "reason of the random node"
    expectSame(folder)


def test_custom_operators_stay(folder):
    body = bodyOf([node("Swish", ["s0"], ["n"], domain="com.acme")], [info("n")])
    model = loopModel(body, domains=[("com.acme", 1)])
    expectKept(folder, model, "loop", "no-kernel", "in its body, ")
    expectSame(folder)


def test_custom_operators_without_outputs_stay(folder):
    """Nobody reads what it does, but it does it."""
    nodes = ADD + [node("Print", ["n"], [], name="print", domain="com.acme")]
    model = loopModel(bodyOf(nodes, [info("n")]), domains=[("com.acme", 1)])
    expectKept(folder, model, "loop", "no-kernel", "in its body, ")
    expectSame(folder)


def test_endless_loops_stay(folder):
    for inputs in (["", "", "w"], ["", "yes", "w"]):
        expectKept(folder, loopModel(bodyOf(ADD, [info("n")]), inputs), "loop", "trip-limit")
        expectSame(folder)


def test_long_loops_stay(folder):
    body = bodyOf([node("Add", ["s0", "one"], ["n"])], [info("n", ())])
    constants = [const("many", np.array(20000)), const("one", np.float32(1)), const("zero", np.float32(0))]
    model = loopModel(body, ["many", "yes", "zero"], graphOutputs=[info("r", ())], constants=constants)
    expectKept(folder, model, "loop", "trip-limit", "10000")
    expectSame(folder)
    nodes = reportOf(folder, model, "--max-trip-count=20000")
    assert nodes["loop"]["action"] == "folded", "action with a higher limit"
    m.expectValue(onnx.load(folder / "reported.out.onnx").graph, "r", np.float32(20000))
    expectKept(folder, model, "loop", "trip-limit", "19999", "--max-trip-count=19999")


def test_nested_loops_count_together(folder):
    inner = m.graph(
        [node("Add", ["state", "w"], ["next"]), node("Identity", ["continues"], ["on"])],
        [info("j", (), I64), info("continues", (), BOOL), info("state")],
        [info("on", (), BOOL), info("next")],
        name="inner",
    )
    model = loopModel(bodyOf([node("Loop", ["four", "yes", "s0"], ["n"], name="inner", body=inner)], [info("n")]))
    expectKept(folder, model, "loop", "trip-limit", "in its body, onnx.Loop: ", "--max-trip-count=19")
    assert reportOf(folder, model, "--max-trip-count=20")["loop"]["action"] == "folded", "action at 4 + 4 * 4"


def test_skipped_nodes_keep_the_loop(folder):
    """Also one that nothing comes from: it would go."""
    nodes = ADD + [node("Neg", ["w"], ["unread"], name="unread")]
    model = loopModel(bodyOf(nodes, [info("n")]))
    for pattern in ("loop/add", "loop/unread", "op:Neg", "loop/*"):
        expectKept(folder, model, "loop", "filtered", "in its body, ", f"--skip={pattern}")
    expectKept(folder, model, "loop", "filtered", "--skip", "--skip=loop")
    nodes = reportOf(folder, model, "--only=loop*")
    assert nodes["loop"]["action"] == "folded", "action where the pattern takes the body in"


def test_conditions_of_callers_stay(folder):
    """A graph input, and an initializer that a caller may override."""
    model = loopModel(bodyOf(ADD, [info("n")]), ["four", "c", "w"], graphInputs=[info("c", (), BOOL)])
    expectKept(folder, model, "loop", "input-not-constant")
    expectSame(folder)
    model.graph.initializer.append(const("c", np.array(True)))
    expectKept(folder, model, "loop", "input-not-constant")
    expectSame(folder)


def test_errors_stay(folder):
    body = bodyOf([node("Div", ["s0", "i"], ["n"])], [info("n", (), I64)])
    model = loopModel(body, ["four", "yes", "four"], graphOutputs=[info("r", (), I64)])
    expectKept(folder, model, "loop", "undefined", "in its body, onnx.Div: ")
    expectSame(folder)


def test_sequence_outputs_stay(folder):
    """A model may give a sequence: its producer is kept, and everything else folds."""
    nodes = [node("Add", ["w", "w"], ["v"], name="v"), node("SequenceInsert", ["s0", "v"], ["n"], name="insert")]
    more = [node("SequenceLength", ["q"], ["count"], name="count")]
    outputs = [m.sequenceInfo("q"), info("count", (), I64)]
    model = loopModel(bodyOf(nodes, [m.sequenceInfo("n")]), ["four", "yes", "none"], ["q"], more, graphOutputs=outputs)
    model.graph.node.insert(0, node("SequenceEmpty", [], ["none"], name="none"))
    nodes = expectKept(folder, model, "loop", "no-tensor")
    actions = {name: (one["action"], one["reason"]["code"]) for name, one in nodes.items()}
    assert actions["none"] == ("kept", "no-tensor"), "outcome of what the loop reads"
    assert actions["v"] == ("folded", "none"), "outcome of a constant in the body"
    assert actions["count"] == ("folded", "none"), "outcome of a reader"
    out = m.folded(folder, model, runs=False)
    m.expectValue(out.graph, "count", np.int64(4))


def test_optional_outputs_stay(folder):
    kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(F32, (2, 3)))
    output = helper.make_value_info("o", kind)
    model = m.model([node("Optional", ["w"], ["o"], name="optional")], [], [output], [const("w", W)], opset=18)
    expectKept(folder, model, "optional", "no-tensor")
    expectSame(folder)


def test_growth_inlines_a_branch(folder):
    """An If that would fold, but the budget leaves it out: its branch takes its place, not the whole of it."""
    then = m.graph([node("Expand", ["one", "shape"], ["t"])], [], [info("t", (1000,))], name="then")
    other = m.graph([node("Neg", ["one"], ["e"])], [], [info("e", (1,))], name="else")
    constants = [const("one", np.ones(1, np.float32)), const("shape", np.array([1000])), const("yes", np.array(True))]
    nodes = [node("If", ["yes"], ["k"], then_branch=then, else_branch=other), node("Add", ["x", "k"], ["y"])]
    model = m.model(nodes, [info("x", (1000,))], [info("y", (1000,))], constants)
    for flags in (["--max-growth=100", "--disable=small-constant"], ["--max-growth=100"]):
        place = folder / str(len(flags))
        place.mkdir()
        out = m.folded(place, model, *flags)
        assert m.operators(out) == ["Expand", "Add"], f"operators with {flags}"
    assert m.operators(m.folded(folder, model)) == ["Add"], "operators where there is room"


def test_growth_keeps_a_loop_with_its_body(folder):
    """What a loop over the budget holds is kept for the same reason, in a second run too."""
    nodes = [node("Add", ["s0", "one"], ["n"], name="add"), node("Expand", ["n", "shape"], ["each"], name="expand")]
    nodes.insert(0, node("Neg", ["one"], ["unread"], name="neg"))
    body = bodyOf(nodes, [info("n", (1,))], [info("each", (1000,))])
    constants = [const("one", np.ones(1, np.float32)), const("shape", np.array([1000]))]
    outputs = [info("r", (4, 1000))]
    model = loopModel(body, ["four", "yes", "one"], ["last", "r"], graphOutputs=outputs, constants=constants)
    nodes = expectKept(folder, model, "loop", "growth", "", "--max-growth=1000")
    for name in ("add", "expand"):
        assert (nodes[name]["action"], nodes[name]["reason"]["code"]) == ("kept", "growth"), f"outcome of {name}"
    assert nodes["neg"]["action"] == "removed", "what nobody reads"
    m.folded(folder, model, "--max-growth=1000")
    assert reportOf(folder, model, "--max-growth=16000")["loop"]["action"] == "folded", "action within the budget"


def test_declared_shapes_hold(folder):
    """A body that declares what it carries with one shape and gives another: what it computes from the shape would be
    wrong."""
    nodes = [node("Concat", ["s0", "s0"], ["n"], axis=0)]
    arguments = [info("i", (), I64), info("go", (), BOOL), info("s0", (2, 3))]
    body = m.graph(
        [*nodes, node("Identity", ["go"], ["again"])], arguments, [info("again", (), BOOL), info("n", (None, 3))], name="b"
    )
    model = loopModel(body, graphOutputs=[info("r", (None, 3))])
    expectKept(folder, model, "loop", "inconsistent", "argument #2 of its body is f32[4, 3]")


@pytest.mark.parametrize("kind", ["sparse", "doubled", "sparse in the branch that is not taken"])
def test_a_branch_with_an_initializer_that_is_no_constant(folder, kind):
    """Its nodes stood in the graph, and the sparse initializer that they read stayed in the branch and went with it."""
    bodies = [m.graph([node("Add", ["x", name], [out])], [], [info(out, (3,))]) for name, out in (("w", "t"), ("v", "e"))]
    for body, name in zip(bodies, "wv"):
        if name == "v" or kind == "doubled":
            body.initializer.append(const(name, np.float32([1, 2, 3])))
    if kind == "doubled":
        bodies[0].initializer.append(const("w", np.float32([4, 5, 6])))
    else:
        sparse = bodies[0].sparse_initializer.add(dims=[3])
        sparse.values.CopyFrom(const("w", np.float32([5])))
        sparse.indices.CopyFrom(const("", [1], np.int64))
    one = node("If", ["yes"], ["y"], "branch", then_branch=bodies[0], else_branch=bodies[1])
    model = m.model([one], [info("x", (3,))], [info("y", (3,))], [const("yes", np.array("branch" not in kind))], opset=17)
    path = folder / "model.onnx"
    onnx.save(model, path)
    for level in ("-O0", "-O1", "-O2"):
        result = t.runOk(path, "-o", folder / "out.onnx", level)
        assert m.operators(onnx.load(folder / "out.onnx")) == ["If"]
        assert level == "-O0" or "node 'branch' (If) is kept: an initializer of its body is sparse, or stated twice" in result.err, result.err
        if kind != "doubled":  # which ONNX Runtime refuses in bodies
            feeds = [{"x": np.float32([1, 2, 3])}]
            got, want = (compare.outputs(file, feeds)[0]["y"] for file in (folder / "out.onnx", path))
            assert np.array_equal(got, want), f"{level}: {got}, expected {want}"
