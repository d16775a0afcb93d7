// Vectors of what libm computes were refused by the name of a vector.extract that MLIR makes of them.
// RUN: fold-opt %s --lower-deallocation-to-llvm | FileCheck %s
// Alone it made operations of the vector dialect, which it had not loaded.
// RUN: fold-opt %s --vectors-to-llvm | FileCheck %s --check-prefix=ALONE

// CHECK-LABEL: llvm.func @rows
// CHECK-COUNT-6: llvm.call @erff
// CHECK-NOT: vector.
func.func @rows(%x: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = math.erf %x : vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-LABEL: llvm.func @powers
// CHECK-COUNT-2: llvm.call @__mlir_math_fpowi_f32_i32
// CHECK-NOT: vector.
func.func @powers(%x: vector<2xf32>, %n: vector<2xi32>) -> vector<2xf32> {
  %0 = math.fpowi %x, %n : vector<2xf32>, vector<2xi32>
  return %0 : vector<2xf32>
}

// ALONE-LABEL: func @positions
// ALONE: llvm.load
// ALONE: llvm.extractelement
func.func @positions(%m: memref<?xindex>, %i: index, %v: vector<4xindex>) -> (vector<4xindex>, index) {
  %0 = vector.load %m[%i] : memref<?xindex>, vector<4xindex>
  %1 = vector.extract %v[%i] : index from vector<4xindex>
  return %0, %1 : vector<4xindex>, index
}
