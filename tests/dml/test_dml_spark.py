# SPDX-License-Identifier: Apache-2.0
"""Exported models on Spark, local[2]: nothing but bookkeeping in the driver, rows that do not fit its memory, and images in
blocks. With --long only, and where `tools/setup-systemds.sh --spark` was run: each takes a minute or more."""

import os

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

import onnxfold_testing as t
from test_dml import model
from test_run_dml import needsSystemds, run

node = helper.make_node
SPARK = t.Path(os.environ.get("ONNXFOLD_SPARK", t.ROOT / "build/spark"))
pytestmark = [
    needsSystemds,
    pytest.mark.skipif(not t.options.long, reason="with --long only"),
    pytest.mark.skipif(not (SPARK / "pyspark/jars").exists(), reason="Spark is not installed (tools/setup-systemds.sh --spark)"),
]
# What the driver does under --spark-only: it reads constants that stand in the script.
CONSTANTS = {"sinit", "rand"}


def floats(*shape, scale=1.0):
    return np.random.default_rng([t.options.seed, *shape]).standard_normal(shape, dtype=np.float32) * np.float32(scale)


def runOnSpark(folder, made, array, *options):
    """(result, {instructions of the driver}, {instructions on Spark})."""
    onnx.save(made, folder / "model.onnx")
    np.save(folder / "x.npy", array)
    table, _ = run("model.onnx", "--input=x=x.npy", "--output=y=y.npy", "--master=local[2]", "--stats", *options, cwd=folder)
    rows = [line.split() for line in table.splitlines()[1:]]
    places = [{row[1] for row in rows if row[0] == place} for place in ("driver", "Spark")]
    return np.load(folder / "y.npy"), *places


def expectResult(made, array, actual):
    (expected,) = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"x": array})
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def mlp():
    """784-256-128-10 with a softmax."""
    nodes, constants, value = [], {}, "x"
    for i, (m, n) in enumerate([(784, 256), (256, 128), (128, 10)]):
        constants |= {f"W{i}": floats(m, n, scale=0.05), f"b{i}": floats(n)}
        nodes += [node("Gemm", [value, f"W{i}", f"b{i}"], [f"fc{i}"]), node("Relu", [f"fc{i}"], [f"relu{i}"])]
        value = f"relu{i}"
    nodes[-1] = node("Softmax", ["fc2"], ["y"], axis=1)
    return model(nodes, [("x", ["N", 784])], [("y", ["N", 10])], constants)


def trees(count=20, features=12):
    """Trees of depth 2: nodes 0, 1 and 2 compare, 3 to 6 are leaves that vote for each of 3 targets."""
    random = np.random.default_rng(t.options.seed)
    lists = {
        "treeids": np.repeat(np.arange(count), 7),
        "nodeids": np.tile(np.arange(7), count),
        "featureids": random.integers(0, features, 7 * count),
        "values": floats(7 * count),
        "modes": (["BRANCH_LEQ"] * 3 + ["LEAF"] * 4) * count,
        "truenodeids": np.tile([1, 3, 5, 0, 0, 0, 0], count),
        "falsenodeids": np.tile([2, 4, 6, 0, 0, 0, 0], count),
    }
    votes = {
        "treeids": np.repeat(np.arange(count), 12),
        "nodeids": np.tile(np.repeat(np.arange(3, 7), 3), count),
        "ids": np.tile(np.arange(3), 4 * count),
        "weights": floats(12 * count),
    }
    attributes = {f"nodes_{key}": one for key, one in lists.items()} | {f"target_{key}": one for key, one in votes.items()}
    ensemble = node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=3, **attributes)
    made = model([ensemble], [("x", ["N", features])], [("y", ["N", 3])])
    made.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    return made


@pytest.mark.parametrize("made, columns", [(mlp, 784), (trees, 12)], ids=["mlp", "trees"])
def test_nothing_is_computed_in_the_driver(folder, made, columns):
    array = floats(2500, columns)
    result, driver, spark = runOnSpark(folder, made(), array, "--spark-only")
    assert driver <= CONSTANTS, driver
    assert "mapmm" in spark
    expectResult(made(), array, result)


def test_rows_that_do_not_fit_the_driver(folder):
    """502 MB as doubles; what is small in the end may go on in the driver."""
    array = floats(80000, 784)
    result, driver, spark = runOnSpark(folder, mlp(), array, "--spark", "--driver-memory=700m")
    assert "mapmm" in spark and "ba+*" not in driver
    expectResult(mlp(), array, result)


def scaledTrees(columns):
    """Trees that cut in the middle of scaled decimals."""
    made, random = trees(20, columns), np.random.default_rng(t.options.seed)
    (ensemble,) = made.graph.node
    offset, scale = floats(columns), floats(columns, 1)[:, 0] + np.float32(2)
    lists = {one.name: one for one in ensemble.attribute}
    for i, feature in enumerate(lists["nodes_featureids"].ints):
        decimals = np.float32(random.integers(-2000, 2000) + np.arange(2)) / 1000
        lists["nodes_values"].floats[i] = np.mean((decimals.astype(np.float32) - offset[feature]) * scale[feature])
    ensemble.input[0] = "s"
    made.graph.node.insert(0, node("Scaler", ["x"], ["s"], domain="ai.onnx.ml", offset=offset.tolist(), scale=scale.tolist()))
    return made


def test_rows_of_a_file_that_do_not_fit(folder):
    """1.5 million rows of decimals and a driver of 500 MB: the decisions were a join of matrices, which took 700 MB, and two of 15,000
    rows went another way than in float32."""
    made, count = scaledTrees(40), 15000
    onnx.save(made, folder / "model.onnx")
    rows = np.random.default_rng(t.options.seed).normal(size=(count, 40)).round(3)
    text = "".join(",".join(map(str, row)) + "\n" for row in rows.tolist())
    (folder / "x.csv").write_text(text * 100)
    run("model.onnx", "--input=x=x.csv", "--output=y=y.npy", "--spark", "--master=local[2]", "--driver-memory=500m", cwd=folder)
    (expected,) = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"x": rows.astype(np.float32)})
    for part in np.load(folder / "y.npy").reshape(100, count, -1):
        np.testing.assert_allclose(part, expected, rtol=1e-4, atol=1e-5)


def cnn():
    nodes = [
        node("Conv", ["x", "W0", "b0"], ["c0"], "conv0", pads=[1] * 4),
        node("Relu", ["c0"], ["r0"]),
        node("MaxPool", ["r0"], ["p0"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["p0", "W1", "b1"], ["c1"], "conv1", pads=[1] * 4),
        node("Relu", ["c1"], ["r1"]),
        node("GlobalAveragePool", ["r1"], ["g"]),
        node("Flatten", ["g"], ["f"]),
        node("Gemm", ["f", "W2", "b2"], ["y"]),
    ]
    shapes = {"W0": (16, 3, 3, 3), "b0": (16,), "W1": (32, 16, 3, 3), "b1": (32,), "W2": (32, 10), "b2": (10,)}
    constants = {name: floats(*shape, scale=0.2) for name, shape in shapes.items()}
    return model(nodes, [("x", ["N", 3, 32, 32])], [("y", ["N", 10])], constants)


def test_images_that_do_not_fit(folder):
    """The first convolution of all images has 786 MB, and convolutions never run on Spark."""
    onnx.save(cnn(), folder / "model.onnx")
    array = floats(6000, 3, 32, 32)
    np.save(folder / "x.npy", array)
    _, error = run("model.onnx", "--input=x=x.npy", "--output=y=y.npy", "--driver-memory=700m", status=1, cwd=folder)
    assert "SystemDS needs more than the 700m of --memory" in error and not (folder / "y.npy").exists()
    result, driver, _ = runOnSpark(folder, cnn(), array, "--spark", "--driver-memory=700m", "--batch=200")
    assert "conv2d_bias_add" in driver
    expectResult(cnn(), array, result)
