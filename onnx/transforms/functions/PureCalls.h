//===- PureCalls.h - Deterministic calls without effects --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A call of a function of the model is pure if everything in the body is:
// deterministic operators without effects, and pure calls. Operators of other
// domains are not known to be pure.
//
//   PureCalls pure(graph, {isErased, mayBeErased});
//   if (pure.contains(call)) ...
//
// Cost: one look at each function. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_PURECALLS_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_PURECALLS_H

#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace onnxfold {

/// `op` is an operator of ONNX that returns the same each time if the
/// operations in its bodies do.
bool isPureOperator(mlir::Operation *op);

/// The operations of functions that are erased, and those that may be.
struct Erasure {
  /// The operation is replaced.
  std::function<bool(mlir::Operation *)> isErased;
  /// The operation may be erased when it has no users.
  std::function<bool(mlir::Operation *)> mayBeErased;
};

/// Erased operations of a function, and those that only these use.
llvm::DenseSet<mlir::Operation *> findErased(mlir::Operation *function,
                                             const Erasure &erasure);

class PureCalls {
public:
  /// Operations inside of erased ones do not count. REQUIRES: the graph lives
  /// as long.
  PureCalls(const CallGraph &graph, Erasure erasure)
      : graph(graph), erasure(std::move(erasure)) {}

  /// The operation is a pure call.
  bool contains(mlir::Operation *op);

  /// A call that contains() refused would be pure now, because operations were
  /// erased.
  bool hasGrown() const;

private:
  bool isPure(mlir::Operation *function);

  const CallGraph &graph;
  Erasure erasure;
  llvm::DenseMap<mlir::Operation *, bool> known; ///< of functions
  bool isComputed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_PURECALLS_H
