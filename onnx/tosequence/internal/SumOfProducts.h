//===- SumOfProducts.h - The loops of Conv and MatMul -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Adds products to each element of a tensor, as linalg.generic without
// reductions. One body adds up to 16 products, each of slices of its own, so
// that an element is loaded and stored once for all of them, and LLVM
// vectorises the innermost loop along the last axis.
//
//   SumOfProducts sum(converter, location, type);
//   result = sum.inBlocks(count, 16, start, [&](Value first, int64_t further) {
//     ... sum.add(left, leftMap, right, rightMap);
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_SUMOFPRODUCTS_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_SUMOFPRODUCTS_H

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"

namespace onnxfold {

class SumOfProducts {
public:
  /// The most products of one body.
  static constexpr int64_t most = 16;

  SumOfProducts(ToSequenceConverter &converter, mlir::Location location,
                mlir::RankedTensorType type)
      : converter(converter), location(location), type(type) {}

  /// Adds a product to the body. The maps say which elements of `left` and
  /// `right` an element of the result reads.
  void add(mlir::Value left, mlir::AffineMap leftMap, mlir::Value right,
           mlir::AffineMap rightMap);

  /// Adds to `start` the products of `count` places, which `addAt` adds. It is
  /// called for each place, which is `first` (null: 0) plus `further`. One body
  /// has `atOnce` places.
  mlir::Value
  inBlocks(int64_t count, int64_t atOnce, mlir::Value start,
           llvm::function_ref<void(mlir::Value first, int64_t further)> addAt);

  /// The place as an offset of a slice.
  mlir::OpFoldResult place(mlir::Value first, int64_t further);

private:
  mlir::Value addTo(mlir::Value start);

  ToSequenceConverter &converter;
  mlir::Location location;
  mlir::RankedTensorType type; // of the result
  llvm::SmallVector<mlir::Value> slices;
  llvm::SmallVector<mlir::AffineMap> maps;
};

/// The type of a ranked tensor of f32 or f64, which the loops can compute with;
/// null for other values.
mlir::RankedTensorType rankedFloats(mlir::Value value);

/// A tensor of the type filled with 0, or with `bias` along `axis`.
mlir::Value filled(ToSequenceConverter &converter, mlir::Location location,
                   mlir::RankedTensorType type, mlir::ValueRange sizes,
                   mlir::Value bias, unsigned axis);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_SUMOFPRODUCTS_H
