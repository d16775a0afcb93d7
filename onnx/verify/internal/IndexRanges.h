//===- IndexRanges.h - Which integers an input may hold ---------*- C++ -*-===//
//
// Most integers that a model takes are indices, lengths or sizes: with numbers
// that an operator refuses nothing could be compared. What reads an input says
// which ones it takes, also through operators that only move numbers.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H

#include "onnxfold/constprop/Evaluation.h"

namespace onnxfold {

struct NumberRange {
  double least, most;
};

/// What the readers of `value` take; nothing if none of them minds. `shapes`
/// knows the shapes of all values.
std::optional<NumberRange> rangeForReaders(mlir::Value value,
                                           Evaluation &shapes);

/// Some reader takes it as the shape of a result: one dimension of unknown size
/// and ones are right for any tensor.
bool isTargetShape(mlir::Value value);

/// Some reader takes it as a list of axes, which have to differ.
bool isListOfAxes(mlir::Value value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INDEXRANGES_H
