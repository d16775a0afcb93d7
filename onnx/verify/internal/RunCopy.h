//===- RunCopy.h - A copy of a module for one run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   RunCopy copy(module, BodyTypes::Believed);
//   execute(copy.graph(), inputs, options);
//
// An evaluation gives unknown types the sizes of that run, which may be others
// than the model declares. Calls are inlined. A NaN stops no node: what both
// models make of it is the same if they do the same.
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

/// Whether the sizes are believed that a model declares in bodies, and of what
/// operators with bodies give. A runtime believes none.
enum class BodyTypes { Believed, Forgotten };

class RunCopy {
public:
  /// REQUIRES: the module has a main graph.
  explicit RunCopy(mlir::ModuleOp module,
                   BodyTypes believed = BodyTypes::Believed);

  mlir::FunctionOpInterface graph() { return runnableGraph(*module); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RUNCOPY_H
