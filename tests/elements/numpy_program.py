# SPDX-License-Identifier: Apache-2.0
"""Programs of random operations, run by elements-run and by numpy.

An operation is a function that adds itself to a program, with the result that numpy computes, and returns True; or returns
False where the random choices do not fit it. Who calls one switches numpy's warnings off: overflow and NaN are what is asked for.
"""

import numpy as np

from numpy_tensors import INTEGERS, NAMES, TYPES, compareExactly, compareWithin, limits

OPERATIONS = []
ROOM = 3000  # elements that a result may have
LONG = np.longdouble


def operation(function):
    """Decorator: an operation under test."""
    OPERATIONS.append(function)
    return function


def asArray(value):
    """An array, also of a string that numpy has taken out of one."""
    return np.array(value, object) if isinstance(value, str) else np.asarray(value)


class Program:
    """A few operations on random tensors and on each other's results."""

    def __init__(self, script, values):
        self.script, self.values, self.known = script, values, []
        self.random = values.random

    def operand(self, types, least=0, most=5):
        """(number, array) of an earlier result or of a fresh tensor."""
        fit = [one for one in self.known if NAMES[one[1].dtype] in types and least <= one[1].ndim <= most]
        if fit and self.values.chance(60):
            return self.values.choice(fit)
        return self.fresh(self.values.choice(types), self.values.shape(least, most))

    def fresh(self, name, shape):
        return self.given(self.values.tensor(name, shape))

    def given(self, array):
        return self.script.tensor(array), array

    def partner(self, x, name):
        """A fresh tensor that broadcasts with x to a shape that there is room for."""
        shape = [1 if self.values.chance(20) else d for d in x.shape]
        if shape and self.values.chance(30):
            shape = shape[self.random.integers(len(shape) + 1) :]
        return self.fresh(name, shape)

    def indices(self, shape, limit):
        """Indices into dimensions of `limit`, a number or an array of the shape's last dimension."""
        kind = self.values.choice([name for name in INTEGERS if limits(name)[1] >= np.max(limit, initial=0)])
        low = -np.asarray(limit) if kind[0] == "i" else np.zeros_like(limit)
        flat = self.random.integers(np.broadcast_to(low, shape), np.broadcast_to(limit, shape)).astype(TYPES[kind])
        return self.given(flat)

    def axis(self, x):
        return int(self.random.integers(x.ndim))

    def flag(self, percent=50):
        return bool(self.values.chance(percent))

    def exact(self, name, operands, expected, anyZero=False, **attributes):
        """Adds an operation with one result, or as many as `expected` has, that is known bit by bit."""
        expected = expected if isinstance(expected, (list, tuple)) else [expected]
        expected = [one if one is None or isinstance(one, int) else asArray(one) for one in expected]
        shown = anyZero or expected[0] is None or isinstance(expected[0], int) or self.flag()
        checks = [lambda got, one=one: compareExactly(got, one, anyZero) for one in expected] if shown else None
        count = 0 if isinstance(expected[0], int) else len(expected)
        first = self.script.operation(name, operands, count, checks, **attributes)
        if not anyZero:
            self.known += [(first + i, one) for i, one in enumerate(expected) if isinstance(one, np.ndarray)]
        return True

    def within(self, name, operands, kind, expected, slack, **attributes):
        """Adds an operation whose result is rounded from long doubles."""
        check = [lambda got: compareWithin(got, np.asarray(expected), kind, slack)]
        self.script.operation(name, operands, 1, check, **attributes)
        return True

    def showAll(self):
        """Prints every known value once more, the last ones first."""
        for number, array in reversed(self.known):
            self.script.operation("materialize", [number], 1, [lambda got, one=array: compareExactly(got, one)])
