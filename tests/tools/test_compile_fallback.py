# SPDX-License-Identifier: Apache-2.0
"""onnx-run on models that MLIR or LLVM cannot compile: a crash ended the process, and an error was the last word. The compiler runs
in a child process; where it fails or dies, the program calls the kernels of the operators one after the other, and a warning says
why.
"""

import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_faults import BUFFERIZE, CREATE_CSE, dying
from onnxfold_testing import TOOL, cmakeCache

RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
F, I, B, S = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
node = helper.make_node
W = np.float32([1, 2, 3])


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """The folder of onnxfold_faults.dying()."""
    if (TOOL.parents[1] / "CMakeCache.txt").exists() and cmakeCache(TOOL.parents[1], "ONNXFOLD_SANITIZE") not in ("OFF", ""):
        pytest.skip("a sanitizer must be the first library")
    return tmp_path_factory.mktemp("faults")


def tensor(name, kind=F, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def optional(name, kind=F, shape=None):
    return helper.make_value_info(name, helper.make_optional_type_proto(helper.make_tensor_type_proto(kind, shape)))


def save(folder, nodes, inputs, outputs, constants=None):
    weights = [numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()]
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    return folder / "model.onnx"


def run(folder, feed, *flags, environment=None):
    arguments = []
    for name, value in feed.items():
        if isinstance(value, list):
            np.savez(folder / f"{name}.npz", **{f"{name}.{i}": element for i, element in enumerate(value)})
            arguments.append(f"--input={name}={folder}/{name}.npz")
        else:
            np.save(folder / f"{name}.npy", value)
            arguments.append(f"--input={name}={folder}/{name}.npy")
    command = [RUN, folder / "model.onnx", *arguments, f"--cache={folder}/cache", *flags]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, env=environment)


def byKernels(folder, faults, nodes, inputs, outputs, feed, constants=None):
    """What a model prints that is compiled, and the same where the compiler dies."""
    save(folder, nodes, inputs, outputs, constants)
    compiled = run(folder, feed)
    assert compiled.returncode == 0 and not compiled.stderr, compiled.stderr
    done = run(folder, feed, "--guard-memory", "--stats", "--no-cache", environment=dying(faults))
    assert done.returncode == 0, done.stderr
    assert "warning: the kernels of its operators are called one after the other, since it cannot be compiled: " in done.stderr
    lines = done.stdout.splitlines()
    counts = re.fullmatch(r"(\d+) allocations, (\d+) frees, .*", lines.pop())
    assert counts[1] == counts[2], counts[0]
    assert lines == compiled.stdout.splitlines()
    return compiled.stdout


# ---- what is evaluated -------------------------------------------------------------------------------------------------


def test_tensors(folder, faults):
    """Ranks declared, open and missing, no sizes and no ranks, the same value twice, an input as a result, a constant."""
    nodes = [
        node("Neg", ["x"], ["y"]), node("Identity", ["y"], ["again"]), node("Identity", ["x"], ["same"]),
        node("Identity", ["k"], ["constant"]), node("Slice", ["y", "b", "e", "one"], ["part"]),
        node("ReduceMax", ["y"], ["scalar"], keepdims=0), node("Shape", ["x"], ["shape"]), node("Slice", ["y", "b", "b"], ["none"]),
    ]  # fmt: skip
    outputs = [tensor("y", shape=["a", 3]), tensor("again"), tensor("same"), tensor("constant", I), tensor("part"),
               tensor("scalar"), tensor("shape", I), tensor("none")]  # fmt: skip
    constants = {"b": np.int64([0]), "e": np.int64([1]), "one": np.int64([1]), "k": np.int64([[7, 8]])}
    feed = {"x": np.float32([[0, 1, 2], [3, 4, 5]])}
    printed = byKernels(folder, faults, nodes, [tensor("x", shape=["a", 3])], outputs, feed, constants)
    assert "part: f32[2, 1] [[-0], [-3]]" in printed and "none: f32[0, 3]" in printed


@pytest.mark.parametrize("isThere", (True, False))
def test_lists_optionals_and_texts(folder, faults, isThere):
    nodes = [
        node("SequenceInsert", ["list", "x"], ["longer"]), node("OptionalHasElement", ["o"], ["has"]),
        node("Identity", ["o"], ["back"]), node("SequenceConstruct", ["s", "s"], ["texts"]), node("Identity", ["s"], ["t"]),
        node("SequenceErase", ["list", "zero"], ["shorter"]), node("SequenceAt", ["list", "zero"], ["first"]),
    ]  # fmt: skip
    lists = lambda name, kind=F: helper.make_tensor_sequence_value_info(name, kind, None)
    inputs = [tensor("x"), lists("list"), optional("o", shape=[None]), tensor("s", S, [None])]
    outputs = [lists("longer"), tensor("has", B, []), optional("back", shape=[None]), lists("texts", S), tensor("t", S, [None]),
               lists("shorter"), tensor("first")]  # fmt: skip
    feed = {"x": np.float32([[1]]), "list": [np.float32([1, 2]), np.float32(3)], "s": np.array(["a", "", "b\u00e9"])}
    if isThere:
        feed["o"] = np.float32([5, 6])
    printed = byKernels(folder, faults, nodes, inputs, outputs, feed, {"zero": np.int64(0)})
    assert ("back: f32[2] [5, 6]" if isThere else "back: nothing") in printed


def test_bodies(folder, faults):
    """If, and a Loop whose trip count is an input."""
    body = helper.make_graph(
        [node("Add", ["v", "x"], ["u"]), node("Identity", ["c"], ["d"]), node("ReduceSum", ["u"], ["z"], keepdims=0)], "body",
        [tensor("i", I, []), tensor("c", B, []), tensor("v", shape=[2])], [tensor("d", B, []), tensor("u", shape=[2]), tensor("z", shape=[])],
    )  # fmt: skip
    yes = helper.make_graph([node("Neg", ["x"], ["p"])], "yes", [], [tensor("p", shape=[2])])
    no = helper.make_graph([node("Identity", ["x"], ["q"])], "no", [], [tensor("q", shape=[2])])
    nodes = [node("Loop", ["m", "", "x"], ["end", "sums"], body=body), node("If", ["c0"], ["r"], then_branch=yes, else_branch=no)]
    inputs = [tensor("x", shape=[2]), tensor("m", I, []), tensor("c0", B, [])]
    outputs = [tensor("end", shape=[2]), tensor("sums", shape=[None]), tensor("r", shape=[2])]
    byKernels(folder, faults, nodes, inputs, outputs, {"x": np.float32([1, 2]), "m": np.int64(3), "c0": np.bool_(True)})


def test_training(folder, faults):
    """By kernels what trains was refused: they are those of folding, which keeps it."""
    inputs = [tensor(name, shape=[None, 2] if name == "x" else [2]) for name in ("x", "s", "b", "m", "v")]
    nodes = [node("BatchNormalization", ["x", "s", "b", "m", "v"], ["n", "mean", "var"], training_mode=1, epsilon=1.0, momentum=0.5),
             node("Dropout", ["n", "none", "yes"], ["y", "mask"])]  # fmt: skip
    feed = {"x": np.float32([[0, 4], [0, 8]]), "s": np.float32([1, 2]), "b": np.float32([3, 4]), "m": np.float32([2, 4]), "v": np.float32([1, 2])}
    outputs = [tensor("y"), tensor("mask", B), tensor("mean"), tensor("var")]
    printed = byKernels(folder, faults, nodes, inputs, outputs, feed, {"none": np.float32(0), "yes": np.bool_(True)})
    assert "mean: f32[2] [1, 5]" in printed and "var: f32[2] [0.5, 3]" in printed, printed


def test_nan_and_ties(folder, faults):
    """A run has to decide what folding leaves: these were refused where the kernels are called."""
    nodes = [node("TopK", ["x", "two"], ["y", "at"]), node("ArgMax", ["x"], ["most"])]
    outputs = [tensor("y"), tensor("at", I), tensor("most", I)]
    byKernels(folder, faults, nodes, [tensor("x", shape=[4])], outputs, {"x": np.float32([1, np.nan, 3, -2])}, {"two": np.int64([2])})


def test_types(folder, faults):
    kinds = (TensorProto.FLOAT8E4M3FN, TensorProto.INT4, TensorProto.UINT4, TensorProto.BFLOAT16, TensorProto.FLOAT16, B,
             TensorProto.COMPLEX64, TensorProto.UINT64, TensorProto.INT8)  # fmt: skip
    numbers = [kind for kind in kinds if kind != TensorProto.COMPLEX64]
    nodes = [node("Cast", ["x"], [f"y{kind}"], to=kind) for kind in numbers]
    nodes += [node("Identity", ["z"], ["same"])]
    outputs = [*(tensor(f"y{kind}", kind) for kind in numbers), tensor("same", TensorProto.COMPLEX64)]
    graph = helper.make_graph(nodes, "g", [tensor("x"), tensor("z", TensorProto.COMPLEX64)], outputs)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), folder / "model.onnx")
    feed = {"x": np.float32([[0, 1, 3]]), "z": np.complex64([1 - 2j])}
    done = run(folder, feed, "--guard-memory", environment=dying(faults))
    assert done.returncode == 0 and "called one after the other" in done.stderr, done.stderr
    values = re.findall(r"(\w+): \w+(?:\[.*?\]) (.*)\n", done.stdout)
    assert len(values) == len(kinds) and dict(values)["same"] == "[(1,-2)]", done.stdout
    assert all(value[1] in ("[[0, 1, 3]]", "[[false, true, true]]") for value in values[:-1]), done.stdout


def test_errors_name_the_node(folder, faults):
    """Those of the run as with compiled programs, and what no kernel computes is refused as before."""
    save(folder, [node("Add", ["w", "v"], ["y"], name="sum")], [tensor("w"), tensor("v")], [tensor("y")])
    done = run(folder, {"w": W, "v": np.float32([1, 2])}, environment=dying(faults))
    assert done.returncode == 1 and "onnx-run: error: " in done.stderr and "Add 'sum': shapes [3] and [2] do not broadcast" in done.stderr
    save(folder, [node("RandomNormalLike", ["w"], ["y"], name="noise")], [tensor("w")], [tensor("y")])
    done = run(folder, {"w": W})
    assert done.returncode == 1 and "warning" not in done.stderr and "RandomNormalLike 'noise' has no lowering: is random" in done.stderr


def test_a_warning_in_each_run(folder, faults):
    """No such program is cached: the second run would be silent."""
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    for _ in range(2):
        done = run(folder, {"w": W}, environment=dying(faults))
        assert done.returncode == 0 and "called one after the other" in done.stderr


def test_emits(folder, faults):
    file = save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    command = [RUN, file, "-o", folder / "out"]
    for form in ("llvm", "object", "shared-library"):
        done = subprocess.run([*command, f"--emit={form}"], capture_output=True, text=True, timeout=600, env=dying(faults))
        assert done.returncode == 0 and "called one after the other" in done.stderr, done.stderr
        assert b"onnxfoldModelCall" in (folder / "out").read_bytes()


def test_the_pass_that_fails_is_named(folder, faults):
    """It was "it cannot be compiled" where a pass of MLIR says nothing."""
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    done = run(folder, {"w": W}, environment=dying(faults, BUFFERIZE, "failure"))
    assert done.returncode == 0 and done.stdout == "y: f32[3] [-1, -2, -3]\n", done.stdout + done.stderr
    assert "since it cannot be compiled: " in done.stderr and "model.onnx: one-shot-bufferize: it cannot be compiled" in done.stderr


def test_an_error_of_the_lowering(folder, faults):
    """The converter's own error, here of a position that is a matrix, is no last word either."""
    nodes = [node("SequenceConstruct", ["x", "x"], ["list"]), node("SequenceAt", ["list", "i"], ["y"])]
    save(folder, nodes, [tensor("x"), tensor("i", I, [1, 1])], [tensor("y")])
    done = run(folder, {"x": W, "i": np.int64([[1]])})
    assert "called one after the other, since it cannot be compiled: " in done.stderr and "a position of type" in done.stderr
    done = subprocess.run([RUN, folder / "model.onnx", "--emit=mlir"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 1 and "a position of type" in done.stderr and not done.stdout


def test_numbers_of_iterations_that_are_vectors(folder):
    """As OnnxMLTools writes them: "Squeeze: the axes are [0], expected different ones of 0"."""
    body = helper.make_graph(
        [node("Squeeze", ["i", "axis"], ["s"]), node("Gather", ["x", "s"], ["p"]), node("Add", ["v", "p"], ["u"]), node("Identity", ["c"], ["d"])],
        "body", [tensor("i", I, [1]), tensor("c", B, [1]), tensor("v", shape=[])], [tensor("d", B, [1]), tensor("u", shape=[])],
    )  # fmt: skip
    save(folder, [node("Loop", ["m", "yes", "zero"], ["y"], body=body)], [tensor("x", shape=[None]), tensor("m", I, [])], [tensor("y", shape=[])],
         {"axis": np.int64([0]), "yes": np.bool_([True]), "zero": np.float32(0)})  # fmt: skip
    done = run(folder, {"x": W, "m": np.int64(2)}, "--llvm-level=0")
    assert done.returncode == 0 and not done.stderr and done.stdout == "y: f32[] 3\n", done.stdout + done.stderr


def test_only_elements_without_rank(folder):
    """A condition, a position and a trip count of shape [1] were refused in the run where the model says no rank."""
    yes = helper.make_graph([node("Neg", ["x"], ["p"])], "yes", [], [tensor("p")])
    no = helper.make_graph([node("Identity", ["x"], ["q"])], "no", [], [tensor("q")])
    nodes = [node("If", ["c"], ["r"], name="choice", then_branch=yes, else_branch=no), node("SequenceConstruct", ["x", "r"], ["list"]),
             node("SequenceAt", ["list", "i"], ["y"])]  # fmt: skip
    save(folder, nodes, [tensor("x"), tensor("c", B), tensor("i", I)], [tensor("r"), tensor("y")])
    x = np.float32([1, 2])
    for shape in ((), (1,), (1, 1)):
        done = run(folder, {"x": x, "c": np.ones(shape, np.bool_), "i": np.ones(shape, np.int64)})
        assert done.returncode == 0 and not done.stderr and done.stdout == "r: f32[2] [-1, -2]\ny: f32[2] [-1, -2]\n", done.stderr
    for shape in ((2,), (0,)):
        done = run(folder, {"x": x, "c": np.ones(shape, np.bool_), "i": np.int64(1)})
        assert done.returncode == 1 and "the only element for If 'choice'" in done.stderr, done.stdout + done.stderr


# ---- crashes -----------------------------------------------------------------------------------------------------------

# The function, and the step that the warning names.
PLACES = {
    "_ZN4mlir23translateModuleToLLVMIREPNS_9OperationERN4llvm11LLVMContextENS2_9StringRefEb": "translation to LLVM's IR",
    "_ZN4llvm11PassBuilder29buildPerModuleDefaultPipelineENS_17OptimizationLevelENS_18ThinOrFullLTOPhaseE": "LLVM's optimiser",
    CREATE_CSE: "convert-onnx-to-sequence",
}
DEATHS = {"segv": "died of signal 11", "abort": "died of signal 6", "memory": "ended with status 1", "stack": "died of signal 11",
          "exit": "ended with status 7"}  # fmt: skip


@pytest.mark.parametrize("function", PLACES, ids=PLACES.get)
@pytest.mark.parametrize("death", DEATHS)
def test_the_compiler_dies(folder, faults, function, death):
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    done = run(folder, {"w": W}, environment=dying(faults, function, death))
    assert done.returncode == 0 and done.stdout == "y: f32[3] [-1, -2, -3]\n", done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("onnx-run: warning: the kernels of its operators are called one after the other, since it cannot be compiled")
    assert f"the compiler {DEATHS[death]}" in line and f" in {PLACES[function]}" in line, line
    assert ("LLVM ERROR: it is broken" in line) == (death == "abort"), line


def test_our_passes_die(folder, faults):
    """Only the first attempt does: MLIR's own passes free the buffers, and the program is compiled."""
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    done = run(folder, {"w": W}, environment=dying(faults, death="segv", FIRST=str(folder / "first")))
    assert done.returncode == 0 and done.stdout == "y: f32[3] [-1, -2, -3]\n", done.stdout + done.stderr
    assert "warning: MLIR's own passes free the buffers: " in done.stderr and "died of signal 11" in done.stderr, done.stderr


def test_the_run_time_of_retains(folder):
    """Results of Ifs that may be one buffer or another: "Symbols not found: [ onnxfold_retain_buffers ]"."""
    branch = lambda name, *nodes: helper.make_graph(list(nodes), name, [], [tensor(nodes[-1].output[0], shape=[2])])
    nodes = [
        node("If", ["c"], ["a"], then_branch=branch("t", node("Mul", ["w", "x"], ["p"])), else_branch=branch("e", node("Identity", ["w"], ["q"]))),
        node("Mul", ["v", "x"], ["b"]),
        node("If", ["c"], ["d"], then_branch=branch("t", node("Identity", ["b"], ["r"])), else_branch=branch("e", node("Identity", ["a"], ["s"]))),
        node("Mul", ["v", "x"], ["g"]),
        node("If", ["c"], ["h"], then_branch=branch("t", node("Identity", ["g"], ["k"])), else_branch=branch("e", node("Abs", ["g"], ["l"]))),
    ]  # fmt: skip
    inputs = [tensor("x", shape=[2]), tensor("c", B, [])]
    constants = {"w": np.float32([1, -2]), "v": np.float32([-3, 4])}
    file = save(folder, nodes, inputs, [tensor("h", shape=[2]), tensor("d", shape=[2])], constants)
    for yes, text in ((True, "h: f32[2] [-3, 8]\nd: f32[2] [-3, 8]\n"), (False, "h: f32[2] [3, 8]\nd: f32[2] [1, -2]\n")):
        done = run(folder, {"x": np.float32([1, 2]), "c": np.bool_(yes)}, "--guard-memory", "--llvm-level=0", "--no-cache")
        assert done.returncode == 0 and not done.stderr and done.stdout == text, done.stdout + done.stderr
    done = subprocess.run([RUN, file, "--emit=shared-library", "-o", folder / "model.so"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_dropout_without_rank(folder):
    """In training mode with the ratio 0 it drops nothing; without a rank it was refused in the run."""
    save(folder, [node("Dropout", ["x", "ratio", "trains"], ["y"], name="drop")], [tensor("x"), tensor("ratio"), tensor("trains", B)], [tensor("y")])
    for ratio, trains in ((0, True), (0.5, False)):
        done = run(folder, {"x": np.float32([[1, 2]]), "ratio": np.float32(ratio), "trains": np.bool_(trains)})
        assert done.returncode == 0 and not done.stderr and done.stdout == "y: f32[1, 2] [[1, 2]]\n", done.stdout + done.stderr
    done = run(folder, {"x": np.float32([[1, 2]]), "ratio": np.float32(0.5), "trains": np.bool_(True)})
    assert done.returncode == 1 and "Dropout 'drop': is in training mode, where it is random" in done.stderr
