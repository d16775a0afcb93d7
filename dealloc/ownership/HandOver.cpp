//===- HandOver.cpp - Which owner is passed with which memref -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/ownership/internal/Plan.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace onnxfold::deallocation;

namespace {

class Assignment {
public:
  Assignment(Plan &plan, ArrayRef<Value> slots, ArrayRef<Leaving> leaving)
      : plan(plan), slots(slots), leaving(leaving) {
    result.passed.assign(slots.size(), nobody);
    decided.resize(slots.size());
    isPassed.resize(leaving.size());
    for (Value slot : slots) {
      auto found = plan.ownerOf.find(viewSource(slot));
      recorded.push_back(found == plan.ownerOf.end() ? nobody : found->second);
    }
  }

  HandOver run() {
    passAllocations();
    passComponents();
    return std::move(result);
  }

private:
  /// A view of an allocation is surely not a view of another one.
  void passAllocations() {
    for (auto [index, entry] : llvm::enumerate(leaving)) {
      if (!plan.owners[entry.owner].isAllocation)
        continue;
      for (unsigned slot = 0; slot < slots.size(); ++slot) {
        if (recorded[slot] != entry.owner)
          continue;
        decided.set(slot);
        if (!isPassed.test(index))
          result.passed[slot] = entry.owner;
        isPassed.set(index);
      }
    }
  }

  /// Owners and slots that may belong to each other, in groups.
  void passComponents() {
    unsigned numSlots = slots.size();
    llvm::IntEqClasses classes(numSlots + leaving.size());
    for (auto [index, entry] : llvm::enumerate(leaving))
      if (!isPassed.test(index))
        for (unsigned slot : entry.slots.set_bits())
          if (!decided.test(slot))
            classes.join(slot, numSlots + index);
    classes.compress();
    std::vector<std::pair<SmallVector<unsigned>, SmallVector<unsigned>>> groups(
        classes.getNumClasses());
    for (unsigned slot = 0; slot < numSlots; ++slot)
      if (!decided.test(slot))
        groups[classes[slot]].first.push_back(slot);
    for (unsigned index = 0; index < leaving.size(); ++index)
      if (!isPassed.test(index))
        groups[classes[numSlots + index]].second.push_back(index);
    for (auto &[groupSlots, entries] : groups)
      if (!entries.empty() && !forward(groupSlots, entries))
        retain(groupSlots, entries);
  }

  /// Each owner is passed with the memref that it came with: then it does not
  /// matter who owns what, every owner has a memref that it may be freed with.
  bool forward(ArrayRef<unsigned> group, ArrayRef<unsigned> entries) {
    SmallVector<std::pair<unsigned, OwnerId>> found;
    for (unsigned index : entries) {
      OwnerId owner = leaving[index].owner;
      auto slot = llvm::find_if(
          group, [&](unsigned slot) { return recorded[slot] == owner; });
      if (slot == group.end())
        return false;
      found.push_back({*slot, owner});
    }
    for (auto [slot, owner] : found)
      result.passed[slot] = owner;
    return true;
  }

  void retain(ArrayRef<unsigned> group, ArrayRef<unsigned> entries) {
    RetainPlan retain;
    for (unsigned index : entries)
      retain.owners.push_back(leaving[index].owner);
    for (unsigned slot : group) {
      retain.retained.push_back(slots[slot]);
      OwnerId kept = plan.addOwner(slots[slot], /*isAllocation=*/false);
      retain.results.push_back(kept);
      result.passed[slot] = kept;
    }
    result.retains.push_back(std::move(retain));
  }

  Plan &plan;
  ArrayRef<Value> slots;
  ArrayRef<Leaving> leaving;
  SmallVector<OwnerId> recorded;     // by slot
  llvm::BitVector decided, isPassed; // slots; entries of `leaving`
  HandOver result;
};

} // namespace

HandOver onnxfold::deallocation::handOver(Plan &plan, ArrayRef<Value> slots,
                                          ArrayRef<Leaving> leaving) {
  return Assignment(plan, slots, leaving).run();
}
