//===- IndexRanges.h - Which integers an input may hold ---------*- C++ -*-===//
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

namespace onnxfold {

struct NumberRange {
  double least, most;
};

/// The integers that the users of `value` accept; nothing if all of them accept
/// any integer. `shapes` has the shapes of all values.
std::optional<NumberRange> rangeForReaders(mlir::Value value,
                                           Evaluation &shapes);

/// True if some user takes `value` as the shape of its result. One unknown
/// dimension and otherwise ones fit any tensor.
bool isTargetShape(mlir::Value value);

/// True if some user takes `value` as a list of axes, which have to differ.
bool isListOfAxes(mlir::Value value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H
