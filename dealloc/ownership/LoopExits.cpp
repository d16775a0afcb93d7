//===- LoopExits.cpp - What leaves a loop of blocks -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/LoopExits.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace onnxfold::deallocation;

/// The block behind the loop, if it is entered from the loop only, and by
/// branches that can pass more.
static Block *soleExit(const CFGLoop &loop) {
  SmallVector<Block *> exits;
  loop.getUniqueExitBlocks(exits);
  if (exits.size() != 1)
    return nullptr;
  for (Block *pred : exits.front()->getPredecessors())
    if (!loop.contains(pred) || !isa<BranchOpInterface>(pred->getTerminator()))
      return nullptr;
  return exits.front();
}

namespace {

class LoopExits {
public:
  explicit LoopExits(const Plan &plan) : plan(plan) {}

  bool run(CFGLoopInfo loops) {
    // Loops inside of others first: their exits are blocks of those.
    auto inOrder = loops.getLoopsInPreorder();
    for (CFGLoop *loop : llvm::reverse(inOrder))
      if (Block *exit = soleExit(*loop))
        for (Value value : ownedBySeveral(*loop))
          passThrough(value, *loop, exit);
    return !passed.empty();
  }

private:
  bool isOwnedBySeveral(Value value) const {
    return isMemRef(value) &&
           (plan.ownerCounts.lookup(value) > 1 || passed.contains(value));
  }

  SmallVector<Value> ownedBySeveral(const CFGLoop &loop) const {
    SmallVector<Value> values;
    auto add = [&](ValueRange from) {
      llvm::copy_if(from, std::back_inserter(values),
                    [this](Value value) { return isOwnedBySeveral(value); });
    };
    for (Block *block : loop.blocks()) {
      add(block->getArguments());
      for (Operation &op : *block)
        add(op.getResults());
    }
    return values;
  }

  /// Uses behind the loop read an argument of `exit` instead.
  void passThrough(Value value, const CFGLoop &loop, Block *exit) {
    Region *region = exit->getParent();
    auto isBehind = [&](OpOperand &use) {
      Operation *user = region->findAncestorOpInRegion(*use.getOwner());
      return user && !loop.contains(user->getBlock());
    };
    if (llvm::none_of(value.getUses(), isBehind))
      return;
    BlockArgument argument = exit->addArgument(value.getType(), value.getLoc());
    value.replaceUsesWithIf(argument, isBehind);
    for (auto pred = exit->pred_begin(); pred != exit->pred_end(); ++pred)
      cast<BranchOpInterface>((*pred)->getTerminator())
          .getSuccessorOperands(pred.getSuccessorIndex())
          .append(value);
    passed.insert(argument);
  }

  const Plan &plan;
  llvm::DenseSet<Value> passed; // the new arguments
};

} // namespace

bool onnxfold::deallocation::passThroughExits(func::FuncOp function,
                                              const Plan &plan) {
  if (plan.ownerCounts.empty())
    return false;
  DominanceInfo dominance(function);
  bool changed = false;
  function->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock())
        changed |=
            LoopExits(plan).run(CFGLoopInfo(dominance.getDomTree(&region)));
  });
  return changed;
}
