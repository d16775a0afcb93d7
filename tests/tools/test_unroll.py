# SPDX-License-Identifier: Apache-2.0
"""--unroll: loops of a few iterations stand as their iterations, and give what they gave."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X = info("x", ("n", 3))
FEEDS = [{"x": np.random.default_rng(k).standard_normal((2 + k, 3)).astype(np.float32)} for k in range(3)]
YES = const("yes", np.array(True))


def body(nodes, outputs, *, carried=("a",), constants=(), condition="c", shape=("n", 3)):
    """Takes the number `i`, the condition `c` and what is carried; `outputs` follow the condition."""
    inputs = [info("i", (), I64), info("c", (), BOOL), *[info(name, shape) for name in carried]]
    nodes = [*nodes, node("Identity", [condition], ["c_out"])]
    return m.graph(nodes, inputs, [info("c_out", (), BOOL), *[info(name, None) for name in outputs]], constants, name="body")


def looped(inner, results, *, count=3, given=("x",), condition="yes", after=(), outputs=None, more=(), **how):
    loop = node("Loop", ["count", condition], [], name="loop", body=inner)
    loop.input.extend(given)
    loop.output.extend(results)
    constants = [const("count", np.array(count, np.int64)), YES, *more]
    return m.model([loop, *after], [X], outputs or [info(name, ("n", 3)) for name in results], constants, **how)


def unrolled(folder, model, *flags, most=8):
    return cleaned(folder, model, f"--unroll={most}", *flags, feeds=FEEDS)


def counter():
    """a * w + i, where i is a number of its iteration."""
    return [
        node("Cast", ["i"], ["f"], to=F32),
        node("Mul", ["a", "w"], ["p"]),
        node("Add", ["p", "f"], ["b"]),
    ]


W = const("w", [2, 3, 0.5], np.float32)


def test_off_by_default(folder):
    model = looped(body(counter(), ["b"], constants=[W]), ["y"])
    out = m.folded(folder, model, feeds=FEEDS)
    assert m.operators(out) == ["Loop"], "operators"


def test_carried_value_and_number(folder):
    """The number of the iteration folds, the weight of the body is there once."""
    out = unrolled(folder, looped(body(counter(), ["b"], constants=[W]), ["y"]), "--disable=plus-zero")
    assert m.operators(out) == ["Mul", "Add"] * 3, "operators"
    assert out.graph.node[-1].output[0] == "y", "name of the result"
    values = [onnx.numpy_helper.to_array(tensor) for tensor in out.graph.initializer]
    assert sorted(value.size for value in values) == [1, 1, 1, 3], "sizes of the initializers"


def test_slices_of_nothing(folder):
    """A loop of no iterations: nothing says the shape of its slices, so it is kept if they have users; but not where only a
    node reads them that nobody does."""
    inner = body([node("Neg", ["a"], ["b"]), node("Abs", ["a"], ["s"])], ["b", "s"])
    unread = looped(inner, ["r", "slices"], count=0, outputs=[info("y", ("n", 3))])
    unread.graph.node.extend([node("Exp", ["slices"], ["unread"]), node("Exp", ["r"], ["y"])])
    assert m.operators(unrolled(folder, unread)) == ["Exp"], "operators"
    place = folder / "read"
    place.mkdir()
    unread.graph.output.append(info("unread", ("k", "n", 3)))
    assert "Loop" in m.operators(m.folded(place, unread, "--unroll=8", runs=False)), "the loop is kept: its slices are read"


def test_slices_of_nothing_that_fold(folder):
    """The body says that the slices are numbers. So the shape of their sum is known, and all their users fold or are erased. The
    first run kept the loop, and the second unrolled it (model 382 of seed 9140000 in test_random_loops.py)."""
    inner = body([node("Neg", ["a"], ["b"]), node("ReduceSum", ["a"], ["s"], keepdims=0)], ["b", "s"])
    inner.output[2].CopyFrom(info("s", ()))
    after = [
        node("ReduceSum", ["slices"], ["sum"], keepdims=0),
        node("Unsqueeze", ["sum", "both"], ["row"]),
        node("Shape", ["row"], ["sizes"]),
        node("Exp", ["r"], ["y"]),
    ]
    outputs = [info("y", ("n", 3)), info("sizes", (2,), I64)]
    both = const("both", np.array([0, 1]))
    out = unrolled(folder, looped(inner, ["r", "slices"], count=0, after=after, outputs=outputs, more=[both]))
    assert m.operators(out) == ["Exp"], "operators"
    m.expectValue(out.graph, "sizes", [1, 1])


def test_slices_of_nothing_that_a_large_constant_is_made_of(folder):
    """A call gives a constant, whatever it is passed. If the budget has no room for that, the call still reads the slices, and
    the loop is kept."""
    large = [const("one", np.float32([1])), const("sizes", np.array([2000]))]
    large = [node("Constant", [], [one.name], value=one) for one in large]
    constant = helper.make_function("own", "Large", ["p"], ["q"], [*large, node("Expand", ["one", "sizes"], ["q"])], [helper.make_opsetid("", 21)])
    inner = body([node("Neg", ["a"], ["b"]), node("Abs", ["a"], ["s"])], ["b", "s"])
    after = [node("Large", ["slices"], ["z"], domain="own"), node("Exp", ["r"], ["y"])]
    outputs = [info("y", ("n", 3)), info("z", (2000,))]
    more = {"outputs": outputs, "domains": [("own", 1)], "functions": [constant]}
    model = looped(inner, ["r", "slices"], count=0, after=after, **more)
    for flags, expected in (([], ["Exp"]), (["--max-growth=0"], ["Loop", "Large", "Exp"])):
        place = folder / str(len(flags))
        place.mkdir()
        assert m.operators(unrolled(place, model, *flags)) == expected, f"operators with {flags}"


def test_more_iterations_than_asked_for(folder):
    model = looped(body(counter(), ["b"], constants=[W]), ["y"], count=9)
    assert m.operators(unrolled(folder, model, most=8)) == ["Loop"], "operators with --unroll=8"
    assert len(m.operators(unrolled(folder, model, most=9))) == 18, "operators with --unroll=9"


SCANNED = [info("y", ("n", 3)), info("s", ("k", "n", 3)), info("t", ("k", "n", 3))]


def test_scanned_values(folder):
    """In opset 11 the axes of Unsqueeze are an attribute. One iteration needs no Concat."""
    for opset in (11, 12, 13, 21):
        for count in (1, 3):
            place = folder / f"{opset}_{count}"
            place.mkdir()
            model = looped(body([*counter(), node("Identity", ["x"], ["o"])], ["b", "p", "o"], constants=[W]), ["y", "s", "t"], count=count, opset=opset, outputs=SCANNED)
            out = unrolled(place, model, "--disable=common-subexpression")
            operators = m.operators(out)
            assert operators.count("Loop") == 0, f"loops in opset {opset}"
            assert operators.count("Unsqueeze") == 2 * count, f"Unsqueeze in opset {opset}"
            assert operators.count("Concat") == (2 if count > 1 else 0), f"Concat in opset {opset}"


def test_two_values_change_places(folder):
    inner = body([node("Neg", ["a"], ["n"])], ["b", "n"], carried=("a", "b"), shape=(None, 3))
    row, outputs = const("row", [[2, 3, 0.5]], np.float32), [info("y", ("k", 3)), info("z", ("l", 3))]
    for count in (0, 1, 2, 5):
        place = folder / str(count)
        place.mkdir()
        out = unrolled(place, looped(inner, ["y", "z"], count=count, given=("x", "row"), more=[row], outputs=outputs))
        assert "Loop" not in m.operators(out), f"{m.operators(out)} for {count} iterations"


def test_results_that_are_no_node_of_the_last_iteration(folder):
    """An outer value, a constant of the body, one value twice, what is carried on as it came."""
    inner = body(
        [node("Relu", ["a"], ["n"])],
        ["n", "n", "k", "d", "e"],
        carried=("a", "b", "g", "d", "e"),
        constants=[const("k", np.float32([[1, 2, 3]]))],
        shape=None,
    )
    results = ["p", "q", "r", "s", "u"]
    shapes = {"p": ("n", 3), "q": ("n", 3), "r": (1, 3), "s": ("n", 3), "u": (3,)}
    outputs = [info(name, shapes[name]) for name in results]
    model = looped(inner, results, count=2, given=("x", "x", "w", "x", "w"), more=[W], outputs=outputs)
    out = unrolled(folder, model)
    assert "Loop" not in m.operators(out), f"operators are {m.operators(out)}"


def test_names_are_new(folder):
    """Names that the iterations would have are taken, in the graph and in another body."""
    taken = [node("Relu", ["x"], ["p_0"]), node("Neg", ["p_0"], ["b_1"])]
    other = body([node("Exp", ["a"], ["p_1"]), node("Sub", ["p_1", "b_1"], ["b"])], ["b"])
    second = node("Loop", ["steps", "yes", "y"], ["z"], name="second", body=other)
    loop = looped(body(counter(), ["b"], constants=[W]), ["y"])
    model = m.model(
        [*taken, loop.graph.node[0], second],
        [X, info("steps", (), I64)],
        [info("z", ("n", 3))],
        list(loop.graph.initializer),
    )
    feeds = [{**feed, "steps": np.array(2, np.int64)} for feed in FEEDS]
    out = cleaned(folder, model, "--unroll=4", feeds=feeds)
    assert m.operators(out).count("Loop") == 1, "loops that are left"


def test_nested_loops(folder):
    """Its count may be the number of the outer iteration."""
    inside = m.graph(
        [node("Add", ["e", "j_f"], ["g"]), node("Cast", ["j"], ["j_f"], to=F32)][::-1] + [node("Identity", ["d"], ["d_out"])],
        [info("j", (), I64), info("d", (), BOOL), info("e", ("n", 3))],
        [info("d_out", (), BOOL), info("g", ("n", 3))],
        name="inside",
    )
    outer = body([node("Mul", ["a", "w"], ["p"]), node("Loop", ["two", "", "p"], ["b"], body=inside)], ["b"])
    model = looped(outer, ["y"], more=[W, const("two", np.array(2, np.int64))])
    out = unrolled(folder, model)
    assert sorted(set(m.operators(out))) == ["Add", "Mul"], "operators"
    outer = body([node("Mul", ["a", "w"], ["p"]), node("Loop", ["i", "", "p"], ["b"], body=inside)], ["b"])
    place = folder / "number"
    place.mkdir()
    out = unrolled(place, looped(outer, ["y"], more=[W]))
    assert sorted(set(m.operators(out))) == ["Add", "Mul"], "operators where the count is the outer number"


def test_a_loop_in_a_branch(folder):
    then = m.graph([looped(body(counter(), ["b"], constants=[W]), ["y1"]).graph.node[0]], [], [info("y1", ("n", 3))], name="then")
    other = m.graph([node("Neg", ["x"], ["y2"])], [], [info("y2", ("n", 3))], name="else")
    choice = node("If", ["which"], ["y"], then_branch=then, else_branch=other)
    model = m.model(
        [choice],
        [X, info("which", (), BOOL)],
        [info("y", ("n", 3))],
        [const("count", np.array(2, np.int64)), YES],
    )
    feeds = [{**FEEDS[0], "which": np.array(which)} for which in (True, False)]
    out = cleaned(folder, model, "--unroll=2", feeds=feeds)
    assert [one.op_type for one in out.graph.node[0].attribute[0].g.node].count("Loop") == 0, "loops in the branch"


def test_sizes_that_grow(folder):
    """A name of a dimension in the body means another size in each iteration."""
    inner = body(
        [node("Concat", ["a", "a"], ["b"], axis=0), node("Shape", ["a"], ["h"]), node("Shape", ["b"], ["k"]), node("Sub", ["k", "h"], ["s"])],
        ["b", "s"],
        shape=("same", 3),
    )
    inner.output[2].type.tensor_type.elem_type = I64
    outputs = [info("y", ("m", 3)), info("z", (3, 2), I64)]
    out = unrolled(folder, looped(inner, ["y", "z"], outputs=outputs))
    assert "Loop" not in m.operators(out), f"operators are {m.operators(out)}"


def branches(then, other):
    """The graphs of an If: lists of nodes that make `t` and `e`."""
    return {
        "then_branch": m.graph(then, [], [info("t", ("n", 3))], name="then"),
        "else_branch": m.graph(other, [], [info("e", ("n", 3))], name="else"),
    }


LESS = [node("ReduceSum", ["a"], ["r"], keepdims=0), node("Less", ["r", "ten"], ["q"])]
TEN = const("ten", np.float32(10))


def test_an_if_in_the_body(folder):
    """Each iteration has its own, which reads the values of that iteration; constants of its branches are there once."""
    then = [node("Mul", ["a", "u"], ["v"]), node("Sub", ["v", "r"], ["t"])]
    then = m.graph(then, [], [info("t", ("n", 3))], [const("u", [2, 4, 8], np.float32)], name="then")
    graphs = {**branches([], [node("Cast", ["i"], ["f"], to=F32), node("Add", ["a", "f"], ["e"])]), "then_branch": then}
    inner = body([*LESS, node("If", ["q"], ["b"], **graphs), node("Neg", ["b"], ["s"])], ["b", "s"], constants=[TEN])
    out = unrolled(folder, looped(inner, ["y", "z"], outputs=[info("y", ("n", 3)), info("z", ("k", "n", 3))]))
    operators = m.operators(out)
    assert (operators.count("If"), operators.count("Loop")) == (3, 0), "numbers of If and Loop"
    values = [onnx.numpy_helper.to_array(tensor) for tensor in out.graph.initializer]
    assert len([value for value in values if value.size == 3 and value.dtype == np.float32]) == 1, "copies of the constant"
    assert all(
        one.op_type != "Cast" for graph in t.allGraphs(out.graph) for one in graph.node
    ), "the number of the iteration did not fold"


def test_an_if_that_depends_on_the_number(folder):
    """Is decided in every iteration."""
    nodes = [node("Equal", ["i", "one"], ["q"]), node("If", ["q"], ["b"], **branches([node("Exp", ["a"], ["t"])], [node("Neg", ["a"], ["e"])]))]
    out = unrolled(folder, looped(body(nodes, ["b"], constants=[const("one", np.array(1, np.int64))]), ["y"]))
    assert m.operators(out) == ["Neg", "Exp", "Neg"], "operators"


def test_a_branch_that_gives_a_value_from_outside(folder):
    """What is carried, an initializer of the branch, a value of the body."""
    given = m.graph([node("Identity", ["a"], ["t"])], [], [info("t", ("n", 3))], name="then")
    constant = m.graph([], [], [info("k", (1, 3))], [const("k", [[1, 2, 3]], np.float32)], name="else")
    nodes = [*LESS, node("If", ["q"], ["j"], then_branch=given, else_branch=constant), node("Add", ["a", "j"], ["b"])]
    out = unrolled(folder, looped(body(nodes, ["b"], constants=[TEN]), ["y"]))
    assert m.operators(out).count("If") == 3, "number of If"


def test_a_loop_of_unknown_count_in_the_body(folder):
    """It is kept, one in each iteration, with names of its own."""
    inside = m.graph(
        [node("Cast", ["j"], ["jf"], to=F32), node("Add", ["e", "jf"], ["h"]), node("Mul", ["h", "p"], ["g"]), node("ReduceSum", ["g"], ["sum"], keepdims=0), node("Less", ["sum", "hundred"], ["d_out"])],
        [info("j", (), I64), info("d", (), BOOL), info("e", ("n", 3))],
        [info("d_out", (), BOOL), info("g", ("n", 3)), info("h", ("n", 3))],
        [const("hundred", np.float32(100))],
        name="inside",
    )
    nodes = [node("Mul", ["a", "w"], ["p"]), node("Loop", ["five", "", "p"], ["b", "scan"], body=inside), node("ReduceMax", ["scan"], ["top"], keepdims=0)]
    inner = body(nodes, ["b", "top"], constants=[W, const("five", np.array(5, np.int64))])
    inner.output[2].CopyFrom(info("top", ()))
    out = unrolled(folder, looped(inner, ["y", "z"], outputs=[info("y", ("n", 3)), info("z", (3,))]), most=4)
    assert m.operators(out).count("Loop") == 3, "number of loops"
    names = [value for graph in t.allGraphs(out.graph) for one in graph.node for value in one.output if value]
    assert len(names) == len(set(names)), "names of values"


def test_a_scan_in_the_body(folder):
    inside = m.graph(
        [node("Add", ["state", "row"], ["next"]), node("Mul", ["next", "p"], ["seen"])],
        [info("state", (3,)), info("row", (3,))],
        [info("next", (3,)), info("seen", (3,))],
        name="inside",
    )
    nodes = [
        node("ReduceSum", ["a", "zero"], ["p"], keepdims=0),
        node("Scan", ["p", "a"], ["last", "b"], body=inside, num_scan_inputs=1),
    ]
    inner = body(nodes, ["b", "last"], constants=[const("zero", [0], np.int64)])
    inner.output[2].CopyFrom(info("last", (3,)))
    out = unrolled(folder, looped(inner, ["y", "z"], count=2, outputs=[info("y", ("n", 3)), info("z", (2, 3))]))
    assert m.operators(out).count("Scan") == 2, "number of Scan"


def test_bodies_in_bodies(folder):
    """An If in an If in the loop; what the inner one reads is of three graphs around it."""
    deep = node("If", ["q"], ["t"], **branches([node("Mul", ["v", "a"], ["t2"])], [node("Sub", ["v", "x"], ["e2"])]))
    for attribute in deep.attribute:
        attribute.g.output[0].name += "2"
    outer = branches([node("Add", ["a", "w"], ["v"]), deep], [node("Neg", ["a"], ["e"])])
    greater = [node("Not", ["q"], ["q2"])]
    nodes = [*LESS, *greater, node("If", ["q2"], ["b"], **outer)]
    out = unrolled(folder, looped(body(nodes, ["b"], constants=[TEN, W]), ["y"]))
    assert m.operators(out).count("If") == 3, "number of If in the graph"


def function(name, nodes, imports=("",)):
    return helper.make_function("own", name, ["p"], ["q"], nodes, [helper.make_opsetid(domain, 21 if domain == "" else 1) for domain in imports])


def test_a_call_in_the_body(folder):
    """Of a function that calls another one; in a branch too. One whose function is random is kept."""
    inside = function("Shift", [node("Exp", ["p"], ["s"]), node("Sub", ["s", "p"], ["q"])])
    outer = function("Twice", [node("Shift", ["p"], ["m"], domain="own"), node("Add", ["m", "p"], ["q"])], ("", "own"))
    random = function("Twice", [node("RandomUniformLike", ["p"], ["m"], seed=1.0), node("Add", ["m", "p"], ["q"])])
    graphs = branches([node("Twice", ["a"], ["t"], domain="own")], [node("Neg", ["a"], ["e"])])
    inner = body([*LESS, node("Twice", ["a"], ["d"], domain="own"), node("If", ["q"], ["g"], **graphs), node("Add", ["d", "g"], ["b"])], ["b"], constants=[TEN])
    model = looped(inner, ["y"], ir=10, domains=[("own", 1)], functions=[inside, outer])
    out = unrolled(folder, model)
    operators = m.operators(out)
    assert [operators.count(name) for name in ("Twice", "If", "Loop")] == [3, 3, 0], "numbers of calls, If and Loop"
    assert sorted(one.name for one in out.functions) == ["Shift", "Twice"], "functions"
    place = folder / "random"
    place.mkdir()
    onnx.save(looped(inner, ["y"], ir=10, domains=[("own", 1)], functions=[random]), place / "model.onnx")
    result = t.runOk("--unroll=8", "-o", place / "out.onnx", place / "model.onnx")
    assert m.operators(onnx.load(place / "out.onnx")) == ["Loop"], "operators where the function is random"
    assert "is random" in result.err, result.err


def test_loops_that_stay(folder):
    """And why, where the count alone would do."""
    given = branches([node("Add", ["a", "s"], ["t"])], [node("Exp", ["a"], ["e"])])
    given["then_branch"].sparse_initializer.append(helper.make_sparse_tensor(const("s", [1.5], np.float32), const("", [2], np.int64), [3]))
    sparse = [*LESS, node("If", ["q"], ["b"], **given)]
    random = [node("RandomUniformLike", ["a"], ["b"], seed=1.0)]
    deep = [*LESS, node("If", ["q"], ["b"], **branches([node("RandomUniformLike", ["a"], ["t"], seed=1.0)], [node("Exp", ["a"], ["e"])]))]
    for name, inner, reason in (
        ("sparse", body(sparse, ["b"], constants=[TEN]), "an initializer of its body is sparse, or stated twice"),
        ("random", body(random, ["b"]), "is random"),
        ("deep", body(deep, ["b"], constants=[TEN]), "is random"),
        ("condition", body([*LESS, node("Neg", ["a"], ["b"])], ["b"], constants=[TEN], condition="q"), None),
    ):
        place = folder / name
        place.mkdir()
        onnx.save(looped(inner, ["y"], domains=[("own", 1)]), place / "model.onnx")
        result = t.runOk("--unroll=8", "-o", place / "out.onnx", place / "model.onnx")
        assert m.operators(onnx.load(place / "out.onnx")) == ["Loop"], f"operators of {name}"
        if reason:
            assert "loop 'loop' is not unrolled: " in result.err and reason in result.err, result.err
        else:
            assert "unrolled" not in result.err, result.err


class RandomBody:
    """Graphs in graphs that read what stands in any graph around them: all values but numbers and truths are [n, 3]."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.count = 0

    def new(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def truth(self, nodes, values):
        total, out = self.new(), self.new("t")
        nodes += [node("ReduceSum", [self.random.choice(values)], [total], keepdims=0), node("Less", [total, "ten"], [out])]
        return out

    def number(self, nodes, numbers):
        one, out = self.new("i"), self.new("f")
        nodes += [node("Add", [self.random.choice(numbers), "one"], [one]), node("Cast", [one], [out], to=F32)]
        return out

    def statements(self, values, numbers, depth):
        """Nodes that read these, and what they make."""
        nodes, values = [], list(values)
        for _ in range(self.random.integers(1, 5)):
            kind = self.random.choice(["Neg", "Relu", "Identity", "Add", "Sub", "number", "constant", *(["If", "Loop"] * (depth > 0))])
            out = self.new()
            x, y = (str(value) for value in self.random.choice(values, 2))
            if kind in ("Neg", "Relu", "Identity"):
                nodes.append(node(kind, [x], [out]))
            elif kind in ("Add", "Sub"):
                nodes.append(node(kind, [x, y], [out]))
            elif kind == "number" and numbers:
                nodes.append(node("Mul", [x, self.number(nodes, numbers)], [out]))
            elif kind == "If":
                condition = self.truth(nodes, values)
                graphs = [self.graph(values, numbers, depth - 1) for _ in range(2)]
                nodes.append(node("If", [condition], [out], then_branch=graphs[0], else_branch=graphs[1]))
            elif kind == "Loop":
                nodes.append(node("Loop", [str(self.random.choice(["two", *numbers])), "", x], [out], body=self.graph(values, numbers, depth - 1, loop=True)))
            else:
                constant = self.new("k")
                nodes += [node("Constant", [], [constant], value=const("", self.random.integers(-3, 4, (1, 3)), np.float32)), node("Add", [x, constant], [out])]
            values.append(out)
        return nodes, values

    def graph(self, values, numbers, depth, loop=False):
        inputs, outputs = [], []
        if loop:
            i, go, carried = self.new("i"), self.new("c"), self.new()
            inputs = [info(i, (), I64), info(go, (), BOOL), info(carried, ("n", 3))]
            values, numbers = [*values, carried], [*numbers, i]
        nodes, made = self.statements(values, numbers, depth)
        if loop:
            again = self.new("c")
            nodes.append(node("Identity", [go], [again]))
            outputs.append(info(again, (), BOOL))
        out = self.new()
        nodes.append(node("Tanh", [made[-1]], [out]))  # no value grows beyond all bounds
        return m.graph(nodes, inputs, [*outputs, info(out, ("n", 3))], name=self.new("g"))


def test_random_bodies(folder):
    """Three deep, in ONNX Runtime, bit for bit."""
    unrolledLoops = 0
    for seed in range(200 if t.options.long else 25):
        inner = RandomBody(t.options.seed + seed).graph(["x"], [], 3, loop=True)
        more = [const("ten", np.float32(1)), const("one", np.int64(1)), const("two", np.int64(2))]
        place = folder / str(seed)
        place.mkdir()
        out = unrolled(place, looped(inner, ["y"], more=more))
        unrolledLoops += "Loop" not in m.operators(out)
    assert unrolledLoops > 5, f"{unrolledLoops} loops were unrolled"


def test_skip_protects(folder):
    model = looped(body(counter(), ["b"], constants=[W]), ["y"])
    assert m.operators(unrolled(folder, model, "--skip=loop")) == ["Loop"], "operators"


def test_report_names_it(folder):
    onnx.save(looped(body(counter(), ["b"], constants=[W]), ["y"]), folder / "model.onnx")
    t.runOk("--unroll=3", f"--report=json:{folder / 'report.json'}", "-o", folder / "out.onnx", folder / "model.onnx")
    nodes = {one["name"]: one for one in json.loads((folder / "report.json").read_text())["nodes"]}
    assert (nodes["loop"]["action"], nodes["loop"]["reason"]["text"]) == ("removed", "unroll"), "the loop"


def test_in_a_function_and_before_initializers(folder):
    """Where new constants are nodes: in functions, and before IR version 4."""
    loop = looped(body(counter(), ["b"], constants=[W]), ["y"], opset=17)
    count = node("Constant", [], ["count"], value_int=2)
    function = helper.make_function(
        "own", "Twice", ["x"], ["y"], [count, helper.make_node("Loop", ["count", "", "x"], ["y"], body=loop.graph.node[0].attribute[0].g)],
        [helper.make_opsetid("", 17)],
    )
    model = m.model(
        [node("Twice", ["x"], ["y"], domain="own")], [X], [info("y", ("n", 3))], opset=17, ir=8, domains=[("own", 1)], functions=[function]
    )
    out = unrolled(folder, model)
    operators = [one.op_type for one in out.functions[0].node if one.op_type != "Constant"]
    assert "Loop" not in operators and operators.count("Mul") == 2, f"operators of the function are {operators}"


def test_not_at_level_0(folder):
    onnx.save(looped(body(counter(), ["b"], constants=[W]), ["y"]), folder / "model.onnx")
    result = t.run("--unroll=3", "-O0", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 1, "exit status"
    assert "--unroll is given with -O0, expected -O1 or -O2" in result.err, result.err
