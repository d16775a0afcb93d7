//===- Layouts.h - Layouts that casts lose ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A memref whose type says no layout is read as row-major from its first
// element on: by copies of whole buffers, kernels, callers, sequences.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_LAYOUTS_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_LAYOUTS_H

#include "mlir/IR/Types.h"

namespace onnxfold::sequence {

/// Whether a memref of type `from` may be another one than row-major, and a cast
/// to `to`, which says no layout, would hide that.
bool losesLayout(mlir::Type from, mlir::Type to);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_LAYOUTS_H
