#!/usr/bin/env python3
"""Copies of nodes (of iterations of a Loop, of the body of a call): custom operators and references to attributes are what they were.

ONNX Runtime knows no custom operators, so a model is folded without the functions that define them, and run with these.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned, expectSameBits
from onnxfold_models import const, info, node

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_random_functions import makeModel
from test_unroll import RandomBody

suite = t.Suite(__doc__.splitlines()[0])
BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X, Y = info("x", ("n", 3)), info("y", ("n", 3))
FEEDS = [{"x": np.random.default_rng(k).standard_normal((2 + k, 3)).astype(np.float32)} for k in range(2)]
YES = const("yes", np.array(True))
W = const("w", np.random.default_rng(9).standard_normal((3, 3)), np.float32)
UNROLL = "--unroll=8"


def function(name, inputs, nodes, outputs=("b",), attributes=(), defaults=(), domain="own"):
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1), helper.make_opsetid("hidden", 1)]
    return helper.make_function(domain, name, list(inputs), list(outputs), nodes, imports, list(attributes), list(defaults))


def refer(one, **references):
    """The node, with attributes that are parameters: name=(parameter, kind)."""
    for name, (parameter, kind) in references.items():
        one.attribute.append(AttributeProto(name=name, ref_attr_name=parameter, type=kind))
    return one


def loop(nodes, outputs, results, *, count=3, carried="a", constants=(), given="x"):
    """A Loop whose body reads its number `i` and what is carried; it goes on."""
    nodes = [*nodes, node("Identity", ["c"], ["c_out"])]
    inputs = [info("i", (), I64), info("c", (), BOOL), info(carried, ("n", 3))]
    outputs = [info("c_out", (), BOOL), *[info(name, None) for name in outputs]]
    body = m.graph(nodes, inputs, outputs, constants, name="body")
    return node("Loop", ["count", "", given], results, name="loop", body=body), const("count", np.array(count, np.int64))


def model(nodes, constants=(), functions=(), inputs=(X,), outputs=(Y,)):
    domains = [("own", 1), ("hidden", 1)]
    return m.model(nodes, list(inputs), list(outputs), list(constants), domains=domains, functions=list(functions))


def looped(nodes, outputs, results, **how):
    one, count = loop(nodes, outputs, results, **how)
    return model([one], [count, *how.get("more", ())])


def named(out, name):
    return [one for graph in t.allGraphs(out.graph) for one in graph.node if one.op_type == name]


def withDefinitions(folder, source, out, functions, feeds=FEEDS):
    """Both with the functions that the custom operators are: the same bits."""
    for which, name in ((source, "model.onnx"), (out, "out.onnx")):
        whole = onnx.ModelProto()
        whole.CopyFrom(which)
        whole.functions.extend(functions)
        onnx.save(whole, folder / ("defined_" + name))
    expectSameBits(folder / "defined_out.onnx", folder / "defined_model.onnx", feeds)


def folded(folder, source, functions=(), *flags, feeds=FEEDS):
    out = cleaned(folder, source, *flags, runs=False)
    withDefinitions(folder, source, out, functions, feeds)
    t.runOk("--quiet", "--verify", *flags, "-o", folder / "verified.onnx", folder / "model.onnx")
    return out


def foldedUnknown(folder, source, functions, *flags, feeds=FEEDS):
    """`folded` for a model of which the checker could not infer types without the functions."""
    onnx.save(source, folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx", *flags), folder / "out.onnx", "folded again")
    out = onnx.load(folder / "out.onnx")
    withDefinitions(folder, source, out, functions, feeds)
    onnx.checker.check_model(str(folder / "defined_out.onnx"), full_check=True)
    return out


def apart(one):
    """What a node says besides its name, inputs and outputs."""
    rest = onnx.NodeProto()
    rest.CopyFrom(one)
    for field in ("name", "input", "output"):
        rest.ClearField(field)
    return rest.SerializeToString()


def expectCopies(out, original, count):
    copies = named(out, original.op_type)
    t.expectEqual(len(copies), count, f"copies of {original.op_type}")
    for one in copies:
        t.expectEqual(apart(one), apart(original), f"what {one.name} says")
    return copies


def told(one):
    """With all that a node may say beside its attributes."""
    one.doc_string = "said about it"
    one.metadata_props.append(onnx.StringStringEntryProto(key="where", value="inside"))
    one.MergeFromString(bytes([0xFA, 0x3F, 3]) + b"odd")  # field 1023
    return one


# The custom operator of most cases, as a function.
SCALE = function(
    "Scale",
    ["p"],
    [refer(node("LeakyRelu", ["p"], ["l"]), alpha=("alpha", AttributeProto.FLOAT)), node("Add", ["l", "p"], ["b"])],
    attributes=["alpha"],
    domain="hidden",
)


def scale(given, made, alpha=0.25, **more):
    return node("Scale", [given], [made], name="scale", domain="hidden", alpha=alpha, **more)


@suite.case
def custom_operators_of_a_loop(folder):
    """One in each iteration, with what its node says; the rest folds around it."""
    own = told(scale("p", "q"))
    number = [node("Cast", ["i"], ["f"], to=F32), node("Mul", ["a", "w1"], ["p"])]
    source = looped([*number, own, node("Add", ["q", "f"], ["b"])], ["b"], ["y"], constants=[const("w1", [2, 3, 0.5], np.float32)])
    out = folded(folder, source, [SCALE], UNROLL)
    t.expectEqual([one for one in m.operators(out) if one != "Add"], ["Mul", "Scale"] * 3, "operators")
    copies = expectCopies(out, own, 3)
    t.expectEqual(len({one.name for one in copies}), 3, "names of nodes")
    report = t.foldWithReport(folder / "model.onnx", folder / "reported.onnx", UNROLL)
    t.expectEqual(report["ops"]["hidden.Scale"], [1, 3], "custom operators before and after, in the report")


@suite.case
def attributes_of_every_kind(folder):
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
    t.expectEqual(m.operators(out), ["Own"] * 3, "operators")
    copies = expectCopies(out, own, 3)
    for before, one in zip([None, *copies], copies):
        t.expectEqual(list(one.input), [before.output[0] if before else "x", "", "x"], "inputs")
        t.expectEqual((len(one.output), one.output[1]), (3, ""), "outputs")


@suite.case
def external_data_of_an_attribute(folder):
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


@suite.case
def standard_operators_say_what_they_said(folder):
    own = told(node("LeakyRelu", ["a"], ["b"], alpha=0.5))
    out = cleaned(folder, looped([own], ["b"], ["y"]), UNROLL, feeds=FEEDS)
    expectCopies(out, own, 3)


@suite.case
def they_run_as_often_as_before(folder):
    """Also if all iterations give them the same, and if nobody reads what they give; and in the same order."""
    steady, unread = scale("x", "s"), node("Note", ["a"], ["u"], domain="hidden", name="note")
    silent = node("Beep", ["a"], [], domain="hidden", name="beep")
    source = looped([steady, unread, silent, node("Add", ["a", "s"], ["b"])], ["b"], ["y"])
    out = cleaned(folder, source, UNROLL, runs=False)
    t.expectEqual(m.operators(out), ["Scale", "Note", "Beep", "Add"] * 3, "operators")
    for count, operators in ((0, []), (1, ["Scale", "Note", "Beep", "Add"])):
        place = folder / str(count)
        place.mkdir()
        out = cleaned(place, looped([steady, unread, silent, node("Add", ["a", "s"], ["b"])], ["b"], ["y"], count=count), UNROLL, runs=False)
        t.expectEqual([one for one in m.operators(out) if one != "Identity"], operators, f"operators of {count} iterations")


@suite.case
def what_they_give_is_not_needed(folder):
    """What reads it goes (nobody reads the last one, a Shape folds); they stay, in a graph too."""
    nodes = [scale("z", "q"), node("Neg", ["q"], ["z2"]), node("Neg", ["a"], ["b"])]
    one, count = loop(nodes, ["b", "z2"], ["y", "unread"])
    one.attribute[0].g.input.append(info("z", ("n", 3)))
    one.input.append("x")
    out = cleaned(folder, model([one], [count]), UNROLL, runs=False)
    operators = m.operators(out)
    t.expectEqual([operators.count(name) for name in ("Scale", "Loop")], [3, 0], "numbers of custom operators and loops")
    place = folder / "graph"
    place.mkdir()
    nodes = [scale("x", "q"), node("Reshape", ["q", "six"], ["r"]), node("Shape", ["r"], ["s"]), node("Cast", ["s"], ["y"], to=F32)]
    source = model(nodes, [const("six", [2, 3], np.int64)], outputs=[info("y", (2,))])
    source.graph.value_info.append(info("q", ("n", 3)))
    t.expectEqual(m.operators(cleaned(place, source, runs=False)), ["Scale"], "operators of the graph")


@suite.case
def custom_operators_in_bodies_of_the_loop(folder):
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
    t.expectEqual([operators.count(name) for name in ("If", "Loop", "Call", "Scale")], [3, 3, 3, 0], "operators")
    alphas = [helper.get_attribute_value(one.attribute[0]) for one in named(out, "Scale")]
    t.expectEqual(sorted(alphas), [0.25] * 3 + [0.5] * 3, "custom operators in bodies")
    said = [one.doc_string for one in named(out, "Scale") if one.attribute[0].f == 0.25]
    t.expectEqual(said, ["said about it"] * 3, "what those in branches say")


@suite.case
def a_copy_of_a_copy(folder):
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
    t.expectEqual(m.operators(out), ["Scale", "Neg"] * 6, "operators")
    expectCopies(out, deep, 6)


@suite.case
def references_in_a_loop_of_a_function(folder):
    """The copies stay in the function, and refer to its attribute."""
    own = told(refer(node("LeakyRelu", ["a"], ["h"], name="own"), alpha=("slope", AttributeProto.FLOAT)))
    state = refer(node("Constant", [], ["k"]), value_float=("slope", AttributeProto.FLOAT))
    one, _ = loop([own, state, node("Mul", ["h", "k"], ["b"])], ["b"], ["b"], given="p")
    one.output[0] = "q"
    steps = node("Constant", [], ["count"], value=const("", np.array(3, np.int64)))
    outer = function("F", ["p"], [steps, one], ["q"], ["slope"])
    calls = [node("F", ["x"], ["h"], domain="own", slope=0.5), node("F", ["h"], ["y"], domain="own", slope=0.25)]
    out = folded(folder, model(calls, functions=[outer]), [], UNROLL)
    operators = [one.op_type for one in out.functions[0].node]
    t.expectEqual([name for name in operators if name != "Constant"], ["LeakyRelu", "Mul"] * 3, "nodes of the function")
    for one in out.functions[0].node:
        if one.op_type == "LeakyRelu":
            t.expectEqual(apart(one), apart(own), "what the copy says")


@suite.case
def loops_that_stay(folder):
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
        t.expectEqual(m.operators(onnx.load(place / "out.onnx")), ["Loop"], f"operators of {name}")
        if reason:
            t.expect("loop 'loop' is not unrolled: " in result.err and reason in result.err, result.err)


def ownGraph(name="own"):
    """Reads `h` from outside; has an initializer, a value of an input, and what it says of itself."""
    graph = m.graph(
        [told(node("Add", ["input_ids", "h"], ["s"], name="sum")), node("Mul", ["s", "k"], ["logits"])],
        [info("input_ids", ("batch", "length")), info("rate", ())],
        [info("logits", ("batch", "length"))],
        [const("k", [1, 2, 3], np.float32), const("rate", np.array(0.5, np.float32))],
        name,
    )
    graph.doc_string = "a decoder"
    return graph


def expectGraph(got, source, read):
    """The graph as it was, but for what it reads as `h`. Order of fields is none."""
    expected = onnx.GraphProto()
    expected.CopyFrom(source)
    expected.node[0].input[1] = read
    for graph in (got, expected):
        tensors = sorted(graph.initializer, key=lambda tensor: tensor.name)
        values = [(tensor.name, tensor.data_type, list(tensor.dims), m.numpy_helper.to_array(tensor).tobytes()) for tensor in tensors]
        del graph.initializer[:]
        graph.doc_string += str(values)
    t.expectEqual(got.SerializeToString(), expected.SerializeToString(), "the graph")


@suite.case
def graphs_of_custom_operators(folder):
    """Runtimes look at the names in them (BeamSearch of ONNX Runtime wants `input_ids`): these stay, also of lists of graphs."""
    own = node("Search", ["a"], ["b"], domain="hidden", decoder=ownGraph(), others=[ownGraph("p"), ownGraph("q")])
    out = cleaned(folder, looped([node("Neg", ["a"], ["h"]), own], ["b"], ["y"]), UNROLL, runs=False)
    t.expectEqual(m.operators(out), ["Neg", "Search"] * 3, "operators")
    for before, one in zip(out.graph.node[::2], out.graph.node[1::2]):
        graphs = [one.attribute[0].g, *one.attribute[1].graphs]
        t.expectEqual([graph.name for graph in graphs], ["own", "p", "q"], "graphs")
        for graph, source in zip(graphs, [ownGraph(), ownGraph("p"), ownGraph("q")]):
            expectGraph(graph, source, before.output[0])


@suite.case
def graphs_of_custom_operators_in_calls(folder):
    """Not where a name in them is another value's around the call: it would hide that."""
    own = node("Search", ["p"], ["b"], domain="hidden", decoder=ownGraph())
    nodes = transposed(node("Neg", ["p"], ["h"]), own)
    out = cleaned(folder, called(nodes), runs=False)
    t.expectEqual(m.operators(out), ["MatMul", "Neg", "Search"], "operators")
    expectGraph(out.graph.node[2].attribute[0].g, ownGraph(), out.graph.node[1].output[0])
    for name in ("input_ids", "s", "k"):
        place = folder / name
        place.mkdir()
        out = cleaned(place, called(nodes, given=(name, "w"), graphInputs=(info(name, ("n", 3)),)), runs=False)
        t.expectEqual(m.operators(out), ["F"], f"operators where {name} is outside too")


#
# Calls
#


def transposed(*after, weight="w"):
    return [node("Transpose", [weight], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["p"]), *after]


def called(nodes, given=("x", "w"), outputs=("b",), inputs="aw", functions=(), constants=(W,), results=("y",), **how):
    graphInputs = how.pop("graphInputs", (X,))
    own = function("F", inputs, nodes, outputs, how.pop("attributes", ()), how.pop("defaults", ()))
    call = node("F", list(given), list(results), domain="own", **how)
    return model([call], constants, [own, *functions], inputs=graphInputs)


@suite.case
def a_custom_operator_in_a_call(folder):
    own = told(scale("p", "b"))
    out = folded(folder, called(transposed(own)), [SCALE])
    t.expectEqual((m.operators(out), len(out.functions)), (["MatMul", "Scale"], 0), "nodes and functions")
    expectCopies(out, own, 1)


@suite.case
def types_that_a_function_states(folder):
    """Need not hold for a call, and are not said of the copies."""
    nodes = [*transposed(scale("p", "q")), node("Neg", ["q"], ["b"])]
    weight = const("w", np.arange(9).reshape(3, 3), np.float64)
    source = called(nodes, constants=[weight], graphInputs=(info("x", ("n", 3), TensorProto.DOUBLE),))
    source.graph.output[0].CopyFrom(info("y", ("n", 3), TensorProto.DOUBLE))
    source.functions[0].value_info.append(info("q", ("n", 3)))  # of float
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    t.expectEqual(m.operators(out), ["MatMul", "Scale", "Neg"], "operators")
    t.expectEqual([one.name for one in out.graph.value_info], [], "values with types")


@suite.case
def what_a_custom_operator_does_is_done(folder):
    """Nobody reads what it gives; it gives nothing."""
    nodes = [node("Note", ["p"], ["u"], domain="hidden"), node("Beep", ["a"], [], domain="hidden"), node("Neg", ["p"], ["b"])]
    out = cleaned(folder, called(transposed(*nodes)), runs=False)
    t.expectEqual(m.operators(out), ["MatMul", "Note", "Beep", "Neg"], "operators")


@suite.case
def references_become_what_the_call_gives(folder):
    """Or the default of the function, or nothing, if neither gives it. Custom operators have them with their kinds."""
    own = told(scale("l", "m"))
    del own.attribute[:]
    refer(own, alpha=("beta", AttributeProto.FLOAT), none=("gone", AttributeProto.INTS), numbers=("many", AttributeProto.INTS))
    nodes = [
        refer(node("Transpose", ["w"], ["t"]), perm=("perm", AttributeProto.INTS)),
        node("MatMul", ["a", "t"], ["p"]),
        told(refer(node("LeakyRelu", ["p"], ["l"]), alpha=("slope", AttributeProto.FLOAT))),
        own,
        refer(node("Elu", ["m"], ["b"]), alpha=("gone", AttributeProto.FLOAT)),
    ]
    many = list(range(300))
    how = dict(attributes=["perm", "slope", "gone", "many"], defaults=[helper.make_attribute("beta", 0.75)])
    source = called(nodes, perm=[1, 0], slope=0.125, many=many, **how)
    defined = function(
        "Scale",
        ["p"],
        [refer(node("LeakyRelu", ["p"], ["b"]), alpha=("alpha", AttributeProto.FLOAT))],
        attributes=["alpha", "numbers", "none"],
        domain="hidden",
    )
    out = folded(folder, source, [defined])
    t.expectEqual((m.operators(out), len(out.functions)), (["MatMul", "LeakyRelu", "Scale", "Elu"], 0), "nodes and functions")
    given = {one.op_type: {a.name: helper.get_attribute_value(a) for a in one.attribute} for one in out.graph.node}
    expected = {"MatMul": {}, "LeakyRelu": {"alpha": 0.125}, "Scale": {"alpha": 0.75, "numbers": many}, "Elu": {}}
    t.expectEqual(given, expected, "attributes")
    said = [(one.doc_string, len(one.metadata_props)) for one in out.graph.node if one.op_type in ("LeakyRelu", "Scale")]
    t.expectEqual(said, [("said about it", 1)] * 2, "what the nodes say")


@suite.case
def constants_that_the_call_gives(folder):
    """They fold with what is passed, in bodies too."""
    state = refer(node("Constant", [], ["k"]), value_float=("alpha", AttributeProto.FLOAT))
    inside = refer(node("Constant", [], ["k2"]), value=("row", AttributeProto.TENSOR))
    then = m.graph([inside, node("Add", ["s", "k2"], ["e"])], [], [info("e", None)], name="then")
    other = m.graph([node("Neg", ["s"], ["g"])], [], [info("g", None)], name="else")
    nodes = [
        state,
        node("Mul", ["w", "k"], ["v"]),
        node("MatMul", ["a", "v"], ["s"]),
        node("If", ["which"], ["b"], then_branch=then, else_branch=other),
    ]
    how = dict(inputs=["a", "w", "which"], given=("x", "w", "which"), graphInputs=(X, info("which", (), BOOL)))
    source = called(nodes, attributes=["alpha", "row"], alpha=3.0, row=const("", [1, 2, 3], np.float32), **how)
    feeds = [{**FEEDS[0], "which": np.array(which)} for which in (True, False)]
    out = folded(folder, source, [], feeds=feeds)
    t.expectEqual((m.operators(out), len(out.functions)), (["MatMul", "If"], 0), "nodes and functions")


@suite.case
def a_copy_of_a_call_gives_what_the_call_gave(folder):
    """The attribute of the outer call ends in the innermost node."""
    inner = function(
        "G",
        "aw",
        transposed(told(refer(node("LeakyRelu", ["p"], ["b"]), alpha=("slope", AttributeProto.FLOAT)))),
        attributes=["slope"],
    )
    nodes = [node("Neg", ["w"], ["n"]), refer(node("G", ["a", "n"], ["b"], domain="own"), slope=("beta", AttributeProto.FLOAT))]
    source = called(nodes, attributes=["beta"], beta=0.125, functions=[inner])
    out = folded(folder, source)
    t.expectEqual((m.operators(out), len(out.functions)), (["MatMul", "LeakyRelu"], 0), "nodes and functions")
    last = out.graph.node[-1]
    t.expectEqual((helper.get_attribute_value(last.attribute[0]), last.doc_string), (0.125, "said about it"), "the node")


@suite.case
def attributes_that_a_function_hands_on(folder):
    """The copy refers to the attribute of the function around the call; not if that may have no value where the inner one has a default."""
    slope = dict(alpha=("slope", AttributeProto.FLOAT))
    nodes = transposed(told(refer(node("LeakyRelu", ["p"], ["l"]), **slope)), refer(node("Scale", ["l"], ["b"], domain="hidden"), **slope))
    for name, how, outer, left in (
        ("plain", dict(attributes=["slope"]), dict(attributes=["beta"]), ["MatMul", "LeakyRelu", "Scale"]),
        ("inner", dict(defaults=[helper.make_attribute("slope", 0.5)]), dict(attributes=["beta"]), ["G"]),
        ("both", dict(defaults=[helper.make_attribute("slope", 0.5)]), dict(defaults=[helper.make_attribute("beta", 0.25)]), ["MatMul", "LeakyRelu", "Scale"]),
    ):
        place = folder / name
        place.mkdir()
        inner = function("G", "aw", nodes, **how)
        own = [node("Constant", [], ["v"], value=W), refer(node("G", ["a", "v"], ["b"], domain="own"), slope=("beta", AttributeProto.FLOAT))]
        calls = [node("F", ["x"], ["h"], domain="own", beta=0.125), node("F", ["h"], ["i"], domain="own", **({} if "defaults" in outer else {"beta": 2.0}))]
        calls += [node("F", ["i"], ["y"], domain="own")] * ("defaults" in outer or "defaults" in how) or [node("Identity", ["i"], ["y"])]
        source = model(calls, functions=[inner, function("F", "a", own, **outer)])
        out = foldedUnknown(place, source, [SCALE])
        body = [one for one in out.functions if one.name == "F"][0].node
        t.expectEqual([one.op_type for one in body if one.op_type != "Constant"], left, f"nodes of {name}")
        for one in body:
            if one.op_type in ("LeakyRelu", "Scale"):
                t.expectEqual([(a.name, a.ref_attr_name) for a in one.attribute], [("alpha", "beta")], f"attributes of {name}")


@suite.case
def inputs_that_are_left_out(folder):
    """At the end, or before others; in a body, and in a call that hands it on."""
    clip = node("Clip", ["p", "lo", "hi"], ["c"])
    then = m.graph([node("Clip", ["c", "lo", "hi"], ["e"])], [], [info("e", None)], name="then")
    other = m.graph([node("G", ["c", "lo", "hi"], ["g"], domain="own")], [], [info("g", None)], name="else")
    inner = function("G", ["a", "lo", "hi"], [node("Clip", ["a", "lo", "hi"], ["c"]), node("Neg", ["c"], ["b"])])
    choice = node("If", ["which"], ["b"], then_branch=then, else_branch=other)
    for name, given in (("end", ["x", "w", "which", "low"]), ("before", ["x", "w", "which", "", "low"]), ("both", ["x", "w", "which"])):
        place = folder / name
        place.mkdir()
        source = called(
            transposed(clip, choice),
            inputs=["a", "w", "which", "lo", "hi"],
            given=given,
            functions=[inner],
            graphInputs=(X, info("which", (), BOOL), info("low", ())),
        )
        feeds = [{**FEEDS[0], "which": np.array(which), "low": np.array(0.25, np.float32)} for which in (True, False)]
        out = folded(place, source, [], feeds=feeds)
        operators = [one for one in m.operators(out) if one != "Clip"]
        t.expectEqual((operators, len(out.functions)), (["MatMul", "If"], 1), f"nodes and functions of {name}")


@suite.case
def nodes_with_bodies_in_a_call(folder):
    """An If, and a Loop of unknown count; names in bodies are new."""
    then = m.graph([node("Mul", ["p", "a"], ["e"])], [], [info("e", None)], name="then")
    other = m.graph([node("Neg", ["p"], ["e2"])], [], [info("e2", None)], name="else")
    body = m.graph(
        [node("Add", ["v", "a"], ["v2"]), node("Identity", ["d"], ["d2"])],
        [info("j", (), I64), info("d", (), BOOL), info("v", None)],
        [info("d2", (), BOOL), info("v2", None)],
        name="body",
    )
    nodes = [
        node("ReduceSum", ["p"], ["r"], keepdims=0),
        node("Less", ["r", "low"], ["q"]),
        node("If", ["q"], ["g"], then_branch=then, else_branch=other),
        node("Loop", ["many", "", "g"], ["b"], body=body),
    ]
    source = called(
        transposed(*nodes),
        inputs=["a", "w", "low", "many"],
        given=("x", "w", "e", "v"),
        graphInputs=(X, info("e", ()), info("v", (), I64)),
    )
    feeds = [{**FEEDS[0], "e": np.array(low, np.float32), "v": np.array(2, np.int64)} for low in (100, -100)]
    out = folded(folder, source, [], feeds=feeds)
    expected = ["MatMul", "ReduceSum", "Less", "If", "Loop"]
    t.expectEqual((m.operators(out), len(out.functions)), (expected, 0), "nodes and functions")
    names = [name for graph in t.allGraphs(out.graph) for one in graph.node for name in one.output]
    t.expectEqual(len(names), len(set(names)), "names of values")


@suite.case
def a_condition_that_is_passed(folder):
    """Is reason enough: the branch is taken."""
    then = m.graph([node("Exp", ["a"], ["e"])], [], [info("e", None)], name="then")
    other = m.graph([node("Neg", ["a"], ["e2"])], [], [info("e2", None)], name="else")
    nodes = [node("If", ["w"], ["b"], then_branch=then, else_branch=other)]
    out = folded(folder, called(nodes, given=("x", "yes"), constants=[YES]))
    t.expectEqual((m.operators(out), len(out.functions)), (["Exp"], 0), "nodes and functions")


@suite.case
def calls_in_a_call(folder):
    """The inner one is the only one too, and something folds in it: both go in one run. Another one is called elsewhere too."""
    inner = function("G", "aw", transposed(node("Neg", ["p"], ["b"])))
    twice = function("H", "a", [node("Exp", ["a"], ["b"])])
    nodes = [
        node("Neg", ["w"], ["n"]),
        node("G", ["a", "n"], ["g"], domain="own"),
        node("H", ["g"], ["h"], domain="own"),
        node("H", ["h"], ["b"], domain="own"),
    ]
    out = folded(folder, called(nodes, functions=[inner, twice]))
    t.expectEqual(m.operators(out), ["MatMul", "Neg", "H", "H"], "nodes")
    t.expectEqual([one.name for one in out.functions], ["H"], "functions")


@suite.case
def calls_in_calls_in_calls(folder):
    """40 deep, two each: all of them are more than can be looked at."""
    functions = [function("F0", "a", [scale("a", "n"), node("Neg", ["n"], ["b"])])]
    for k in range(40):
        functions.append(function(f"F{k + 1}", "a", [node(f"F{k}", ["a"], ["h"], domain="own"), node(f"F{k}", ["h"], ["b"], domain="own")]))
    own = transposed(node("F40", ["p"], ["b"], domain="own"))
    one, count = loop([node("F40", ["a"], ["b"], domain="own")], ["b"], ["z"], given="h")
    call = node("F", ["x", "w"], ["h"], domain="own")
    source = model([call, one, node("Neg", ["z"], ["y"])], [W, count], [*functions, function("F", "aw", own)])
    onnx.save(source, folder / "model.onnx")
    result = t.runOk("--quiet", UNROLL, "-o", folder / "out.onnx", folder / "model.onnx", timeout=60)
    t.expect(result.seconds < 20, f"it took {result.seconds} s")
    t.expectEqual(m.operators(onnx.load(folder / "out.onnx")), ["MatMul", *["F40"] * 4, "Neg"], "operators")


@suite.case
def calls_that_stay(folder):
    """What must have an input is not given one; an attribute that is a graph; an output that is an input left out; a filter."""
    graph = m.graph([node("Neg", ["z"], ["z2"])], [info("z", None)], [info("z2", None)], name="own")
    needs = transposed(node("Add", ["p", "o"], ["b"]))
    refers = refer(node("Own", ["p"], ["b"], domain="hidden"), of=("of", AttributeProto.GRAPH))
    for name, source, flags in (
        ("needed", called(needs, inputs="awo"), []),
        ("given", called(transposed(node("Neg", ["p"], ["b"])), inputs="awo", outputs=["b", "o"], results=("y", "")), []),
        ("reference", called(transposed(refers), attributes=["of"], of=graph), []),
        ("filter", called(transposed(scale("p", "b"))), ["--skip=op:Scale"]),
    ):
        place = folder / name
        place.mkdir()
        onnx.save(source, place / "model.onnx")
        t.runOk("-o", place / "out.onnx", *flags, place / "model.onnx")
        t.expectEqual(m.operators(onnx.load(place / "out.onnx")), ["F"], f"operators of {name}")


#
# Random models
#

# Unary operators under other names, which nobody knows. The attribute of one may be a parameter of a function.
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
            t.expect(len(one.metadata_props) == 1 and int(one.metadata_props[0].value) < count, f"{one}")


@suite.case
def random_loops(folder):
    """Graphs in graphs with custom operators; in ONNX Runtime, with these, the same bits."""
    unrolled = 0
    for seed in range(100 if suite.options.long else 20):
        random = np.random.default_rng([suite.options.seed, seed])
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
        except t.Failure as why:
            raise t.Failure(f"model {seed}: {why}")
    t.expect(unrolled > 3, f"{unrolled} loops were unrolled")


@suite.case
def random_calls(folder):
    """Functions of functions with custom operators."""
    gone = 0
    for seed in range(200 if suite.options.long else 40):
        random = np.random.default_rng([suite.options.seed, seed, 1])
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
        except t.Failure as why:
            raise t.Failure(f"model {seed}: {why}")
        gone += len(out.functions) < len(source.functions)
    t.expect(gone > 5, f"functions of {gone} models were inlined")


if __name__ == "__main__":
    sys.exit(suite.main())
