// f8E8M0FNU has a NaN, though neither zero nor infinities: a truncation to it was kept. (MLIR's own folder makes infinity of
// it: docs/upstream-bugs.md.)
// RUN: fold-opt %s -constprop | FileCheck %s

// CHECK-LABEL: @truncf_nan
// CHECK: arith.constant 0xFF : f8E8M0FNU
func.func @truncf_nan() -> f8E8M0FNU {
  %0 = arith.constant 0x7FC00000 : f32
  %1 = arith.truncf %0 : f32 to f8E8M0FNU
  return %1 : f8E8M0FNU
}

// CHECK-LABEL: @truncf_negative_nan
// CHECK: arith.constant dense<0xFF> : vector<2xf8E8M0FNU>
func.func @truncf_negative_nan() -> vector<2xf8E8M0FNU> {
  %0 = arith.constant dense<0xFFC00000> : vector<2xf32>
  %1 = arith.truncf %0 : vector<2xf32> to vector<2xf8E8M0FNU>
  return %1 : vector<2xf8E8M0FNU>
}

// CHECK-LABEL: @truncf_zero_stays
// CHECK: arith.truncf
func.func @truncf_zero_stays() -> f8E8M0FNU {
  %0 = arith.constant 0.0 : f32
  %1 = arith.truncf %0 : f32 to f8E8M0FNU
  return %1 : f8E8M0FNU
}

// CHECK-LABEL: @extf_nan
// CHECK: arith.constant 0x7FC00000 : f32
func.func @extf_nan() -> f32 {
  %0 = arith.constant 0xFF : f8E8M0FNU
  %1 = arith.extf %0 : f8E8M0FNU to f32
  return %1 : f32
}
