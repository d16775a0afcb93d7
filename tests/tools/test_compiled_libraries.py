# SPDX-License-Identifier: Apache-2.0
"""onnx-run --emit=shared-library: a model as a library that runs without any program of ours, called from C and by ctypes.

It was of no use where a kernel is called, or a sequence made: nothing had these functions but onnx-run itself.
"""

import ctypes
import json
import shutil
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from onnxfold_testing import TOOL, cmakeCache

BUILD = TOOL.parents[1]
RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(
    not (BUILD / "lib/libonnxfold_programs.so").exists() or cmakeCache(BUILD, "ONNXFOLD_SANITIZE") not in ("", "OFF"),
    reason="libonnxfold_programs.so is not built, or with sanitizers, but its callers are not",
)

CALLER = r"""
#include "onnxfold/onnx/programs/CompiledModel.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf stopped;
static char said[200];

static void stop(const char *message) {
  strncpy(said, message, sizeof(said) - 1);
  longjmp(stopped, 1);
}

static void run(float *x, int64_t count, const char *text) {
  float ones[2] = {1, 1};
  int64_t name = onnxfold_program_number_of_text(text, (int64_t)strlen(text)), bytes;
  int64_t xs[5] = {(intptr_t)x, (intptr_t)x, 0, count, 1}, bs[5] = {(intptr_t)ones, (intptr_t)ones, 0, 2, 1};
  int64_t names[5] = {(intptr_t)&name, (intptr_t)&name, 0, 1, 1};
  int64_t results[10];
  int64_t words[4] = {(intptr_t)results, (intptr_t)xs, (intptr_t)bs, (intptr_t)names};
  onnxfold_run(words);
  for (int64_t i = 0; i < results[3]; ++i)
    printf("%.4f ", (double)((float *)results[1])[results[2] + i]);
  const char *greeting = onnxfold_program_text(*((int64_t *)results[6] + results[7]), &bytes);
  printf("%.*s\n", (int)bytes, greeting);
  free((void *)results[0]);
  free((void *)results[5]);
}

int main(void) {
  float x[3] = {0, 1, 2};
  int64_t bytes = 1;
  onnxfold_program_on_error(stop);
  run(x, 2, "you");
  run(x, 1, "all");
  if (setjmp(stopped))
    printf("stopped: %s\n", said);
  else
    run(x, 3, "them");
  int isNone = onnxfold_program_text(-1, &bytes) == NULL;
  printf("%d %d\n", isNone, (int)bytes);
  return strstr(onnxfold_signature, "\"name\":\"x\"") == NULL;
}
"""


def info(name, type_, shape=(None,)):
    return helper.make_tensor_value_info(name, type_, shape)


def emit(folder, nodes, inputs, outputs, **keywords):
    source = helper.make_model(helper.make_graph(nodes, "g", inputs, outputs, **keywords), opset_imports=[helper.make_opsetid("", 20)])
    onnx.save(source, folder / "model.onnx")
    done = subprocess.run(
        [RUN, folder / "model.onnx", "--emit=shared-library", "-o", folder / "libmodel.so"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return folder / "libmodel.so"


def test_c(folder):
    """Kernels (CumSum, StringConcat), strings, and an error that the caller's handler gets."""
    zero = helper.make_tensor("axis", TensorProto.INT64, [], [0])
    hello = helper.make_tensor("hello", TensorProto.STRING, [1], [b"hello "])
    nodes = [
        helper.make_node("Add", ["x", "b"], ["s"], name="sum"),
        helper.make_node("CumSum", ["s", "axis"], ["y"]),
        helper.make_node("StringConcat", ["hello", "name"], ["greeting"]),
    ]
    inputs = [info("x", TensorProto.FLOAT), info("b", TensorProto.FLOAT), info("name", TensorProto.STRING)]
    outputs = [info("y", TensorProto.FLOAT), info("greeting", TensorProto.STRING)]
    emit(folder, nodes, inputs, outputs, initializer=[zero, hello])
    (folder / "main.c").write_text(CALLER)
    library = BUILD / "lib"
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-g", f"-I{BUILD}/include", folder / "main.c", folder / "libmodel.so"]
    command += [f"-L{library}", "-lonnxfold_programs", f"-Wl,-rpath,{folder}:{library}", "-o", folder / "caller"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([folder / "caller"], capture_output=True, text=True, timeout=600)
    lines = ["1.0000 3.0000 hello you", "1.0000 2.0000 hello all", "stopped: Add 'sum': shapes do not broadcast", "1 0"]
    assert done.returncode == 0 and done.stdout.splitlines() == lines, done.stdout + done.stderr


class Library:
    """A compiled model of tensors, as CompiledModel.h says it, by ctypes and numpy."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.signature = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self.library, "onnxfold_signature"))))
        self.library.onnxfold_run.restype = None

    def __call__(self, **values):
        outputs = self.signature["outputs"]
        results = np.zeros(sum(3 + 2 * len(out["shape"]) for out in outputs), np.int64)
        words, kept = [results.ctypes.data], []
        for entry in self.signature["inputs"]:
            value = np.ascontiguousarray(values[entry["name"]])
            strides = [n // value.itemsize for n in value.strides]
            tensor = np.array([value.ctypes.data, value.ctypes.data, 0, *value.shape, *strides], np.int64)
            kept += [value, tensor]
            words.append(tensor.ctypes.data)
        self.library.onnxfold_run((ctypes.c_int64 * len(words))(*words))
        places = np.cumsum([0] + [3 + 2 * len(out["shape"]) for out in outputs])
        return [self.take(results[place:].tolist(), out) for place, out in zip(places, outputs)]

    def take(self, words, out):
        allocated, data, offset, *sizes = words[: 3 + len(out["shape"])]
        type_ = np.dtype(helper.tensor_dtype_to_np_dtype(out["onnx"]))
        value = np.frombuffer(ctypes.string_at(data + offset * type_.itemsize, int(np.prod(sizes)) * type_.itemsize), type_)
        ctypes.CDLL(None).free(ctypes.c_void_p(allocated))
        return value.reshape(sizes)


def test_ctypes(folder):
    """Sequences inside, and results of kernels; many calls, several of different shapes."""
    nodes = [
        helper.make_node("SplitToSequence", ["x"], ["rows"], axis=0),
        helper.make_node("SequenceAt", ["rows", "last"], ["row"]),
        helper.make_node("SequenceLength", ["rows"], ["n"]),
        helper.make_node("TopK", ["row", "k"], ["best", "where"]),
    ]
    constants = [helper.make_tensor("last", TensorProto.INT64, [], [-1]), helper.make_tensor("k", TensorProto.INT64, [1], [2])]
    outputs = [info("best", TensorProto.FLOAT, [1, 2]), info("where", TensorProto.INT64, [1, 2]), info("n", TensorProto.INT64, [])]
    library = Library(emit(folder, nodes, [info("x", TensorProto.FLOAT, [None, None])], outputs, initializer=constants))
    random = np.random.default_rng(1)
    for rows in (1, 2, 7) * 20:
        x = random.standard_normal((rows, 5), np.float32)
        best, where, n = library(x=x)
        order = np.argsort(-x[-1])[:2]
        assert n == rows and np.array_equal(where[0], order) and np.array_equal(best[0], x[-1][order])


def test_two_libraries_in_one_process(folder):
    """Both have a main graph and an onnxfold_run; each calls its own."""
    libraries = []
    for op in ("Neg", "Erf"):
        (folder / op).mkdir()
        x, y = info("x", TensorProto.FLOAT), info("y", TensorProto.FLOAT)
        libraries.append(Library(emit(folder / op, [helper.make_node(op, ["x"], ["y"])], [x], [y])))
    found = [library(x=np.float32([3]))[0].item() for library in libraries * 2]
    assert found == [-3, pytest.approx(0.99997791)] * 2


def test_a_library_that_nothing_completes_is_not_written(folder):
    """Without libonnxfold_programs.so it was written, and no program could load it."""
    alone = folder / "bin/onnx-run"
    alone.parent.mkdir()
    shutil.copy(RUN, alone)
    nodes = [helper.make_node("NonZero", ["x"], ["y"])]
    graph = helper.make_graph(nodes, "g", [info("x", TensorProto.FLOAT)], [info("y", TensorProto.INT64, (1, None))])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    command = [alone, folder / "model.onnx", "--emit=shared-library", "-o", folder / "libmodel.so"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode != 0 and "libonnxfold_programs.so, which it may need, is not installed with onnx-run" in done.stderr, done
    assert not (folder / "libmodel.so").exists()
