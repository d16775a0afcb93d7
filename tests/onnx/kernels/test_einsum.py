# SPDX-License-Identifier: Apache-2.0
"""Einsum with random equations, and Det of random matrices, in every version and element type.

Elements of the equations are small whole numbers, so that every sum is exact in f64 and what numpy.einsum makes of them in
f64 or i64, converted once (wrapped), is the expected value bit for bit. Determinants are computed in fractions. ONNX Runtime
runs what it has types for. --long: twenty times as many.
"""

from collections import Counter
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import onnxfold_compare as compare
import onnxfold_nodes as nodes
import onnxfold_oracles as oracles
import onnxfold_testing as t

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)]
INTEGERS = [np.dtype(f"{sign}{width}") for sign in "iu" for width in (1, 2, 4, 8)]
RUNTIME = {np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64)}


def randomEquation(random):
    """(equation, shapes): one to four terms with diagonals, broadcasts, empty dimensions, ellipses and spaces."""
    letters = list(random.choice(list("abcijkXYZ"), 5, replace=False))
    sizes = {letter: int(random.choice([0, 1, 2, 3, 4], p=[0.03, 0.1, 0.3, 0.37, 0.2])) for letter in letters}
    ellipsis = [int(size) for size in random.integers(1, 4, random.integers(0, 3))]
    terms, shapes = [], []
    for _ in range(random.integers(1, 5)):
        term = [str(letter) for letter in random.choice(letters, random.integers(0, 4))]
        dims = {letter: 1 if term.count(letter) == 1 and random.random() < 0.1 else sizes[letter] for letter in term}
        shape = [dims[letter] for letter in term]
        if random.random() < 0.3:
            at = int(random.integers(0, len(term) + 1))
            shape[at:at] = [1 if random.random() < 0.2 else size for size in ellipsis]
            term.insert(at, "...")
        terms.append(term)
        shapes.append(tuple(shape))
    equation = ",".join("".join(term) for term in terms)
    if random.random() < 0.7:
        used = sorted({letter for term in terms for letter in term if letter != "..."})
        result = [letter for letter in random.permutation(used) if random.random() < 0.6]
        if any("..." in term for term in terms):  # numpy without `optimize` does not sum an ellipsis
            result.insert(int(random.integers(0, len(result) + 1)), "...")
        equation += "->" + "".join(result)
    if random.random() < 0.2:
        equation = "".join(c + " " * (c.isalpha() and random.random() < 0.5) for c in equation)
    return equation or "->", shapes


def broadcastLabels(equation, shapes):
    """Whether a letter of the result has a dimension of 1 in the first term that has it and a larger one later: ONNX's
    inference takes the first, so the node must be kept."""
    first = {}
    left, _, result = equation.replace(" ", "").partition("->")
    for term, shape in zip(left.split(","), shapes):
        before, _, after = term.partition("...")
        for letter, size in [*zip(before, shape), *zip(after, shape[len(shape) - len(after) :])]:
            if first.setdefault(letter, size) == 1 and size != 1 and letter in result:
                return True
    return False


def expected(equation, inputs):
    dtype = inputs[0].dtype
    wide = np.float64 if dtype.kind in "fV" or dtype == BF16 else dtype
    with np.errstate(all="ignore"):
        return np.asarray(np.einsum(equation.replace(" ", ""), *(x.astype(wide) for x in inputs))).astype(dtype)


def determinant(matrix):
    """By fractions, with pivots; of whole numbers, exactly."""
    rows = [[Fraction(int(v)) for v in row] for row in matrix]
    result = Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0.0
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return float(result)


def runtimeResult(operator, inputs, attributes):
    try:
        return oracles.runtimeResults(12, operator, inputs, attributes)[0]
    except Exception:  # not implemented
        return None


def fold(opset, cases, folder):
    """cases: (operator, attributes, inputs). The folded value or None for each."""
    model = nodes.Model(folder, opset)
    names = [model.node(operator, inputs, **attributes) for operator, attributes, inputs in cases]
    folded, _ = model.fold()
    return [folded[name] for name in names]


@pytest.mark.parametrize("opset", (12, 28))
def test_einsum(opset, folder):
    random = np.random.default_rng(t.options.seed + opset)
    cases, problems, compared = [], [], Counter()
    for dtype in FLOATS + INTEGERS + [BF16] * (opset >= 28):
        for _ in range(600 if t.options.long else 30):
            equation, shapes = randomEquation(random)
            low = 0 if dtype.kind == "u" else -4
            inputs = [np.asarray(random.integers(low, 5, shape)).astype(np.float64).astype(dtype) for shape in shapes]
            cases.append(("Einsum", {"equation": equation}, inputs))
    for (operator, attributes, inputs), got in zip(cases, fold(opset, cases, folder)):
        equation, shapes = attributes["equation"], [x.shape for x in inputs]
        where = f"{equation!r} of {inputs[0].dtype} {shapes}"
        if broadcastLabels(equation, shapes):
            compared["inference disagrees"] += 1
            if got is not None:
                problems.append(f"{where}: folds although inference takes the dimension for 1")
            continue
        want = expected(equation, inputs)
        # The sign of 0 depends on the order of a sum; beyond that bit for bit.
        text = "does not fold" if got is None else compare.differenceText(got + 0 if got.dtype.kind == "f" else got, want, 1e-30)
        # It divides by zero where a dimension is empty, and dies.
        runs = inputs[0].dtype in RUNTIME and opset == 12 and all(x.size for x in inputs)
        runtime = runtimeResult(operator, inputs, attributes) if runs else None
        if runtime is not None and not text:
            compared["ONNX Runtime"] += 1
            text = compare.differenceText(got, runtime, 1e-30)
        if text:
            problems.append(f"{where}: {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10])
    assert opset != 12 or compared["ONNX Runtime"] > len(cases) // 8, f"{compared} of {len(cases)}"


@pytest.mark.parametrize("opset", (11, 22))
def test_det(opset, folder):
    random = np.random.default_rng(t.options.seed)
    cases, problems = [], []
    for dtype in FLOATS + [BF16] * (opset >= 22):
        for k in range(400 if t.options.long else 20):
            m = int(random.integers(0, 6)) if k else 40  # 40: more than one panel
            shape = (*random.integers(1, 4, random.integers(0, 3)), m, m)
            cases.append(("Det", {}, [random.integers(-3, 4, shape).astype(np.float32).astype(dtype)]))
    for (_, _, (x,)), got in zip(cases, fold(opset, cases, folder)):
        exact = [determinant(matrix) for matrix in x.reshape(-1, *x.shape[-2:])] if x.size else np.ones(x.shape[:-2]).ravel()
        want = np.array(exact).reshape(x.shape[:-2])
        with np.errstate(over="ignore"):
            want = want.astype(x.dtype)
        # f64 within the error of elimination; a tie of the narrower ones may go either way.
        bound = (64, 1e-13) if x.dtype == np.float64 else (1, 0)
        # Elimination seldom finds the 0 of a singular matrix: Hadamard's bound says how near a result must be.
        hadamard = np.prod(np.linalg.norm(x.astype(np.float64), axis=-1), axis=-1)
        if got is not None:
            got = np.where((want == 0) & (np.abs(got.astype(np.float64)) <= 1e-14 * hadamard), want, got)
        text = "does not fold" if got is None else compare.differenceText(got, want, *bound)
        runtime = runtimeResult("Det", [x], {}) if x.dtype == np.float32 and x.size else None
        if runtime is not None and not text and not np.all(np.abs(got - np.float64(runtime)) <= 1e-6 * hadamard):
            text = f"is {got}, ONNX Runtime has {runtime}"
        if text:
            problems.append(f"Det-{opset} of {x.dtype} {x.shape}: {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10])
