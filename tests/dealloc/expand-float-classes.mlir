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

// f80 has a bit between exponent and fraction; f8E4M3FN has no infinity; the size is not known.
// CHECK-LABEL: func @stay
// CHECK: math.isinf %arg0 : f80
// CHECK: math.isinf %arg1 : f8E4M3FN
// CHECK: math.isnormal %arg2 : tensor<?xf32>
func.func @stay(%x: f80, %y: f8E4M3FN, %z: tensor<?xf32>) -> (i1, i1, tensor<?xi1>) {
  %0 = math.isinf %x : f80
  %1 = math.isinf %y : f8E4M3FN
  %2 = math.isnormal %z : tensor<?xf32>
  return %0, %1, %2 : i1, i1, tensor<?xi1>
}
