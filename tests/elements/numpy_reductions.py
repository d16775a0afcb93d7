# SPDX-License-Identifier: Apache-2.0
"""Reductions, scans and searches as numpy has them."""

import math

import numpy as np

from numpy_program import LONG, operation
from numpy_tensors import ANY, FLOATS, INTEGERS, NAMES, NARROW_INTEGERS, ORDERED, SMALL_FLOATS


@operation
def reduceIntegers(p):
    name, function = p.values.choice([("sum", np.sum), ("product", np.prod), ("min", np.min), ("max", np.max)])
    n, x = p.operand(INTEGERS + (("bool",) if name in ("min", "max") else ()))
    axes = p.random.permutation(x.ndim)[: p.random.integers(x.ndim + 1)].tolist()
    keep, more = p.flag(), {"dtype": x.dtype} if name in ("sum", "product") else {}
    if name in ("min", "max") and 0 in x.shape:
        return False
    expected = function(x, axis=tuple(axes), keepdims=keep, **more)
    return p.exact(name, [n], np.asarray(expected, x.dtype), axes=axes, keepDims=keep)


@operation
def reduceFloats(p):
    name = p.values.choice(["sum", "mean", "sumSquare", "l1", "l2", "min", "max", "logSumExp"])
    n, x = p.operand(FLOATS)
    axes = tuple(p.random.permutation(x.ndim)[: p.random.integers(x.ndim + 1)].tolist())
    keep, wide = p.flag(), x.astype(np.float64).astype(LONG)
    if 0 in x.shape:
        return False

    def total(values):
        return np.sum(values, axis=axes, keepdims=keep)

    count = math.prod(x.shape[axis] for axis in axes)
    terms = {"sumSquare": wide * wide, "l2": wide * wide, "l1": np.abs(wide)}.get(name, wide)
    exact, size = total(terms), total(np.where(np.isfinite(terms), np.abs(terms), 0))
    slack = (count + 2) * LONG(2) ** -53 * size + count * LONG(2) ** -1074
    if name in ("min", "max"):
        exact, slack = getattr(np, name)(wide, axis=axes, keepdims=keep), LONG(0)
    elif name == "mean":
        exact, slack = exact / count, slack / count + np.abs(exact / count) * LONG(2) ** -53
    elif name == "l2":
        exact = np.sqrt(exact)
        slack = slack / np.where(exact == 0, 1, exact) + exact * LONG(2) ** -52
        slack = np.where(size < LONG(2) ** -900, np.nan, slack)  # squares may vanish
    elif name == "logSumExp":
        top = np.max(wide, axis=axes, keepdims=True)
        shift = np.where(np.isfinite(top), top, 0)
        sums = np.sum(np.exp(wide - shift), axis=axes, keepdims=True)
        spread = np.max(np.where(np.isfinite(wide), np.abs(wide - shift), 0), axis=axes, keepdims=True)
        exact = np.log(sums) + shift
        slack = (count + 4 + 2 * np.minimum(spread, 800) + np.abs(shift) + np.abs(exact)) * LONG(2) ** -51
        exact, slack = (one if keep else np.squeeze(one, axes) for one in (exact, slack))
    slack = np.where(np.isfinite(exact) & (size > LONG(2) ** 1022), np.nan, np.where(np.isfinite(exact), slack, 0))
    if NAMES[x.dtype] == "f64" and name not in ("min", "max", "logSumExp"):
        slack = np.where(size > LONG(2) ** 1022, np.nan, slack)
    return p.within(name, [n], NAMES[x.dtype], exact, slack, axes=list(axes), keepDims=keep)


@operation
def cumulative(p):
    n, x = p.operand(INTEGERS, 1)
    name, function = p.values.choice([("cumulativeSum", np.cumsum), ("cumulativeProduct", np.cumprod)])
    axis, exclusive, reverse = p.axis(x), p.flag(), p.flag()
    turned = np.flip(x, axis) if reverse else x
    expected = function(turned, axis, dtype=x.dtype)
    if exclusive and x.shape[axis]:
        shape = list(x.shape)
        shape[axis] = 1
        first = np.full(shape, name == "cumulativeProduct", x.dtype)
        expected = np.concatenate([first, np.delete(expected, -1, axis)], axis)
    expected = np.flip(expected, axis) if reverse else expected
    return p.exact(name, [n], expected, axis=axis, exclusive=exclusive, reverse=reverse)


@operation
def argReduce(p):
    n, x = p.operand(ORDERED, 1)
    axis, largest, last, keep = p.axis(x), p.flag(), p.flag(), p.flag()
    if x.shape[axis] == 0:
        return False
    wide = x.astype(np.float32) if NAMES[x.dtype] == "bf16" else x
    turned = np.flip(wide, axis) if last else wide
    expected = (np.argmax if largest else np.argmin)(turned, axis, keepdims=keep)
    expected = x.shape[axis] - 1 - expected if last else expected
    return p.exact("argReduce", [n], expected, axis=axis, largest=largest, selectLast=last, keepDims=keep)


def ranks(x):
    """Integers in the order of the elements: equal ones for equal elements, NaN the largest."""
    wide = x.astype(np.float32) if NAMES[x.dtype] in ("bf16",) + SMALL_FLOATS else x
    return np.unique(wide, return_inverse=True)[1].reshape(x.shape).astype(np.int64)


SORTED = tuple(name for name in ANY if name not in NARROW_INTEGERS + ("c64", "c128"))


@operation
def sort(p):
    n, x = p.operand(SORTED, 1)
    axis, descending = p.axis(x), p.flag()
    order = np.argsort(-ranks(x) if descending else ranks(x), axis, kind="stable").astype(np.int64)
    if p.flag():
        return p.exact("argSort", [n], order, axis=axis, descending=descending)
    return p.exact("sort", [n], np.take_along_axis(x, order, axis), axis=axis, descending=descending)


@operation
def topK(p):
    n, x = p.operand([name for name in SORTED if name != "str"], 1)
    axis, largest = p.axis(x), p.flag()
    k = int(p.random.integers(x.shape[axis] + 1))
    order = np.argsort(-ranks(x) if largest else ranks(x), axis, kind="stable")
    order = np.take(order, range(k), axis).astype(np.int64)
    return p.exact("topK", [n], [np.take_along_axis(x, order, axis), order], k=k, axis=axis, largest=largest)


@operation
def unique(p):
    n, x = p.operand(INTEGERS + ("f16", "f32", "f64", "bool"))
    asTheyCome, more = p.flag(), {}
    if x.ndim and NAMES[x.dtype] in INTEGERS and 0 not in x.shape and p.flag():
        more["axis"] = p.axis(x)
    values, first, inverse, counts = np.unique(x, True, True, True, **more)
    inverse = inverse.ravel()
    if asTheyCome:
        order = np.argsort(first)
        place = np.argsort(order)
        first, counts, inverse = first[order], counts[order], place[inverse]
        values = np.take(values, order, more.get("axis", 0))
    if not more:  # numpy names no particular one of 0 and -0
        values = x.ravel()[first]
    indices = [one.astype(np.int64) for one in (first, inverse, counts)]
    return p.exact("unique", [n], [values, *indices], asTheyCome=asTheyCome, **more)


@operation
def softmaxes(p):
    name = p.values.choice(["softmax", "logSoftmax"])
    n, x = p.operand(FLOATS, 1)
    axis, wide = p.axis(x), x.astype(np.float64).astype(LONG)
    if 0 in x.shape:
        return False
    difference = wide - np.max(wide, axis, keepdims=True)
    logSum = np.log(np.sum(np.exp(difference), axis, keepdims=True))
    exact = difference - logSum
    slack = (np.abs(wide) + np.abs(difference) + np.abs(logSum) + x.shape[axis] + 8) * LONG(2) ** -50
    slack = np.where(np.isfinite(slack), slack, 0)
    if name == "softmax":
        exact, slack = np.exp(exact), np.exp(exact) * slack + LONG(2) ** -1070
    return p.within(name, [n], NAMES[x.dtype], exact, slack, axis=axis)
