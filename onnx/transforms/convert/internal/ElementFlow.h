//===- ElementFlow.h - Element types that follow from calls -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A file says nothing of the types in functions, and little of those in bodies.
// This gives arguments the element type that all calls pass, and follows it
// through the schemas of the nodes, also into functions that these call, and
// back to the results of calls.
//
//   ElementFlow flow(calls);
//   flow.run();                     // sets types in the IR
//   if (flow.isMixed(argument)) ... // calls pass several types
//
// Only values of unknown type get one; it has no shape.
// Thread safety: as the operations.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_ELEMENTFLOW_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_ELEMENTFLOW_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"

namespace onnx {
class OpSchema;
} // namespace onnx

namespace onnxfold {

class ElementFlow {
public:
  explicit ElementFlow(const CallGraph &calls) : calls(calls) {}

  void run();

  /// An argument for which calls pass values of several element types.
  bool isMixed(mlir::Value value) const { return mixed.contains(value); }

private:
  void spread();
  bool confirmArguments();
  void visitArguments(const CallGraph::Function &function);
  void visit(Operator op);
  void visitCall(Operator op, mlir::Operation *callee);
  void visitIf(Operator op);
  void visitLoop(Operator op);
  void visitScan(Operator op);
  void visitPlain(Operator op, const onnx::OpSchema &schema);
  void learn(mlir::Value value, mlir::Type type);

  const CallGraph &calls;
  llvm::DenseSet<mlir::Value> mixed;
  llvm::DenseSet<mlir::Value> unclear; ///< arguments that get no type
  llvm::SmallVector<mlir::Value> learned;
  bool isChanged = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_ELEMENTFLOW_H
