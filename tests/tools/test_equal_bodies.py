# SPDX-License-Identifier: Apache-2.0
"""Equal operations with bodies are one, and so are equal calls of functions of the model, where all in them is deterministic."""

import numpy as np
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X, Z, Y, C = info("x"), info("z"), info("y"), info("c", (), BOOL)
GENERATOR = np.random.default_rng(11)
ANY = (None, None)
W = GENERATOR.standard_normal((5, 6)).astype(np.float32)
V = W.copy()
V[4, 5] += 1
FEEDS = [
    {"x": GENERATOR.standard_normal((2, 3)).astype(np.float32), "z": np.ones((2, 3), np.float32), "c": np.array(flag)}
    for flag in (True, False)
]
OWN = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]


def branch(prefix, nodes, constants=(), output="q"):
    """Values of one letter are those of the body, under a prefix; `x`, `z` and `c` are read from outside."""
    mine = lambda name: name if name in ("x", "z", "c", "") or len(name) > 1 else prefix + name
    for one in nodes:
        one.input[:] = [mine(name) for name in one.input]
        one.output[:] = [mine(name) for name in one.output]
    for one in constants:
        one.name = mine(one.name)
    return m.graph(nodes, [], [info(prefix + output, ANY)], constants, name=prefix)


def plain(value):
    return [node("Exp", [value], ["p"]), node("Neg", ["p"], ["q"])]


def choose(output, then, other, condition="c"):
    return node(
        "If", [condition], [output], then_branch=branch(output + "t", *then), else_branch=branch(output + "e", *other)
    )


def both(first, second, **more):
    """y = first - second"""
    nodes = [*first, *second, node("Sub", ["a", "b"], ["y"])]
    return m.model(nodes, [X, Z, C], [info("y", ANY)], **more)


def expectOne(folder, model, kind="If", count=1, feeds=FEEDS):
    out = cleaned(folder, model, "--verify", feeds=feeds)
    assert m.operators(out).count(kind) == count, f"nodes of type {kind}"
    return out


def ifs(first, second=None, **more):
    """Two nodes If that have these branches: a list of nodes and constants each."""
    return both([choose("a", *first())], [choose("b", *(second or first)())], **more)


def simple(value="x"):
    return lambda: (plain(value),), ([node("Abs", ["z"], ["q"])],)


def pair(then, other=lambda: ([node("Abs", ["z"], ["q"])],)):
    return lambda: (then(), other())


def test_equal_branches_are_one(folder):
    out = expectOne(folder, ifs(pair(lambda: (plain("x"),))))
    [last] = [one for one in out.graph.node if one.op_type == "Sub"]
    assert list(last.input) == ["a", "a"], "what reads them"


def test_constants_of_branches_count_by_their_elements(folder):
    def weighted(value):
        return lambda: ([node("MatMul", ["s", "w"], ["q"])], [const("s", np.ones((2, 5), np.float32)), const("w", value)])

    other = lambda: ([node("Tile", ["z", "r"], ["q"])], [const("r", [1, 2], np.int64)])
    dynamic = lambda value: pair(
        lambda: (
            [node("Concat", ["x", "z"], ["d"], axis=1), node("Transpose", ["d"], ["u"], perm=[1, 0]), node("MatMul", ["w", "u"], ["q"])],
            [const("w", value)],
        ),
        lambda: ([node("Shape", ["x"], ["n"]), node("Expand", ["w", "o"], ["g"]), node("Slice", ["g", "s", "e"], ["q"])],
                 [const("w", W), const("o", [5, 6], np.int64), const("s", [0, 0], np.int64), const("e", [5, 2], np.int64)]),
    )  # fmt: skip
    expectOne(folder, ifs(dynamic(W), dynamic(W.copy())))
    expectOne(folder, ifs(dynamic(W), dynamic(V)), count=2)


def test_another_operator_stays(folder):
    other = lambda: ([node("Exp", ["x"], ["p"]), node("Abs", ["p"], ["q"])],)
    expectOne(folder, ifs(pair(lambda: (plain("x"),)), pair(other)), count=2)


def test_another_attribute_stays(folder):
    def soft(axis):
        return pair(lambda: ([node("Softmax", ["x"], ["q"], axis=axis)],))

    expectOne(folder, ifs(soft(0), soft(1)), count=2)


def test_another_value_from_outside_stays(folder):
    expectOne(folder, ifs(pair(lambda: (plain("x"),)), pair(lambda: (plain("z"),))), count=2)


def test_values_of_the_body_in_another_order_stay(folder):
    """They differ in nothing but which of two is subtracted."""

    def difference(*order):
        return pair(lambda: ([node("Exp", ["x"], ["p"]), node("Tanh", ["x"], ["r"]), node("Sub", list(order), ["q"])],))

    expectOne(folder, ifs(difference("p", "r")))
    expectOne(folder, ifs(difference("p", "r"), difference("r", "p")), count=2)


def test_exchanged_branches_stay(folder):
    one, other = (lambda: (plain("x"),)), (lambda: ([node("Abs", ["z"], ["q"])],))
    expectOne(folder, ifs(pair(one, other), pair(other, one)), count=2)


def test_another_condition_stays(folder):
    first, second = pair(lambda: (plain("x"),))(), pair(lambda: (plain("x"),))()
    model = both([choose("a", *first)], [node("Not", ["c"], ["other"]), choose("b", *second, condition="other")])
    expectOne(folder, model, count=2)


def test_nodes_that_nobody_reads_do_not_count(folder):
    """They go, so that a second run would see two equal ones."""
    more = lambda: ([*plain("x"), node("Cos", ["z"], ["g"]), node("Sin", ["g"], ["h"])],)
    expectOne(folder, ifs(pair(lambda: (plain("x"),)), pair(more)))


def test_what_folds_is_equal_to_the_constant(folder):
    written = lambda: ([node("Mul", ["x", "k"], ["q"])], [const("k", np.float32(6))])
    computed = lambda: (
        [node("Mul", ["i", "j"], ["k"]), node("Mul", ["x", "k"], ["q"])],
        [const("i", np.float32(2)), const("j", np.float32(3))],
    )
    expectOne(folder, ifs(pair(written), pair(computed)))


def random(prefix):
    return lambda: ([node("RandomUniformLike", ["x"], ["r"], seed=1.0), node("Add", ["x", "r"], ["q"])],)


def expectUntouched(folder, model):
    cleaned(folder, model, runs=False)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "what may differ each time")


def test_random_operators_keep_both(folder):
    expectUntouched(folder, ifs(pair(random("r"))))


def test_random_operators_that_nobody_reads_keep_both(folder):
    drawn = lambda: ([*plain("x"), node("RandomNormal", [], ["r"], shape=[2])],)
    expectUntouched(folder, ifs(pair(drawn)))


def test_custom_operators_keep_both(folder):
    drawn = lambda: ([node("Swish", ["x"], ["q"], domain="com.acme")],)
    expectUntouched(folder, ifs(pair(drawn), domains=[("com.acme", 1)]))


def test_dropout_in_training_keeps_both(folder):
    drawn = lambda: ([node("Dropout", ["x", "", "c"], ["q"])],)
    expectUntouched(folder, ifs(pair(drawn)))


def test_deep_branches(folder):
    """Bodies in bodies are compared with all that they read, of the bodies around them too."""

    def nest(output, depth, last):
        prefix = f"{output}{depth}"
        nodes, value = [node("Exp", ["x"], [prefix + "p"])], prefix + "p"
        if depth:
            inner = nest(output, depth - 1, last)
            for graph in (inner[0], inner[1]):
                graph.node[0].input[0] = value
            nodes.append(node("If", ["c"], [prefix + "q"], then_branch=inner[0], else_branch=inner[1]))
        else:
            nodes.append(node(last, [value], [prefix + "q"]))
        then = m.graph(nodes, [], [info(prefix + "q", ANY)], name=prefix)
        other = m.graph([node("Neg", ["z"], [prefix + "o"])], [], [info(prefix + "o", ANY)], name=prefix + "o")
        return then, other

    def model(last):
        made = [nest("a", 6, "Tanh"), nest("b", 6, last)]
        return both(*([node("If", ["c"], [name], then_branch=then, else_branch=other)] for name, (then, other) in zip("ab", made)))

    out = cleaned(folder, model("Tanh"), "--verify", feeds=FEEDS)
    assert t.operatorCounts(out)["If"] == 7, "nodes If at all depths"
    out = cleaned(folder, model("Sin"), "--verify", feeds=FEEDS)
    assert t.operatorCounts(out)["If"] == 14, "nodes If where the innermost differ"


def test_an_if_of_a_branch_is_equal_to_one_outside(folder):
    inner = choose("a", *pair(lambda: (plain("x"),))())
    outer = choose("b", *pair(lambda: (plain("x"),))())
    then = m.graph([inner, node("Neg", ["a"], ["t"])], [], [info("t", ANY)], name="then")
    other = m.graph([node("Abs", ["x"], ["e"])], [], [info("e", ANY)], name="else")
    nodes = [outer, node("If", ["c"], ["h"], then_branch=then, else_branch=other), node("Add", ["b", "h"], ["y"])]
    out = expectOne(folder, m.model(nodes, [X, Z, C], [info("y", ANY)]), count=2)
    assert t.operatorCounts(out)["If"] == 2, "nodes If"


# ---- loops


def loop(output, nodes, carried="next", count="n"):
    """Iterates over x; `s` is what was carried, `i` the number."""
    inputs = [info(output + "i", (), I64), info(output + "go", (), BOOL), info(output + "s", (2, 3))]
    rename = {"i": output + "i", "s": output + "s"}
    made = {name for one in nodes for name in one.output}
    for one in nodes:
        one.input[:] = [rename.get(name, output + name if name in made else name) for name in one.input]
        one.output[:] = [output + name for name in one.output]
    nodes = [node("Identity", [output + "go"], [output + "again"]), *nodes]
    results = [info(output + "again", (), BOOL), info(output + carried, (2, 3)), info(output + "scan", (2, 3))]
    body = m.graph([*nodes, node("Cos", [output + carried], [output + "scan"])], inputs, results, name=output)
    return node("Loop", [count, "", "x"], [output, output + "all"], body=body)


def loops(first, second):
    nodes = [loop("a", first), loop("b", second), node("Sub", ["a", "b"], ["d"]), node("Add", ["d", "aall"], ["y0"])]
    nodes.append(node("Add", ["y0", "ball"], ["y"]))
    return m.model(nodes, [X, Z, info("n", (), I64)], [info("y", ANY)])


def step(operator="Mul"):
    return [node("Exp", ["s"], ["p"]), node("Cast", ["i"], ["f"], to=F32), node(operator, ["p", "f"], ["g"]), node("Add", ["g", "z"], ["next"])]


LOOPED = [{**{k: v for k, v in FEEDS[0].items() if k != "c"}, "n": np.array(count)} for count in (0, 3)]


def test_equal_loops_are_one(folder):
    out = expectOne(folder, loops(step(), step()), "Loop", feeds=LOOPED)
    assert len(out.graph.node) == 4, "nodes"


def test_other_steps_stay(folder):
    expectOne(folder, loops(step(), step("Div")), "Loop", 2, feeds=LOOPED)


def test_another_argument_stays(folder):
    """What the body reads is one of its own values, but the other one."""
    one, other = ([node("Sub", list(order), ["next"])] for order in (("s", "z"), ("z", "s")))
    expectOne(folder, loops(one, other), "Loop", 2, feeds=LOOPED)


def test_what_a_body_states_of_shapes_counts(folder):
    """After no iteration runtimes make an empty tensor of the shape that the body states."""
    model = loops(step(), step())
    second = next(a.g for a in model.graph.node[1].attribute if a.name == "body")
    second.output[2].type.tensor_type.shape.dim[0].Clear()
    second.output[2].type.tensor_type.shape.dim[0].dim_param = "rows"
    cleaned(folder, model, feeds=LOOPED[1:])


def test_equal_scans_are_one(folder):
    def scan(output, operator):
        body = m.graph(
            [node("Add", [output + "s", output + "r"], [output + "t"]), node(operator, [output + "t"], [output + "o"])],
            [info(output + "s", (3,)), info(output + "r", (3,))],
            [info(output + "t", (3,)), info(output + "o", (3,))],
            name=output,
        )
        return node("Scan", ["first", "x"], [output + "last", output], body=body, num_scan_inputs=1)

    def model(second):
        nodes = [scan("a", "Exp"), scan("b", second), node("Sub", ["a", "b"], ["d"]), node("Add", ["d", "alast"], ["y"])]
        return m.model(nodes, [X, info("first", (3,))], [Y])

    feeds = [{"x": FEEDS[0]["x"], "first": np.ones(3, np.float32)}]
    expectOne(folder, model("Exp"), "Scan", feeds=feeds)
    expectOne(folder, model("Tanh"), "Scan", 2, feeds=feeds)


# ---- calls


def function(name, nodes, inputs=("a",), imports=OWN, **more):
    return helper.make_function("own", name, list(inputs), ["b"], nodes, imports, **more)


def call(name, inputs, output, **more):
    return node(name, inputs, [output], domain="own", **more)


def calls(functions, nodes, domains=(("own", 1),)):
    return m.model(nodes, [X, Z, C], [info("y", ANY)], domains=domains, functions=functions)


def twice(name="F", first=("x",), second=("x",), **more):
    return [call(name, first, "h"), call(name, second, "k", **more), node("Sub", ["h", "k"], ["y"])]


TANH = [node("Tanh", ["a"], ["t"]), node("Neg", ["t"], ["b"])]


def expectCalls(folder, model, count):
    out = cleaned(folder, model, "--verify", feeds=FEEDS)
    assert sum(one.domain == "own" for one in out.graph.node) == count, "calls"
    return out


def test_equal_calls_are_one(folder):
    nodes = [*twice(), call("F", ["z"], "u"), node("Add", ["y", "u"], ["v"])]
    model = calls([function("F", TANH)], nodes)
    model.graph.output[0].name = "v"
    out = expectCalls(folder, model, 2)
    assert [list(one.input) for one in out.graph.node if one.op_type == "Sub"] == [["h", "h"]], "what reads them"


def test_the_only_call_that_is_left_is_inlined_if_that_pays(folder):
    """As the second run would."""
    body = [node("Neg", ["w"], ["n"]), node("Add", ["a", "n"], ["b"])]
    model = calls([function("F", body, "aw")], twice(first=("x", "w"), second=("x", "w")))
    model.graph.initializer.append(const("w", np.float32(3)))
    out = expectCalls(folder, model, 0)
    assert (m.operators(out), len(out.functions)) == (["Add", "Sub"], 0), "what is left"


def test_calls_with_other_operands_stay(folder):
    expectCalls(folder, calls([function("F", TANH)], twice(second=["z"])), 2)


def test_calls_with_other_attributes_stay(folder):
    turned = node("Softmax", ["a"], ["b"])
    turned.attribute.append(AttributeProto(name="axis", ref_attr_name="axis", type=AttributeProto.INT))
    made = function("F", [turned], attributes=["axis"])
    first = twice(axis=1)
    first[0].attribute.append(helper.make_attribute("axis", 0))
    expectCalls(folder, calls([made], first), 2)
    same = twice(axis=1)
    same[0].attribute.append(helper.make_attribute("axis", 1))
    expectCalls(folder, calls([made], same), 1)


def test_functions_that_call_functions(folder):
    outer = function("G", [call("F", ["a"], "t"), node("Exp", ["t"], ["b"])])
    expectCalls(folder, calls([function("F", TANH), outer], twice("G")), 1)


def expectBothCalls(folder, functions, **more):
    model = calls(functions, twice("G"), **more)
    model.graph.value_info.extend([info("h", [2, 3]), info("k", [2, 3])])
    cleaned(folder, model, runs=False)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "what may differ each time")


def test_random_functions_stay(folder):
    """However deep the random operator is, and also where nobody reads it."""
    drawn = [node("RandomUniformLike", ["a"], ["r"]), node("Add", ["a", "r"], ["b"])]
    expectBothCalls(folder, [function("G", drawn)])
    expectBothCalls(folder, [function("F", drawn), function("G", [call("F", ["a"], "b")])])
    expectBothCalls(folder, [function("G", [*TANH, node("RandomNormal", [], ["r"], shape=[2])])])
    graph = m.graph([node("RandomNormal", [], ["t"], shape=[2, 3])], [], [info("t", ANY)], name="t")
    other = m.graph([node("Neg", ["a"], ["e"])], [], [info("e", ANY)], name="e")
    first = [node("ReduceMax", ["a"], ["r"], keepdims=0), node("Cast", ["r"], ["q"], to=BOOL)]
    expectBothCalls(folder, [function("G", [*first, node("If", ["q"], ["b"], then_branch=graph, else_branch=other)])])


def test_functions_with_custom_operators_stay(folder):
    imports = [*OWN, helper.make_opsetid("com.acme", 1)]
    unknown = [node("Swish", ["a"], ["b"], domain="com.acme")]
    domains = (("own", 1), ("com.acme", 1))
    expectBothCalls(folder, [function("G", unknown, imports=imports)], domains=domains)


def test_functions_that_train_stay(folder):
    train = [node("ReduceMax", ["a"], ["r"], keepdims=0), node("Cast", ["r"], ["q"], to=BOOL), node("Dropout", ["a", "", "q"], ["b"])]
    expectBothCalls(folder, [function("G", train)])


def test_a_dropout_that_does_not_train_is_none(folder):
    """Also where that is seen only after the calls: the second run would have merged them."""
    never = [node("Constant", [], ["k"], value=const("", np.array(True))), node("Not", ["k"], ["q"])]
    for mode in ([], ["", "q"]):
        body = [*never, node("Dropout", ["a", *mode], ["d"]), node("Exp", ["d"], ["b"])]
        out = expectCalls(folder, calls([function("F", body)], twice()), 1)
        assert [one.op_type for one in out.functions[0].node] == ["Exp"], "nodes of the function"


def test_random_values_that_only_unused_nodes_read(folder):
    """The second run would not see them."""
    body = [node("RandomNormalLike", ["a"], ["r"]), node("Exp", ["r"], ["u"]), *TANH]
    out = expectCalls(folder, calls([function("F", body)], twice()), 1)
    assert [one.op_type for one in out.functions[0].node] == ["Tanh", "Neg"], "nodes of the function"


def test_calls_in_branches(folder):
    """Bodies are equal that call equal functions, of which all is known; a branch reads the call of the graph around it."""
    made = lambda: ([call("F", ["x"], "p"), node("Exp", ["p"], ["q"])],)
    model = ifs(pair(made), domains=[("own", 1)], functions=[function("F", TANH)])
    expectOne(folder, model)
    model.graph.node.insert(0, call("F", ["x"], "first"))
    model.graph.output.append(info("first", ANY))
    out = expectOne(folder, model)
    assert sum(one.domain == "own" for one in out.graph.node) == 1, "calls of the graph"
    assert t.operatorCounts(out).get("F") == 1, "calls at all"


def test_calls_that_are_skipped_stay(folder):
    model = calls([function("F", TANH)], twice())
    model.graph.node[1].name = "keep"
    out = cleaned(folder, model, "--skip=keep", feeds=FEEDS)
    assert sum(one.domain == "own" for one in out.graph.node) == 2, "calls"
    model = ifs(pair(lambda: (plain("x"),)))
    branch = next(a.g for a in model.graph.node[1].attribute if a.name == "then_branch")
    branch.node[0].name = "keep"
    out = cleaned(folder, model, "--skip=*keep", feeds=FEEDS)
    assert m.operators(out).count("If") == 2, "nodes If"


def test_switched_off(folder):
    for model, kind in ((ifs(pair(lambda: (plain("x"),))), "If"), (calls([function("F", TANH)], twice()), "F")):
        out = cleaned(folder, model, "--disable=common-subexpression", feeds=FEEDS)
        assert m.operators(out).count(kind) == 2, f"nodes of type {kind}"
