# SPDX-License-Identifier: Apache-2.0
"""A model that says a thing twice folds to what everybody takes it for, or stays as it is, with a warning; never silently.

A model that imports the default domain at 7 and at 13 was written with 7 twice, and gave other values at -O0: the first import
was taken, the checker and ONNX Runtime take the last. Some of the other things that a file can say twice were read in one way
out of several without a word, and some models that ONNX Runtime runs were refused.
"""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

import onnxfold_testing as t
from said_twice_cases import CASES, FILES, table

LEVELS = ("-O0", "-O1", "-O2")


def checkerAccepts(path):
    try:
        onnx.checker.check_model(str(path))
    except onnx.checker.ValidationError:
        return False
    return True


def runtimeResult(path):
    """The first output for x = 1, 2, ...; None where ONNX Runtime refuses the model."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        ones = {
            one.name: np.arange(1, 1 + np.prod(one.shape), dtype=np.float32).reshape(one.shape) for one in session.get_inputs()
        }
        return session.run(None, {name: x for name, x in ones.items() if name == "x"})[0]
    except Exception as error:  # of many kinds
        assert "ONNXRuntimeError" in str(error) or type(error).__module__.startswith("onnxruntime"), error
        return None


def written(folder, one):
    path = folder / "model.onnx"
    path.write_bytes(one.model)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return path


def expectResult(path, runs, what):
    result = runtimeResult(path)
    if runs is None:
        assert result is None, f"{what}: ONNX Runtime runs it"
        return
    assert result is not None, f"{what}: ONNX Runtime refuses it"
    np.testing.assert_allclose(result, runs, rtol=1e-6, err_msg=what)
    assert result.shape == np.shape(runs), what


@pytest.mark.parametrize("name", CASES)
def test_what_others_do(name, folder):
    """The facts that the table states."""
    one = CASES[name]
    path = written(folder, one)
    assert checkerAccepts(path) == one.checker, "ONNX's checker"
    expectResult(path, one.runs, "as given")


def operators(path):
    """Of the main graph."""
    return [node.op_type for node in onnx.load(path, load_external_data=False).graph.node]


@pytest.mark.parametrize("name", CASES)
def test_folded(name, folder):
    one = CASES[name]
    path, out = written(folder, one), folder / "out.onnx"
    for level in LEVELS:
        result = t.run(level, "-o", out, path)
        if one.ours == "refused":
            assert (one.checker, one.runs) == (False, None), "somebody takes it"
            assert result.code == 1 and one.says in result.err and not out.exists(), f"{level}: {result}"
            continue
        assert result.code == 0, f"{level}: {result}"
        isSaid = one.says and level >= one.level
        assert (one.says in result.err) if isSaid else ("warning" not in result.err), f"{level}: {result.err}"
        if one.stays:
            assert one.stays in operators(out), level
        if one.ours == "same" or one.runs is not None:
            expectResult(out, one.runs, level)
        if one.checker:
            assert checkerAccepts(out), level
        out.unlink()


def test_each_fold_says_something():
    assert all(one.says for one in CASES.values() if one.ours != "same")


def test_imports_are_left_as_they_are(folder):
    for name, one in CASES.items():
        if not name.startswith("import"):
            continue
        out = t.fold(written(folder, one), folder / "out.onnx", "-O1")
        before, after = (onnx.load(path).opset_import for path in (folder / "model.onnx", out))
        assert list(after) == list(before), name


def test_target_opset_replaces_all_imports(folder):
    one = CASES["import of '' at 7, then of 'ai.onnx' at 13"]
    out = t.fold(written(folder, one), folder / "out.onnx", "--target-opset=17")
    assert [(one.domain, one.version) for one in onnx.load(out).opset_import] == [("", 17), ("ai.onnx", 17)]
    expectResult(out, one.runs, "at 17")


def test_a_doubled_constant_is_not_converted(folder):
    """It says why, in the report too."""
    path = written(folder, CASES["Constant node and initializer of one name"])
    result = t.run("--target-opset=21", "-o", folder / "out.onnx", path)
    assert result.code == 1 and "node 'w' (Constant): another value has the name of its output" in result.err, result
    kept = {node["op"]: node["reason"]["text"] for node in t.foldWithReport(path, folder / "out.onnx")["nodes"]}
    assert kept["Constant"] == "another value has the name of its output", kept


def test_data_files_come_along(folder):
    """A tensor with values in two places keeps its data file, also in another folder and with --inline-data."""
    one = CASES["external data and raw_data"]
    for flags in ((), ("--inline-data",)):
        place = folder / f"there{len(flags)}"
        place.mkdir()
        out = t.fold(written(folder, one), place / "out.onnx", *flags)
        expectResult(out, one.runs, f"{flags}")


def test_table():
    page = Path(t.ROOT, "onnx/io/RATIONALE.md").read_text()
    assert table() in page, "onnx/io/RATIONALE.md lacks what said_twice_cases.table() gives"
