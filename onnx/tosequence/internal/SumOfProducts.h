//===- SumOfProducts.h - What Conv and MatMul loop over ---------*- C++ -*-===//
//
// Adds products to each element of a tensor, as linalg.generic without
// reductions: up to 16 of them in one body, each from slices of its own, so that
// an element is loaded and stored once for all of them, and LLVM vectorises the
// innermost loop along the last axis.
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
  /// Of one body.
  static constexpr int64_t most = 16;

  SumOfProducts(ToSequenceConverter &converter, mlir::Location location,
                mlir::RankedTensorType type)
      : converter(converter), location(location), type(type) {}

  /// A product to add: the maps say where an element of the result reads it.
  void add(mlir::Value left, mlir::AffineMap leftMap, mlir::Value right,
           mlir::AffineMap rightMap);

  /// `start` and `count` times what `addAt` adds. It is called for a place,
  /// which is `first` (null: 0) plus `further`; `atOnce` of them are one body.
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

/// A tensor of floats that the loops compute with: f32 or f64, with a rank; null
/// for others.
mlir::RankedTensorType rankedFloats(mlir::Value value);

/// A tensor of the type filled with a scalar 0, or with `bias` along `axis`.
mlir::Value filled(ToSequenceConverter &converter, mlir::Location location,
                   mlir::RankedTensorType type, mlir::ValueRange sizes,
                   mlir::Value bias, unsigned axis);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_SUMOFPRODUCTS_H
