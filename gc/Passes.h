//===- Passes.h - Passes that free and replace attributes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// collect, scrub and merge-constants. Passes.td declares and docs/passes.md
// describes them.
// Thread safety: as passes; collect and scrub need the world stopped, as
// DisposablePool::collect does.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_PASSES_H
#define ONNXFOLD_GC_PASSES_H

#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/gc/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_GC_PASSES_H
