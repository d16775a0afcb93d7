//===- CallPass.h - A pass that calls a function ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TESTS_GC_CALLPASS_H
#define ONNXFOLD_TESTS_GC_CALLPASS_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <functional>

namespace onnxfold {

/// A pass on T. The function may be called from several threads.
template <class T>
struct CallPass : mlir::PassWrapper<CallPass<T>, mlir::OperationPass<T>> {
  using Function = std::function<mlir::LogicalResult(T)>;
  explicit CallPass(Function function) : function(std::move(function)) {}
  llvm::StringRef getName() const override { return "call"; }
  void runOnOperation() override {
    if (failed(function(this->getOperation())))
      this->signalPassFailure();
  }
  Function function;
};

template <class T>
std::unique_ptr<mlir::Pass> callPass(typename CallPass<T>::Function function) {
  return std::make_unique<CallPass<T>>(std::move(function));
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_GC_CALLPASS_H
