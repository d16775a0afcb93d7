//===- InterproceduralConstants.h - Constants of bodies go to the calls --*- C++ -*-===//
//
// The constant part of a function of the model is computed once and passed by
// those that call it, so that it is neither computed in the body nor there as
// often as the body will be when a runtime inlines it:
//
//   F(x, w) = MatMul(x, Transpose(w))         F(x, t) = MatMul(x, t)
//   y = F(F(x, c), d)                    ->   y = F(F(x, c'), d')
//
// for constants c and d, where c' and d' are initializers of the main graph,
// one for each value. What counts is what folds for all calls: with the
// constants, shapes and attributes that each passes, through functions that
// call functions. Then
//   * a small value that is the same for all calls is a Constant in the body;
//   * of any other the function gets an input, under the name that the value
//     has, in the place of one that nobody reads any more, or at the end. A
//     caller that is a function itself is given it in the same way;
//   * inputs that nobody reads any more go.
// A large constant that a body computes from its own goes the same way, if
// there is more than one call.
//
// Left as they are: what one call cannot fold, results of the function itself,
// Constant nodes that are there, functions whose calls may not change, and what
// the growth budget leaves out.
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
/// that it stands for, and names of the constants that its value was computed
/// from (of those that the first call passes, where calls pass equal ones).
struct LiftedConstant {
  mlir::Operation *from;
  llvm::SmallVector<llvm::StringRef> sources;
};
using LiftedConstants = llvm::MapVector<mlir::Operation *, LiftedConstant>;

class InterproceduralConstants {
public:
  /// What the caller knows and notes of operations.
  struct Host {
    /// It goes, or what it is in; false for what only folds.
    llvm::function_ref<bool(mlir::Operation *)> isGone;
    /// The same, and what will fold within the budget: not what it leaves out.
    llvm::function_ref<bool(mlir::Operation *)> goes;
    /// Nobody reads it any more.
    llvm::function_ref<void(mlir::Operation *)> supersede;
    /// It reads other values than its node says.
    llvm::function_ref<void(mlir::Operation *)> rewire;
    /// Functions are about to change: what goes must not call them any more.
    llvm::function_ref<void()> settle;
  };

  /// Bytes that all runs together may add; nothing (the default): any number.
  void setBudget(std::optional<int64_t> bytes) { budget = bytes; }
  /// Functions that the main graph does not reach go later, so that it does not
  /// matter what calls in them pass. By default they keep others as they are.
  void dropIdleFunctions() { dropsIdle = true; }

  /// REQUIRES: the evaluation has run, on a module or what may be one. True if
  /// something was lifted.
  bool run(const Evaluation &evaluation, NodeBuilder &nodes, const Host &host);

  /// Bytes of constants that were made, without those that went for them.
  int64_t growth() const { return bytesAdded; }
  /// The budget left something out.
  bool isLimited() const { return limited; }
  /// The constants that all runs made.
  const LiftedConstants &lifted() const { return made; }
  /// One that was made for a call before functions changed.
  void note(mlir::Operation *constant, LiftedConstant where) {
    made[constant] = std::move(where);
  }

private:
  /// Names of inputs that functions have of us.
  llvm::DenseMap<mlir::Operation *, llvm::StringSet<>> gained;
  LiftedConstants made;
  std::optional<int64_t> budget;
  int64_t bytesAdded = 0;
  bool dropsIdle = false, limited = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERPROCEDURALCONSTANTS_H
