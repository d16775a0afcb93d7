# SPDX-License-Identifier: Apache-2.0
"""Matrix products, generated tensors, quantisation and hashes as numpy has them."""

import math

import numpy as np

from numpy_program import LONG, ROOM, operation
from numpy_tensors import ANY, ARITHMETIC, INTEGERS, NAMES, NARROW_INTEGERS, TYPES, isNaN, limits


@operation
def matmul(p):
    n, x = p.operand(ARITHMETIC, 1)
    depth, name = x.shape[-1], NAMES[x.dtype]
    shape = [depth] if p.flag(15) else list(x.shape[: max(0, x.ndim - 2)]) * p.flag() + [depth, int(p.random.integers(6))]
    shape = [1 if i < len(shape) - 2 and p.flag(20) else d for i, d in enumerate(shape)]
    m, y = p.fresh(name, shape)
    if x.size * y.size > 200000:
        return False
    if name in INTEGERS:
        return p.exact("matmul", [n, m], np.asarray(np.matmul(x, y), x.dtype))
    a, b = (one.astype(np.float64).astype(LONG) for one in (x, y))
    exact = np.asarray(np.matmul(a, b))
    size = np.asarray(np.matmul(*(np.where(np.isfinite(one), np.abs(one), 0) for one in (a, b))))
    slack = (depth + 4) * (size * LONG(2) ** -53 + LONG(2) ** -1074)
    slack = np.where(size > LONG(2) ** 1022, np.nan, np.where(np.isfinite(exact), slack, 0))
    return p.within("matmul", [n, m], name, exact, slack)


@operation
def gemm(p):
    name, (rows, columns, depth) = p.values.choice(ARITHMETIC), p.random.integers(0, 8, 3).tolist()
    transA, transB, alpha, beta = p.flag(), p.flag(), int(p.random.integers(-3, 4)), int(p.random.integers(-3, 4))
    n, a = p.fresh(name, [depth, rows] if transA else [rows, depth])
    m, b = p.fresh(name, [columns, depth] if transB else [depth, columns])
    k, c = p.fresh(name, p.values.choice([[], [1], [columns], [rows, 1], [rows, columns]]))
    a, b = (a.T if transA else a), (b.T if transB else b)
    more = {"alpha": alpha, "beta": beta, "transA": transA, "transB": transB}
    if name in INTEGERS:
        wide = [one.astype(np.int64) for one in (a, b, c)]
        expected = np.matmul(wide[0], wide[1]) * alpha + np.broadcast_to(wide[2], [rows, columns]) * beta
        return p.exact("gemm", [n, m, k], expected.astype(TYPES[name]), **more)
    a, b, c = (one.astype(np.float64).astype(LONG) for one in (a, b, c))
    exact = np.matmul(a, b) * alpha + np.broadcast_to(c, [rows, columns]) * beta
    a, b, c = (np.where(np.isfinite(one), np.abs(one), 0) for one in (a, b, c))
    size = np.matmul(a, b) * (abs(alpha) + 1) + np.broadcast_to(c, [rows, columns]) * abs(beta)
    slack = np.where(np.isfinite(exact), (depth + 5) * (size * LONG(2) ** -53 + LONG(2) ** -1074), 0)
    return p.within("gemm", [n, m, k], name, exact, np.where(size > LONG(2) ** 1022, np.nan, slack), **more)


@operation
def generators(p):
    kind = p.values.choice(["range", "eye", "oneHot", "iota"])
    if kind == "iota":
        shape = p.values.shape(1, 4)
        axis = int(p.random.integers(len(shape)))
        return p.exact("iota", [], np.indices(shape, np.int64)[axis], shape=shape, axis=axis)
    if kind == "eye":
        rows, columns, k = p.random.integers(0, 9, 2).tolist() + [int(p.random.integers(-9, 10))]
        name = p.values.choice(ARITHMETIC + ("bool",))
        return p.exact("eye", [], np.eye(rows, columns, k).astype(TYPES[name]), type=name, shape=[rows, columns], k=k)
    if kind == "oneHot":
        n, x = p.operand(INTEGERS, 0, 3)
        depth, axis = int(p.random.integers(9)), int(p.random.integers(x.ndim + 1))
        if x.size * depth > ROOM:
            return False
        (a, off), (b, on) = p.fresh("f32", []), p.fresh("f32", [])
        wide = x.astype(object)
        wide = np.where(wide < 0, wide + depth, wide)
        hit = np.stack([wide == i for i in range(depth)] or [wide], axis)
        hit = hit.take(range(depth), axis)
        return p.exact("oneHot", [n, a, b], np.where(hit.astype(bool), on, off).astype(np.float32), depth=depth, axis=axis)
    name, count = p.values.choice(ARITHMETIC), int(p.random.integers(60))
    (a, start), (b, step) = (p.given(p.values.tensor(name, [])) for _ in range(2))
    if name in INTEGERS:
        expected = start + np.arange(count).astype(start.dtype) * step
    elif name == "bf16":
        return False  # ml_dtypes rounds a double twice
    else:
        expected = float(start) + np.arange(count, dtype=np.float64) * float(step)
    return p.exact("range", [a, b], expected.astype(TYPES[name]), count=count)


def parameters(p, x, name):
    """A scale or zero point per tensor, axis or block: (number, array spread over x, attributes)."""
    form = p.random.integers(3) if x.ndim else 0
    axis = p.axis(x) if x.ndim else 0
    block = int(p.random.integers(1, 5)) if form == 2 else 0
    shape = [] if form == 0 else [x.shape[axis]] if form == 1 else list(x.shape)
    if form == 2:
        shape[axis] = -(-x.shape[axis] // block)

    def make(values):
        n, array = p.given(values(shape))
        if form == 1:
            spread = array.reshape([-1 if d == axis else 1 for d in range(x.ndim)])
        elif form == 2:
            spread = np.repeat(array, block, axis)[tuple(slice(d) for d in x.shape)]
        else:
            spread = array
        return n, spread

    return make, {"axis": axis, "blockSize": block}


@operation
def quantize(p):
    n, x = p.operand(("f16", "f32", "f64", "i32"))
    kind, to = p.values.choice(["f16", "f32", "f64"]), p.values.choice(["i8", "u8", "i16", "u16", "i4", "u4", "i2", "u2"])
    make, more = parameters(p, x, kind)
    s, scale = make(lambda shape: (p.random.integers(1, 64, shape) / 16).astype(TYPES[kind]))
    low, high = limits(to)
    z, zero = make(lambda shape: p.random.integers(low, high + 1, shape).astype(np.int64).astype(TYPES[to]))
    quotient = (x.astype(TYPES[kind]) / scale).astype(np.float64)
    quotient = np.where(np.isnan(quotient), 0, quotient)
    expected = np.clip(np.rint(np.clip(quotient, -(2.0**40), 2.0**40)) + zero.astype(np.float64), low, high)
    return p.exact("quantize", [n, s, z], expected.astype(np.int32).astype(TYPES[to]), to=to, **more)


@operation
def dequantize(p):
    n, x = p.operand(INTEGERS + NARROW_INTEGERS + ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f4E2M1"))
    kind = p.values.choice(["f16", "f32", "f64"])
    make, more = parameters(p, x, kind)
    s, scale = make(lambda shape: p.values.floats(kind, math.prod(shape)).reshape(shape))
    z, zero = make(lambda shape: p.values.tensor(NAMES[x.dtype], shape))
    wide = (x.astype(np.float64) - zero.astype(np.float64)) * scale.astype(np.float64)
    return p.exact("dequantize", [n, s, z], np.broadcast_to(wide, x.shape).astype(TYPES[kind]), **more)


@operation
def hashes(p):
    n, x = p.operand([name for name in ANY if name != "str"])
    if isNaN(x).any():
        return False
    m, y = p.given(x.copy())
    p.exact("sameHash", [n, m], 1)
    other = x.reshape(*x.shape, 1)
    m, y = p.given(other)
    return p.exact("sameHash", [n, m], 0)
