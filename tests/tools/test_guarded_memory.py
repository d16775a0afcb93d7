# SPDX-License-Identifier: Apache-2.0
"""onnx-run --guard-memory: what a wrong program does to its memory stops it where it happens.

Compiled models do none of it, so a program of its own does, on the same blocks (onnx/compile/GuardedMemory.cpp).
"""

import re
import signal
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_testing import ROOT, TOOL, cmakeCache

FOLDER = ROOT / "onnx/compile"
RUN = TOOL.parent / "onnx-run"

PROGRAM = r"""
#include "onnxfold/onnx/compile/GuardedMemory.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
using namespace onnxfold;
int main(int, char **argv) {
  std::string what = argv[1];
  auto *block = static_cast<volatile char *>(guardedAllocate(16, 100));
  auto *plain = const_cast<char *>(block);
  auto *whole = static_cast<volatile char *>(guardedAllocate(64, 4096));
  int sum = 0;
  if (what == "fine") {
    std::memset(plain, 1, 100);
    for (size_t bytes : {0, 1, 64, 4096, 5000, 1000000})
      for (size_t alignment : {1, 16, 64, 4096}) {
        void *other = guardedAllocate(alignment, bytes);
        if (!other || uintptr_t(other) % alignment || guardedSize(other) != bytes)
          return 2;
        std::memset(other, 0, bytes);
        guardedFree(other);
      }
    for (int i = 0; i < 30000; ++i) // more than there may be areas
      guardedFree(guardedAllocate(16, 8));
    if (std::memcmp(guardedCopy("text", 5), "text", 5) || block[0] != 1)
      return 3;
  } else if (what == "reads behind the end") {
    sum += whole[4096];
  } else if (what == "reads what was freed") {
    guardedFree(plain);
    sum += block[0];
  } else if (what == "writes to an input") {
    *static_cast<char *>(const_cast<void *>(guardedCopy("text", 5))) = 1;
  } else if (what == "writes behind the end") {
    block[100] = 1; // up to the alignment
  } else if (what == "writes before the beginning") {
    block[-1] = 1;
  } else if (what == "frees twice") {
    guardedFree(plain);
  } else if (what == "frees a part") {
    plain += 16;
  } else if (what == "reads what it did not set") {
    sum += block[0] != 0;
    return sum ? 0 : 4;
  }
  guardedFree(plain);
  std::printf("%d\n", sum);
  return 0;
}
"""

# what is done, and the signal and message that it ends with
CASES = {
    "fine": (0, ""), "reads what it did not set": (0, ""),
    "reads behind the end": (-signal.SIGSEGV, ""), "reads what was freed": (-signal.SIGSEGV, ""),
    "writes to an input": (-signal.SIGSEGV, ""), "writes behind the end": (-signal.SIGABRT, "was written to behind its end"),
    "writes before the beginning": (-signal.SIGABRT, "was written to before its beginning"),
    "frees twice": (-signal.SIGABRT, "was not allocated, or was freed before"),
    "frees a part": (-signal.SIGABRT, "was not allocated, or was freed before"),
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "main.cpp").write_text(PROGRAM)
    compiler = cmakeCache(TOOL.parents[1], "CMAKE_CXX_COMPILER") if (TOOL.parents[1] / "CMakeCache.txt").exists() else "c++"
    sources = [folder / "main.cpp", FOLDER / "GuardedMemory.cpp"]
    (folder / "onnxfold").symlink_to(ROOT)
    subprocess.run([compiler, "-std=c++20", "-O1", f"-I{folder}", *sources, "-o", folder / "program"], check=True)
    return folder / "program"


@pytest.mark.parametrize("what", CASES)
def test_wrong_accesses(program, what):
    status, message = CASES[what]
    done = subprocess.run([program, what], capture_output=True, text=True, timeout=600)
    assert done.returncode == status and message in done.stderr, (done.returncode, done.stderr)


@pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
def test_results_are_the_same(folder):
    """With guarded memory the same results and counts, for a list too."""
    nodes = [
        helper.make_node("Cos", ["x"], ["c"]), helper.make_node("SequenceConstruct", ["x", "c"], ["list"]),
        helper.make_node("ConcatFromSequence", ["list"], ["y"], axis=0),
    ]  # fmt: skip
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    np.save(folder / "x.npy", np.float32([0, 1, 2]))
    said = []
    for flags in (["--stats"], ["--stats", "--guard-memory"], ["--guard-memory", "--stats", "--runs=3"]):
        command = [RUN, folder / "model.onnx", f"--input=x={folder}/x.npy", "--no-cache", *flags]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        said.append((done.stdout.splitlines()[0], re.search(r"\d+ allocations, \d+ frees", done.stdout)[0]))
    assert said[0][0] == "y: f32[6] [0, 1, 2, 1, 0.540302277, -0.416146845]" and len(set(said)) == 1, said


@pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
def test_zeros_that_llvm_allocates(folder):
    """Freeing them was said to be a mistake, and was counted alone: LLVM makes one calloc of malloc and zeros."""
    zero = numpy_helper.from_array(np.zeros((2, 3), np.float32), "zero")
    nodes = [
        helper.make_node("SequenceConstruct", ["zero"], ["list"]), helper.make_node("SequenceAt", ["list", "first"], ["y"]),
        helper.make_node("SequenceConstruct", ["y", "x"], ["both"]), helper.make_node("SequenceLength", ["both"], ["n"]),
    ]  # fmt: skip
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy")
    n = helper.make_tensor_value_info("n", TensorProto.INT64, [])
    graph = helper.make_graph(nodes, "g", [x], [y, n], [zero, numpy_helper.from_array(np.int64(0), "first")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    np.save(folder / "x.npy", np.ones((2, 3), np.float32))
    made = subprocess.run([RUN, folder / "model.onnx", "--no-fold", "--emit=llvm"], capture_output=True, text=True, timeout=600)
    assert "@calloc(" in made.stdout, "LLVM makes no calloc of it any more"
    for flag in ("--print", "--guard-memory"):
        command = [RUN, folder / "model.onnx", "--no-fold", f"--input=x={folder}/x.npy", "--no-cache", "--stats", flag]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        counts = re.search(r"(\d+) allocations, (\d+) frees", done.stdout)
        assert done.returncode == 0 and counts and counts[1] == counts[2], done.stdout + done.stderr
