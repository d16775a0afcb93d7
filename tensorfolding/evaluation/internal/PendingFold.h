//===- PendingFold.h - One compile-time fold function ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A fold function that is being evaluated: which of its results are known, and
// why the others cannot be computed. Evaluate.cpp runs the steps in their
// order.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_EVALUATION_INTERNAL_PENDINGFOLD_H
#define ONNXFOLD_TENSORFOLDING_EVALUATION_INTERNAL_PENDINGFOLD_H

#include "onnxfold/elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace onnxfold {

struct PendingFold {
  mlir::func::FuncOp entry;
  mlir::func::FuncOp function;
  unsigned part = 0; ///< its number in the entry's ConstantTensors

  /// One per result. `reasons` has a text for each result that cannot be
  /// computed here.
  std::vector<Elements> values;
  std::vector<std::string> reasons;

  /// Whether the result is not known yet and has no reason against it.
  bool isOpen(unsigned result) const {
    return !values[result] && reasons[result].empty();
  }
};

/// Finds the results that code cannot or must not compute here.
void findReasons(PendingFold &fold);

/// Compiles all open results of all functions, together, and runs them. A
/// result that cannot be compiled gets its reason.
void compileAndRun(llvm::MutableArrayRef<PendingFold> folds);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_INTERNAL_PENDINGFOLD_H
