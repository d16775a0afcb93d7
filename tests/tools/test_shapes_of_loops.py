# SPDX-License-Identifier: Apache-2.0
"""Types, sizes and values that loops carry round: what holds in every iteration, in the body and after it.

Every model is run in ONNX Runtime for several sizes and numbers of iterations, before and after.
"""


import numpy as np
import onnx
from onnx import helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_loops import (
    ALL,
    BOOL,
    F32,
    FEEDS,
    I64,
    KEEPS,
    M,
    X,
    bodyAfter,
    bodyOf,
    check,
    loop,
    modelOf,
    operators,
    sizes,
    typed,
)
from onnxfold_models import const, info, node


def test_sizes_that_stay(folder):
    """N x 4 is loop-carried: so it is in the body and after it, also where nothing but constants folds."""
    for flags in (), ("-O0",):
        inner = [*KEEPS, *sizes("s0", "b", 2), node("Sub", ["b1", "br"], ["d"]), node("Identity", ["d"], ["e"])]
        nodes = [loop(bodyOf(inner, ["n"], [typed("e", I64)]), ["x"], ["y", "seen"]), *sizes("y", "a", 2), ALL]
        nodes += [*sizes("x", "x", 2), node("Sub", ["a0", "x0"], ["d0"])]
        place = folder / "".join(flags)
        place.mkdir(exist_ok=True)
        out, known = check(place, nodes, ["ar", "a0", "a1", "d0", "all"], flags=flags)
        assert known == ["ar", "a1", "d0"], "constants"
        m.expectValue(bodyAfter(out), "e", 2)


def test_a_state_meets_what_is_the_same(folder):
    """h = tanh(x W + h U) has the sizes of h only if h had them before."""
    inner = [
        node("MatMul", ["x", "side"], ["p"]),
        node("MatMul", ["s0", "side"], ["q"]),
        node("Add", ["p", "q"], ["sum"]),
        node("Clip", ["sum"], ["n"]),
    ]
    nodes = [loop(bodyOf(inner, ["n"]), ["x"], ["y"]), *sizes("y", "a", 2), *sizes("x", "x", 2)]
    nodes += [node("Sub", ["a0", "x0"], ["d0"])]
    assert check(folder, nodes, ["ar", "a1", "d0"])[1] == ["ar", "a1", "d0"], "constants"


def test_sizes_that_grow(folder):
    """A Concat in the loop: the number of rows grows, that of columns is kept."""
    inner = [node("Concat", ["s0", "x"], ["n"], axis=0), *sizes("s0", "b", 2), node("Identity", ["bs"], ["e"])]
    nodes = [loop(bodyOf(inner, ["n"], [typed("e", I64)]), ["x"], ["y", "seen"]), *sizes("y", "a", 2)]
    out, known = check(folder, [*nodes, ALL], ["ar", "a0", "a1", "all"])
    assert known == ["ar", "a1"], "constants"
    assert m.constantValue(bodyAfter(out), "b0") is None, "the number of rows is a constant of the body"


def test_growth_from_a_known_size(folder):
    """One row at first, then more: a number that is known in the first iteration only."""
    inner = [node("Concat", ["s0", "ones"], ["n"], axis=0), *sizes("s0", "b", 1), node("Identity", ["b0"], ["e"])]
    nodes = [loop(bodyOf(inner, ["n"], [typed("e", I64)]), ["ones"], ["y", "seen"]), *sizes("y", "a", 2)]
    nodes += [ALL]
    assert check(folder, nodes, ["ar", "a0", "a1", "all"], (M,))[1] == ["ar", "a1"], "constants"


def test_sizes_that_grow_together(folder):
    """Two caches begin alike and get one row each: their lengths are one unknown, and so is that after the loop."""
    inner = [
        node("Concat", ["s0", "ones"], ["n"], axis=0),
        node("Neg", ["s1"], ["turned"]),
        node("Concat", ["ones", "turned"], ["k"], axis=0),
        node("Add", ["n", "k"], ["both"]),
        *sizes("both", "b", 2),
        *sizes("k", "k", 1),
        node("Sub", ["b0", "k0"], ["d"]),
        node("Identity", ["d"], ["e"]),
    ]
    nodes = [loop(bodyOf(inner, ["n", "k"], [typed("e", I64)]), ["x", "x"], ["y", "z", "seen"])]
    nodes += [*sizes("y", "a", 1), *sizes("z", "c", 1), node("Sub", ["a0", "c0"], ["d0"]), ALL]
    out, known = check(folder, nodes, ["a0", "d0", "all"])
    assert known == ["d0"], "constants"
    m.expectValue(bodyAfter(out), "e", 0)


def test_sizes_that_grow_apart(folder):
    """One gets one row, the other two."""
    inner = [
        node("Concat", ["s0", "ones"], ["n"], axis=0),
        node("Concat", ["ones", "s1", "ones"], ["k"], axis=0),
    ]
    nodes = [loop(bodyOf(inner, ["n", "k"]), ["x", "x"], ["y", "z"])]
    nodes += [*sizes("y", "a", 1), *sizes("z", "c", 1), node("Sub", ["a0", "c0"], ["d0"])]
    assert check(folder, nodes, ["a0", "d0"])[1] == [], "constants"


def test_values_that_change_places(folder):
    """N x 4 and 4 x 4 are exchanged: four columns, and nobody knows how many rows. What is handed on three times is known
    only after as many steps."""
    inner = [node("Neg", ["s1"], ["n"]), node("Neg", ["s0"], ["k"])]
    nodes = [loop(bodyOf(inner, ["n", "k"]), ["x", "side"], ["y", "z"]), *sizes("y", "a", 2), *sizes("z", "c", 2)]
    assert check(folder, nodes, ["a0", "a1", "c0", "c1"])[1] == ["a1", "c1"], "constants"
    names = [f"s{k}" for k in range(5)]
    inner = [node("Neg", [f"s{k + 1}"], [f"n{k}"]) for k in range(4)] + [node("Concat", ["s4", "s4"], ["n4"], axis=1)]
    start = ["x", "x", "x", "x", "ones"]
    nodes = [loop(bodyOf(inner, [f"n{k}" for k in range(5)]), start, names), *sizes("s0", "a", 2)]
    nodes += sizes("s3", "c", 2)
    feeds = [{**feed, "M": np.array(count)} for feed in FEEDS[:4] for count in (0, 1, 2, 5)]
    assert check(folder, nodes, ["ar", "a0", "a1", "c1"], feeds=feeds)[1] == ["ar"], "constants"


def test_ranks_that_change(folder):
    inner = [node("Unsqueeze", ["s0", "axis"], ["n"]), *sizes("s0", "b", 0), node("Identity", ["br"], ["e"])]
    nodes = [loop(bodyOf(inner, ["n"], [typed("e", I64)]), ["x"], ["y", "seen"]), *sizes("y", "a", 0)]
    nodes += [ALL]
    assert check(folder, nodes, ["ar", "all"])[1] == [], "constants"


def test_loops_that_run(folder):
    """What a body always gives is known where it runs, and nobody knows what was before where it may not."""
    inner = [node("ReduceSum", ["s0", "last"], ["sum"], keepdims=1), node("Mul", ["sum", "ones8"], ["n"])]
    constants = [const("ones8", np.ones((1, 8), np.float32))]
    for count, known in (("three", ["a1"]), ("M", [])):
        nodes = [loop(bodyOf(inner, ["n"]), ["x"], ["y"], count), *sizes("y", "a", 2)]
        model = modelOf(nodes, ["a1"], (X, M))
        if count != "M":
            del model.graph.input[1]
        model.graph.initializer.extend(constants)
        place = folder / count
        place.mkdir()
        # ONNX Runtime 1.31 sums no rows of 4 to no rows of 4.
        feeds = [{one.name: feed[one.name] for one in model.graph.input} for feed in FEEDS if feed["x"].size]
        out = cleaned(place, model, feeds=feeds).graph
        assert [name for name in ["a1"] if m.constantValue(out, name) is not None] == known, f"with {count}"


def test_ends_that_depend(folder):
    """A condition that is computed: sizes that go round are known, the number of iterations is not."""
    inner = [
        *KEEPS,
        node("Less", ["body_i", "one"], ["continues"]),
        node("Identity", ["n"], ["each"]),
    ]
    nodes = [loop(bodyOf(inner, ["n"], ["each"], condition="continues"), ["x"], ["y", "rows"], "three")]
    nodes += [*sizes("y", "a", 2), *sizes("rows", "c", 3)]
    assert check(folder, nodes, ["a1", "c0", "c2"], (X,))[1] == ["a1", "c2"], "constants"
    # With an unknown condition there may be no iteration, and so no rows.
    nodes[0].input[1] = "c"
    nodes = [one for one in nodes if one.output[0] not in ("c1", "c2")]
    feeds = [{"x": feed["x"], "c": np.array(c)} for feed in FEEDS[::3] for c in (True, False)]
    place = folder / "unknown"
    place.mkdir()
    assert check(place, nodes, ["a1", "c0"], (X, info("c", (), BOOL)), feeds=feeds)[1] == ["a1"], "constants"


def rows(count, condition="yes", told="go", rank=3):
    """A loop that gives what is carried in each iteration, and the sizes of all."""
    inner = [*KEEPS, node("Identity", ["n"], ["each"])]
    body = bodyOf(inner, ["n"], ["each" if rank > 1 else info("each", (None, None))], condition=told)
    return [loop(body, ["x"], ["y", "rows"], count, condition), *sizes("rows", "c", rank), *sizes("x", "x", 2)]


def test_numbers_of_iterations(folder):
    """As many rows as iterations, where the condition never ends the loop: told on, stated, or not there at all."""
    for number, (condition, told) in enumerate([("yes", "go"), ("yes", "yes"), ("", "go")]):
        place = folder / str(number)
        place.mkdir()
        nodes = rows("three", condition, told)
        out, known = check(place, [*nodes, node("Sub", ["c1", "x0"], ["d"])], ["cr", "c0", "c2", "d"], (X,))
        assert known == ["cr", "c0", "c2", "d"], f"constants, condition '{condition}'"
        m.expectValue(out, "c0", 3)


def test_numbers_of_iterations_that_are_sizes(folder):
    """A loop over the rows of x: N iterations, so N slices. (N may be 0: what else they are then nobody says.)"""
    nodes = [node("Shape", ["x"], ["sx"]), node("Gather", ["sx", "zero"], ["count"]), *rows("count", rank=1)]
    nodes += [node("Sub", ["c0", "count"], ["d"])]
    assert check(folder, nodes, ["c0", "d"], (X,))[1] == ["d"], "constants"


def test_no_iterations(folder):
    """Sizes of what is loop-carried hold without any; of the slices none is there."""
    for number, (count, condition) in enumerate([("zero", "yes"), ("minus", "yes"), ("three", "no")]):
        place = folder / str(number)
        place.mkdir()
        nodes = [*rows(count, condition, rank=1), *sizes("y", "a", 2)]
        model = modelOf(nodes, ["a1", "c0"], (X,))
        model.graph.initializer.extend([const("minus", np.array(-4)), const("no", np.array(False))][number - 1 : number])
        out = cleaned(place, model, feeds=[{"x": feed["x"]} for feed in FEEDS]).graph
        m.expectValue(out, "a1", 4)
        m.expectValue(out, "c0", 0)


def test_loops_in_loops(folder):
    """The inner one grows what the outer one begins anew; what the outer one carries keeps its sizes."""
    inner = bodyOf([node("Concat", ["t0", "s0"], ["grown"], axis=0)], ["grown"], name="inner", prefix="t")
    nodes = [
        loop(inner, ["s0"], ["q"], "two"),
        *sizes("q", "q", 2),
        node("ReduceMax", ["q", "axis"], ["top"], keepdims=1),
        node("Add", ["s0", "top"], ["n"]),
        node("Identity", ["q1"], ["e"]),
        node("Identity", ["q0"], ["f"]),
    ]
    body = bodyOf(nodes, ["n"], [typed("e", I64), typed("f", I64)])
    nodes = [loop(body, ["x"], ["y", "es", "fs"]), *sizes("y", "a", 2), *sizes("x", "x", 2)]
    nodes += [node("Sub", ["a0", "x0"], ["d"]), node("ReduceSum", ["fs"], ["all"], keepdims=0)]
    feeds = [feed for feed in FEEDS if feed["x"].size]
    out, known = check(folder, nodes, ["ar", "a1", "d", "all"], feeds=feeds)
    assert known == ["ar", "a1", "d"], "constants"
    m.expectValue(bodyAfter(out), "e", 4)
    assert m.constantValue(bodyAfter(out), "f") is None, "the rows of the inner loop are a constant"


def test_growth_in_the_inner_loop_that_the_outer_one_carries(folder):
    """The outer loop looks as if it kept its sizes: it carries what the inner one gives."""
    inner = bodyOf([node("Concat", ["t0", "x"], ["grown"], axis=0)], ["grown"], name="inner", prefix="t")
    nodes = [loop(inner, ["s0"], ["q"], "two"), *sizes("s0", "b", 2), node("Neg", ["q"], ["n"])]
    nodes += [node("Identity", ["b0"], ["e"]), node("Identity", ["b1"], ["f"])]
    body = bodyOf(nodes, ["n"], [typed("e", I64), typed("f", I64)])
    nodes = [loop(body, ["x"], ["y", "es", "fs"]), *sizes("y", "a", 2)]
    nodes += [node("ReduceSum", [f"{one}s"], [f"{one}all"], keepdims=0) for one in "ef"]
    out, known = check(folder, nodes, ["a0", "a1", "eall", "fall"])
    assert known == ["a1"], "constants"
    m.expectValue(bodyAfter(out), "f", 4)


def test_branches_and_calls_in_loops(folder):
    """What is loop-carried comes from an If, and from a function of the model."""
    function = helper.make_function(
        "own", "F", ["a"], ["out"], [node("Relu", ["a"], ["out"])], [helper.make_opsetid("", 21)]
    )
    one = m.graph([node("F", ["s0"], ["p"], domain="own")], [], [info("p", None)], name="one")
    other = m.graph([node("Neg", ["s0"], ["q"])], [], [info("q", None)], name="other")
    inner = [
        node("Equal", ["body_i", "one"], ["is"]),
        node("If", ["is"], ["chosen"], then_branch=one, else_branch=other),
        node("F", ["chosen"], ["n"], domain="own"),
        *sizes("n", "b", 2),
        node("Identity", ["b1"], ["e"]),
    ]
    nodes = [loop(bodyOf(inner, ["n"], [typed("e", I64)]), ["x"], ["y", "seen"]), *sizes("y", "a", 2)]
    nodes += [*sizes("x", "x", 2), node("Sub", ["a0", "x0"], ["d"]), ALL]
    out, known = check(folder, nodes, ["a1", "d", "all"], functions=[function], domains=[("own", 1)])
    assert known == ["a1", "d"], "constants"
    m.expectValue(bodyAfter(out), "e", 4)


def test_values_that_stay(folder):
    """Small constants that are given back as they are, or computed to the same, are constants in the body; what is added
    to is none."""
    inner = [
        node("Identity", ["s0"], ["n"]),
        node("Add", ["s1", "zero"], ["k"]),
        node("Add", ["s2", "one"], ["l"]),
        node("Mul", ["s0", "s1"], ["e"]),
        node("Mul", ["s0", "s2"], ["f"]),
    ]
    kinds = [typed(name, I64) for name in "nklef"]
    body = bodyOf(inner, kinds[:3], kinds[3:])
    nodes = [loop(body, ["three", "vector", "one"], ["y", "z", "u", "es", "fs"])]
    nodes += [node("Neg", [name], [f"{name}n"]) for name in "yzu"]
    nodes += [node("ReduceSum", [f"{name}s"], [f"{name}all"], keepdims=0) for name in "ef"]
    out, known = check(folder, nodes, {"yn": 0, "zn": 1, "un": 0, "eall": 0, "fall": 0}, (M,))
    assert known == ["yn", "zn"], "constants"
    m.expectValue(out, "zn", [-3, -7])
    m.expectValue(bodyAfter(out), "e", [9, 21])
    assert m.constantValue(bodyAfter(out), "f") is None, "what counts is a constant"


def test_sizes_that_are_carried_as_values(folder):
    """The shape of x is loop-carried beside x, and what is reshaped to it has it."""
    inner = [
        node("Identity", ["s1"], ["to"]),
        node("Flatten", ["s0"], ["flat"], axis=0),
        node("Reshape", ["flat", "s1"], ["n"]),
    ]
    body = bodyOf(inner, ["n", typed("to", I64)])
    nodes = [node("Shape", ["x"], ["start"]), loop(body, ["x", "start"], ["y", "end"]), *sizes("y", "a", 2)]
    nodes += [node("Gather", ["end", "zero"], ["e0"]), node("Sub", ["e0", "a0"], ["d"])]
    nodes += [node("Gather", ["end", "one"], ["e1"])]
    feeds = [feed for feed in FEEDS if feed["x"].size]  # a 0 in a target is not a size
    assert check(folder, nodes, ["ar", "a1", "d", "e1"], feeds=feeds)[1] == ["ar", "a1", "d", "e1"], "constants"


def test_counters_beside_what_grows(folder):
    """A length that is counted beside a cache is the length of the cache; one that is counted twice is not."""
    for step, known in (("one", ["d"]), ("two", [])):
        inner = [
            node("Concat", ["s0", "ones"], ["n"], axis=0),
            node("Add", ["s1", step], ["k"]),
        ]
        body = bodyOf(inner, ["n", typed("k", I64)])
        nodes = [loop(body, ["ones", "one"], ["y", "count"]), *sizes("y", "a", 1), node("Sub", ["a0", "count"], ["d"])]
        place = folder / step
        place.mkdir()
        assert check(place, nodes, ["d", "a0"], (M,))[1] == known, "constants"


def test_targets_after_loops(folder):
    """A Reshape to sizes that are computed from what a loop gives gets a constant target."""
    nodes = [loop(bodyOf(KEEPS, ["n"]), ["x"], ["y"]), node("Shape", ["y"], ["s"])]
    nodes += [node("Gather", ["s", "zero"], ["rows"]), node("Gather", ["s", "one"], ["columns"])]
    nodes += [node("Div", ["columns", "two"], ["half_"]), node("Unsqueeze", ["rows", "axis"], ["v0"])]
    nodes += [node("Unsqueeze", [one, "axis"], [f"v{k + 1}"]) for k, one in enumerate(("half_", "two"))]
    nodes += [node("Concat", ["v0", "v1", "v2"], ["to"], axis=0), node("Reshape", ["y", "to"], ["z"])]
    model = modelOf(nodes, {"z": 3}, kind=F32)
    out = cleaned(folder, model, feeds=[feed for feed in FEEDS if feed["x"].size]).graph
    assert operators(out) == ["Loop", "Reshape"], "operators"


def test_shapes_are_written(folder):
    """--shapes states what was found out."""
    nodes = [*rows("three"), node("ReduceSum", ["rows"], ["sum"], keepdims=0)]
    model = modelOf(nodes, ["sum"], (X,), kind=F32)
    out = cleaned(folder, model, "--shapes", feeds=[{"x": FEEDS[5]["x"]}]).graph
    shapes = {one.name: [d.dim_value or d.dim_param for d in one.type.tensor_type.shape.dim] for one in out.value_info}
    assert (shapes["y"], shapes["rows"]) == (["N", 4], [3, "N", 4]), "shapes"
    inside = bodyAfter(out).value_info
    shapes = {one.name: [d.dim_value or d.dim_param for d in one.type.tensor_type.shape.dim] for one in inside}
    assert shapes["p"] == ["N", 4], "shape in the body"


def test_bodies_that_state_nothing(folder):
    """Neither types nor sizes, of tensors or sequences: all is that of what the node is given."""
    inner = [
        node("SequenceInsert", ["s1", "s0"], ["longer"]),
        node("SequenceAt", ["s1", "zero"], ["at"]),
        node("CastLike", ["one", "at"], ["like"]),
        node("Add", ["like", "half"], ["h"]),
        *sizes("s0", "b", 2),
        node("Relu", ["s0"], ["n"]),
        node("Cast", ["b1"], ["f"], to=F32),
        node("Mul", ["f", "h"], ["e"]),
    ]
    body = bodyOf(inner, ["n", "longer"], ["e"], [info("s0", None), info("s1", None)])
    for value in (*body.input[2:], *body.output[1:3]):
        value.ClearField("type")
    nodes = [node("SequenceConstruct", ["x"], ["one_"]), loop(body, ["x", "one_"], ["y", "all_", "seen"])]
    nodes += [*sizes("y", "a", 2), node("SequenceLength", ["all_"], ["count"]), node("Cast", ["seen"], ["whole"], to=I64)]
    out, known = check(folder, nodes, {"a1": 0, "count": 0, "whole": 1})
    assert known == ["a1"], "constants"
    m.expectValue(bodyAfter(out), "e", 6)


def test_what_a_body_states_is_taken(folder):
    """A body that states sizes of its arguments gets them where nothing speaks against it; what is inferred is added."""
    inner = [*sizes("s0", "b", 2), *KEEPS, node("Mul", ["b0", "b1"], ["e"])]
    body = bodyOf(inner, ["n"], [typed("e", I64)], [info("s0", (5, None))])
    nodes = [loop(body, ["x"], ["y", "seen"]), *sizes("y", "a", 2), ALL]
    fives = [feed for feed in FEEDS if feed["x"].shape[0] == 5]
    out, known = check(folder, nodes, ["ar", "a1", "all"], (info("x", (None, 4)), M), feeds=fives)
    assert known == ["ar", "a1"], "constants"
    m.expectValue(bodyAfter(out), "e", 20)


def test_what_a_body_states_wrongly(folder):
    """The sizes of the first iteration, as exporters trace it: ONNX Runtime does not look, and Shape was folded to them."""
    inner = [node("Concat", ["s0", "x"], ["n"], axis=0), *sizes("s0", "b", 2)]
    inner += [node("Identity", ["b0"], ["e"]), node("Identity", ["b1"], ["f"])]
    body = bodyOf(inner, ["n"], [typed("e", I64), typed("f", I64)], [info("s0", (2, 4))])
    nodes = [loop(body, ["x"], ["y", "seen", "fs"]), *sizes("y", "a", 2), ALL]
    nodes += [node("ReduceSum", ["fs"], ["fall"], keepdims=0)]
    inputs = (info("x", (2, 4)), M)
    feeds = [{"x": FEEDS[4]["x"][[0, 0]], "M": np.array(count)} for count in (0, 1, 3)]
    out, known = check(folder, nodes, ["a0", "a1", "all", "fall"], inputs, feeds=feeds)
    assert known == ["a1"], "constants"
    m.expectValue(bodyAfter(out), "f", 4)
    assert m.constantValue(bodyAfter(out), "e") is None, "the number of rows is a constant of the body"
    result = t.runOk(folder / "model.onnx", "-o", folder / "again.onnx")
    assert "'s0' is tensor<2x4xf32>, inferred is tensor<?x4xf32>" in result.err, f"no warning in {result.err!r}"
    # From the beginning: another size, another rank.
    for number, stated in enumerate([(3, 4), (2, 4, 1)]):
        place = folder / str(number)
        place.mkdir()
        inner = [*sizes("s0", "b", 1), node("Add", ["b0", "br"], ["e"]), node("Relu", ["s0"], ["n"])]
        body = bodyOf(inner, ["n"], [typed("e", I64)], [info("s0", stated)])
        nodes = [loop(body, ["x"], ["y", "seen"]), ALL, *sizes("y", "a", 2)]
        onnx.save(modelOf(nodes, ["all", "a0"], inputs), place / "model.onnx")
        t.fold(place / "model.onnx", place / "out.onnx")
        m.expectValue(bodyAfter(onnx.load(place / "out.onnx").graph), "e", 4)


def test_what_contradicts_goes(folder):
    """The model states other sizes of what a loop gives, and of a value in its body, than it has."""
    body = bodyOf([*KEEPS[:1], node("Mul", ["p", "half"], ["n"])], ["n"])
    body.value_info.append(info("p", (None, 3)))
    nodes = [loop(body, ["x"], ["y"]), *sizes("y", "a", 2), node("ReduceSum", ["y"], ["sum"], keepdims=0)]
    model = modelOf(nodes, ["a1", "sum"])
    model.graph.output[1].type.tensor_type.elem_type = F32
    model.graph.value_info.append(info("y", ("N", 5)))
    onnx.save(model, folder / "model.onnx")
    assert t.run(folder / "model.onnx", "-o", folder / "out.onnx", "--strict").code == 1, "exit status"
    result = t.runOk(folder / "model.onnx", "-o", folder / "out.onnx")
    for name, stated in (("y", 5), ("p", 3)):
        text = f"'{name}' is tensor<?x{stated}xf32>, inferred is tensor<?x4xf32>"
        assert text in result.err, f"{text!r} is not in {result.err!r}"
    out = onnx.load(folder / "out.onnx").graph
    m.expectValue(out, "a1", 4)
    assert [one.name for one in (*out.value_info, *bodyAfter(out).value_info)] == [], "values with types"


def timed(folder, model):
    onnx.save(model, folder / "model.onnx")
    """Seconds of processor time."""
    return t.runOk("--quiet", "-o", folder / "out.onnx", folder / "model.onnx").processorSeconds


def chainOfLoops(count):
    nodes = []
    for k in range(count):
        inner = [
            node("Concat", [f"s{k}_0", "x"], [f"n{k}"], axis=0),
            node("Relu", [f"s{k}_1"], [f"k{k}"]),
            *sizes(f"s{k}_0", f"b{k}_", 2),
        ]
        body = bodyOf(inner, [f"n{k}", f"k{k}"], name=f"l{k}", prefix=f"s{k}_")
        before = [f"y{k - 1}", f"z{k - 1}"] if k else ["x", "x"]
        nodes.append(loop(body, before, [f"y{k}", f"z{k}"]))
    return modelOf([*nodes, *sizes(f"z{count - 1}", "a", 2)], ["a1"])


def nested(depth, width=4):
    """Loops in each other: each carries what grows, and what is given to the next value after one step."""

    def level(k, start):
        values = [f"v{k}_{j}" for j in range(width)]
        nodes = [node("Neg", [f"v{k}_{j + 1}"], [f"n{k}_{j}"]) for j in range(width - 1)]
        nodes.append(node("Concat", [values[-1], "ones"], [f"n{k}_{width - 1}"], axis=k % 2))
        if k + 1 < depth:
            nodes += level(k + 1, [f"n{k}_{j}" for j in range(width)])
        given = [f"r{k + 1}_{j}" if k + 1 < depth else f"n{k}_{j}" for j in range(width)]
        nodes += [node("Abs", [one], [f"g{k}_{j}"]) for j, one in enumerate(given)]
        body = bodyOf(nodes, [f"g{k}_{j}" for j in range(width)], name=f"l{k}", prefix=f"v{k}_")
        return [loop(body, start, [f"r{k}_{j}" for j in range(width)])]

    return modelOf([*level(0, ["x"] * width), *sizes("r0_0", "a", 1)], ["ar"])


def test_many_loops_cost_what_they_are(folder):
    """A thousand loops one after the other: ten times as many take ten times as long, or little more."""
    few, many = (timed(folder, chainOfLoops(count)) for count in (100, 1000))
    assert many < 20 * few + 0.5, f"100 loops take {few:.2f} s, 1000 take {many:.2f} s"


def test_loops_in_loops_are_not_walked_exponentially(folder):
    """Each level would double or triple the walks of all below."""
    times = [timed(folder, nested(depth)) for depth in (12, 24)]
    assert times[1] < 10 * times[0] + 0.5, f"12 levels take {times[0]:.2f} s, 24 take {times[1]:.2f} s"
