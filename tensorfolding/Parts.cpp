//===- Parts.cpp - Groups of operations that run once together ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Parts.h"
#include "onnxfold/tensorfolding/internal/FoldEnds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace onnxfold {

using namespace mlir;

namespace {

class PartSplitter {
public:
  PartSplitter(const ConstantAnalysis &analysis, ArrayRef<Value> ends)
      : ends(ends) {
    for (const ConstantAnalysis::Classified &classified : analysis.operations())
      if (classified.tier != ConstantTier::Variable)
        addOperation(classified.operation);
  }

  SmallVector<FoldPart> run() {
    llvm::EquivalenceClasses<unsigned> classes;
    llvm::DenseSet<unsigned> connected;
    SmallVector<unsigned> next;
    for (Value end : ends)
      next.push_back(numbers.lookup(end.getDefiningOp()));
    while (!next.empty()) {
      unsigned user = next.pop_back_val();
      if (!connected.insert(user).second)
        continue;
      classes.insert(user);
      for (unsigned producer : producersOf(user))
        if (!operations[producer].isFree) {
          classes.unionSets(user, producer);
          next.push_back(producer);
        }
    }
    llvm::MapVector<unsigned, FoldPart> parts;
    for (Value end : ends)
      parts[classes.getLeaderValue(numbers.lookup(end.getDefiningOp()))]
          .outputs.push_back(end);
    SmallVector<FoldPart> filled;
    for (auto &[leader, part] : parts) {
      fill(part);
      filled.push_back(std::move(part));
    }
    return filled;
  }

private:
  struct Numbered {
    Operation *operation;
    bool isFree; // cheap, and depends on no argument
  };

  void addOperation(Operation *op) {
    bool isFree = isCheap(op);
    for (Value used :
         isFree ? ConstantAnalysis::usesOf(op) : SmallVector<Value>()) {
      auto producer = numbers.find(used.getDefiningOp());
      isFree = isFree && producer != numbers.end() &&
               operations[producer->second].isFree;
    }
    numbers[op] = operations.size();
    operations.push_back({op, isFree});
  }

  SmallVector<unsigned> producersOf(unsigned user) const {
    SmallVector<unsigned> producers;
    for (Value used : ConstantAnalysis::usesOf(operations[user].operation))
      if (Operation *producer = used.getDefiningOp())
        producers.push_back(numbers.lookup(producer));
    return producers;
  }

  /// All operations behind the outputs of a part, and the arguments.
  void fill(FoldPart &part) const {
    llvm::DenseSet<unsigned> found;
    llvm::DenseSet<Value> inputs;
    SmallVector<unsigned> next;
    for (Value output : part.outputs)
      next.push_back(numbers.lookup(output.getDefiningOp()));
    while (!next.empty()) {
      unsigned user = next.pop_back_val();
      if (!found.insert(user).second)
        continue;
      for (Value used : ConstantAnalysis::usesOf(operations[user].operation))
        if (auto argument = dyn_cast<BlockArgument>(used)) {
          if (inputs.insert(argument).second)
            part.inputs.push_back(argument);
        } else {
          next.push_back(numbers.lookup(used.getDefiningOp()));
        }
    }
    SmallVector<unsigned> order(found.begin(), found.end());
    llvm::sort(order);
    for (unsigned number : order)
      part.operations.push_back(operations[number].operation);
    llvm::sort(part.inputs, [](BlockArgument left, BlockArgument right) {
      return left.getArgNumber() < right.getArgNumber();
    });
  }

  ArrayRef<Value> ends;
  std::vector<Numbered> operations; // constant ones, in program order
  llvm::DenseMap<Operation *, unsigned> numbers;
};

} // namespace

SmallVector<FoldPart> splitIntoParts(const ConstantAnalysis &analysis,
                                     ArrayRef<Value> ends) {
  return PartSplitter(analysis, ends).run();
}

} // namespace onnxfold
