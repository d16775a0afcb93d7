//===- FoldPlanCopies.cpp - One constant is stored once -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Keeps those that something reads beside another one of the same constant, or
/// beside that constant itself.
void FoldPlan::keepCopies(ArrayRef<Copy> copies) {
  // For each copy the value at the origin of its chain, and the first copy of
  // the chain that is stored.
  llvm::DenseMap<Value, Value> copied, origins, firsts;
  llvm::MapVector<Value, SmallVector<Value, 2>> stored; // by origin
  for (const Copy &copy : copies) {
    Value result = copy.op->getResult(0);
    auto others = copy.op->getResults().drop_front();
    if (isInDropped(copy.op) ||
        !llvm::all_of(others, [](Value other) { return other.use_empty(); }))
      continue;
    copied[result] = copy.of;
    Value before = origins.lookup(copy.of), first = firsts.lookup(copy.of);
    Value origin = origins[result] = before ? before : copy.of;
    bool isLarge = folded.contains(copy.op) && readers.lookup(result) != 0 &&
                   bytesOf(result) > smallCopy;
    if (isLarge)
      stored[origin].push_back(result);
    firsts[result] = first || !isLarge ? first : result;
  }
  for (const auto &[origin, values] : stored) {
    // One that all the others are copies of takes the place of the constant, if
    // nothing else reads that.
    auto isOfFirst = [&, front = values.front()](Value value) {
      return firsts.lookup(value) == front;
    };
    Operation *maker = origin.getDefiningOp();
    bool isThere = maker && isStored(maker) && readers.lookup(origin) != 0;
    bool replaces = !isThere && llvm::all_of(values, isOfFirst);
    Value last = replaces ? values.front() : origin;
    for (Value value : values)
      for (; value != last; value = copied.lookup(value)) {
        Operation *op = value.getDefiningOp();
        if (keptCopies.contains(op))
          break; // and those before it
        if (folded.contains(op)) {
          setFolded(op, false);
          keptCopies.insert(op);
        }
      }
  }
  if (!keptCopies.empty())
    llvm::erase_if(candidates,
                   [&](Operation *op) { return keptCopies.contains(op); });
}
