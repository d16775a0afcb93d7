//===- EqualConstants.h - New constants that have one value -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds among the new constants of one block those that have the same element
// type and the same bytes, so that the writer stores them once. In a data file
// their shapes may differ, because tensors of different shapes may refer to the
// same bytes. EqualValues.h says what the search costs.
//
// Thread safety: as the operations.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_EQUALCONSTANTS_H
#define ONNXFOLD_ONNX_IO_WRITE_EQUALCONSTANTS_H

#include "onnxfold/elements/ops/EqualValues.h"
#include "onnxfold/onnx/ir/Dialect.h"

namespace onnxfold {

class EqualConstants {
public:
  EqualConstants() = default;
  /// `constants` are in the order of their block. `ofAnyShape`: constants that
  /// are equal up to their shape are equal.
  EqualConstants(llvm::ArrayRef<OnnxConstantOp> constants, bool ofAnyShape);

  /// The first constant with the same value; itself if there is none before it.
  mlir::Operation *firstOf(mlir::Operation *constant) const {
    auto index = indices.find(constant);
    return index == indices.end() ? constant
                                  : constants[equal.firstOf(index->second)];
  }

  /// The value to write instead of the operation's own, if the elements were
  /// moved to the file of spilled results; otherwise null.
  Elements movedValue(mlir::Operation *constant) const {
    auto index = indices.find(constant);
    Elements moved =
        index == indices.end() ? Elements() : equal.movedValue(index->second);
    return moved ? moved.reshape(shapeOf(constant)) : moved;
  }

private:
  static ShapeRef shapeOf(mlir::Operation *constant);

  std::vector<mlir::Operation *> constants;
  llvm::DenseMap<mlir::Operation *, size_t> indices;
  ops::EqualValues equal;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_EQUALCONSTANTS_H
