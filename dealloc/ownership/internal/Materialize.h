//===- Materialize.h - Carries out a plan -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_MATERIALIZE_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_MATERIALIZE_H

#include "onnxfold/dealloc/ownership/internal/Functions.h"
#include "onnxfold/dealloc/ownership/internal/Plan.h"

namespace onnxfold::deallocation {

/// Adds ownership to `function` and to everything in it, calls included, as
/// `plan` says. The plan must have been made for all functions of the module
/// before the first one is changed.
void materialize(mlir::func::FuncOp function, Functions &functions, Plan &plan);

/// The same for the signature of a function without a body.
void materializeDeclaration(mlir::func::FuncOp function, Functions &functions);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_MATERIALIZE_H
