//===- FoldPlanCopies.cpp - One constant is stored once -------------------===//

#include "onnxfold/constprop/FoldPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Keeps those that something reads beside another one of the same constant, or
/// beside that constant itself.
void FoldPlan::keepCopies(ArrayRef<Copy> copies) {
  llvm::DenseMap<Value, Value> copied;
  llvm::MapVector<Value, SmallVector<Value, 2>> stored; // by the first of them
  for (const Copy &copy : copies) {
    Value result = copy.op->getResult(0);
    auto others = copy.op->getResults().drop_front();
    if (!llvm::all_of(others, [](Value other) { return other.use_empty(); }))
      continue;
    copied[result] = copy.of;
    if (!folded.contains(copy.op) || readers.lookup(result) == 0 ||
        bytesOf(result) <= smallCopy)
      continue;
    Value first = copy.of;
    while (Value before = copied.lookup(first))
      first = before;
    stored[first].push_back(result);
  }
  for (const auto &[first, values] : stored) {
    // One that all the others are copies of takes the place of the constant, if
    // nothing else reads that.
    auto isOfFirst = [&](Value value) {
      while (value && value != values.front())
        value = copied.lookup(value);
      return bool(value);
    };
    Operation *maker = first.getDefiningOp();
    bool isThere = maker && isStored(maker) && readers.lookup(first) != 0;
    bool replaces = !isThere && llvm::all_of(values, isOfFirst);
    Value last = replaces ? values.front() : first;
    for (Value value : values)
      for (; value != last; value = copied.lookup(value))
        if (Operation *op = value.getDefiningOp(); folded.contains(op)) {
          setFolded(op, false);
          keptCopies.insert(op);
        }
  }
  if (!keptCopies.empty())
    llvm::erase_if(candidates,
                   [&](Operation *op) { return keptCopies.contains(op); });
}
