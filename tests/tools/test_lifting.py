# SPDX-License-Identifier: Apache-2.0
"""What folds in a function for all calls of it is a constant there, or what the calls pass; weights are never copied."""

import json

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

N = 32  # 4 KB: large
X, Y = info("x", (N, N)), info("y", (N, N))
GENERATOR = np.random.default_rng(7)
FEED = {"x": GENERATOR.standard_normal((N, N)).astype(np.float32)}
W, V = (GENERATOR.standard_normal((N, N)).astype(np.float32) for _ in range(2))
WEIGHTS = [const("w", W), const("v", V)]
OWN = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]


def function(name, inputs, nodes, outputs=("b",), imports=OWN, **more):
    """`inputs`: a list, or a text of names of one letter."""
    return helper.make_function("own", name, list(inputs), list(outputs), nodes, imports, **more)


def call(function, inputs, output, **more):
    return node(function, inputs, [output], domain="own", **more)


def calls(functions, nodes, constants=WEIGHTS, outputs=(Y,), inputs=(X,), **more):
    return m.model(nodes, list(inputs), list(outputs), constants, domains=[("own", 1)], functions=functions, **more)


def transposed(a="a", w="w", output="b"):
    return [node("Transpose", [w], ["t"], perm=[1, 0]), node("MatMul", [a, "t"], [output])]


def body(out, name="F"):
    [one] = [one for one in out.functions if one.name == name]
    return [inner.op_type for inner in one.node]


def named(out, name):
    return next(one for one in out.functions if one.name == name)


def passed(out, one, i):
    return m.constantValue(out.graph, one.input[i])


def sizeOf(model):
    return len(model.SerializeToString())


def expectInputs(out, name, inputs):
    assert list(named(out, name).input) == inputs, f"inputs of {name}"


TWO = [call("F", ["x", "w"], "h"), call("F", ["h", "v"], "y")]


def test_the_input_takes_the_place_of_what_it_was_computed_from(folder):
    out = cleaned(folder, calls([function("F", "aw", transposed())], TWO), feeds=[FEED])
    expectInputs(out, "F", ["a", "t"])
    for one, value in zip(out.graph.node, (W, V)):
        assert len(one.input) == 2, "inputs of the call"
        assert (passed(out, one, 1) == value.T).all(), "the call passes its own transposed weight"
    assert len(out.graph.initializer) == 2, "initializers"


def test_what_still_is_read_stays_an_input(folder):
    nodes = [*transposed(output="m"), node("Add", ["m", "w"], ["b"])]
    out = cleaned(folder, calls([function("F", "aw", nodes)], TWO), feeds=[FEED])
    expectInputs(out, "F", ["a", "w", "t"])
    assert [one.input[1] for one in out.graph.node] == ["w", "v"], "weights of the calls"
    assert (passed(out, out.graph.node[1], 2) == V.T).all(), "what the second call passes at the end"


def test_several_values_of_one_weight(folder):
    nodes = [
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("Neg", ["w"], ["n"]),
        node("MatMul", ["a", "t"], ["p"]),
        node("Add", ["p", "n"], ["b"]),
    ]
    out = cleaned(folder, calls([function("F", "aw", nodes)], TWO), feeds=[FEED])
    expectInputs(out, "F", ["a", "t", "n"])
    assert body(out) == ["MatMul", "Add"], "nodes"


def test_one_value_for_all_calls_is_one_initializer(folder):
    """Also where only the content is the same, and in bodies of other nodes."""
    branches = {
        "then_branch": m.graph([call("F", ["h", "w2"], "p")], [], [info("p", (N, N))], [const("w2", W)], name="t"),
        "else_branch": m.graph([call("F", ["h", "v"], "q")], [], [info("q", (N, N))], name="e"),
    }
    flag = info("flag", (), TensorProto.BOOL)
    model = calls(
        [function("F", "aw", transposed())],
        [call("F", ["x", "w"], "h"), node("If", ["flag"], ["y"], **branches)],
        inputs=[X, flag],
    )
    feeds = [{**FEED, "flag": np.array(value)} for value in (True, False)]
    out = cleaned(folder, model, feeds=feeds)
    inner = [one.g for one in out.graph.node[1].attribute]
    assert [len(graph.initializer) for graph in inner] == [0, 0], "initializers of the branches"
    assert len(out.graph.initializer) == 2, "initializers"
    names = {graph.name: graph.node[0].input[1] for graph in inner}
    assert names["t"] == out.graph.node[0].input[1], "what the branch passes"
    assert sizeOf(out) < sizeOf(model) - W.nbytes + 200, f"{sizeOf(out)} bytes of {sizeOf(model)}"


def test_small_values_that_are_the_same_stay_in_the_body(folder):
    """As a Constant, in the place of the node; the input that nobody reads is erased."""
    nodes = [node("Mul", ["k", "k"], ["s"]), node("Add", ["a", "s"], ["b"])]
    two = [call("F", ["x", "k1"], "h"), call("F", ["h", "k2"], "y")]
    model = calls([function("F", "ak", nodes)], two, [const("k1", 3.0, np.float32), const("k2", 3.0, np.float32)])
    out = cleaned(folder, model, feeds=[FEED])
    assert body(out) == ["Constant", "Add"], "nodes"
    assert m.constantValue(named(out, "F"), "s") == np.float32(9), "the constant"
    expectInputs(out, "F", ["a"])
    assert ([list(one.input) for one in out.graph.node], m.initializerNames(out)) == ([["x"], ["h"]], []), "calls"


def test_small_values_that_differ_are_passed(folder):
    nodes = [node("Mul", ["k", "k"], ["s"]), node("Add", ["a", "s"], ["b"])]
    two = [call("F", ["x", "k1"], "h"), call("F", ["h", "k2"], "y")]
    model = calls([function("F", "ak", nodes)], two, [const("k1", 3.0, np.float32), const("k2", 4.0, np.float32)])
    out = cleaned(folder, model, feeds=[FEED])
    expectInputs(out, "F", ["a", "s"])
    assert [float(passed(out, one, 1)) for one in out.graph.node] == [9, 16], "what is passed"


def test_a_constant_in_the_body_lets_clean_ups_fire(folder):
    """A Dropout that trains for no call is none."""
    nodes = [node("Not", ["k"], ["z"]), node("Dropout", ["a", "", "z"], ["s"]), node("Exp", ["s"], ["b"])]
    two = [call("F", ["x", "k"], "h"), call("F", ["h", "k"], "y")]
    out = cleaned(folder, calls([function("F", "ak", nodes)], two, [const("k", True)]), feeds=[FEED])
    assert body(out) == ["Exp"], "nodes"


def test_functions_in_functions(folder):
    """The weight is lifted through two levels: nothing of it is left in either body."""
    inner = function("F", "aw", transposed())
    outer = function("G", "avw", [call("F", ["a", "v"], "h"), call("F", ["h", "w"], "i"), node("Add", ["i", "a"], ["b"])])
    model = calls([inner, outer], [call("G", ["x", "w", "v"], "h"), call("G", ["h", "v", "w"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert (body(out), body(out, "G")) == (["MatMul"], ["F", "F", "Add"]), "nodes"
    assert [len(named(out, name).input) for name in "FG"] == [2, 3], "numbers of inputs"
    assert len(out.graph.initializer) == 2, "initializers"
    first = out.graph.node[0]
    assert (passed(out, first, 1) == W.T).all() and (passed(out, first, 2) == V.T).all(), "what G is given"
    assert sizeOf(out) <= sizeOf(model), f"{sizeOf(out)} bytes of {sizeOf(model)}"


def test_a_caller_that_knows_more(folder):
    """Of what one function passes to another, half is its own, half an argument."""
    inner = function("F", "aw", transposed())
    outer = function(
        "G",
        "aw",
        [
            node("Constant", [], ["c"], value=const("", V)),
            call("F", ["a", "c"], "h"),
            call("F", ["h", "w"], "b"),
        ],
    )
    model = calls([inner, outer], [call("G", ["x", "w"], "h"), call("G", ["h", "v"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert (body(out), body(out, "G")) == (["MatMul"], ["F", "F"]), "nodes"
    assert len(out.graph.initializer) == 2, "initializers: the constant of G is the second weight"


def test_small_constants_stay_in_the_caller(folder):
    """F gets an input, for which G, that always passes the same, has a Constant."""
    inner = function("F", "ak", [node("Mul", ["k", "k"], ["s"]), node("Add", ["a", "s"], ["b"])])
    outer = function(
        "G",
        ["a"],
        [
            node("Constant", [], ["two"], value_float=2.0),
            node("Constant", [], ["three"], value_float=3.0),
            call("F", ["a", "two"], "h"),
            call("F", ["h", "three"], "b"),
        ],
    )
    out = cleaned(folder, calls([inner, outer], [call("G", ["x"], "h"), call("G", ["h"], "y")], []), feeds=[FEED])
    assert (body(out), body(out, "G")) == (["Add"], ["Constant", "Constant", "F", "F"]), "nodes"
    expectInputs(out, "G", ["a"])
    assert m.initializerNames(out) == [], "initializers"


def test_equal_values_are_one_input(folder):
    """Two ways to one value; both readers read the first."""
    nodes = [
        node("Neg", ["w"], ["n"]),
        node("Min", ["n", "n"], ["m"]),
        node("Add", ["a", "n"], ["p"]),
        node("Mul", ["p", "m"], ["b"]),
    ]
    out = cleaned(folder, calls([function("F", "aw", nodes)], TWO), feeds=[FEED])
    expectInputs(out, "F", ["a", "n"])
    assert [list(one.input) for one in named(out, "F").node] == [["a", "n"], ["p", "n"]], "what nodes read"


def test_inputs_that_turn_out_to_be_unread(folder):
    """What was lifted for a branch that is not taken for any call is erased again, and its initializers."""
    branches = {
        "then_branch": m.graph([node("Exp", ["a"], ["p"])], [], [info("p", None)], name="t"),
        "else_branch": m.graph([node("Add", ["a", "t"], ["q"])], [], [info("q", None)], name="e"),
    }
    nodes = [
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("Not", ["k"], ["c"]),
        node("If", ["c"], ["r"], **branches),
        node("Neg", ["r"], ["b"]),
    ]
    two = [call("F", ["x", "w", "k"], "h"), call("F", ["h", "v", "k"], "y")]
    model = calls([function("F", "awk", nodes)], two, [*WEIGHTS, const("k", False)])
    out = cleaned(folder, model, feeds=[FEED])
    assert body(out) == ["Exp", "Neg"], "nodes"
    expectInputs(out, "F", ["a"])
    assert m.initializerNames(out) == [], "initializers"


def test_what_kept_a_call_and_goes(folder):
    """A branch that nobody reads cannot be copied, but is erased: the only call is inlined in the same run."""
    branch = m.graph([node("Exp", ["a"], ["p"])], [], [info("p", None)], name="t")
    other = m.graph([node("Neg", ["a"], ["q"])], [], [info("q", None)], name="e")
    nodes = [node("If", ["c"], ["r"], then_branch=branch, else_branch=other), *transposed()]
    flag = info("flag", (), TensorProto.BOOL)
    model = calls([function("F", "awc", nodes)], [call("F", ["x", "w", "flag"], "y")], inputs=[X, flag])
    out = cleaned(folder, model, feeds=[{**FEED, "flag": np.array(True)}])
    assert (m.operators(out), len(out.functions)) == (["MatMul"], 0), "nodes and functions"


def test_callers_without_constants(folder):
    """One that does not import ONNX's own operators cannot hold a Constant, so it is given the small value too."""
    inner = function("F", "ak", [node("Mul", ["k", "k"], ["s"]), node("Add", ["a", "s"], ["b"])])
    imports = [helper.make_opsetid("own", 1)]
    outer = function("G", "akl", [call("F", ["a", "k"], "h"), call("F", ["h", "l"], "b")], imports=imports)
    constants = [const("k", 2.0, np.float32), const("l", 3.0, np.float32)]
    two = [call("G", ["x", "k", "l"], "h"), call("G", ["h", "k", "l"], "y")]
    out = cleaned(folder, calls([inner, outer], two, constants), feeds=[FEED])
    assert (body(out), body(out, "G")) == (["Add"], ["F", "F"]), "nodes"
    assert [float(passed(out, out.graph.node[1], i)) for i in (1, 2)] == [4, 9], "what is passed"


def test_one_call_that_does_not_know_is_enough(folder):
    model = calls([function("F", "aw", transposed())], [call("F", ["x", "w"], "h"), call("F", ["h", "x"], "y")])
    out = cleaned(folder, model, "--disable=constant-call", feeds=[FEED])  # else the first is inlined
    assert body(out) == ["Transpose", "MatMul"], "nodes"
    assert m.initializerNames(out) == ["w"], "initializers"


def test_one_call_that_fails_is_enough(folder):
    """What a runtime refuses for one call is still refused for that alone."""
    nodes = [node("Gather", ["w", "i"], ["g"]), node("Add", ["a", "g"], ["b"])]
    two = [call("F", ["x", "w", "i"], "h"), call("F", ["h", "w", "j"], "y")]
    index = [const("i", 1, np.int64), const("j", 99, np.int64)]
    out = cleaned(folder, calls([function("F", "awi", nodes)], two, [WEIGHTS[0], *index]), runs=False)
    assert body(out) == ["Gather", "Add"], "nodes"


def test_results_of_the_function_are_no_inputs(folder):
    """What a function gives must be made in it; what that is made of may be passed."""
    nodes = [node("Neg", ["w"], ["n"]), node("Transpose", ["n"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["b"])]
    twice = [node("F", ["x", "w"], ["h", "t1"], domain="own"), node("F", ["h", "v"], ["y", "t2"], domain="own")]
    outputs = [Y, info("t1", (N, N)), info("t2", (N, N))]
    out = cleaned(folder, calls([function("F", "aw", nodes, "bt")], twice, outputs=outputs), feeds=[FEED])
    assert body(out) == ["Transpose", "MatMul"], "nodes"
    expectInputs(out, "F", ["a", "n"])


def test_nodes_in_bodies_of_the_function(folder):
    """In a branch: the name there may be another one's elsewhere."""
    def branch(name, op):
        nodes = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["a", "t"], ["p"]), node(op, ["p"], ["r"])]
        return m.graph(nodes, [], [info("r", (N, N))], name=name)

    choice = node("If", ["c"], ["b"], then_branch=branch("t", "Neg"), else_branch=branch("e", "Abs"))
    flag = info("flag", (), TensorProto.BOOL)
    two = [call("F", ["x", "w", "flag"], "h"), call("F", ["h", "v", "flag"], "y")]
    model = calls([function("F", "awc", [choice])], two, inputs=[X, flag])
    feeds = [{**FEED, "flag": np.array(value)} for value in (True, False)]
    out = cleaned(folder, model, feeds=feeds)
    inner = {one.name: [inner.op_type for inner in one.g.node] for one in named(out, "F").node[0].attribute}
    assert inner == {"then_branch": ["MatMul", "Neg"], "else_branch": ["MatMul", "Abs"]}, "nodes"
    assert len(out.graph.initializer) == 2, "initializers"


def test_calls_in_loops(folder):
    loop = m.graph(
        [call("F", ["s", "w"], "n"), node("Identity", ["go"], ["again"])],
        [info("i", (), TensorProto.INT64), info("go", (), TensorProto.BOOL), info("s", (N, N))],
        [info("again", (), TensorProto.BOOL), info("n", (N, N))],
        name="body",
    )
    nodes = [node("Loop", ["count", "", "x"], ["h"], body=loop), call("F", ["h", "v"], "y")]
    count = info("count", (), TensorProto.INT64)
    model = calls([function("F", "aw", transposed())], nodes, inputs=[X, count])
    feeds = [{**FEED, "count": np.array(trips, np.int64)} for trips in (0, 2)]
    out = cleaned(folder, model, feeds=feeds)
    assert body(out) == ["MatMul"], "nodes"


def test_what_shapes_say(folder):
    """The sizes of each call's argument, which is not constant; of one with other ranks, as the body has a constant for matrices."""
    nodes = [
        node("Shape", ["a"], ["s"]),
        node("ReduceProd", ["s"], ["n"], keepdims=1),
        node("Reshape", ["a", "n"], ["b"]),
    ]
    outputs = [info("p", (N * N,)), info("q", (15,))]
    for sizes in ((3, 5), (1, 3, 5)):
        model = calls([function("F", ["a"], nodes)], [call("F", ["x"], "p"), call("F", ["z"], "q")], [], outputs, [X, info("z", sizes)])
        out = cleaned(folder, model, feeds=[{**FEED, "z": np.ones(sizes, np.float32)}])
        assert body(out)[-1:] == ["Reshape"], "nodes"
        if len(sizes) == 2:
            assert body(out) == ["Constant", "Reshape"], "all that is left is one dimension"
    assert [passed(out, one, 1).tolist() for one in out.graph.node] == [[N * N], [15]], "what is passed"


def referring(kind, perm="perm"):
    one = node("Transpose", ["w"], ["t"])
    one.attribute.append(AttributeProto(name="perm", ref_attr_name=perm, type=kind))
    return one


def test_attributes_of_the_function(folder):
    """What a call gives, or the default where it leaves them out."""
    nodes = [referring(AttributeProto.INTS), node("MatMul", ["a", "t"], ["b"])]
    given = [call("F", ["x", "w"], "h", perm=[1, 0]), call("F", ["h", "w"], "y", perm=[0, 1])]
    model = calls([function("F", "aw", nodes, attributes=["perm"])], given)
    out = cleaned(folder, model, feeds=[FEED])
    assert body(out) == ["MatMul"], "nodes"
    assert (passed(out, out.graph.node[0], 1) == W.T).all(), "the first is transposed"
    assert (passed(out, out.graph.node[1], 1) == W).all(), "the second is not"
    place = folder / "default"
    place.mkdir()
    default = [helper.make_attribute("perm", [0, 1])]
    left = [call("F", ["x", "w"], "h", perm=[1, 0]), call("F", ["h", "w"], "y")]
    model = calls([function("F", "aw", nodes, attribute_protos=default)], left)
    out = cleaned(place, model, feeds=[FEED])
    assert body(out) == ["MatMul"], "nodes where there is a default"
    assert (passed(out, out.graph.node[1], 1) == W).all(), "the default does not transpose"


def test_constants_that_are_attributes(folder):
    """They are kept; what is computed from them is a constant or passed."""
    state = node("Constant", [], ["k"])
    state.attribute.append(AttributeProto(name="value_float", ref_attr_name="alpha", type=AttributeProto.FLOAT))
    nodes = [state, node("Mul", ["k", "k"], ["s"]), node("Mul", ["a", "s"], ["b"])]
    for name, alphas in (("same", (3.0, 3.0)), ("different", (3.0, 0.5))):
        place = folder / name
        place.mkdir()
        two = [call("F", ["x"], "h", alpha=alphas[0]), call("F", ["h"], "y", alpha=alphas[1])]
        out = cleaned(place, calls([function("F", ["a"], nodes, attributes=["alpha"])], two, []), feeds=[FEED])
        assert [op for op in body(out) if op != "Constant"] == ["Mul"], f"nodes with {name} attributes"
        if name == "different":
            assert [float(passed(out, one, 1)) for one in out.graph.node] == [9, 0.25], "what is passed"


def test_inputs_that_calls_leave_out(folder):
    """They are there, empty, before what is passed after them."""
    nodes = [
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("Add", ["w", "t"], ["u"]),
        node("Clip", ["a", "lo", "hi"], ["c"]),
        node("MatMul", ["c", "u"], ["p"]),
        node("Sub", ["p", "w"], ["b"]),
    ]
    low = const("low", -0.5, np.float32)
    two = [call("F", ["x", "w", "low"], "h"), call("F", ["h", "v"], "y")]
    model = calls([function("F", ["a", "w", "lo", "hi"], nodes)], two, [*WEIGHTS, low])
    out = cleaned(folder, model, feeds=[FEED])
    expectInputs(out, "F", ["a", "w", "lo", "hi", "u"])
    assert [list(one.input)[2:4] for one in out.graph.node] == [["low", ""], ["", ""]], "what is left out"


def test_overloads_and_operators_of_the_standard(folder):
    """Functions of one name are different ones; one with the name of an operator is not changed: either may be meant."""
    first, second = function("F", "aw", transposed()), function("F", "aw", [node("MatMul", ["a", "w"], ["b"])])
    first.overload, second.overload = "first", "second"
    nodes = [call("F", ["x", "w"], "h"), call("F", ["h", "v"], "i"), call("F", ["i", "w"], "y")]
    for one, overload in zip(nodes, ("first", "first", "second")):
        one.overload = overload
    out = cleaned(folder, calls([first, second], nodes), runs=False)
    assert [[one.op_type for one in f.node] for f in out.functions] == [["MatMul"], ["MatMul"]], "nodes"
    assert out.graph.node[2].input[1] == "w", "what the other overload gets"
    place = folder / "standard"
    place.mkdir()
    own = helper.make_function("", "Gemm", ["a", "w"], ["b"], transposed(), [helper.make_opsetid("", 21)])
    model = calls([own], [node("Gemm", ["x", "w"], ["h"]), node("Gemm", ["h", "v"], ["y"])])
    out = m.folded(place, model, runs=False)
    assert body(out, "Gemm") == ["Transpose", "MatMul"], "nodes of the function that may be called as an operator is"


def test_functions_that_nothing_calls(folder):
    """They are erased. Where they must be kept, what they call is not changed."""
    idle = function("Idle", ["a"], [call("F", ["a", "a"], "b")])
    model = calls([function("F", "aw", transposed()), idle], TWO)
    out = cleaned(folder, model, feeds=[FEED])
    assert ([one.name for one in out.functions], body(out)) == (["F"], ["MatMul"]), "functions and nodes"
    place = folder / "stay"
    place.mkdir()
    out = cleaned(place, model, "--disable=unused-node", feeds=[FEED])
    assert (len(out.functions), body(out)) == (2, ["Transpose", "MatMul"]), "functions and nodes that are kept"


def test_what_keeps_functions_as_they_are(folder):
    model = calls([function("F", "aw", transposed())], TWO)
    onnx.save(model, folder / "model.onnx")
    for flags in (["-O0"], ["--disable=lift-from-function"], ["--skip=op:F"], ["--skip=op:Transpose"]):
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", f"output with {flags}")
    training = onnx.ModelProto()
    training.CopyFrom(model)
    info = training.training_info.add()
    info.algorithm.CopyFrom(m.graph([call("F", ["x", "w"], "z")], [], [Y], name="train"))
    info.algorithm.output[0].name = "z"
    onnx.save(training, folder / "training.onnx")
    out = onnx.load(t.fold(folder / "training.onnx", folder / "out.onnx"))
    assert body(out) == ["Transpose", "MatMul"], "nodes of a function that training calls too"


def test_everything_else_keeps_its_bytes(folder):
    """Doc strings, unknown fields, names: only the lists of inputs and the nodes that went are others."""
    unknown = bytes([0xFA, 0x3F, 3]) + b"odd"  # field 1023
    nodes = transposed()
    nodes[1].doc_string = "is kept"
    one = function("F", "aw", nodes, doc_string="the function")
    one.MergeFromString(unknown)
    nodes = [call("F", ["x", "w"], "h", name="first", doc_string="a call"), call("F", ["h", "v"], "y", name="second")]
    nodes[0].MergeFromString(unknown)
    model = calls([one], nodes)
    out = cleaned(folder, model, feeds=[FEED])
    expected = onnx.ModelProto()
    expected.CopyFrom(model)
    del expected.functions[0].node[0]
    expected.functions[0].input[1] = "t"
    del expected.graph.initializer[:]
    expected.graph.initializer.extend(out.graph.initializer)
    for mine, theirs in zip(expected.graph.node, out.graph.node):
        mine.input[1] = theirs.input[1]
    assert out.SerializeToString() == expected.SerializeToString(), "the model"


def test_types_that_functions_state(folder):
    """Since IR version 10: what is said of the value holds of the input; what is said of an erased one is erased."""
    one = function("F", "aw", transposed(), value_info=[info("w", (N, N)), info("t", (N, N))])
    out = cleaned(folder, calls([one], TWO), feeds=[FEED])
    assert [value.name for value in named(out, "F").value_info] == ["t"], "value_info"


def test_growth_counts_weights_once(folder):
    """A weight that is read elsewhere too would be there twice; one that all calls share costs one of its size."""
    nodes = [call("F", ["x", "w"], "h"), call("F", ["h", "w"], "i"), node("MatMul", ["i", "w"], ["y"])]
    model = calls([function("F", "aw", transposed())], nodes, [WEIGHTS[0]])
    for limit, expected in (("0", ["Transpose", "MatMul"]), (str(W.nbytes), ["MatMul"])):
        place = folder / limit
        place.mkdir()
        out = cleaned(place, model, f"--max-growth={limit}", feeds=[FEED])
        assert body(out) == expected, f"nodes with --max-growth={limit}"
        assert sizeOf(out) <= sizeOf(model) + int(limit) + 100, f"{sizeOf(out)} bytes of {sizeOf(model)}"
    place = folder / "shrinks"
    place.mkdir()
    out = cleaned(place, calls([function("F", "aw", transposed())], TWO), "--max-growth=0", feeds=[FEED])
    assert body(out) == ["MatMul"], "nodes where nothing grows"


def test_a_budget_takes_the_small_ones(folder):
    """Two values of weights that are kept: the larger is left out."""
    nodes = [
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("Slice", ["w", "zero", "eight"], ["s"]),
        node("ReduceMax", ["s", "zero"], ["r"], keepdims=1),
        node("MatMul", ["a", "t"], ["p"]),
        node("Add", ["p", "r"], ["q"]),
        node("Add", ["q", "w"], ["b"]),
    ]
    ints = [const("zero", [0], np.int64), const("eight", [8], np.int64)]
    two = [call("F", ["x", "w", "zero", "eight"], "h"), call("F", ["h", "v", "zero", "eight"], "y")]
    model = calls([function("F", ["a", "w", "zero", "eight"], nodes)], two, [*WEIGHTS, *ints])
    out = cleaned(folder, model, "--max-growth=1000", feeds=[FEED])
    assert body(out) == ["Transpose", "MatMul", "Add", "Add"], "nodes"
    growth = [one.value for one in out.metadata_props if one.key == "onnx-fold.growth"]
    assert len(growth) == 1, "entries on growth"


def test_precision_and_placement(folder):
    """Values that are computed wide, and those that go to a data file."""
    nodes = [
        node("Mul", ["w", "w"], ["s"]),
        node("Sqrt", ["s"], ["r"]),
        node("MatMul", ["a", "r"], ["b"]),
    ]
    model = calls([function("F", "aw", nodes)], TWO)
    out = m.folded(folder, model, "--precision=wide", feeds=[FEED])
    assert (passed(out, out.graph.node[0], 1) == np.abs(W)).all(), "the root of the square is exact when it is wide"
    place = folder / "data"
    place.mkdir()
    onnx.save(model, place / "model.onnx")
    t.fold(place / "model.onnx", place / "out.onnx", "--external-data=weights.bin")
    out = onnx.load(place / "out.onnx", load_external_data=False)
    assert [bool(one.external_data) for one in out.graph.initializer] == [True, True], "initializers in the data file"
    assert (place / "weights.bin").stat().st_size >= 2 * W.nbytes, "the data file has both"


def test_report_names_the_clean_up(folder):
    onnx.save(calls([function("F", "aw", transposed())], TWO), folder / "model.onnx")
    t.runOk(f"--report=json:{folder}/report.json", folder / "model.onnx", "-o", folder / "out.onnx")
    nodes = json.loads((folder / "report.json").read_text())["nodes"]
    found = {one["op"]: (one["action"], one["reason"]["text"]) for one in nodes}
    assert found["Transpose"] == ("removed", "lift-from-function"), "the node that was lifted"
    assert found["own.F" if "own.F" in found else "F"][0] == "changed", "the calls"
    assert "lift-from-function" in t.runOk("--list-patterns").out.decode(), "--list-patterns does not list it"


def test_verify_knows_the_calls(folder):
    onnx.save(calls([function("F", "aw", transposed())], TWO), folder / "model.onnx")
    t.runOk("--verify=1", folder / "model.onnx", "-o", folder / "out.onnx")
    assert body(onnx.load(folder / "out.onnx")) == ["MatMul"], "nodes"


def test_many_paths_to_a_function(folder):
    """Functions that call the next one twice: two to the power of fifteen bodies; --long: of twenty, which take ONNX's checker
    half a minute."""
    last = 20 if t.options.long else 15
    levels = [function("F0", "aw", transposed())]
    for k in range(1, last + 1):  # all of them get the one input that they share
        levels.append(function(f"F{k}", "aw", [call(f"F{k - 1}", ["a", "w"], "h"), call(f"F{k - 1}", ["h", "w"], "b")]))
    out = cleaned(folder, calls(levels, [call(f"F{last}", ["x", "w"], "y")]), "--disable=constant-call", runs=False)
    assert body(out, "F0") == ["MatMul"], "nodes: all calls pass the same"
    assert {len(one.input) for one in out.functions} == {2}, "numbers of inputs: one, that all share"
    place = folder / "different"
    place.mkdir()
    levels = [function("F0", "aw", transposed())]
    for k in range(1, last + 1):
        nodes = [node("Neg", ["w"], ["n"]), call(f"F{k - 1}", ["a", "w"], "h"), call(f"F{k - 1}", ["h", "n"], "b")]
        levels.append(function(f"F{k}", "aw", nodes))
    out = cleaned(place, calls(levels, [call(f"F{last}", ["x", "w"], "y")]), "--disable=constant-call", runs=False)
    assert body(out, "F0") == ["Transpose", "MatMul"], "nodes where there are too many bodies"
