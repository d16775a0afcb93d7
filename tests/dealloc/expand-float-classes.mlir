// RUN: fold-opt %s --expand-float-classes | FileCheck %s

// CHECK-LABEL: func @scalars
// CHECK: %[[B:.*]] = arith.bitcast %arg0 : f32 to i32
// CHECK: %[[S:.*]] = arith.andi %[[B]], %{{.*}} : i32
// CHECK: arith.cmpi eq, %[[S]], %{{.*}} : i32
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i16
func.func @scalars(%x: f32, %y: bf16) -> (i1, i1) {
  %0 = math.isinf %x : f32
  %1 = math.isnormal %y : bf16
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func @vectors
// CHECK: arith.bitcast %arg0 : vector<4xf64> to vector<4xi64>
// CHECK: arith.cmpi eq, %{{.*}} : vector<4xi64>
func.func @vectors(%x: vector<4xf64>) -> vector<4xi1> {
  %0 = math.isinf %x : vector<4xf64>
  return %0 : vector<4xi1>
}

// "failed to legalize operation 'math.isinf'".
// CHECK-LABEL: func @extended
// CHECK: %[[I:.*]] = arith.constant 604453686435277732577280 : i80
// CHECK: arith.cmpi eq, %{{.*}}, %[[I]] : i80
// CHECK: arith.cmpi ult, %{{.*}} : vector<2xi80>
func.func @extended(%x: f80, %y: vector<2xf80>) -> (i1, vector<2xi1>) {
  %0 = math.isinf %x : f80
  %1 = math.isnormal %y : vector<2xf80>
  return %0, %1 : i1, vector<2xi1>
}

// f8E4M3FN has no infinity; the size is not known.
// CHECK-LABEL: func @stay
// CHECK: math.isinf %arg0 : f8E4M3FN
// CHECK: math.isnormal %arg1 : tensor<?xf32>
func.func @stay(%x: f8E4M3FN, %y: tensor<?xf32>) -> (i1, tensor<?xi1>) {
  %0 = math.isinf %x : f8E4M3FN
  %1 = math.isnormal %y : tensor<?xf32>
  return %0, %1 : i1, tensor<?xi1>
}

// "'llvm.intr.is.fpclass' op operand #0 must be floating point LLVM type".
// CHECK-LABEL: func @matrices
// CHECK: arith.cmpi ugt, %{{.*}} : vector<2x4xi32>
// CHECK: arith.cmpi ult, %{{.*}} : vector<2x[4]xi64>
// CHECK: math.isnan %arg2 : vector<4xf32>
func.func @matrices(%x: vector<2x4xf32>, %y: vector<2x[4]xf64>, %z: vector<4xf32>) -> (vector<2x4xi1>, vector<2x[4]xi1>, vector<4xi1>) {
  %0 = math.isnan %x : vector<2x4xf32>
  %1 = math.isfinite %y : vector<2x[4]xf64>
  %2 = math.isnan %z : vector<4xf32>
  return %0, %1, %2 : vector<2x4xi1>, vector<2x[4]xi1>, vector<4xi1>
}
