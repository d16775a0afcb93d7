# SPDX-License-Identifier: Apache-2.0
"""Whole models on SystemDS against ONNX Runtime, within 1e-4 of the largest value: those of onnxfold_dml_models, those of
tests/models/data (written by real exporters), and the light models of the onnx package (--long). A model of MATCHES must be
exported; others may be refused, which skips their test."""

import json

import numpy as np
import onnx
import pytest

import onnxfold_compare as compare
import onnxfold_dml_models as models
import onnxfold_systemds as systemds
import onnxfold_testing as t

INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())
MATCHES = {path.stem for path in t.shippedModels()} - {"detector"}


def isHalf(model):
    """Its results are rounded in each step; on SystemDS they are doubles."""
    return any(tensor.data_type == onnx.TensorProto.FLOAT16 for tensor in model.graph.initializer)


def expectClose(matrices, model, wanted):
    for value, matrix, one in zip(model.graph.output, matrices, wanted):
        largest = float(np.abs(one[np.isfinite(one)]).max(initial=0)) if one.dtype.kind == "f" else 0
        share = compare.TOLERANCE["float16"] if isHalf(model) else 1e-4
        systemds.expectClose(matrix, one, value.name, rtol=0, atol=share * max(largest, 1e-30))


def expectModel(folder, model, feed, name=""):
    """Shapes that the model leaves open are those of the feed."""
    sizes = [f"--input-shape={key}:{','.join(map(str, array.shape))}" for key, array in feed.items() if name]
    try:
        script = systemds.export(folder, model, *sizes)
    except systemds.Refused as refusal:
        assert name and name not in MATCHES, str(refusal)
        pytest.skip(f"{name} is refused: {'; '.join(line.strip() for line in str(refusal).splitlines()[1:5])}")
    if systemds.process():
        matrices = systemds.runScript(
            folder, script, list(feed.values()), systemds.process(), timeout=1200 if t.options.long else 120)
        expectClose(matrices, model, systemds.onnxRuntime(model, feed))


@pytest.mark.parametrize("rows", [1, 5])
def test_mlp(folder, rows):
    model, x = models.mlp(rows, (30, 20, 10))
    expectModel(folder, model, {"x": x})


@pytest.mark.parametrize("rows", [1, 3])
def test_cnn(folder, rows):
    model, x = models.cnn(rows, 12, (3, 8, 6), 5)
    expectModel(folder, model, {"x": x})


@pytest.mark.parametrize("rows", [1, 2])
def test_transformer(folder, rows):
    model, x = models.transformer(rows, 7, 3, 24, 2)
    expectModel(folder, model, {"x": x})


@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_shipped(folder, path):
    model = onnx.load(path)
    feed = compare.randomFeed(INPUTS[path.stem], seed=1)
    expectModel(folder, model, {name: feed[name] for name in systemds.inputNames(model)}, path.stem)


@pytest.mark.parametrize("name", ["bert", "distilbert", "lstm", "qwen2", "t5", "vit"])
def test_open_batch(folder, name):
    """One script for any number of samples, of models with attention, masks and recurrent layers."""
    model = onnx.load(t.ROOT / f"tests/models/data/{name}.onnx")
    feed = compare.randomFeed(INPUTS[name], seed=1)
    sizes = {}
    for value in model.graph.input:
        batch, *others = value.type.tensor_type.shape.dim
        batch.dim_param = "batch"
        sizes |= {dim.dim_param: size for dim, size in zip(others, feed[value.name].shape[1:]) if dim.dim_param}
    script = systemds.export(folder, model, *(f"--dim={key}:{size}" for key, size in sizes.items()))
    for rows in (1, 2) if systemds.process() else ():
        given = {key: feed[key][:rows] for key in systemds.inputNames(model)}
        matrices = systemds.runScript(folder, script, list(given.values()), systemds.process())
        expectClose(matrices, model, systemds.onnxRuntime(model, given))


@pytest.mark.parametrize("path", t.lightModels(), ids=lambda path: path.stem)
def test_light(folder, path):
    if not t.options.long:
        pytest.skip("takes long: --long")
    model = onnx.load(path)
    stored = {tensor.name for tensor in model.graph.initializer}
    values = [value for value in model.graph.input if value.name not in stored]
    random = np.random.default_rng(1)
    feed = {one.name: random.random([dim.dim_value for dim in one.type.tensor_type.shape.dim], np.float32) for one in values}
    expectModel(folder, model, feed, path.stem)
