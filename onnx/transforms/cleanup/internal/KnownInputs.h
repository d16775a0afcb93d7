//===- KnownInputs.h - What is known of an operator's inputs ----*- C++ -*-===//
//
// What an evaluation knows of the operands of an operator, in terms that do not
// depend on the evaluation: two operators with equally known operands have the
// same key, and in a scratch module the arguments for the operands get the same
// states.
//
//   KnownInputs inputs(op, evaluation);
//   if (inputs.areTyped()) ... outcomes[inputs.key(true)] ...
//   options.stateOfArgument = inputs.statesOf(graph); // for one evaluation
//
// DimExprs keep what they may be (their range) and which are equal, and lose
// what they are made of. Thread safety: none.
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

  /// All inputs that are given are tensors of known element types.
  bool areTyped() const { return typed; }

  /// For each input the number of its argument, nothing if it is missing. Equal
  /// values have one argument.
  llvm::ArrayRef<std::optional<unsigned>> arguments() const { return numbers; }

  /// The same with types and ranks alone, all sizes and values unknown.
  KnownInputs withoutSizes() const;

  /// What is known, as numbers; without sizes and values if not `withSizes`.
  /// REQUIRES: areTyped().
  std::vector<int64_t> key(bool withSizes) const;

  /// For EvaluationOptions: the states of the arguments of a graph (others are
  /// known by their types), for one evaluation, which these inputs outlive.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)>
  statesOf(mlir::Operation *graph) const;

  /// Type and sizes of input #i; no rank where it is not known. REQUIRES: it is
  /// given.
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
