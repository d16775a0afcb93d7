# SPDX-License-Identifier: Apache-2.0
"""Formulas of the specification in NumPy, in double or wider, for what the evaluators of others get wrong or refuse.

    FORMULAS["Gelu"](version, [x], {"approximate": "none"})  ->  the results, not yet rounded to their type
"""

import math

import numpy as np

import test_normalization
import test_recurrent

FORMULAS = {}


def formula(*operators):
    def register(function):
        FORMULAS.update((operator, function) for operator in operators)
        return function

    return register


def each(function, x):
    return np.array([function(float(one)) for one in x.reshape(-1)], np.float64).reshape(x.shape)


LEGACY = {
    "Add": np.add,
    "And": np.logical_and,
    "Div": lambda x, y: x / y if x.dtype.kind == "f" else x // y,
    "Equal": np.equal,
    "Greater": np.greater,
    "Less": np.less,
    "Mul": np.multiply,
    "Or": np.logical_or,
    "Pow": np.power,
    "Sub": np.subtract,
    "Xor": np.logical_xor,
}


def legacyBroadcast(operator):
    """Up to version 6: y has the sizes of x from `axis` on, or of its last dimensions."""

    def run(version, inputs, attributes):
        x, y = inputs
        if version > 6 or not attributes.get("broadcast"):
            return None
        axis = attributes.get("axis", x.ndim - y.ndim)
        return [LEGACY[operator](x, y.reshape(y.shape + (1,) * (x.ndim - axis - y.ndim)))]

    return run


FORMULAS.update((operator, legacyBroadcast(operator)) for operator in LEGACY)


@formula("Gelu")
def gelu(version, inputs, attributes):
    (x,) = inputs
    if attributes.get("approximate", "none") == "tanh":
        # (1 + tanh(t)) / 2 = 1 / (1 + exp(-2 t)), which does not cancel.
        inner = lambda v: math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)  # noqa: E731
        return [each(lambda v: v if v == math.inf else math.nan if v == -math.inf else v / (1 + math.exp(min(-2 * inner(v), 700))), x)]
    return [each(lambda v: math.nan if v == -math.inf else v * math.erfc(-v / math.sqrt(2)) / 2, x)]


@formula("HardSwish")
def hardSwish(version, inputs, attributes):
    x = inputs[0].astype(np.float64)
    return [x * np.clip(x / 6 + 0.5, 0, 1)]


COSINES = {
    "HannWindow": (0.5, 0.5, 0),
    "HammingWindow": (np.longdouble(25) / 46, np.longdouble(21) / 46, 0),
    "BlackmanWindow": (np.longdouble(42) / 100, 0.5, np.longdouble(8) / 100),
}


def windowOf(operator):
    def run(version, inputs, attributes):
        size = int(inputs[0])
        a, b, c = (np.longdouble(one) for one in COSINES[operator])
        period = np.longdouble(size if attributes.get("periodic", 1) else size - 1)
        pi = np.arccos(np.longdouble(-1))
        angle = 2 * pi * np.arange(size, dtype=np.longdouble) / period
        result = a - b * np.cos(angle) + c * np.cos(2 * angle)
        return [np.where(np.abs(result) < 1e-18, 0, result)]

    return run


FORMULAS.update((operator, windowOf(operator)) for operator in COSINES)


def flattened(function):
    """Softmax and its kin up to version 12: over all dimensions from `axis` on."""

    def run(version, inputs, attributes):
        (x,) = inputs
        if version >= 13:
            return None
        axis = attributes.get("axis", 1) % x.ndim
        rows = x.astype(np.float64).reshape(int(np.prod(x.shape[:axis])), -1)
        return [function(rows).reshape(x.shape)]

    return run


def logSoftmax(rows):
    shifted = rows - rows.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def hardmax(rows):
    result = np.zeros_like(rows)
    result[np.arange(len(rows)), rows.argmax(axis=1)] = 1
    return result


FORMULAS["LogSoftmax"] = flattened(logSoftmax)
FORMULAS["Softmax"] = flattened(lambda rows: np.exp(logSoftmax(rows)))
FORMULAS["Hardmax"] = flattened(hardmax)


def recurrenceOf(operator):
    def run(version, inputs, attributes):
        case = test_recurrent.Case(version, operator, inputs + [None] * (5 - len(inputs)), attributes, [])
        return test_recurrent.oracle(case)

    return run


FORMULAS.update((operator, recurrenceOf(operator)) for operator in ("RNN", "GRU", "LSTM"))


@formula("GlobalLpPool")
def globalLpPool(version, inputs, attributes):
    (x,) = inputs
    p = attributes.get("p", 2)
    axes = tuple(range(2, x.ndim))
    return [(np.abs(x.astype(np.float64)) ** p).sum(axis=axes, keepdims=True) ** (1 / p)]


@formula("GlobalMaxPool")
def globalMaxPool(version, inputs, attributes):
    (x,) = inputs
    return [x.max(axis=tuple(range(2, x.ndim)), keepdims=True)]


def normalizationOf(operator):
    def run(version, inputs, attributes):
        if any(one is None or one.size == 0 for one in inputs):
            return None
        wide = [one if one.dtype.kind in "iu" else one.astype(np.longdouble) for one in inputs]
        return test_normalization.FORMULAS[operator](version, DEFAULTS | attributes, *wide)

    return run


DEFAULTS = {"alpha": 1e-4, "beta": 0.75, "bias": 1.0, "axis": -1, "p": 2, "reduction": "mean"}
FORMULAS.update((operator, normalizationOf(operator)) for operator in test_normalization.FORMULAS)
