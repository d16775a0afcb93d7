# SPDX-License-Identifier: Apache-2.0
"""Copies of the nodes of a Loop, and of random models: custom operators and references to attributes are what they were."""

import numpy as np
import onnx
from onnx import AttributeProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_copies import (
    BOOL,
    F32,
    FEEDS,
    I64,
    SCALE,
    UNROLL,
    X,
    YES,
    apart,
    expectCopies,
    expectGraph,
    folded,
    foldedUnknown,
    function,
    loop,
    looped,
    model,
    named,
    ownGraph,
    refer,
    scale,
    told,
    withDefinitions,
)
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

from test_random_functions import makeModel
from test_unroll import RandomBody


def test_custom_operators_of_a_loop(folder):
    """One in each iteration, with what its node says; the rest folds around it."""
    own = told(scale("p", "q"))
    number = [node("Cast", ["i"], ["f"], to=F32), node("Mul", ["a", "w1"], ["p"])]
    source = looped([*number, own, node("Add", ["q", "f"], ["b"])], ["b"], ["y"], constants=[const("w1", [2, 3, 0.5], np.float32)])
    out = folded(folder, source, [SCALE], UNROLL)
    assert [one for one in m.operators(out) if one != "Add"] == ["Mul", "Scale"] * 3, "operators"
    copies = expectCopies(out, own, 3)
    assert len({one.name for one in copies}) == 3, "names of nodes"
    report = t.foldWithReport(folder / "model.onnx", folder / "reported.onnx", UNROLL)
    assert report["ops"]["hidden.Scale"] == [1, 3], "custom operators before and after, in the report"


def test_attributes_of_every_kind(folder):
    """Among them lists and tensors of which the operator's schema alone says what they are."""
    row = const("", np.arange(6).reshape(2, 3), np.float32)
    sparse = helper.make_sparse_tensor(const("", [1.5], np.float32), const("", [2], np.int64), [4])
    of = helper.make_tensor_type_proto(F32, ["n", 3])
    own = told(
        node(
            "Own", ["a", "", "x"], ["b", "", "c2"], domain="hidden", overload="other",
            i=-3, f=0.5, s=b"\xff\x00text", t=row, ints=[1, 2], floats=[0.5], strings=["a", "b"], tensors=[row, row],
            sparse=sparse, many=list(range(500)), long=[0.25] * 500, large="s" * 100_000, of=of, each=[of, of],
            texts=[f"text {k}" for k in range(9000)], big=const("", np.zeros(100_000), np.float32),
        )
    )
    own.attribute.append(AttributeProto(name="none", type=AttributeProto.INTS))
    own.attribute[0].doc_string = "an attribute"
    out = cleaned(folder, looped([own], ["b"], ["y"]), UNROLL, runs=False)
    assert m.operators(out) == ["Own"] * 3, "operators"
    copies = expectCopies(out, own, 3)
    for before, one in zip([None, *copies], copies):
        assert list(one.input) == [before.output[0] if before else "x", "", "x"], "inputs"
        assert (len(one.output), one.output[1]) == (3, ""), "outputs"


def test_external_data_of_an_attribute(folder):
    """Comes along to another folder."""
    table = onnx.TensorProto(name="table", data_type=F32, dims=[4], data_location=onnx.TensorProto.EXTERNAL)
    table.external_data.append(onnx.StringStringEntryProto(key="location", value="table.bin"))
    (folder / "table.bin").write_bytes(np.arange(4, dtype=np.float32).tobytes())
    own = node("Own", ["a"], ["b"], domain="hidden", table=table)
    onnx.save(looped([own], ["b"], ["y"]), folder / "model.onnx")
    (folder / "other").mkdir()
    out = onnx.load(t.fold(folder / "model.onnx", folder / "other/out.onnx", UNROLL), load_external_data=False)
    expectCopies(out, own, 3)
    t.expectSameBytes(folder / "other/table.bin", folder / "table.bin", "the data file")


def test_standard_operators_say_what_they_said(folder):
    own = told(node("LeakyRelu", ["a"], ["b"], alpha=0.5))
    out = cleaned(folder, looped([own], ["b"], ["y"]), UNROLL, feeds=FEEDS)
    expectCopies(out, own, 3)


def test_they_run_as_often_as_before(folder):
    """Also if all iterations give them the same, and if nobody reads what they give; and in the same order."""
    steady, unread = scale("x", "s"), node("Note", ["a"], ["u"], domain="hidden", name="note")
    silent = node("Beep", ["a"], [], domain="hidden", name="beep")
    source = looped([steady, unread, silent, node("Add", ["a", "s"], ["b"])], ["b"], ["y"])
    out = cleaned(folder, source, UNROLL, runs=False)
    assert m.operators(out) == ["Scale", "Note", "Beep", "Add"] * 3, "operators"
    for count, operators in ((0, []), (1, ["Scale", "Note", "Beep", "Add"])):
        place = folder / str(count)
        place.mkdir()
        out = cleaned(place, looped([steady, unread, silent, node("Add", ["a", "s"], ["b"])], ["b"], ["y"], count=count), UNROLL, runs=False)
        assert [one for one in m.operators(out) if one != "Identity"] == operators, f"operators of {count} iterations"


def test_what_they_give_is_not_needed(folder):
    """Its users are erased (nobody reads the last one, a Shape folds); custom operators are kept, in a graph too."""
    nodes = [scale("z", "q"), node("Neg", ["q"], ["z2"]), node("Neg", ["a"], ["b"])]
    one, count = loop(nodes, ["b", "z2"], ["y", "unread"])
    one.attribute[0].g.input.append(info("z", ("n", 3)))
    one.input.append("x")
    out = cleaned(folder, model([one], [count]), UNROLL, runs=False)
    operators = m.operators(out)
    assert [operators.count(name) for name in ("Scale", "Loop")] == [3, 0], "numbers of custom operators and loops"
    place = folder / "graph"
    place.mkdir()
    nodes = [scale("x", "q"), node("Reshape", ["q", "six"], ["r"]), node("Shape", ["r"], ["s"]), node("Cast", ["s"], ["y"], to=F32)]
    source = model(nodes, [const("six", [2, 3], np.int64)], outputs=[info("y", (2,))])
    source.graph.value_info.append(info("q", ("n", 3)))
    assert m.operators(cleaned(place, source, runs=False)) == ["Scale"], "operators of the graph"


def test_custom_operators_in_bodies_of_the_loop(folder):
    """In a branch, in a Loop of unknown count and in a function: each has its own in each iteration."""
    then = m.graph([told(scale("a", "t"))], [], [info("t", ("n", 3))], name="then")
    other = m.graph([node("Neg", ["a"], ["e"])], [], [info("e", ("n", 3))], name="else")
    inner = m.graph(
        [scale("v", "w2", alpha=0.5), node("Identity", ["d"], ["d_out"])],
        [info("j", (), I64), info("d", (), BOOL), info("v", ("n", 3))],
        [info("d_out", (), BOOL), info("w2", ("n", 3))],
        name="inner",
    )
    nodes = [
        node("ReduceSum", ["a"], ["r"], keepdims=0),
        node("Less", ["r", "ten"], ["q"]),
        node("If", ["q"], ["g"], then_branch=then, else_branch=other),
        node("Loop", ["many", "", "g"], ["h"], body=inner),
        node("Call", ["h"], ["b"], domain="own"),
    ]
    one, count = loop(nodes, ["b"], ["y"], constants=[const("ten", np.float32(10))])
    call = function("Call", ["p"], [node("Neg", ["p"], ["n"]), scale("n", "b", alpha=2.0)])
    source = model([one], [count], [call], inputs=[X, info("many", (), I64)])
    feeds = [{**feed, "many": np.array(2, np.int64)} for feed in FEEDS]
    out = folded(folder, source, [SCALE], UNROLL, feeds=feeds)
    operators = m.operators(out)
    assert [operators.count(name) for name in ("If", "Loop", "Call", "Scale")] == [3, 3, 3, 0], "operators"
    alphas = [helper.get_attribute_value(one.attribute[0]) for one in named(out, "Scale")]
    assert sorted(alphas) == [0.25] * 3 + [0.5] * 3, "custom operators in bodies"
    said = [one.doc_string for one in named(out, "Scale") if one.attribute[0].f == 0.25]
    assert said == ["said about it"] * 3, "what those in branches say"


def test_a_copy_of_a_copy(folder):
    """Nested loops, and a branch that is taken in between: where a node stood is not forgotten."""
    deep = told(scale("a2", "t"))
    then = m.graph([deep], [], [info("t", ("n", 3))], name="then")
    other = m.graph([node("Neg", ["a2"], ["e"])], [], [info("e", ("n", 3))], name="else")
    choice = node("If", ["yes"], ["g"], then_branch=then, else_branch=other)
    inner = m.graph(
        [choice, node("Neg", ["g"], ["h"]), node("Identity", ["d"], ["d_out"])],
        [info("j", (), I64), info("d", (), BOOL), info("a2", ("n", 3))],
        [info("d_out", (), BOOL), info("h", ("n", 3))],
        name="inner",
    )
    one, count = loop([node("Loop", ["two", "", "a"], ["b"], body=inner)], ["b"], ["y"])
    out = folded(folder, model([one], [count, YES, const("two", np.array(2, np.int64))]), [SCALE], UNROLL)
    assert m.operators(out) == ["Scale", "Neg"] * 6, "operators"
    expectCopies(out, deep, 6)


def test_references_in_a_loop_of_a_function(folder):
    """The copies are kept in the function, and refer to its attribute."""
    own = told(refer(node("LeakyRelu", ["a"], ["h"], name="own"), alpha=("slope", AttributeProto.FLOAT)))
    state = refer(node("Constant", [], ["k"]), value_float=("slope", AttributeProto.FLOAT))
    one, _ = loop([own, state, node("Mul", ["h", "k"], ["b"])], ["b"], ["b"], given="p")
    one.output[0] = "q"
    steps = node("Constant", [], ["count"], value=const("", np.array(3, np.int64)))
    outer = function("F", ["p"], [steps, one], ["q"], ["slope"])
    calls = [node("F", ["x"], ["h"], domain="own", slope=0.5), node("F", ["h"], ["y"], domain="own", slope=0.25)]
    out = folded(folder, model(calls, functions=[outer]), [], UNROLL)
    operators = [one.op_type for one in out.functions[0].node]
    assert [name for name in operators if name != "Constant"] == ["LeakyRelu", "Mul"] * 3, "nodes of the function"
    for one in out.functions[0].node:
        if one.op_type == "LeakyRelu":
            assert apart(one) == apart(own), "what the copy says"


def test_loops_that_stay(folder):
    """And why."""
    random = function("Draw", ["p"], [node("RandomNormalLike", ["p"], ["b"], seed=1.0)])
    for name, nodes, functions, flags, reason in (
        ("filter", [scale("a", "b")], [], ["--skip=op:Scale"], None),
        ("random", [scale("a", "h"), node("Draw", ["h"], ["b"], domain="own")], [random], [], "is random"),
    ):
        place = folder / name
        place.mkdir()
        one, count = loop(nodes, ["b"], ["y"])
        onnx.save(model([one], [count], functions), place / "model.onnx")
        result = t.runOk(UNROLL, *flags, "-o", place / "out.onnx", place / "model.onnx")
        assert m.operators(onnx.load(place / "out.onnx")) == ["Loop"], f"operators of {name}"
        if reason:
            assert "loop 'loop' is not unrolled: " in result.err and reason in result.err, result.err


def test_graphs_of_custom_operators(folder):
    """Runtimes look at the names in them (BeamSearch of ONNX Runtime wants `input_ids`), which are kept, also in lists of graphs."""
    own = node("Search", ["a"], ["b"], domain="hidden", decoder=ownGraph(), others=[ownGraph("p"), ownGraph("q")])
    out = cleaned(folder, looped([node("Neg", ["a"], ["h"]), own], ["b"], ["y"]), UNROLL, runs=False)
    assert m.operators(out) == ["Neg", "Search"] * 3, "operators"
    for before, one in zip(out.graph.node[::2], out.graph.node[1::2]):
        graphs = [one.attribute[0].g, *one.attribute[1].graphs]
        assert [graph.name for graph in graphs] == ["own", "p", "q"], "graphs"
        for graph, source in zip(graphs, [ownGraph(), ownGraph("p"), ownGraph("q")]):
            expectGraph(graph, source, before.output[0])


HIDDEN = {name: function("Own" + name, ["p"], [node(name, ["p"], ["b"])], domain="hidden") for name in ("Neg", "Abs", "Sign", "Relu", "Tanh")}
TURN = refer(node("Transpose", ["p"], ["b"]), perm=("perm", AttributeProto.INTS))
HIDDEN["Transpose"] = function("OwnTranspose", ["p"], [TURN], attributes=["perm"], domain="hidden")


def allNodes(source):
    return [one for part in [source.graph, *source.functions] for graph in t.allGraphs(part) for one in graph.node]


def hide(source, random, share):
    """Lets some nodes be custom operators."""
    count = 0
    for one in allNodes(source):
        if one.op_type in HIDDEN and not one.domain and random.random() < share:
            one.op_type, one.domain = "Own" + one.op_type, "hidden"
            one.metadata_props.append(onnx.StringStringEntryProto(key="number", value=str(count)))
            count += 1
    return count


def expectMetadata(out, count):
    """Of each custom operator that is left."""
    for one in allNodes(out):
        if one.domain == "hidden":
            assert len(one.metadata_props) == 1 and int(one.metadata_props[0].value) < count, f"{one}"


def test_random_loops(folder):
    """Graphs in graphs with custom operators; in ONNX Runtime, with these, the same bits."""
    unrolled = 0
    for seed in range(100 if t.options.long else 20):
        random = np.random.default_rng([t.options.seed, seed])
        inner = RandomBody(int(random.integers(1 << 30))).graph(["x"], [], 3, loop=True)
        one = node("Loop", ["count", "yes", "x"], ["y"], name="loop", body=inner)
        constants = [const("count", np.array(3, np.int64)), YES, const("ten", np.float32(1)), const("one", np.int64(1)), const("two", np.int64(2))]
        source = model([one], constants)
        count = hide(source, random, 0.4)
        out = cleaned(folder, source, UNROLL, runs=False)
        unrolled += "Loop" not in m.operators(out)
        expectMetadata(out, count)
        try:
            withDefinitions(folder, source, out, HIDDEN.values())
        except AssertionError as why:
            raise AssertionError(f"model {seed}: {why}")
    assert unrolled > 3, f"{unrolled} loops were unrolled"


def test_random_calls(folder):
    """Functions of functions with custom operators."""
    inlined = 0
    for seed in range(200 if t.options.long else 40):
        random = np.random.default_rng([t.options.seed, seed, 1])
        source, shape = makeModel(random)
        source.opset_import.append(helper.make_opsetid("hidden", 1))
        for one in source.functions:
            one.opset_import.append(helper.make_opsetid("hidden", 1))
        count = hide(source, random, 0.4)
        feeds = [{"x": random.integers(-9, 9, shape).astype(np.float32)}]
        flags = [[], ["-O2"], ["--disable=lift-from-function"]][seed % 3]
        try:
            out = foldedUnknown(folder, source, HIDDEN.values(), *flags, feeds=feeds)
            expectMetadata(out, count)
        except AssertionError as why:
            raise AssertionError(f"model {seed}: {why}")
        inlined += len(out.functions) < len(source.functions)
    assert inlined > 5, f"functions of {inlined} models were inlined"
