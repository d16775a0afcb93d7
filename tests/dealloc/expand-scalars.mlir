// RUN: fold-opt %s --expand-scalars | FileCheck %s

// CHECK-LABEL: func @clamp
// CHECK: %[[M:.*]] = arith.minimumf %arg0, %arg2 : f32
// CHECK: arith.maximumf %[[M]], %arg1 : f32
func.func @clamp(%x: f32, %low: f32, %high: f32) -> f32 {
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}

// CHECK-LABEL: func @small
// CHECK: math.exp %arg0 : vector<[4]xf64>
// CHECK: math.log
// CHECK: math.log
// CHECK-NOT: math.expm1
// CHECK-NOT: math.log1p
func.func @small(%x: vector<[4]xf64>) -> (vector<[4]xf64>, vector<[4]xf64>) {
  %0 = math.expm1 %x : vector<[4]xf64>
  %1 = math.log1p %x : vector<[4]xf64>
  return %0, %1 : vector<[4]xf64>, vector<[4]xf64>
}

// CHECK-LABEL: func @rounded_once
// CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[ODD]] : f32 to bf16
func.func @rounded_once(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @integers
// CHECK: %[[S:.*]] = arith.addi %arg1, %arg1 : index
// CHECK: arith.cmpi ult, %[[S]], %arg1 : index
// CHECK: %[[N:.*]] = arith.index_cast %arg1 : index to i64
// CHECK: math.fpowi %arg0, %[[N]] : f32, i64
// CHECK: %[[B:.*]] = arith.extsi %arg2 : i1 to i64
// CHECK: math.fpowi %arg0, %[[B]] : f32, i64
func.func @integers(%x: f32, %n: index, %b: i1) -> (index, i1, f32, f32) {
  %0, %1 = arith.addui_extended %n, %n : index, i1
  %2 = math.fpowi %x, %n : f32, index
  %3 = math.fpowi %x, %b : f32, i1
  return %0, %1, %2, %3 : index, i1, f32, f32
}

// CHECK-LABEL: func @stay
// CHECK: arith.truncf %arg0 : f64 to f32
// CHECK: arith.addui_extended
// CHECK: math.fpowi %{{.*}}, %arg1 : f32, i32
func.func @stay(%x: f64, %n: i32) -> (i32, i1, f32) {
  %0 = arith.truncf %x : f64 to f32
  %1, %2 = arith.addui_extended %n, %n : i32, i1
  %3 = math.fpowi %0, %n : f32, i32
  return %1, %2, %3 : i32, i1, f32
}

// No constant of these: the size is not known, and f8E4M3FN has no infinity.
// CHECK-LABEL: func @no_constants
// CHECK: math.expm1 %arg0 : tensor<?xf32>
// CHECK: math.log1p %arg1 : f8E4M3FN
// CHECK: arith.truncf %arg2 : tensor<?xf64> to tensor<?xbf16>
func.func @no_constants(%x: tensor<?xf32>, %y: f8E4M3FN, %z: tensor<?xf64>) -> (tensor<?xf32>, f8E4M3FN, tensor<?xbf16>) {
  %0 = math.expm1 %x : tensor<?xf32>
  %1 = math.log1p %y : f8E4M3FN
  %2 = arith.truncf %z : tensor<?xf64> to tensor<?xbf16>
  return %0, %1, %2 : tensor<?xf32>, f8E4M3FN, tensor<?xbf16>
}

// CHECK-LABEL: func @power_of_indices
// CHECK: %[[P:.*]] = math.ipowi %{{.*}}, %{{.*}} : vector<2xi64>
// CHECK: arith.index_cast %[[P]] : vector<2xi64> to vector<2xindex>
func.func @power_of_indices(%x: vector<2xindex>) -> vector<2xindex> {
  %0 = math.ipowi %x, %x : vector<2xindex>
  return %0 : vector<2xindex>
}

// CHECK-LABEL: func @wide_integers
// CHECK: %[[S:.*]] = arith.sitofp %arg0 : i128 to f32
// CHECK: arith.truncf %[[S]] : f32 to f16
// CHECK: %[[U:.*]] = arith.uitofp %arg0 : i128 to f32
// CHECK: arith.truncf %[[U]] : f32 to f16
func.func @wide_integers(%x: i128) -> (f16, f16) {
  %0 = arith.sitofp %x : i128 to f16
  %1 = arith.uitofp %x : i128 to f16
  return %0, %1 : f16, f16
}

// f32 holds i24, f64 holds i53.
// CHECK-LABEL: func @integers_to_bfloat16
// CHECK: arith.sitofp %arg0 : i24 to bf16
// CHECK: arith.uitofp %arg1 : i32 to f64
// CHECK: arith.sitofp %arg2 : i53 to f64
// CHECK: %[[R:.*]] = arith.andi %arg3, %{{.*}} : i64
// CHECK: arith.cmpi eq, %[[R]], %{{.*}} : i64
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @integers_to_bfloat16(%a: i24, %b: i32, %c: i53, %d: i64) -> (bf16, bf16, bf16, bf16) {
  %0 = arith.sitofp %a : i24 to bf16
  %1 = arith.uitofp %b : i32 to bf16
  %2 = arith.sitofp %c : i53 to bf16
  %3 = arith.sitofp %d : i64 to bf16
  return %0, %1, %2, %3 : bf16, bf16, bf16, bf16
}
