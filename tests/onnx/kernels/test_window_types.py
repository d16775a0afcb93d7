# SPDX-License-Identifier: Apache-2.0
"""Pooling, unpooling and Col2Im in every version (those before opset 7 too, which no runtime has) and element type, against
loops over the windows. More geometry, against ONNX Runtime: test_windows.py. --long: ten seeds.
"""

import numpy as np

from onnxfold_types import i64, isInteger, tableTests, typesOf

ROUNDED = (1, 2e-15)
KERNEL, STRIDES, PADS = (2, 3), (2, 1), (1, 1, 0, 1)


def windows(x):
    """For each place of the result of pooling (n, c, h, w): the elements of x that the window meets, and where they are."""
    height, width = x.shape[2:]
    rows = (height + PADS[0] + PADS[2] - KERNEL[0]) // STRIDES[0] + 1
    columns = (width + PADS[1] + PADS[3] - KERNEL[1]) // STRIDES[1] + 1
    result = np.empty((*x.shape[:2], rows, columns), object)
    for n, c, i, j in np.ndindex(result.shape):
        top, left = i * STRIDES[0] - PADS[0], j * STRIDES[1] - PADS[1]
        places = [
            (h, w)
            for h in range(max(top, 0), min(top + KERNEL[0], height))
            for w in range(max(left, 0), min(left + KERNEL[1], width))
        ]
        result[n, c, i, j] = [(x[n, c, h, w], h, w) for h, w in places]
    return result


def pooled(x, function, dtype):
    cells = windows(x)
    values = np.array([float(function([np.longdouble(float(v)) for v, _, _ in cell])) for cell in cells.reshape(-1)])
    return values.reshape(cells.shape).astype(dtype)


GEOMETRY = {"kernel_shape": list(KERNEL), "strides": list(STRIDES), "pads": list(PADS)}


def averagePool(maker, version, dtype):
    x = maker.real(dtype, 2, 2, 5, 6)
    yield [x], GEOMETRY, [pooled(x, lambda v: sum(v) / len(v), dtype)], ROUNDED
    if version >= 7:
        yield [x], {**GEOMETRY, "count_include_pad": 1}, [pooled(x, lambda v: sum(v) / 6, dtype)], ROUNDED


def maxPool(maker, version, dtype):
    x = maker.small(dtype, 2, 2, 5, 6) if isInteger(dtype) else maker.real(dtype, 2, 2, 5, 6)
    values = pooled(x, max, dtype)
    if version < 8:
        yield [x], GEOMETRY, [values]
        return
    cells, plane = windows(x), 30
    for order in (0, 1):
        at = np.empty(cells.shape, np.int64)
        for n, c, i, j in np.ndindex(cells.shape):
            best, h, w = max(cells[n, c, i, j], key=lambda one: (float(one[0]), -one[1] * 6 - one[2]))
            at[n, c, i, j] = (n * 2 + c) * plane + (w * 5 + h if order else h * 6 + w)
        yield [x], {**GEOMETRY, "storage_order": order}, [values, at]


def lpPool(maker, version, dtype):
    x = maker.real(dtype, 2, 2, 5, 6)
    for p in (1, 2, 3):
        power = np.longdouble(p)
        want = pooled(x, lambda v: sum(abs(e) ** power for e in v) ** (1 / power), dtype)
        yield [x], {**GEOMETRY, "p": float(p) if version == 1 else p}, [want], ROUNDED


def globalPool(function, power=False, offset=0.0):
    def cases(maker, version, dtype):
        x = (maker.real(dtype, 2, 3, 4, 5) + np.array(offset, dtype)).astype(dtype)
        planes = x.astype(np.float64).astype(np.longdouble).reshape(2, 3, -1)
        for p in (1, 2, 3) if power else (None,):
            want = function(planes, p).reshape(2, 3, 1, 1).astype(np.float64).astype(dtype)
            attributes = {} if p is None else {"p": float(p) if version == 1 else p}
            yield [x], attributes, [want], ROUNDED

    return cases


def maxUnpool(maker, version, dtype):
    x = maker.real(dtype, 1, 2, 2, 2)
    at = i64([[0, 3], [9, 10]], [[16 + 5, 16 + 2], [16 + 8, 16 + 15]]).reshape(1, 2, 2, 2)
    want = np.zeros((1, 2, 4, 4), dtype)
    want.reshape(-1)[at.reshape(-1)] = x.reshape(-1)
    attributes = {"kernel_shape": [2, 2], "strides": [2, 2]}
    yield [x, at], attributes, [want]
    larger = np.zeros((1, 2, 5, 5), dtype)
    larger[:, :, :4, :4] = want
    yield [x, at, i64(1, 2, 5, 5)], attributes, [larger]


def col2Im(maker, version, dtype):
    if dtype == object:
        return
    block, strides, pads, dilations, image = (2, 2), (1, 2), (0, 1, 1, 0), (1, 2), (4, 5)
    extent = [dilations[d] * (block[d] - 1) + 1 for d in range(2)]
    counts = [(image[d] + pads[d] + pads[d + 2] - extent[d]) // strides[d] + 1 for d in range(2)]
    make = maker.tensor if isInteger(dtype) or dtype == bool else maker.small
    x = make(dtype, 1, 2 * 4, counts[0] * counts[1])
    whole = isInteger(dtype) or dtype == bool
    want = np.zeros((1, 2, *image), object if whole else np.complex128)
    for c, bi, bj, i, j in np.ndindex(2, *block, *counts):
        h, w = i * strides[0] - pads[0] + bi * dilations[0], j * strides[1] - pads[1] + bj * dilations[1]
        if 0 <= h < image[0] and 0 <= w < image[1]:
            value = x[0, c * 4 + bi * 2 + bj, i * counts[1] + j]
            want[0, c, h, w] += int(value) if whole else complex(value)
    attributes = {"strides": list(strides), "pads": list(pads), "dilations": list(dilations)}
    if dtype == bool:
        result = want.astype(bool)
    elif whole:
        bits = np.array([v % 2 ** (8 * dtype.itemsize) for v in want.reshape(-1)], np.uint64)
        result = bits.astype(f"u{dtype.itemsize}").view(dtype).reshape(want.shape)
    else:
        result = want.astype(dtype) if dtype.kind == "c" else want.real.astype(dtype)
    yield [x, i64(*image), i64(*block)], attributes, [result]


OPERATORS = {
    "AveragePool": averagePool,
    "MaxPool": maxPool,
    "LpPool": lpPool,
    # An offset, because evaluators add in the element type: the sum must not cancel.
    "GlobalAveragePool": globalPool(lambda planes, _: planes.mean(-1), offset=4.0),
    "GlobalMaxPool": globalPool(lambda planes, _: planes.max(-1)),
    "GlobalLpPool": globalPool(lambda planes, p: (abs(planes) ** p).sum(-1) ** (1 / np.longdouble(p)), power=True),
    "MaxUnpool": maxUnpool,
    "Col2Im": col2Im,
}


WRONG = {
    ("runtime", "MaxUnpool"): "with output_shape indices count in the output, not in what strides and kernel give",
    ("reference", "AveragePool"): "in version 1 counts padding",
}


test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, lambda _, schema: typesOf(schema, 0), least=150, wrong=WRONG
)
