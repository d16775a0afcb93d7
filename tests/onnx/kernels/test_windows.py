# SPDX-License-Identifier: Apache-2.0
"""Pooling and convolution of random geometry, in every version and element type, against ONNX Runtime.

Inputs are small whole numbers, so that every sum is exact in every order and a result can differ only by the last rounding
(means and norms: BOUNDS). ONNX Runtime runs the same node in f32, or in the quantised types; its result is rounded to the
element type. What it refuses is counted, and must be few. --long: twenty times as many.
"""

from collections import Counter

import ml_dtypes
import numpy as np
import pytest

import onnxfold_compare as compare
import onnxfold_oracles as oracles
import onnxfold_testing as t
import onnxfold_types as types
from onnxfold_opsets import OpsetRuns, RandomCases

FLOATS = [np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)]
BF16 = np.dtype(ml_dtypes.bfloat16)
BYTES = [np.dtype(np.int8), np.dtype(np.uint8)]
VERSIONS = {
    "AveragePool": (7, 10, 11, 19, 22),
    "MaxPool": (7, 8, 10, 11, 12, 22),
    "LpPool": (7, 11, 18, 22),
    "Conv": (7, 11, 22),
    "ConvTranspose": (7, 11, 22),
    "ConvInteger": (10,),
    "QLinearConv": (10,),
    "MatMulInteger": (10,),
    "GlobalAveragePool": (7, 22),
    "GlobalMaxPool": (7, 22),
    "GlobalLpPool": (7, 22),
    "MaxRoiPool": (7, 22),
    "QLinearMatMul": (10, 21),
    "RoiAlign": (10, 16, 22),
    "DeformConv": (19, 22),
}
# (ulps, part of the largest): runtimes multiply by the reciprocal of a count, and take roots and interpolate in f32.
BOUNDS = {"AveragePool": (1, 0), "LpPool": (2, 0), "GlobalAveragePool": (2, 0), "GlobalLpPool": (2, 0), "RoiAlign": (4, 1e-6)}

# What ONNX Runtime has of operators that mean the same in all versions.
NEWEST = {"GlobalLpPool": 7, "MaxRoiPool": 7, "RoiAlign": 16, "DeformConv": 19, "QLinearMatMul": 10}


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def tensor(self, shape, dtype):
        low = 0 if dtype.kind == "u" else -4
        return self.random.integers(low, 5, shape).astype(np.float32).astype(dtype)

    def geometry(self, kernel, dilated, sizes):
        """Attributes of windows that fit, padded by less than the kernel (runtimes refuse more)."""
        rank = len(kernel)
        attributes = {"kernel_shape": kernel, "strides": self.integers(rank, 1, 3)}
        dilations = self.integers(rank, 1, 2) if dilated else [1] * rank
        if dilated:
            attributes["dilations"] = dilations
        if self.random.random() < 0.3 and max(dilations) == 1:
            isWide = all(s <= k for k, s in zip(kernel, attributes["strides"]))  # else padding is negative
            attributes["auto_pad"] = str(self.random.choice(["SAME_UPPER", "SAME_LOWER"] * isWide + ["VALID"]))
        elif self.random.random() < 0.6:
            attributes["pads"] = [self.integer(0, k - 1) for k in kernel * 2]
        for d, (k, dilation) in enumerate(zip(kernel, dilations)):
            sizes[d] = max(sizes[d], (k - 1) * dilation + 1)
        return attributes

    def pooling(self, operator, opset, dtype):
        kernel = self.integers(self.integer(1, 3), 1, 3)
        dilated = opset >= {"AveragePool": 19, "MaxPool": 10, "LpPool": 18}[operator] and self.random.random() < 0.5
        sizes = self.integers(len(kernel), 2, 7)
        attributes = self.geometry(kernel, dilated, sizes)
        ceilSince = {"AveragePool": 10, "MaxPool": 10, "LpPool": 18}[operator]
        if opset >= ceilSince and "auto_pad" not in attributes and self.random.random() < 0.5:
            attributes["ceil_mode"] = 1
        if operator == "AveragePool":
            attributes["count_include_pad"] = self.integer(0, 1)
        if operator == "LpPool":
            attributes["p"] = self.integer(1, 3)
        if operator == "MaxPool" and opset >= 8 and len(kernel) == 2:
            attributes["storage_order"] = self.integer(0, 1)
        return [self.tensor([2, 2, *sizes], dtype)], attributes

    def convolution(self, dtype, weights, transposed=False):
        kernel = self.integers(self.integer(1, 3), 1, 3)
        sizes = self.integers(len(kernel), 2, 6)
        attributes = self.geometry(kernel, self.random.random() < 0.5, sizes)
        groups, channels, filters = self.integers(3, 1, 3)
        attributes["group"] = groups
        if transposed and attributes.get("auto_pad", "VALID") != "VALID":
            del attributes["auto_pad"]  # the sizes of runtimes and of the text differ where the kernel is small
        if transposed and self.random.random() < 0.3:
            attributes["output_padding"] = [self.integer(0, s - 1) for s in attributes["strides"]]
        x = self.tensor([2, groups * channels, *sizes], dtype)
        first, second = (groups * channels, filters) if transposed else (groups * filters, channels)
        return x, self.tensor([first, second, *kernel], weights), groups * filters, attributes

    def deformed(self, dtype):
        """Offsets are quarters: what is interpolated is exact."""
        kernel, (groups, channels, filters, offsetGroups) = self.integers(2, 1, 3), self.integers(4, 1, 2)
        strides, pads = self.integers(2, 1, 2), self.integers(4, 0, 1)
        sizes = [k + self.integer(0, 3) for k in kernel]
        out = [(sizes[d] + pads[d] + pads[d + 2] - kernel[d]) // strides[d] + 1 for d in range(2)]
        count = offsetGroups * kernel[0] * kernel[1]
        offset = (self.tensor([2, 2 * count, *out], np.dtype(np.float32)) / 4).astype(dtype)
        inputs = [self.tensor([2, groups * channels * offsetGroups, *sizes], dtype)]
        inputs += [self.tensor([groups * filters, channels * offsetGroups, *kernel], dtype), offset]
        inputs += [self.tensor([groups * filters], dtype), self.tensor([2, count, *out], dtype)]
        attributes = {"kernel_shape": kernel, "strides": strides, "pads": pads, "group": groups, "offset_group": offsetGroups}
        return inputs, attributes

    def make(self, operator, opset, dtype):
        """([input tensors], attributes)"""
        scalar = lambda value, kind: np.array(value).astype(kind)  # noqa: E731
        weights = BYTES[self.integer(0, 1)]
        if operator in ("AveragePool", "MaxPool", "LpPool"):
            return self.pooling(operator, opset, dtype)
        if operator in ("Conv", "ConvTranspose"):
            x, w, filters, attributes = self.convolution(dtype, dtype, operator == "ConvTranspose")
            return [x, w] + [self.tensor([filters], dtype)] * self.integer(0, 1), attributes
        if operator == "ConvInteger":
            x, w, filters, attributes = self.convolution(np.dtype(np.uint8), np.dtype(np.uint8))
            return [x, w, scalar(2, np.uint8), scalar(3, np.uint8)], attributes
        if operator == "QLinearConv":
            x, w, filters, attributes = self.convolution(np.dtype(np.uint8), weights)
            scales = [scalar(v, np.float32) for v in (0.5, 0.25, 2.0)]
            bias = self.random.integers(-50, 50, filters).astype(np.int32)
            tensors = [x, scales[0], scalar(2, np.uint8), w, scales[1], scalar(1, weights), scales[2], scalar(7, np.uint8)]
            return [*tensors, bias], attributes
        if operator == "MatMulInteger":
            m, k, n = self.integers(3, 1, 5)
            a, b = self.tensor([2, m, k], np.dtype(np.uint8)), self.tensor([k, n], weights)
            return [a, b, scalar(1, np.uint8), self.tensor([n], weights)], {}
        if operator == "QLinearMatMul":
            m, k, n = self.integers(3, 1, 5)
            a, b = self.tensor([2, m, k], np.dtype(np.uint8)), self.tensor([k, n], weights)
            scales = [scalar(v, np.float32) for v in (0.5, 0.25, 2.0)]
            return [a, scales[0], scalar(2, np.uint8), b, scales[1], scalar(1, weights), scales[2], scalar(7, np.uint8)], {}
        if operator == "DeformConv":
            return self.deformed(dtype)
        x = self.tensor([2, 3, *self.integers(2, 2, 6)], dtype)
        if operator == "RoiAlign":
            corners = self.random.integers(-2, 14, (4, 4)).astype(dtype)
            modes = {"coordinate_transformation_mode": str(self.random.choice(["half_pixel", "output_half_pixel"]))}
            height, width = (2 ** self.integer(0, 2) for _ in range(2))  # bins that f32 has no need to round
            attributes = {"output_height": height, "output_width": width, "spatial_scale": 0.5}
            attributes |= {"sampling_ratio": self.integer(0, 2), "mode": str(self.random.choice(["avg", "max"]))}
            return [x, corners, self.random.integers(0, 2, 4)], attributes | (modes if opset >= 16 else {})
        if operator == "MaxRoiPool":
            corners = np.sort(self.random.integers(0, 12, (4, 2, 2)), axis=1).reshape(4, 4)
            rois = np.concatenate([self.random.integers(0, 2, (4, 1)), corners], axis=1)
            return [x, rois.astype(dtype)], {"pooled_shape": self.integers(2, 1, 3), "spatial_scale": 0.5}
        return [x], {"p": self.integer(1, 3)} if operator == "GlobalLpPool" else {}


def typesOf(operator, opset):
    if operator in ("ConvInteger", "QLinearConv", "MatMulInteger", "QLinearMatMul"):
        return [np.dtype(np.uint8)]
    return FLOATS + [BF16] * (opset >= 22) + BYTES * (operator == "MaxPool" and opset >= 12)


def cases(seed, count):
    """(opset, operator, inputs, attributes, number of outputs)"""
    maker = Maker(seed)
    for operator, versions in VERSIONS.items():
        for opset in versions:
            for dtype in typesOf(operator, opset):
                for _ in range(count):
                    inputs, attributes = maker.make(operator, opset, dtype)
                    yield opset, operator, inputs, attributes, 2 if operator == "MaxPool" and opset >= 8 else 1


def startsInPadding(case):
    """Whether ceil_mode makes a window that starts in the padding at the end: before version 22 that is kept."""
    x, attributes = case[2][0], case[3]
    if case[0] >= 22 or not attributes.get("ceil_mode"):
        return False
    kernel, strides = attributes["kernel_shape"], attributes["strides"]
    rank = len(kernel)
    pads, dilations = attributes.get("pads", [0] * 2 * rank), attributes.get("dilations", [1] * rank)
    for d in range(rank):
        begin, padded = pads[d], pads[d] + x.shape[d + 2] + pads[d + rank]
        count = -(-(padded - (kernel[d] - 1) * dilations[d] - 1) // strides[d]) + 1
        if (count - 1) * strides[d] >= begin + x.shape[d + 2]:
            return True
    return False


def runtimeResult(case):
    """What ONNX Runtime makes of it, in f32 where the type is a float; None if it refuses."""
    opset, operator, inputs, attributes, outputs = case
    inputs = [x if x.dtype.kind in "iu" else x.astype(np.float32) for x in inputs]
    try:
        return oracles.runtimeResults(min(opset, NEWEST.get(operator, opset)), operator, inputs, attributes, outputs)
    except Exception:  # not implemented, or a geometry that it does not take
        return None


def checkOpset(opset, mine, folder, refused):
    problems = []
    for case, results in zip(mine, types.foldAll(opset, [case[1:] for case in mine], folder)):
        wanted = runtimeResult(case)
        if startsInPadding(case):
            if results[0] is not None:
                problems.append(f"{case[1]} {case[3]}: folds although a window starts in the padding")
            continue
        if wanted is None:
            refused[case[1]] += 1
            continue
        for i, (got, want) in enumerate(zip(results, wanted)):
            text = "does not fold"
            if got is not None:
                if case[1] in BOUNDS and got.dtype == np.float64:  # no more is known
                    got = got.astype(np.float32)
                text = compare.differenceText(got, want.astype(got.dtype), *BOUNDS.get(case[1], (0, 0)))
            if text:
                problems.append(f"{case[1]} of {case[2][0].dtype} {case[2][0].shape} {case[3]} output {i}: {text}")
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:10])


# Counts how often ONNX Runtime refused an operator.
runs = OpsetRuns(VERSIONS, lambda: cases(t.options.seed, 100 if t.options.long else 5))


@pytest.mark.parametrize("opset", runs.opsets)
def test_opset(opset, folder):
    runs.run(opset, checkOpset, folder)


def test_most_were_compared():
    runs.needAll()
    total = Counter(case[1] for case in runs.everything())
    few = {name: f"{runs.counts[name]} of {total[name]}" for name in total if runs.counts[name] > total[name] // 4}
    assert not few, f"ONNX Runtime refused {few}"
