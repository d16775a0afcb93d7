//===- Verify.h - A model and its result, on the same inputs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs two modules that should compute the same, with the engine's own kernels,
// on seeded random inputs, or on given ones, and compares the results:
//
//   VerifyResult result = verify(original, folded, {.trials = 3});
//   if (!result.isEqual() || !result.isComplete())
//     result.print(llvm::errs(), /*all=*/true);
//
// The outputs of the main graph are compared, and the operands of operators
// that nobody can run (random and custom ones). The result names such
// operators. Random values replace their results. Inputs respect types and the
// ranges of indices; unknown dimensions get sizes that no operator refuses,
// small ones first, and different ones in each trial. In each trial the same
// sizes are used for several sets of values, as many as take little time: from
// usual numbers to the limits of types, with the constants of both models. A
// set that makes the original undefined is skipped.
//
// The modules are copied and not changed; constants are shared. Memory: that of
// the constants in use, and of values until their last user. Time: at most
// limits.maxWork for each run of the original, and operators beyond that are
// named and not run; trials after the first begin only while all of them take
// some seconds (trialsLeftOut). Thread safety: none; kernels use the pool
// of a ParallelScope.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_VERIFY_H
#define ONNXFOLD_ONNX_VERIFY_VERIFY_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/FoldResult.h"
#include "onnxfold/onnx/verify/VerifyResult.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace onnxfold {

/// Values of inputs by name. Missing inputs get random values.
using GivenInputs = llvm::StringMap<FoldedValue>;

struct VerifyOptions {
  unsigned trials = 3;
  /// If there are any, each set is used in one trial, and `trials` is ignored.
  std::vector<GivenInputs> inputs;
  /// Values of inputs that nobody need give: sizes, axes. They are used if no
  /// random numbers will do.
  GivenInputs defaults;
  uint64_t seed = 20261121;
  FoldLimits limits;
  /// True: values have to be equal, bit for bit (NaN equals NaN, 0 is not -0).
  /// False: floats may differ by 1e-5 of the tensor's largest value; in models
  /// that compute in 16 bits by 2e-2 of it; in quantised models by a 255th of
  /// the tensor's range, and integers by 1. All may differ by four times what
  /// the original moves by if its inputs, and its sums of products, move by one
  /// unit in the last place.
  /// Values are finite then, and of usual magnitudes.
  bool exact = true;
  /// If `exact` is false: the least part of the tensor's largest value by which
  /// floats may differ. Beyond 0, integers and truth values that follow from
  /// floats may differ by any number, and are counted.
  double relative = 0;
  /// Random inputs are numbers of this type too, and what the original moves by
  /// is measured with ones that are a unit in its last place away.
  DataType roundsInputs = DataType::Undefined;
  /// Called before each operation, for progress. May be empty.
  std::function<void()> step;
  /// Called after each operation; returns true to cancel. The result means
  /// nothing then. May be empty.
  std::function<bool()> isCancelled;
};

/// Operators of the two are the same if their nodes have the same numbers
/// (Operator::node; NodeNumbers.h if `after` was read from another file).
/// REQUIRES: both modules have a main graph with inputs and outputs of the same
/// names, and addOnnxFolding was called.
VerifyResult verify(mlir::ModuleOp before, mlir::ModuleOp after,
                    const VerifyOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_VERIFY_H
