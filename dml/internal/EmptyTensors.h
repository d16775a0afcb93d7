//===- EmptyTensors.h - Tensors without elements ----------------*- C++ -*-===//
//
// A tensor without elements is known as soon as its shape is: it becomes a
// constant, so that sums over nothing fold, and nobody has to compute with
// matrices of no rows or no columns, which SystemDS does in part.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_EMPTYTENSORS_H
#define ONNXFOLD_DML_INTERNAL_EMPTYTENSORS_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"

namespace onnxfold::dml {

/// Puts constants in the place of tensors without elements that somebody reads,
/// in a graph and the bodies in it. False if there are none.
bool replaceEmptyTensors(mlir::Region &graph, const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_EMPTYTENSORS_H
