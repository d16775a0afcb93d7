//===- FoldPlanCompact.cpp - Folds that have to save bytes ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/FoldPlan.h"

using namespace onnxfold;
using namespace mlir;

/// Each folds alone: operands that only it uses are erased, folded or not.
void FoldPlan::foldCompact(ArrayRef<Compact> compact) {
  SmallVector<Compact> offered;
  for (const Compact &one : compact) {
    if (!folded.contains(one.op) || isInDropped(one.op) || wholeAround(one.op))
      continue;
    setFolded(one.op, false);
    offered.push_back(one);
  }
  for (const Compact &one : offered) {
    int64_t before = currentGrowth;
    if (!one.isSource) {
      setFolded(one.op, true);
      if (currentGrowth <= before + smallCopy)
        continue;
      setFolded(one.op, false);
    }
    keptCompact.insert(one.op);
  }
  llvm::erase_if(candidates,
                 [&](Operation *op) { return keptCompact.contains(op); });
}
