# SPDX-License-Identifier: Apache-2.0
"""Copies of the nodes of a function where a call of it was: custom operators are what they were, references what the call gives."""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_copies import (
    BOOL,
    FEEDS,
    I64,
    SCALE,
    UNROLL,
    W,
    X,
    YES,
    expectCopies,
    expectGraph,
    folded,
    foldedUnknown,
    function,
    loop,
    model,
    ownGraph,
    refer,
    scale,
    told,
)
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node


def test_graphs_of_custom_operators_in_calls(folder):
    """Not where a name in them is another value's around the call: it would hide that."""
    own = node("Search", ["p"], ["b"], domain="hidden", decoder=ownGraph())
    nodes = transposed(node("Neg", ["p"], ["h"]), own)
    out = cleaned(folder, called(nodes), runs=False)
    assert m.operators(out) == ["MatMul", "Neg", "Search"], "operators"
    expectGraph(out.graph.node[2].attribute[0].g, ownGraph(), out.graph.node[1].output[0])
    for name in ("input_ids", "s", "k"):
        place = folder / name
        place.mkdir()
        out = cleaned(place, called(nodes, given=(name, "w"), graphInputs=(info(name, ("n", 3)),)), runs=False)
        assert m.operators(out) == ["F"], f"operators where {name} is outside too"


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


def test_a_custom_operator_in_a_call(folder):
    own = told(scale("p", "b"))
    out = folded(folder, called(transposed(own)), [SCALE])
    assert (m.operators(out), len(out.functions)) == (["MatMul", "Scale"], 0), "nodes and functions"
    expectCopies(out, own, 1)


def test_types_that_a_function_states(folder):
    """Need not hold for a call, and are not said of the copies."""
    nodes = [*transposed(scale("p", "q")), node("Neg", ["q"], ["b"])]
    weight = const("w", np.arange(9).reshape(3, 3), np.float64)
    source = called(nodes, constants=[weight], graphInputs=(info("x", ("n", 3), TensorProto.DOUBLE),))
    source.graph.output[0].CopyFrom(info("y", ("n", 3), TensorProto.DOUBLE))
    source.functions[0].value_info.append(info("q", ("n", 3)))  # of float
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert m.operators(out) == ["MatMul", "Scale", "Neg"], "operators"
    assert [one.name for one in out.graph.value_info] == [], "values with types"


def test_what_a_custom_operator_does_is_done(folder):
    """Nobody reads what it gives; it gives nothing."""
    nodes = [node("Note", ["p"], ["u"], domain="hidden"), node("Beep", ["a"], [], domain="hidden"), node("Neg", ["p"], ["b"])]
    out = cleaned(folder, called(transposed(*nodes)), runs=False)
    assert m.operators(out) == ["MatMul", "Note", "Beep", "Neg"], "operators"


def test_references_become_what_the_call_gives(folder):
    """Or the default of the function, or nothing, if neither gives it. Custom operators have them with their kinds."""
    own = told(scale("l", "m"))
    del own.attribute[:]
    refer(own, alpha=("beta", AttributeProto.FLOAT), none=("missing", AttributeProto.INTS), numbers=("many", AttributeProto.INTS))
    nodes = [
        refer(node("Transpose", ["w"], ["t"]), perm=("perm", AttributeProto.INTS)),
        node("MatMul", ["a", "t"], ["p"]),
        told(refer(node("LeakyRelu", ["p"], ["l"]), alpha=("slope", AttributeProto.FLOAT))),
        own,
        refer(node("Elu", ["m"], ["b"]), alpha=("missing", AttributeProto.FLOAT)),
    ]
    many = list(range(300))
    how = dict(attributes=["perm", "slope", "missing", "many"], defaults=[helper.make_attribute("beta", 0.75)])
    source = called(nodes, perm=[1, 0], slope=0.125, many=many, **how)
    defined = function(
        "Scale",
        ["p"],
        [refer(node("LeakyRelu", ["p"], ["b"]), alpha=("alpha", AttributeProto.FLOAT))],
        attributes=["alpha", "numbers", "none"],
        domain="hidden",
    )
    out = folded(folder, source, [defined])
    assert (m.operators(out), len(out.functions)) == (["MatMul", "LeakyRelu", "Scale", "Elu"], 0), "nodes and functions"
    given = {one.op_type: {a.name: helper.get_attribute_value(a) for a in one.attribute} for one in out.graph.node}
    expected = {"MatMul": {}, "LeakyRelu": {"alpha": 0.125}, "Scale": {"alpha": 0.75, "numbers": many}, "Elu": {}}
    assert given == expected, "attributes"
    said = [(one.doc_string, len(one.metadata_props)) for one in out.graph.node if one.op_type in ("LeakyRelu", "Scale")]
    assert said == [("said about it", 1)] * 2, "what the nodes say"


def test_constants_that_the_call_gives(folder):
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
    assert (m.operators(out), len(out.functions)) == (["MatMul", "If"], 0), "nodes and functions"


def test_a_copy_of_a_call_gives_what_the_call_gave(folder):
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
    assert (m.operators(out), len(out.functions)) == (["MatMul", "LeakyRelu"], 0), "nodes and functions"
    last = out.graph.node[-1]
    assert (helper.get_attribute_value(last.attribute[0]), last.doc_string) == (0.125, "said about it"), "the node"


def test_attributes_that_a_function_hands_on(folder):
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
        assert [one.op_type for one in body if one.op_type != "Constant"] == left, f"nodes of {name}"
        for one in body:
            if one.op_type in ("LeakyRelu", "Scale"):
                assert [(a.name, a.ref_attr_name) for a in one.attribute] == [("alpha", "beta")], f"attributes of {name}"


def test_inputs_that_are_left_out(folder):
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
        assert (operators, len(out.functions)) == (["MatMul", "If"], 1), f"nodes and functions of {name}"


def test_nodes_with_bodies_in_a_call(folder):
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
    assert (m.operators(out), len(out.functions)) == (expected, 0), "nodes and functions"
    names = [name for graph in t.allGraphs(out.graph) for one in graph.node for name in one.output]
    assert len(names) == len(set(names)), "names of values"


def test_a_condition_that_is_passed(folder):
    """Is reason enough: the branch is taken."""
    then = m.graph([node("Exp", ["a"], ["e"])], [], [info("e", None)], name="then")
    other = m.graph([node("Neg", ["a"], ["e2"])], [], [info("e2", None)], name="else")
    nodes = [node("If", ["w"], ["b"], then_branch=then, else_branch=other)]
    out = folded(folder, called(nodes, given=("x", "yes"), constants=[YES]))
    assert (m.operators(out), len(out.functions)) == (["Exp"], 0), "nodes and functions"


def test_calls_in_a_call(folder):
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
    assert m.operators(out) == ["MatMul", "Neg", "H", "H"], "nodes"
    assert [one.name for one in out.functions] == ["H"], "functions"


def test_calls_in_calls_in_calls(folder):
    """40 deep, two each: all of them are more than can be looked at."""
    functions = [function("F0", "a", [scale("a", "n"), node("Neg", ["n"], ["b"])])]
    for k in range(40):
        functions.append(function(f"F{k + 1}", "a", [node(f"F{k}", ["a"], ["h"], domain="own"), node(f"F{k}", ["h"], ["b"], domain="own")]))
    own = transposed(node("F40", ["p"], ["b"], domain="own"))
    one, count = loop([node("F40", ["a"], ["b"], domain="own")], ["b"], ["z"], given="h")
    call = node("F", ["x", "w"], ["h"], domain="own")
    source = model([call, one, node("Neg", ["z"], ["y"])], [W, count], [*functions, function("F", "aw", own)])
    onnx.save(source, folder / "model.onnx")
    result = t.runOk("--quiet", UNROLL, "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.processorSeconds < 20, f"it took {result.processorSeconds} s"
    assert m.operators(onnx.load(folder / "out.onnx")) == ["MatMul", *["F40"] * 4, "Neg"], "operators"


def test_calls_that_stay(folder):
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
        assert m.operators(onnx.load(place / "out.onnx")) == ["F"], f"operators of {name}"


#
# Random models
#

# Unary operators under other names, which nobody knows. The attribute of one may be a parameter of a function.
