#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of tests/fuzz/corpus: legal models of a few hundred bytes that reach each part of the reader and the engine,
and inputs of the other targets, each in a folder of its target's name (FuzzTargets.h).

    build/venv/bin/python3 tests/fuzz/make_corpus.py [FOLDER]    writes corpus/**/seed-*; the same bytes every time
"""

import io
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx.printer
from google.protobuf import json_format, text_format
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
from onnxfold_models import const, info, model, node
from onnxfold_wire import message, unknownFields

FOLDER = Path(__file__).resolve().parent / "corpus"
F2x3 = np.arange(6, dtype=np.float32).reshape(2, 3)


def elementwise():
    nodes = [node("Add", ["w", "w"], ["a"]), node("Exp", ["a"], ["e"]), node("Mul", ["x", "e"], ["y"])]
    return model(nodes, [info("x")], [info("y")], [const("w", F2x3)])


def shapes():
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "one"], ["width"]),
        node("Unsqueeze", ["width", "zero"], ["w1"]),
        node("Concat", ["minus", "w1"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["y"]),
    ]
    numbers = [const("one", np.int64(1)), const("zero", [0], np.int64), const("minus", [-1], np.int64)]
    return model(nodes, [info("x", ("batch", 3))], [info("y", None)], numbers)


def movement():
    nodes = [
        node("Transpose", ["w"], ["t"], perm=[1, 0]),
        node("Slice", ["t", "b", "e"], ["s"]),
        node("Pad", ["s", "p"], ["padded"]),
        node("Expand", ["padded", "to"], ["z"]),
        node("Mul", ["x", "z"], ["y"]),
    ]
    numbers = [const("b", [0], np.int64), const("e", [2], np.int64), const("p", [0, 1, 0, 1], np.int64)]
    return model(nodes, [info("x", (2, 2, 4))], [info("y", None)], [const("w", F2x3), *numbers, const("to", [2, 2, 4], np.int64)])


def branch(name, operator):
    return helper.make_graph([node(operator, ["w"], [name])], name + "_graph", [], [info(name)])


def condition():
    nodes = [node("If", ["c"], ["z"], then_branch=branch("p", "Neg"), else_branch=branch("q", "Abs"))]
    nodes += [node("Add", ["x", "z"], ["y"])]
    return model(nodes, [info("x")], [info("y")], [const("w", F2x3), const("c", np.array(True))])


def loop():
    body = helper.make_graph(
        [node("Add", ["v", "w"], ["v2"]), node("Identity", ["go"], ["go2"]), node("Neg", ["v2"], ["scan"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            info("v"),
        ],
        [helper.make_tensor_value_info("go2", TensorProto.BOOL, []), info("v2"), info("scan")],
    )
    nodes = [node("Loop", ["n", "", "w"], ["last", "all"], body=body), node("Add", ["x", "last"], ["y"])]
    return model(nodes, [info("x")], [info("y")], [const("w", F2x3), const("n", np.int64(3))])


def function():
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]
    body = [
        helper.make_node("Constant", [], ["two"], value_float=2.0),
        helper.make_node("Mul", ["two", "two"], ["four"]),
        helper.make_node("Mul", ["a", "four"], ["b"]),
    ]
    made = model([node("Times4", ["x"], ["y"], domain="local")], [info("x")], [info("y")])
    made.functions.append(helper.make_function("local", "Times4", ["a"], ["b"], body, imports))
    made.opset_import.append(helper.make_opsetid("local", 1))
    return made


def constants():
    """Every form of a Constant node."""
    kinds = {
        "value_float": 1.5,
        "value_floats": [1.0, 2.0],
        "value_int": 3,
        "value_ints": [4, 5],
        "value_string": "text",
        "value_strings": ["a", "b"],
        "value": numpy_helper.from_array(F2x3, ""),
    }
    nodes, outputs = [], []
    for name, value in kinds.items():
        nodes += [helper.make_node("Constant", [], [name], **{name: value}), node("Identity", [name], [name + "_out"])]
        outputs.append(helper.make_empty_tensor_value_info(name + "_out"))
    return model(nodes, [], outputs)


def dataForms():
    """Typed data of several widths, packed types, strings, a sparse tensor, a tensor without elements."""
    tensors = [
        helper.make_tensor("f", TensorProto.FLOAT, [2], [1.0, 2.0]),
        helper.make_tensor("d", TensorProto.DOUBLE, [2], [1.0, 2.0]),
        helper.make_tensor("i", TensorProto.INT64, [2], [1, -2]),
        helper.make_tensor("h", TensorProto.FLOAT16, [2], [1.0, 2.0]),
        helper.make_tensor("b", TensorProto.BOOL, [2], [True, False]),
        helper.make_tensor("n", TensorProto.INT4, [3], [1, -2, 3]),
        helper.make_tensor("c", TensorProto.COMPLEX64, [1], [1 + 2j]),
        helper.make_tensor("e", TensorProto.FLOAT8E4M3FN, [2], [1.0, 2.0]),
        helper.make_tensor("s", TensorProto.STRING, [2], [b"\xff", b""]),
        helper.make_tensor("nothing", TensorProto.FLOAT, [0, 3], []),
    ]
    nodes = [node("Reshape", [tensor.name, "flat"], [tensor.name + "_r"]) for tensor in tensors[:9]]
    outputs = [helper.make_empty_tensor_value_info(tensor.name + "_r") for tensor in tensors[:9]]
    return model(nodes, [], outputs, [*tensors, const("flat", [1, -1], np.int64)])


def quantised():
    nodes = [
        node("QuantizeLinear", ["w", "scale", "point"], ["q"]),
        node("DequantizeLinear", ["q", "scale", "point"], ["d"]),
        node("MatMul", ["x", "d"], ["y"]),
    ]
    numbers = [const("scale", np.float32(0.5)), const("point", np.int8(0))]
    made = model(nodes, [info("x", (1, 2))], [info("y", (1, 3))], [const("w", F2x3), *numbers])
    annotation = made.graph.quantization_annotation.add(tensor_name="w")
    annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="scale")
    return made


def sequences():
    nodes = [
        node("SplitToSequence", ["w", "one"], ["seq"], axis=0),
        node("SequenceAt", ["seq", "zero"], ["part"]),
        node("ConcatFromSequence", ["seq"], ["joined"], axis=1),
        node("Concat", ["part", "joined"], ["k"], axis=1),
        node("Add", ["x", "k"], ["y"]),
    ]
    return model(nodes, [info("x", (1, 9))], [info("y", None)], [const("w", F2x3), const("one", np.int64(1)), const("zero", np.int64(0))])


def unsorted():
    """Nodes in the wrong order, two of one name, an old IR version, metadata."""
    nodes = [node("Mul", ["x", "a"], ["y"]), node("Add", ["b", "b"], ["a"]), node("Neg", ["w"], ["b"])]
    for one in nodes:
        one.name = "same"
    made = model(nodes, [info("x"), info("w")], [info("y")], [const("w", F2x3)])
    made.ir_version = 3
    made.graph.value_info.extend([info("a"), info("b")])
    made.metadata_props.add(key="k", value="v")
    return made


def training():
    made = elementwise()
    step = made.training_info.add()
    step.algorithm.CopyFrom(helper.make_graph([node("Neg", ["w"], ["w2"])], "step", [], [info("w2")]))
    step.update_binding.add(key="w", value="w2")
    made.graph.initializer.append(const("k", F2x3))
    made.graph.node.append(node("Neg", ["k"], ["k2"]))
    made.graph.output.append(info("k2"))
    return made


def oddBytes():
    """Fields that nobody knows, in the model, the graph and behind the nodes."""
    return elementwise().SerializeToString(deterministic=True) + unknownFields() + message(7, unknownFields())


SEEDS = [elementwise, shapes, movement, condition, loop, function, constants, dataForms, quantised, sequences, unsorted]
SEEDS += [training, oddBytes]



def textForms():
    """{file: text} of models in the three text forms."""
    texts = {}
    for seed in (elementwise, condition, loop, function, constants, sequences):
        made = seed()
        texts[f"seed-{seed.__name__}.textproto"] = text_format.MessageToString(made)
        texts[f"seed-{seed.__name__}.json"] = json_format.MessageToJson(made, sort_keys=True)
        texts[f"seed-{seed.__name__}.onnxtxt"] = onnx.printer.to_text(made)
    return {name: text.encode() for name, text in texts.items()}


def locations():
    """Offset, length, and a name that is fine: inside the folder, through a link within it, the long way round."""
    names = ["w.bin", "sub/w.bin", "in.bin", "./sub/../w.bin", "sub//w.bin"]
    return {f"seed-{i}": bytes([4 * i, 255 if i == 1 else 24]) + name.encode() for i, name in enumerate(names)}


def npyFiles():
    arrays = {
        "f32": F2x3, "fortran": np.asfortranarray(F2x3), "f64": np.float64(1.5), "i8": np.arange(3, dtype=np.int8),
        "bool": np.array([True, False]), "none": np.zeros((0, 3), np.int64), "c64": np.ones(2, np.complex64),
        "bf16": np.zeros(2, "V2"),
    }  # fmt: skip
    files = {}
    for name, array in arrays.items():
        for version in ((1, 0), (2, 0)) if name == "f32" else ((1, 0),):
            file = io.BytesIO()
            np.lib.format.write_array(file, array, version=version)
            files[f"seed-{name}-{version[0]}.npy"] = file.getvalue()
    return files


def npzFiles():
    """Stored and deflated, one array and several; times are the same on every day."""
    files = {}
    for kind, packing in {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED}.items():
        for count in (1, 3):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", packing) as archive:
                for name in "abc"[:count]:
                    array = io.BytesIO()
                    np.lib.format.write_array(array, F2x3)
                    archive.writestr(zipfile.ZipInfo(f"{name}.npy"), array.getvalue(), packing)
            files[f"seed-{kind}-{count}.npz"] = file.getvalue()
    return files


def tensorFiles():
    tensors = {
        "raw": numpy_helper.from_array(F2x3, "w"),
        "floats": helper.make_tensor("w", TensorProto.FLOAT, [2, 3], F2x3.flatten()),
        "int4": helper.make_tensor("w", TensorProto.INT4, [3], [1, -2, 3]),
        "strings": helper.make_tensor("w", TensorProto.STRING, [2], [b"\xff", b""]),
        "complex": helper.make_tensor("w", TensorProto.COMPLEX64, [1], [1 + 2j]),
        "sequence": numpy_helper.from_list([F2x3, np.arange(3)], "list"),
    }
    return {f"seed-{name}.pb": made.SerializeToString(deterministic=True) for name, made in tensors.items()}


def matrixFiles():
    """Text of the .mtd file, a 0, and csv, or blocks: dense, sparse, and of single values."""
    mark = b"0123456789abcdef"
    names = [b"org.apache.sysds.runtime.matrix.data.MatrixIndexes", b"org.apache.sysds.runtime.matrix.data.MatrixBlock"]
    head = b"SEQ\6" + b"".join(bytes([len(name)]) + name for name in names) + bytes(6) + mark

    def block(kind, content, again=b""):
        record = struct.pack(">iqqiib", 16, 1, 1, 2, 3, kind) + content
        return head + again + struct.pack(">i", len(record) - 4) + record

    about = json.dumps({"rows": 2, "cols": 3, "format": "binary"}).encode() + b"\0"
    return {
        "seed-csv": b"\0" + b"1,2.5,-3e-2\nNaN,Infinity,\n",
        "seed-csv-sizes": about + b"1,2,3\n4,5,6\n",
        "seed-dense": about + block(3, struct.pack(">6d", *range(6)), struct.pack(">i", -1) + mark),
        "seed-sparse": about + block(2, struct.pack(">iiidi", 1, 1, 2, 1.5, 0)),
        "seed-values": about + block(1, struct.pack(">iiid", 1, 1, 2, 1.5)),
    }


SCHEMAS = {
    "pairs": {"Pairs": {"attributes": {"by": 2}, "effects": False,
                        "forms": ["x: T[rows..., n] -> y: T[rows..., n / by, by], count: int64[]"]}},
    "sizes": {"Sizes": {"attributes": {"axis": -1, "sizes": [3, 4]}, "forms": [
        "a: T[x...], b?: T[2, _, p, _] -> y: T[x[:axis]..., 1, sizes[-1] | p], z: T[(p | 0) + 3, max(p, 2)] if has(b) and axis == -1",
        "a: T[x...], b, c: V[y...] -> y: T[broadcast(x..., y...)], z: type(axis)[rank(x), value(c, 1), min(x[0], x[-1]) - 1]"]}},
    "known": {"FusedConv": {"forms": ["X: T, W: T, B? -> Y: T as Conv(X, W, B)", "X: T -> Y: T as AveragePool@10(X) channels_last"]},
              "Joined": {"forms": ["scale, zero: T, inputs... -> Y: T as Concat(inputs... / 3)"]}},
}  # fmt: skip


def schemaFiles():
    return {f"seed-{name}.json": json.dumps({"effects": False, "domains": {"com.acme": operators}}, indent=1).encode()
            for name, operators in SCHEMAS.items()}  # fmt: skip


RULES = {
    "plain": """r (x) => (a, b) {
  b = Abs (x)
  a = Relu (b)
}
""",
    "header": """<opset_import: ["" : 13], doc_string: "
  level: 2
  bound: 4 ulp of x
  x: float[N, rest...]
  range: x -8 8
  if: N > 1 and axis == 0 or like(b, x)">
r <axis> (x) => (b, a) {
  b = Softmax <axis = @axis> (x)
  l = LogSoftmax <axis = @axis> (x)
  a = Exp (l)
}
""",
    "optional": """# SPDX-License-Identifier: Apache-2.0
<opset_import: ["" : 13], doc_string: "
  algebra: Clip(Clip(x, low, high), low, high) = Clip(x, low, high)
  x: float|int32
  low?
  high?
  reused: after
">
clip_twice (x, low, high) => (before, after) {
  after = Clip (x, low, high)
  before = Clip (after, low, high)
}
""",
}


def ruleFiles():
    return {f"seed-{name}.rules": text.encode() for name, text in RULES.items()}


def cacheEntries():
    """What is there anyway: an element, the first bytes of the header, its format."""
    changes = [(0, b"\7\0\0\0"), (24, b"onnx-fold cached value\n"), (47, b"\0")]
    return {f"seed-{i}": struct.pack(">H", place) + content for i, (place, content) in enumerate(changes)}


def reports():
    node = {"graph": "main", "name": "n", "op": "Add", "domain": "", "since": 14, "inputs": ["x", "w"], "outputs": ["y"]}
    node |= {"action": "kept", "reason": {"code": "growth", "text": "it would grow"}, "bytes": 0}
    folded = node | {"name": "", "outputs": ["<z>"], "action": "folded", "reason": {"code": "none", "text": ""}, "bytes": 24}
    graphs = [{"name": "main", "inputs": ["x"], "outputs": ["y"], "title": "g"}]
    report = {"version": 1, "input": "m.onnx", "changed": True, "nodes": [node, folded], "graphs": graphs}
    made = {"nodes": report, "empty": {"version": 1, "nodes": []}, "message": {"kind": "report", "report": report}}
    return {f"seed-{name}.json": json.dumps(one, indent=1).encode() for name, one in made.items()}


def growthRecords():
    numbers = ["500 1000 10", "0 0 0", "9223372036854775807 9223372036854775807 9223372036854775807", "700 6000 5000", "1 1", "x"]
    return {f"seed-{i}": text.encode() for i, text in enumerate(numbers)}


IR = {
    "onnx": """func.func @f(%x: tensor<2x?xf32>, %none: none) -> tensor<*xf32> {
  %c = onnx.Constant dense<[1.0, -0.0]> : tensor<2xf32>
  %0 = onnx.Add(%x, %c) <{name = "n", since = 14}> : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
""",
    "sequence": """func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %p: index) -> index {
  %0 = sequence.construct %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  %1 = sequence.insert %a into %0 at %p : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  %2 = sequence.erase %1 : !sequence.seq<tensor<?x3xf32>, 3> -> !sequence.seq<tensor<?x3xf32>, 2>
  %3 = sequence.at %2[%p] : !sequence.seq<tensor<?x3xf32>, 2> -> tensor<?x3xf32>
  %4 = sequence.split %3 axis -1 chunk %p : tensor<?x3xf32> -> !sequence.seq<tensor<?x?xf32>, ?>
  %5 = sequence.length %4 : !sequence.seq<tensor<?x?xf32>, ?>
  return %5 : index
}
""",
    "constants": """func.func @f() -> (tensor<3xi4>, tensor<2x!onnx.string>, tensor<2x2xf32>, tensor<1xcomplex<f32>>) {
  %0 = onnx.Constant dense<[1, -2, 3]> : tensor<3xi4>
  %1 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %2 = onnx.Constant dense<"0x0000803F000000400000404000008040"> : tensor<2x2xf32>
  %3 = onnx.Constant dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<3xi4>, tensor<2x!onnx.string>, tensor<2x2xf32>, tensor<1xcomplex<f32>>
}
""",
}

# The digit in front is the pipeline (FuzzPasses.cpp). linalg comes in within the pipelines: its parser is not fuzzed.
PASSES = {
    "metadata": """0func.func private @f.once(%w: tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @f(%x: tensor<2x2xf32>, %p: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {onnxfold.constant_tensors = {symbol = "f.metadata",
    arguments = [{type = tensor<2x2xf32>, role = "variable", entry = 0}, {type = tensor<2x2xf32>, role = "runtime", entry = -1}],
    results = [tensor<2x2xf32>], folded = [{type = tensor<2x2xf32>, entry = 1}],
    parts = [{function = @f.once, tier = "runtime", arguments = array<i64: 1>, folded = array<i64: 0>, hash = "00ff"}]}} {
  %y = arith.addf %x, %p : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
""",
    "folding": """1func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    attributes {runtime_const_args_index = [1 : i32]} {
  %t = arith.mulf %w, %w : tensor<4x4xf32>
  %u = math.exp %t : tensor<4x4xf32>
  %s = tensor.extract_slice %u[1, 0] [2, 4] [2, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %y = arith.addf %x, %s : tensor<2x4xf32>
  return %y, %y : tensor<2x4xf32>, tensor<2x4xf32>
}
""",
    "memory": """2func.func @f(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.expand_shape %a [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  %s = memref.subview %b[0, 0] [%m, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?]>>
  %v = arith.constant 1.5 : f32
  memref.store %v, %s[%m] : memref<?xf32, strided<[?]>>
  return %b : memref<?x?xf32>
}
""",
    "sequence": """3func.func @f(%a: tensor<2x3xf32>, %p: index) -> tensor<?x3xf32> {
  %0 = sequence.construct %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  %1 = sequence.insert %a into %0 at %p : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  %2 = sequence.at %1[%p] : !sequence.seq<tensor<?x3xf32>, 3> -> tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}
""",
    "constants": """5func.func @f() -> (tensor<3xf32>, index, tensor<3x2xi8>) {
  %0 = arith.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %1 = math.rsqrt %0 : tensor<3xf32>
  %i = arith.constant 1 : index
  %d = tensor.dim %1, %i : tensor<3xf32>
  %p = "tosa.const"() <{values = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  return %1, %d, %t : tensor<3xf32>, index, tensor<3x2xi8>
}
""",
    "loop": """6func.func @f(%n: index, %x: memref<4xf32>) -> memref<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %x) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %c, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}
""",
}

DML = {
    "layer": """# one layer
forward = function(matrix[double] X, matrix[double] W, matrix[double] b = matrix(0, 1, 1), boolean up = TRUE)
    return (matrix[double] Y, int n) {
  Y = max(X %*% W + b, 0); n = ncol(Y)
  if (up & n > 3) Y = Y[1:nrow(Y), 1:n] else { Y[, 1] = -X[, 1] ^ 2 }
}
x = read($x, rows=4, cols=3)
W = matrix("1 0.5 -2e-3 4 NaN Infinity", rows=3, cols=2)
[y, n] = forward(X=x, W=W)
write(y, "y", format="csv")
""",
    "loops": """x = read($x)
m = list(a=x, b='text', 3)
i = 0
while (sum(x) > 1.5 & i < 10) { i += 1; x = x / 2 }
parfor (j in 1:nrow(x), check=0) { x[j, ] = rev(x[j, ]) * as.scalar(m[3]) }
for (k in seq(10, 1, -3)) if (as.scalar(x[1, 1]) > k) { y = x } else y = t(t(x))
y = table(seq(1, nrow(x)), rowIndexMax(x), nrow(x), ncol(x)) + removeEmpty(target=x, margin="rows")
write(y, $y)
""",
    "images": """X = read("X", rows=2, cols=75)
w = read("w", rows=4, cols=27)
y = bias_add(conv2d(X, w, input_shape=[2,3,5,5], filter_shape=[4,3,3,3], stride=[1,1], padding=[1,1]), rowSums(w))
y = max_pool(y, input_shape=[2,4,5,5], pool_size=[2,2], stride=[2,2], padding=[0,0])
s = "size " + ncol(y)
print(s)
write(y, "y")
""",
}

def signatures():
    """The text in compiled code, one with a name that is no UTF-8, and a model."""

    def value(shape, **about):
        return {"name": "x", "type": 1, "onnx": 1, "code": 262176, "sequence": False, "optional": False, "shape": shape} | about

    texts = {
        "plain": [value([2, -1]), value(None)],
        "lists": [value([], sequence=True, optional=True), value([3], name="", **{"name-bytes": "FF41"})],
    }
    made = {f"seed-{name}": json.dumps({"inputs": values, "outputs": values}).encode() for name, values in texts.items()}
    return made | {"seed-model": sequences().SerializeToString(deterministic=True)}


def inputFiles():
    """Kind and type, a byte each, and a file: .npy, .npz, messages of a tensor, a sequence, an optional."""
    npz, tensors = npzFiles()["seed-deflated-3.npz"].replace(b"a.npy", b"x.npy"), tensorFiles()
    optional = onnx.OptionalProto(name="x", elem_type=onnx.OptionalProto.TENSOR, tensor_value=numpy_helper.from_array(F2x3, "x"))
    return {
        "seed-npy": b"\0\1" + npyFiles()["seed-f32-1.npy"],
        "seed-npz": b"\1\1" + npz,
        "seed-pb": b"\2\1" + tensors["seed-raw.pb"],
        "seed-list": b"\6\1" + tensors["seed-sequence.pb"],
        "seed-strings": b"\2\x08" + tensors["seed-strings.pb"],
        "seed-optional": b"\x0a\1" + optional.SerializeToString(deterministic=True),
        "seed-none": b"\x0a\1" + onnx.OptionalProto(name="x").SerializeToString(deterministic=True),
    }


FOLDERS = {"text": textForms, "location": locations, "npy": npyFiles, "npz": npzFiles, "tensor": tensorFiles, "matrix": matrixFiles,
           "schemas": schemaFiles, "rules": ruleFiles, "cache": cacheEntries, "report": reports, "growth": growthRecords,
           "signature": signatures, "input": inputFiles,
           "ir": lambda: {f"seed-{name}.mlir": text.encode() for name, text in IR.items()},
           "passes": lambda: {f"seed-{name}.mlir": text.encode() for name, text in PASSES.items()},
           "dml": lambda: {f"seed-{name}.dml": text.encode() for name, text in DML.items()}}  # fmt: skip

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(exist_ok=True)
    for seed in SEEDS:
        made = seed()
        data = made if isinstance(made, bytes) else made.SerializeToString(deterministic=True)
        (folder / f"seed-{seed.__name__}.onnx").write_bytes(data)
    for name, files in FOLDERS.items():
        (folder / name).mkdir(exist_ok=True)
        for file, data in files().items():
            (folder / name / file).write_bytes(data)
