//===- ModelRun.h - One run of a model --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a module on inputs, of which those that are not given are random numbers
// that no operator refuses, as verification has them (Verify.h). An operator
// that cannot be run has random results.
//
// Thread safety: several modules may be run at the same time.
//
// Example:
//   Expected<ModelRun> run = runModel(module, {}, /*seed=*/1, limits);
//   run->outputs[0].tensor
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_MODELRUN_H
#define ONNXFOLD_ONNX_VERIFY_MODELRUN_H

#include "onnxfold/onnx/verify/Verify.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

struct ModelRun {
  GivenInputs inputs;               ///< of all
  std::vector<FoldedValue> outputs; ///< in their order; null where not known
};

/// An error if there are no random values of the type of an input.
llvm::Expected<ModelRun> runModel(mlir::ModuleOp module,
                                  const GivenInputs &given, uint64_t seed,
                                  const FoldLimits &limits);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_MODELRUN_H
