//===- RunCopy.h - A copy of a module for one run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Evaluation gives unknown types the sizes of its run, which may be others than
// the model declares, so that each run has a copy of its own. Calls are inlined
// in it, and a NaN stops no node: what two models make of it is the same if they
// do the same.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_RUNCOPY_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_RUNCOPY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// The main graph.
mlir::FunctionOpInterface runnableGraph(mlir::ModuleOp module);

class RunCopy {
public:
  explicit RunCopy(mlir::ModuleOp module);
  mlir::FunctionOpInterface graph() { return runnableGraph(*module); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RUNCOPY_H
