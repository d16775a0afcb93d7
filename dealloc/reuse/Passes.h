//===- Passes.h - Passes that save memory -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// buffer-reuse and realloc-in-place. Passes.td declares and docs/passes.md
// describes them; dealloc/Passes.h has the pipelines.
// Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_PASSES_H
#define ONNXFOLD_DEALLOC_REUSE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/dealloc/reuse/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_REUSE_PASSES_H
