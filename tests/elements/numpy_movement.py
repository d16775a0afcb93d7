# SPDX-License-Identifier: Apache-2.0
"""Views and movement: what numpy does with elements, whatever they are."""

import math

import numpy as np

from numpy_program import ROOM, operation
from numpy_tensors import ANY, ARITHMETIC, NAMES, NARROW_INTEGERS, isNaN


@operation
def transpose(p):
    n, x = p.operand(ANY)
    perm = p.random.permutation(x.ndim).tolist()
    return p.exact("transpose", [n], x.transpose(perm), perm=perm)


@operation
def reshape(p):
    n, x = p.operand(ANY)
    divisors = [d for d in range(1, x.size + 1) if x.size % d == 0] or [1]
    first = p.values.choice(divisors)
    shape = p.random.permutation([first, x.size // first, 1]).tolist()
    return p.exact("reshape", [n], x.reshape(shape), shape=shape)


@operation
def expand(p):
    n, x = p.operand(ANY)
    shape = [int(p.random.integers(5)) if d == 1 else d for d in x.shape]
    if len(shape) < 5 and p.flag():
        shape = [int(p.random.integers(1, 4))] + shape
    if math.prod(shape) > ROOM:
        return False
    return p.exact("expand", [n], np.broadcast_to(x, shape), shape=shape)


@operation
def slices(p):
    n, x = p.operand(ANY)
    starts, sizes, steps, index = [], [], [], []
    for d in x.shape:
        step = int(p.values.choice([-3, -2, -1, 1, 2, 3]))
        picked = range(d)[int(p.random.integers(-d - 2, d + 2)) : int(p.random.integers(-d - 2, d + 2)) : step]
        starts.append(picked[0] if picked else 0)
        sizes.append(len(picked))
        steps.append(step)
        index.append(list(picked))
    expected = x[np.ix_(*(np.array(one, int) for one in index))] if x.ndim else x
    return p.exact("slice", [n], expected, starts=starts, sizes=sizes, steps=steps)


@operation
def split(p):
    n, x = p.operand(ANY, 1)
    axis = p.axis(x)
    cuts = sorted(p.random.integers(0, x.shape[axis] + 1, p.random.integers(0, 3)).tolist())
    parts = np.split(x, cuts, axis)
    return p.exact("split", [n], parts, axis=axis, sizes=[part.shape[axis] for part in parts])


@operation
def squeezeAndUnsqueeze(p):
    n, x = p.operand(ANY)
    if p.flag():
        axes = [axis for axis, d in enumerate(x.shape) if d == 1 and p.flag(60)]
        return p.exact("squeeze", [n], np.squeeze(x, tuple(axes)), axes=axes)
    if x.ndim > 3:
        return False
    axes = p.random.permutation(x.ndim + 2)[:2].tolist()
    return p.exact("unsqueeze", [n], np.expand_dims(x, tuple(axes)), axes=axes)


@operation
def concat(p):
    n, x = p.operand(ANY, 1)
    axis, parts = p.axis(x), [(n, x)]
    for _ in range(p.random.integers(4)):
        shape = list(x.shape)
        shape[axis] = int(p.random.integers(5))
        parts.append(p.fresh(NAMES[x.dtype], shape))
    p.random.shuffle(parts)
    if sum(part.size for _, part in parts) > ROOM:
        return False
    return p.exact("concat", [number for number, _ in parts], np.concatenate([part for _, part in parts], axis), axis=axis)


@operation
def tile(p):
    n, x = p.operand(ANY)
    repeats = p.random.integers(0 if p.flag(5) else 1, 4, x.ndim).tolist()
    if x.size * math.prod(repeats) > ROOM:
        return False
    return p.exact("tile", [n], np.tile(x, repeats), repeats=repeats)


@operation
def pad(p):
    n, x = p.operand(ANY)
    mode = p.values.choice(["constant", "reflect", "edge", "wrap"])
    if mode != "constant" and 0 in x.shape:
        return False
    begins, ends = p.random.integers(0, 5, (2, x.ndim)).tolist()
    widths = list(zip(begins, ends))
    # On positions instead of elements, since numpy pads no more than numbers; -1 is the fill value.
    more = {"constant_values": -1} if mode == "constant" else {}
    where = np.pad(np.arange(x.size).reshape(x.shape), widths, mode, **more) if x.ndim else np.zeros((), int)
    if where.size > ROOM:
        return False
    # Negative counts crop; what remains of the padding is unchanged.
    crop = p.random.integers(0, 3, x.ndim).tolist() if mode == "constant" else [0] * x.ndim
    for axis, count in enumerate(crop):
        if begins[axis] == 0 and 0 < count <= x.shape[axis]:
            where = np.delete(where, range(count), axis)
            begins[axis] = -count
    fill, one = p.fresh(NAMES[x.dtype], [])
    flat = np.append(x.ravel(), np.array([one], x.dtype))
    return p.exact("pad", [n, fill], flat[where], begins=begins, ends=ends, mode=mode)


@operation
def gather(p):
    n, x = p.operand(ANY, 1)
    axis, shape = p.axis(x), p.values.shape(0, 2)
    if x.shape[axis] == 0:
        shape = [0]
    if x.size // max(1, x.shape[axis]) * math.prod(shape) > ROOM:
        return False
    i, indices = p.indices(shape, x.shape[axis])
    return p.exact("gather", [n, i], np.take(x, indices.astype(np.int64), axis), axis=axis)


def alongAxis(p, x, axis):
    """Indices for gatherElements and scatterElements, and np.ix_-like indices of the elements that they name."""
    shape = [int(p.random.integers(d + 1)) for d in x.shape]
    shape[axis] = int(p.random.integers(6)) if x.shape[axis] else 0
    i, indices = p.indices(shape, x.shape[axis])
    where = list(np.indices(shape))
    where[axis] = indices.astype(np.int64) % max(1, x.shape[axis])
    return i, indices, tuple(where)


@operation
def gatherElements(p):
    n, x = p.operand(ANY, 1)
    axis = p.axis(x)
    i, _, where = alongAxis(p, x, axis)
    return p.exact("gatherElements", [n, i], x[where], axis=axis)


def tuples(p, x, batch):
    """Index tuples, and the index arrays that name what they pick; None where x is empty."""
    length = int(p.random.integers(1, x.ndim - batch + 1))
    if 0 in x.shape:
        return None
    outer = list(x.shape[:batch]) + p.values.shape(0, 2)
    if math.prod(outer) * math.prod(x.shape[batch + length :]) > ROOM:
        return None
    i, indices = p.indices(outer + [length], np.array(x.shape[batch : batch + length]))
    batches = np.indices(outer)[:batch]
    return i, tuple(batches) + tuple(np.moveaxis(indices.astype(np.int64), -1, 0)), outer


@operation
def gatherND(p):
    n, x = p.operand(ANY, 1)
    batch = int(p.random.integers(x.ndim)) if p.flag() else 0
    picked = tuples(p, x, batch)
    if not picked:
        return False
    i, where, _ = picked
    return p.exact("gatherND", [n, i], x[where], batchDims=batch)


REDUCTIONS = {"none": None, "add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


def scattered(x, where, updates, reduction):
    result = x.copy()
    if reduction == "none":
        for index in np.ndindex(updates.shape):  # in order: of equal indices the last one wins
            result[tuple(one[index] for one in where)] = updates[index]
    else:
        REDUCTIONS[reduction].at(result, where, updates)
    return result


@operation
def scatterElements(p):
    reduction = p.values.choice(list(REDUCTIONS))
    n, x = p.operand(ANY if reduction == "none" else tuple(k for k in ARITHMETIC if k != "bf16"), 1)
    axis = p.axis(x)
    i, indices, where = alongAxis(p, x, axis)
    u, updates = p.fresh(NAMES[x.dtype], indices.shape)
    expected = scattered(x, where, updates, reduction)
    anyZero = reduction in ("min", "max")
    return p.exact("scatterElements", [n, i, u], expected, anyZero, axis=axis, reduction=reduction)


@operation
def scatterND(p):
    reduction = p.values.choice(list(REDUCTIONS))
    n, x = p.operand(ANY if reduction == "none" else tuple(k for k in ARITHMETIC if k != "bf16"), 1)
    picked = tuples(p, x, 0)
    if not picked:
        return False
    i, where, outer = picked
    rest = x.shape[len(where) :]
    u, updates = p.fresh(NAMES[x.dtype], outer + list(rest))
    extra = np.indices(rest)
    where = tuple(np.broadcast_to(one.reshape(one.shape + (1,) * len(rest)), updates.shape) for one in where)
    where += tuple(np.broadcast_to(one, updates.shape) for one in extra)
    expected = scattered(x, where, updates, reduction)
    return p.exact("scatterND", [n, i, u], expected, reduction in ("min", "max"), reduction=reduction)


@operation
def trilu(p):
    n, x = p.operand([name for name in ANY if name != "str"], 2)
    upper, k = p.flag(), int(p.random.integers(-6, 7))
    keep = (np.triu if upper else np.tril)(np.ones(x.shape, bool), k)
    zero = np.frombuffer(bytes(x.dtype.itemsize), x.dtype) if NAMES[x.dtype] not in NARROW_INTEGERS else np.zeros(1, x.dtype)
    return p.exact("trilu", [n], np.where(keep, x, zero).astype(x.dtype), upper=upper, k=k)


@operation
def compress(p):
    n, x = p.operand(ANY, 1)
    axis = p.axis(x)
    m, mask = p.fresh("bool", [int(p.random.integers(x.shape[axis] + 1))])
    return p.exact("compress", [n, m], np.take(x, np.flatnonzero(mask), axis), axis=axis)


@operation
def nonZero(p):
    n, x = p.operand([name for name in ANY if name[0] != "c"])
    if x.dtype == object:
        hit = x != ""
    else:
        hit = isNaN(x) | (x.astype(np.float64) != 0 if NAMES[x.dtype][0] == "f" else x.astype(bool))
    return p.exact("nonZero", [n], np.array(np.nonzero(np.atleast_1d(hit))[: x.ndim], np.int64).reshape(x.ndim, int(hit.sum())))
