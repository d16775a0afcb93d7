# SPDX-License-Identifier: Apache-2.0
"""Floats were truncated to int4, uint4, int2 and uint2, which their pages in ONNX's documentation round to nearest even.

All numbers of the floats of 8 and 16 bits, and dense samples of f32 and f64, to each narrow type. What must fold follows from
the text, and is checked to be what ONNX Runtime computes; what text and runtimes leave open, each
in a node of its own, must stay: halves that ONNX Runtime rounds away from zero, numbers out of range, and to float8e8m0
numbers beyond the range in a pair of `saturate` and `round_mode` for which Cast has no table.
"""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_oracles as oracles
import onnxfold_testing as t
from onnxfold_types import dtypeOf, foldAll

RANDOM = np.random.default_rng(t.options.seed)
FLOATS = ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float16", "bfloat16", "float", "double"]
INTEGERS = {"int4": (-8, 7), "uint4": (0, 15), "int2": (-2, 1), "uint2": (0, 3)}


def numbersOf(name):
    """Every number of a narrow type; of the others halves and quarters, their neighbours, and numbers of all sizes."""
    dtype = np.dtype(dtypeOf(f"tensor({name})"))
    if dtype.itemsize <= 2:
        return np.arange(256**dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    quarters = np.arange(-1100, 1100).astype(dtype) / dtype.type(4)
    sizes = np.ldexp(RANDOM.uniform(1, 2, 2000), RANDOM.integers(-140, 128, 2000)).astype(dtype)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 2.0**-127, 2.0**127, 1.5 * 2.0**127], dtype)
    neighbours = [np.nextafter(x, dtype.type(way)) for x in (quarters, special) for way in (np.inf, -np.inf)]
    return np.concatenate([quarters, sizes, -sizes, special, *neighbours])


def castNodes(x, target, attributes, like):
    more = [np.zeros(1, target)] if like else []
    to = {} if like else {"to": helper.np_dtype_to_tensor_dtype(np.dtype(target))}
    return ("CastLike" if like else "Cast", [x, *more], {**to, **attributes}, 1)


def check(folder, x, isDefined, want, attributes, like=False):
    """The defined numbers fold to `want` in one node; each of some others stays."""
    target = want.dtype
    open_ = x[~isDefined]
    sample = open_ if len(open_) <= 30 else open_[RANDOM.integers(0, len(open_), 30)]
    cases = [castNodes(one, target, attributes, like) for one in (x[isDefined], *sample.reshape(-1, 1))]
    (got,), *others = foldAll(25, cases, folder)
    assert got is not None, "what is defined does not fold"
    text = compare.differenceText(got, want[isDefined])
    assert not text, text
    folded = [float(one) for one, (result,) in zip(sample, others) if result is not None]
    assert not folded, f"{folded[:5]} must not fold"


def runtime(x, target, attributes):
    """What ONNX Runtime makes of it, as float32, which holds all narrow types."""
    to = helper.np_dtype_to_tensor_dtype(np.dtype(target))
    nodes = [m.node("Cast", ["x"], ["a"], to=to, **attributes), m.node("Cast", ["a"], ["y"], to=TensorProto.FLOAT)]
    tensors = [numpy_helper.from_array(x, "x")]
    return oracles.runModel(m.model(nodes, [], [m.info("y", x.shape)], tensors, opset=25, ir=13))[0]


@pytest.mark.parametrize("like", (False, True), ids=("Cast", "CastLike"))
@pytest.mark.parametrize("source", [*FLOATS, "float8e8m0", "float4e2m1"])
def test_integers(source, like, folder):
    x = numbersOf(source)
    if source == "float4e2m1":
        x = x[:16]
    for name, (lowest, highest) in INTEGERS.items():
        target = np.dtype(dtypeOf(f"tensor({name})"))
        with np.errstate(all="ignore"):
            wide = x.astype(np.float64)
            whole, fraction = np.rint(wide), np.abs(wide) % 1
            away = np.trunc(wide + np.copysign(0.5, wide))
            isByte = (whole == wide) & (wide >= -128) & (wide <= 127)
            isDefined = ((fraction != 0.5) | (whole == away)) & ((whole >= lowest) & (whole <= highest) | isByte)
            want = np.where(isDefined, whole, 0).astype(np.int8).astype(target)
        check(folder, x, isDefined, want, {}, like)
        if not like and source != "float4e2m1":
            theirs = runtime(x[isDefined], target, {})
            assert np.array_equal(theirs, want[isDefined].astype(np.float32)), f"ONNX Runtime, {name}"


def powerOfTwo(wide, saturate, mode):
    """The numbers by the table of Cast, and for which of them it has a column."""
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(wide)
        below = np.ldexp(1.0, exponent - 1)
        power = {
            "up": np.where(mantissa == 0.5, below, 2 * below),
            "down": below,
            "nearest": np.where(mantissa < 0.75, below, 2 * below),
        }[mode]
        low, high = 2.0**-127, 2.0**127
        inRange = (wide >= low) & (wide <= high)
        isDefined = ~np.signbit(wide) | np.isnan(wide)
        if (saturate, mode) not in ((1, "up"), (0, "nearest")):
            isDefined &= inRange | np.isnan(wide) if not saturate else ~np.isinf(wide.astype(np.float32))
        result = np.clip(power, low, high) if saturate else np.where(inRange, power, np.nan)
        result = np.where(np.isinf(wide), high if saturate else np.nan, np.where(wide == 0, low if saturate else np.nan, result))
    return np.where(np.isnan(wide), np.nan, result), isDefined


@pytest.mark.parametrize("mode", ("up", "down", "nearest"))
@pytest.mark.parametrize("saturate", (0, 1))
def test_exponents(saturate, mode, folder):
    target = np.dtype(ml_dtypes.float8_e8m0fnu)
    for source in FLOATS:
        x, attributes = numbersOf(source), {"saturate": saturate, "round_mode": mode}
        with np.errstate(all="ignore"):
            number, isDefined = powerOfTwo(x.astype(np.float64), saturate, mode)
            want = np.where(isDefined, number, 1).astype(target)
        check(folder, x, isDefined, want, attributes, like=source == "float16")
        if source != "double":  # which ONNX Runtime rounds to float first
            theirs = runtime(x[isDefined], target, attributes)
            assert np.array_equal(theirs, want[isDefined].astype(np.float32), equal_nan=True), f"ONNX Runtime, {source}"


@pytest.mark.parametrize("saturate", (0, 1))
@pytest.mark.parametrize("target", FLOATS[:4])
def test_floats_of_8_bits(target, saturate, folder):
    """As the reference evaluator has it; f64, which it rounds to f32 first, is in test_element_types.py."""
    to = np.dtype(dtypeOf(f"tensor({target})"))
    for source in FLOATS[:-1]:
        x = numbersOf(source)
        with np.errstate(all="ignore"):
            (want,) = oracles.referenceResults(25, "Cast", [x], {"to": helper.np_dtype_to_tensor_dtype(to), "saturate": saturate})
        check(folder, x, np.ones(len(x), bool), want, {"saturate": saturate})


def test_model_of_the_report(folder):
    """0.5 is 0 to the page of int4 and 1 to ONNX Runtime, so the node stays; without it the numbers are rounded."""
    for numbers, left in (([0.5, 1.5, -1.5, 3.7, 2], ["Cast", "Cast", "Add"]), ([0.25, 1.5, -1.5, 3.7, 2], ["Add"])):
        nodes = [m.node("Cast", ["w"], ["q"], to=TensorProto.INT4), m.node("Cast", ["q"], ["b"], to=TensorProto.FLOAT), m.node("Add", ["x", "b"], ["y"])]
        model = m.model(nodes, [m.info("x", (1,))], [m.info("y", (5,))], [m.const("w", np.float32(numbers))])
        out = m.folded(folder, model)
        assert m.operators(out) == left
