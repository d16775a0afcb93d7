//===- AmbiguousFunctions.h - Functions whose calls are not clear -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_IO_READ_INTERNAL_AMBIGUOUSFUNCTIONS_H
#define ONNXFOLD_ONNX_IO_READ_INTERNAL_AMBIGUOUSFUNCTIONS_H

#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace onnxfold {

/// Marks functions of which runtimes differ in what a call means, so that their
/// calls are kept: those with the name of an operator, that list a name twice,
/// or whose operators are others in the model's opset. The standard leaves to
/// the runtime whether a node means the function or the operator of its name.
/// ONNX Runtime takes the operator. Nobody knows then who calls what such a
/// function calls, either. REQUIRES: the module has the main graph, then the
/// functions of the index in their order.
void markAmbiguous(mlir::ModuleOp module, const ModelIndex &index,
                   std::vector<std::string> &warnings);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_INTERNAL_AMBIGUOUSFUNCTIONS_H
