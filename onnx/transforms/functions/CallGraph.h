//===- CallGraph.h - Which node calls which function ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions of a model and the nodes that call them, starting from the main
// graph.
//
//   CallGraph graph(module, [&](Operation *op) { return isErased(op); });
//   for (const CallGraph::Function *function : graph.calleesFirst())
//     for (Operation *call : function->calls) ...
//
// Thread safety: as the operations. The graph refers to them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLGRAPH_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLGRAPH_H

#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold {

class CallGraph {
public:
  struct Function {
    mlir::Operation *op = nullptr;
    /// The calls of the function that are reached from the main graph,
    /// including those in bodies and in other functions, in an order that the
    /// module determines.
    llvm::SmallVector<mlir::Operation *> calls;
    /// True if a function that nothing reaches calls it too.
    bool hasIdleCalls = false;
  };

  CallGraph() = default;
  CallGraph(CallGraph &&) = default; // the list points to the functions
  CallGraph &operator=(CallGraph &&) = default;
  /// Operations inside of erased ones do not count.
  CallGraph(mlir::Operation *module,
            llvm::function_ref<bool(mlir::Operation *)> isErased);

  bool empty() const { return functions.empty(); }
  mlir::Operation *mainGraph() const { return main; }
  mlir::Operation *module() const { return root; }
  /// The function of the model that an operation calls, or null.
  const Function *calledBy(mlir::Operation *op) const;
  /// The function of the model that is this operation, or null.
  const Function *find(mlir::Operation *op) const;
  /// The operation is one of the calls of a function.
  bool isReached(mlir::Operation *call) const { return reached.contains(call); }
  /// The functions that are reached, each after those that it calls. Empty if
  /// functions call each other in a cycle.
  llvm::ArrayRef<const Function *> calleesFirst() const { return order; }
  /// The calls in the longest chain from the main graph on. Only known as
  /// calleesFirst() is.
  unsigned depth() const { return deepest; }
  /// Replaces a call by its copy, because the body of its caller was inlined.
  void replaceCall(mlir::Operation *call, mlir::Operation *copy);
  /// The functions of the model that the main graph does not reach.
  llvm::SmallVector<mlir::Operation *> idle() const;

private:
  void noteCalls(mlir::Operation *caller,
                 llvm::function_ref<bool(mlir::Operation *)> isErased,
                 llvm::function_ref<void(Function &, mlir::Operation *)> take);
  void sort();

  mlir::Operation *root = nullptr, *main = nullptr;
  llvm::StringMap<Function> functions; ///< by symbol
  llvm::SmallVector<const Function *> order;
  llvm::DenseSet<mlir::Operation *> reached;
  unsigned deepest = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLGRAPH_H
