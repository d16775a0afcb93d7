//===- PureCalls.h - Deterministic calls without effects --------*- C++ -*-===//
//
// A call of a function of the model is pure if everything in the body is:
// deterministic operators without effects, and pure calls. Operators of other
// domains are not known to be pure.
//
//   PureCalls pure(graph, [&](Operation *op) { return goes(op); });
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

/// An operator of ONNX that returns the same each time if the operations in its
/// bodies do.
bool isPureOperator(mlir::Operation *op);

/// What the caller knows of operations.
struct Going {
  /// It is replaced.
  std::function<bool(mlir::Operation *)> isGone;
  /// It may be erased when it is unused.
  std::function<bool(mlir::Operation *)> mayGo;
};

/// Erased operations of a function, and those that only these use.
llvm::DenseSet<mlir::Operation *> findGoing(mlir::Operation *function,
                                            const Going &going);

class PureCalls {
public:
  /// Operations inside of erased ones do not count. REQUIRES: the graph lives
  /// as long.
  PureCalls(const CallGraph &graph, Going going)
      : graph(graph), going(std::move(going)) {}

  /// The operation is such a call.
  bool contains(mlir::Operation *op);

  /// A call that contains() refused would be pure now, because operations were
  /// erased.
  bool hasGrown() const;

private:
  bool isPure(mlir::Operation *function);

  const CallGraph &graph;
  Going going;
  llvm::DenseMap<mlir::Operation *, bool> known; ///< of functions
  bool isComputed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_PURECALLS_H
