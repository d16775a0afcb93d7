//===- ValueRanges.h - Bounds of integers -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The least and the greatest number that the integer tensors of a module can
// hold, as far as that follows from constants, sizes that are known, and types:
//
//   ValueRanges ranges(module);
//   if (ranges.fits(value, DataType::Int32)) ...
//
// Operators without a rule, arguments and results of loops have no bounds.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_VALUERANGES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_VALUERANGES_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include <optional>

namespace onnxfold {

/// Both ends are included.
struct ValueRange64 {
  int64_t least, most;
};

class ValueRanges {
public:
  /// Walks over the module once.
  explicit ValueRanges(mlir::ModuleOp module);

  std::optional<ValueRange64> of(mlir::Value value) const;
  /// All numbers of the value are numbers of an integer type.
  bool fits(mlir::Value value, DataType type) const;

private:
  std::optional<ValueRange64> compute(Operator op, unsigned result) const;
  std::optional<ValueRange64> ofInputs(Operator op,
                                       llvm::ArrayRef<unsigned> inputs) const;

  llvm::DenseMap<mlir::Value, ValueRange64> ranges;
};

/// The operands of which the results hold numbers, and no others; none if the
/// operator computes.
llvm::SmallVector<unsigned> movedInputs(Operator op);

/// The numbers of the operand are indices of an axis of known size, or the
/// operator is undefined: the largest magnitude. Nothing for other operands.
std::optional<int64_t> boundOfIndices(mlir::OpOperand &place);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_VALUERANGES_H
