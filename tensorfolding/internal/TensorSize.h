//===- TensorSize.h - How large tensors are in memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Bytes as compiled code stores them: an element takes the least power of two
// of bytes that holds it, also an i1 or i4; `index` takes 8. A dynamic size is
// one unknown factor: `tensor<?x8xf32>` has 32 bytes per unit of one dimension.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_TENSORSIZE_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_TENSORSIZE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace onnxfold {

struct TensorSize {
  uint64_t bytes = 0; // saturates
  unsigned dynamicDims = 0;

  /// The sum. A size with more dynamic dimensions counts as larger than any
  /// number of bytes.
  TensorSize operator+(const TensorSize &other) const {
    if (dynamicDims != other.dynamicDims)
      return dynamicDims > other.dynamicDims ? *this : other;
    return {llvm::SaturatingAdd(bytes, other.bytes), dynamicDims};
  }
};

/// The size of a tensor, a memref or a scalar; 0 bytes for all other types.
TensorSize sizeOf(mlir::Type type);

/// Whether a folded tensor may have this type: it is ranked, and its elements
/// are integers, index, floats or complex numbers of at least a byte.
bool canBeKept(mlir::Type type);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_TENSORSIZE_H
