//===- BodyRunner.h - Runs bodies and functions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes a body, or a function that is called, for arguments that are all
// known. Each run fills a table of its own, which is dropped afterwards. The
// caller says how to evaluate an operation.
//
//   BodyRunner runner(options, visit, functions);
//   FoldResult given = runner.runBody(region, arguments, walk, used);
//
// A run fails, with the reason, at the first operation that neither folds nor
// may be erased, or if an operand of the terminator is not known.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_BODYRUNNER_H
#define ONNXFOLD_CONSTPROP_INTERNAL_BODYRUNNER_H

#include "onnxfold/constprop/internal/Walk.h"

namespace onnxfold {

class BodyRunner {
public:
  using Visit = std::function<void(mlir::Operation *, const Walk &)>;
  using Functions = std::function<const mlir::SymbolTable *()>;

  /// `options` must outlive the runner. `functions` returns the functions that
  /// may be called, or null.
  BodyRunner(const EvaluationOptions &options, Visit visit, Functions functions)
      : options(options), visit(std::move(visit)),
        functions(std::move(functions)) {}

  /// Runs a body of an operation of the walk `around` once.
  FoldResult runBody(mlir::Region &body, llvm::ArrayRef<FoldedValue> arguments,
                     const Walk &around, UsedLimits &used) const;

  /// A copy of the function that `op` calls, or null.
  mlir::OwningOpRef<mlir::Operation *> calleeOf(mlir::Operation *op) const;
  /// The results of a call of `callee`. REQUIRES: the values of all arguments
  /// that are not absent are known.
  FoldResult runFunction(mlir::Operation *callee, unsigned numResults,
                         llvm::ArrayRef<ValueState *> arguments,
                         const Walk &around) const;

private:
  FoldResult runOperations(mlir::Block &block, const Walk &walk) const;
  Reason checkArguments(mlir::Block &block,
                        llvm::ArrayRef<FoldedValue> arguments,
                        const ValueTypes &types) const;
  Reason checkErasable(mlir::Operation *op, const ValueTable &values) const;

  const EvaluationOptions &options;
  Visit visit;
  Functions functions;
};

/// The reason of the operation around a body in which `op` is kept for
/// `reason`. It names the innermost operation only, because a hundred may be
/// nested.
Reason inBody(mlir::Operation *op, const Reason &reason);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_BODYRUNNER_H
