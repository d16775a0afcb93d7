# SPDX-License-Identifier: Apache-2.0
"""fold_all, in_place, and verification on inputs of one's own, from Python."""

import os

import numpy as np
import onnx
import onnx_fold
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node


def sample(value=1.0):
    constants = [const("a", np.full(3, value, np.float32))]
    return m.model([node("Add", ["a", "a"], ["s"]), node("Mul", ["x", "s"], ["y"])], [info("x")], [info("y")], constants)


def save(path, source=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(source or sample(), path)
    return path


def test_several_models(folder):
    first, second = save(folder / "models/a.onnx"), save(folder / "models/b/c.onnx", sample(2))
    outcomes = onnx_fold.fold_all(folder / "models", folder / "out", level=0)
    assert [one.model for one in outcomes] == [str(first), str(second)] and all(one.changed for one in outcomes)
    assert [one.path for one in outcomes] == [str(folder / "out/a.onnx"), str(folder / "out/b/c.onnx")]
    assert outcomes[0].report.operators_after == {"Mul": 1} and not outcomes[0].report.nodes and outcomes[0].error is None
    single = onnx_fold.fold(second, folder / "single.onnx", level=0)
    t.expectSameBytes(outcomes[1].path, single.path, "as a single run")
    [again] = onnx_fold.fold_all([first], batch_memory="4G", nodes=True)
    assert again.path == str(first)[:-5] + ".folded.onnx" and len(again.report.nodes) == 2
    assert onnx_fold.fold_all([]) == []


def test_a_failure_is_an_outcome(folder):
    first, bad = save(folder / "a.onnx"), folder / "bad.onnx"
    bad.write_bytes(b"no model")
    good, failed = onnx_fold.fold_all([first, bad], output_dir=folder / "out")
    assert good.error is None and os.path.exists(good.path)
    assert failed.path is None and failed.error.file == str(bad) and "failed" in repr(failed), f"{failed!r}"
    with pytest.raises(onnx_fold.OptionError, match="would be the output of"):
        onnx_fold.fold_all([first, save(folder / "b/a.onnx")], output_dir=folder / "out")
    with pytest.raises(TypeError, match="unexpected argument 'levl'"):
        onnx_fold.fold_all([first, bad], levl=1)
    with pytest.raises(onnx_fold.OptionError, match="in_place and output_dir"):
        onnx_fold.fold_all([first], folder / "out", in_place=True)


def test_in_place(folder):
    path = save(folder / "a.onnx")
    want = onnx_fold.fold(path, folder / "b.onnx")
    result = onnx_fold.fold(path, in_place=True, verify=True)
    assert result.path == result.model if isinstance(result.model, str) else result.path == str(path)
    assert result.report.verification.equal
    t.expectSameBytes(path, want.path, "in place")
    other = save(folder / "c.onnx")
    [outcome] = onnx_fold.fold_all([other], in_place=True)
    assert outcome.path == str(other) and outcome.changed
    t.expectSameBytes(other, path, "one of several")
    for arguments in ({"model": sample()}, {"model": path, "output": folder / "x.onnx"}):
        with pytest.raises(onnx_fold.OptionError, match="in_place is given"):
            onnx_fold.fold(in_place=True, **arguments)


def test_inputs_of_ones_own(folder):
    """An index that random inputs would not find; a set that does not fit."""
    nodes = [node("Gather", ["table", "i"], ["g"]), node("Mul", ["g", "x"], ["y"])]
    source = m.model(
        nodes,
        [info("i", ("n",), onnx.TensorProto.INT64), info("x", ("n",))],
        [info("y", ("n",))],
        [const("table", np.arange(50, dtype=np.float32))],
    )
    inputs = {"i": np.array([49, 7, 3]), "x": [1.0, 2.0, 3.0]}
    result = onnx_fold.fold(source, verify_inputs=inputs)
    assert result.report.verification.equal and result.report.verification.trials == 1
    result = onnx_fold.fold(source, verify_inputs=[inputs, {"i": np.array([1, 2])}])
    assert result.report.verification.trials == 2, "what is left out is random"
    np.savez(folder / "own.npz", i=inputs["i"])
    assert onnx_fold.fold(source, verify_inputs=folder / "own.npz").report.verification.trials == 1
    with pytest.raises(onnx_fold.FoldError, match="input 'j' is none of the model"):
        onnx_fold.fold(source, verify_inputs={"j": np.zeros(3)})
    with pytest.raises(onnx_fold.FoldError, match="has elements of type f64, expected f32"):
        onnx_fold.fold(source, verify_inputs={"x": np.zeros(3)})
    pytest.importorskip("onnxruntime")
    assert onnx_fold.fold(source, verify_inputs=inputs, verify_with="onnxruntime").changed is False
