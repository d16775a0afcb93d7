//===- Cut.h - What moves out of an entry -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Selects the constant values that are worth keeping: each that a variable
// operation uses, if a fold may end there (FoldEnds.h) and the value has not
// grown too much. If the fold may not end there, the entry repeats the
// operation, and its operands are examined in the same way.
//
// A value has grown too much if it is larger than the distinct literals and
// arguments that it is computed from, by the ratio or by the number of bytes.
// Up to 16 of these per value are counted exactly; if there are more, shared
// ones count several times. The selection takes linear time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H

#include "onnxfold/tensorfolding/Analysis.h"

namespace onnxfold {

struct CutOptions {
  /// The weakest that may be folded.
  ConstantTier weakestTier = ConstantTier::Runtime;
  double maxGrowthRatio = 8;
  int64_t maxGrowth = 1 << 20; // bytes; -1: no limit
  int64_t minBytes = 9;        // the least size of a kept value
};

/// The values that are kept, in program order. Each is the result of an
/// operation with no inner values that are used outside of it.
llvm::SmallVector<mlir::Value> cutConstants(const ConstantAnalysis &analysis,
                                            const CutOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H
