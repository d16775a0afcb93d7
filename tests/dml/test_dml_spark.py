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
    """Trees of depth 2 as products: which sides samples are on, which leaves these are, and the leaves' values."""
    random = np.random.default_rng(t.options.seed)
    inner, leaves = 3 * count, 4 * count
    A = np.zeros((features, inner), np.float32)
    A[random.integers(0, features, inner), np.arange(inner)] = 1
    path = np.float32([[1, 1, -1, -1], [1, -1, 0, 0], [0, 0, 1, -1]])  # of each leaf: 1 true, -1 false
    C, D = np.kron(np.eye(count, dtype=np.float32), path), np.tile(np.float32([2, 1, 1, 0]), count)
    nodes = [
        node("MatMul", ["x", "A"], ["picked"]),
        node("LessOrEqual", ["picked", "B"], ["side"]),
        node("Cast", ["side"], ["sides"], to=1),
        node("MatMul", ["sides", "C"], ["steps"]),
        node("Equal", ["steps", "D"], ["leaf"]),
        node("Cast", ["leaf"], ["leaves"], to=1),
        node("MatMul", ["leaves", "E"], ["y"]),
    ]
    constants = {"A": A, "B": floats(inner), "C": C, "D": D, "E": floats(leaves, 3)}
    return model(nodes, [("x", ["N", features])], [("y", ["N", 3])], constants)


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
    result, driver, spark = runOnSpark(folder, mlp(), array, "--spark", "--memory=700m")
    assert "mapmm" in spark and "ba+*" not in driver
    expectResult(mlp(), array, result)


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
    _, error = run("model.onnx", "--input=x=x.npy", "--output=y=y.npy", "--memory=700m", status=1, cwd=folder)
    assert "SystemDS needs more than the 700m of --memory" in error and not (folder / "y.npy").exists()
    result, driver, _ = runOnSpark(folder, cnn(), array, "--spark", "--memory=700m", "--batch=200")
    assert "conv2d_bias_add" in driver
    expectResult(cnn(), array, result)
