//===- Passes.h - ONNX sequences as programs --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// convert-onnx-to-sequence. Passes.td declares and docs/passes.md describes it.
// Thread safety: that of a pass.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_PASSES_H
#define ONNXFOLD_ONNX_TOSEQUENCE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/onnx/tosequence/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_PASSES_H
