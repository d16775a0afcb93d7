//===- IndexRanges.h - Which integers an input may hold ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most integers that a model takes are indices, lengths or sizes. If an
// operator refuses them, nothing can be compared. So the users of an input
// decide which integers it may hold, also users behind operators that only move
// elements.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/verify/RandomTensor.h"

namespace onnxfold {

/// Indices that must not be equal, or the result depends on an order: those of
/// a scatter. They are numbers of rows or of elements, in a few dimensions.
struct DistinctIndices {
  Shape indices, data; // the shapes of both operands
  /// The axis of Scatter and ScatterElements; -1: the last dimension of
  /// `indices` holds an index into the first ones of `data` (ScatterND).
  int64_t axis = -1;
};

/// The numbers that the readers of a value accept.
struct AcceptedNumbers {
  NumberRange range;
  bool isBound = false; // other numbers are refused
  bool wraps = false;   // -1 is the last element
  std::optional<DistinctIndices> distinct = {};
};

/// Nothing if all readers accept any number. `shapes` has the shapes of all
/// values.
std::optional<AcceptedNumbers> acceptedByReaders(mlir::Value value,
                                                 Evaluation &shapes);

/// True if some user takes `value` as the shape of its result. One unknown
/// dimension and otherwise ones fit any tensor.
bool isTargetShape(mlir::Value value);

/// True if some user takes `value` as a list of axes, which have to differ.
bool isListOfAxes(mlir::Value value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H
