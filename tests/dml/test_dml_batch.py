# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml --batch and --interface: blocks of rows, and the models that may not be cut."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_dml as dml
import onnxfold_systemds as systemds
import onnxfold_testing as t
from onnxfold_systemds import expectSame
from test_dml import export, gemm, model, run

node = helper.make_node
ROWS = [("x", ["batch", 3])]


def refusal(folder, nodes, inputs, outputs, constants=None):
    onnx.save(model(nodes, inputs, outputs, constants), folder / "model.onnx")
    error = run(folder / "model.onnx", "--batch=2", status=1)
    assert [path.name for path in folder.iterdir()] == ["model.onnx"]
    return error


LOOP = """\
samples = nrow(x)
y = matrix(0, rows=samples, cols=3)
for (block in seq(1, ceil(samples / batch), 1)) {
  first = (block - 1) * batch + 1
  last = min(block * batch, samples)
  x_block = x[first:last, ]
  y_block = net(x_block, W)
  y[first:last, ] = y_block
}
"""


def test_blocks(folder):
    text = export(folder, gemm(), "--batch=200")
    assert "batch = ifdef($batch, 200)\n" in text
    assert LOOP in text


def test_lists_are_cut_by_rows_and_settings_are_whole(folder):
    """The matrix of a list is a column; a row is made one. An input without the batch size is the same for all samples."""
    nodes = [node("Mul", ["x", "scale"], ["y"]), node("Neg", ["y"], ["z"])]
    made = model(nodes, [("scale", []), ("x", ["batch"])], [("y", ["batch"]), ("z", ["batch"])])
    text = export(folder, made, "--batch=2")
    assert "x = matrix(x, rows=length(x), cols=1)\nsamples = nrow(x)" in text
    assert "[y_block, z_block] = net(scale, x_block)" in text
    assert "z[first:last, ] = z_block" in text


def test_names_of_the_loop(folder):
    """Values of the model may be called as the variables of the loop are."""
    names = ["batch", "block", "first", "last", "samples", "batch_block"]
    nodes = [node("Relu", [one], [f"y_{one}"]) for one in names]
    made = model(nodes, [(one, ["N", 2]) for one in names], [(f"y_{one}", ["N", 2]) for one in names])
    export(folder, made, "--batch=2")


def test_no_batch(folder):
    error = refusal(folder, [node("Relu", ["x"], ["y"])], [("x", [4, 3])], [("y", [4, 3])])
    assert "cannot run in blocks of rows (--batch):" in error and "no input has a free dimension 0" in error


def test_result_of_the_whole_batch(folder):
    """x + c of (4, 3) is right for a batch of 4 rows, or of one."""
    nodes = [node("Add", ["x", "c"], ["y"], "sum")]
    error = refusal(folder, nodes, ROWS, [("y", [4, 3])], {"c": np.float32(np.arange(12).reshape(4, 3))})
    assert "output 'y': its dimension 0 is not the batch of the inputs" in error
    assert "Add 'sum': its result is one of the whole batch" in error


def test_batch_that_moves(folder):
    """The script has its samples as rows, wherever the model has them."""
    made = model([node("Transpose", ["x"], ["y"])], ROWS, [("y", [3, "batch"])])
    assert "output y: float32 (3, batch), rows are 'batch'" in export(folder, made, "--batch=2")


@pytest.mark.parametrize(
    "made, shape, constants",
    [
        (node("Softmax", ["x"], ["y"], axis=0), ["batch", 3], {}),
        (node("CumSum", ["x", "axis"], ["y"]), ["batch", 3], {"axis": np.int64(-2)}),
        (node("ReduceMean", ["x"], ["y"], keepdims=0), [], {}),
        (node("LayerNormalization", ["x", "scale"], ["y"], axis=0), ["batch", 3], {"scale": np.ones(3, np.float32)}),
        (node("Gather", ["x", "i"], ["y"], axis=0), [2, 3], {"i": np.int64([0, 1])}),
        (node("Trilu", ["x"], ["y"]), ["batch", 3], {}),
        (node("NonZero", ["x"], ["y"]), [2, None], {}),
        (node("ReverseSequence", ["x", "n"], ["y"], time_axis=0, batch_axis=1), ["batch", 3], {"n": np.int64([1, 2, 1])}),
    ],
    ids=lambda value: getattr(value, "op_type", ""),
)
def test_samples_that_depend_on_each_other(folder, made, shape, constants):
    """Refused as a node, or as one that may not be cut: never exported."""
    kind = TensorProto.INT64 if made.op_type == "NonZero" else TensorProto.FLOAT
    assert f"{made.op_type} 'y': " in refusal(folder, [made], ROWS, [("y", shape, kind)], constants)


@pytest.mark.parametrize(
    "options, text",
    [
        (["--batch=0"], "--batch is '0', expected a number from 1"),
        (["--batch=-1"], "--batch is '-1', expected a number from 1"),
        (["--batch=x"], "--batch"),
        (["--batch=2", "--library"], "--batch and --library are given, expected one of them: it needs the main part of the script"),
        (["--interface=a.json", "-o", "-"], "expected -o FILE instead of standard output"),
    ],
)
def test_bad_options(folder, options, text):
    onnx.save(gemm(), folder / "model.onnx")
    assert text in run("model.onnx", *options, status=1, cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["model.onnx"]


def test_interface(folder):
    nodes = [node("Cast", ["input.1"], ["in"], to=TensorProto.INT32)]
    made = model(nodes, [("input.1", ["N", 2, 3])], [("in", ["N", 2, 3], TensorProto.INT32)])
    text = export(folder, made, f"--interface={folder / 'model.json'}")
    assert json.loads((folder / "model.json").read_text()) == {
        "inputs": [{"name": "input.1", "parameter": "input_1", "type": "float32", "shape": ["N", 2, 3]}],
        "outputs": [{"name": "in", "parameter": "in_", "type": "int32", "shape": ["N", 2, 3]}],
    }
    assert "$input_1" in text and "$in_" in text


def random(*shape):
    return np.random.default_rng([t.options.seed, *shape]).standard_normal(shape).astype(np.float32)


# (node, shapes of inputs without the batch, shape of the output without it, constants)
SAME = [
    (node("Add", ["x", "c"], ["y"]), [(3, 2)], (3, 2), {"c": random(1, 3, 1)}),
    (node("Sub", ["x", "z"], ["y"]), [(3, 2), (1, 2)], (3, 2), {}),
    (node("Where", ["c", "x", "z"], ["y"]), [(3,), (3,)], (3,), {"c": np.array([True, False, True])}),
    (node("Gemm", ["x", "w", "b"], ["y"], transB=1), [(3,)], (4,), {"w": random(4, 3), "b": random(4)}),
    (node("MatMul", ["x", "w"], ["y"]), [(2, 3)], (2, 4), {"w": random(3, 4)}),
    (node("MatMul", ["x", "z"], ["y"]), [(2, 3), (3, 4)], (2, 4), {}),
    (node("Softmax", ["x"], ["y"], axis=1), [(3, 2)], (3, 2), {}),
    (node("ReduceMean", ["x", "axes"], ["y"], keepdims=0), [(3, 2)], (2,), {"axes": np.int64([1])}),
    (node("ReduceMax", ["x", "axes"], ["y"], keepdims=0), [(3,)], (), {"axes": np.int64([-1])}),
    (node("Concat", ["x", "z"], ["y"], axis=-1), [(3, 2), (3, 1)], (3, 3), {}),
    (node("Slice", ["x", "s", "e", "a"], ["y"]), [(3, 2)], (2, 2), {"s": np.int64([1]), "e": np.int64([3]), "a": np.int64([1])}),
    (node("Gather", ["x", "i"], ["y"], axis=1), [(3, 2)], (2, 2), {"i": np.int64([2, 0])}),
    (node("Transpose", ["x"], ["y"], perm=[0, 2, 1]), [(3, 2)], (2, 3), {}),
    (node("Reshape", ["x", "to"], ["y"]), [(3, 2)], (6,), {"to": np.int64([0, 6])}),
    (node("Flatten", ["x"], ["y"]), [(3, 2)], (6,), {}),
    (node("CumSum", ["x", "axis"], ["y"]), [(4,)], (4,), {"axis": np.int64(1)}),
    (node("Pad", ["x", "p"], ["y"]), [(3,)], (5,), {"p": np.int64([0, 2, 0, 0])}),
    (node("Einsum", ["x", "z"], ["y"], equation="bij,bjk->bik"), [(2, 3), (3, 4)], (2, 4), {}),
    (node("Resize", ["x", "", "s"], ["y"]), [(2, 3, 3)], (2, 6, 6), {"s": np.float32([1, 1, 2, 2])}),
    (node("DepthToSpace", ["x"], ["y"], blocksize=2), [(4, 2, 3)], (1, 4, 6), {}),
    (node("LayerNormalization", ["x", "scale"], ["y"]), [(3, 4)], (3, 4), {"scale": random(4)}),
    (node("Conv", ["x", "w"], ["y"], pads=[1] * 4), [(3, 4, 4)], (2, 4, 4), {"w": random(2, 3, 3, 3)}),
    (node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2]), [(3, 4, 4)], (3, 3, 3), {}),
    (node("GlobalAveragePool", ["x"], ["y"]), [(3, 4, 4)], (3, 1, 1), {}),
    (node("InstanceNormalization", ["x", "s", "b"], ["y"]), [(2, 3, 3)], (2, 3, 3), {"s": random(2), "b": random(2)}),
]


@pytest.mark.parametrize("made, inputs, output, constants", SAME, ids=lambda value: getattr(value, "op_type", ""))
def test_blocks_give_what_the_whole_gives(folder, made, inputs, output, constants):
    """Five samples, two at a time: the last block has one."""
    ports = [(name, ["N", *shape]) for name, shape in zip("xz", inputs)]
    graph = model([made], ports, [("y", ["N", *output])], constants)
    assert "ceil(" in expectSame(folder, graph, [random(5, *shape) for shape in inputs], options=["--batch=2"])


# (node, shape of x without the batch, shape of y with the batch, constants)
FIXED = [
    (node("Add", ["x", "c"], ["y"]), [3], [4, 3], {"c": random(4, 3)}),
    (node("Sub", ["c", "x"], ["y"]), [3], [4, 3], {"c": random(4, 3)}),
    (node("Mul", ["x", "c"], ["y"]), [], [4], {"c": random(4)}),
    (node("Div", ["x", "c"], ["y"]), [1, 3], [4, 2, 3], {"c": random(4, 2, 1)}),
    (node("Add", ["x", "c"], ["y"]), [3], [2, 4, 3], {"c": random(2, 4, 1)}),
    (node("Max", ["x", "d", "c"], ["y"]), [3], [4, 3], {"c": random(4, 3), "d": random(3)}),
    (node("Where", ["d", "x", "c"], ["y"]), [3], [4, 3], {"d": np.array([True, False, True]), "c": random(4, 3)}),
    (node("Expand", ["x", "s"], ["y"]), [3], [4, 3], {"s": np.int64([4, 3])}),
    (node("MatMul", ["x", "c"], ["y"]), [2, 3], [4, 2, 5], {"c": random(4, 3, 5)}),
    (node("MatMul", ["c", "x"], ["y"]), [3, 5], [4, 2, 5], {"c": random(4, 2, 3)}),
    (node("Gemm", ["c", "w", "x"], ["y"]), [5], [4, 5], {"c": random(4, 3), "w": random(3, 5)}),
]


@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("made, shape, output, constants", FIXED, ids=lambda value: getattr(value, "op_type", ""))
def test_free_batch_against_a_fixed_size(folder, rows, made, shape, output, constants):
    """Right for one sample, too, which is repeated: that was an error of SystemDS."""
    graph = model([made], [("x", ["N", *shape])], [("y", output)], constants)
    expectSame(folder, graph, [random(rows, *shape)])


def test_free_batch_that_does_not_fit(folder):
    graph = model([node("Add", ["x", "c"], ["y"])], [("x", ["N", 3])], [("y", [4, 3])], {"c": random(4, 3)})
    script = systemds.export(folder, graph)
    if running := systemds.process():
        with pytest.raises(RuntimeError, match="the batch has another size"):
            systemds.runScript(folder, script, [random(2, 3)], running)


def test_input_without_elements(folder):
    """It is no argument of the function; those after it were taken for it."""
    nodes = [node("Concat", ["z", "none"], ["s"], axis=1), node("Add", ["x", "s"], ["y"])]
    ports = [("none", [1, 0]), ("x", ["N", 3]), ("z", [1, 3])]
    graph = model(nodes, ports, [("y", ["N", 3])])
    inputs = [np.zeros((1, 0), np.float32), random(5, 3), random(1, 3)]
    text = expectSame(folder, graph, inputs, options=["--batch=2"])
    assert "y_block = net(x_block, z)" in text and "read(none" not in text


def test_checker_sees_the_loop():
    dml.check("x = 1\nfor (i in seq(1, 2, 1)) {\n  y = x\n}\nz = y")
    with pytest.raises(dml.Mistake):
        dml.check("for (i in seq(1, 2, 1)) {\n  y = q\n}")
