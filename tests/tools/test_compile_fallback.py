"""onnx-run on models that MLIR or LLVM cannot compile: a crash ended the process, and an error was the last word. The compiler runs
in a child process; where it fails or dies, the program calls the kernels of the operators one after the other, and a warning says
why. `NO_CODE` is a part of a model that has no lowering: a SplitToSequence whose sizes have no rank.
"""

import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_testing import TOOL, cmakeCache

RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
F, I, B, S = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
node = helper.make_node
NO_CODE = [node("SplitToSequence", ["w", "sizes"], ["parts"]), node("SequenceLength", ["parts"], ["n"])]
W, SIZES = np.float32([1, 2, 3]), np.int64([1, 2])


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
    command = [RUN, folder / "model.onnx", *arguments, f"--cache-dir={folder}/cache", *flags]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, env=environment)


def withoutCode(folder, nodes, inputs, outputs, feed, constants=None, flags=("--guard-memory", "--stats")):
    """What a model prints that also has NO_CODE, and the same without it, compiled."""
    save(folder, nodes, inputs, outputs, constants)
    compiled = run(folder, feed)
    assert compiled.returncode == 0 and not compiled.stderr, compiled.stderr
    save(folder, [*nodes, *NO_CODE], [*inputs, tensor("w"), tensor("sizes", I)], [*outputs, tensor("n", I)], constants)
    done = run(folder, {**feed, "w": W, "sizes": SIZES}, *flags)
    assert done.returncode == 0, done.stderr
    assert "warning: the kernels of its operators are called one after the other, since it cannot be compiled: " in done.stderr
    assert "a split of type 'tensor<*xi64>'" in done.stderr
    lines = done.stdout.splitlines()
    counts = re.fullmatch(r"(\d+) allocations, (\d+) frees, .*", lines.pop())
    assert counts[1] == counts[2], counts[0]
    assert lines.pop() == "n: i64[] 2"
    assert lines == compiled.stdout.splitlines()
    return compiled.stdout


# ---- what has no lowering ----------------------------------------------------------------------------------------------


def test_tensors(folder):
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
    printed = withoutCode(folder, nodes, [tensor("x", shape=["a", 3])], outputs, feed, constants)
    assert "part: f32[2, 1] [[-0], [-3]]" in printed and "none: f32[0, 3]" in printed


@pytest.mark.parametrize("isThere", (True, False))
def test_lists_optionals_and_texts(folder, isThere):
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
    printed = withoutCode(folder, nodes, inputs, outputs, feed, {"zero": np.int64(0)})
    assert ("back: f32[2] [5, 6]" if isThere else "back: nothing") in printed


def test_bodies(folder):
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
    withoutCode(folder, nodes, inputs, outputs, {"x": np.float32([1, 2]), "m": np.int64(3), "c0": np.bool_(True)})


def test_types(folder):
    kinds = (TensorProto.FLOAT8E4M3FN, TensorProto.INT4, TensorProto.UINT4, TensorProto.BFLOAT16, TensorProto.FLOAT16, B,
             TensorProto.COMPLEX64, TensorProto.UINT64, TensorProto.INT8)  # fmt: skip
    numbers = [kind for kind in kinds if kind != TensorProto.COMPLEX64]
    nodes = [node("Cast", ["x"], [f"y{kind}"], to=kind) for kind in numbers]
    nodes += [node("Identity", ["z"], ["same"])]
    outputs = [*(tensor(f"y{kind}", kind) for kind in numbers), tensor("same", TensorProto.COMPLEX64)]
    graph = helper.make_graph([*nodes, *NO_CODE], "g", [tensor("x"), tensor("z", TensorProto.COMPLEX64), tensor("w"), tensor("sizes", I)],
                              [*outputs, tensor("n", I)])  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), folder / "model.onnx")
    feed = {"x": np.float32([[0, 1, 3]]), "z": np.complex64([1 - 2j]), "w": W, "sizes": SIZES}
    done = run(folder, feed, "--guard-memory")
    assert done.returncode == 0 and "called one after the other" in done.stderr, done.stderr
    values = re.findall(r"(\w+): \w+(?:\[.*?\]) (.*)\n", done.stdout)
    assert len(values) == len(kinds) + 1 and dict(values)["same"] == "[(1,-2)]", done.stdout
    assert all(value[1] in ("[[0, 1, 3]]", "[[false, true, true]]") for value in values[:-2]), done.stdout


def test_errors_name_the_node(folder):
    """Those of the run as with compiled programs, and what no kernel computes is refused as before."""
    nodes = [node("Add", ["w", "v"], ["y"], name="sum"), *NO_CODE]
    save(folder, nodes, [tensor("w"), tensor("v"), tensor("sizes", I)], [tensor("y"), tensor("n", I)])
    done = run(folder, {"w": W, "v": np.float32([1, 2]), "sizes": SIZES})
    assert done.returncode == 1 and "onnx-run: error: " in done.stderr and "Add 'sum': shapes [3] and [2] do not broadcast" in done.stderr
    nodes[0] = node("RandomNormalLike", ["w"], ["y"], name="noise")
    save(folder, nodes, [tensor("w"), tensor("sizes", I)], [tensor("y"), tensor("n", I)])
    done = run(folder, {"w": W, "sizes": SIZES})
    assert done.returncode == 1 and "warning" not in done.stderr and "RandomNormalLike has no lowering: is random" in done.stderr


def test_a_warning_in_each_run(folder):
    """No such program is cached: the second run would be silent."""
    save(folder, NO_CODE, [tensor("w"), tensor("sizes", I)], [tensor("n", I)])
    for _ in range(2):
        done = run(folder, {"w": W, "sizes": SIZES})
        assert done.returncode == 0 and "called one after the other" in done.stderr


def test_emits(folder):
    file = save(folder, NO_CODE, [tensor("w"), tensor("sizes", I)], [tensor("n", I)])
    for form, text in (("llvm", b"onnxfoldModelCall"), ("object", b"onnxfoldModelCall"), ("shared-library", b"onnxfoldModelCall")):
        done = subprocess.run([RUN, file, f"--emit={form}", "-o", folder / "out"], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0 and "called one after the other" in done.stderr, done.stderr
        assert text in (folder / "out").read_bytes()
    done = subprocess.run([RUN, file, "--emit=mlir"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 1 and "a split of type" in done.stderr and not done.stdout


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

# A library that takes the place of functions of libMLIR.so, and dies in the way that DIES says: in each call, or, if FIRST names a
# file that is not there, in the first.
FAULT = r"""
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <unistd.h>
extern "C" void *FUNCTION(void *a, void *b, void *c) {
  const char *first = std::getenv("FIRST"), *how = std::getenv("DIES");
  if (first && access(first, F_OK) == 0)
    return reinterpret_cast<void *(*)(void *, void *, void *)>(dlsym(RTLD_NEXT, NAME))(a, b, c);
  if (first)
    std::fclose(std::fopen(first, "w"));
  if (!std::strcmp(how, "segv"))
    raise(SIGSEGV);
  if (!std::strcmp(how, "abort"))
    std::fputs("LLVM ERROR: it is broken\n", stderr), std::abort();
  if (!std::strcmp(how, "memory"))
    throw std::bad_alloc();
  if (!std::strcmp(how, "stack"))
    return FUNCTION(nullptr, nullptr, nullptr);
  std::exit(7);
}
"""

# The function, and the step that the warning names.
PLACES = {
    "_ZN4mlir23translateModuleToLLVMIREPNS_9OperationERN4llvm11LLVMContextENS2_9StringRefEb": "translation to LLVM's IR",
    "_ZN4mlir25makeOptimizingTransformerEjjPN4llvm13TargetMachineE": "LLVM's optimiser",
    "_ZN4mlir13createCSEPassEv": "convert-onnx-to-sequence",
}
DEATHS = {"segv": "died of signal 11", "abort": "died of signal 6", "memory": "died of signal 6", "stack": "died of signal 11",
          "exit": "ended with status 7"}  # fmt: skip


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    if (TOOL.parents[1] / "CMakeCache.txt").exists() and cmakeCache(TOOL.parents[1], "ONNXFOLD_SANITIZE") not in ("OFF", ""):
        pytest.skip("a sanitizer must be the first library")
    folder = tmp_path_factory.mktemp("faults")
    (folder / "fault.cpp").write_text(FAULT)
    libraries = {}
    for number, function in enumerate(PLACES):
        libraries[function] = folder / f"fault{number}.so"
        command = ["c++", "-w", "-O0", "-fPIC", "-shared", f"-DFUNCTION={function}", f'-DNAME="{function}"', folder / "fault.cpp", "-o", libraries[function]]
        subprocess.run(command, check=True)
    return libraries


@pytest.mark.parametrize("function", PLACES, ids=PLACES.get)
@pytest.mark.parametrize("death", DEATHS)
def test_the_compiler_dies(folder, faults, function, death):
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    environment = {"LD_PRELOAD": str(faults[function]), "DIES": death}
    done = run(folder, {"w": W}, environment=environment)
    assert done.returncode == 0 and done.stdout == "y: f32[3] [-1, -2, -3]\n", done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("onnx-run: warning: the kernels of its operators are called one after the other, since it cannot be compiled")
    assert f"the compiler {DEATHS[death]}" in line and f" in {PLACES[function]}" in line, line
    assert ("LLVM ERROR: it is broken" in line) == (death == "abort"), line


def test_our_passes_die(folder, faults):
    """Only the first attempt does: MLIR's own passes free the buffers, and the program is compiled."""
    save(folder, [node("Neg", ["w"], ["y"])], [tensor("w")], [tensor("y")])
    environment = {"LD_PRELOAD": str(faults["_ZN4mlir13createCSEPassEv"]), "DIES": "segv", "FIRST": str(folder / "first")}
    done = run(folder, {"w": W}, environment=environment)
    assert done.returncode == 0 and done.stdout == "y: f32[3] [-1, -2, -3]\n", done.stdout + done.stderr
    assert "warning: MLIR's own passes free the buffers: " in done.stderr and "died of signal 11" in done.stderr, done.stderr
