//===- Passes.h - Clean-ups of ONNX graphs ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// onnx-clean-up. Passes.td declares and docs/passes.md describes it.
// Thread safety: that of a pass; several may run on different operations at
// once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PASSES_H
#define ONNXFOLD_ONNX_DRIVER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/onnx/driver/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PASSES_H
