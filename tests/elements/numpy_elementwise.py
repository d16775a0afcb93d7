# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions and conversions as numpy and ml_dtypes have them."""

import math

import ml_dtypes
import numpy as np

from numpy_program import LONG, operation
from numpy_tensors import ANY, ARITHMETIC, FLOATS, NAMES, NARROW_INTEGERS, SMALL_FLOATS, SUB_BYTE_FLOATS, TYPES, isNaN, limits


@operation
def binary(p):
    name = p.values.choice(["add", "subtract", "multiply", "divide", "minimum", "maximum"])
    n, x = p.operand(FLOATS if name == "divide" else ARITHMETIC)
    m, y = p.partner(x, NAMES[x.dtype])
    expected = getattr(np, name)(x, y)
    return p.exact(name, [n, m], expected.astype(x.dtype), name in ("minimum", "maximum"))


@operation
def unary(p):
    name = p.values.choice(["negate", "absolute"])
    n, x = p.operand(ARITHMETIC)
    return p.exact(name, [n], getattr(np, {"negate": "negative"}.get(name, name))(x))


@operation
def compare(p):
    name, function = p.values.choice([("less", np.less), ("equal", np.equal), ("greaterEqual", np.greater_equal)])
    n, x = p.operand(ARITHMETIC)
    m, y = p.partner(x, NAMES[x.dtype])
    return p.exact(name, [n, m], function(x, y))


@operation
def select(p):
    n, x = p.operand(ANY)
    m, y = p.partner(x, NAMES[x.dtype])
    c, condition = p.partner(x, "bool")
    return p.exact("select", [c, n, m], np.where(condition, x, y).astype(x.dtype))


@operation
def cast(p):
    n, x = p.operand([name for name in ANY if name not in ("str", "c64", "c128")])
    source, target = NAMES[x.dtype], p.values.choice([name for name in ANY if name not in ("str", "c64", "c128")])
    small = target in SMALL_FLOATS
    if source == target or target == "f8E8M0":
        return False
    if source[0] in "bf" and source != "bool" and target[0] in "iu":  # what does not fit is undefined
        low, high = limits(target)
        wide = np.trunc(x.astype(np.float64))
        if not np.all((wide >= low) & (wide < 2.0 ** math.log2(high + 1))):
            return False
    if source in ("i32", "u32", "i64", "u64", "f64") and (small or target in ("bf16", "f16")):
        return False  # numpy and ml_dtypes round twice
    if target in SUB_BYTE_FLOATS and isNaN(x).any():
        return False
    if target == "bool":
        expected = isNaN(x) | (x.astype(np.float64) != 0)
    elif source in NARROW_INTEGERS or target in NARROW_INTEGERS:
        expected = x.astype(np.int64).astype(np.int8).astype(TYPES[target]) if target in NARROW_INTEGERS else (
            x.astype(np.int8).astype(TYPES[target] if not small and target != "bf16" else np.float32).astype(TYPES[target])
        )
    elif small or target == "bf16" or source in SMALL_FLOATS + ("bf16",):
        expected = x.astype(np.float32).astype(TYPES[target])
    else:
        expected = x.astype(TYPES[target])
    if small and target in SUB_BYTE_FLOATS:  # these saturate in ml_dtypes too
        return p.exact("cast", [n], expected, type=target)
    return p.exact("cast", [n], expected, type=target, noSaturation=True)


@operation
def castToSmall(p):
    """Also what overflows, saturating or not."""
    n, x = p.operand(("f16", "bf16", "f32"))
    target = p.values.choice(["f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"])
    wide = x.astype(np.float32)
    if p.flag():
        return p.exact("cast", [n], wide.astype(TYPES[target]), type=target, noSaturation=True)
    top = np.float32(ml_dtypes.finfo(TYPES[target]).max)
    return p.exact("cast", [n], np.clip(wide, -top, top).astype(TYPES[target]), type=target)  # NaN is kept


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


FUNCTIONS = {name: getattr(np, name) for name in "exp expm1 log log1p sin cos tan sinh cosh tanh".split()}
FUNCTIONS |= {name: getattr(np, "arc" + name[1:]) for name in "asin acos atan asinh acosh atanh".split()}
FUNCTIONS |= {"sigmoid": sigmoid, "softplus": softplus, "erf": lambda x: np.vectorize(math.erf, otypes=[LONG])(x)}


def ulpOfDouble(x):
    return np.ldexp(LONG(1), np.maximum(np.frexp(np.where(np.isfinite(x) & (x != 0), x, 1))[1] - 1, -1022) - 52)


@operation
def transcendental(p):
    """In double within 1 ulp (sigmoid, softplus, and erf, whose oracle has one of its own: 2), rounded once."""
    name = p.values.choice(list(FUNCTIONS))
    n, x = p.operand(FLOATS)
    expected = FUNCTIONS[name](x.astype(np.float64).astype(LONG))
    slack = ulpOfDouble(expected) * ((2 if name in ("sigmoid", "softplus", "erf") else 1) + 0.01)
    return p.within(name, [n], NAMES[x.dtype], expected, slack)


@operation
def power(p):
    n, x = p.operand(FLOATS)
    m, y = p.partner(x, p.values.choice(ARITHMETIC))
    base, exponent = x.astype(np.float64).astype(LONG), y.astype(np.float64).astype(LONG)
    # (-inf) ** -(2 ** 63) is inf in glibc's long double, (-inf) ** 0.5 is NaN in numpy's double: C99's rules instead.
    ofInfinity = np.where(exponent > 0, np.inf, np.where(exponent < 0, 0, np.where(exponent == 0, 1, np.nan)))
    ofInfinity = np.where((base < 0) & (np.mod(exponent, 2) == 1), -ofInfinity, ofInfinity)
    expected = np.where(np.isinf(base), ofInfinity, np.power(base, exponent))
    return p.within("pow", [n, m], NAMES[x.dtype], expected, ulpOfDouble(expected) * 1.01)
