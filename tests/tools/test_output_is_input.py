# SPDX-License-Identifier: Apache-2.0
"""No program destroys a file that it reads: an output that is an input is refused, or takes its place when it is complete.

onnx-run wrote the object over the model, and fold-run an array over the module.
"""

import os
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_testing as t

MODULE = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
SCRIPT = 'x = read($x, rows=2, cols=2)\nwrite(x + 1, "y")\n'
NEVER = "is one of the input files, which are never written, expected another output"


@pytest.fixture
def files(folder):
    """Inputs of all programs, and links to them."""
    (folder / "m.mlir").write_text(MODULE)
    (folder / "s.dml").write_text(SCRIPT)
    np.save(folder / "x.npy", np.arange(4, dtype=np.float32))
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "g", value[:1], value[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "a.onnx")
    for name in ("m.mlir", "x.npy", "a.onnx", "s.dml"):
        os.symlink(folder / name, folder / f"link-{name}")
    return folder


def run(folder, program, *arguments):
    return subprocess.run([t.TOOL.parent / program, *arguments], cwd=folder, capture_output=True, text=True)


CASES = [
    ("fold-run", "m.mlir", ["m.mlir", "--input=0=x.npy", "--output={}"], ["m.mlir", "link-m.mlir"]),
    ("fold-run", "x.npy", ["m.mlir", "--input=0=x.npy", "--output={}"], ["x.npy", "link-x.npy"]),
    ("onnx-run", "a.onnx", ["a.onnx", "--emit=object", "-o", "{}"], ["a.onnx", "link-a.onnx"]),
    ("onnx-run", "a.onnx", ["a.onnx", "--emit=shared-library", "-o", "{}"], ["a.onnx"]),
    ("onnx-to-dml", "a.onnx", ["a.onnx", "-o", "{}"], ["a.onnx", "link-a.onnx"]),
    ("onnx-fold", "a.onnx", ["a.onnx", "-o", "{}"], ["a.onnx", "link-a.onnx"]),
]


@pytest.mark.parametrize("program,kept,arguments,outputs", CASES)
def test_refused(files, program, kept, arguments, outputs):
    before = (files / kept).read_bytes()
    for output in outputs:
        done = run(files, program, *(argument.format(output) for argument in arguments))
        assert done.returncode == 1 and f"{output}: {NEVER}" in done.stderr, done
        assert (files / kept).read_bytes() == before


def test_weights(files):
    """The data files of a model are inputs that no argument names."""
    weight = onnx.numpy_helper.from_array(np.arange(4, dtype=np.float32), "w")
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", value[:1], value[1:], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, files / "e.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    before = (files / "w.bin").read_bytes()
    os.symlink("w.bin", files / "link.bin")
    for output in ("w.bin", "link.bin"):
        for program, arguments in (("onnx-run", ["--emit=object"]), ("onnx-run", ["--emit=shared-library"]), ("onnx-fold", []), ("onnx-to-dml", [])):
            done = run(files, program, "e.onnx", *arguments, "-o", output)
            assert done.returncode == 1 and NEVER in done.stderr, done
            assert (files / "w.bin").read_bytes() == before, done


def test_script(files):
    done = run(files, "dml-to-onnx", "s.dml", "-o", "s.dml")
    assert done.returncode == 1 and "is the script, expected another file" in done.stderr, done
    assert (files / "s.dml").read_text() == SCRIPT


def test_array_in_the_folder_of_results(files):
    """A result of the name of an input, in its folder: y.npy is given for x."""
    np.save(files / "y.npy", np.arange(4, dtype=np.float32))
    done = run(files, "onnx-run", "a.onnx", "--input", "x=y.npy", "--result-dir=.")
    assert done.returncode == 1 and NEVER in done.stderr, done
    assert np.load(files / "y.npy").tolist() == [0, 1, 2, 3]
    done = run(files, "onnx-run", "a.onnx", "--input", "x=x.npy", "--result-dir=.")
    assert done.returncode == 0 and np.load(files / "y.npy").tolist() == [0, 2, 4, 6], done


def test_text_takes_its_place(files):
    """fold-opt's output is complete before it has the name; where it fails, the input is what it was."""
    done = run(files, "fold-opt", "m.mlir", "--canonicalize", "-o", "m.mlir")
    assert done.returncode == 0 and "arith.addf" in (files / "m.mlir").read_text(), done
    (files / "m.mlir").write_text("func.func @f(")
    done = run(files, "fold-opt", "m.mlir", "-o", "m.mlir")
    assert done.returncode == 1 and (files / "m.mlir").read_text() == "func.func @f(", done
