# SPDX-License-Identifier: Apache-2.0
"""Activation functions with their attributes, Clip, shifts and quantisation, in every version and element type, against the
formula of the operator's text in 80 bits (quantisation: in the type that the text names).

Inputs are seeded random numbers with the special values among them. --long: ten seeds.
"""

from math import erf

import numpy as np
import onnx
from onnx import helper

from onnxfold_types import NARROW, dtypeOf, isInteger, limits, tableTests, typesOf

LIBM = (1, 1e-15)
FLT_MAX = float(np.finfo(np.float32).max)


def wide(x):
    return x.astype(np.float64).astype(np.longdouble)


def narrow(values, dtype):
    with np.errstate(all="ignore"):
        values = np.asarray(values)
        if isInteger(dtype):
            return np.trunc(values).astype(np.int64).astype(dtype)
        return values.astype(np.float64 if dtype.itemsize < 8 else dtype).astype(dtype)


# ---- functions of one number -------------------------------------------------------------------------------------------


def elu(x, alpha):
    return np.where(x < 0, alpha * np.expm1(x), x)


def selu(x, alpha, gamma):
    return gamma * np.where(x > 0, x, alpha * np.expm1(x))


def celu(x, alpha):
    return np.maximum(0, x) + np.minimum(0, alpha * np.expm1(x / alpha))


def softplus(x):
    return np.where(x > 40, x, np.log1p(np.exp(x)))


def gelu(x):
    return np.array([v / 2 * (1 + np.longdouble(erf(v / np.sqrt(np.longdouble(2))))) for v in x], np.longdouble)


def geluTanh(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.longdouble(np.pi)) * (x + np.longdouble(0.044715) * x**3)))


def single(value):
    """What a float attribute holds."""
    return float(np.float32(value))


# operator -> [(attributes, formula)]; an entry with a version holds for that version only.
FORMULAS = {
    "Elu": [({}, lambda x: elu(x, 1)), ({"alpha": 0.3}, lambda x: elu(x, single(0.3)))],
    "Selu": [
        ({"alpha": 1.5, "gamma": 2.0}, lambda x: selu(x, 1.5, 2)),
        ({}, lambda x: selu(x, single(1.6732632423543772), single(1.0507009873554805)), (6, 22)),
        ({}, lambda x: selu(x, single(1.6732), single(1.0507)), (1,)),
    ],
    "Celu": [({}, lambda x: celu(x, 1)), ({"alpha": 2.5}, lambda x: celu(x, 2.5))],
    "LeakyRelu": [
        ({}, lambda x: np.where(x < 0, single(0.01) * x, x)),
        ({"alpha": -1.5}, lambda x: np.where(x < 0, -1.5 * x, x)),
    ],
    "ThresholdedRelu": [({"alpha": 0.5}, lambda x: np.where(x > 0.5, x, 0)), ({}, lambda x: np.where(x > 1, x, 0))],
    "HardSigmoid": [
        ({}, lambda x: np.clip(single(0.2) * x + 0.5, 0, 1)),
        ({"alpha": 0.75, "beta": -0.25}, lambda x: np.clip(0.75 * x - 0.25, 0, 1)),
    ],
    "HardSwish": [({}, lambda x: x * np.clip(x / 6 + 0.5, 0, 1))],
    "Mish": [({}, lambda x: x * np.tanh(softplus(x)))],
    "Gelu": [({}, gelu), ({"approximate": "tanh"}, geluTanh)],
    "Shrink": [
        ({"lambd": 1.5, "bias": 1.0}, lambda x: np.where(x < -1.5, x + 1, np.where(x > 1.5, x - 1, 0))),
        ({}, lambda x: np.where(x < -0.5, x, np.where(x > 0.5, x, 0))),
    ],
}
INFINITE = {"HardSwish", "Mish", "Gelu"}  # 0 * inf: tests by hand


def activation(operator):
    def cases(maker, version, dtype):
        finite = operator in INFINITE or isInteger(dtype)
        x = maker.real(dtype, 40, scale=3.0)
        if not finite:
            x[:3] = np.array([np.inf, -np.inf, np.nan]).astype(dtype)
        for attributes, formula, *only in FORMULAS[operator]:
            if not only or version in only[0]:
                with np.errstate(all="ignore"):
                    yield [x], attributes, [narrow(formula(wide(x)), dtype)], LIBM if not isInteger(dtype) else (0, 0.0)

    return cases


def prelu(maker, version, dtype):
    x = maker.small(dtype, 2, 3, 4)
    shapes = [(1,), (2, 3, 4)] + ([(3,)] if version < 7 else [(4,), (3, 1), ()])
    for shape in shapes:
        slope = maker.small(dtype, *shape)
        aligned = slope.reshape(3, 1) if shape == (3,) else slope
        a, b = (v.astype(np.float64) for v in (x, aligned))
        value = np.where(a < 0, a * b, a)
        yield [x, slope], {}, [value.astype(np.int64).astype(dtype) if isInteger(dtype) else value.astype(dtype)]


def clip(maker, version, dtype):
    x = maker.tensor(dtype, 40) if version >= 12 else maker.real(dtype, 40, scale=5.0)
    low, high = (np.array(v).astype(np.float32).astype(dtype) for v in ((1, 3) if dtype.kind == "u" else (-2, 3)))

    def clipped(lower, upper):
        with np.errstate(all="ignore"):
            y = x if lower is None else np.where(x < lower, lower, x)
            return (y if upper is None else np.where(y > upper, upper, y)).astype(dtype)

    if version < 11:
        yield [x], {"min": -2.0, "max": 3.0}, [clipped(low, high)]
        yield [x], {"max": 3.0}, [clipped(None, high)]
        x = np.array([np.inf, -np.inf, 2.5, -7]).astype(dtype)
        largest = min(FLT_MAX, float(np.finfo(dtype).max)) if version == 6 and dtype != np.float16 else None
        yield [x], {}, [x if largest is None else np.clip(x, -largest, largest).astype(dtype)]
        return
    yield [x, low, high], {}, [clipped(low, high)]
    yield [x, None, high], {}, [clipped(None, high)]
    yield [x, low], {}, [clipped(low, None)]
    yield [x], {}, [x]
    yield [x, high, low], {}, [np.where(x == x, low, x).astype(dtype)]  # the upper bound wins


def bitShift(maker, version, dtype):
    bits = 8 * dtype.itemsize
    x = maker.tensor(dtype, 4, 3)
    counts = maker.inputs(1).random.integers(0, bits, 3)
    y = counts.astype(dtype)
    for direction in ("LEFT", "RIGHT"):
        pairs = [(int(v), int(n)) for v, n in zip(x.reshape(-1), list(counts) * 4)]
        values = [v << n if direction == "LEFT" else v >> n for v, n in pairs]
        want = np.array([v % 2**bits for v in values], np.uint64).astype(f"u{dtype.itemsize}").view(dtype).reshape(4, 3)
        yield [x, y], {"direction": direction}, [want]


# ---- quantisation ------------------------------------------------------------------------------------------------------


def shaped(values, rank, axis, block):
    """Scales or zero points in a shape that broadcasts to x's."""
    if values.ndim <= 1 and block is None:
        return values.reshape([-1 if a == axis % rank else 1 for a in range(rank)]) if values.ndim else values
    return np.repeat(values, block, axis)


def divided(x, scale, kind):
    """x / scale in the type that the text names, as doubles."""
    with np.errstate(all="ignore"):
        return (x.astype(kind) / scale.astype(kind)).astype(np.float64)


def quantized(ratio, zero, dtype):
    if isInteger(dtype):
        low, high = limits(dtype)
        values = np.clip(np.rint(ratio) + zero.astype(np.float64), low, high)
        return values.astype(np.int64).astype(np.int8 if dtype.name in NARROW else dtype).astype(dtype)
    return ratio.astype(np.float32).astype(dtype)  # only numbers that the type holds are asked for


def layouts(version, scaleType, zeroType, maker, zeros):
    """(scales, zero points, attributes, axis, block) for x of shape (2, 6)."""

    def make(*shape):
        random = maker.inputs(1).random
        scale = np.exp2(random.integers(-2, 3, shape)).astype(scaleType)  # powers of two: quotients are exact
        if not zeros:
            return scale, np.zeros(shape, zeroType)
        low, high = limits(zeroType)
        number = random.integers(max(low, -3), min(high, 3) + 1, shape)
        return scale, number.astype(np.int8).astype(zeroType)

    yield *make(), {}, 1, None
    if version >= 13:
        yield *make(6), {}, 1, None
        yield *make(2), {"axis": 0}, 0, None
        yield *make(2), {"axis": -2}, 0, None
    if version >= 21:
        yield *make(2, 3), {"axis": 1, "block_size": 2}, 1, 2


def quantize(maker, version, dtype):
    schema = SCHEMAS["QuantizeLinear", version]
    random = maker.inputs(1).random
    for target in typesOf(schema, 2):
        whole = isInteger(target)
        x = random.integers(-40, 41, (2, 6)) / (2.0 if dtype.kind != "i" else 1.0)
        if not whole:
            x = random.integers(0, 5, (2, 6)) / 4.0
        x = x.astype(np.float32).astype(dtype)
        scaleType = np.dtype(np.float32) if version < 19 or dtype.kind == "i" else dtype
        for scale, zero, attributes, axis, block in layouts(version, scaleType, target, maker, whole):
            if not whole:
                scale = np.ones_like(scale)
            if version in (19, 21) and dtype.kind == "i":
                scale = np.ones_like(scale).astype(dtype)  # the scale has the type of x there
            ratio = divided(x, shaped(scale, 2, axis, block), scale.dtype if not isInteger(scale.dtype) else np.float32)
            want = quantized(ratio, shaped(zero, 2, axis, block), target)
            yield [x, scale, zero], attributes, [want]
            if version >= 21:
                kind = helper.np_dtype_to_tensor_dtype(target)
                yield [x, scale], {**attributes, "output_dtype": kind}, [quantized(ratio, np.zeros((), target), target)]
            elif target == np.uint8:
                yield [x, scale], attributes, [quantized(ratio, np.zeros((), target), target)]


def dequantize(maker, version, dtype):
    schema = SCHEMAS["DequantizeLinear", version]
    whole = isInteger(dtype)
    if whole:
        low, high = limits(dtype)
        x = maker.inputs(1).random.integers(max(low, -100), min(high, 100) + 1, (2, 6))
        x = x.astype(np.int8).astype(dtype) if dtype.name in NARROW else x.astype(dtype)
    else:
        x = np.exp2(maker.inputs(1).random.integers(-1, 3, (2, 6))).astype(np.float32).astype(dtype)
    scaleTypes = typesOf(schema, 1) if version >= 19 else [np.dtype(np.float32)]
    for scaleType in scaleTypes:
        targets = [scaleType]
        if version >= 23:
            texts = next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T3")
            targets = [dtypeOf(text) for text in texts]
        for target in targets:
            attributes = {} if target == scaleType else {"output_dtype": helper.np_dtype_to_tensor_dtype(target)}
            if target != scaleType and version < 23 or scaleType.name == "float8_e8m0fnu" and target == scaleType:
                continue
            for scale, zero, more, axis, block in layouts(version, scaleType, dtype, maker, whole and dtype != np.int32):
                value = x.astype(np.float64) - shaped(zero, 2, axis, block).astype(np.float64)
                value = value * shaped(scale, 2, axis, block).astype(np.float64)
                given = [x, scale] + ([] if dtype == np.int32 else [zero])
                yield given, {**more, **attributes}, [value.astype(np.float32).astype(target)]


SCHEMAS = {(s.name, s.since_version): s for s in onnx.defs.get_all_schemas_with_history() if s.domain == ""}
OPERATORS = {
    **{operator: activation(operator) for operator in FORMULAS},
    "PRelu": prelu,
    "Clip": clip,
    "BitShift": bitShift,
    "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
}


WRONG = {
    ("runtime", "Clip"): "without a bound limits infinities to the largest number",
    ("reference", "Selu"): "version 1 has other default values",
}


test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, lambda _, schema: typesOf(schema, 0), least=6000, wrong=WRONG
)
