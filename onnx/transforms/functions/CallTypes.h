//===- CallTypes.h - Types and values of results of calls -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The results of a call of a function of the model have the types that its body
// infers for the operands: those of a copy of the body with the operands as
// arguments. A result that does not depend on unknown operands (because the
// function reads only their shapes) is constant. The call folds if all used
// results are constant and the body has no effects.
//
//   CallTypes types(module);
//   evaluation.run(nullptr,
//                  [&](Operation *op) { types.infer(op, evaluation); });
//
// A type that the model states of a result, and that contradicts the inferred
// one, is noted and replaced (Evaluation::giveTypes).
//
// Nothing large is computed except for calls that may fold. Cost: that of a
// function, for each way in which it is called (CallOutcomes.h), up to a limit;
// less is left for calls whose types the model states. Source:
// onnx/shape_inference (InferShapeForFunctionNode). Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLTYPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLTYPES_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/transforms/functions/FunctionResults.h"
#include "onnxfold/onnx/transforms/functions/PureCalls.h"
#include "mlir/IR/IRMapping.h"

namespace onnxfold {

class CallOutcomes;
class JoinedOperands;
struct CallOutcome;

class CallTypes {
public:
  /// REQUIRES: the functions of the module live as long as this object.
  CallTypes(mlir::Operation *module, Erasure erasure);
  ~CallTypes();

  bool hasFunctions() const { return !graph.empty(); }
  bool isCall(mlir::Operation *op) const { return graph.calledBy(op); }
  const CallGraph &calls() const { return graph; }

  /// Refines what `evaluation`, which has just evaluated `op`, knows of its
  /// results, if `op` is a call.
  void infer(mlir::Operation *op, Evaluation &evaluation) {
    infer(op, evaluation, Purpose::Results);
  }

  /// The same for types that the model states, without values.
  void check(mlir::Operation *op, Evaluation &evaluation) {
    infer(op, evaluation, Purpose::Check);
  }

  /// The state of an argument of a function of the model in all calls, or
  /// nothing. `withSingle`: also of a function with one call, which may be
  /// inlined instead. REQUIRES: the calls of the main graph were passed to
  /// infer().
  std::optional<ValueState> joinedState(mlir::BlockArgument argument,
                                        DimExprs &exprs, bool withSingle);
  /// A function with one call whose arguments have types that are known.
  bool knowsSingle(const CallGraph::Function &function) const;

  /// A call did not fold because of an operation in its function that is erased
  /// by now.
  bool mayFoldMore() const;

private:
  /// Erasure: also whether nobody would miss the call. Check: types that the
  /// model states, without values.
  enum class Purpose { Results, Erasure, Check };
  void infer(mlir::Operation *op, Evaluation &evaluation, Purpose purpose);
  void noteOperands(mlir::Operation *op, mlir::Operation *function,
                    const Evaluation &evaluation);
  void leaveOut();
  void evaluate(mlir::Operation *op, mlir::Operation *function, bool isWhole,
                Evaluation &around, CallOutcome &call);
  enum class Hope { None, Some, All };
  Hope hopeOf(mlir::Operation *op, const Evaluation &evaluation);
  bool mayBeErased(mlir::Operation *function, const mlir::IRMapping &copies,
                   mlir::Operation *copy, const Evaluation &body);

  Erasure erasure;
  CallGraph graph;
  FunctionResults results{graph};
  std::unique_ptr<CallOutcomes> outcomes;
  std::unique_ptr<JoinedOperands> joined;
  /// The current call is made by the main graph, or by a call of it.
  bool isReached = false;
  /// Pure calls in the current body.
  llvm::DenseSet<mlir::Operation *> unneeded;
  /// Functions with kept operations, and the numbers of operations that had
  /// been erased from them.
  llvm::DenseMap<mlir::Operation *, size_t> kept;
  size_t visited = 0; ///< operations of all copies
  size_t depth = 0;   ///< of calls in calls
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLTYPES_H
