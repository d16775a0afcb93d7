# SPDX-License-Identifier: Apache-2.0
"""Reductions, searches, sums along an axis, matrix products and the broadcasting of versions 1 and 6, in every version and
element type, against formulas in numpy and Python: integers exactly (they wrap), floats in 80 bits, rounded once.

Of small whole numbers every sum is exact, so products must be so too; where roots and logarithms are taken, results may be off
by the rounding of a double. --long: ten seeds.
"""

import numpy as np

import onnxfold_testing as t
from onnxfold_types import i64, isInteger, tableTests, typesOf

ROUNDED = (1, 2e-15)  # computed in double or in 80 bits: another neighbour at most, in f64 some bits
EMPTY = {"Sum": 0, "SumSquare": 0, "L1": 0, "L2": 0, "Prod": 1}


def wide(x):
    """Numbers to compute with: Python's integers, or 80 bits."""
    if x.dtype == bool or isInteger(x.dtype):
        return x.astype(np.int64 if x.dtype != np.uint64 else np.uint64).astype(object)
    return x.astype(np.float64).astype(np.longdouble)


def narrow(values, dtype):
    """Rounded or wrapped into an element type."""
    values = np.asarray(values)
    if not isInteger(dtype):
        with np.errstate(all="ignore"):
            return values.astype(np.float64 if dtype.itemsize < 8 else dtype).astype(dtype)
    bits = 8 * dtype.itemsize
    wrapped = [int(v) % 2**bits for v in values.reshape(-1)]
    return np.array(wrapped, np.uint64).astype(f"u{dtype.itemsize}").view(dtype).reshape(values.shape)


# ---- reductions --------------------------------------------------------------------------------------------------------


def total(parts, kind, dtype):
    """The reduction of a list of wide numbers."""
    exact = isInteger(dtype) or dtype == bool
    if kind in ("Max", "Min"):
        return max(parts) if kind == "Max" else min(parts)
    if kind in ("Sum", "L1", "SumSquare"):
        step = {"Sum": lambda v: v, "L1": abs, "SumSquare": lambda v: v * v}[kind]
        return sum(map(step, parts))
    if kind == "Prod":
        result = 1
        for v in parts:
            result = result * v
        return result
    if kind == "Mean":
        return sum(parts) / np.longdouble(len(parts)) if not exact else int(sum(parts) / len(parts))
    floats = np.array(parts, np.longdouble)
    value = {
        "L2": lambda: np.sqrt(np.sum(floats * floats)),
        "LogSum": lambda: np.log(np.sum(floats)),
        "LogSumExp": lambda: np.log(np.sum(np.exp(floats))),
    }[kind]()
    return int(value) if exact else value


def reduced(x, kind, axes, keepdims):
    axes = tuple(a % x.ndim for a in axes)
    rest = [a for a in range(x.ndim) if a not in axes]
    rows = wide(x).transpose(rest + list(axes)).reshape(*(x.shape[a] for a in rest), -1)
    values = np.array([total(list(rows[at]), kind, x.dtype) for at in np.ndindex(rows.shape[:-1])] + [None], object)[:-1]
    if not (isInteger(x.dtype) or x.dtype == bool):
        values = values.astype(np.longdouble)
    shape = [1 if a in axes else n for a, n in enumerate(x.shape)] if keepdims else [x.shape[a] for a in rest]
    values = values.reshape(shape)
    return values.astype(bool) if x.dtype == bool else narrow(values, x.dtype)


def reductions(kind):
    inputSince = 13 if kind == "Sum" else 18

    def cases(maker, version, dtype):
        bounds = ROUNDED if kind in ("L2", "LogSum", "LogSumExp", "Mean") else (0, 0.0)
        positive = kind in ("LogSum", "LogSumExp")
        x = maker.small(dtype, 2, 3, 4, low=1 if positive else -3, high=4)
        if dtype == bool:
            x = maker.tensor(bool, 2, 3, 4)
        for axes, keepdims in (((1,), 1), ((0, 2), 0), ((-1,), 1), (None, 1), (None, 0)):
            if axes and min(axes) < 0 and version < 11:
                continue
            want = reduced(x, kind, axes or (0, 1, 2), keepdims)
            attributes = {"keepdims": keepdims}
            if version < inputSince:
                yield [x], attributes | ({"axes": list(axes)} if axes else {}), [want], bounds
            else:
                yield [x] + ([i64(*axes)] if axes else []), attributes, [want], bounds
        if version >= inputSince:  # only the elementwise part of the operator is left
            want = reduced(x.reshape(2, 3, 4, 1), kind, (3,), 0)
            yield [x], {"noop_with_empty_axes": 1}, [want], bounds
        if kind in EMPTY:
            empty = np.full((2, 1), EMPTY[kind], dtype)
            given = ({"axes": [1]}, []) if version < inputSince else ({}, [i64(1)])
            yield [np.zeros((2, 0), dtype), *given[1]], given[0], [empty]
        if isInteger(dtype) and kind in ("Sum", "Prod", "SumSquare", "Max", "Min"):
            big = maker.tensor(dtype, 12)
            yield [big], {"keepdims": 0}, [reduced(big, kind, (0,), 0)]

    return cases


def argReduction(largest):
    def cases(maker, version, dtype):
        x = maker.small(dtype, 3, 5, low=-2, high=2)
        order = wide(x) if largest else -wide(x)
        for last in (0, 1) if version >= 12 else (0,):
            for axis in (0, 1) + ((-1,) if version >= 11 else ()):
                lines = np.moveaxis(order, axis, -1)
                best = np.array([max(range(len(v)), key=lambda i: (v[i], i if last else -i)) for v in lines])
                more = {"select_last_index": 1} if last else {}
                yield [x], {"axis": axis, "keepdims": 0, **more}, [best]
                yield [x], {"axis": axis, **more}, [np.expand_dims(best, axis)]

    return cases


def topK(maker, version, dtype):
    x = maker.small(dtype, 3, 5, low=-2, high=3)
    for largest in (1, 0) if version >= 11 else (1,):
        key = -wide(x) if largest else wide(x)
        at = np.array([sorted(range(5), key=lambda i: (row[i], i))[:3] for row in key])
        want = [np.take_along_axis(x, at, 1), at]
        attributes = {} if largest else {"largest": 0}
        if version == 1:
            yield [x], {"k": 3}, want
        else:
            yield [x, i64(3)], {**attributes, "axis": 1}, want
            turned = np.ascontiguousarray(x.T)
            yield [turned, i64(3)], {**attributes, "axis": 0}, [want[0].T, at.T]


def cumulative(step):
    def cases(maker, version, dtype):
        x = maker.small(dtype, 3, 5, low=-3, high=4)
        first = 0 if step == "sum" else 1
        for kind in (np.int32, np.int64):
            for exclusive, reverse in ((0, 0), (1, 0), (0, 1), (1, 1)):
                values = wide(x)[:, ::-1] if reverse else wide(x)
                running = (np.cumsum if step == "sum" else np.cumprod)(values, 1)
                if exclusive:
                    running = np.concatenate([np.full((3, 1), first, running.dtype), running[:, :-1]], 1)
                want = narrow(running[:, ::-1] if reverse else running, x.dtype)
                yield [x, np.array(-1, kind)], {"exclusive": exclusive, "reverse": reverse}, [want]

    return cases


def softmaxLike(kind):
    def along(v, dtype):
        if kind == "hard":
            hot = np.zeros(v.shape, np.float64)
            np.put_along_axis(hot, np.argmax(v, -1)[..., None], 1, -1)
            return hot.astype(dtype)
        shifted = v - v.max(-1, keepdims=True)
        if kind == "soft":
            return narrow(np.exp(shifted) / np.exp(shifted).sum(-1, keepdims=True), dtype)
        return narrow(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)), dtype)

    def cases(maker, version, dtype):
        x = maker.real(dtype, 2, 3, 4)
        bounds = (0, 0.0) if kind == "hard" else ROUNDED
        for axis in (None, 1, 2) + ((-1,) if version >= 11 else ()):
            attributes = {} if axis is None else {"axis": axis}
            if version >= 13:
                lines = np.moveaxis(wide(x), -1 if axis is None else axis, -1)
                want = np.moveaxis(along(lines, dtype), -1, -1 if axis is None else axis)
            else:
                at = 1 if axis is None else axis % 3
                want = along(wide(x).reshape(int(np.prod(x.shape[:at])), -1), dtype).reshape(x.shape)
            yield [x], attributes, [want], bounds

    return cases


# ---- matrix products ---------------------------------------------------------------------------------------------------


def matMul(maker, version, dtype):
    make = maker.tensor if isInteger(dtype) else maker.small
    for left, right in (((3, 4), (4, 2)), ((4,), (2, 4, 3)), ((2, 1, 3, 4), (2, 4, 2)), ((4,), (4,)), ((3, 0), (0, 2))):
        a, b = make(dtype, *left), make(dtype, *right)
        product = np.matmul(wide(a), wide(b))
        if 0 in left:
            product = np.zeros((3, 2), product.dtype) + 0
        yield [a, b], {}, [narrow(product, dtype)]


def gemm(maker, version, dtype):
    a, b = maker.small(dtype, 3, 4), maker.small(dtype, 4, 2)
    attributes = {"broadcast": 1} if version < 7 else {}
    for shape in ((3, 2), (2,), (1, 2), (3, 1), ()):
        if version < 7 and shape in ((1, 2), (3, 1), ()):
            continue
        c = maker.small(dtype, *shape)
        want = 2 * np.matmul(wide(a), wide(b)) + 3 * wide(c)
        yield [a, b, c], {"alpha": 2.0, "beta": 3.0, **attributes}, [narrow(want, dtype)]
    turned = [np.ascontiguousarray(a.T), np.ascontiguousarray(b.T), maker.small(dtype, 3, 2)]
    want = np.matmul(wide(a), wide(b)) + wide(turned[2])
    yield turned, {"transA": 1, "transB": 1}, [narrow(want, dtype)]
    if version >= 11:
        yield [a, b], {}, [narrow(np.matmul(wide(a), wide(b)), dtype)]


# ---- scattering with a reduction ---------------------------------------------------------------------------------------


def combined(values, kind):
    steps = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "max": max, "min": min}
    return lambda at, update: values.__setitem__(at, steps[kind](values[at], update))


def scatterReductions(elements):
    def cases(maker, version, dtype):
        kinds = ([] if version < 16 else ["add", "mul"]) + (["max", "min"] if version >= 18 else [])
        if dtype == bool or dtype == object or dtype.kind == "c":
            return
        for kind in kinds:
            x = maker.small(dtype, 3, 4, low=-2, high=3)
            updates = maker.small(dtype, 3, 2, low=-2, high=3) if elements else maker.small(dtype, 3, 4, low=-2, high=3)
            at = np.array([[1, 1], [1, 0], [-1, 2]]) if elements else np.array([[1], [1], [0]])
            values = wide(x)
            combine = combined(values, kind)
            for i, j in np.ndindex(updates.shape):
                combine((at[i, j], j) if elements else (at[i, 0], j), wide(updates)[i, j])
            yield [x, at, updates], {"reduction": kind}, [narrow(values, dtype)]

    return cases


# ---- broadcasting ------------------------------------------------------------------------------------------------------

BINARY = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": lambda a, b: a / b,
    "Pow": lambda a, b: a**b,
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
    "Equal": np.equal,
    "Greater": np.greater,
    "Less": np.less,
}


def binary(operator):
    """Versions before 7: the second operand's shape is a part of the first's, from `axis` on or at the end; then numpy's."""

    def cases(maker, version, dtype):
        if dtype == object or operator == "Div" and isInteger(dtype):
            return
        if operator == "Pow" and version == 13 and dtype.name == "bfloat16":
            return  # no exponent is one
        divides = operator in ("Div", "Pow")

        def make(*shape):
            if dtype == bool:
                return maker.tensor(bool, *shape)
            return maker.small(dtype, *shape, low=1 if divides else -3, high=5)

        def result(x, y):
            if dtype == bool:
                return BINARY[operator](x, y).astype(bool)
            value = BINARY[operator](wide(x), wide(y))
            return value.astype(bool) if operator in ("Equal", "Greater", "Less") else narrow(value, dtype)

        bounds = ROUNDED if divides else (0, 0.0)
        x = make(2, 3, 4)
        if version < 7:
            for shape, axis in (((3, 4), None), ((4,), None), ((3,), 1), ((2, 3), 0), ((2,), 0), ((1,), None), ((), None)):
                y = make(*shape)
                at = 3 - len(shape) if axis is None else axis
                aligned = y.reshape(shape + (1,) * (3 - at - len(shape)))
                attributes = {"broadcast": 1} | ({} if axis is None else {"axis": axis})
                yield [x, y], attributes, [result(x, aligned)], bounds
            y = make(2, 3, 4)
            yield [x, y], {}, [result(x, y)], bounds
        else:
            for left, right in (((2, 3, 4), (3, 1)), ((1, 4), (2, 3, 1)), ((), (2, 2)), ((3, 0), (1,)), ((2, 1), (1, 0))):
                a, b = make(*left), make(*right)
                yield [a, b], {}, [result(a, b)], bounds

    return cases


def variadic(operator):
    def cases(maker, version, dtype):
        shapes = [(2, 3)] * 3 if version < 8 else [(2, 1), (3,), ()]
        parts = [maker.small(dtype, *shape) for shape in shapes]
        a, b, c = map(wide, parts)
        value = {
            "Max": lambda: np.maximum(np.maximum(a, b), c),
            "Min": lambda: np.minimum(np.minimum(a, b), c),
            "Sum": lambda: a + b + c,
            "Mean": lambda: (a + b + c) / np.longdouble(3),
        }[operator]()
        yield parts, {}, [narrow(value, dtype)], (1, 2e-15) if operator == "Mean" else (0, 0.0)
        yield parts[:1], {}, [parts[0]]

    return cases


OPERATORS = {
    **{operator: reductions(operator.removeprefix("Reduce")) for operator in sorted(t.REDUCTIONS)},
    "ArgMax": argReduction(True),
    "ArgMin": argReduction(False),
    "TopK": topK,
    "CumSum": cumulative("sum"),
    "CumProd": cumulative("product"),
    "Softmax": softmaxLike("soft"),
    "LogSoftmax": softmaxLike("log"),
    "Hardmax": softmaxLike("hard"),
    "MatMul": matMul,
    "Gemm": gemm,
    "ScatterElements": scatterReductions(True),
    "ScatterND": scatterReductions(False),
    **{operator: binary(operator) for operator in BINARY},
    **{operator: variadic(operator) for operator in ("Max", "Min", "Sum", "Mean")},
}


BEFORE_13 = "before version 13 the input is a matrix, cut at the axis"
WRONG = {
    ("runtime", "ReduceLogSumExp"): "cuts off each exponential of an integer",
    ("runtime", "ReduceSum"): "sums integers of 64 bits as doubles",
    ("runtime", "ReduceSumSquare"): "saturates where integers wrap",
    ("reference", "Gemm"): "computes float16 with alpha in float32",
    ("reference", "Hardmax"): BEFORE_13,
    ("reference", "LogSoftmax"): BEFORE_13,
    ("reference", "Softmax"): BEFORE_13,
    ("reference", "ReduceSumSquare"): "widens integers to 64 bits",
}


test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, lambda _, schema: typesOf(schema, 0), least=3000, wrong=WRONG
)
