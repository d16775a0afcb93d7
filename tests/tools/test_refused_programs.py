# SPDX-License-Identifier: Apache-2.0
"""What onnx-run refuses: the message names file, node and reason, and what can be done."""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_runs as runs
import onnxfold_testing as t
from onnxfold_models import const, info, model

pytestmark = pytest.mark.skipif(not runs.RUN.exists(), reason="onnx-run is not built")
node = onnx.helper.make_node
LABELS = const("w", np.float32([[1, -1], [0.5, 2]]))


def onnxRun(path, x):
    np.save(path.parent / "x.npy", x)
    command = [runs.RUN, path, f"--input=x={path.parent}/x.npy", "--no-cache", "--llvm-level=0"]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("name, said", (("gate", "gate"), ("", "y")))
def test_an_operator_that_is_not_known(folder, name, said):
    """The message had only the type: which of many LSTMs?"""
    nodes = [node("DynamicQuantizeLSTM", ["x"], ["y"], name=name, domain="com.microsoft")]
    source = model(nodes, [info("x", (2,))], [info("y", (2,))])
    source.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    onnx.save(source, folder / "model.onnx")
    done = onnxRun(folder / "model.onnx", np.float32([1, 2]))
    text = f"DynamicQuantizeLSTM '{said}' has no lowering: domain 'com.microsoft' has no operator 'DynamicQuantizeLSTM' that is known here"
    assert done.returncode == 1 and text in done.stderr and str(folder / "model.onnx") in done.stderr, done.stderr


def test_maps(folder):
    """Scikit-learn's classifiers end with a ZipMap; cut before it, they run."""
    nodes = [node("MatMul", ["x", "w"], ["p"]), node("ZipMap", ["p"], ["y"], domain="ai.onnx.ml", classlabels_int64s=[3, 7])]
    kind = onnx.helper.make_map_type_proto(TensorProto.INT64, onnx.helper.make_tensor_type_proto(TensorProto.FLOAT, None))
    y = onnx.helper.make_value_info("y", onnx.helper.make_sequence_type_proto(kind))
    source = model(nodes, [info("x", (1, 2))], [y], [LABELS])
    source.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 1))
    onnx.save(source, folder / "model.onnx")
    x = np.float32([[2, 4]])
    done = onnxRun(folder / "model.onnx", x)
    text = "output 'y' is of type !onnx.seq<!onnx.map<i64, tensor<*xf32>>>, expected a tensor, a sequence of tensors, or an optional"
    assert done.returncode == 1 and text in done.stderr and "onnx-fold cut --outputs=NAME ends the model before the map" in done.stderr, done.stderr
    cut = [t.TOOL, "cut", "--outputs=p", "-o", folder / "cut.onnx", folder / "model.onnx"]
    subprocess.run(list(map(str, cut)), check=True, capture_output=True, timeout=600)
    done = onnxRun(folder / "cut.onnx", x)
    assert done.returncode == 0 and done.stdout == "p: f32[1, 2] [[4, 6]]\n", done.stdout + done.stderr
