//===- CallTypes.h - What is known of what calls give -----------*- C++ -*-===//
//
// The results of a call of a function of the model have the types that its body
// gives for what is passed: they are those of a copy of the body, in which the
// arguments are what the call passes. Those that come out as constants,
// whatever the others are (a function that reads no more of them than their
// shapes), are that: the call folds if all that are read do, and nobody would
// miss what else the body does.
//
//   CallTypes types(module);
//   evaluation.run(nullptr,
//                  [&](Operation *op) { types.infer(op, evaluation); });
//
// Nothing large is computed but for calls that may fold. Cost: as of the graph
// with all calls inlined whose types the model does not say, or of which a
// result does not depend on what is not known, up to a limit.
// Source: onnx/shape_inference (InferShapeForFunctionNode).
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLTYPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLTYPES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/transforms/functions/internal/FunctionResults.h"
#include "onnxfold/onnx/transforms/functions/internal/PureCalls.h"
#include "mlir/IR/IRMapping.h"

namespace onnxfold {

class CallTypes {
public:
  /// REQUIRES: functions of the module live as long.
  CallTypes(mlir::Operation *module, Going going);

  bool hasFunctions() const { return !graph.empty(); }
  bool isCall(mlir::Operation *op) const { return graph.calledBy(op); }
  const CallGraph &calls() const { return graph; }

  /// What is known of the results of `op`, if it is a call, is refined in
  /// `evaluation`, which has just evaluated it.
  void infer(mlir::Operation *op, Evaluation &evaluation) {
    infer(op, evaluation, /*isAsked=*/false);
  }

  /// A call did not fold because of something in its function, of which more is
  /// gone by now.
  bool mayFoldMore() const;

private:
  void infer(mlir::Operation *op, Evaluation &evaluation, bool isAsked);
  enum class Hope { None, Some, All };
  Hope hopeOf(mlir::Operation *op, const Evaluation &evaluation);
  bool mayGo(mlir::Operation *function, const mlir::IRMapping &copies,
             mlir::Operation *copy, const Evaluation &body);

  Going going;
  CallGraph graph;
  FunctionResults results{graph};
  /// Calls in the body at hand that nobody would miss.
  llvm::DenseSet<mlir::Operation *> unneeded;
  /// Functions with something that stays, and how much had gone from them.
  llvm::DenseMap<mlir::Operation *, size_t> kept;
  size_t visited = 0; ///< operations of all copies
  size_t depth = 0;   ///< of calls in calls
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLTYPES_H
