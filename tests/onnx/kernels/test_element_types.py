# SPDX-License-Identifier: Apache-2.0
"""Elementwise operators and Cast in every element type of every version, against the onnx package's reference evaluator.

One model per opset holds one node per operator that changes there and per (input and output) element type that its
schema takes. Inputs are extremes and special values, shuffled, and seeded random numbers. Everything must fold, to the same
bits (any NaN is any NaN), but for functions that numpy computes in the element type itself: ULPS. `expectation` lists where
the evaluator does not say what the operator's text says. --long: longer inputs, ten seeds.
"""

import functools
import math
from fractions import Fraction

import numpy as np
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_oracles as oracles
import onnxfold_testing as t
from onnxfold_types import NARROW, Inputs, dtypeOf, foldAll, isInteger, typesOf, versions

UNARY = "Abs Neg Sign Floor Ceil Round Sqrt Reciprocal Exp Log Erf Sin Cos Tanh Sigmoid Relu Not IsNaN".split()
UNARY += "ThresholdedRelu IsInf BitwiseNot".split()
WIDER = "Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Softplus Softsign LeakyRelu".split()  # computed in double
UNARY += WIDER
BINARY = "Add Sub Mul Div Mod Pow Equal Less LessOrEqual Greater GreaterOrEqual And Or Xor".split()
BINARY += "BitwiseAnd BitwiseOr BitwiseXor".split()
VARIADIC = "Min Max Sum Mean".split()
ULPS = {**dict.fromkeys(("Exp", "Log", "Erf", "Sin", "Cos", "Tanh", "Sigmoid", *WIDER), 4), "Pow": 4}
SIGN_OF_ZERO_IS_FREE = {"Min", "Max", "Relu", "Sign"}  # numpy's own answer depends on the type


def elementwiseCases(inputs):
    """(opset, operator, input tensors, attributes)"""
    for operator in UNARY + BINARY + VARIADIC:
        for opset, schema in versions(operator):
            for dtype in typesOf(schema, 0):
                x = inputs.tensor(dtype)
                if operator == "Sign" and dtype.itemsize == 2 and not isInteger(dtype):  # of NaN stays
                    x = np.where(np.isnan(x.astype(np.float32)), 1, x.astype(np.float32)).astype(dtype)
                if operator in UNARY:
                    yield opset, operator, [x], {}
                elif operator in VARIADIC:
                    yield opset, operator, [x, inputs.tensor(dtype), inputs.tensor(dtype)], {}
                elif operator == "Pow":
                    for other in typesOf(schema, 1) if opset >= 12 else [dtype]:
                        yield opset, operator, list(inputs.exponent(x, other)), {}
                elif operator in ("Div", "Mod"):
                    y = inputs.divisor(dtype)
                    if operator == "Div" or isInteger(dtype) or opset >= 28:
                        yield opset, operator, [x, y], {}
                    if operator == "Mod":
                        yield opset, operator, [x, y], {"fmod": 1}
                else:
                    y = inputs.tensor(dtype)
                    yield opset, operator, [x, np.where(inputs.random.random(len(x)) < 0.3, x, y).astype(dtype)], {}


# Numbers whose text is beyond doubt, and texts that are numbers.
NUMBERS = [0, 1, -1, 2.5, -0.25, 100, 1e3]
TEXTS = ["0", "-7", "3.5", "1e3", "INF", "-inf", "NaN"]


def castCases(inputs):
    for operator in ("Cast", "CastLike"):
        for opset, schema in versions(operator):
            for source in typesOf(schema, 0):
                for text in next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T2"):
                    yield from castsOf(inputs, operator, opset, source, dtypeOf(text))


def castsOf(inputs, operator, opset, source, target):
    to = helper.np_dtype_to_tensor_dtype(target)
    if object not in (source, target):
        x = inputs.castable(source, target)
    elif source == object:
        if target == bool:
            return  # which texts are true is not said
        whole = isInteger(target) or target.itemsize == 1
        x = np.array(["0", "1", "+1"] if whole and target != object else TEXTS, object)
    elif isInteger(source) or source in (np.float32, np.float64):
        x = np.array([1, 0, 1] if source.itemsize == 1 else NUMBERS).astype(np.float32).astype(source)
    else:
        return  # how smaller floats and booleans are written is not said
    forms = [{}, {"saturate": 0}] if "float8" in target.name and opset >= 19 else [{}]
    for more in forms:
        if operator == "CastLike":
            yield opset, operator, [x, np.array([""], object) if target == object else np.zeros(1, target)], more
        else:
            yield opset, operator, [x], {"to": TensorProto.DataType.Name(to) if opset < 6 else to, **more}


def toExponentOnly(x, saturate):
    """Cast to float8e8m0, rounding up: the table of Cast-24 (the evaluator flushes 2^-127 and loses infinities of f16)."""
    wide = x.astype(np.float64)
    mantissa, exponent = np.frexp(wide)
    power = np.ldexp(1.0, np.where(mantissa == 0.5, exponent - 1, exponent))
    power = np.where((wide == 0) | np.isinf(wide), wide, power)
    low, high = 2.0**-127, 2.0**127
    if saturate:
        return np.clip(power, low, high)
    return np.where((wide < low) | (wide > high), np.nan, power)


def roundedOnce(x, guess):
    """Numbers of more than 24 bits in a narrow float type: the evaluator computes in f32, and so may be one step off."""
    pattern, result = f"u{guess.dtype.itemsize}", guess.copy()
    for i, number in enumerate(x):
        if not (np.isfinite(float(number)) and np.isfinite(float(guess[i]))):
            continue
        bits = int(guess[i : i + 1].view(pattern)[0])
        exact = Fraction(number.item())
        nearest = abs(Fraction(float(guess[i])) - exact), bits & 1
        for step in (bits - 1, bits + 1):
            value = np.array([step % 256**guess.itemsize], pattern).view(guess.dtype)[0]
            if np.isfinite(float(value)) and (abs(Fraction(float(value)) - exact), step & 1) < nearest:
                nearest, result[i] = (abs(Fraction(float(value)) - exact), step & 1), value
    return result


def castExpectation(opset, x, target, saturate):
    attributes = {"to": helper.np_dtype_to_tensor_dtype(target)}
    if not saturate:
        attributes["saturate"] = 0
    if x.dtype == object and target != object:
        x = np.array([float(text) for text in x])
    with np.errstate(all="ignore"):
        if target.name == "float8_e8m0fnu":
            return np.where(x != x, np.nan, toExponentOnly(x, saturate)).astype(target)
        if x.dtype.name in NARROW or x.dtype.name == "float8_e8m0fnu":  # ml_dtypes has not all pairs
            x = x.astype(np.int32 if isInteger(x.dtype) else np.float64)
            x = x.astype(np.int8) if isInteger(x.dtype) and target.name in NARROW else x
        if target.name in NARROW and isInteger(target) and not isInteger(x.dtype) and x.dtype != bool:  # it truncates
            return np.rint(x.astype(np.float64)).astype(np.int8).astype(target)
        (want,) = oracles.referenceResults(max(opset, 6), "Cast", [x], attributes)
        if target == object:
            return want.astype(object)
        if want.dtype.itemsize <= 2 and not isInteger(want.dtype) and want.dtype != bool and x.dtype.itemsize >= 4:
            want = roundedOnce(x, want)
    return want


def expectation(opset, operator, tensors, attributes):
    x = tensors[0]
    if operator in ("Cast", "CastLike"):
        to = attributes.get("to")
        kind = TensorProto.DataType.Value(to) if isinstance(to, str) else to
        target = tensors[1].dtype if to is None else helper.tensor_dtype_to_np_dtype(kind)
        return castExpectation(opset, x, target, attributes.get("saturate", 1))
    if operator == "Erf" and x.dtype == np.float64:  # the evaluator rounds to f32
        return np.array([math.erf(v) for v in x])
    if operator == "Pow" and isInteger(x.dtype) and isInteger(tensors[1].dtype):  # it computes in double for uint64
        exact = [pow(int(a), int(b), 2**64) for a, b in zip(x, tensors[1])]
        return np.array(exact, dtype=np.uint64).astype(x.dtype)
    return oracles.referenceResults(opset, operator, tensors, attributes)[0]


def withShapes(cases):
    """The cases as they are, of one element (rank 0), and of none."""
    for opset, operator, tensors, attributes in cases:
        yield opset, operator, tensors, attributes
        like = tensors[1:] if operator == "CastLike" else []
        for size, shape in ((1, ()), (0, (2, 0))):
            yield opset, operator, [x[:size].reshape(shape) for x in tensors[: len(tensors) - len(like)]] + like, attributes


def describe(case):
    opset, operator, tensors, attributes = case
    kinds = ", ".join(f"{x.dtype.name}{list(x.shape)}" for x in tensors)
    return f"{operator} at opset {opset} of {kinds} {attributes or ''}".rstrip()


def nanToFinite(case, got, want):
    """The formats of 4 and 6 bits have no NaN; the sign of the zero that it becomes is the sign of a NaN."""
    isCast = case[1] in ("Cast", "CastLike") and not isInteger(case[2][0].dtype)
    if not isCast or got.dtype.name not in NARROW or isInteger(got.dtype):
        return want
    return np.where(np.isnan(case[2][0].astype(np.float64)), got, want).astype(want.dtype)


def difference(case, got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return compare.differenceText(got, want)
    if case[1] in SIGN_OF_ZERO_IS_FREE and not isInteger(want.dtype):
        got, want = got + np.zeros_like(got), want + np.zeros_like(want)
    return compare.differenceText(got, nanToFinite(case, got, want), ulps=ULPS.get(case[1], 0))


def checkOpset(opset, cases, folder):
    folded = foldAll(opset, [(operator, tensors, attributes, 1) for _, operator, tensors, attributes in cases], folder)
    problems = []
    for case, (got,) in zip(cases, folded):
        if got is None:
            problems.append(f"{describe(case)} does not fold")
            continue
        flat = [x.reshape(-1) for x in case[2]]
        want = np.asarray(expectation(case[0], case[1], flat, case[3])).reshape(case[2][0].shape)
        text = difference(case, got, want)
        if text:
            problems.append(f"{describe(case)} {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10])


OPSETS = sorted({opset for name in (*UNARY, *BINARY, *VARIADIC, "Cast", "CastLike") for opset, _ in versions(name)})


@functools.cache
def casesOf(seed):
    """{opset: its cases}."""
    inputs, byOpset = Inputs(seed, 400 if t.options.long else 48), {}
    for case in withShapes([*elementwiseCases(inputs), *castCases(inputs)]):
        byOpset.setdefault(case[0], []).append(case)
    return byOpset


SEEDS = range(t.options.seed, t.options.seed + (10 if t.options.long else 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("opset", OPSETS)
def test_opset(opset, seed, folder):
    checkOpset(opset, casesOf(seed)[opset], folder)


def test_there_are_many():
    """Combinations of operator, version and element types; an opset that nobody tests would be missed."""
    assert set(casesOf(t.options.seed)) == set(OPSETS), "opsets of the cases"
    count = sum(len(cases) for seed in SEEDS for cases in casesOf(seed).values())
    assert count >= 20000, f"only {count} cases"
