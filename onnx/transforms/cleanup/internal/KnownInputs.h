//===- KnownInputs.h - Known states of an operator's inputs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The states of the operands of an operator, in a form that does not depend on
// the evaluation. Two operators whose operands have the same states have the
// same key, and the arguments of a scratch module can be given these states.
//
//   KnownInputs inputs(op, evaluation);
//   if (inputs.areTyped()) ... outcomes[inputs.key(true)] ...
//   options.stateOfArgument = inputs.statesOf(graph); // for one evaluation
//
// DimExprs keep their ranges and which of them are equal, and lose the
// expressions that they are made of. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_INTERNAL_KNOWNINPUTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_INTERNAL_KNOWNINPUTS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"
#include <functional>
#include <vector>

namespace onnxfold {

class KnownInputs {
public:
  KnownInputs(Operator op, const Evaluation &evaluation);

  /// All present inputs are tensors of known element types.
  bool areTyped() const { return typed; }

  /// For each input the number of its argument, nothing if it is missing. Equal
  /// values have one argument.
  llvm::ArrayRef<std::optional<unsigned>> arguments() const { return numbers; }

  /// A copy with types and ranks alone; all sizes and values are unknown.
  KnownInputs withoutSizes() const;

  /// The states as numbers, without sizes and values if not `withSizes`.
  /// REQUIRES: areTyped().
  std::vector<int64_t> key(bool withSizes) const;

  /// For EvaluationOptions: the states of the arguments of a graph (others are
  /// known by their types), for one evaluation, which these inputs outlive.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)>
  statesOf(mlir::Operation *graph) const;

  /// Type and sizes of input #i; no rank where it is not known. REQUIRES: it is
  /// present.
  DataType typeOf(unsigned i) const { return states[*numbers[i]].type; }
  std::optional<Shape> shapeOf(unsigned i) const;

private:
  using Renamed = llvm::DenseMap<int64_t, DimExpr>;
  ValueState translate(const ValueState &state, DimExprs &table,
                       Renamed &renamed) const;

  const DimExprs *exprs;
  llvm::SmallVector<std::optional<unsigned>, 4> numbers;
  llvm::SmallVector<ValueState, 4> states; ///< of the arguments
  bool typed = true, hasSizes = true;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_INTERNAL_KNOWNINPUTS_H
