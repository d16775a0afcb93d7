//===- CallTypes.h - Types and shapes of what calls give --------*- C++ -*-===//
//
// Of this folder only. The results of a call of a function of the model have
// the types that its body gives for what is passed: they are those of a copy of
// the body, in which the arguments are what the call passes.
//
//   CallTypes types(module);
//   evaluation.run([&](Operation *op) { types.infer(op, evaluation); });
//
// Nothing large is computed for it. Cost: as of the graph with all calls
// inlined whose types the model does not say, up to a limit.
// Source: onnx/shape_inference (InferShapeForFunctionNode).
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CALLTYPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CALLTYPES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/transforms/CallGraph.h"

namespace onnxfold {

class CallTypes {
public:
  /// REQUIRES: functions of the module live as long.
  explicit CallTypes(mlir::Operation *module);

  bool hasFunctions() const { return !graph.empty(); }
  bool isCall(mlir::Operation *op) const { return graph.calledBy(op); }
  const CallGraph &calls() const { return graph; }

  /// What is known of the results of `op`, if it is a call, is refined in
  /// `evaluation`, which has just visited it.
  void infer(mlir::Operation *op, Evaluation &evaluation);

private:
  CallGraph graph;
  size_t visited = 0; ///< operations of all copies
  size_t depth = 0;   ///< of calls in calls
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CALLTYPES_H
