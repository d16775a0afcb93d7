//===- PureCalls.h - Calls that give the same each time ---------*- C++ -*-===//
//
// A call of a function of the model is pure if all in the body is:
// deterministic operators, which nothing but their results tells of, and pure
// calls. Nobody knows that of operators of other domains.
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

/// An operator of ONNX that gives the same each time if what is in its bodies
/// does.
bool isPureOperator(mlir::Operation *op);

/// What the caller knows of operations.
struct Going {
  /// It is superseded.
  std::function<bool(mlir::Operation *)> isGone;
  /// It may go when nobody reads it any more.
  std::function<bool(mlir::Operation *)> mayGo;
};

/// Operations of a function that are gone, and those that only these read.
llvm::DenseSet<mlir::Operation *> findGoing(mlir::Operation *function,
                                            const Going &going);

class PureCalls {
public:
  /// What is in operations that are gone does not count. REQUIRES: the graph
  /// lives as long.
  PureCalls(const CallGraph &graph, Going going)
      : graph(graph), going(std::move(going)) {}

  /// The operation is such a call.
  bool contains(mlir::Operation *op);

  /// Calls that were asked about and were none would be now: more is gone.
  bool hasGrown() const;

private:
  bool isPure(mlir::Operation *function);

  const CallGraph &graph;
  Going going;
  llvm::DenseMap<mlir::Operation *, bool> known; ///< of functions
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_PURECALLS_H
