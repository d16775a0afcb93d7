//===- FunctionInstances.h - A function as its calls see it -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A function is evaluated once for each combination of constants, shapes and
// attributes that calls pass. These may in turn come from a call of the
// function around it. Calls that pass the same share one instance.
//
//   FunctionInstances instances(graph, evaluation, types);
//   for (const auto &instance : instances.of(function))
//     if (Elements value = instance->known.lookup(resultInTheBody)) ...
//
// The IR is not changed: a copy of the body is evaluated. Cost: that of the
// graph with all calls inlined; beyond a limit there are no instances at all.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_FUNCTIONINSTANCES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_FUNCTIONINSTANCES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/transforms/functions/CallTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <memory>

namespace onnxfold {

class FunctionInstances {
public:
  struct Instance {
    /// A value of the main graph or of one instance: the source of an argument.
    using Source = std::pair<const Instance *, mlir::Value>;
    llvm::SmallVector<Source> arguments;
    /// The results of operations of the function that fold, including calls.
    llvm::DenseMap<mlir::Value, Elements> known;
    /// The instances of the calls in the function.
    llvm::DenseMap<mlir::Operation *, const Instance *> calls;
  };
  using List = std::vector<std::unique_ptr<Instance>>;

  /// REQUIRES: the evaluation has run, on the module of the graph.
  FunctionInstances(const CallGraph &graph, const Evaluation &evaluation,
                    CallTypes &types);

  /// The instances in the order of the calls; empty if the function is not
  /// reached, or if there would be too many.
  const List &of(const CallGraph::Function *function) const;
  /// The instance of a call in the main graph. REQUIRES: of() is not empty.
  const Instance *at(mlir::Operation *call) const {
    return fromMain.lookup(call);
  }

private:
  using Key = std::vector<const void *>;

  const Instance *instanceOf(mlir::Operation *call, mlir::Operation *asked,
                             const Instance *outer,
                             const Evaluation &knowledge);
  Instance::Source sourceOf(mlir::Value value, const Instance *outer) const;
  Key keyOf(mlir::Operation *call, mlir::Operation *asked,
            const Instance *outer, const Evaluation &knowledge);
  bool evaluate(const CallGraph::Function *function, Instance &instance,
                mlir::Operation *asked, const Evaluation &knowledge);
  bool note(mlir::Operation *function, const mlir::IRMapping &copies,
            const Evaluation &found, Instance &instance);

  const CallGraph &graph;
  const Evaluation &evaluation; ///< of the module
  CallTypes &types;
  std::map<std::pair<const CallGraph::Function *, Key>, const Instance *> byKey;
  llvm::DenseMap<const CallGraph::Function *, List> instances;
  llvm::DenseMap<mlir::Operation *, const Instance *> fromMain;
  std::map<std::vector<int64_t>, std::unique_ptr<int>> shapes; ///< unique
  size_t visited = 0; ///< operations of all instances
  size_t depth = 0;   ///< of calls in calls
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_FUNCTIONINSTANCES_H
