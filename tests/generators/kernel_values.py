# SPDX-License-Identifier: Apache-2.0
"""Where the expected values of tests/onnx/kernels/*.mlir come from: other programs than ours compute them here.

    build/venv/bin/python3 tests/generators/kernel_values.py tests/onnx/kernels/gelu.mlir [FUNCTION]

prints for each function that is one operator over constants what every source makes of it, as the text of an
onnx.Constant. test_kernel_values.py compares these texts with the CHECK lines.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    TESTS = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(TESTS / folder) for folder in ("lib", "onnx/kernels", "generators")]

import onnxfold_dense as dense
import onnxfold_oracles as oracles
from formulas import FORMULAS

FLOATS = [np.dtype(dense.TYPES[name]) for name in ("f64", "f32", "f16", "bf16")]
MOST_ELEMENTS = 1_000_000
# Sums of 8-bit products, which ONNX Runtime saturates on some processors.
DEPENDS_ON_PROCESSOR = {"ConvInteger", "MatMulInteger", "QLinearConv", "QLinearMatMul"}
# The sources of others take hours for them: a regular expression that backtracks, and very many classes.
ENDLESS = {"RegexFullMatch", "NonMaxSuppression"}


def byFormula(case):
    """The formula of the specification in double or wider, rounded once to each type that the operands have."""
    formula = FORMULAS.get(case.operator)
    results = formula and formula(case.version, case.inputs, case.attributes)
    if results is None:
        return []
    types = {one.dtype for one in case.inputs if one is not None and one.dtype in FLOATS} or FLOATS
    return [one.astype(dtype) if one.dtype.kind == "f" else one for one in results for dtype in types]


def byReference(case):
    return oracles.referenceResults(case.version, case.operator, case.inputs, case.attributes, case.results)


def byWideReference(case):
    """The reference evaluator in double, rounded once to each type that the operands have."""
    types = {one.dtype for one in case.inputs if one is not None and one.dtype in FLOATS[1:]}
    if not types:
        return []
    wide = [one.astype(np.float64) if one is not None and one.dtype in types else one for one in case.inputs]
    results = oracles.referenceResults(case.version, case.operator, wide, case.attributes, case.results)
    return [one.astype(dtype) if one.dtype.kind == "f" else one for one in map(np.asarray, results) for dtype in types]


def byRuntime(case):
    if case.operator in DEPENDS_ON_PROCESSOR:
        return []
    return oracles.runtimeResults(case.version, case.operator, case.inputs, case.attributes, case.results)


SOURCES = {
    "formula in NumPy": byFormula,
    "reference evaluator": byReference,
    "reference evaluator in double": byWideReference,
    "ONNX Runtime": byRuntime,
}


def printed(result):
    """The result as a constant; with another NaN too, as any NaN is any NaN."""
    result = np.asarray(result)
    if result.dtype.kind == "U":
        result = result.astype(object)
    if result.dtype not in dense.NAMES:
        return []  # no type of a constant
    texts = [dense.printTensor(result)]
    if dense.NAMES[result.dtype] in dense.PRECISION and np.isnan(result.astype(np.float64)).any():
        texts.append(dense.printTensor(np.where(np.isnan(result.astype(np.float64)), np.array(np.nan, result.dtype), result)))
    return texts


def textsOf(case):
    """(source, texts of its results) of each source that knows the operator."""
    if any(one is not None and one.size > MOST_ELEMENTS for one in case.inputs) or case.operator in ENDLESS:
        return
    for name, source in SOURCES.items():
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = source(case)
        except Exception:  # whatever these programs raise where they do not know something
            if source is byFormula:
                raise
            continue
        texts = [text for one in results for text in printed(one)]
        if texts:
            yield name, texts


def main(path, wanted=None):
    for name, case in dense.casesOf(Path(path)):
        if case is None or wanted not in (None, name):
            continue
        print(f"@{name}: {case.operator}, version {case.version}")
        for source, texts in textsOf(case):
            print(f"  {source}:", *texts, sep="\n    ")


if __name__ == "__main__":
    main(*sys.argv[1:])
