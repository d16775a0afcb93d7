# SPDX-License-Identifier: Apache-2.0
"""Slices of slices, joins that are taken apart again, inputs that say nothing, and operands in another order: bit for bit in ONNX
Runtime, at many sizes."""

from collections import Counter

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

I64, I32, U8, BOOL = TensorProto.INT64, TensorProto.INT32, TensorProto.UINT8, TensorProto.BOOL
RANDOM = np.random.default_rng(11)
SPECIAL = np.array([[0, -0.0, np.nan, np.inf], [-np.inf, 1, -1, 1e-45], [3e38, -0.0, 0, -2.5]], np.float32)


def values(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def inputsOf(model, op):
    return [list(one.input) for one in model.graph.node if one.op_type == op]


def randomRange(random):
    """Bounds that meet, miss and pass sizes from 0 to 9. (To the largest integer backwards is nothing; ONNX Runtime takes it for
    the first one.)"""
    bounds = [0, 1, 2, 3, 5, 8, 11, -1, -2, -4, -9, -12]
    step = int(random.choice([1, 1, 1, 2, 3, 5, -1, -2]))
    ends = bounds + ([2**31 - 1, 2**63 - 1] if step > 0 else [-(2**63)])
    return int(random.choice(bounds)), ends[int(random.integers(len(ends)))], step


def pairsOfSlices(random, count, shape):
    """x -> `count` times a Slice of a Slice, each a result of its own."""
    nodes, outputs, constants = [], [], []
    for k in range(count):
        axes = (0, 0) if random.integers(3) else (0, 1)
        last = "x"
        for step, axis in enumerate(axes):
            start, end, by = randomRange(random)
            names = [f"{what}{k}_{step}" for what in "seap"]
            constants += [const(name, [value], np.int64) for name, value in zip(names, (start, end, axis, by))]
            nodes.append(node("Slice", [last, *names], [f"v{k}_{step}"]))
            last = f"v{k}_{step}"
        nodes.append(node("Relu", [last], [f"y{k}"]))
        outputs.append(info(f"y{k}", (None, None)))
    return m.model(nodes, [info("x", shape)], outputs, constants)


def test_slices_of_slices_of_any_size(folder):
    """Sizes from 0 to 9: what is cut off for one is not for another."""
    options = t.options
    left = total = 0
    for number in range(20 if options.long else 3):
        random = np.random.default_rng([options.seed, number])
        source = pairsOfSlices(random, 150, ("n", 4))
        out = cleaned(folder, source, feeds=[{"x": values(size, 4) + 9} for size in range(10)])
        left, total = left + t.operatorCounts(out).get("Slice", 0), total + 300
    assert left < 0.85 * total, f"{left} of {total} Slices are left, expected fewer"


def test_slices_of_slices_of_a_known_size(folder):
    """Each pair is one Slice, or none, in whatever directions (but where the first is equal to that of another pair)."""
    options = t.options
    for size in range(1, 10):
        random = np.random.default_rng([options.seed, size])
        out = cleaned(folder, pairsOfSlices(random, 100, (size, 4)), feeds=[{"x": values(size, 4) + 9}])
        made = {one.output[0]: one.op_type for one in out.graph.node}
        readers = Counter(one.input[0] for one in out.graph.node)
        twice = [one for one in out.graph.node if one.op_type == made.get(one.input[0]) == "Slice" and readers[one.input[0]] == 1]
        assert not twice, f"size {size}: a Slice of a Slice that nobody else reads is left: {twice[:1]}"


def test_parts_of_joins(folder):
    nodes = [
        node("Concat", ["x", "z", "x"], ["c"], axis=1),
        node("Slice", ["c", "three", "seven", "one"], ["a"]),
        node("Slice", ["c", "seven", "most", "one"], ["b"]),
        node("Slice", ["c", "zero", "seven", "one"], ["d"]),
        *(node("Relu", [name], [name + "y"]) for name in "abd"),
    ]
    constants = [const(name, [value], np.int64) for name, value in (("zero", 0), ("one", 1), ("three", 3), ("seven", 7), ("most", 2**63 - 1))]
    model = m.model(nodes, [info("x", ("n", 3)), info("z", ("n", 4))], [info(name + "y", ("n", None)) for name in "abd"], constants)
    out = cleaned(folder, model, feeds=[{"x": values(n, 3), "z": values(n, 4)} for n in (0, 1, 3)])
    assert inputsOf(out, "Relu") == [["z"], ["x"], ["d"]], "what is read"


def test_less_than_parts_of_joins(folder):
    """Every range of 4 + 3 + n columns, and every pair of columns: where it lies in one operand, no Concat is left."""
    ranges = [(a, b, step) for a in range(9) for b in (*range(a + 1, 10), 2**63 - 1) for step in (1, 2)]
    nodes, outputs, constants = [], [], [const("axis", [1])]
    for k, (start, end, step) in enumerate(ranges):
        constants += [const(f"s{k}", [start]), const(f"e{k}", [end]), const(f"p{k}", [step]), const(f"i{k}", [start, min(end, 10) - 1])]
        nodes += [node("Concat", ["x", "z", "u"], [f"c{k}"], axis=1), node("Slice", [f"c{k}", f"s{k}", f"e{k}", "axis", f"p{k}"], [f"v{k}"]),
                  node("Concat", ["x", "z", "u"], [f"d{k}"], axis=-1), node("Gather", [f"d{k}", f"i{k}"], [f"w{k}"], axis=1),
                  node("Relu", [f"v{k}"], [f"y{k}"]), node("Relu", [f"w{k}"], [f"g{k}"])]
        outputs += [info(f"y{k}", ("m", None)), info(f"g{k}", ("m", None))]
    for one in nodes:  # equal ones would be one, which many read
        if one.op_type == "Concat":
            one.input.append("t" + one.output[0])
            constants.append(const("t" + one.output[0], np.full((1, 1), len(constants), np.float32)))
    model = m.model(nodes, [info("x", (1, 4)), info("z", (1, 3)), info("u", (1, "n"))], outputs, constants)
    out = cleaned(folder, model, feeds=[{"x": values(1, 4), "z": values(1, 3), "u": values(1, n)} for n in (3, 5)])
    inside = [one for one in ranges if one[1] <= 4 or (one[0] >= 4 and one[1] <= 7)]
    both = [one for one in ranges if min(one[1], 10) <= 4 or (one[0] >= 4 and min(one[1], 10) <= 7)]
    assert m.operators(out).count("Concat") == 2 * len(ranges) - len(inside) - len(both), "how many Concats are left"


def test_split_and_joined(folder):
    for sizes, op in ((["s"], 18), ([], 13)):
        nodes = [node("Split", ["x", *sizes], ["a", "b"], axis=1), node("Concat", ["a", "b"], ["h"], axis=-1), node("Relu", ["h"], ["y"])]
        constants = [const("s", [1, 3], np.int64)] if sizes else []
        out = cleaned(folder, m.model(nodes, [info("x", ("n", 4))], [info("y", ("n", 4))], constants, opset=op), feeds=[{"x": values(2, 4)}])
        assert m.operators(out) == ["Relu"], "operators"


def test_reductions_that_keep_their_axes(folder):
    for opset in (11, 13, 18, 21):
        def view(op, of, to, axes):
            return node(op, [of, "axes"], [to]) if opset >= 13 else node(op, [of], [to], axes=axes)
        def reduction(op, to, axes, keepdims):
            asInput = opset >= (13 if op == "ReduceSum" else 18)
            return node(op, ["x", "axes"] if asInput else ["x"], [to], keepdims=keepdims, **({} if asInput else {"axes": axes}))
        nodes = [
            reduction("ReduceSum", "a", [1], 0), view("Unsqueeze", "a", "b", [1]),
            reduction("ReduceMax", "c", [1], 1), view("Squeeze", "c", "d", [1]),
            node("ArgMin", ["x"], ["e"], axis=1, keepdims=0), view("Unsqueeze", "e", "f", [1]),
            *(node("Identity", [name], [name + "y"]) for name in "bdf"),
        ]
        outputs = [info("by", (None, 1, None)), info("dy", (None, None)), info("fy", (None, 1, None), I64)]
        model = m.model(nodes, [info("x", ("n", 3, "k"))], outputs, [const("axes", [1])], opset=opset, ir=7)
        out = cleaned(folder, model, feeds=[{"x": values(n, 3, k)} for n, k in ((1, 4), (2, 1), (0, 3))])
        assert sorted(m.operators(out)) == ["ArgMin", "ReduceMax", "ReduceSum"], f"operators of opset {opset}"


def test_long_joins(folder):
    """However many parts the inner one has."""
    for inner, rest in ((40, 2), (250, 3), (5, 5)):
        parts = [f"p{k}" for k in range(inner)]
        nodes = [node("Neg" if k % 2 else "Abs", [f"x{k}"], [name]) for k, name in enumerate(parts)]
        nodes += [node("Concat", parts, ["c"], axis=0), node("Concat", ["c", *parts[:rest]], ["y"], axis=0)]
        inputs = [info(f"x{k}", (1,)) for k in range(inner)]
        out = cleaned(folder, m.model(nodes, inputs, [info("y", (inner + rest,))]), feeds=[{f"x{k}": values(1) for k in range(inner)}])
        joins = inputsOf(out, "Concat")
        assert [len(one) for one in joins] == [inner + rest], f"inputs of what is left of {inner} and {rest}"


def test_operands_in_the_other_order(folder):
    """Zeros of both signs, infinities and NaN: the results differ in no bit. Of Max and Min of floats they may."""
    for op, kind, merges in (("Add", 1, True), ("Mul", 1, True), ("Sum", 1, True), ("Max", 1, False), ("Min", 1, False),
                             ("Max", I64, True), ("Equal", 1, True), ("Sub", 1, False)):
        result = BOOL if op == "Equal" else kind
        nodes = [node(op, ["x", "z"], ["a"]), node(op, ["z", "x"], ["b"]), node("Concat", ["a", "b"], ["y"], axis=0)]
        model = m.model(nodes, [info("x", (3, 4), kind), info("z", (3, 4), kind)], [info("y", (6, 4), result)])
        feeds = [{"x": SPECIAL, "z": np.roll(SPECIAL, shift)} for shift in range(12)]
        if kind == I64:
            feeds = [{"x": np.arange(12).reshape(3, 4), "z": np.arange(12)[::-1].reshape(3, 4).copy()}]
        out = cleaned(folder, model, feeds=feeds)
        assert m.operators(out).count(op) == (1 if merges else 2), f"how many {op} of type {kind}"


def test_rows_that_broadcast_by_themselves(folder):
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Expand", ["row", "s"], ["e"]),
        node("Mul", ["e", "x"], ["a"]),
        node("Where", ["c", "x", "e"], ["b"]),
        node("Add", ["a", "b"], ["y"]),
    ]
    model = m.model(nodes, [info("x", ("n", 4)), info("row", (1, 4)), info("c", ("n", 1), BOOL)], [info("y", ("n", 4))])
    feeds = [{"x": values(n, 4), "row": values(1, 4), "c": RANDOM.integers(0, 2, (n, 1)).astype(bool)} for n in (0, 1, 3)]
    out = cleaned(folder, model, feeds=feeds)
    assert m.operators(out) == ["Mul", "Where", "Add"], "operators"


def test_rows_that_have_to_be_expanded(folder):
    """Nothing else has all rows, or what is expanded may not fit."""
    for first, second in ((("row", (1, 4)), ("other", (1, 4))), (("row", ("k", 4)), ("other", ("n", 4)))):
        nodes = [node("Shape", ["x"], ["s"]), node("Expand", ["row", "s"], ["e"]), node("Mul", ["e", "other"], ["y"])]
        model = m.model(nodes, [info("x", ("n", 4)), info(*first), info(*second)], [info("y", ("n", 4))])
        feed = {"x": values(3, 4), "row": values(1, 4), "other": values(3 if second[1][0] == "n" else 1, 4)}
        assert m.operators(cleaned(folder, model, feeds=[feed])) == ["Shape", "Expand", "Mul"], "operators"


def test_zeros_that_nobody_sees(folder):
    readers = [("Abs", {}), ("Exp", {}), ("Sigmoid", {}), ("Softmax", {"axis": 1}), ("Cos", {}), ("Cast", {"to": BOOL}), ("IsNaN", {})]
    nodes, outputs = [node("Add", ["x", "zero"], ["s"])], []
    for k, (op, attributes) in enumerate(readers):
        nodes.append(node(op, ["s"], [f"y{k}"], **attributes))
        outputs.append(info(f"y{k}", (3, 4), BOOL if op in ("Cast", "IsNaN") else 1))
    nodes += [node(op, ["s", "z"], [op]) for op in ("Less", "GreaterOrEqual", "Equal")]
    outputs += [info(op, (3, 4), BOOL) for op in ("Less", "GreaterOrEqual", "Equal")]
    constants = [const("zero", np.float32(0))]
    feeds = [{"x": SPECIAL, "z": np.roll(SPECIAL, shift)} for shift in range(12)]
    model = m.model(nodes, [info("x", (3, 4)), info("z", (3, 4))], outputs, constants)
    assert "Add" not in m.operators(cleaned(folder, model, feeds=feeds)), "the Add is there still"
    model = m.model([*nodes, node("Neg", ["s"], ["n"])], model.graph.input, [*outputs, info("n", (3, 4))], constants)
    out = cleaned(folder, model, feeds=feeds)
    assert (m.operators(out).count("Add"), inputsOf(out, "Neg"), inputsOf(out, "Abs")) == (1, [["s"]], [["x"]]), "who reads it"


def test_inputs_that_say_nothing(folder):
    """Of the last ones nothing is left in the file, not even an empty name; what else a node says is kept."""
    nodes = [
        node("Slice", ["x", "one", "three", "zero", "one"], ["a"], name="cut", doc_string="told"),
        node("Pad", ["a", "pads", "none", "axes"], ["b"]),
        node("Trilu", ["b", "k"], ["c"]),
        node("Resize", ["d", "", "", "sizes"], ["e"]),
        node("Unsqueeze", ["c", "axes"], ["d"]),
        node("Relu", ["e"], ["y"]),
    ]
    nodes[3], nodes[4] = nodes[4], nodes[3]
    nodes[4].input[1], nodes[4].input[2] = "empty", "empty"
    constants = [const("one", [1]), const("three", [3]), const("zero", [0]), const("pads", [0, 1, 1, 0]), const("axes", [0, 1]),
                 const("none", np.float32(0)), const("k", np.array(0)), const("empty", np.zeros(0, np.float32)), const("sizes", [1, 1, 4, 10])]
    model = m.model(nodes, [info("x", ("n", 4))], [info("y", (1, 1, 4, 10))], constants)
    out = cleaned(folder, model, feeds=[{"x": values(n, 4)} for n in (3, 5)])
    seen = {one.op_type: list(one.input) for one in out.graph.node}
    assert seen["Slice"] == ["x", "one", "three"], "inputs of Slice"
    assert (seen["Pad"], seen["Trilu"], seen["Resize"]) == (
        ["a", "pads"],
        ["b"],
        ["d", "", "", "sizes"],
    ), "inputs of the others"
    assert (out.graph.node[0].name, out.graph.node[0].doc_string) == ("cut", "told"), "name and documentation"
    assert m.initializerNames(out) == ["axes", "one", "pads", "sizes", "three"], "initializers"


def test_integers_that_nothing_is_added_to(folder):
    nodes = [
        node("Clip", ["x", "least", "most"], ["a"]),
        node("MatMulInteger", ["a", "w", "least", "least"], ["b"]),
        node("Gemm", ["b", "v", "c"], ["d"]),
        node("Clip", ["d", "", "five"], ["y"]),
    ]
    constants = [const("least", np.uint8(0)), const("most", np.uint8(255)), const("w", np.arange(8).reshape(4, 2), np.uint8),
                 const("v", np.arange(4).reshape(2, 2), np.int32), const("c", [0, 0], np.int32), const("five", np.int32(500))]
    model = m.model(nodes, [info("x", ("n", 4), U8)], [info("y", ("n", 2), I32)], constants)
    out = cleaned(folder, model, runs=False)  # ONNX Runtime has no Gemm of integers
    assert [list(one.input) for one in out.graph.node] == [["x", "w"], ["b", "v"], ["d", "", "five"]], "inputs"
    model.graph.node.pop(2)
    model.graph.node[2].input[0] = "b"
    cleaned(folder, model, feeds=[{"x": RANDOM.integers(0, 256, (3, 4)).astype(np.uint8)}])


def test_biases_of_zeros(folder):
    """At -O2 they are erased; at -O1 they are kept."""
    zeros = const("b", np.zeros(4, np.float32))
    for nodes, shape, weight in (
        ([node("Conv", ["x", "w", "b"], ["y"])], ("n", 3, 6, 6), (4, 3, 2, 2)),
        ([node("ConvTranspose", ["x", "w", "b"], ["y"])], ("n", 3, 6, 6), (3, 4, 2, 2)),
        ([node("Gemm", ["x", "w", "b"], ["y"])], ("n", 3), (3, 4)),
        ([node("LayerNormalization", ["x", "w", "b"], ["y"])], ("n", 4), (4,)),
    ):
        model = m.model(nodes, [info("x", shape)], [info("y", (None,) * len(shape))], [const("w", values(*weight)), zeros])
        feeds = [{"x": values(*[size if isinstance(size, int) else n for size in shape])} for n in (1, 3)]
        out = m.folded(folder, model, "-O2", feeds=feeds)
        assert (list(out.graph.node[0].input), m.initializerNames(out)) == (["x", "w"], ["w"]), f"inputs of {nodes[0].op_type}"
        out = cleaned(folder, model, feeds=feeds)
        assert list(out.graph.node[0].input) == ["x", "w", "b"], f"inputs of {nodes[0].op_type} at -O1"


def test_biases_of_recurrent_nodes(folder):
    """All results are read, and what follows the bias is kept at its place."""
    nodes = [node("GRU", ["x", "w", "r", "b", "", "h"], ["a", "z"], hidden_size=5)]
    tensors = [const("w", values(1, 15, 4)), const("r", values(1, 15, 5)), const("b", np.zeros((1, 30), np.float32))]
    model = m.model(nodes, [info("x", ("s", "n", 4)), info("h", (1, "n", 5))], [info("a", (None,) * 4), info("z", (None,) * 3)], tensors)
    out = m.folded(folder, model, "-O2", feeds=[{"x": values(3, n, 4), "h": values(1, n, 5)} for n in (1, 3)])
    assert list(out.graph.node[0].input) == ["x", "w", "r", "", "", "h"], "inputs"


def test_lists_of_a_wrong_type(folder):
    """Steps, axes and starts that are strings crashed their readers (a mutant of the detector): the node is kept."""
    text = helper.make_tensor("text", TensorProto.STRING, [1], [b"1"])
    for at in range(1, 5):
        names = ["x", "zero", "end", "axis", "step"]
        names[at] = "text"
        inner = node("Slice", names, ["s"], name="inner")
        outer = node("Slice", ["s", "zero", "end", "axis", "step"], ["y"], name="outer")
        constants = [const(name, np.array([value])) for name, value in (("zero", 0), ("end", 3), ("axis", 0), ("step", 1))]
        model = m.model([inner, outer], [info("x", ("N",))], [info("y", (None,))], [*constants, text])
        onnx.save(model, folder / f"{at}.onnx")
        out = onnx.load(t.fold(folder / f"{at}.onnx", folder / f"{at}.out.onnx", "-O2", "--disable=equal-initializer"))
        assert list(out.graph.node[0].input) == names, f"inputs of the node whose input #{at} is text"
