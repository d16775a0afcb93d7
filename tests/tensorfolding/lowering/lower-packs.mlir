// RUN: fold-opt %s -split-input-file -lower-packs -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @pack_divisible
// CHECK-NOT: linalg.pack
// CHECK: tensor.expand_shape {{.*}} output_shape [8, 32, 2, 16]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
func.func @pack_divisible(%w: tensor<256x32xf32>) -> tensor<8x2x16x32xf32> {
  %e = tensor.empty() : tensor<8x2x16x32xf32>
  %p = linalg.pack %w inner_dims_pos = [1, 0] inner_tiles = [16, 32] into %e
      : tensor<256x32xf32> -> tensor<8x2x16x32xf32>
  return %p : tensor<8x2x16x32xf32>
}

// -----

// CHECK-LABEL: @pack_padded
// CHECK: tensor.pad %{{.*}} low[0] high[3]
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.pack
func.func @pack_padded(%w: tensor<13xf32>, %zero: f32) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %p = linalg.pack %w padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [8] into %e
      : tensor<13xf32> -> tensor<2x8xf32>
  return %p : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: @unpack_padded
// CHECK-NOT: linalg.unpack
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice {{.*}}[0] [13] [1]
func.func @unpack_padded(%w: tensor<2x8xf32>) -> tensor<13xf32> {
  %e = tensor.empty() : tensor<13xf32>
  %p = linalg.unpack %w inner_dims_pos = [0] inner_tiles = [8] into %e
      : tensor<2x8xf32> -> tensor<13xf32>
  return %p : tensor<13xf32>
}

// -----

func.func @dynamic_tile_stays(%w: tensor<?xf32>, %e: tensor<?x?xf32>, %tile: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'linalg.pack' op has inner tiles of dynamic size, expected constants: it cannot be lowered}}
  %p = linalg.pack %w padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [%tile] into %e
      : tensor<?xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

// MLIR 22 pads complex numbers with an attribute that does not exist, and ends the process.

func.func @complex(%w: tensor<4x4xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>> {
  %e = tensor.empty() : tensor<2x2x2x2xcomplex<f32>>
  // expected-error @below {{'linalg.pack' op has elements of type 'complex<f32>' and no padding value, expected numbers that are not complex: it cannot be lowered}}
  %p = linalg.pack %w inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x4xcomplex<f32>> -> tensor<2x2x2x2xcomplex<f32>>
  return %p : tensor<2x2x2x2xcomplex<f32>>
}
