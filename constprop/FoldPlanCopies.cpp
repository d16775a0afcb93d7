//===- FoldPlanCopies.cpp - One constant is stored once -------------------===//

#include "onnxfold/constprop/FoldPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Keeps those that something reads beside another one of the same constant, or
/// beside that constant itself. REQUIRES: all candidates are folded.
void FoldPlan::keepCopies(ArrayRef<Copy> copies) {
  llvm::DenseMap<Value, Value> copied;
  llvm::MapVector<Value, SmallVector<Value, 2>> stored; // by the first of them
  for (const Copy &copy : copies) {
    Value result = copy.op->getResult(0);
    auto others = copy.op->getResults().drop_front();
    if (!folded.contains(copy.op) ||
        !llvm::all_of(others, [](Value other) { return other.use_empty(); }))
      continue;
    copied[result] = copy.of;
    if (readers.lookup(result) == 0 || bytesOf(result) <= smallCopy)
      continue;
    Value first = copy.of;
    while (Value before = copied.lookup(first))
      first = before;
    stored[first].push_back(result);
  }
  for (const auto &[first, values] : stored) {
    if (values.size() == 1 && readers.lookup(first) == 0)
      continue; // it takes the place of that constant
    for (Value value : values)
      for (; copied.contains(value); value = copied.lookup(value))
        if (Operation *op = value.getDefiningOp(); folded.contains(op)) {
          setFolded(op, false);
          keptCopies.insert(op);
        }
  }
  if (!keptCopies.empty())
    llvm::erase_if(candidates,
                   [&](Operation *op) { return keptCopies.contains(op); });
}
