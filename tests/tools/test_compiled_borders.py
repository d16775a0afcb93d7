# SPDX-License-Identifier: Apache-2.0
"""Who owns what where compiled models are called from C++ (onnx/programs/CompiledModel.h): results that are inputs, each other,
constants, elements of sequences, contents of optionals; without elements, without axes, with and without a rank.

One program under AddressSanitizer loads each model. Its inputs lie in read-only pages, behind which nothing is. It compares each
result, overwrites it before it looks at the next one, frees it as the header says, and does all of it twice.
"""

import ctypes
import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_faults import dying
from onnxfold_testing import ROOT, TOOL, cmakeCache, options

BUILD = TOOL.parents[1]
RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(
    not (BUILD / "lib/libonnxfold_programs.so").exists() or cmakeCache(BUILD, "ONNXFOLD_SANITIZE") not in ("", "OFF"),
    reason="libonnxfold_programs.so is not built, or with sanitizers of its own",
)

# caller MODEL.so VALUES [FAULT]. VALUES: the number of inputs, the inputs, the number of outputs, the outputs. A value is a kind and
# what follows: r (a tensor) and u (of unknown rank): rank, sizes, f32 elements; s (a sequence): count, tensors without a kind;
# o: 0 or 1, a tensor with its kind. FAULT is what the first input is passed with: stride, offset, size, data, alignment.
CALLER = r"""
#include "onnxfold/onnx/programs/CompiledModel.h"
#include "onnxfold/sequence/runtime/Sequence.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
using onnxfold::sequence::ElementCode;
using onnxfold::sequence::Sequence;
using onnxfold::sequence::SequenceValue;

struct Tensor {
  std::vector<int64_t> sizes;
  std::vector<float> values;
};
struct Value {
  char kind;          // r, u, s
  bool isOptional = false, isThere = true;
  std::vector<Tensor> tensors;
};

static Tensor readTensor(std::istream &in) {
  Tensor tensor;
  int64_t rank, count = 1;
  in >> rank;
  tensor.sizes.resize(rank);
  for (int64_t &size : tensor.sizes)
    in >> size, count *= size;
  tensor.values.resize(count);
  for (float &value : tensor.values)
    in >> value;
  return tensor;
}

static Value readValue(std::istream &in) {
  Value value;
  in >> value.kind;
  if (value.kind == 'o') {
    value.isOptional = true;
    in >> value.isThere >> value.kind;
  }
  int64_t count = 1;
  if (value.kind == 's')
    in >> count;
  for (int64_t i = 0; i < count; ++i)
    value.tensors.push_back(readTensor(in));
  return value;
}

static std::vector<Value> readValues(std::istream &in) {
  size_t count;
  in >> count;
  std::vector<Value> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(readValue(in));
  return values;
}

// A copy in read-only pages that ends where nobody may read.
static char *readOnly(const std::vector<float> &values) {
  size_t page = sysconf(_SC_PAGESIZE), bytes = values.size() * sizeof(float), room = (bytes + page - 1) / page * page;
  char *pages = static_cast<char *>(mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  char *data = pages + room - bytes;
  if (bytes)
    std::memcpy(data, values.data(), bytes);
  if (room)
    mprotect(pages, room, PROT_READ);
  mprotect(pages + room, page, PROT_NONE);
  return data;
}

static std::vector<std::unique_ptr<int64_t[]>> kept;

static int64_t descriptorOf(const Tensor &tensor) {
  int64_t rank = tensor.sizes.size(), stride = 1;
  int64_t *words = kept.emplace_back(new int64_t[3 + 2 * rank]).get();
  words[0] = words[1] = reinterpret_cast<int64_t>(readOnly(tensor.values));
  words[2] = 0;
  for (int64_t axis = rank; axis-- > 0; stride *= tensor.sizes[axis]) {
    words[3 + axis] = tensor.sizes[axis];
    words[3 + rank + axis] = stride;
  }
  return reinterpret_cast<int64_t>(words);
}

static void pass(const Value &value, std::vector<int64_t> &words) {
  if (value.kind == 's') {
    Sequence list;
    for (const Tensor &tensor : value.tensors)
      list.append<float>(tensor.sizes, tensor.values.data());
    SequenceValue given = std::move(list).give();
    words.push_back(reinterpret_cast<int64_t>(given.storage));
    words.push_back(given.length);
  } else if (value.kind == 'u') {
    int64_t *pair = kept.emplace_back(new int64_t[2]).get();
    pair[0] = value.tensors[0].sizes.size();
    pair[1] = descriptorOf(value.tensors[0]);
    words.push_back(reinterpret_cast<int64_t>(pair));
  } else {
    words.push_back(descriptorOf(value.tensors[0]));
  }
  if (value.isOptional)
    words.push_back(value.isThere);
}

static int wrong(size_t number, const char *what) {
  std::printf("output %zu: %s\n", number, what);
  return 1;
}

static int compare(size_t number, const Tensor &expected, int64_t rank, const int64_t *sizes, const int64_t *strides, float *data) {
  if (rank != int64_t(expected.sizes.size()))
    return wrong(number, "another rank");
  if (std::memcmp(sizes, expected.sizes.data(), rank * sizeof(int64_t)))
    return wrong(number, "other sizes");
  int64_t stride = 1;
  for (int64_t axis = rank; axis-- > 0; stride *= sizes[axis])
    if (!expected.values.empty() && sizes[axis] != 1 && strides[axis] != stride)
      return wrong(number, "is not row-major");
  if (!expected.values.empty() && std::memcmp(data, expected.values.data(), expected.values.size() * sizeof(float)))
    return wrong(number, "other elements");
  return 0;
}

static int take(size_t number, const Value &expected, int64_t *&words) {
  int bad = 0;
  bool isThere = expected.isThere;
  if (expected.kind == 's') {
    Sequence list(SequenceValue{reinterpret_cast<onnxfold::sequence::SequenceStorage *>(words[0]), words[1]});
    words += 2;
    if (isThere && list.length() != int64_t(expected.tensors.size()))
      bad += wrong(number, "another length");
    for (int64_t i = 0; !bad && isThere && i < list.length(); ++i) {
      auto element = list.at(i);
      std::vector<int64_t> strides(element.shape().size(), 1), sizes = element.shape();
      for (size_t axis = sizes.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * sizes[axis];
      bad += compare(number, expected.tensors[i], sizes.size(), sizes.data(), strides.data(), const_cast<float *>(element.data<float>()));
    }
  } else {
    int64_t rank = expected.kind == 'u' ? words[0] : expected.tensors[0].sizes.size();
    int64_t *descriptor = expected.kind == 'u' ? reinterpret_cast<int64_t *>(words[1]) : words;
    words += expected.kind == 'u' ? 2 : 3 + 2 * rank;
    float *data = reinterpret_cast<float *>(descriptor[1]) + descriptor[2];
    if (isThere)
      bad += compare(number, expected.tensors[0], rank, descriptor + 3, descriptor + 3 + rank, data);
    if (isThere && !bad && !expected.tensors[0].values.empty()) // it is the caller's alone
      std::memset(static_cast<void *>(data), 0x7f, expected.tensors[0].values.size() * sizeof(float));
    std::free(reinterpret_cast<void *>(descriptor[0]));
    if (expected.kind == 'u')
      std::free(descriptor);
  }
  if (expected.isOptional && (*words++ & 1) != expected.isThere)
    bad += wrong(number, "is there, or is not");
  return bad;
}

static int call(void (*run)(int64_t *), const std::vector<Value> &inputs, const std::vector<Value> &outputs, const std::string &fault) {
  size_t room = 1;
  for (const Value &value : outputs)
    room += 4 + (value.kind == 'r' ? 2 * value.tensors[0].sizes.size() : 0);
  std::vector<int64_t> results(room), words;
  if (!outputs.empty())
    words.push_back(reinterpret_cast<int64_t>(results.data()));
  size_t first = words.size();
  for (const Value &value : inputs)
    pass(value, words);
  if (!fault.empty()) {
    auto *descriptor = reinterpret_cast<int64_t *>(words[first]);
    int64_t rank = inputs[0].tensors[0].sizes.size();
    if (inputs[0].kind == 'u')
      descriptor = reinterpret_cast<int64_t *>(descriptor[1]);
    if (fault == "stride") descriptor[3 + rank] += 1;
    if (fault == "offset") descriptor[2] = 1;
    if (fault == "size") descriptor[3] += 1;
    if (fault == "data") descriptor[1] = 0;
    if (fault == "alignment") descriptor[1] -= 2;
  }
  const char *message = onnxfold_program_call(run, words.data());
  if (message)
    return std::printf("stopped: %s\n", message);
  int bad = 0;
  int64_t *place = results.data();
  for (size_t i = 0; i < outputs.size(); ++i)
    bad += take(i, outputs[i], place);
  return bad;
}

int main(int, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return std::printf("%s\n", dlerror());
  auto *run = reinterpret_cast<void (*)(int64_t *)>(dlsym(library, "onnxfold_run"));
  std::ifstream file(argv[2]);
  auto inputs = readValues(file), outputs = readValues(file);
  std::string fault = argv[3] ? argv[3] : "";
  int bad = call(run, inputs, outputs, fault);
  if (!bad && fault.empty())
    bad = call(run, inputs, outputs, fault);
  return bad != 0;
}
"""


@pytest.fixture(scope="module")
def caller(tmp_path_factory):
    folder = tmp_path_factory.mktemp("caller")
    (folder / "caller.cpp").write_text(CALLER)
    (folder / "onnxfold").symlink_to(ROOT)
    command = [cmakeCache(BUILD, "CMAKE_CXX_COMPILER"), "-std=c++20", "-g", "-fsanitize=address", f"-I{folder}", folder / "caller.cpp",
               f"-L{BUILD}/lib", "-lonnxfold_programs", f"-Wl,-rpath,{BUILD}/lib", "-ldl", "-o", folder / "caller"]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, timeout=600)
    return folder / "caller"


# ---- models ------------------------------------------------------------------------------------------------------------

F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node = helper.make_node
X = np.float32([[0, 1, 2], [3, 4, 5]])
A, C = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([7, 8])
EMPTY = np.zeros((0, 3), np.float32)


class Optional:
    def __init__(self, value, isThere=True):
        self.value, self.isThere = value, isThere


def branch(name, value):
    return helper.make_graph([node("Identity", [value], [f"{name}_{value}"])], name, [], [helper.make_empty_tensor_value_info(f"{name}_{value}")])


LOOP = helper.make_graph(
    [node("Identity", ["v"], ["v1"]), node("Identity", ["u"], ["u1"]), node("Identity", ["c"], ["c1"])], "body",
    [helper.make_tensor_value_info("i", I, []), helper.make_tensor_value_info("c", B, []), helper.make_empty_tensor_value_info("u"),
     helper.make_empty_tensor_value_info("v")],
    [helper.make_tensor_value_info("c1", B, []), helper.make_empty_tensor_value_info("v1"), helper.make_empty_tensor_value_info("u1")],
)  # fmt: skip
CONSTANTS = {"k": C, "zero": np.int64(0), "b": np.int64([0]), "e": np.int64([1]), "one": np.int64([1]), "flat": np.int64([-1]),
             "three": np.int64(3), "empty": np.float32([]), "scalar": np.float32(9)}  # fmt: skip

# name: nodes, inputs, outputs
MODELS = {
    "inputs": ([node("Identity", ["x"], ["y"]), node("Identity", ["x"], ["z"])], {"x": X}, {"y": X, "z": X}),
    "each other": (
        [node("Neg", ["x"], ["y"]), node("Identity", ["y"], ["z"]), node("Reshape", ["y", "flat"], ["f"])],
        {"x": X}, {"y": -X, "z": -X, "f": -X.ravel()},
    ),
    "constants": (
        [node("Identity", ["k"], ["y"]), node("Identity", ["k"], ["z"]), node("Identity", ["empty"], ["n"]), node("Identity", ["scalar"], ["s"])],
        {"x": X}, {"y": C, "z": C, "n": np.float32([]), "s": np.float32(9)},
    ),
    "parts": (
        [node("Relu", ["x"], ["r"]), node("Slice", ["r", "b", "e", "one"], ["p"]), node("Slice", ["x", "b", "e", "one"], ["q"]),
         node("Transpose", ["x"], ["t"]), node("Reshape", ["x", "flat"], ["f"]), node("Reshape", ["p", "flat"], ["pf"])],
        {"x": X}, {"r": X, "p": X[:, :1], "q": X[:, :1], "t": X.T, "f": X.ravel(), "pf": X[:, 0]},
    ),
    "nothing": (
        [node("Neg", ["x"], ["y"]), node("Slice", ["a", "b", "b"], ["z"]), node("ReduceMax", ["a"], ["s"], keepdims=0),
         node("Identity", ["s"], ["same"])],
        {"x": EMPTY, "a": A}, {"y": EMPTY, "z": A[:0], "s": np.float32(6), "same": np.float32(6)},
    ),
    "elements": (
        [node("SequenceAt", ["l", "zero"], ["e0"]), node("SequenceAt", ["l", "zero"], ["e1"]), node("Identity", ["l"], ["same"]),
         node("SequenceInsert", ["l", "x"], ["longer"]), node("SequenceErase", ["l", "zero"], ["shorter"]),
         node("SequenceConstruct", ["x", "x"], ["twice"]), node("SequenceAt", ["twice", "zero"], ["back"])],
        {"x": X, "l": [A, C]}, {"e0": A, "e1": A, "same": [A, C], "longer": [A, C, X], "shorter": [C], "twice": [X, X], "back": X},
    ),
    "small": (
        [node("Identity", ["x"], ["y"]), node("Identity", ["s"], ["t"]), node("Identity", ["l"], ["same"]),
         node("SequenceAt", ["l", "zero"], ["first"]), node("SequenceConstruct", ["x", "s"], ["both"]),
         node("SequenceErase", ["l", "zero"], ["last"]), node("SequenceErase", ["last", "zero"], ["none"])],
        {"x": EMPTY, "s": np.float32(3), "l": [EMPTY, A]},
        {"y": EMPTY, "t": np.float32(3), "same": [EMPTY, A], "first": EMPTY, "both": [EMPTY, np.float32(3)], "last": [A], "none": []},
    ),
    "optionals": (
        [node("Identity", ["o"], ["same"]), node("Identity", ["n"], ["none"]), node("OptionalGetElement", ["o"], ["inside"])],
        {"o": Optional(X), "n": Optional(A, False)}, {"same": Optional(X), "none": Optional(A, False), "inside": X},
    ),
    "branches": (
        [node("ReduceMax", ["x"], ["m"], keepdims=0), node("Greater", ["m", "scalar"], ["c"]),
         node("If", ["c"], ["y"], then_branch=branch("yes", "k"), else_branch=branch("no", "x")),
         node("If", ["c"], ["z"], then_branch=branch("yes", "x"), else_branch=branch("no", "k")),
         node("Loop", ["three", "", "x", "a"], ["v", "u"], body=LOOP)],
        {"x": X, "a": A}, {"y": X, "z": C, "v": A, "u": X},
    ),
}  # fmt: skip
FLAGS = {"own": (), "alone": ("--no-buffer-reuse", "--llvm-level=0"), "upstream": ("--upstream-deallocation",), "kernels": ()}


def typeOf(name, value, shape):
    if isinstance(value, Optional):
        return helper.make_value_info(name, helper.make_optional_type_proto(helper.make_tensor_type_proto(F, shape(value.value))))
    if isinstance(value, list):
        return helper.make_tensor_sequence_value_info(name, F, None)
    return helper.make_tensor_value_info(name, F, shape(value))


def words(value, hasRank):
    if isinstance(value, list):
        return f"s {len(value)} " + " ".join(words(element, hasRank)[2:] for element in value)
    if isinstance(value, Optional):
        return f"o {int(value.isThere)} {words(value.value, hasRank)}"
    return f"{'r' if hasRank else 'u'} {value.ndim} " + " ".join(map(str, [*value.shape, *(float(v) for v in value.ravel())]))


def emit(folder, nodes, inputs, outputs, flags, shape, environment=None):
    """What onnx-run says while it compiles a model to libmodel.so."""
    types = [[typeOf(name, value, shape) for name, value in values.items()] for values in (inputs, outputs)]
    weights = [numpy_helper.from_array(value, name) for name, value in CONSTANTS.items()]
    graph = helper.make_graph(nodes, "g", *types, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    command = [RUN, folder / "model.onnx", "--emit=shared-library", "-o", folder / "libmodel.so", *flags]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stderr


def describe(folder, inputs, outputs, inputRank=True, outputRanks=None):
    ranks = outputRanks or {}
    text = [f"{len(inputs)}", *(words(value, inputRank) for value in inputs.values())]
    text += [f"{len(outputs)}", *(words(value, ranks.get(name, True)) for name, value in outputs.items())]
    (folder / "values").write_text("\n".join(text) + "\n")


def ranksIn(folder):
    """Which outputs have a rank in the compiled library, which finds some."""
    library = ctypes.CDLL(str(folder / "libmodel.so"))
    signature = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, "onnxfold_signature"))))
    return {entry["name"]: "shape" in entry for entry in signature["outputs"]}


def call(caller, folder, *fault, **environment):
    command = [caller, folder / "libmodel.so", folder / "values", *fault]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)


def declared(value):
    return list(value.shape)


def missing(value):
    return None


def opened(value):
    return [None] * value.ndim


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """The environment in which the compiler dies, so that the program calls the kernels one after the other."""
    return dying(tmp_path_factory.mktemp("faults"))


def cases():
    """All of them with --long, else parts with all, and the others with two."""
    for number, name in enumerate(MODELS):
        chosen = [(missing, "own"), (declared, "kernels")] if number % 2 else [(opened, "upstream"), (missing, "kernels")]
        for shape in (declared, opened, missing):
            for flags in FLAGS:
                if options.long or name == "parts" or (shape, flags) in chosen:
                    yield pytest.param(name, shape, flags, id=f"{name}-{shape.__name__}-{flags}")


@pytest.mark.parametrize("name, shape, flags", list(cases()))
def test_results(caller, faults, folder, name, shape, flags):
    nodes, inputs, outputs = MODELS[name]
    said = emit(folder, nodes, inputs, outputs, FLAGS[flags], shape, faults if flags == "kernels" else None)
    assert ("called one after the other" in said) == (flags == "kernels") == bool(said), said
    describe(folder, inputs, outputs, shape is not missing, ranksIn(folder))
    done = call(caller, folder)
    assert done.returncode == 0 and not done.stdout and not done.stderr, done.stdout + done.stderr[-3000:]


# What is wrong with the first input, and how the message goes on.
FAULTS = {
    "stride": "has stride 4 in dimension 0 where 3 is expected",
    "offset": "has offset 1 where 0 is expected",
    "size": "has size 3 in dimension 0 where 2 is expected",
    "data": "has no data",
    "alignment": "expected a multiple of 4",
}


@pytest.mark.parametrize("flags", FLAGS)
def test_inputs_that_are_refused(caller, faults, folder, flags):
    """Compiled models without sequences looked at nothing: they read beyond the input, or another element."""
    inputs, outputs = {"x": X}, {"y": -X}
    for shape in (declared, missing):
        emit(folder, [node("Neg", ["x"], ["y"])], inputs, outputs, FLAGS[flags], shape, faults if flags == "kernels" else None)
        describe(folder, inputs, outputs, shape is declared, ranksIn(folder))
        for fault, message in FAULTS.items():
            if fault == "size" and shape is missing:
                continue
            done = call(caller, folder, fault, ASAN_OPTIONS="detect_leaks=0")  # what is stopped is not freed
            place = "input 0 of the model " if flags == "kernels" else "argument 0 of main_graph "
            assert done.stdout.startswith(f"stopped: {place}") and message in done.stdout, done.stdout + done.stderr[-2000:]
