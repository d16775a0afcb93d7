//===- Passes.h - Passes that lower ownership -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// deallocation-to-scf, inline-alloca-scopes and
// convert-deallocation-ops-to-llvm. Passes.td declares and docs/passes.md
// describes them; dealloc/Passes.h has the pipelines.
// Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_LOWERING_PASSES_H
#define ONNXFOLD_DEALLOC_LOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/dealloc/lowering/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_LOWERING_PASSES_H
