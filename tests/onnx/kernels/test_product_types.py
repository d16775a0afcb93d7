# SPDX-License-Identifier: Apache-2.0
"""Quantised products and convolutions in every combination of element types, against Python's integers and fractions.

Scales are powers of two, so that only the last rounding is one. Zero points and scales: none, one, one for each row of the
left and each column of the right matrix or for each filter. All numbers, and numbers near the middle of their type: of the
first, ONNX Runtime makes what the processor does (see sameOnEveryProcessor). --long: ten seeds.
"""

import numpy as np

from onnxfold_types import dtypeOf, isInteger, limits, tableTests

BYTES = [np.dtype(np.uint8), np.dtype(np.int8)]


def wide(x):
    return x.astype(np.float64) if not isInteger(x.dtype) else x.astype(np.int64)


def quantized(ratio, zero, dtype):
    if not isInteger(dtype):
        return ratio.astype(np.float32).astype(dtype)
    low, high = limits(dtype)
    return np.clip(np.rint(ratio) + wide(zero), low, high).astype(dtype)


def middleOf(dtype):
    return 128 if dtype == np.uint8 else 0


def zeroPoint(maker, dtype, *shape, near=False):
    if not isInteger(dtype):
        return np.zeros(shape, dtype)
    middle = middleOf(dtype) if near else 0
    return (maker.small(np.int64, *shape, low=-3 if middle or dtype.kind == "i" else 0, high=4) + middle).astype(dtype)


def scaleOf(maker, dtype, *shape):
    return np.exp2(maker.inputs(1).random.integers(-2, 3, shape)).astype(dtype)


NEAR = 16


def numbers(maker, dtype, *shape, near):
    """All bytes, or those near the middle; of floats those whose products are exact."""
    if not isInteger(dtype):
        return maker.small(dtype, *shape, low=-2, high=3)
    if near:
        return (maker.small(np.int64, *shape, low=-NEAR, high=NEAR + 1) + middleOf(dtype)).astype(dtype)
    return maker.tensor(dtype, *shape)


MATRICES = {"MatMulInteger": (0, 1), "ConvInteger": (0, 1), "QLinearMatMul": (0, 3), "QLinearConv": (0, 3)}


def sameOnEveryProcessor(operator, inputs):
    """Processors without VNNI add pairs of products of bytes in 16 bits and saturate (vpmaddubsw), after flipping the top bit
    of an operand of the other signedness, and so does ONNX Runtime there. Whatever is flipped, the pairs fit if all numbers
    are within 16 of the middle: unsigned ones are at most 144, signed ones at most 16, and 2 * 144 * 16 < 2**15."""
    matrices = [inputs[i] for i in MATRICES[operator]]
    return all(np.abs(wide(x) - middleOf(x.dtype)).max() <= NEAR for x in matrices)


def matMulInteger(maker, version, dtype, near):
    for other in BYTES:
        a, b = numbers(maker, dtype, 2, 3, 4, near=near), numbers(maker, other, 4, 5, near=near)
        yield [a, b], {}, [np.matmul(wide(a), wide(b)).astype(np.int32)]
        for left, right in (((), ()), ((3,), (5,)), ((2, 3, 1), (1, 5))):
            za, zb = zeroPoint(maker, dtype, *left, near=near), zeroPoint(maker, other, *right, near=near)
            rows = wide(za).reshape(3, 1) if left == (3,) else wide(za)
            want = np.matmul(wide(a) - rows, wide(b) - wide(zb)).astype(np.int32)
            yield [a, b, za, zb], {}, [want]
        zb = zeroPoint(maker, other, near=near)
        yield [a, b, None, zb], {}, [np.matmul(wide(a), wide(b) - wide(zb)).astype(np.int32)]


def convolved(x, w):
    """Wide tensors (n, c, length) and (filters, c, taps), padded by one, with steps of two."""
    x = np.pad(x, [(0, 0), (0, 0), (1, 1)])
    places = range(0, x.shape[2] - w.shape[2] + 1, 2)
    parts = [np.einsum("nct,fct->nf", x[:, :, p : p + w.shape[2]], w) for p in places]
    return np.stack(parts, -1)


GEOMETRY = {"kernel_shape": [3], "pads": [1, 1], "strides": [2]}


def convInteger(maker, version, dtype, near):
    for other in BYTES:
        x, w = numbers(maker, dtype, 2, 3, 7, near=near), numbers(maker, other, 4, 3, 3, near=near)
        yield [x, w], GEOMETRY, [convolved(wide(x), wide(w)).astype(np.int32)]
        for filters in ((), (4,)):
            zx, zw = zeroPoint(maker, dtype, near=near), zeroPoint(maker, other, *filters, near=near)
            aligned = wide(zw).reshape(4, 1, 1) if filters else wide(zw)
            yield [x, w, zx, zw], GEOMETRY, [convolved(wide(x) - wide(zx), wide(w) - aligned).astype(np.int32)]


def qlinearConv(maker, version, dtype, near):
    for other in BYTES:
        for target in BYTES:
            x, w = numbers(maker, dtype, 2, 3, 7, near=near), numbers(maker, other, 4, 3, 3, near=near)
            for filters, biased in (((), False), ((4,), True)):
                zx, zw = zeroPoint(maker, dtype, near=near), zeroPoint(maker, other, *filters, near=near)
                zy = zeroPoint(maker, target)
                sx, sw, sy = (scaleOf(maker, np.float32, *shape) for shape in ((), filters, ()))
                column = (4, 1) if filters else ()
                total = convolved(wide(x) - wide(zx), wide(w) - wide(zw).reshape((4, 1, 1) if filters else ()))
                bias = maker.inputs(1).random.integers(-500, 500, 4).astype(np.int32)
                total = total + (wide(bias).reshape(4, 1) if biased else 0)
                ratio = total * (np.float64(sx) * sw.astype(np.float64).reshape(column) / np.float64(sy) / 64)
                given = [x, sx, zx, w, sw, zw, np.float32(sy * 64), zy] + ([bias] if biased else [])
                yield given, GEOMETRY, [quantized(ratio, zy, target)]


def qlinearMatMul(maker, version, dtype, near):
    types = BYTES if isInteger(dtype) else [dtype]
    scales = "float32 float16 bfloat16".split() if version >= 21 else ["float32"]
    for other in types:
        for target in types:
            for kind in (dtypeOf(f"tensor({name})") for name in scales):
                a, b = numbers(maker, dtype, 2, 3, 4, near=near), numbers(maker, other, 4, 5, near=near)
                for left, right in (((), ()), ((3,), (5,))):
                    za, zb = (zeroPoint(maker, t, *s, near=near) for t, s in ((dtype, left), (other, right)))
                    zy = zeroPoint(maker, target)
                    sa, sb, sy = (scaleOf(maker, kind, *shape) for shape in (left, right, ()))
                    if not isInteger(target):
                        sa, sb, sy = np.ones_like(sa), np.ones_like(sb), np.ones_like(sy)
                    divisor = 64.0 if isInteger(target) else 1.0
                    rows = (3, 1) if left else ()
                    product = np.matmul(wide(a) - wide(za).reshape(rows), wide(b) - wide(zb))
                    ratio = product * (wide(sa).reshape(rows) * wide(sb) / (wide(sy) * divisor))
                    given = [a, sa, za, b, sb, zb, (wide(sy) * divisor).astype(kind), zy]
                    yield given, {}, [quantized(ratio, zy, target)]


def inBothRanges(cases):
    def both(maker, version, dtype):
        for near in (False, True) if isInteger(dtype) else (False,):
            yield from cases(maker, version, dtype, near)

    return both


def elementTypes(operator, schema):
    texts = next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T1")
    return [dtypeOf(text) for text in texts]


OPERATORS = {
    "MatMulInteger": inBothRanges(matMulInteger),
    "ConvInteger": inBothRanges(convInteger),
    "QLinearConv": inBothRanges(qlinearConv),
    "QLinearMatMul": inBothRanges(qlinearMatMul),
}


ADDS_FIRST = "adds the zero point before it rounds: ties go the other way where that is odd"
WRONG = {("reference", "QLinearMatMul"): ADDS_FIRST, ("reference", "QLinearConv"): ADDS_FIRST}


test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, elementTypes, least=240, wrong=WRONG, same=sameOnEveryProcessor
)
