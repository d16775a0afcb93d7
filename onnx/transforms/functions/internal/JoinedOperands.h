//===- JoinedOperands.h - What all calls of a function pass -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The types of the arguments of a function of the model: the join of those that
// its calls pass. Element types that differ are unknown, and so are shapes of
// unequal ranks. A size that is the same number in all calls is that number; two
// sizes are the same symbol if they are equal in each call.
//
//   JoinedOperands joined;
//   joined.note(function, call, evaluation);      // for each call
//   if (auto state = joined.stateOf(argument, exprs)) ...
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_JOINEDOPERANDS_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_JOINEDOPERANDS_H

#include "onnxfold/constprop/Evaluation.h"

namespace onnxfold {

class JoinedOperands {
public:
  /// Adds the types of the operands of `call`. REQUIRES: `evaluation` knows
  /// them.
  void note(mlir::Operation *function, mlir::Operation *call,
            const Evaluation &evaluation);
  /// Some call was not looked at: nothing is known of any argument.
  void giveUp() { isComplete = false; }

  /// The state in all calls, or nothing. Symbols of a function are the same in
  /// all its arguments if these are asked for in order.
  std::optional<ValueState> stateOf(mlir::BlockArgument argument,
                                    DimExprs &exprs);
  /// Something is known of an argument of the function.
  bool knows(mlir::Operation *function) const;
  /// Both know the same of the arguments of a function. REQUIRES: both know
  /// something.
  bool isSame(const JoinedOperands &other, mlir::Operation *function) const;

private:
  /// A number, or the number of a class of sizes that are equal in each call.
  struct Size {
    bool isNumber;
    int64_t value;
    ExprRange range;
  };
  struct Argument {
    DataType type = DataType::Undefined;
    std::optional<llvm::SmallVector<Size, 4>> shape;
    bool says() const { return type != DataType::Undefined || shape; }
  };
  struct Function {
    std::vector<Argument> arguments;
    llvm::DenseMap<int64_t, DimExpr> symbols; ///< of classes, in one table
  };

  static std::vector<Argument> argumentsOf(mlir::Operation *function,
                                           mlir::Operation *call,
                                           const Evaluation &evaluation);
  static void join(std::vector<Argument> &all,
                   const std::vector<Argument> &call);

  llvm::DenseMap<mlir::Operation *, Function> functions;
  bool isComplete = true;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_JOINEDOPERANDS_H
