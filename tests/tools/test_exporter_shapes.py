# SPDX-License-Identifier: Apache-2.0
"""What exporters compute of dynamic dimensions folds to what a person would have written.

Each graph is written as torch.onnx, tf2onnx or their users' models have it, and run in ONNX Runtime before and after with other
batch sizes and sequence lengths than one, an empty batch among them.
"""

import numpy as np
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64 = TensorProto.INT64
SIZES = ({"batch": 1, "length": 1}, {"batch": 2, "length": 7}, {"batch": 3, "length": 16}, {"batch": 0, "length": 5})


def fold(folder, nodes, outputs, inputs, constants=(), flags=(), sizes=SIZES, **more):
    random = np.random.default_rng(t.options.seed)
    feeds = []
    for size in sizes:
        feed = {}
        for value in inputs:
            dims = [size[dim.dim_param] if dim.dim_param else dim.dim_value for dim in value.type.tensor_type.shape.dim]
            kind = value.type.tensor_type.elem_type
            feed[value.name] = (
                random.integers(0, 9, dims) if kind == I64 else random.standard_normal(dims).astype(np.float32)
            )
        feeds.append(feed)
    return m.folded(folder, m.model(nodes, inputs, outputs, constants, **more), *flags, feeds=feeds)


def ints(name, *values):
    return const(name, list(values), np.int64)


def scalars(*values):
    """Constants i0, i1, ... of these scalars, as Gather takes them, and the axis `zero`."""
    return [const(f"i{value}", np.int64(value)) for value in values] + [ints("zero", 0)]


def size(x, axis):
    """x.size(axis) as a vector `x_axis`: Shape, Gather, Unsqueeze, each time anew."""
    return [
        node("Shape", [x], [f"{x}_s{axis}"]),
        node("Gather", [f"{x}_s{axis}", f"i{axis}"], [f"{x}_g{axis}"]),
        node("Unsqueeze", [f"{x}_g{axis}", "zero"], [f"{x}_{axis}"]),
    ]


def view(x, y, parts, **more):
    """y = x.view(parts)"""
    return [node("Concat", parts, [f"{y}_shape"], axis=0), node("Reshape", [x, f"{y}_shape"], [y], **more)]


HIDDEN = info("x", ("batch", "length", 32))


def test_heads_of_attention(folder):
    """x.view(b, s, 4, 8).permute(0, 2, 1, 3): one Reshape, its shape a constant."""
    nodes = size("x", 0) + size("x", 1) + view("x", "r", ["x_0", "x_1", "four", "eight"])
    nodes += [node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3])]
    constants = scalars(0, 1) + [ints("four", 4), ints("eight", 8)]
    out = fold(folder, nodes, [info("y", ("batch", 4, "length", 8))], [HIDDEN], constants)
    assert m.operators(out) == ["Reshape", "Transpose"], "operators"
    m.expectValue(out.graph, out.graph.node[0].input[1], [0, 0, 4, 8])


def test_heads_and_back(folder):
    """The same and x.transpose(1, 2).reshape(b, s, -1) behind it, with sizes of what is reshaped."""
    nodes = size("x", 0) + size("x", 1) + view("x", "r", ["x_0", "x_1", "four", "eight"])
    nodes += [node("Transpose", ["r"], ["p"], perm=[0, 2, 1, 3]), node("Relu", ["p"], ["q"])]
    nodes += [node("Transpose", ["q"], ["z"], perm=[0, 2, 1, 3])] + size("z", 0) + size("z", 1)
    nodes += view("z", "y", ["z_0", "z_1", "hidden"])
    constants = scalars(0, 1) + [ints("four", 4), ints("eight", 8), ints("hidden", 32)]
    out = fold(folder, nodes, [info("y", ("batch", "length", 32))], [HIDDEN], constants)
    assert m.operators(out) == ["Reshape", "Relu", "Reshape"], "operators"


def test_size_of_a_head_is_divided(folder):
    """hidden // heads with hidden from the shape."""
    nodes = size("x", 0) + size("x", 1)
    nodes += [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i2"], ["h"]), node("Div", ["h", "i4"], ["d"])]
    nodes += [node("Cast", ["d"], ["d2"], to=I64), node("Unsqueeze", ["d2", "zero"], ["dv"])]
    nodes += view("x", "y", ["x_0", "x_1", "four", "dv"])
    constants = scalars(0, 1, 2, 4) + [ints("four", 4)]
    # ONNX Runtime writes the last one as -1 itself, and then refuses an empty batch.
    out = fold(folder, nodes, [info("y", ("batch", "length", 4, 8))], [HIDDEN], constants, sizes=SIZES[:3])
    assert m.operators(out) == ["Reshape"], "operators"


def test_rows_of_a_matrix(folder):
    """addmm of GPT-2: x.view(-1, x.size(-1)), a product of two dimensions."""
    nodes = size("x", 0) + size("x", 1)
    nodes += [node("Mul", ["x_0", "x_1"], ["rows"])] + view("x", "f", ["rows", "hidden"])
    nodes += [node("MatMul", ["f", "w"], ["y"])]
    constants = scalars(0, 1) + [ints("hidden", 32), const("w", np.ones((32, 4), np.float32))]
    out = fold(folder, nodes, [info("y", (None, 4))], [HIDDEN], constants)
    assert m.operators(out) == ["Reshape", "MatMul"], "operators"
    m.expectValue(out.graph, out.graph.node[0].input[1], [-1, 32])


def test_two_dimensions_that_are_no_copies_stay(folder):
    """(b s, 4) back to (b, s, 4): no constant says so."""
    nodes = size("x", 0) + size("x", 1)
    nodes += [node("Reshape", ["x", "matrix"], ["f"]), node("MatMul", ["f", "w"], ["g"])]
    nodes += view("g", "y", ["x_0", "x_1", "four"])
    constants = scalars(0, 1) + [ints("matrix", -1, 32), ints("four", 4), const("w", np.ones((32, 4), np.float32))]
    # Reshape takes the zero of an empty batch for a copy, so that fails before and after.
    out = fold(folder, nodes, [info("y", ("batch", "length", 4))], [HIDDEN], constants, sizes=SIZES[:3])
    names = m.operators(out)
    assert [names.count(name) for name in ("Reshape", "Concat", "Gather", "Unsqueeze")] == [2, 1, 0, 0], "numbers"


def test_repeated_keys_of_llama(folder):
    """Expand (b, 2, s, 8) to (b, 2, 3, s, 8) keeps dimensions; the Reshape behind it would refuse an empty batch with a -1."""
    nodes = size("k", 0) + size("k", 2)
    nodes += [
        node("Unsqueeze", ["k", "two"], ["u"]),
        node("Concat", ["k_0", "two", "three", "k_2", "eight"], ["e"], axis=0),
        node("Expand", ["u", "e"], ["x"]),
    ]
    nodes += view("x", "y", ["k_0", "six", "k_2", "eight"])
    constants = scalars(0, 2) + [ints("two", 2), ints("three", 3), ints("six", 6), ints("eight", 8)]
    inputs = [info("k", ("batch", 2, "length", 8))]
    outputs = [info("y", ("batch", 6, "length", 8))]
    out = fold(folder, nodes, outputs, inputs, constants)
    assert sorted(m.operators(out)) == ["Concat", "Expand", "Reshape", "Shape", "Shape", "Unsqueeze"], "operators at -O1"
    out = fold(folder, nodes, outputs, inputs, constants, ["-O2"], SIZES[:3])
    assert m.operators(out) == ["Unsqueeze", "Expand", "Reshape"], "operators at -O2"


def test_expand_mask_of_pytorch(folder):
    """mask.expand(b, 1, s, s) checks each size for -1: ConstantOfShape, Mul, Equal, Where; none can be."""
    nodes = size("mask", 0) + size("mask", 1)
    nodes += [
        node("Unsqueeze", ["mask", "axes"], ["u"]),
        node("Concat", ["mask_0", "one", "mask_1", "mask_1"], ["to"], axis=0),
        node("Shape", ["to"], ["rank"]),
        node("ConstantOfShape", ["rank"], ["ones"], value=const("", [1], np.int64)),
        node("Mul", ["ones", "minus"], ["minuses"]),
        node("Equal", ["to", "minuses"], ["any"]),
        node("Where", ["any", "ones", "to"], ["e"]),
        node("Expand", ["u", "e"], ["y"]),
    ]
    constants = scalars(0, 1) + [ints("one", 1), const("minus", np.int64(-1)), ints("axes", 1, 2)]
    out = fold(
        folder, nodes, [info("y", ("batch", 1, "length", "length"))], [info("mask", ("batch", "length"))], constants
    )
    assert set(m.operators(out)) == {"Unsqueeze", "Shape", "Concat", "Expand"}, "operators"
    assert len(out.graph.node) <= 6, f"operators are {m.operators(out)}"


def test_zeros_like_is_a_shape(folder):
    """torch.zeros(b, s): the vector of both sizes is the Shape of the ids."""
    nodes = size("ids", 0) + size("ids", 1)
    nodes += [node("Concat", ["ids_0", "ids_1"], ["to"], axis=0), node("ConstantOfShape", ["to"], ["y"])]
    out = fold(folder, nodes, [info("y", ("batch", "length"))], [info("ids", ("batch", "length"), I64)], scalars(0, 1))
    assert m.operators(out) == ["Shape", "ConstantOfShape"], "operators"


def test_one_shape_for_both(folder):
    """Sizes of two inputs with the same dimensions, and of what is computed from them, are computed once."""
    nodes = [node("Relu", ["x"], ["h"])]
    for name in ("x", "h", "ids"):
        nodes += size(name, 0) + size(name, 1)
        nodes += [node("Concat", [f"{name}_0", f"{name}_1"], [f"{name}_to"], axis=0)]
        nodes += [node("ConstantOfShape", [f"{name}_to"], [f"{name}_zeros"])]
    nodes += [node("Sum", [f"{name}_zeros" for name in ("x", "h", "ids")], ["y"])]
    inputs = [HIDDEN, info("ids", ("batch", "length"), I64)]
    out = fold(folder, nodes, [info("y", ("batch", "length")), info("h", ("batch", "length", 32))], inputs, scalars(0, 1))
    assert m.operators(out) == ["Relu", "Shape", "ConstantOfShape", "Sum"], "operators"


def test_flatten_and_view(folder):
    """x.view(x.size(0), -1), and x.flatten(2).transpose(1, 2) of a patch embedding."""
    nodes = size("x", 0) + view("x", "y", ["x_0", "rest"])
    nodes += [node("Conv", ["x", "w"], ["c"], strides=[4, 4])] + size("c", 0) + size("c", 1)
    nodes += view("c", "f", ["c_0", "c_1", "rest"]) + [node("Transpose", ["f"], ["z"], perm=[0, 2, 1])]
    constants = scalars(0, 1) + [ints("rest", -1), const("w", np.ones((5, 3, 4, 4), np.float32))]
    out = fold(
        folder,
        nodes,
        [info("y", ("batch", 192)), info("z", ("batch", 4, 5))],
        [info("x", ("batch", 3, 8, 8))],
        constants,
        # An empty batch has no rest to infer, before as after.
        sizes=SIZES[:3],
    )
    assert m.operators(out) == ["Reshape", "Conv", "Reshape", "Transpose"], "operators"


def test_windows_of_swin(folder):
    """x.view(B, H // 4, 4, W // 4, 4, C).permute(...).view(-1, 16, C) and back, with all sizes from shapes."""
    nodes = []
    for axis in (0, 1, 2, 3):
        nodes += size("x", axis)
    nodes += [node("Div", ["x_1", "four"], ["rows"]), node("Div", ["x_2", "four"], ["columns"])]
    nodes += view("x", "v", ["x_0", "rows", "four", "columns", "four", "x_3"])
    nodes += [node("Transpose", ["v"], ["p"], perm=[0, 1, 3, 2, 4, 5])]
    nodes += [node("Mul", ["x_0", "rows"], ["n"]), node("Mul", ["n", "columns"], ["windows"])]
    nodes += view("p", "w", ["windows", "sixteen", "x_3"]) + [node("Relu", ["w"], ["a"])]
    nodes += size("a", 0) + [node("Div", ["a_0", "six"], ["b"])]
    nodes += view("a", "q", ["b", "rows", "columns", "four", "four", "minus"])
    nodes += [node("Transpose", ["q"], ["o"], perm=[0, 1, 3, 2, 4, 5])]
    nodes += view("o", "y", ["b", "x_1", "x_2", "minus"])
    constants = scalars(0, 1, 2, 3) + [ints("four", 4), ints("sixteen", 16), ints("six", 6), ints("minus", -1)]
    out = fold(folder, nodes, [info("y", ("batch", 8, 12, 5))], [info("x", ("batch", 8, 12, 5))], constants, sizes=SIZES[:3])
    names = m.operators(out)
    assert "Div" not in names and "Mul" not in names, f"operators are {names}"
    assert names.count("Reshape") == 4, "number of Reshape"


def test_chunks(folder):
    """x.chunk(2, -1) of old exporters: Slices whose bounds are (size + 1) // 2."""
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i2v"], ["n"]), node("Add", ["n", "one"], ["m"])]
    nodes += [
        node("Div", ["m", "i2v"], ["half"]),
        node("Mul", ["half", "i2v"], ["end"]),
        node("Slice", ["x", "zero", "half", "i2v"], ["a"]),
        node("Slice", ["x", "half", "end", "i2v"], ["b"]),
    ]
    out = fold(
        folder, nodes, [info("a", ("batch", "length", 16)), info("b", ("batch", "length", 16))], [HIDDEN], [ints("i2v", 2), ints("one", 1), ints("zero", 0)]
    )
    assert m.operators(out) == ["Slice", "Slice"], "operators"


def test_slice_to_the_end(folder):
    """x[:, :x.size(1)] is x, x[:, 1:x.size(1)] has a constant end."""
    nodes = size("x", 1) + [
        node("Slice", ["x", "zero", "x_1", "one"], ["all"]),
        node("Slice", ["all", "one", "x_1", "one"], ["tail"]),
        node("Relu", ["tail"], ["y"]),
    ]
    out = fold(folder, nodes, [info("y", ("batch", None, 32))], [HIDDEN], scalars(1) + [ints("one", 1)])
    assert m.operators(out) == ["Slice", "Relu"], "operators"
    m.expectValue(out.graph, out.graph.node[0].input[2], [2**63 - 1])


def test_slice_of_a_table_stays(folder):
    """The positions of s tokens: how many there are is not known."""
    nodes = size("x", 1) + [node("Slice", ["table", "zero", "x_1", "one"], ["p"]), node("Add", ["x", "p"], ["y"])]
    table = const("table", np.arange(20 * 32, dtype=np.float32).reshape(1, 20, 32))
    out = fold(folder, nodes, [info("y", ("batch", "length", 32))], [HIDDEN], scalars(1) + [ints("one", 1), table])
    assert m.operators(out) == ["Shape", "Slice", "Add"], "operators"


def test_position_ids(folder):
    """torch.arange(s).unsqueeze(0).expand(b, s) and a cast that does nothing."""
    nodes = size("x", 0) + size("x", 1)
    nodes += [
        node("Cast", ["x_g1"], ["limit"], to=I64),
        node("Range", ["i0", "limit", "i1"], ["r"]),
        node("Cast", ["r"], ["c"], to=I64),
        node("Unsqueeze", ["c", "zero"], ["u"]),
        node("Concat", ["x_0", "x_1"], ["to"], axis=0),
        node("Expand", ["u", "to"], ["y"]),
    ]
    out = fold(folder, nodes, [info("y", ("batch", "length"), I64)], [HIDDEN], scalars(0, 1))
    names = m.operators(out)
    assert names.count("Concat") == 0 and names.count("Cast") == 0, f"operators are {names}"


def test_arange_of_pytorch_before_range(folder):
    """arange(n) as NonZero of ConstantOfShape, whose length is n: what is reshaped to it needs no computed shape."""
    nodes = size("x", 1) + [
        node("ConstantOfShape", ["x_1"], ["ones"], value=const("", [1], np.int64)),
        node("NonZero", ["ones"], ["nz"]),
        node("Transpose", ["nz"], ["tr"]),
        node("Squeeze", ["tr", "one"], ["r"]),
        node("Shape", ["r"], ["n"]),
        node("Sub", ["n", "x_1"], ["y"]),
    ]
    out = fold(folder, nodes, [info("y", (1,), I64), info("r", ("length",), I64)], [HIDDEN], scalars(1) + [ints("one", 1)])
    m.expectValue(out.graph, "y", [0])


def test_interpolation_to_twice_the_size(folder):
    """F.interpolate(x, size=(h * 2, w * 2)): the sizes are [b, c] ++ [2 h, 2 w]; what follows knows the shape."""
    nodes = size("x", 2) + size("x", 3)
    nodes += [
        node("Mul", ["x_2", "two"], ["h"]),
        node("Mul", ["x_3", "two"], ["w"]),
        node("Concat", ["h", "w"], ["hw"], axis=0),
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "zero", "two", "zero"], ["bc"]),
        node("Concat", ["bc", "hw"], ["sizes"], axis=0),
        node("Resize", ["x", "", "", "sizes"], ["r"], mode="nearest"),
        node("Shape", ["r"], ["rs"]),
        node("Gather", ["rs", "i2"], ["rh"]),
        node("Gather", ["s", "i2"], ["xh"]),
        node("Div", ["rh", "xh"], ["factor"]),
        node("Mul", ["xh", "i2"], ["twice"]),
        node("Sub", ["rh", "twice"], ["y"]),
    ]
    constants = scalars(2, 3) + [ints("two", 2)]
    inputs = [info("x", ("batch", 3, "length", 6))]
    out = fold(folder, nodes, [info("r", ("batch", 3, None, 12)), info("y", (), I64)], inputs, constants, sizes=SIZES[:3])
    m.expectValue(out.graph, "y", np.int64(0))


def test_shapes_in_32_bits(folder):
    """tf2onnx: Shape, Cast to int32, Slice, Squeeze, Concat, Cast to int64, Reshape."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["s32"], to=TensorProto.INT32),
        node("Slice", ["s32", "zero", "one", "zero"], ["b"]),
        node("Squeeze", ["b", "zero"], ["b0"]),
        node("Slice", ["s32", "one", "two", "zero"], ["n"]),
        node("Squeeze", ["n", "zero"], ["n0"]),
        node("Unsqueeze", ["b0", "zero"], ["b1"]),
        node("Unsqueeze", ["n0", "zero"], ["n1"]),
        node("Concat", ["b1", "n1", "heads"], ["t32"], axis=0),
        node("Cast", ["t32"], ["t"], to=I64),
        node("Reshape", ["x", "t"], ["y"]),
    ]
    constants = [ints("zero", 0), ints("one", 1), ints("two", 2), const("heads", [4, 8], np.int32)]
    out = fold(folder, nodes, [info("y", ("batch", "length", 4, 8))], [HIDDEN], constants)
    assert m.operators(out) == ["Reshape"], "operators"


def test_a_zero_that_means_zero(folder):
    """allowzero: a copied dimension may be written as 0 all the same, since that is its size."""
    nodes = size("x", 0) + size("x", 1) + view("x", "y", ["x_0", "x_1", "four", "eight"], allowzero=1)
    constants = scalars(0, 1) + [ints("four", 4), ints("eight", 8)]
    out = fold(folder, nodes, [info("y", ("batch", "length", 4, 8))], [HIDDEN], constants)
    assert m.operators(out) == ["Reshape"], "operators"
    m.expectValue(out.graph, out.graph.node[0].input[1], [0, 0, 4, 8])
    # Beside a literal 0 nothing else can be said.
    nodes = size("x", 0) + view("x", "y", ["x_0", "zero", "minus"], allowzero=1)
    model = m.model(nodes, [HIDDEN], [info("y", ("batch", 0, 7))], scalars(0) + [ints("minus", 7)])
    assert m.operators(m.folded(folder, model, runs=False))[-2:] == ["Concat", "Reshape"], "last operators"


def test_switched_off(folder):
    """--disable leaves each rewrite out."""
    nodes = size("x", 0) + size("x", 1) + view("x", "y", ["x_0", "x_1", "four", "eight"])
    constants = scalars(0, 1) + [ints("four", 4), ints("eight", 8)]
    out = fold(
        folder, nodes, [info("y", ("batch", "length", 4, 8))], [HIDDEN], constants, ["--disable=reshape-target", "--disable=shape-of"]
    )
    assert "Concat" in m.operators(out), f"operators are {m.operators(out)}"
