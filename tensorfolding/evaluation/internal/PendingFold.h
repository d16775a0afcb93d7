//===- PendingFold.h - One compile-time fold function ----------*- C++ -*-===//
//
// A fold function on its way to values: which of its results are known, and why
// the others cannot be. Evaluate.cpp runs the steps in their order.
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

  /// One per result. `reasons` are of those that cannot be computed here.
  std::vector<Elements> values;
  std::vector<std::string> reasons;

  /// Neither known nor impossible.
  bool isOpen(unsigned result) const {
    return !values[result] && reasons[result].empty();
  }
};

/// Finds the results that code cannot or must not compute here.
void findReasons(PendingFold &fold);

/// Compiles all open results of all functions, together, and runs them. What
/// cannot be compiled gets its reason.
void compileAndRun(llvm::MutableArrayRef<PendingFold> folds);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_INTERNAL_PENDINGFOLD_H
