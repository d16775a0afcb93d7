# SPDX-License-Identifier: Apache-2.0
"""docs/upstream-bugs.md is true: stock mlir-opt and ONNX Runtime still do what it says of its smallest inputs."""

import os
import subprocess

import numpy as np
import onnx.parser
import onnxruntime
import pytest
from onnxfold_upstream import MLIR

DYNAMIC = -(1 << 63)
# name: passes, text
ENDED = {
    "expand_shape": ("expand-strided-metadata", """func.func @f(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}"""),
    "returned twice": ("buffer-results-to-out-params{hoist-static-allocs=true modify-public-functions=true}", """
func.func @f() -> (memref<3xf32>, memref<3xf32>) {
  %a = memref.alloc() : memref<3xf32>
  return %a, %a : memref<3xf32>, memref<3xf32>
}"""),
    "body": ("", """func.func @f(%x: tensor<3xi1>, %o: tensor<3xi1>) -> tensor<3xi1> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : tensor<3xi1>) outs(%o : tensor<3xi1>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}"""),
    "permutation": ("", """func.func @f(%x: tensor<2x3xf32>, %o: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%o : tensor<3x2xf32>) permutation = [1, 0.0]
  return %r : tensor<3x2xf32>
}"""),
    "scalar transpose": ("", """func.func @f(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.transpose ins(%x : tensor<f32>) outs(%o : tensor<f32>) permutation = []
  return %r : tensor<f32>
}"""),
    "array of index": ("", "func.func @f() attributes {a = array<index: 1>} { return }"),
    "no dialect": ("math-extend-to-supported-types", "func.func @f() {\n  \"foo.bar\"() : () -> ()\n  return\n}"),
    "assign": ("lower-affine", """func.func @f(%x: f32) -> f32 {
  %0 = affine.parallel (%i) = (0) to (8) reduce ("assign") -> f32 {
    affine.yield %x : f32
  }
  return %0 : f32
}"""),
    "padding": ("canonicalize", f"""func.func @f(%x: tensor<2xf32>, %v: f32) -> tensor<3xf32> {{
  %0 = tensor.pad %x nofold low[{DYNAMIC}] high[1] {{
  ^bb0(%i: index):
    tensor.yield %v : f32
  }} : tensor<2xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}}"""),
    "allocation without rank": ("canonicalize", """func.func @f() -> tensor<*xf32> {
  %0 = bufferization.alloc_tensor() : tensor<*xf32>
  return %0 : tensor<*xf32>
}"""),
    "scalar without rank": ("convert-linalg-to-loops", """func.func @f(%x: memref<*xf32>, %y: memref<8xmemref<*xf32>>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<*xf32>) outs(%y : memref<8xmemref<*xf32>>) {
  ^bb0(%in: memref<*xf32>, %out: memref<*xf32>):
    linalg.yield %in : memref<*xf32>
  }
  return
}"""),
    "reshape without rank": ("finalize-memref-to-llvm", """func.func @f(%x: memref<*xi32>, %s: memref<2xindex>) -> memref<*xi32> {
  %0 = memref.reshape %x(%s) : (memref<*xi32>, memref<2xindex>) -> memref<*xi32>
  return %0 : memref<*xi32>
}"""),
    "number in a resource": ("finalize-memref-to-llvm", 'memref.global "private" constant @x : memref<f32> = dense_resource<r>'),
}  # fmt: skip


def mlirOpt(passes, text):
    arguments = [f"--pass-pipeline=builtin.module({passes})", "--allow-unregistered-dialect", "--mlir-disable-threading"]
    environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}  # which takes a second
    return subprocess.run([MLIR / "bin/mlir-opt", *arguments, "-"], input=text, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("name", list(ENDED))
def test_what_ends_the_process(name):
    """A new version that survives this needs no detour here, nor a place in the page."""
    assert mlirOpt(*ENDED[name]).returncode < 0


def test_nan_of_a_scale():
    text = "func.func @f() -> f32 {\n%c = arith.constant 0xFF : f8E8M0FNU\n%r = arith.extf %c : f8E8M0FNU to f32\nreturn %r : f32\n}"
    assert "0x7F800000 : f32" in mlirOpt("func.func(canonicalize)", text).stdout


def test_a_lost_sign_extension():
    """Of four numbers that are stored by pairs."""
    lines = []
    for i in range(4):
        lines += [f"%p{i} = getelementptr i32, ptr %x, i64 {i}", f"%n{i} = load i32, ptr %p{i}", f"%w{i} = sext i32 %n{i} to i64"]
        lines += [f"%f{i} = uitofp i64 %w{i} to float", f"%b{i} = bitcast float %f{i} to i32", f"%z{i} = zext i32 %b{i} to i64"]
    for i in range(2):
        lines += [f"%s{i} = shl i64 %z{2 * i + 1}, 32", f"%r{i} = or i64 %s{i}, %z{2 * i}"]
        lines += [f"%q{i} = getelementptr i64, ptr %y, i64 {i}", f"store i64 %r{i}, ptr %q{i}"]
    text = "\n".join(["define void @f(ptr noalias %x, ptr noalias %y) {", *lines, "ret void", "}"])
    command = [MLIR / "bin/opt", "-mtriple=x86_64-unknown-linux-gnu", "-mcpu=x86-64", "-passes=slp-vectorizer", "-S", "-"]
    made = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    assert "uitofp <2 x i32>" in made and "sext" not in made


def run(text, *inputs):
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 18]>\n' + text)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip((one.name for one in model.graph.input), inputs, strict=True)))


def test_nan_in_onnx_runtime():
    rows = np.float32([[np.nan, 2, 3], [7, 8, np.nan]])
    [largest] = run("f (float[2,3] x, int64[1] a) => (float[2] y) { y = ReduceMax <keepdims = 0> (x, a) }", rows, np.int64([1]))
    np.testing.assert_array_equal(largest, np.float32([np.nan, 8]))
    [four] = run("f (float[4] x, int64[1] k) => (float[4] y) { y, i = TopK <largest = 0> (x, k) }", np.float32([np.nan, 2, 1, 3]), np.int64([4]))
    np.testing.assert_array_equal(four, np.float32([1, 2, np.nan, 3]))
    [distinct] = run("f (float[6] x) => (float[n] y) { y = Unique (x) }", np.float32([np.nan, 2, 1, 2, 3, np.nan]))
    np.testing.assert_array_equal(distinct, np.float32([np.nan]))
