//===- InterproceduralConstants.h - Lifts constants to calls ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes the constant part of a function of the model once and lets its calls
// pass it, so that it is neither computed in the body nor duplicated when a
// runtime inlines the body:
//
//   F(x, w) = MatMul(x, Transpose(w))         F(x, t) = MatMul(x, t)
//   y = F(F(x, c), d)                    ->   y = F(F(x, c'), d')
//
// for constants c and d, where c' and d' are initializers of the main graph,
// one for each value. It lifts values that fold for all calls, given the
// constants, shapes and attributes that each call passes, also through
// functions that call functions. Then
//   * a small value that is the same for all calls is a Constant in the body;
//   * for any other the function gets an input, with the name of the value,
//     in the place of an unused one, or at the end. A caller that is a function
//     itself gets it in the same way;
//   * inputs that become unused are removed.
// A large constant that a body computes from its own constants is lifted too,
// if there is more than one call.
//
// Kept: values that one call cannot fold, results of the function itself,
// existing Constant nodes, functions whose calls may not change, and values
// beyond the growth budget.
//
//   InterproceduralConstants lifting;
//   lifting.setBudget(bytes);
//   if (lifting.run(evaluation, nodes, host)) ... // evaluate again
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERPROCEDURALCONSTANTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERPROCEDURALCONSTANTS_H

#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// A constant that was made for a call or in a body: the operation of a body
/// that it replaces, and names of the constants that its value was computed
/// from (those of the first call, if several pass equal ones).
struct LiftedConstant {
  mlir::Operation *from;
  llvm::SmallVector<llvm::StringRef> sources;
};
using LiftedConstants = llvm::MapVector<mlir::Operation *, LiftedConstant>;

class InterproceduralConstants {
public:
  /// Queries that the caller answers, and changes that it records.
  struct Host {
    /// The operation, or one around it, is erased; false for one that only
    /// folds.
    llvm::function_ref<bool(mlir::Operation *)> isErased;
    /// The same, or true because the operation will fold within the budget.
    llvm::function_ref<bool(mlir::Operation *)> willBeErased;
    /// Called with an operation that has no users any more.
    llvm::function_ref<void(mlir::Operation *)> markReplaced;
    /// Called with an operation whose operands differ from those of its node in
    /// the file.
    llvm::function_ref<void(mlir::Operation *)> rewire;
    /// Functions are about to change: erased operations must not call them any
    /// more.
    llvm::function_ref<void()> settle;
  };

  /// Bytes that all runs together may add; nothing (the default): any number.
  void setBudget(std::optional<int64_t> bytes) { budget = bytes; }
  /// Functions that the main graph does not reach are erased later, so that
  /// operands of calls in them do not matter. By default they keep other
  /// functions from changing.
  void dropIdleFunctions() { dropsIdle = true; }

  /// True if something was lifted. An operation without functions is not
  /// changed. REQUIRES: the evaluation has run.
  bool run(const Evaluation &evaluation, NodeBuilder &nodes, const Host &host);

  /// The bytes of the created constants, less those erased for them.
  int64_t growth() const { return bytesAdded; }
  /// The budget left something out.
  bool isLimited() const { return limited; }
  /// The constants that all runs created.
  const LiftedConstants &lifted() const { return made; }
  /// Records a constant that was created for a call before functions changed.
  void note(mlir::Operation *constant, LiftedConstant where) {
    made[constant] = std::move(where);
  }

private:
  /// Names of inputs that were added to functions.
  llvm::DenseMap<mlir::Operation *, llvm::StringSet<>> gained;
  LiftedConstants made;
  std::optional<int64_t> budget;
  int64_t bytesAdded = 0;
  bool dropsIdle = false, limited = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERPROCEDURALCONSTANTS_H
