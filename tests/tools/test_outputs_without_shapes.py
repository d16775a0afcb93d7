# SPDX-License-Identifier: Apache-2.0
"""onnx-run on models whose outputs have no shape, or no type: views, scalars, constants, each with and without our passes and buffer reuse."""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_testing import TOOL

RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
FLAGS = ((), ("--no-fold",), ("--upstream-deallocation",), ("--no-buffer-reuse", "--guard-memory"))
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 5


def node(*arguments, **keywords):
    return helper.make_node(*arguments, **keywords)


def run(folder, nodes, feed, outputs, constants, flags, shape):
    """The outputs; `shape`: what the model says of the inputs."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape(value)) for name, value in feed.items()]
    types = [helper.make_tensor_value_info(name, kind, None) if kind else helper.make_empty_tensor_value_info(name) for name, kind in outputs.items()]
    graph = helper.make_graph(nodes, "g", inputs, types, [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    arguments = []
    for name, value in feed.items():
        np.save(folder / f"{name}.npy", value)
        arguments.append(f"--input={name}={folder}/{name}.npy")
    command = [RUN, folder / "model.onnx", *arguments, *flags, f"--result-dir={folder}", "--cache=" + str(folder / "cache")]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [np.load(folder / f"{name}.npy") for name in outputs]


def expect(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape and np.array_equal(got, want), f"{got!r}, expected {want!r}"


SLICES = {"first": np.s_[:, 0:1], "middle": np.s_[:, 1:3], "step": np.s_[:, ::2], "last": np.s_[:, :, 1:2], "none": np.s_[:, 3:3]}


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", SLICES)
@pytest.mark.parametrize("isOpen", (False, True))
def test_slices_of_computed_values(folder, flags, name, isOpen):
    """Relu and Slice[:, 0:1] of [[0,1,2],[3,4,5]] gave [0,1]: the strides were lost with the rank."""
    axis = len(SLICES[name]) - 1
    start, stop, step = SLICES[name][-1].indices(X.shape[axis])
    constants = {"b": np.int64([start]), "e": np.int64([stop]), "a": np.int64([axis]), "s": np.int64([step])}
    nodes = [node("Relu", ["x"], ["r"]), node("Slice", ["r", "b", "e", "a", "s"], ["y"])]
    shape = (lambda value: [f"d{i}" for i in range(value.ndim)]) if isOpen else (lambda value: value.shape)
    (got,) = run(folder, nodes, {"x": X}, {"y": TensorProto.FLOAT}, constants, flags, shape)
    expect(got, np.maximum(X, 0)[SLICES[name]])


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_views_that_are_read_on(folder, flags):
    """Each part of a Split is a view: as a result, as the operand of a kernel, as an element, and behind a branch."""
    yes = helper.make_graph([node("Identity", ["q"], ["t"])], "yes", [], [helper.make_empty_tensor_value_info("t")])
    no = helper.make_graph([node("Neg", ["p"], ["u"])], "no", [], [helper.make_empty_tensor_value_info("u")])
    nodes = [
        node("Relu", ["x"], ["r"]), node("Split", ["r", "n"], ["p", "q"], axis=1), node("Erf", ["q"], ["e"]),
        node("If", ["c"], ["i"], then_branch=yes, else_branch=no), node("Reshape", ["p", "flat"], ["f"]),
        node("SequenceConstruct", ["p", "q"], ["list"]), node("SequenceAt", ["list", "one"], ["s"]),
        node("Transpose", ["q"], ["w"], perm=[2, 1, 0]), node("ReduceMax", ["x"], ["m"], keepdims=0),
        node("Greater", ["m", "zero"], ["c"]),
    ]  # fmt: skip
    nodes = [*nodes[:3], *nodes[8:], *nodes[3:8]]
    constants = {"n": np.int64([1, 2]), "flat": np.int64([-1]), "one": np.int64(1), "zero": np.float32(0)}
    outputs = dict.fromkeys("piefsw", TensorProto.FLOAT)
    flags = [flag for flag in flags if flag != "--upstream-deallocation"]
    p, i, e, f, s, w = run(folder, nodes, {"x": X}, outputs, constants, flags, lambda value: value.shape)
    wantP, wantQ = np.maximum(X, 0)[:, :1], np.maximum(X, 0)[:, 1:]
    for got, want in ((p, wantP), (i, wantQ), (f, wantP.ravel()), (s, wantQ), (w, wantQ.transpose(2, 1, 0))):
        expect(got, want)
    assert e.shape == wantQ.shape and e[0, 0, 0] == 0


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("isComputed", (False, True))
def test_a_scalar_that_is_two_outputs(folder, flags, isComputed):
    """The process ended with SIGSEGV while it compiled: a copy of a scalar without a rank, also where MLIR made the copy of it
    again from one with a rank (--upstream-deallocation, and all models with sequences)."""
    first = [node("Neg", ["x"], ["r"])] if isComputed else [node("Identity", ["x"], ["r"])]
    nodes = [*first, node("Identity", ["r"], ["y"]), node("Identity", ["r"], ["z"])]
    outputs = {"y": TensorProto.FLOAT, "z": TensorProto.FLOAT}
    want = np.float32(-2.5 if isComputed else 2.5)
    for got in run(folder, nodes, {"x": np.float32(2.5)}, outputs, {}, flags, lambda value: value.shape):
        expect(got, np.asarray(want))


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_an_output_that_becomes_constant(folder, flags):
    """A valid model was refused: the constant has a shape, and the model says none of the output."""
    nodes = [node("Neg", ["a"], ["y"]), node("Neg", ["x"], ["z"]), node("Shape", ["x"], ["n"])]
    outputs = {"y": TensorProto.FLOAT, "z": TensorProto.FLOAT, "n": TensorProto.INT64}
    got = run(folder, nodes, {"x": X}, outputs, {"a": np.ones((2, 3), np.float32)}, flags, lambda value: value.shape)
    for one, want in zip(got, (-np.ones((2, 3), np.float32), -X, np.int64([2, 3, 4]))):
        expect(one, want)


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_outputs_without_a_type(folder, flags):
    """They were refused ("is of type !onnx.unknown"), as in models of ONNX Runtime's tests; what is inferred is the type."""
    step = helper.make_graph(
        [node("Add", ["v", "one"], ["w"]), node("Identity", ["c"], ["d"]), node("Neg", ["w"], ["slice"])], "step",
        [helper.make_empty_tensor_value_info(name) for name in "icv"],
        [helper.make_empty_tensor_value_info(name) for name in ("d", "w", "slice")],
    )  # fmt: skip
    nodes = [
        node("Relu", ["x"], ["r"]), node("Shape", ["x"], ["n"]), node("ReduceMax", ["x"], ["m"], keepdims=0),
        node("Greater", ["x", "zero"], ["g"]), node("Loop", ["trips", "", "r"], ["l", "scan"], body=step),
        node("Cast", ["g"], ["t"], to=TensorProto.INT32), node("SequenceConstruct", ["r", "x"], ["list"]),
        node("SequenceAt", ["list", "at"], ["s"]),
    ]  # fmt: skip
    constants = {"zero": np.float32(0), "trips": np.int64(2), "one": np.float32(1), "at": np.int64(1)}
    flags = [flag for flag in flags if flag != "--upstream-deallocation"]
    outputs = dict.fromkeys(("r", "n", "m", "g", "l", "scan", "t", "s"))
    got = run(folder, nodes, {"x": X}, outputs, constants, flags, lambda value: value.shape)
    relu = np.maximum(X, 0)
    wanted = (relu, np.int64(X.shape), np.asarray(X.max()), X > 0, relu + 2, np.stack([-relu - 1, -relu - 2]), (X > 0).astype(np.int32), X)
    for one, want in zip(got, wanted, strict=True):
        expect(one, want)


def test_an_output_of_a_function_has_the_type_of_its_call(folder):
    functions = [helper.make_function("own", "F", ["a"], ["b"], [node("Greater", ["a", "a"], ["b"])], [helper.make_opsetid("", 18)])]
    graph = helper.make_graph([node("F", ["x"], ["y"], domain="own")], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])],
                              [helper.make_empty_tensor_value_info("y")])  # fmt: skip
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, functions=functions, opset_imports=opsets, ir_version=9), folder / "model.onnx")
    np.save(folder / "x.npy", np.ones(3, np.float32))
    done = subprocess.run([RUN, folder / "model.onnx", f"--input=x={folder}/x.npy", "--no-cache"], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "y: bool[3] [false, false, false]\n", ""), done


def test_nothing_says_the_type_of_what_a_custom_operator_gives(folder):
    graph = helper.make_graph([node("Own", ["x"], ["y"], domain="own")], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
                              [helper.make_empty_tensor_value_info("y")])  # fmt: skip
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), folder / "model.onnx")
    np.save(folder / "x.npy", np.ones(1, np.float32))
    done = subprocess.run([RUN, folder / "model.onnx", f"--input=x={folder}/x.npy", "--no-cache"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 1 and "output 'y' has no type in the model, and none is inferred" in done.stderr, done
