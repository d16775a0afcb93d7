# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.stats: the numbers of the tool, for models in files and in memory, and errors that name the argument."""

import numpy as np
import onnx
import pytest

import onnx_fold
import onnxfold_models as m
from onnxfold_models import const, info, node


def model(rows="batch"):
    weight = const("w", np.zeros((64, 32)), np.float32)
    return m.model([node("MatMul", ["x", "w"], ["y"])], [info("x", (rows, 64))], [info("y", None)], [weight])


def test_numbers(folder):
    onnx.save(model(), folder / "model.onnx")
    for given in (folder / "model.onnx", str(folder / "model.onnx"), model(), model().SerializeToString()):
        found = onnx_fold.stats(given)
        assert (found.macs, found.macs_formula, found.parameters, found.parameter_bytes) == (None, "2048*batch", 2048, 8192)
        assert found.inputs == {"x": "f32[batch, 64]"} and found.outputs == {"y": "f32[batch, 32]"} and found.opsets == {"ai.onnx": 21}
        assert found.nodes == 1 and found.operators[0]["type"] == "MatMul" and found.uncounted == [] and found.warnings == []
    fixed = onnx_fold.stats(model(), dims={"batch": 3})
    assert (fixed.macs, fixed.activations) == (3 * 2048, 3 * (64 + 32) * 4)
    assert onnx_fold.stats(model(), input_shapes={"x": [3, None]}).macs == fixed.macs
    assert fixed.as_dict()["kind"] == "stats" and "6144" in str(fixed) and "6144 multiply-adds" in repr(fixed) and "6144" in fixed._repr_html_()
    assert "6144" in fixed.to_html(folder / "page.html") and (folder / "page.html").is_file()


def test_a_missing_data_file_is_a_warning(folder):
    onnx.save(model(), folder / "model.onnx", save_as_external_data=True, location="w.data", size_threshold=0)
    (folder / "w.data").unlink()
    with pytest.warns(onnx_fold.FoldWarning, match="'w.data' is not there"):
        found = onnx_fold.stats(folder / "model.onnx")
    assert found.macs_formula == "2048*batch" and len(found.warnings) == 1


def test_errors(folder):
    (folder / "bad.onnx").write_bytes(b"nothing")
    with pytest.raises(onnx_fold.FoldError, match="bad.onnx"):
        onnx_fold.stats(folder / "bad.onnx")
    with pytest.raises(FileNotFoundError):
        onnx_fold.stats(folder / "missing.onnx")
    with pytest.raises(onnx_fold.OptionError) as caught:
        onnx_fold.stats(model(), dims={"depth": 3})
    assert caught.value.argument == "dims", caught.value
    with pytest.raises(TypeError):
        onnx_fold.stats(model(), dims=3)
