//===- CallAnalyses.h - Analyses of the calls of a model --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The analyses of one walk over a model: which functions it calls, what is
// known of their results, which calls return the same each time, and what would
// fold if the walk were the last. Each walk has its own. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLANALYSES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLANALYSES_H

#include "onnxfold/onnx/transforms/functions/CallTypes.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

class CallAnalyses {
public:
  explicit CallAnalyses(const RewriteSession &session) : session(session) {}

  /// Begins a walk.
  void begin();

  CallTypes &types() const { return *callTypes; }
  PureCalls &pure() const { return *pureCalls; }
  /// The state of an argument of a function in all calls, or nothing.
  std::optional<ValueState> stateOfArgument(mlir::BlockArgument argument,
                                            DimExprs &exprs) {
    return callTypes && typesBodies
               ? callTypes->joinedState(argument, exprs, typesSingle)
               : std::nullopt;
  }
  /// Something else may call the functions: types are not passed to bodies.
  void keepBodiesUntyped() { typesBodies = false; }
  /// Makes functions with one call get the types that it passes, from the next
  /// walk on. False if they did already.
  bool typeSingle() { return typesBodies && !std::exchange(typesSingle, true); }

  /// The plan after the walk, created on the first request.
  const FoldPlan &draft();

private:
  const RewriteSession &session;
  std::unique_ptr<CallTypes> callTypes;
  std::unique_ptr<PureCalls> pureCalls;
  std::unique_ptr<FoldPlan> drafted;
  bool typesBodies = true, typesSingle = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLANALYSES_H
