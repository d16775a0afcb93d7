//===- BatchOpening.h - A fixed leading size becomes open -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Opens dimension 0 of the inputs of a model that was exported for a fixed
// number of samples:
//
//   OpenedBatch opened;
//   if (llvm::Error error = openBatch(module, "batch", {}, limits, opened)) ...
//
// The inputs are those whose dimension 0 has the size N of the first input that
// has a fixed one. Of each value it is then known which axis holds the samples,
// or that it is the same for all of them. An operator is let through only if
// the rules (SampleRules.cpp) know that it computes each sample for itself; the
// error names the first node that does not, or of which nothing is known.
// Targets of Reshape and the like become relative; what a node reads of the
// size N itself stays N, so that each sample gets what it got before. Operands
// that are the same for all samples are repeated where an operator wants one
// for each (Concat, initial states).
//
// REQUIRES: addOnnxFolding was called on the context. Thread safety: none. After
// an error the module is partly changed.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_BATCH_BATCHOPENING_H
#define ONNXFOLD_ONNX_TRANSFORMS_BATCH_BATCHOPENING_H

#include "onnxfold/constprop/FoldLimits.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace onnxfold {

/// The samples are along `axis`, the size of which is N * factor: sample i has
/// the elements [i * factor, (i + 1) * factor).
struct BatchAxis {
  int64_t axis = 0, factor = 1;
  friend bool operator==(const BatchAxis &, const BatchAxis &) = default;
};

struct OpenedBatch {
  int64_t size = 0; ///< N; 0: nothing was fixed
  std::string dimension;
  std::vector<std::string> inputs, outputs; ///< that are open now
  std::vector<std::string> shared;          ///< outputs that no sample changes
  std::vector<std::string> nodes; ///< that read other values than before
  /// Values of the main graph and its bodies by name; several bodies may have
  /// values of one name.
  llvm::StringMap<llvm::SmallVector<BatchAxis, 1>> values;
  /// Operations that have other operands than their nodes in the file.
  llvm::DenseSet<mlir::Operation *> rewired;
};

/// `fixed`: inputs that are the same for all samples, because they have
/// initializers. If a dimension 0 is open already, nothing changes.
llvm::Error openBatch(mlir::ModuleOp module, llvm::StringRef dimension,
                      const llvm::StringSet<> &fixed, const FoldLimits &limits,
                      OpenedBatch &opened);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_BATCH_BATCHOPENING_H
