# SPDX-License-Identifier: Apache-2.0
"""The sample model of examples/: made by its script, and folded as its script says."""

import subprocess
import sys

import onnx

import onnxfold_models as m
import onnxfold_testing as t

SAMPLE = t.ROOT / "examples/sample.onnx"
LEFT = [
    "Conv",
    "Relu",
    "Reshape",
    "MatMul",
    "Add",
    "Gate",
    "MatMul",
    "If",
    "Div",
]


def test_made_by_its_script(folder):
    subprocess.run(
        [sys.executable, "-B", t.ROOT / "examples/make_sample.py", folder / "sample.onnx"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    t.expectSameBytes(folder / "sample.onnx", SAMPLE, "examples/sample.onnx and what examples/make_sample.py makes")


def test_folds_as_its_script_says(folder):
    report = t.foldWithReport(SAMPLE, folder / "out.onnx")
    out = onnx.load(folder / "out.onnx")
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    assert m.operators(out) == LEFT, "operators"
    counts = t.operatorCounts(out)
    assert [counts.get(name, 0) for name in ("Trilu", "RandomNormal", "Transpose", "Cast", "Mul")] == [
        0,
        1,
        0,
        0,
        0,
    ], "Trilu, RandomNormal, Transpose, Cast and Mul"
    reasons = {one["outputs"][0]: one["reason"]["text"] for one in report["nodes"] if one["action"] == "kept"}
    assert "0" in reasons["bucket.steps"], f"the reason of the division by zero is {reasons['bucket.steps']!r}"
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx"), folder / "out.onnx", "folded again")
