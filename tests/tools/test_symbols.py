# SPDX-License-Identifier: Apache-2.0
"""Partly known values: what a dynamic batch leaves certain folds, what it leaves open is kept.

Every model is also run in ONNX Runtime with several sizes of the dynamic dimensions, before and after.
"""

import numpy as np
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64 = TensorProto.INT64
IMAGE = ("batch", 3, 8, 6)


def foldDynamic(folder, nodes, outputs, constants=(), inputs=None, sizes=(1, 2, 5), **more):
    """Folds a model whose inputs have 'batch' dimensions; runs it with each of `sizes` for them."""
    inputs = inputs or [info("x", IMAGE)]
    random = np.random.default_rng(t.options.seed)
    feeds = []
    for size in sizes:
        feed = {}
        for value in inputs:
            dims = [dim.dim_value or size for dim in value.type.tensor_type.shape.dim]
            feed[value.name] = random.standard_normal(dims).astype(np.float32)
        feeds.append(feed)
    return m.folded(folder, m.model(nodes, inputs, outputs, constants, **more), feeds=feeds)


def index(*values):
    """Constants i0, i1, ... of these scalars, as Gather takes them."""
    return [const(f"i{value}", np.int64(value)) for value in values]


def count(folded, operator):
    return t.operatorCounts(folded).get(operator, 0)


def test_static_channel_of_a_dynamic_batch(folder):
    """Shape -> Gather(1) is 3 whatever the batch is."""
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i1"], ["y"])]
    out = foldDynamic(folder, nodes, [info("y", (), I64)], index(1))
    assert m.operators(out) == [], "operators"
    m.expectValue(out.graph, "y", np.int64(3))


def test_dynamic_batch_stays(folder):
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i0"], ["b"]), node("Gather", ["s", "i1"], ["c"])]
    out = foldDynamic(folder, nodes, [info("b", (), I64), info("c", (), I64)], index(0, 1))
    assert m.operators(out) == ["Shape", "Gather"], "operators"
    m.expectValue(out.graph, "c", np.int64(3))


def test_unnamed_dynamic_dimensions_too(folder):
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i1"], ["y"]), node("Gather", ["s", "i0"], ["b"])]
    out = foldDynamic(
        folder, nodes, [info("y", (), I64), info("b", (), I64)], index(0, 1), inputs=[info("x", (None, 3, None, 6))]
    )
    m.expectValue(out.graph, "y", np.int64(3))
    assert m.operators(out) == ["Shape", "Gather"], "operators"


def test_shape_of_an_intermediate_value(folder):
    """Through Conv, Relu and MaxPool, whose shapes are inferred."""
    weight = np.ones((4, 3, 3, 3), np.float32)
    nodes = [
        node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        node("Relu", ["c"], ["r"]),
        node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Shape", ["p"], ["s"]),
        node("Slice", ["s", "i1v", "i4v"], ["y"]),
    ]
    constants = [const("w", weight), const("i1v", [1], np.int64), const("i4v", [4], np.int64)]
    out = foldDynamic(folder, nodes, [info("p", ("batch", 4, 4, 3)), info("y", (3,), I64)], constants)
    assert m.operators(out) == ["Conv", "Relu", "MaxPool"], "operators"
    m.expectValue(out.graph, "y", [4, 4, 3])


def test_product_of_static_dimensions(folder):
    """The flattening of old exporters: Gather, Mul and Concat of dimensions, then Reshape; the product folds, not the batch."""
    nodes = [node("Shape", ["x"], ["s"])]
    nodes += [node("Gather", ["s", f"i{axis}"], [f"d{axis}"]) for axis in range(4)]
    nodes += [
        node("Mul", ["d1", "d2"], ["p"]),
        node("Mul", ["p", "d3"], ["q"]),
        node("Unsqueeze", ["d0", "zero"], ["b"]),
        node("Unsqueeze", ["q", "zero"], ["f"]),
        node("Concat", ["b", "f"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["y"]),
    ]
    out = foldDynamic(folder, nodes, [info("y", ("batch", 144))], index(0, 1, 2, 3) + [const("zero", [0], np.int64)])
    assert count(out, "Mul") == 0, "number of Mul"
    assert count(out, "Gather") <= 1 and count(out, "Unsqueeze") <= 1, f"operators are {m.operators(out)}"
    assert m.operators(out)[-1] == "Reshape", "last operator"


def test_slice_of_a_shape(folder):
    """Shape -> Slice, with positive, negative and open ends; one part holds the batch and is kept."""
    constants = [
        const("one", [1], np.int64),
        const("four", [4], np.int64),
        const("minus2", [-2], np.int64),
        const("end", [2**63 - 1], np.int64),
        const("zero", [0], np.int64),
        const("two", [2], np.int64),
    ]
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "one", "four"], ["a"]),
        node("Slice", ["s", "minus2", "end"], ["b"]),
        node("Slice", ["s", "zero", "two"], ["c"]),
    ]
    out = foldDynamic(folder, nodes, [info("a", (3,), I64), info("b", (2,), I64), info("c", (2,), I64)], constants)
    m.expectValue(out.graph, "a", [3, 8, 6])
    m.expectValue(out.graph, "b", [8, 6])
    assert m.operators(out) == ["Shape"], "operators"


def test_shape_with_start_and_end(folder):
    nodes = [
        node("Shape", ["x"], ["a"], start=1),
        node("Shape", ["x"], ["b"], start=-2),
        node("Shape", ["x"], ["c"], start=1, end=-1),
        node("Shape", ["x"], ["d"], start=3, end=1),
        node("Shape", ["x"], ["e"], end=1),
    ]
    sizes = {"a": (3,), "b": (2,), "c": (2,), "d": (0,), "e": (1,)}
    out = foldDynamic(folder, nodes, [info(name, size, I64) for name, size in sizes.items()])
    for name, expected in (("a", [3, 8, 6]), ("b", [8, 6]), ("c", [3, 8]), ("d", [])):
        m.expectValue(out.graph, name, expected)
    assert m.operators(out) == ["Shape"], "operators"


def test_concat_and_gather_pick_out_what_is_known(folder):
    """[batch, 3] ++ [7] ++ [batch]: elements 1 and 2 are known."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "zero", "two"], ["head"]),
        node("Slice", ["s", "zero", "one"], ["tail"]),
        node("Concat", ["head", "seven", "tail"], ["all"], axis=0),
        node("Gather", ["all", "picks"], ["y"]),
    ]
    constants = [
        const("zero", [0], np.int64),
        const("one", [1], np.int64),
        const("two", [2], np.int64),
        const("seven", [7], np.int64),
        const("picks", [2, 1], np.int64),
    ]
    out = foldDynamic(folder, nodes, [info("y", (2,), I64)], constants)
    assert m.operators(out) == [], "operators"
    m.expectValue(out.graph, "y", [7, 3])


def test_casts_squeezes_and_reshapes_keep_what_is_known(folder):
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["s32"], to=TensorProto.INT32),
        node("Unsqueeze", ["s32", "zero"], ["u"]),
        node("Reshape", ["u", "column"], ["r"]),
        node("Squeeze", ["r", "one"], ["q"]),
        node("Cast", ["q"], ["s64"], to=I64),
        node("Gather", ["s64", "i2"], ["y"]),
    ]
    constants = [const("zero", [0], np.int64), const("one", [1], np.int64), const("column", [-1, 1], np.int64)] + index(
        2
    )
    out = foldDynamic(folder, nodes, [info("y", (), I64)], constants)
    assert m.operators(out) == [], "operators"
    m.expectValue(out.graph, "y", np.int64(8))


def test_arithmetic_that_is_certain(folder):
    """batch - batch, batch * 0 and batch * 1 - batch are 0 for every batch; batch / 2 is kept."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i0"], ["b"]),
        node("Sub", ["b", "b"], ["nothing"]),
        node("Mul", ["b", "i0"], ["none"]),
        node("Mul", ["b", "i1"], ["same"]),
        node("Sub", ["same", "b"], ["zero_too"]),
        node("Div", ["b", "i2"], ["half"]),
    ]
    outputs = [info(name, (), I64) for name in ("nothing", "none", "zero_too", "half")]
    out = foldDynamic(folder, nodes, outputs, index(0, 1, 2))
    for name in ("nothing", "none", "zero_too"):
        m.expectValue(out.graph, name, np.int64(0))
    assert m.operators(out) == ["Shape", "Gather", "Div"], "operators"


def test_arithmetic_that_is_not_certain(folder):
    """b - (b / 2) * 2 is 0 or 1, and whether the batch is 1 nobody knows."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i0"], ["b"]),
        node("Div", ["b", "i2"], ["half"]),
        node("Mul", ["half", "i2"], ["even"]),
        node("Sub", ["b", "even"], ["rest"]),
        node("Equal", ["b", "i1"], ["single"]),
    ]
    out = foldDynamic(folder, nodes, [info("rest", (), I64), info("single", (), TensorProto.BOOL)], index(0, 1, 2))
    for name in ("rest", "single"):
        assert m.constantValue(out.graph, name) is None, f"'{name}' depends on the batch and was folded"


def test_two_dimensions_of_one_name_are_equal(folder):
    """Both inputs have 'batch' rows: Shape(x)[0] - Shape(z)[0] is 0; with different names it is not known."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i0"], ["b"]),
        node("Shape", ["z"], ["r"]),
        node("Gather", ["r", "i0"], ["c"]),
        node("Sub", ["b", "c"], ["y"]),
    ]
    for name in ("batch", "other"):
        out = foldDynamic(
            folder, nodes, [info("y", (), I64)], index(0), inputs=[info("x", ("batch", 2)), info("z", (name, 4))]
        )
        folds = m.constantValue(out.graph, "y") is not None
        assert not folds or name == "batch", "the difference of 'batch' and 'other' was folded"


def test_unnamed_dimensions_differ(folder):
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i0"], ["b"]),
        node("Gather", ["s", "i1"], ["c"]),
        node("Sub", ["b", "c"], ["y"]),
    ]
    model = m.model(nodes, [info("x", (None, None))], [info("y", (), I64)], index(0, 1))
    out = m.folded(folder, model, feeds=[{"x": np.ones((4, 2), np.float32)}])
    assert m.constantValue(out.graph, "y") is None, "the difference of two unknown dimensions was folded"


def test_reshape_target_gives_a_shape(folder):
    """Reshape(x, [0, -1]) has shape [batch, 144]; Reshape to [batch, 3, 48] by a computed target."""
    nodes = [
        node("Reshape", ["x", "flat"], ["f"]),
        node("Shape", ["f"], ["s"]),
        node("Gather", ["s", "i1"], ["y"]),
        node("Relu", ["f"], ["z"]),
    ]
    out = foldDynamic(
        folder, nodes, [info("y", (), I64), info("z", ("batch", 144))], index(1) + [const("flat", [0, -1], np.int64)]
    )
    assert m.operators(out) == ["Reshape", "Relu"], "operators"
    m.expectValue(out.graph, "y", np.int64(144))


def test_computed_target_gives_a_shape(folder):
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "zero", "two"], ["head"]),
        node("Concat", ["head", "rest"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["r"]),
        node("Shape", ["r"], ["t"]),
        node("Gather", ["t", "i2"], ["y"]),
        node("Relu", ["r"], ["z"]),
    ]
    constants = index(2) + [const("zero", [0], np.int64), const("two", [2], np.int64), const("rest", [48], np.int64)]
    out = foldDynamic(folder, nodes, [info("y", (), I64), info("z", ("batch", 3, 48))], constants)
    m.expectValue(out.graph, "y", np.int64(48))
    assert count(out, "Gather") == 0, "number of Gather"


def test_constants_inside_a_shape_computation_of_attention(folder):
    """Heads and head size of a transformer: [batch, length, 4 * 8] -> [batch, length, 4, 8], with the size computed by Div."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i2"], ["hidden"]),
        node("Div", ["hidden", "i4"], ["size"]),
        node("Gather", ["s", "i0"], ["b"]),
        node("Gather", ["s", "i1"], ["n"]),
    ]
    nodes += [node("Unsqueeze", [name, "zero"], [f"{name}_v"]) for name in ("b", "n", "size")]
    nodes += [
        node("Concat", ["b_v", "n_v", "heads", "size_v"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["r"]),
        node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3]),
    ]
    out = foldDynamic(
        folder,
        nodes,
        [info("y", ("batch", 4, "length", 8))],
        index(0, 1, 2, 4) + [const("zero", [0], np.int64), const("heads", [4], np.int64)],
        inputs=[info("x", ("batch", "length", 32))],
    )
    assert count(out, "Div") == 0, "number of Div"
    assert count(out, "Gather") <= 2 and count(out, "Unsqueeze") <= 2, f"operators are {m.operators(out)}"


def test_size_of_a_static_value(folder):
    nodes = [node("Size", ["x"], ["dynamic"]), node("Size", ["z"], ["y"]), node("Relu", ["z"], ["r"])]
    out = foldDynamic(
        folder,
        nodes,
        [info("dynamic", (), I64), info("y", (), I64), info("r", (4, 5))],
        inputs=[info("x", IMAGE), info("z", (4, 5))],
    )
    assert m.operators(out) == ["Size", "Relu"], "operators"
    m.expectValue(out.graph, "y", np.int64(20))


def test_constant_of_shape_with_a_known_part(folder):
    """The position table of a vision transformer: static rows, folded; with a dynamic length it is kept."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "one", "three"], ["d"]),
        node("ConstantOfShape", ["d"], ["zeros"]),
        node("Slice", ["s", "zero", "three"], ["e"]),
        node("ConstantOfShape", ["e"], ["open"]),
    ]
    constants = [const("zero", [0], np.int64), const("one", [1], np.int64), const("three", [3], np.int64)]
    out = foldDynamic(folder, nodes, [info("zeros", (3, 8)), info("open", ("batch", 3, 8))], constants)
    m.expectValue(out.graph, "zeros", np.zeros((3, 8), np.float32))
    assert count(out, "ConstantOfShape") == 1, "number of ConstantOfShape"


def test_value_info_gives_shapes(folder):
    """What the model itself says about the output of an operator that nobody knows."""
    nodes = [
        node("Thing", ["x"], ["h"], domain="com.example"),
        node("Shape", ["h"], ["s"]),
        node("Gather", ["s", "i1"], ["y"]),
    ]
    model = m.model(
        nodes, [info("x", IMAGE)], [info("y", (), I64), info("h", ("batch", 7))], index(1), domains=[("com.example", 1)]
    )
    out = m.folded(folder, model, runs=False)
    assert m.operators(out) == ["Thing"], "operators"
    m.expectValue(out.graph, "y", np.int64(7))


def test_shapes_inside_a_branch(folder):
    """A branch sees the shapes of outer values."""
    then = m.graph(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "i1"], ["n"]),
            node("Cast", ["n"], ["f"], to=1),
            node("Mul", ["x", "f"], ["t"]),
        ],
        [],
        [info("t", IMAGE)],
        name="then",
    )
    other = m.graph([node("Neg", ["x"], ["e"])], [], [info("e", IMAGE)], name="else")
    nodes = [
        node("ReduceMax", ["x"], ["top"], keepdims=0),
        node("Greater", ["top", "limit"], ["c"]),
        node("If", ["c"], ["y"], then_branch=then, else_branch=other),
    ]
    out = foldDynamic(folder, nodes, [info("y", IMAGE)], index(1) + [const("limit", np.float32(1))])
    counts = t.operatorCounts(out)
    assert [counts.get(name, 0) for name in ("Shape", "Gather", "Cast", "Mul")] == [
        0,
        0,
        0,
        1,
    ], "Shape, Gather, Cast and Mul in the branch"
