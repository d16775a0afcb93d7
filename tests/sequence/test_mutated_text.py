# SPDX-License-Identifier: Apache-2.0
"""fold-opt on damaged text of the sequence and of the onnx dialect: an error message, never a signal.

The text form can say what no model and no builder can: an At of a tensor, a Loop whose body yields too little, scalars where
vectors are expected. Each program is one of the tests' own with some words exchanged, left out or doubled; the verifiers and
the conversions read it. A program that dies is printed.
"""

import random
import re
import subprocess
from pathlib import Path

from onnxfold_testing import TOOL, options

FOLDER = Path(__file__).parent
PASSES = ["--canonicalize", "--convert-onnx-to-sequence", "--ease-bufferization", "--sequence-ownership", "--convert-sequence"]
PASSES += ["--convert-seq-to-memref"]
WORDS = re.compile(r"!?[\w.]+<(?:[^<>{}()]|<[^<>{}()]*>)*>|[%@!#^]?[\w.\-:]+|\s+|.", re.S)
TYPES = ["tensor<i64>", "tensor<2xi64>", "tensor<*xf32>", "tensor<2x3xf32>", "tensor<?xf32>", "!onnx.seq<tensor<*xf32>>", "!onnx.unknown"]
TYPES += ["!onnx.optional<tensor<f32>>", "!sequence.seq<tensor<2xf32>, 3>", "!sequence.seq<tensor<*xf32>, ?>", "!sequence.record", "index"]
TYPES += ["memref<2x3xf32>", "tensor<2x3x!onnx.string>", "tensor<0xi1>"]

# Operators of the onnx dialect in the text form; what they have around them is in every second test of onnx.
ONNX = """
func.func @list(%t: tensor<2x3xf32>, %p: tensor<i64>, %v: tensor<1xi64>, %c: tensor<i1>) -> (tensor<*xf32>, tensor<i64>) {
  %0 = onnx.SequenceConstruct(%t, %t) <{since = 11, outputs = ["0"], node = 0}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceInsert(%0, %t, %p) <{since = 11, outputs = ["1"], node = 1}> : (!onnx.seq<tensor<*xf32>>, tensor<2x3xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %2 = onnx.SequenceErase(%1, %p) <{since = 11, outputs = ["2"], node = 2}> : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %3 = onnx.SequenceAt(%2, %p) <{since = 11, outputs = ["3"], node = 3}> : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  %4 = onnx.SequenceLength(%2) <{since = 11, outputs = ["4"], node = 4}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  return %3, %4 : tensor<*xf32>, tensor<i64>
}
// -----
func.func @tensors(%t: tensor<2x3xf32>, %v: tensor<1xi64>) -> (tensor<*xf32>, tensor<2xi64>) {
  %0 = onnx.Slice(%t, %v, %v) <{since = 13, outputs = ["0"], node = 0}> : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Add(%0, %t) <{since = 14, outputs = ["1"], node = 1}> : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  %2 = onnx.SplitToSequence(%1) <{since = 11, outputs = ["2"], node = 2}> {axis = 1 : i64} : (tensor<*xf32>) -> !onnx.seq<tensor<*xf32>>
  %3 = onnx.ConcatFromSequence(%2) <{since = 11, outputs = ["3"], node = 3}> {axis = 1 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  %4 = onnx.Shape(%t) <{since = 13, outputs = ["4"], node = 4}> : (tensor<2x3xf32>) -> tensor<2xi64>
  return %3, %4 : tensor<*xf32>, tensor<2xi64>
}
// -----
func.func @arguments(%s: !onnx.seq<tensor<*xf32>>, %p: tensor<i64>, %t: tensor<2x3xf32>, %v: tensor<1xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = onnx.SequenceAt(%s, %p) <{since = 11, outputs = ["0"], node = 0}> : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  %1 = onnx.Slice(%t, %v, %v, %v, %v) <{since = 13, outputs = ["1"], node = 1}> : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
// -----
func.func @main_graph(%arg0: tensor<i64>, %arg1: tensor<i1>, %arg2: !onnx.seq<tensor<2xf32>>, %arg3: tensor<2xf32>) -> (tensor<2xf32>, tensor<*xf32>) {
  %r, %z, %all = onnx.Loop(%arg0, %arg1, %arg2, %arg3) <{since = 16, outputs = ["r", "z", "all"], node = 0}> : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<2xf32>>, tensor<2xf32>) -> (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<*xf32>) with body(%arg4: tensor<i64>, %arg5: tensor<i1>, %arg6: !onnx.seq<tensor<*xf32>>, %arg7: tensor<2xf32>) {
    %go = onnx.Identity(%arg5) <{since = 16, outputs = ["go"], node = 0}> : (tensor<i1>) -> tensor<i1>
    %u = onnx.SequenceInsert(%arg6, %arg7) <{since = 11, outputs = ["u"], node = 1}> : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
    %y = onnx.Add(%arg7, %arg7) <{since = 14, outputs = ["y"], node = 2}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %u, %y, %arg7 : tensor<i1>, !onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<2xf32>
  }
  %o = onnx.If(%arg1) <{since = 16, outputs = ["o"], node = 1}> : (tensor<i1>) -> tensor<2xf32> with else_branch() {
    %b = onnx.Identity(%z) <{since = 16, outputs = ["b"], node = 0}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %b : tensor<2xf32>
  }, then_branch() {
    %a = onnx.SequenceAt(%r, %arg0) <{since = 11, outputs = ["a"], node = 0}> : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
    onnx.Yield %a : tensor<2xf32>
  }
  return %o, %all : tensor<2xf32>, tensor<*xf32>
}
// -----
func.func @windows(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %s: tensor<2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x2x4x4xf32>, tensor<2xf32>) {
  %0 = onnx.MaxPool(%x) <{since = 22}> {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %1 = onnx.AveragePool(%x) <{since = 22}> {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, count_include_pad = 1 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = onnx.Conv(%x, %w) <{since = 22}> {auto_pad = "SAME_UPPER"} : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %3:3 = onnx.BatchNormalization(%x, %s, %s, %s, %s) <{since = 15}> {training_mode = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0, %1, %2, %3#0, %3#1 : tensor<1x2x2x2xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x2x4x4xf32>, tensor<2xf32>
}
// -----
func.func @places(%x: tensor<?x3xf32>, %i: tensor<2xi64>, %c: tensor<i1>, %r: tensor<f32>) -> (tensor<1xf32>, tensor<?x3xf32>, tensor<3x?xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %axes = onnx.Constant dense<[1]> : tensor<1xi64>
  %sizes = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %pads = onnx.Constant dense<[0, 1, 2, 0]> : tensor<4xi64>
  %0 = onnx.ReduceMean(%r, %axes) <{since = 18}> {keepdims = 0 : i64} : (tensor<f32>, tensor<1xi64>) -> tensor<1xf32>
  %1 = onnx.Softmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %2 = onnx.Transpose(%x) <{since = 21}> {perm = array<i64: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %3 = onnx.Concat(%x, %1) <{since = 13}> {axis = 1 : i64} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  %4:2 = onnx.Split(%x, %sizes) <{since = 18}> {axis = 1 : i64} : (tensor<?x3xf32>, tensor<2xi64>) -> (tensor<?x2xf32>, tensor<?x1xf32>)
  %5 = onnx.Gather(%x, %i) <{since = 13}> {axis = 0 : i64} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %6 = onnx.Pad(%x, %pads) <{since = 24}> : (tensor<?x3xf32>, tensor<4xi64>) -> tensor<?x3xf32>
  %7:2 = onnx.Dropout(%x, %r, %c) <{since = 22}> : (tensor<?x3xf32>, tensor<f32>, tensor<i1>) -> (tensor<?x3xf32>, tensor<?x3xi1>)
  return %0, %1, %2, %3, %4#0, %5, %6, %7#0 : tensor<1xf32>, tensor<?x3xf32>, tensor<3x?xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
"""


def programs():
    texts = ONNX.split("// -----")
    for path in sorted(FOLDER.glob("*.mlir")):
        texts += path.read_text().split("// -----")
    return [re.sub(r"^\s*//.*\n", "", text, flags=re.M) for text in texts]


def damaged(text, source):
    if source.random() < 0.2:  # a body yields too little
        text = re.sub(r"(onnx.Yield .*), %\w+ : (.*), [^,\n]+\n", r"\1 : \2\n", text)
    words = WORDS.findall(text)
    types = [word for word in words if re.match(r"!?\w[\w.]*<.*>$", word) or word == "index"]
    if types and source.random() < 0.7:  # one type everywhere, so that uses still fit definitions
        old, new = source.choice(types), source.choice(types + TYPES)
        words = [new if word == old else word for word in words]
        if source.random() < 0.7:
            return "".join(words)
    places = [i for i, word in enumerate(words) if not word.isspace()]
    for _ in range(source.randint(1, 3)):
        i, j = source.choice(places), source.choice(places)
        kind = source.random()
        if kind < 0.5:  # the word of another place, of the same kind if there is one soon
            same = [k for k in places if words[k][:1] == words[i][:1] and words[k] != words[i]]
            words[i] = words[source.choice(same or [j])]
        elif kind < 0.7:
            words[i] = ""
        elif kind < 0.85:
            words[i] += words[i]
        else:
            words[i] = source.choice(["?", "*", "-1", "0", "9223372036854775807", "tensor<i64>", "index", "!onnx.unknown", "f64"])
    return "".join(words)


def test_damaged_text(folder):
    texts = programs()
    for seed in range(options.seed, options.seed + (10_000 if options.long else 150)):
        source = random.Random(seed)
        text = damaged(texts[source.randrange(len(texts))], source)
        (folder / "damaged.mlir").write_text(text)
        command = [TOOL.parent / "fold-opt", folder / "damaged.mlir", *PASSES[: 1 + seed % len(PASSES)], "-o", "/dev/null"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode in (0, 1), f"seed {seed}: exit {done.returncode}\n{done.stderr[-1500:]}\n{text}"
