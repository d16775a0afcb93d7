# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: conversions between element types on SystemDS, value by value."""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

import onnxfold_systemds as systemds

EDGES = [
    0, 1, -1, 1.5, 2.5, -2.5, 0.25, 0.5, 0.75, 3, 5, 7, 9, 15.5, 16.5, 17, -17.5, 127.5, 128, 255.5, 256, 300, -129.7, 65504, 65519.99, 65520,
    70000, -70000, 57344, 61439, 61440, 448, 464, 464.1, 480, 240, 248, 2.0**-6, 2.0**-7, 2.0**-9, 2.0**-10, 1.01 * 2.0**-10, 3 * 2.0**-11,
    2.0**-14, 2.0**-16, 2.0**-17, 2.0**-18, 2.0**-24, 2.0**-25, 1.01 * 2.0**-25, 2.0**-126, 2.0**-133, 2.0**-134, 2.0**-149, 3.0e38,
    np.inf, -np.inf, np.nan,
]  # fmt: skip
FLOATS = {
    TensorProto.FLOAT16: np.float16,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
}
INTEGERS = {
    TensorProto.INT8: (np.int8, 8), TensorProto.UINT8: (np.uint8, 8), TensorProto.INT16: (np.int16, 16),
    TensorProto.UINT16: (np.uint16, 16), TensorProto.INT32: (np.int32, 32), TensorProto.UINT32: (np.uint32, 32),
    TensorProto.INT4: (None, 4), TensorProto.UINT4: (None, 4), TensorProto.INT2: (None, 2), TensorProto.UINT2: (None, 2),
}  # fmt: skip


def cast(source, to, shape, **attributes):
    node = helper.make_node("Cast", ["x"], ["y"], to=to, **attributes)
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info("x", source, shape)], [helper.make_tensor_value_info("y", to, shape)]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)


def expectValues(folder, source, to, values, wanted, **attributes):
    """x must be the same as the reference to the last bit, except for the sign of zero."""
    model = cast(source, to, list(values.shape), **attributes)
    systemds.expectSame(folder, model, [values], [wanted], rtol=0, atol=0)


def floats(seed, count=400):
    """Of all magnitudes that narrow floats tell apart, halves of their last places among them."""
    random = np.random.default_rng(seed)
    scale = 2.0 ** random.integers(-30, 18, count)
    return np.concatenate([EDGES, random.integers(-63, 64, count) * scale, random.standard_normal(count) * scale])


@pytest.mark.parametrize("to", FLOATS, ids=TensorProto.DataType.Name)
def test_floats_are_rounded(folder, to):
    """Saturating, as Cast does if it is not asked: what is not float8 has infinities, or saturates anyway."""
    x = floats(to).astype(np.float32)
    largest = float(ml_dtypes.finfo(FLOATS[to]).max)
    isWide = to in (TensorProto.FLOAT16, TensorProto.BFLOAT16)
    with np.errstate(all="ignore"):
        clipped = x if isWide else np.clip(x, -largest, largest)
        wanted = clipped.astype(FLOATS[to]).astype(np.float64)
    if to == TensorProto.FLOAT4E2M1:
        wanted[np.isnan(x)] = 0
    expectValues(folder, TensorProto.FLOAT, to, x, wanted)


@pytest.mark.parametrize("to", [one for one in FLOATS if "FLOAT8" in TensorProto.DataType.Name(one)], ids=TensorProto.DataType.Name)
def test_floats_that_do_not_saturate(folder, to):
    x = floats(to).astype(np.float32)
    with np.errstate(all="ignore"):
        wanted = x.astype(FLOATS[to])
    expectValues(folder, TensorProto.FLOAT, to, x, wanted, saturate=0)


def test_doubles_to_float(folder):
    """The only cast of doubles that loses something; in all other arithmetic float32 is not rounded."""
    x = np.concatenate([floats(1), [1e-45, 1e-46, 7.1e-46, 3.4028235e38, 3.4028236e38, 1e300, 16777217, 1 / 3, 2.0**-149 * 1.5]])
    with np.errstate(all="ignore"):
        expectValues(folder, TensorProto.DOUBLE, TensorProto.FLOAT, x, x.astype(np.float32))


def test_integers_to_float(folder):
    x = np.int32([16777217, 16777219, 2**31 - 1, -(2**31), 33554433, 5])
    expectValues(folder, TensorProto.INT32, TensorProto.FLOAT, x, x.astype(np.float32))
    x = np.int16([2049, 2051, -2049, 32767, 5])
    expectValues(folder, TensorProto.INT16, TensorProto.FLOAT16, x, x.astype(np.float16))


def wrapped(values, bits, isSigned):
    values = np.trunc(values).astype(np.int64) & (2**bits - 1)
    return np.where(isSigned & (values >= 2 ** (bits - 1)), values - 2**bits, values).astype(np.float64)


@pytest.mark.parametrize("to", INTEGERS, ids=TensorProto.DataType.Name)
def test_floats_to_integers(folder, to):
    """To zero, and wrapped around as the stored tests of 4 bits have it."""
    x = np.float32([v for v in EDGES if np.isfinite(v) and abs(v) < 2**31])
    isSigned = TensorProto.DataType.Name(to).startswith("INT")
    expectValues(folder, TensorProto.FLOAT, to, x, wrapped(x, INTEGERS[to][1], isSigned))


@pytest.mark.parametrize("to", INTEGERS, ids=TensorProto.DataType.Name)
def test_integers_to_integers(folder, to):
    x = np.int64([0, 1, -1, 127, 128, 255, 256, -129, 65535, 65536, -32769, 2**31, 2**32, 2**32 + 5, -(2**31) - 1, 2**53, -(2**53) + 1])
    isSigned = TensorProto.DataType.Name(to).startswith("INT")
    expectValues(folder, TensorProto.INT64, to, x, wrapped(x, INTEGERS[to][1], isSigned))


def test_bool(folder):
    x = np.float32([0, -0.0, 1e-40, -3, np.nan, np.inf])
    expectValues(folder, TensorProto.FLOAT, TensorProto.BOOL, x, x.astype(bool))
    y = np.array([True, False])
    expectValues(folder, TensorProto.BOOL, TensorProto.FLOAT16, y, y.astype(np.float16))


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
def test_powers_of_two(folder, mode):
    x = np.float32([1, 1.5, 1.49, 2, 3, 0.3, 0, 2.0**-127, 2.0**-128, 2.0**-126 * 1.25, 2.0**127, 3e38, np.inf, np.nan])
    clipped = np.clip(x.astype(np.float64), 2.0**-127, 2.0**127)
    below = 2.0 ** np.floor(np.log2(clipped))
    share = {"up": np.nextafter(1.0, 2), "nearest": 1.5, "down": 2}[mode]
    wanted = np.where(clipped >= below * share, below * 2, below)
    expectValues(folder, TensorProto.FLOAT, TensorProto.FLOAT8E8M0, x, wanted, round_mode=mode)


def test_signed_to_uint64_is_refused(folder):
    model = cast(TensorProto.INT64, TensorProto.UINT64, [2])
    systemds.expectRefused(folder, model, "negative numbers would be beyond 2^53")
