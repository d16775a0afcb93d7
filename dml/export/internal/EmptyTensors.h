//===- EmptyTensors.h - Tensors without elements ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor without elements is known as soon as its shape is known. It becomes
// a constant, so that sums over no elements fold, and scripts need no matrices
// without rows or columns, which SystemDS supports only in part.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_EMPTYTENSORS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_EMPTYTENSORS_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"

namespace onnxfold::dml {

/// Replaces the used tensors without elements in a graph and its bodies by
/// constants. False if there are none.
bool replaceEmptyTensors(mlir::Region &graph, const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_EMPTYTENSORS_H
