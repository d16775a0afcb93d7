#!/usr/bin/env python3
"""Quantised products and convolutions in every combination of element types, against Python's integers and fractions.

Scales are powers of two, so that only the last rounding is one. Zero points and scales: none, one, one for each row of the
left and each column of the right matrix or for each filter. --long: ten seeds.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from onnxfold_types import dtypeOf, isInteger, limits, tableSuite

BYTES = [np.dtype(np.uint8), np.dtype(np.int8)]


def wide(x):
    return x.astype(np.float64) if not isInteger(x.dtype) else x.astype(np.int64)


def quantized(ratio, zero, dtype):
    if not isInteger(dtype):
        return ratio.astype(np.float32).astype(dtype)
    low, high = limits(dtype)
    return np.clip(np.rint(ratio) + wide(zero), low, high).astype(dtype)


def zeroPoint(maker, dtype, *shape):
    return maker.small(dtype, *shape, low=-3, high=4) if isInteger(dtype) else np.zeros(shape, dtype)


def scaleOf(maker, dtype, *shape):
    return np.exp2(maker.inputs(1).random.integers(-2, 3, shape)).astype(dtype)


def numbers(maker, dtype, *shape):
    """All bytes; of floats those whose products are exact."""
    return maker.tensor(dtype, *shape) if isInteger(dtype) else maker.small(dtype, *shape, low=-2, high=3)


def matMulInteger(maker, version, dtype):
    for other in BYTES:
        a, b = numbers(maker, dtype, 2, 3, 4), numbers(maker, other, 4, 5)
        yield [a, b], {}, [np.matmul(wide(a), wide(b)).astype(np.int32)]
        for left, right in (((), ()), ((3,), (5,)), ((2, 3, 1), (1, 5))):
            za, zb = zeroPoint(maker, dtype, *left), zeroPoint(maker, other, *right)
            rows = wide(za).reshape(3, 1) if left == (3,) else wide(za)
            want = np.matmul(wide(a) - rows, wide(b) - wide(zb)).astype(np.int32)
            yield [a, b, za, zb], {}, [want]
        zb = zeroPoint(maker, other)
        yield [a, b, None, zb], {}, [np.matmul(wide(a), wide(b) - wide(zb)).astype(np.int32)]


def convolved(x, w):
    """Wide tensors (n, c, length) and (filters, c, taps), padded by one, with steps of two."""
    x = np.pad(x, [(0, 0), (0, 0), (1, 1)])
    places = range(0, x.shape[2] - w.shape[2] + 1, 2)
    parts = [np.einsum("nct,fct->nf", x[:, :, p : p + w.shape[2]], w) for p in places]
    return np.stack(parts, -1)


GEOMETRY = {"kernel_shape": [3], "pads": [1, 1], "strides": [2]}


def convInteger(maker, version, dtype):
    for other in BYTES:
        x, w = numbers(maker, dtype, 2, 3, 7), numbers(maker, other, 4, 3, 3)
        yield [x, w], GEOMETRY, [convolved(wide(x), wide(w)).astype(np.int32)]
        for filters in ((), (4,)):
            zx, zw = zeroPoint(maker, dtype), zeroPoint(maker, other, *filters)
            aligned = wide(zw).reshape(4, 1, 1) if filters else wide(zw)
            yield [x, w, zx, zw], GEOMETRY, [convolved(wide(x) - wide(zx), wide(w) - aligned).astype(np.int32)]


def qlinearConv(maker, version, dtype):
    for other in BYTES:
        for target in BYTES:
            x, w = numbers(maker, dtype, 2, 3, 7), numbers(maker, other, 4, 3, 3)
            for filters, biased in (((), False), ((4,), True)):
                zx, zw, zy = zeroPoint(maker, dtype), zeroPoint(maker, other, *filters), zeroPoint(maker, target)
                sx, sw, sy = (scaleOf(maker, np.float32, *shape) for shape in ((), filters, ()))
                column = (4, 1) if filters else ()
                total = convolved(wide(x) - wide(zx), wide(w) - wide(zw).reshape((4, 1, 1) if filters else ()))
                bias = maker.inputs(1).random.integers(-500, 500, 4).astype(np.int32)
                total = total + (wide(bias).reshape(4, 1) if biased else 0)
                ratio = total * (np.float64(sx) * sw.astype(np.float64).reshape(column) / np.float64(sy) / 64)
                given = [x, sx, zx, w, sw, zw, np.float32(sy * 64), zy] + ([bias] if biased else [])
                yield given, GEOMETRY, [quantized(ratio, zy, target)]


def qlinearMatMul(maker, version, dtype):
    types = BYTES if isInteger(dtype) else [dtype]
    scales = "float32 float16 bfloat16".split() if version >= 21 else ["float32"]
    for other in types:
        for target in types:
            for kind in (dtypeOf(f"tensor({name})") for name in scales):
                a, b = numbers(maker, dtype, 2, 3, 4), numbers(maker, other, 4, 5)
                for left, right in (((), ()), ((3,), (5,))):
                    za, zb, zy = (zeroPoint(maker, t, *s) for t, s in ((dtype, left), (other, right), (target, ())))
                    sa, sb, sy = (scaleOf(maker, kind, *shape) for shape in (left, right, ()))
                    if not isInteger(target):
                        sa, sb, sy = np.ones_like(sa), np.ones_like(sb), np.ones_like(sy)
                    divisor = 64.0 if isInteger(target) else 1.0
                    rows = (3, 1) if left else ()
                    product = np.matmul(wide(a) - wide(za).reshape(rows), wide(b) - wide(zb))
                    ratio = product * (wide(sa).reshape(rows) * wide(sb) / (wide(sy) * divisor))
                    given = [a, sa, za, b, sb, zb, (wide(sy) * divisor).astype(kind), zy]
                    yield given, {}, [quantized(ratio, zy, target)]


def elementTypes(operator, schema):
    texts = next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T1")
    return [dtypeOf(text) for text in texts]


OPERATORS = {
    "MatMulInteger": matMulInteger,
    "ConvInteger": convInteger,
    "QLinearConv": qlinearConv,
    "QLinearMatMul": qlinearMatMul,
}


ADDS_FIRST = "adds the zero point before it rounds: ties go the other way where that is odd"
WRONG = {("reference", "QLinearMatMul"): ADDS_FIRST, ("reference", "QLinearConv"): ADDS_FIRST}


if __name__ == "__main__":
    sys.exit(tableSuite(__doc__.splitlines()[0], OPERATORS, elementTypes, least=120, wrong=WRONG))
