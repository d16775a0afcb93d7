# SPDX-License-Identifier: Apache-2.0
"""Partly known values, operator by operator: what holds for every batch and length is a constant, what a person would have
written is left.

Every model is run in ONNX Runtime with several batches and lengths, 0 and 1 too, before and after.
"""

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

I64, F32, BOOL, I32 = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT32
SIZES = ((0, 1), (1, 0), (1, 1), (2, 3), (5, 7), (3, 600))
CONSTANTS = {}


def k(value, dtype=np.int64):
    """The name of a constant."""
    array = np.asarray(value, dtype)
    name = f"k{len(CONSTANTS)}"
    CONSTANTS[name] = const(name, array)
    return name


def run(folder, nodes, outputs, opset=21, sizes=SIZES):
    """Folds a model of x: [b, s, 8] whose dimensions are `B` and `S`, vectors `Bv` and `Sv`; `xr` is a value of that shape that
    is no input. `outputs`: their types."""
    given = [
        node("Relu", ["x"], ["xr"]),
        node("Shape", ["x"], ["sx"]),
        node("Gather", ["sx", k(0)], ["B"]),
        node("Gather", ["sx", k(1)], ["S"]),
        node("Unsqueeze", ["B", k([0])], ["Bv"]),
        node("Unsqueeze", ["S", k([0])], ["Sv"]),
    ]
    nodes = [*given, *nodes]
    read = {name for one in nodes for name in one.input}
    constants = [CONSTANTS[name] for name in sorted(read) if name in CONSTANTS]
    model = m.model(nodes, [info("x", ("b", "s", 8))], [info(name, None, kind) for name, kind in outputs.items()], constants, opset=opset)
    inferred = onnx.shape_inference.infer_shapes(model)
    for value, known in zip(model.graph.output, inferred.graph.output):
        rank = len(known.type.tensor_type.shape.dim)
        value.CopyFrom(info(value.name, (None,) * rank, outputs[value.name]))
    random = np.random.default_rng(t.options.seed)
    feeds = [{"x": random.standard_normal((b, s, 8)).astype(np.float32)} for b, s in sizes]
    return cleaned(folder, model, feeds=feeds)


def allFold(folder, nodes, outputs, **more):
    """All outputs are constants, which ONNX Runtime confirms."""
    out = run(folder, nodes, outputs, **more)
    open_ = [name for name in outputs if m.constantValue(out.graph, name) is None]
    assert open_ == [], f"outputs that did not fold ({m.operators(out)} are left)"


def noneFolds(folder, nodes, outputs, **more):
    """They depend on the sizes."""
    out = run(folder, nodes, outputs, **more)
    for name in outputs:
        assert m.constantValue(out.graph, name) is None, f"'{name}' depends on the sizes and was folded"


def leaves(folder, nodes, expected, outputs=None, **more):
    out = run(folder, nodes, outputs or {"y": F32}, **more)
    assert m.operators(out) == expected, "operators"


def isZero(left, right, name="y"):
    return node("Sub", [left, right], [name])


def test_sizes_and_reductions(folder):
    nodes = [
        node("Size", ["x"], ["z"]),
        node("Mul", ["B", "S"], ["bs"]),
        node("Mul", ["bs", k(8)], ["v"]),
        isZero("z", "v", "a"),
        node("ReduceProd", ["sx"], ["p"], keepdims=0),
        isZero("p", "z", "b"),
        node("ReduceSum", ["sx"], ["q"], keepdims=0),
        node("Add", ["B", "S"], ["sum"]),
        isZero("q", "sum", "c"),
        node("ReduceMax", ["sx"], ["top"], keepdims=0),
        node("GreaterOrEqual", ["top", k(8)], ["d"]),
        node("ReduceMin", ["sx"], ["low"], keepdims=0),
        node("LessOrEqual", ["low", k(8)], ["e"]),
    ]
    allFold(folder, nodes, {"a": I64, "b": I64, "c": I64, "d": BOOL, "e": BOOL})


def test_gathers_slices_and_splits(folder):
    """Elements of the shape, in every way there is to pick them."""
    nodes = [
        node("Gather", ["sx", k([-1, 2])], ["a"]),
        node("Slice", ["sx", k([-1]), k([-4]), k([0]), k([-1])], ["reversed"]),
        node("Gather", ["reversed", k(0)], ["b"]),
        node("Split", ["sx", k([2, 1])], ["head", "tail"]),
        node("Neg", ["tail"], ["c"]),
        node("GatherND", ["sx", k([[2]])], ["d"]),
        node("GatherElements", ["sx", k([2, 2])], ["e"]),
        node("Compress", ["sx", k([False, False, True], bool)], ["f"], axis=0),
        node("ScatterND", ["sx", k([[1]]), k([5])], ["nd"]),
        node("Gather", ["nd", k([1, 2])], ["g"]),
        node("ScatterElements", ["sx", k([1]), k([5])], ["el"], axis=0),
        node("Gather", ["el", k([1, 2])], ["h"]),
        node("Cast", ["sx"], ["narrow"], to=I32),
        node("Gather", ["narrow", k(2)], ["n"]),
        node("Cast", ["n"], ["i"], to=I64),
    ]
    allFold(folder, nodes, dict.fromkeys("abcdefghi", I64))


def test_scattering_that_adds(folder):
    """Is no movement: what is added to is not known."""
    nodes = [node("ScatterND", ["sx", k([[1]]), k([5])], ["nd"], reduction="add"), node("Gather", ["nd", k(1)], ["y"])]
    noneFolds(folder, nodes, {"y": I64})


def test_comparisons_that_always_hold(folder):
    nodes = [
        node("GreaterOrEqual", ["B", k(0)], ["a"]),
        node("Equal", ["B", "B"], ["b"]),
        node("Add", ["B", k(1)], ["more"]),
        node("Greater", ["more", "B"], ["c"]),
        node("Mul", ["B", k(2)], ["twice"]),
        node("GreaterOrEqual", ["twice", "B"], ["d"]),
        node("Mul", ["B", "S"], ["bs"]),
        node("GreaterOrEqual", ["bs", k(0)], ["e"]),
        node("Max", ["B", "S"], ["most"]),
        node("GreaterOrEqual", ["most", "B"], ["f"]),
        node("Min", ["B", "S"], ["least"]),
        node("LessOrEqual", ["least", "S"], ["g"]),
        node("Div", ["B", k(2)], ["half"]),
        node("LessOrEqual", ["half", "B"], ["h"]),
        node("Mod", ["B", k(4)], ["rest"]),
        node("Less", ["rest", k(4)], ["i"]),
        node("LessOrEqual", ["rest", "B"], ["j"]),
        node("Sub", ["B", "half"], ["other"]),
        node("GreaterOrEqual", ["other", k(0)], ["k"]),
        node("Equal", ["B", k(-1)], ["no"]),
        node("Not", ["no"], ["l"]),
    ]
    allFold(folder, nodes, dict.fromkeys("abcdefghijkl", BOOL))


def test_comparisons_that_depend(folder):
    """On B = 0, on which is larger, on the order of the two."""
    nodes = [
        node("Greater", ["B", k(0)], ["a"]),
        node("Less", ["B", "S"], ["b"]),
        node("Div", ["B", k(2)], ["half"]),
        node("Less", ["half", "B"], ["c"]),
        node("Min", ["B", "S"], ["least"]),
        node("Equal", ["least", "B"], ["d"]),
        node("Equal", ["B", k(1)], ["e"]),
    ]
    noneFolds(folder, nodes, dict.fromkeys("abcde", BOOL))


def test_truths(folder):
    nodes = [
        node("Greater", ["B", k(2)], ["a"]),
        node("Not", ["a"], ["n"]),
        node("And", ["a", "n"], ["p"]),
        node("Or", ["a", "n"], ["q"]),
        node("Xor", ["a", "a"], ["r"]),
        node("Cast", ["a"], ["i"], to=I64),
        node("Where", ["a", k(1), k(0)], ["w"]),
        node("Equal", ["i", "w"], ["s"]),
    ]
    allFold(folder, nodes, dict.fromkeys("pqrs", BOOL))


def test_operands_in_either_order(folder):
    nodes = []
    for operator in ("Min", "Max", "Mul", "Add"):
        nodes += [node(operator, ["B", "S"], [f"{operator}1"]), node(operator, ["S", "B"], [f"{operator}2"]), isZero(f"{operator}1", f"{operator}2", operator)]
    nodes += [node("Equal", ["B", "S"], ["e1"]), node("Equal", ["S", "B"], ["e2"]), node("Xor", ["e1", "e2"], ["Equal"])]
    allFold(folder, nodes, {"Min": I64, "Max": I64, "Mul": I64, "Add": I64, "Equal": BOOL})


def test_choices(folder):
    """Those that come to the same either way, and what exporters make of minima."""
    nodes = [
        node("Equal", ["B", "S"], ["same"]),
        node("Where", ["same", "B", "S"], ["w1"]),
        isZero("w1", "S", "a"),
        node("Equal", ["B", k(1)], ["one"]),
        node("Where", ["one", k(1), "B"], ["w2"]),
        isZero("w2", "B", "b"),
        node("Less", ["B", "S"], ["less"]),
        node("Where", ["less", "B", "S"], ["w3"]),
        node("Min", ["S", "B"], ["least"]),
        isZero("w3", "least", "c"),
        node("Greater", ["B", k(4)], ["many"]),
        node("Where", ["many", k(3), k(2)], ["w4"]),
        node("Div", ["w4", k(2)], ["d"]),
    ]
    allFold(folder, nodes, dict.fromkeys("abcd", I64))


def test_quotients_and_remainders(folder):
    nodes = [
        node("Mul", ["B", k(8)], ["b8"]),
        node("Div", ["b8", k(8)], ["q"]),
        isZero("q", "B", "a"),
        node("Add", ["b8", k(7)], ["b87"]),
        node("Div", ["b87", k(8)], ["q2"]),
        isZero("q2", "B", "b"),
        node("Mod", ["b87", k(8)], ["c"]),
        node("Mod", ["b8", k(8)], ["d"]),
        node("Div", ["B", k(2)], ["half"]),
        node("Div", ["half", k(2)], ["quarter"]),
        node("Div", ["B", k(4)], ["quarter2"]),
        isZero("quarter", "quarter2", "e"),
        node("Neg", ["B"], ["below"]),
        node("Div", ["below", k(2)], ["up"]),
        node("Neg", ["up"], ["up2"]),
        isZero("up2", "half", "f"),
        node("Abs", ["below"], ["g1"]),
        isZero("g1", "B", "g"),
    ]
    allFold(folder, nodes, dict.fromkeys("abcdefg", I64))


def test_limits(folder):
    """512 at most, 1 at least: cut off twice is once."""
    nodes = [
        node("Min", ["S", k(512)], ["m1"]),
        node("Min", ["m1", k(1024)], ["m2"]),
        isZero("m1", "m2", "a"),
        node("Min", ["m1", "S"], ["m3"]),
        isZero("m3", "m1", "b"),
        node("Max", ["m1", "S"], ["m4"]),
        isZero("m4", "S", "c"),
        node("Clip", ["S", k(0), k(512)], ["m5"]),
        isZero("m5", "m1", "d"),
        node("Max", ["S", k(1)], ["m6"]),
        node("Max", ["S", "m6"], ["m7"]),
        isZero("m7", "m6", "e"),
        node("Clip", ["S", k(0)], ["m8"]),
        isZero("m8", "S", "f"),
    ]
    allFold(folder, nodes, dict.fromkeys("abcdef", I64))


def test_ranges(folder):
    """Their elements where the number is known, their number where it is not; of floats too, in doubles."""
    nodes = [
        node("Add", ["B", k(3)], ["l1"]),
        node("Range", ["B", "l1", k(1)], ["r1"]),
        isZero("r1", "B", "a"),
        node("Add", ["B", "S"], ["l2"]),
        node("Range", ["S", "l2", k(1)], ["r2"]),
        node("Size", ["r2"], ["n2"]),
        isZero("n2", "B", "b"),
        node("Mul", ["B", k(2)], ["l3"]),
        node("Range", [k(0), "l3", k(2)], ["r3"]),
        node("Size", ["r3"], ["n3"]),
        isZero("n3", "B", "c"),
        node("Range", ["B", k(0), k(-1)], ["r4"]),
        node("Size", ["r4"], ["n4"]),
        isZero("n4", "B", "d"),
        node("Cast", ["B"], ["l5"], to=TensorProto.DOUBLE),
        node("Range", [k(0, np.float64), "l5", k(1, np.float64)], ["r5"]),
        node("Size", ["r5"], ["n5"]),
        isZero("n5", "B", "e"),
    ]
    allFold(folder, nodes, dict.fromkeys("abcde", I64))


def test_a_range_of_narrow_floats(folder):
    """Of as many elements as float(B) says, which is not B for all: two such are equal all the same."""
    nodes = [
        node("Cast", ["B"], ["l"], to=F32),
        node("Range", [k(0, np.float32), "l", k(1, np.float32)], ["r"]),
        node("Shape", ["r"], ["n"]),
        node("Unsqueeze", ["r", k([1])], ["u"]),
        node("Shape", ["u"], ["w"]),
        node("Slice", ["w", k([0]), k([1])], ["n2"]),
        isZero("n", "n2", "a"),
    ]
    allFold(folder, nodes, {"a": I64})


def test_reshape_targets(folder):
    """[b, s, 2, 4], [b, -1, 2, 4], [b * s, 8], and back again."""
    leaves(folder, [node("Concat", ["Bv", "Sv", k([2]), k([4])], ["target"], axis=0), node("Reshape", ["x", "target"], ["y"])], ["Reshape"])
    place = folder / "rest"
    place.mkdir()
    nodes = [
        node("Mul", ["B", "S"], ["bs"]),
        node("Unsqueeze", ["bs", k([0])], ["bsv"]),
        node("Concat", ["bsv", k([8])], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["f"]),
        node("Neg", ["f"], ["g"]),
        node("Shape", ["g"], ["sg"]),
        node("Gather", ["sg", k(0)], ["d"]),
        isZero("d", "bs", "z"),
        node("Identity", ["g"], ["y"]),
    ]
    leaves(place, nodes, ["Reshape", "Neg"], {"y": F32, "z": I64}, sizes=((1, 1), (2, 3)))  # a computed 0 would copy
    place = folder / "same"
    place.mkdir()
    leaves(place, [node("Concat", ["Bv", "Sv", k([8])], ["target"], axis=0), node("Reshape", ["xr", "target"], ["r"]), node("Neg", ["r"], ["y"])], ["Relu", "Neg"])


def test_expanding(folder):
    """To what it is already, by a mask of -1 as exporters write it, by ones."""
    same = [node("Expand", ["xr", "sx"], ["y1"])]
    where = [node("Equal", ["sx", k([-1, -1, -1])], ["e"]), node("Where", ["e", k([1, 1, 1]), "sx"], ["t"]), node("Expand", ["xr", "t"], ["y1"])]
    ones = [node("Concat", ["Bv", k([1]), k([1])], ["t"], axis=0), node("Expand", ["xr", "t"], ["y1"])]
    for name, nodes in (("same", same), ("where", where), ("ones", ones)):
        place = folder / name
        place.mkdir()
        leaves(place, [*nodes, node("Neg", ["y1"], ["y"])], ["Relu", "Neg"])


def test_slicing(folder):
    """Up to its own size, and beyond; what is cut off has the size that is computed otherwise."""
    for name, end in (("whole", "Sv"), ("beyond", "end")):
        place = folder / name
        place.mkdir()
        nodes = [node("Add", ["Sv", k([3])], ["end"]), node("Slice", ["xr", k([0]), end, k([1])], ["r"]), node("Neg", ["r"], ["y"])]
        leaves(place, nodes, ["Relu", "Neg"])
    nodes = [
        node("Div", ["Sv", k([2])], ["half"]),
        node("Slice", ["x", k([0]), "half", k([1])], ["l"]),
        node("Slice", ["x", "half", k([2**63 - 1]), k([1])], ["r"]),
        node("Concat", ["r", "l"], ["both"], axis=1),
        node("Shape", ["both"], ["sb"]),
        isZero("sb", "sx"),
        node("Shape", ["l"], ["sl"]),
        node("Slice", ["sl", k([1]), k([2])], ["sl1"]),
        isZero("sl1", "half", "z"),
    ]
    allFold(folder, nodes, {"y": I64, "z": I64})


def test_shapes_of_results(folder):
    """Sums, products and differences of dimensions, computed another time by what reads the shape."""
    nodes = [
        node("Concat", ["x", "x"], ["v1"], axis=1),
        node("Shape", ["v1"], ["s1"]),
        node("Gather", ["s1", k(1)], ["d1"]),
        node("Div", ["d1", k(2)], ["h1"]),
        isZero("h1", "S", "a"),
        node("Tile", ["x", k([1, 3, 1])], ["v2"]),
        node("Size", ["v2"], ["d2"]),
        node("Size", ["x"], ["z"]),
        node("Mul", ["z", k(3)], ["z3"]),
        isZero("d2", "z3", "b"),
        node("Pad", ["x", k([0, 1, 0, 0, 1, 0])], ["v3"]),
        node("Shape", ["v3"], ["s3"]),
        isZero("s3", "sx", "c"),
        node("Flatten", ["x"], ["v4"]),
        node("Shape", ["v4"], ["s4"]),
        node("Gather", ["s4", k(1)], ["d4"]),
        node("Mul", ["S", k(8)], ["e4"]),
        isZero("d4", "e4", "d"),
        node("Transpose", ["x"], ["xt"], perm=[0, 2, 1]),
        node("MatMul", ["x", "xt"], ["v5"]),
        node("Shape", ["v5"], ["s5"]),
        node("Slice", ["s5", k([1]), k([3])], ["d5"]),
        isZero("d5", "S", "e"),
        node("ConstantOfShape", ["sx"], ["v6"]),
        node("Add", ["x", "v6"], ["w6"]),
        node("Shape", ["w6"], ["s6"]),
        isZero("s6", "sx", "f"),
        node("Expand", [k([[1, 2, 3, 4]]), "t7"], ["v7"]),
        node("Shape", ["v7"], ["s7"]),
        isZero("s7", "t7", "g"),
    ]
    nodes.insert(0, node("Concat", ["Bv", k([4])], ["t7"], axis=0))
    allFold(folder, nodes, dict.fromkeys("abcdefg", I64))


def test_blocks_of_images(folder):
    """[b, 4, s, 8] as [b, 1, 2 s, 16], and [b, 1, 2 s, 8] as [b, 4, s, 4]."""
    nodes = [
        node("Unsqueeze", ["x", k([1])], ["u"]),
        node("Concat", ["u", "u", "u", "u"], ["deep"], axis=1),
        node("DepthToSpace", ["deep"], ["wide"], blocksize=2),
        node("Shape", ["wide"], ["sw"]),
        node("Gather", ["sw", k(2)], ["w2"]),
        node("Mul", ["S", k(2)], ["s2"]),
        isZero("w2", "s2", "a"),
        node("Slice", ["sw", k([1]), k([4]), k([0]), k([2])], ["c"]),
        node("Concat", ["u", "u"], ["high"], axis=2),
        node("SpaceToDepth", ["high"], ["back"], blocksize=2),
        node("Shape", ["back"], ["sb"]),
        node("Gather", ["sb", k(2)], ["b2"]),
        isZero("b2", "S", "b"),
        node("Slice", ["sb", k([1]), k([4]), k([0]), k([2])], ["d"]),
    ]
    allFold(folder, nodes, dict.fromkeys("abcd", I64), sizes=((1, 1), (2, 3), (5, 7)))


def test_a_condition_that_always_holds(folder):
    branches = {
        "then_branch": m.graph([node("Exp", ["x"], ["t"])], [], [info("t", None)], name="a"),
        "else_branch": m.graph([node("Neg", ["x"], ["e"])], [], [info("e", None)], name="b"),
    }
    nodes = [node("Mul", ["B", "S"], ["bs"]), node("GreaterOrEqual", ["bs", "nothing"], ["c"]), node("If", ["c"], ["y"], **branches)]
    nodes.insert(0, node("Sub", ["B", "B"], ["nothing"]))
    leaves(folder, nodes, ["Exp"])


def test_a_shape_that_is_put_together(folder):
    """[b, s, 8] again is Shape."""
    leaves(folder, [node("Concat", ["Bv", "Sv", k([8])], ["t"], axis=0), node("Identity", ["t"], ["y"])], ["Shape"], {"y": I64})
