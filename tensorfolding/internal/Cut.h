//===- Cut.h - What moves out of an entry -----------------------*- C++ -*-===//
//
// From constant values to those that are worth keeping: each that something
// variable uses, if a fold may end there (FoldEnds.h) and it has not grown too
// much. Where it may not the entry repeats the operation, and the same question
// is asked of what that uses.
//
// A value has grown too much if it is larger than the distinct literals and
// arguments that it is made of, by the ratio or by the number of bytes. They
// are counted exactly up to 16 per value; beyond, shared ones count several
// times. Takes linear time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H

#include "onnxfold/tensorfolding/Analysis.h"

namespace onnxfold {

struct CutOptions {
  ConstantTier weakestTier = ConstantTier::Runtime; // of what may be folded
  double maxGrowthRatio = 8;
  int64_t maxGrowth = 1 << 20; // bytes; -1: no limit
  int64_t minBytes = 9;        // of what is kept
};

/// The values that are kept, in program order. Each is the result of an
/// operation of which nothing inside is used from outside.
llvm::SmallVector<mlir::Value> cutConstants(const ConstantAnalysis &analysis,
                                            const CutOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_CUT_H
