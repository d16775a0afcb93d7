# SPDX-License-Identifier: Apache-2.0
"""Resizing, sampling and choosing boxes at random, in every version and element type, against independent evaluators.

The formulas of Resize's text with exact coordinates; the ONNX reference evaluator where it has the operator (it runs the
newest definition: modes are renamed for it); ONNX Runtime where it is right. Grids are binary fractions, as are what lengths
are multiplied by where those two are asked, so that nearest has the same ties for all.
--long: twenty times as many.
"""

from collections import Counter
from fractions import Fraction
from math import ceil, floor

import ml_dtypes
import numpy as np
import pytest

import onnxfold_compare as compare
import onnxfold_oracles as oracles
import onnxfold_testing as t
import onnxfold_types as types
from onnxfold_opsets import OpsetRuns, RandomCases

F16, F32, F64, BF16 = (np.dtype(kind) for kind in (np.float16, np.float32, np.float64, ml_dtypes.bfloat16))
INTEGERS = [np.dtype(kind) for kind in "bBhHiIqQ"]
VERSIONS = {
    "Upsample": (7, 9),
    "Resize": (10, 11, 13, 18, 19),
    "GridSample": (16, 20, 22),
    "AffineGrid": (20,),
    "CenterCropPad": (18,),
    "NonMaxSuppression": (10, 11),
}
# (ulps, part of the largest): the reference's cubic weights and its GridSample, and all of ONNX Runtime's, are f32.
BOUND, CUBIC, RUNTIME = (2, 1e-6), (2, 1e-5), (2, 1e-5)
COORDINATES = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_crop_and_resize"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def one(self, values):
        return values[self.integer(0, len(values) - 1)]

    def tensor(self, shape, dtype):
        low = 0 if dtype.kind == "u" else -100
        return self.random.integers(low, 100, shape).astype(F32).astype(dtype)

    def lengths(self, rank, values=(1, 2, 4, 8)):
        return [self.one(values) for _ in range(rank)]

    def upsample(self, opset, dtype):
        x = self.tensor(self.lengths(2), dtype)
        scales = [float(self.one([1, 1.5, 2, 3])) for _ in range(2)]
        mode = self.one(["nearest", "linear"] if dtype == F32 else ["nearest"])
        attributes = {"mode": mode}
        if opset == 7:
            return [x], attributes | {"scales": scales}
        return [x, np.array(scales, F32)], attributes

    def resize10(self, dtype):
        x = self.tensor(self.lengths(2), dtype)
        scales = [float(self.one([0.5, 1, 1.5, 2])) for _ in range(2)]
        return [x, np.array([max(s, 1 / n) for s, n in zip(scales, x.shape)], F32)], {"mode": self.one(["nearest", "linear"])}

    def options(self, opset):
        """Attributes of Resize from version 11 on, which go together."""
        mode = self.one(["nearest", "linear", "cubic"])
        attributes = {"mode": mode, "nearest_mode": self.one(NEAREST)}
        modes = COORDINATES + ["half_pixel_symmetric"] * (opset >= 19) + ["tf_half_pixel_for_nn"] * (opset < 18)
        attributes["coordinate_transformation_mode"] = self.one(modes)
        if mode == "cubic":
            attributes |= {"cubic_coeff_a": self.one([-0.75, -0.5]), "exclude_outside": self.integer(0, 1)}
        if opset >= 18 and mode != "nearest":
            attributes["antialias"] = self.integer(0, 1)
        if "crop" in attributes["coordinate_transformation_mode"]:
            attributes["extrapolation_value"] = float(self.integer(-10, 10))
        return attributes

    def resize(self, opset, dtype):
        attributes = self.options(opset)
        crop = "crop" in attributes["coordinate_transformation_mode"]
        coordinates = attributes["coordinate_transformation_mode"]
        x = self.tensor(self.lengths(self.integer(1, 3), range(1, 10)), dtype)
        axes = list(range(x.ndim))
        if opset >= 18 and self.random.random() < 0.5:
            axes = [int(a) for a in self.random.permutation(x.ndim)[: self.integer(1, x.ndim)]]
            attributes["axes"] = axes
        nothing = roi = np.array([], F32) if opset < 13 else None
        if coordinates == "tf_crop_and_resize":
            sizes = [self.one([1, 2, 3, 5, 9]) for _ in axes]
            roi = np.array([self.integer(-2, 8) for _ in axes * 2], F32) / 8
            return [x, roi, nothing, np.array(sizes, np.int64)], attributes
        if self.random.random() < 0.5:
            reachesBeyond = coordinates == "align_corners"  # where a length was rounded up: all elements are excluded
            if opset >= 18 and self.random.random() < 0.5 and not (reachesBeyond and attributes.get("exclude_outside")):
                attributes["keep_aspect_ratio_policy"] = self.one(["not_larger", "not_smaller"])
            return [x, roi, nothing, np.array([self.integer(1, 10) for _ in axes], np.int64)], attributes
        low = 1 if coordinates == "pytorch_half_pixel" else 0.25
        scales = [max(self.integer(1, 12) / 4, low, 1 / x.shape[a]) for a in axes]
        return [x, roi, np.array(scales, F32)], attributes

    def gridSample(self, opset, dtype):
        rank = 2 if opset < 20 else self.integer(1, 3)
        modes = ["nearest", "bilinear", "bicubic"] if opset < 20 else ["nearest", "linear", "cubic"]
        x = self.tensor([2, 2, *self.lengths(rank, (2, 4, 8))], dtype)  # the reference divides by a length less one
        grid = self.random.integers(-24, 25, [2, *[self.integer(1, 3) for _ in range(rank)], rank]) / 16
        attributes = {"mode": self.one(modes), "padding_mode": self.one(["zeros", "border", "reflection"])}
        return [x, grid.astype(self.one([F32, F64, F16]))], attributes | {"align_corners": self.integer(0, 1)}

    def make(self, operator, opset, dtype):
        """([input tensors], attributes)"""
        if operator == "Upsample":
            return self.upsample(opset, dtype)
        if operator == "Resize":
            return self.resize10(dtype) if opset == 10 else self.resize(opset, dtype)
        if operator == "GridSample":
            return self.gridSample(opset, dtype)
        if operator == "AffineGrid":
            rank = self.integer(2, 3)
            theta = self.random.integers(-8, 9, (2, rank, rank + 1)) / 8
            size = [2, 3, *[self.integer(2, 5) for _ in range(rank)]]
            return [theta.astype(dtype), np.array(size, np.int64)], {"align_corners": self.integer(0, 1)}
        if operator == "CenterCropPad":
            x = self.tensor([self.integer(0, 6) for _ in range(3)], dtype)
            axes = [int(a) for a in self.random.permutation(3)[: self.integer(1, 3)]]
            sizes = np.array([self.integer(0, 8) for _ in axes], self.one([np.int32, np.int64]))
            return [x, sizes], {"axes": [a - 3 * self.integer(0, 1) for a in axes]}
        boxes, classes = self.integer(1, 12), self.integer(1, 3)
        corners = self.random.uniform(-1, 1, (2, boxes, 4)).astype(F32)
        scores = self.random.integers(0, 20, (2, classes, boxes)).astype(F32) / 8 + F32.type(0.01)
        thresholds = [np.array([self.integer(0, 8) / part], F32) for part in (8, 4)]
        return [corners, scores, np.array([self.integer(0, 5)]), *thresholds], {"center_point_box": self.integer(0, 1)}


def typesOf(operator, opset):
    if operator == "NonMaxSuppression":
        return [F32]
    if operator == "AffineGrid":
        return [F16, F32, F64, BF16]
    if operator == "CenterCropPad":
        return [F16, F32, F64, BF16, *INTEGERS]
    if operator == "Upsample" or opset == 10:
        return [F32, np.dtype(np.int32)]
    return [F16, F32, F64, *INTEGERS] + [BF16] * (opset >= (13 if operator == "Resize" else 22))


def cases(seed, count):
    """(opset, operator, inputs, attributes)"""
    maker = Maker(seed)
    for operator, versions in VERSIONS.items():
        for opset in versions:
            for dtype in typesOf(operator, opset):
                for _ in range(count):
                    yield opset, operator, *maker.make(operator, opset, dtype)


def resizedAxes(case):
    """[(axis, length, width before it is rounded to that, start and end of the region)], as fractions."""
    x, attributes = case[2][0], case[3]
    axes = attributes.get("axes", range(x.ndim))
    regions = [(Fraction(0), Fraction(1))] * len(axes)
    if attributes["coordinate_transformation_mode"] == "tf_crop_and_resize":
        bounds = [Fraction(float(bound)) for bound in case[2][1]]
        regions = list(zip(bounds[: len(axes)], bounds[len(axes) :]))
    if len(case[2]) == 3:
        # A scale that is the ratio of two lengths, rounded to f32, means that ratio.
        lengths = [(x.shape[a], floor(Fraction(float(scale)) * x.shape[a]), scale) for a, scale in zip(axes, case[2][2])]
        widths = [Fraction(m) if F32.type(m / n) == scale else Fraction(float(scale)) * n for n, m, scale in lengths]
        return [(a, floor(width), width, *region) for a, width, region in zip(axes, widths, regions)]
    sizes = [Fraction(int(size)) for size in case[2][3]]
    policy = attributes.get("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch":
        scale = (min if policy == "not_larger" else max)(size / x.shape[a] for a, size in zip(axes, sizes))
        sizes = [scale * x.shape[a] for a in axes]
    return [(a, floor(size + Fraction(1, 2)), size, *region) for a, size, region in zip(axes, sizes, regions)]


def originalCoordinate(mode, i, n, m, width, start, end):
    half = Fraction(1, 2)
    halfPixel = (i + half) * n / width - half
    crop = start * (n - 1) + i * (end - start) * (n - 1) / max(m - 1, 1) if m > 1 else (start + end) * (n - 1) / 2
    return {
        "half_pixel": halfPixel,
        "half_pixel_symmetric": Fraction(n, 2) * (1 - m / width) + halfPixel,
        "pytorch_half_pixel": halfPixel if m > 1 else Fraction(0),
        "align_corners": i * (n - 1) / (width - 1) if m > 1 else Fraction(0),
        "asymmetric": i * n / width,
        "tf_half_pixel_for_nn": (i + half) * n / width,
        "tf_crop_and_resize": crop,
    }[mode]


def cubic(distance, a):
    d = abs(distance)
    return (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * (d**3 - 5 * d**2 + 8 * d - 4) if d < 2 else 0


def weightsOf(x, n, width, attributes):
    """What each of n elements weighs at coordinate x; None if all are excluded."""
    weights = np.zeros(n)
    if attributes["mode"] == "nearest":
        half = Fraction(1, 2)
        rules = {"floor": floor(x), "ceil": ceil(x), "round_prefer_floor": ceil(x - half), "round_prefer_ceil": floor(x + half)}
        weights[min(max(rules[attributes["nearest_mode"]], 0), n - 1)] = 1
        return weights
    stretch = max(Fraction(1), n / width) if attributes.get("antialias") else Fraction(1)
    a = Fraction(attributes.get("cubic_coeff_a", -0.75))
    for i in range(floor(x - 2 * stretch), ceil(x + 2 * stretch) + 1):
        distance = (i - x) / stretch
        weight = cubic(distance, a) if attributes["mode"] == "cubic" else max(0, 1 - abs(distance))
        if 0 <= i < n or not attributes.get("exclude_outside"):
            weights[min(max(i, 0), n - 1)] += float(weight)
    if attributes.get("antialias") or attributes.get("exclude_outside"):
        if not weights.any():
            return None
        weights /= weights.sum()
    return weights


def byText(case):
    """Resize from version 11 on by the formulas of its text, with exact coordinates; "kept" where all is excluded, half a
    pixel would shift an axis that does not change, or nothing changes although it should."""
    if case[1] != "Resize" or case[0] == 10:
        return None
    x, attributes = case[2][0].astype(F64), case[3]
    mode, outside = attributes["coordinate_transformation_mode"], []
    axes = resizedAxes(case)
    isCopy = mode != "tf_crop_and_resize" and all(a[1] == x.shape[a[0]] for a in axes)
    if isCopy and any(1 < a[1] != a[2] for a in axes):
        return "kept"
    for axis, m, width, start, end in axes:
        n = x.shape[axis]
        coordinates = [originalCoordinate(mode, i, n, m, width, start, end) for i in range(m)]
        extrapolated = [i for i, c in enumerate(coordinates) if mode == "tf_crop_and_resize" and not 0 <= c <= n - 1]
        rows = [np.zeros(n) if i in extrapolated else weightsOf(c, n, width, attributes) for i, c in enumerate(coordinates)]
        unchanged = mode == "tf_half_pixel_for_nn" and width == n
        isIdentity = attributes["mode"] == "nearest" and attributes["nearest_mode"] in ("floor", "round_prefer_floor")
        if any(row is None for row in rows) or (unchanged and not isIdentity):
            return "kept"
        x = np.moveaxis(np.tensordot(np.array(rows).reshape(m, n), x, (1, axis)), 0, axis)
        outside.append((axis, extrapolated))
    for axis, positions in outside:
        x[(slice(None),) * axis + (positions,)] = attributes.get("extrapolation_value", 0)
    dtype = case[2][0].dtype
    if dtype.kind in "iu":
        x = np.clip(x, np.iinfo(dtype).min, np.iinfo(dtype).max)
    return x if dtype.kind in "iu" and attributes["mode"] != "nearest" else x.astype(dtype)


def isExact(x):
    """No coordinate of an axis of this length is rounded."""
    return all(n in (1, 2, 4, 8) for n in x.shape)


def ofReference(case):
    opset, operator, inputs, attributes = case
    if operator == "Upsample" or (operator == "Resize" and opset == 10):
        return None
    attributes = {name: value.removeprefix("bi") if name == "mode" else value for name, value in attributes.items()}
    dtype = inputs[0].dtype
    if operator == "Resize":
        # It (1.23) takes wrong elements where a coordinate is a rounding error beside one; 0 is -0.5 for it where
        # pytorch_half_pixel makes a length 1.
        mode = attributes["coordinate_transformation_mode"]
        if not isExact(inputs[0]) or mode in ("tf_crop_and_resize", "tf_half_pixel_for_nn"):
            return None
        if mode == "pytorch_half_pixel" and any(a[1] == 1 for a in resizedAxes(case)):
            return None
    interpolates = operator == "Resize" and attributes["mode"] != "nearest"
    if dtype == BF16 or (operator == "GridSample" and dtype != F32) or (interpolates and dtype.kind in "iu"):
        inputs = [inputs[0].astype(F64), *inputs[1:]]  # it would round its weights, and what we compare with
    newest = {"GridSample": 20, "Resize": 19}.get(operator, opset)
    (got,) = oracles.referenceResults(max(opset, newest), operator, inputs, attributes)
    if operator == "NonMaxSuppression" or (interpolates and dtype.kind in "iu"):
        return got
    if dtype == BF16 or dtype.kind == "f":
        return got.astype(dtype)
    if operator == "GridSample":  # what is outside is kept
        bounds = np.iinfo(dtype)
        if got.size and (got.max() >= bounds.max or got.min() <= bounds.min - 1):
            return "kept"
        return np.trunc(got).astype(dtype)
    return got


def ofRuntime(case):
    opset, operator, inputs, attributes = case
    mode, coordinates = attributes.get("mode"), attributes.get("coordinate_transformation_mode")
    legacy = operator == "Upsample" or (operator == "Resize" and opset == 10)
    if inputs[0].dtype != F32 and not (legacy and mode == "nearest") or operator in ("AffineGrid", "CenterCropPad"):
        return None
    # It rounds lengths before it scales, takes the regions of two dimensions for others, has another filter at some edges,
    # and brings the neighbours of points to the border, not the points.
    if attributes.get("antialias") or coordinates in ("align_corners", "tf_crop_and_resize"):
        return None
    if mode in ("cubic", "bicubic") and attributes.get("padding_mode") == "border":
        return None
    if operator == "GridSample" and inputs[1].dtype != F32 or (mode == "nearest" and not isExact(inputs[0])):
        return None
    try:
        return oracles.runtimeResults(min(opset, 20) if operator == "GridSample" else opset, operator, inputs, attributes)[0]
    except Exception:  # not implemented
        return None


def differenceText(case, got, want, bound):
    if case[1] in ("NonMaxSuppression", "CenterCropPad") or case[3].get("mode") == "nearest":
        return compare.differenceText(got, want)
    if got.dtype == F64:  # no more is known
        got, want = got.astype(F32), want.astype(F32)
    if case[1] == "Resize" and got.dtype.kind in "iu":  # not further from what is not rounded than a half
        want = np.clip(want, np.iinfo(got.dtype).min, np.iinfo(got.dtype).max)
        isNear = got.shape == want.shape and np.max(np.abs(got - want), initial=0) <= 0.501
        return "" if isNear else compare.differenceText(got.astype(F64), want)
    if case[3].get("mode") in ("cubic", "bicubic"):
        bound = CUBIC
    return compare.differenceText(got, want, *bound)


def isDisputed(case, want):
    """ONNX Runtime truncates integers between which Resize interpolates, and the evaluator rounds them: they stay."""
    isInterpolated = case[1] == "Resize" and case[2][0].dtype.kind in "iu" and case[3].get("mode", "nearest") != "nearest"
    return isInterpolated and bool(np.any(np.abs(want - np.rint(want)) > 1e-5))


def checkOpset(opset, mine, folder, compared):
    problems = []
    for case, (got,) in zip(mine, types.foldAll(opset, [(*case[1:], 1) for case in mine], folder)):
        for oracle, bound in ((byText, BOUND), (ofReference, BOUND), (ofRuntime, RUNTIME)):
            want = oracle(case)
            if want is None:
                continue
            compared[case[1]] += 1
            if isinstance(want, str) or isDisputed(case, want):
                text = "" if got is None else "folds"
            else:
                text = "does not fold" if got is None else differenceText(case, got, want, bound)
            if text:
                inputs = " ".join(f"{x.dtype}{list(x.shape)}" for x in case[2] if x is not None)
                problems.append(f"{case[1]} of {inputs} {case[3]} {oracle.__name__}: {text}")
            if isinstance(want, str):
                break
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:10])


# Counts how often an operator was compared.
runs = OpsetRuns(VERSIONS, lambda: cases(t.options.seed, 120 if t.options.long else 6))


@pytest.mark.parametrize("opset", runs.opsets)
def test_opset(opset, folder):
    runs.run(opset, checkOpset, folder)


def test_most_were_compared():
    runs.needAll()
    total = Counter(case[1] for case in runs.everything())
    few = {name: f"{runs.counts[name]} of {total[name]}" for name in total if runs.counts[name] < total[name] * 3 // 4}
    assert not few, f"few were compared: {few}"
