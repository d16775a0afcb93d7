//===- CleanUpPass.h - Constant propagation with clean-ups ------*- C++ -*-===//
//
// What the onnx-fold tool does at -O1, as a pass: evaluates, cleans up until no
// more shapes become known, plans, rewrites.
//
//   pm.addPass(createOnnxCleanUpPass());               // --onnx-clean-up
//   fold-opt --onnx-clean-up=disable=transpose,twice
//
// Runs on a module or a function: what is nested in it is cleaned up. Names in
// `disable` that no pattern has are an error of the pass.
// Thread safety: as a pass; several may run on different operations at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_CLEANUPPASS_H
#define ONNXFOLD_ONNX_DRIVER_CLEANUPPASS_H

#include "mlir/Pass/Pass.h"

namespace onnxfold {

/// The pass; its options in a textual pipeline are disable (names of patterns)
/// and max-growth (bytes; -1 = no limit).
std::unique_ptr<mlir::Pass> createOnnxCleanUpPass();
void registerOnnxCleanUpPass();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_CLEANUPPASS_H
