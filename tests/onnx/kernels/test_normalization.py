# SPDX-License-Identifier: Apache-2.0
"""Normalisations and their losses of random inputs, in every version and element type, against three oracles.

  formula    the text of the operator, written down in numpy and computed in extended precision: f16 and f32 must be that,
             rounded once; bf16 to the last bit (ml_dtypes rounds twice), f64 but for the rounding of sums
  runtime    ONNX Runtime, in f32 and f64
  reference  the onnx package's reference evaluator, in f32 and f64
The last two compute in the element type itself, some by differences that cancel, so they see only inputs that are multiples of
1/8; BOUNDS. Where they do not do what the text says, `wrongReference` tells it. What they refuse is counted: REFUSED.
--long: twenty times as many.
"""


import ml_dtypes
import numpy as np
import pytest
import onnx
from onnx import TensorProto

import onnxfold_compare as compare
import onnxfold_oracles as oracles
import onnxfold_testing as t
import onnxfold_types as types
from onnxfold_opsets import OpsetRuns, RandomCases

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = {"tensor(float16)": np.float16, "tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(bfloat16)": BF16}
VERSIONS = {
    "BatchNormalization": (1, 6, 7, 9, 14, 15),
    "GroupNormalization": (18, 21),
    "InstanceNormalization": (1, 6, 22),
    "LRN": (1, 13),
    "LayerNormalization": (17,),
    "LpNormalization": (1, 22),
    "MeanVarianceNormalization": (9, 13),
    "RMSNormalization": (23,),
    "NegativeLogLikelihoodLoss": (12, 13, 22),
    "SoftmaxCrossEntropyLoss": (12, 13),
}
# (ulps, part of the largest element of inputs and result) by the type or the size of an element; BOUNDS: by the size of the
# type that oracles compute in.
FORMULA = {2: (0, 0), 4: (0, 0), 8: (8, 1e-15), BF16: (1, 0)}
BOUNDS = {2: (0, 2e-2), 4: (0, 1e-4), 8: (0, 1e-7)}
# What the oracles have of operators that mean the same in all versions.
NEWEST = {"InstanceNormalization": 6, "LpNormalization": 1, "NegativeLogLikelihoodLoss": 13}


def wrongReference(opset, operator, inputs, attributes):
    """What the evaluator does otherwise than the text."""
    if operator == "BatchNormalization":  # version 9 takes its attribute momentum for training; 1 to 7 have no `spatial`
        return opset < 14
    if operator == "LRN":  # it counts channels up to the batch size
        return inputs[0].shape[0] != inputs[0].shape[1]
    if operator == "LpNormalization":  # the sum of x, not of |x|
        return attributes["p"] == 1
    if operator == "NegativeLogLikelihoodLoss":  # an ignored -1 still counts in the mean
        return attributes.get("ignore_index") == -1 and len(inputs) == 2
    return False


def losesVariance(opset, operator, inputs, attributes):
    """What stays: the body has E[x^2] - E[x]^2 in f32, in which a variance far below the squared mean is noise."""
    x = inputs[0].astype(np.float64)
    if inputs[0].dtype == np.float64 or operator != "MeanVarianceNormalization":
        return False
    axes = tuple(attributes.get("axes", (0, 2, 3)))
    return bool(np.any(x.var(axes) <= 2.0**-16 * x.mean(axes) ** 2))


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def __init__(self, seed):
        super().__init__(seed)
        self.coarse = False

    def some(self, *values):
        return values[self.integer(0, len(values) - 1)]

    def shape(self, low, high):
        return [self.integer(1, 5) for _ in range(self.integer(low, high))]

    def tensor(self, shape, dtype):
        x = self.random.normal(0, 1.5, shape)
        return (np.round(x * 8) / 8 if self.coarse else x).astype(np.float32).astype(dtype)

    def epsilon(self):
        return {"epsilon": self.some(1e-5, 1e-2, 0.5)} if self.integer(0, 1) else {}

    def batchNormalization(self, opset, dtype):
        shape = self.shape(2, 4) if opset < 9 or self.integer(0, 4) else self.shape(1, 1)
        attributes = self.epsilon() | ({"is_test": 1} if opset < 7 else {})
        attributes |= {"consumed_inputs": [0, 0, 0, 1, 1]} if opset < 6 else {}
        parameters = [shape[1]] if len(shape) > 1 else [1]
        if opset < 9 and self.integer(0, 1):
            attributes["spatial"] = 0
            parameters = shape[1:]
        types = [dtype] * 4
        if opset >= 14:
            types[2] = types[3] = self.some(*FLOATS.values())
        if opset >= 15:
            types[0] = types[1] = self.some(*FLOATS.values())
        inputs = [self.tensor(parameters, kind) for kind in types]
        inputs[3] = np.abs(inputs[3])
        return [self.tensor(shape, dtype), *inputs], attributes, 1

    def groupNormalization(self, opset, dtype):
        groups, shape = self.integer(1, 3), self.shape(2, 5)
        shape[1] = groups * self.integer(1, 3)
        parameters = [groups if opset < 21 else shape[1]]
        attributes = self.epsilon() | {"num_groups": groups}
        if opset >= 21 and self.integer(0, 2) == 0:
            attributes["stash_type"] = int(TensorProto.FLOAT)
        return [self.tensor(s, dtype) for s in (shape, parameters, parameters)], attributes, 1

    def instanceNormalization(self, opset, dtype):
        shape = self.shape(3, 5)
        return [self.tensor(s, dtype) for s in (shape, shape[1:2], shape[1:2])], self.epsilon(), 1

    def lRN(self, opset, dtype):
        attributes = {"size": self.integer(1, 9), "alpha": self.some(1e-4, 0.5)}
        attributes |= {"beta": self.some(0.75, 2.0), "bias": self.some(1.0, 2.5)}
        shape = self.shape(4, 4) if self.integer(0, 1) else self.shape(2, 5)
        return [self.tensor(shape, dtype)], attributes, 1

    def layerNormalization(self, opset, dtype):
        shape = self.shape(1, 4)
        axis = self.integer(-len(shape), len(shape) - 1)
        attributes = self.epsilon() | {"axis": axis, "stash_type": self.some(1, 1, 16)}
        inputs = [self.tensor(s, dtype) for s in (shape, shape[axis:], shape[axis:])]
        return inputs[: self.integer(2, 3)], attributes, self.integer(1, 3)

    def lpNormalization(self, opset, dtype):
        shape = self.shape(1, 4)
        attributes = {"axis": self.integer(-len(shape), len(shape) - 1), "p": self.integer(1, 2)}
        x = self.tensor(shape, dtype)
        return [x * np.zeros_like(x) if self.integer(0, 5) == 0 else x], attributes, 1

    def meanVarianceNormalization(self, opset, dtype):
        shape = [self.integer(2, 5) for _ in range(4)]
        some = [d for d in range(4) if self.integer(0, 1)] or [1]
        return [self.tensor(shape, dtype)], {"axes": some} if self.integer(0, 1) else {}, 1

    def rMSNormalization(self, opset, dtype):
        inputs, attributes, _ = self.layerNormalization(opset, dtype)
        attributes["stash_type"] = self.some(1, 1, 10, 11, 16)
        return inputs[:2], attributes, 1

    def loss(self, opset, dtype, outputs=1):
        shape = self.shape(2, 4)
        attributes = {"reduction": self.some("none", "sum", "mean", "mean")}
        target = self.random.integers(0, shape[1], shape[:1] + shape[2:])
        if self.integer(0, 1):
            ignored = self.some(-1, 0, 7)
            attributes["ignore_index"] = ignored
            target = np.where(self.random.random(target.shape) < 0.3, ignored, target)
            target.reshape(-1)[0] = shape[1] - 1 if ignored != shape[1] - 1 else -7  # not all are ignored ...
            if target.reshape(-1)[0] == -7:
                target.reshape(-1)[0] = ignored  # ... but for one class, which is then the ignored one
                attributes["reduction"] = self.some("none", "sum")
        weights = [np.abs(self.tensor(shape[1:2], dtype)) + np.array(0.5, dtype)] * self.integer(0, 1)
        return [self.tensor(shape, dtype), target.astype(self.some(np.int32, np.int64)), *weights], attributes, outputs

    def softmaxCrossEntropyLoss(self, opset, dtype):
        return self.loss(opset, dtype, self.integer(1, 2))

    def make(self, operator, opset, dtype):
        self.coarse = not self.coarse
        if operator == "NegativeLogLikelihoodLoss":
            return self.loss(opset, dtype)
        return getattr(self, operator[0].lower() + operator[1:])(opset, dtype)


# The operators' texts, in extended precision.


def epsilonOf(a):
    return np.longdouble(np.float32(a.get("epsilon", 1e-5)))


def aligned(vector, rank):
    return vector.reshape(-1, *[1] * (rank - 2)) if rank > 1 else vector


def standardised(x, axes, epsilon):
    mean = x.mean(axis=axes, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon), mean, 1 / np.sqrt(variance + epsilon)


def batchNormalization(opset, a, x, scale, b, mean, var):
    if a.get("spatial", 1):
        scale, b, mean, var = (aligned(v, x.ndim) for v in (scale, b, mean, var))
    return [(x - mean) / np.sqrt(var + epsilonOf(a)) * scale + b]


def groupNormalization(opset, a, x, scale, bias):
    groups = a["num_groups"]
    y = standardised(x.reshape(x.shape[0], groups, -1), 2, epsilonOf(a))[0]
    if opset >= 21:
        y = y.reshape(x.shape[0], x.shape[1], -1)
    return [(y * scale[:, None] + bias[:, None]).reshape(x.shape)]


def instanceNormalization(opset, a, x, scale, b):
    y = standardised(x, tuple(range(2, x.ndim)), epsilonOf(a))[0]
    return [y * aligned(scale, x.ndim) + aligned(b, x.ndim)]


def lrn(opset, a, x):
    size, channels, squares = a["size"], x.shape[1], np.zeros_like(x)
    for c in range(channels):
        first, last = max(0, c - (size - 1) // 2), min(channels - 1, c - (-(size - 1) // 2))
        squares[:, c] = (x[:, first : last + 1] ** 2).sum(axis=1)
    alpha, beta, bias = (np.longdouble(np.float32(a[name])) for name in ("alpha", "beta", "bias"))
    return [x / (bias + alpha / size * squares) ** beta]


def layerNormalization(opset, a, x, scale, b=0):
    y, mean, inverse = standardised(x, tuple(range(a["axis"] % x.ndim, x.ndim)), epsilonOf(a))
    return [y * scale + b, mean, inverse]


def lpNormalization(opset, a, x):
    norm = np.abs(x).sum(axis=a["axis"], keepdims=True) if a["p"] == 1 else np.sqrt((x**2).sum(axis=a["axis"], keepdims=True))
    with np.errstate(invalid="ignore"):
        return [np.where(norm == 0, 0, x / norm)]


def meanVarianceNormalization(opset, a, x):
    axes = tuple(a.get("axes", (0, 2, 3)))
    mean = x.mean(axis=axes, keepdims=True)
    deviation = np.sqrt(((x - mean) ** 2).mean(axis=axes, keepdims=True))
    return [(x - mean) / (deviation + np.longdouble(np.float32(1e-9)))]


def rmsNormalization(opset, a, x, scale):
    axes = tuple(range(a["axis"] % x.ndim, x.ndim))
    return [x / np.sqrt((x**2).mean(axis=axes, keepdims=True) + epsilonOf(a)) * scale]


def negativeLogLikelihoodLoss(opset, a, x, target, weight=None):
    used = target != a["ignore_index"] if "ignore_index" in a else np.ones(target.shape, bool)
    safe = np.where(used, target, 0)
    weights = np.where(used, np.longdouble(1) if weight is None else weight[safe], 0)
    loss = np.where(used, -np.take_along_axis(x, safe[:, None], 1)[:, 0] * weights, 0)
    if a["reduction"] == "none":
        return [loss]
    return [loss.sum() if a["reduction"] == "sum" else loss.sum() / weights.sum()]


def softmaxCrossEntropyLoss(opset, a, x, target, weight=None):
    shifted = x - x.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return [*negativeLogLikelihoodLoss(opset, a, logs, target, weight), logs]


FORMULAS = {
    "BatchNormalization": batchNormalization,
    "GroupNormalization": groupNormalization,
    "InstanceNormalization": instanceNormalization,
    "LRN": lrn,
    "LayerNormalization": layerNormalization,
    "LpNormalization": lpNormalization,
    "MeanVarianceNormalization": meanVarianceNormalization,
    "RMSNormalization": rmsNormalization,
    "NegativeLogLikelihoodLoss": negativeLogLikelihoodLoss,
    "SoftmaxCrossEntropyLoss": softmaxCrossEntropyLoss,
}


def cases(seed, count):
    """(opset, operator, inputs, attributes, number of outputs)"""
    maker = Maker(seed)
    for operator, versions in VERSIONS.items():
        for opset in versions:
            schema = onnx.defs.get_schema(operator, opset)
            names = next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T")
            for dtype in sorted((np.dtype(FLOATS[name]) for name in names), key=str):
                for _ in range(count):
                    yield opset, operator, *maker.make(operator, opset, dtype)


def outputType(case, index):
    _, operator, inputs, attributes, _ = case
    if operator == "LayerNormalization" and index > 0:
        return BF16 if attributes["stash_type"] == 16 else np.dtype(np.float32)
    return inputs[0].dtype


def runtimeResult(opset, operator, inputs, attributes, results):
    return oracles.runtimeResults(min(opset, NEWEST.get(operator, opset)), operator, inputs, attributes, results)


ORACLES = {"runtime": runtimeResult, "reference": oracles.referenceResults}
# (oracle, operator): the part of the cases that it may refuse.
REFUSED = {
    ("runtime", "BatchNormalization"): 0.7,  # mixed types, parameters for each element, vectors, versions 1 and 6
    ("runtime", "InstanceNormalization"): 0.7,  # only f32
    ("runtime", "LRN"): 1.0,  # only f32, rank 4, odd sizes
    ("runtime", "LayerNormalization"): 0.6,  # only stash type 1
    ("runtime", "MeanVarianceNormalization"): 0.6,  # only f32, some of which stays
    ("reference", "BatchNormalization"): 0.6,  # bfloat16
    ("reference", "LRN"): 0.9,  # only rank 4
    ("reference", "LayerNormalization"): 0.7,  # only stash type 1
    ("reference", "MeanVarianceNormalization"): 0.6,  # only f32, some of which stays
    ("reference", "RMSNormalization"): 0.8,  # only stash type 1
}


def computedIn(case):
    """The size of the type in which oracles compute: the narrowest, and that of the first stage of a body."""
    opset, operator, inputs, attributes, _ = case
    sizes = [x.dtype.itemsize for x in inputs if x.dtype.kind != "i"]
    return min(sizes + [4] * (operator == "GroupNormalization" and opset >= 21))


def describe(case, index):
    opset, operator, inputs, attributes, _ = case
    shapes = " ".join(f"{x.dtype}{list(x.shape)}" for x in inputs)
    return f"{operator}-{opset} of {shapes} {attributes} output {index}"


def difference(case, got, want, ulps, part):
    """`part` counts from the largest element of the inputs too: they may cancel."""
    largest = np.abs(want.astype(np.float64)).max(initial=1e-30)
    scale = max(float(np.abs(x.astype(np.float64)).max(initial=0)) for x in case[2] if x.dtype.kind != "i")
    got, want = got + np.zeros_like(got), want + np.zeros_like(want)  # the sign of zero is nobody's
    return compare.differenceText(got, want, ulps, part * max(1, scale / largest))


def checkFormula(case, results):
    wide = [x if x.dtype.kind == "i" else x.astype(np.longdouble) for x in case[2]]
    for i, (got, want) in enumerate(zip(results, FORMULAS[case[1]](case[0], case[3], *wide))):
        kind = outputType(case, i)
        want = np.asarray(want).astype(np.float64).astype(kind)
        text = difference(case, got, want, *FORMULA.get(kind, FORMULA[kind.itemsize]))
        if text:
            yield f"{describe(case, i)}: {text}"


def checkOracle(name, case, results, refused):
    x = case[2][0]
    if x.dtype not in (np.float32, np.float64) or (x * 8 != np.round(x * 8)).any():
        return
    refused["all", name, case[1]] += 1
    try:
        wanted = ORACLES[name](*case)
    except Exception:  # not implemented, or a shape that it does not take
        refused[name, case[1]] += 1
        return
    for i, (got, want) in enumerate(zip(results, wanted)):
        want = np.asarray(want).astype(got.dtype)
        if name == "reference" and wrongReference(*case[:4]) or got.dtype == BF16:
            continue
        text = difference(case, got, want, *BOUNDS[computedIn(case)])
        if text:
            yield f"{describe(case, i)}, {name}: {text}"


def checkOpset(opset, mine, folder, refused):
    folded = types.foldAll(opset, [case[1:] for case in mine], folder)
    wide = types.foldAll(opset, [case[1:] for case in mine], folder, "--precision=wide")
    problems = []
    for case, results, others in zip(mine, folded, wide):
        missing = [i for i, result in enumerate(results) if result is None]
        if losesVariance(*case[:4]):
            problems += [] if missing else [f"{describe(case, 0)} folds"]
            continue
        if missing:
            problems.append(f"{describe(case, missing[0])} does not fold")
            continue
        for i, (result, other) in enumerate(zip(results, others)):  # one operator on constants: the same
            if compare.differenceText(result, other):
                problems.append(f"{describe(case, i)} is another one with --precision=wide")
        problems += checkFormula(case, results)
        for name in ORACLES:
            problems += checkOracle(name, case, results, refused)
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:10])


# Counts what the other evaluators refused.
runs = OpsetRuns(VERSIONS, lambda: cases(t.options.seed, 120 if t.options.long else 6))


@pytest.mark.parametrize("opset", runs.opsets)
def test_opset(opset, folder):
    runs.run(opset, checkOpset, folder)


def test_most_were_compared():
    runs.needAll()
    parts = {key: runs.counts[key] / runs.counts["all", *key] for key in ((o, n) for o in ORACLES for n in VERSIONS)}
    few = {key: f"{part:.2f}" for key, part in parts.items() if part > REFUSED.get(key, 0)}
    assert not few, f"refused: {few}"
