# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: the script, its options and refusals. SystemDS is not needed."""

import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_dml as dml
import onnxfold_testing as t

TOOL = t.TOOL.parent / "onnx-to-dml"


def run(*arguments, status=0, cwd=None):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def model(nodes, inputs, outputs, constants=None, name="net", opset=21):
    value = lambda one: helper.make_tensor_value_info(one[0], one[2] if len(one) > 2 else TensorProto.FLOAT, one[1])
    graph = helper.make_graph(
        nodes, name, [value(one) for one in inputs], [value(one) for one in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in (constants or {}).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def gemm(rows="batch", weight=None):
    weight = np.arange(60, dtype=np.float32).reshape(3, 20) if weight is None else weight
    nodes = [
        helper.make_node("Gemm", ["x", "W", "b"], ["/fc/Gemm_output_0"], "fc", transB=1),
        helper.make_node("Relu", ["/fc/Gemm_output_0"], ["y"], "act"),
    ]
    constants = {"W": weight, "b": np.float32([0.5, -1, 2])}
    return model(nodes, [("x", [rows, 20])], [("y", [rows, 3])], constants)


def export(folder, made, *options):
    onnx.save(made, folder / "model.onnx")
    run(folder / "model.onnx", *options)
    text = (folder / "model.dml").read_text()
    dml.check(text)
    return text


EXPECTED = """\
# Made by onnx-to-dml; the matrix of a tensor has its first dimension as rows, that of a list is a column.

# ONNX graph net
# input x: float32 (batch, 20)
# output y: float32 (batch, 3)
net = function(matrix[double] x, matrix[double] W) return (matrix[double] y)
{
  b = matrix("0.5 -1 2", rows=1, cols=3)
  # Gemm fc
  fc_Gemm_output_0 = x %*% t(W) + b    # /fc/Gemm_output_0
  # Relu act
  y = max(fc_Gemm_output_0, 0)
}

# Parameters (-nvargs): files of inputs and outputs, format of outputs, folder of weights.
format = ifdef($format, "binary")
weights = ifdef($weights, "model.weights")
x_file = ifdef($x, "x.bin")
x = read(x_file)    # x: float32 (batch, 20)
W = read(weights + "/W.bin", format="binary", rows=3, cols=20, rows_in_block=1000, cols_in_block=1000)
y = net(x, W)
y_file = ifdef($y, "y.bin")
write(y, y_file, format=format)
"""


def test_script(folder):
    assert export(folder, gemm()) == EXPECTED
    assert (folder / "model.weights/W.bin").stat().st_size == 126 + 53 + 60 * 8


def test_same_bytes(folder):
    """The old converter wrote imports in the order of a set."""
    first = export(folder, gemm())
    assert export(folder, gemm()) == first


def test_library(folder):
    text = export(folder, gemm(), "--library")
    assert "read(" not in text and "write(" not in text
    assert "# weight W: model.weights/W.bin, 3 x 20" in text


def test_csv_weights(folder):
    text = export(folder, gemm(), "--weights=csv")
    assert 'read(weights + "/W.csv", format="csv", rows=3, cols=20, header=FALSE, sep=",")' in text
    assert (folder / "model.weights/W.csv").read_text().splitlines()[1] == ",".join(map(str, range(20, 40)))


def test_all_refusals_at_once(folder):
    nodes = [
        helper.make_node("NonZero", ["x"], ["a"], "first"),
        helper.make_node("RandomNormalLike", ["x"], ["b"], "second"),
    ]
    made = model(nodes, [("x", [2, 2])], [("a", [2, None], TensorProto.INT64), ("b", [2, 2])])
    onnx.save(made, folder / "model.onnx")
    error = run(folder / "model.onnx", status=1)
    assert "NonZero 'first': the size of its result depends on values" in error
    assert "RandomNormalLike 'second': the exporter does not know the operator" in error
    assert list(folder.iterdir()) == [folder / "model.onnx"]


def test_unknown_dimension_names_the_option(folder):
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    made = model(nodes, [("x", ["batch", "seq"])], [("y", ["batch", "seq"])])
    onnx.save(made, folder / "model.onnx")
    assert "(--dim=seq:N)" in run(folder / "model.onnx", status=1)
    run(folder / "model.onnx", "--dim=seq:4")


def test_two_batch_sizes_are_refused(folder):
    """x + y of (a, 3) and (b, 3) is not of the shape of x if a is 1."""
    nodes = [helper.make_node("Add", ["x", "y"], ["z"])]
    made = model(nodes, [("x", ["a", 3]), ("y", ["b", 3])], [("z", ["c", 3])])
    onnx.save(made, folder / "model.onnx")
    assert "dimension 0 of 'y' is 'b'" in run(folder / "model.onnx", status=1)


def test_names_of_the_old_converter(folder):
    """`input.1`, `23`, `in`, `function` and `pi` were copied as they are, and the script did not parse."""
    names = ["input.1", "/fc1/Relu_output_0", "23", "in", "function", "pi", "lambda"]
    operators = ["Relu", "Exp", "Tanh", "Sin", "Cos", "Atan"]  # equal ones in a row would be merged
    nodes = [helper.make_node(op, [a], [b]) for op, a, b in zip(operators, names, names[1:])]
    text = export(folder, model(nodes, [(names[0], [2, 3])], [(names[-1], [2, 3])], name="in"))
    assert "in_ = function(matrix[double] input_1) return (matrix[double] lambda_)" in text
    assert "# /fc1/Relu_output_0" in text


def test_doc_string_and_node_name_of_two_lines(folder):
    """The second line stood outside of the comment."""
    nodes = [helper.make_node("Relu", ["x"], ["y"], "a\nstop()")]
    made = model(nodes, [("x", [2, 3])], [("y", [2, 3])], name="net\nstop()")
    made.doc_string = made.graph.doc_string = "one\ntwo"
    made.metadata_props.add(key="k", value="v")
    assert "\nstop()" not in export(folder, made)


def test_residual_block(folder):
    """A = f(x), C1 = g(A), o = A + C2: a search from below used A before it was assigned. The checker sees that."""
    nodes = [
        helper.make_node("Relu", ["x"], ["A"]),
        helper.make_node("Tanh", ["A"], ["C1"]),
        helper.make_node("Exp", ["C1"], ["C2"]),
        helper.make_node("Add", ["A", "C2"], ["o"]),
    ]
    export(folder, model(nodes, [("x", [2, 3])], [("o", [2, 3])]))


def test_integers_beyond_doubles(folder):
    nodes = [helper.make_node("Add", ["x", "c"], ["y"], "sum")]
    made = model(nodes, [("x", [2], TensorProto.INT64)], [("y", [2], TensorProto.INT64)], {"c": np.int64([1, 2**53 + 1])})
    onnx.save(made, folder / "model.onnx")
    assert "Add 'sum': element 1 of the constant 'c' is an integer beyond 2^53" in run(folder / "model.onnx", status=1)


@pytest.mark.parametrize(
    "options, text",
    [
        ([], "no model is given (see onnx-to-dml --help)"),
        (["missing.onnx"], "missing.onnx"),
        (["m.onnx", "--weights=xml"], "--weights is 'xml', expected binary or csv"),
        (["m.onnx", "--dim=batch"], "--dim"),
        (["m.onnx", "--nonsense"], "--nonsense"),
    ],
)
def test_bad_usage(folder, options, text):
    error = run(*options, status=1, cwd=folder)
    assert error.startswith("onnx-to-dml: error: ") and text in error


def test_standard_output(folder):
    onnx.save(gemm(), folder / "model.onnx")
    assert "the weights need a folder" in run(folder / "model.onnx", "-o", "-", status=1)
    small = model([helper.make_node("Relu", ["x"], ["y"])], [("x", [2, 3])], [("y", [2, 3])])
    onnx.save(small, folder / "small.onnx")
    dml.check(run(folder / "small.onnx", "-o", "-"))


def test_output_is_not_the_input(folder):
    onnx.save(gemm(), folder / "model.onnx")
    before = (folder / "model.onnx").read_bytes()
    run(folder / "model.onnx", "-o", folder / "model.onnx", status=1)
    assert (folder / "model.onnx").read_bytes() == before
    assert list(folder.iterdir()) == [folder / "model.onnx"]


def test_help():
    text = run("--help")
    for option in ("--library", "--weights", "--dim", "--input-shape", "--bind", "-o"):
        assert option in text


def test_quick_start(folder):
    """The first command of docs/dml.md."""
    onnx.save(gemm(), folder / "model.onnx")
    page = (t.ROOT / "docs/dml.md").read_text()
    command = next(line for line in page.splitlines() if line.startswith("    onnx-to-dml")).split()
    run(*command[1:], cwd=folder)
    dml.check((folder / "model.dml").read_text())


def test_operators_of_the_page():
    sources = "".join(path.read_text() for path in (t.ROOT / "dml/lowerings").rglob("*.cpp"))
    registered = {name.rpartition(".")[2] for name in re.findall(r'registry\s*\.add\(\s*"([\w.]+)"', sources)}
    page = (t.ROOT / "docs/dml.md").read_text().split("<!-- operators")[1].split("<!-- end -->")[0]
    assert set(re.findall(r"\b[A-Z]\w+", page.split("-->")[1])) == registered
