# SPDX-License-Identifier: Apache-2.0
"""Wrong results and crashes that are published about another implementation of this design, as models: each must fold to what
the operator's text says, or be kept with a reason. B1 to B15 and N1 to N7 are its list; those about data alone are also in
tests/elements/PublishedBugsTest.cpp. Values are computed by hand. The first line of a case is its story.
"""

import math

import ml_dtypes
import numpy as np
from onnx import TensorProto

from onnxfold_nodes import Model, expectArray, expectFolded, expectKept, f32, i64

INT64_MIN = -(2**63)


# ---- B1 to B15 -----------------------------------------------------------------------------------------------------------


def test_b1_cast_of_bool_to_signed_integers(folder):
    """Cast of bool to a signed integer aborted; true is 1, not the signed number of one bit."""
    for kind, dtype in ((TensorProto.INT8, np.int8), (TensorProto.INT32, np.int32), (TensorProto.INT64, np.int64)):
        expectFolded(folder, "Cast", [np.array([True, False])], np.array([1, 0], dtype), to=kind)


def test_b2_nonzero_of_a_scalar(folder):
    """NonZero of a rank-0 constant divided by its rank: SIGFPE. ONNX Runtime gives it a row, NumPy none, so it stays."""
    for x in (3, 0):
        expectKept(folder, "NonZero", [np.float32(x)], "undefined")


def test_b3_scatternd_with_a_negative_index(folder):
    """ScatterND with index -1, which is legal, wrote before the tensor and gave 1 2 3 4."""
    expectFolded(folder, "ScatterND", [f32(1, 2, 3, 4), i64([-1]), f32(9)], f32(1, 2, 3, 9))


def test_b4_pad_with_negative_counts(folder):
    """Pad by [-1, 0], which is legal, gave 1 2 3 and wrote beyond the heap."""
    expectFolded(folder, "Pad", [f32(1, 2, 3, 4), i64(-1, 0)], f32(2, 3, 4))
    expectFolded(folder, "Pad", [f32(1, 2, 3, 4), i64(2, -3)], f32(1, 1, 1), mode="edge")
    expectFolded(folder, "Pad", [f32(1, 2, 3, 4), i64(-2, 1), np.float32(7)], f32(3, 4, 7))


def test_b5_gather_out_of_range_stays(folder):
    """An index out of range was read wherever it pointed: SIGSEGV."""
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    for bad in (3, -4, 2**62):
        expectKept(folder, "Gather", [x, i64(0, bad)], "undefined", axis=0)
        expectKept(folder, "GatherElements", [x, i64([0, bad])], "undefined", axis=0)
        expectKept(folder, "GatherND", [x, i64([bad])], "undefined")
        expectKept(folder, "ScatterND", [x, i64([bad]), f32([1, 2])], "undefined")
        expectKept(folder, "ScatterElements", [x, i64([bad, 0]), f32([1, 2])], "undefined", axis=0)
    expectFolded(folder, "Gather", [x, i64(-3, 2)], x[[0, 2]], axis=0)


def test_b6_casts_that_are_undone(folder):
    """Casts were delayed, so that a cast back saw digits that the first had cut off."""
    model = Model(folder)
    narrow = model.node("Cast", [i64(300)], to=TensorProto.INT8)
    wide = model.node("Cast", [narrow], to=TensorProto.INT64)
    half = model.node("Cast", [np.array([0.1])], to=TensorProto.FLOAT16)
    double = model.node("Cast", [half], to=TensorProto.DOUBLE)
    hundred = np.array([100], np.int8)
    total = model.node("Cast", [model.node("Add", [hundred, hundred])], to=TensorProto.INT32)
    values, kept = model.fold()
    assert kept == {}, "what is kept"
    expectArray(values[wide], i64(44))
    expectArray(values[double], np.array([0.0999755859375]))
    expectArray(values[total], np.array([-56], np.int32))


def test_b7_power_with_integer_exponents(folder):
    """Pow of f32 by i32 read the bits of the exponents as floats: all results were 1."""
    expectFolded(folder, "Pow", [f32(2, 3), np.array([3, 2], np.int32)], f32(8, 9))
    expectFolded(folder, "Pow", [np.array([2, 3], np.int32), f32(3, 2)], np.array([8, 9], np.int32))


def test_b8_remainders_of_floats(folder):
    """Mod of floats was cut to nine decimals to please a stored test, and overflowed near 1e300."""
    x = np.array([1e-10, -1e-10, 1e300, 5.5])
    y = np.array([1.0, 1.0, 7.0, -2.0])
    expectFolded(folder, "Mod", [x, y], np.array([math.fmod(a, b) for a, b in zip(x, y)]), fmod=1)


def test_b9_integer_division_by_zero_stays(folder):
    """Mod by 0 and of the smallest integer by -1 were SIGFPE, of unsigned integers a trap; Div by 0 gave the dividend."""
    for operator in ("Mod", "Div"):
        expectKept(folder, operator, [i64(5, 6), i64(2, 0)], "undefined")
        expectKept(folder, operator, [i64(INT64_MIN), i64(-1)], "undefined")
        expectKept(folder, operator, [np.array([1], np.uint8), np.array([0], np.uint8)], "undefined")
    expectFolded(folder, "Mod", [np.array([200], np.uint8), np.array([7], np.uint8)], np.array([4], np.uint8))
    expectFolded(folder, "Mod", [i64(-7, 7, -7), i64(3, -3, -3)], i64(2, -2, -1))
    expectFolded(folder, "Mod", [i64(-7, 7, -7), i64(3, -3, -3)], i64(-1, 1, -1), fmod=1)
    expectFolded(folder, "Div", [i64(-7, 7), i64(2, -2)], i64(-3, -3))


def test_b10_integers_beyond_doubles(folder):
    """Abs and Pow of i64 went through double: 2^53 + 1 became 2^53, 3^39 lost its last digits."""
    expectFolded(folder, "Abs", [i64(-(2**53) - 1, INT64_MIN)], i64(2**53 + 1, INT64_MIN))
    expectFolded(folder, "Pow", [i64(3), i64(39)], i64(4052555153018976267))


def test_b11_minimum_and_maximum_of_nan(folder):
    """Min and Max of NaN depended on the order of the operands."""
    for operator in ("Min", "Max"):
        expectFolded(folder, operator, [f32(np.nan, 1), f32(1, np.nan)], f32(np.nan, np.nan))
        expectFolded(folder, operator, [f32(2), f32(np.nan), f32(1)], f32(np.nan))


def test_b12_reshape_of_a_transposed_empty_tensor(folder):
    """Reshaping a transposed constant without elements aborted."""
    model = Model(folder)
    turned = model.node("Transpose", [np.zeros((2, 0, 3), np.float32)], perm=[2, 0, 1])
    copied = model.node("Reshape", [turned, i64(0, -1)])  # 0 stands for the first dimension, 3
    given = model.node("Reshape", [turned, i64(5, 0)], allowzero=1)
    values, kept = model.fold()
    assert kept == {}, "what is kept"
    expectArray(values[copied], np.zeros((3, 0), np.float32))
    expectArray(values[given], np.zeros((5, 0), np.float32))


def test_b13_split_without_sizes(folder):
    """Split of an axis that does not divide gave wrong sizes; before version 18 it is no Split at all."""
    x = np.arange(5, dtype=np.float32)
    expectKept(folder, "Split", [x], "invalid", opset=13, results=2)
    expectFolded(folder, "Split", [x], [x[:3], x[3:]], opset=18, num_outputs=2)
    expectFolded(folder, "Split", [x[:4]], [x[:2], x[2:4]], opset=13)


def test_b14_infinity_to_float8_by_version(folder):
    """Infinity became NaN in Cast 19 to 23, as their table says: their node tests have the largest FNUZ value, as Cast 24."""
    x = f32(np.inf, -np.inf, 1e9)
    types = ((TensorProto.FLOAT8E4M3FNUZ, ml_dtypes.float8_e4m3fnuz), (TensorProto.FLOAT8E5M2FNUZ, ml_dtypes.float8_e5m2fnuz))
    for opset in (19, 21, 23, 24):
        for to, dtype in types:
            like = np.zeros(1, dtype)
            for bits, attributes in (([0x7F, 0xFF, 0x7F], {}), ([0x80, 0x80, 0x80], {"saturate": 0})):
                value = np.array(bits, np.uint8).view(dtype)
                expectFolded(folder, "Cast", [x], value, opset=opset, to=to, **attributes)
                expectFolded(folder, "CastLike", [x, like], value, opset=opset, **attributes)


def test_b15_rounding_twice(folder):
    """Doubles went to f16 through float; chains of f32 were evaluated in double."""
    expectFolded(folder, "Cast", [np.array([1 + 2.0**-11 + 2.0**-40])], np.array([0x3C01], np.uint16).view(np.float16),
                 to=TensorProto.FLOAT16)  # fmt: skip
    model = Model(folder)
    one = model.node("Add", [f32(2**24), f32(1)])
    two = model.node("Add", [one, f32(1)])
    values, _ = model.fold()
    expectArray(values[two], f32(2**24))


def test_round_leaves_the_mode_alone(folder):
    """Round set the rounding mode of the processor and never restored it: what is folded after it is rounded to even."""
    model = Model(folder)
    rounded = model.node("Round", [f32(0.5, 1.5, -2.5, 2.6)])
    third = model.node("Div", [f32(1), f32(3)])
    values, _ = model.fold()
    expectArray(values[rounded], f32(0, 2, -2, 3))
    expectArray(values[third], f32(1) / f32(3))


# ---- N1 to N7 ------------------------------------------------------------------------------------------------------------


def test_n1_clip_with_one_bound(folder):
    """Clip of integers with one bound took the other from the unsigned type; infinity became FLT_MAX."""
    expectFolded(folder, "Clip", [np.array([-5, 5], np.int32), np.int32(0)], np.array([0, 5], np.int32))
    expectFolded(folder, "Clip", [np.array([-5, 5], np.int8), "", np.int8(0)], np.array([-5, 0], np.int8))
    expectFolded(folder, "Clip", [f32(np.inf, -np.inf), np.float32(0)], f32(np.inf, 0))
    expectFolded(folder, "Clip", [f32(np.inf, -np.inf)], f32(np.inf, -np.inf))


def test_n2_reshape_with_allowzero(folder):
    """allowzero was ignored: a constant of 48 elements came out without data, or with a dimension that was copied."""
    empty = np.zeros((0, 3), np.float32)
    expectFolded(folder, "Reshape", [empty, i64(3, 0)], empty.reshape(3, 0), allowzero=1)
    expectKept(folder, "Reshape", [np.zeros((6, 8), np.float32), i64(0, 8)], "invalid", allowzero=1)
    x = np.arange(48, dtype=np.float32).reshape(6, 8)
    expectFolded(folder, "Reshape", [x, i64(0, 2, 4)], x.reshape(6, 2, 4))


def test_n3_split_of_an_empty_tensor(folder):
    """Split of a tensor of size 0 divided by zero."""
    empty = np.zeros((0, 3), np.float32)
    expectFolded(folder, "Split", [empty], [empty, empty], opset=13, axis=0)
    expectFolded(folder, "Split", [empty, i64(1, 2)], [empty[:, :1], empty[:, 1:]], axis=1)
    expectFolded(folder, "Split", [empty], [empty, empty, empty], num_outputs=3)


def test_n4_logic_with_the_broadcast_of_opset_1(folder):
    """And, Or and Xor of opset 1 ignored `broadcast` and `axis`, by which the second operand lies along the first axes."""
    x, y = np.array([[True, False, True], [True, True, False]]), np.array([True, False])
    for operator, function in (("And", np.logical_and), ("Or", np.logical_or), ("Xor", np.logical_xor)):
        expectFolded(folder, operator, [x, y], function(x, y[:, None]), opset=6, broadcast=1, axis=0)
        expectFolded(folder, operator, [x, y[:1]], function(x, y[0]), opset=6, broadcast=1)
        expectKept(folder, operator, [x, y], "invalid", opset=6)
    expectFolded(folder, "Add", [f32([1, 2], [3, 4]), f32(10, 20)], f32([11, 12], [23, 24]), opset=6, broadcast=1, axis=0)


def test_n5_negative_axes(folder):
    """A negative axis was made positive inside an assert, so that release builds crashed."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    expectFolded(folder, "Concat", [x, x], np.concatenate([x, x], -1), axis=-1)
    expectFolded(folder, "Gather", [x, i64(1)], x[:, [1]], axis=-1)
    expectFolded(folder, "Split", [x], [x[:1], x[1:]], axis=-2, num_outputs=2)
    expectFolded(folder, "ReduceSum", [x, i64(-1)], x.sum(-1, keepdims=True))
    expectFolded(folder, "ArgMax", [x], np.array([[2], [2]]), axis=-1)
    expectFolded(folder, "Flatten", [x[None]], x.reshape(2, 3), axis=-1)
    expectFolded(folder, "CumSum", [x, np.int64(-1)], np.cumsum(x, -1))


def test_n6_sub_byte_constants_and_text(folder):
    """Constants of sub-byte types and of f8E8M0 crashed; casts of text that is no number gave garbage."""
    for dtype in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float4_e2m1fn):
        x = np.array([[1, 0, 2], [3, 2, 1]]).astype(np.float32).astype(dtype)
        expectFolded(folder, "Transpose", [x], np.ascontiguousarray(x.T), opset=23)
        expectFolded(folder, "Cast", [x], x.astype(np.float32), opset=23, to=TensorProto.FLOAT)
    scales = np.array([1, 2, 0.5], np.float32).astype(ml_dtypes.float8_e8m0fnu)
    expectFolded(folder, "Cast", [scales], f32(1, 2, 0.5), opset=24, to=TensorProto.FLOAT)
    expectFolded(folder, "Reshape", [scales, i64(3, 1)], scales.reshape(3, 1), opset=24)
    for opset in (9, 13, 21):
        expectFolded(folder, "Cast", [np.array(["-7", "1e3"], object)], f32(-7, 1000), opset=opset, to=TensorProto.FLOAT)
        expectKept(folder, "Cast", [np.array(["-7", "abc"], object)], "undefined", opset=opset, to=TensorProto.FLOAT)


def test_n7_unnamed_outputs(folder):
    """Optional outputs without a name crashed the importer."""
    x = f32(3, 1, 2)
    model = Model(folder)
    model.node("TopK", [x, i64(2)], outputs=["", "indices"])
    model.node("Dropout", [x], outputs=["kept", ""])
    values, kept = model.fold()
    assert kept == {}, "what is kept"
    expectArray(values["indices"], i64(0, 2))
    expectArray(values["kept"], x)


# Roots are whole: the deviation of 1, 3 is 1, that of 1, 3, 5, 7 the root of 5; an epsilon is added before the root.
X = np.array([[[[1, 3], [5, 7]]]], np.float32)
ONE = f32(1)
NORMALIZATIONS = {
    "LayerNormalization": (
        [X, f32(1, 1)],
        {"axis": -1, "epsilon": 3.0},
        {"y": f32([-0.5, 0.5], [-0.5, 0.5]), "inverse": f32(0.5, 0.5)},
    ),
    "RMSNormalization": ([f32(3, 4), f32(5, 5)], {"axis": -1, "epsilon": 12.5}, {"y": f32(3, 4)}),
    "BatchNormalization": ([X, ONE, ONE, ONE, ONE], {"epsilon": 3.0}, {"y": f32([1, 2], [3, 4])}),
    "GroupNormalization": ([X, ONE, ONE], {"num_groups": 1, "epsilon": 4.0}, {"y": f32([0, 2 / 3], [4 / 3, 2])}),
    "InstanceNormalization": ([X, ONE, ONE], {"epsilon": 4.0}, {"y": f32([0, 2 / 3], [4 / 3, 2])}),
}


def test_n5_n7_normalizations(folder):
    """LayerNormalization with a negative axis crashed in release builds, with an unnamed output the importer too."""
    for operator, (inputs, attributes, expected) in NORMALIZATIONS.items():
        model = Model(folder, opset=23)
        outputs = ["y", "", "inverse"] if "inverse" in expected else ["y"]
        model.node(operator, inputs, outputs=outputs, **attributes)
        values, kept = model.fold()
        assert kept == {}, f"what is kept of {operator}"
        for name, want in expected.items():
            expectArray(values[name].reshape(want.shape), want, f"{operator} {name}")
