//===- ValueSizes.h - Shapes of values as formulas --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What an evaluation knows of the types of values, with open sizes as formulas:
//
//   ValueSizes sizes(evaluation);
//   if (std::optional<Sizes> shape = sizes.shapeOf(value)) ...
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_VALUESIZES_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_VALUESIZES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/driver/stats/internal/SizeNames.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// A shape.
using Sizes = std::vector<Formula>;

Formula product(llvm::ArrayRef<Formula> sizes);

class ValueSizes {
public:
  explicit ValueSizes(Evaluation &evaluation)
      : evaluation(evaluation), open(evaluation.exprs()) {}

  /// Nothing if not even the rank is known.
  std::optional<Sizes> shapeOf(mlir::Value value);
  /// Nothing if it is not known.
  std::optional<DataType> elementTypeOf(mlir::Value value) const;
  /// Nothing if the shape or the type is not known, or has no fixed width
  /// (strings, sequences).
  std::optional<Formula> bytesOf(mlir::Value value);
  /// Element number `index` of a known vector or scalar; nothing if it is not
  /// known in terms of sizes.
  std::optional<Formula> elementOf(mlir::Value value, unsigned index,
                                   SizeNames::Meaning meaning);
  /// 0 or 1 of a known truth value.
  std::optional<bool> truthOf(mlir::Value value);

  SizeNames &names() { return open; }

private:
  const ValueState *stateOf(mlir::Value value) const;

  Evaluation &evaluation;
  SizeNames open;
};

/// The operands and results of a node. All functions return nothing where a
/// shape is not known.
class NodeSizes {
public:
  NodeSizes(Operator op, ValueSizes &sizes) : op(op), sizes(sizes) {}

  const Operator op;

  std::optional<Sizes> input(unsigned i) const;
  std::optional<Sizes> output(unsigned i = 0) const;
  std::optional<Formula> numInput(unsigned i) const;
  std::optional<Formula> numOutput(unsigned i = 0) const;
  /// A size of an operand, from the end if `axis` is negative.
  std::optional<Formula> inputSize(unsigned i, int axis) const;
  std::optional<Formula> outputSize(unsigned i, int axis) const;

private:
  ValueSizes &sizes;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_VALUESIZES_H
