//===- Sweep.cpp - One owner, from its birth to its endings ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Sweep.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

Sweep::Sweep(Planner &planner, Region &region, const Birth &birth)
    : planner(planner), region(region), birth(birth),
      memref(planner.plan.owners[birth.owner].memref) {
  members.insert(birth.members.begin(), birth.members.end());
}

LogicalResult Sweep::run() {
  // Blocks and members make each other known; with one block, once is enough.
  while (true) {
    endings.clear();
    size_t before = members.size();
    if (!region.hasOneBlock())
      findLiveBlocks();
    if (failed(sweepBlock(birth.block, birth.after)))
      return failure();
    // The order of the program decides in which order members are found.
    SmallVector<Block *> blocks(liveIn.begin(), liveIn.end());
    llvm::sort(blocks, [&](Block *a, Block *b) {
      return planner.aliases.place(&a->front()) <
             planner.aliases.place(&b->front());
    });
    for (Block *block : blocks)
      if (block != birth.block && failed(sweepBlock(block, nullptr)))
        return failure();
    if (region.hasOneBlock() || members.size() == before)
      return success();
  }
}

/// The blocks at whose start a member that is defined before may still be used.
void Sweep::findLiveBlocks() {
  liveIn.clear();
  for (Value member : members) {
    llvm::DenseSet<Block *> seen;
    SmallVector<Block *> work;
    Block *home = member.getParentBlock();
    auto reach = [&](Block *block) {
      if (block != home && seen.insert(block).second)
        work.push_back(block);
    };
    for (Operation *user : member.getUsers())
      if (Operation *op = region.findAncestorOpInRegion(*user))
        reach(op->getBlock());
    while (!work.empty())
      for (Block *predecessor : work.pop_back_val()->getPredecessors())
        reach(predecessor);
    liveIn.insert(seen.begin(), seen.end());
  }
}

bool Sweep::isLiveOut(Block *block) const {
  return llvm::any_of(block->getSuccessors(), [&](Block *successor) {
    return liveIn.contains(successor);
  });
}

void Sweep::addUses(Value member, Block *block, unsigned from,
                    Uses &uses) const {
  for (Operation *user : member.getUsers()) {
    Operation *op = region.findAncestorOpInRegion(*user);
    if (!op || op->getBlock() != block)
      continue;
    unsigned place = planner.aliases.place(op);
    if (place <= from)
      continue;
    Use &use = uses[place];
    use.op = op;
    use.passedWhole &= op == user && isMemRef(member);
    use.usesPointer |= !isMemRef(member);
  }
}

LogicalResult Sweep::sweepBlock(Block *block, Operation *after) {
  unsigned from = after ? planner.aliases.place(after)
                        : planner.aliases.place(&block->front()) - 1;
  bool liveOut = isLiveOut(block);
  Uses uses;
  for (unsigned i = 0; i < members.size(); ++i)
    addUses(members[i], block, from, uses);
  if (uses.empty() && !liveOut) {
    if (after)
      endings.push_back({Ending::FreeAfter, after});
    else
      endings.push_back({Ending::FreeAtStart, nullptr, block});
    return success();
  }
  while (!uses.empty()) {
    Use use = uses.begin()->second;
    uses.erase(uses.begin());
    if (use.op->getNumSuccessors() != 0)
      break; // the last operation: endOnEdges
    bool isLast = uses.empty() && !liveOut, ended = false;
    if (failed(visit(use, isLast, ended)))
      return failure();
    if (ended)
      return success();
    SmallVector<Value> found;
    derive(use, found);
    for (Value value : found)
      if (members.insert(value))
        addUses(value, block, planner.aliases.place(use.op), uses);
    if (isLast && uses.empty()) {
      endings.push_back({Ending::FreeAfter, use.op});
      return success();
    }
  }
  endOnEdges(block);
  return success();
}

/// At the end of a block: on each edge it lives on, or ends.
void Sweep::endOnEdges(Block *block) {
  Operation *terminator = block->getTerminator();
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
    Block *successor = terminator->getSuccessor(i);
    if (!liveIn.contains(successor)) {
      endings.push_back({Ending::LeaveEdge, terminator, nullptr, i});
      continue;
    }
    if (!branch)
      continue;
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (auto [index, argument] : llvm::enumerate(successor->getArguments()))
      if (operands[index] && members.contains(operands[index]))
        members.insert(argument);
  }
}

//===----------------------------------------------------------------------===//
// One use
//===----------------------------------------------------------------------===//

/// The last operation of an unknown region counts as a terminator, too.
static bool isTerminator(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (op == &op->getBlock()->back() &&
          op->mightHaveTrait<OpTrait::IsTerminator>());
}

LogicalResult Sweep::visit(const Use &use, bool isLast, bool &ended) {
  if (Operation *release = releaseIn(use.op))
    return visitRelease(release, isLast, ended);
  if (!isLast)
    return success();
  auto end = [&](Ending::Kind kind) {
    endings.push_back({kind, use.op});
    ended = true;
  };
  if (isTerminator(use.op)) {
    bool passesOn = use.op->hasTrait<OpTrait::ReturnLike>() ||
                    isa<RegionBranchTerminatorOpInterface>(use.op);
    Operation *parent = use.op->getParentOp();
    if (!use.usesPointer && (!passesOn || (passingOf(parent) == Passing::None &&
                                           !isa<func::FuncOp>(parent))))
      return use.op->emitOpError("passes a memref that is allocated in the "
                                 "region to '")
             << parent->getName()
             << "', which deallocate does not know to take it";
    end(Ending::Leave);
  } else if (takesOver(use)) {
    end(passingOf(use.op) == Passing::Inherit ? Ending::Inherit
                                              : Ending::Leave);
  }
  return success();
}

/// True if the owner may end with its last use `use`, because the operation has
/// owned slots or regions for it, and a result that may need it.
bool Sweep::takesOver(const Use &use) const {
  Passing passing = passingOf(use.op);
  if (passing == Passing::Inherit) {
    SmallVector<Value> found;
    derive(use, found);
    return llvm::any_of(found, isMemRef);
  }
  bool isCall = isa<func::CallOp>(use.op);
  if (!use.passedWhole || (passing != Passing::Operands && !isCall))
    return false;
  llvm::SmallDenseSet<Value> slots;
  for (Value slot : ownedSlots(use.op, planner.functions))
    slots.insert(slot);
  // A call may also use it through an argument without an owner.
  return llvm::all_of(use.op->getOperands(), [&](Value operand) {
    return !members.contains(operand) || slots.contains(operand);
  });
}

/// Values that carry a pointer, as a program that took the address of a buffer
/// has them.
static bool mayCarryPointer(Value value) {
  Type type = value.getType();
  return !isa<FloatType>(type) && !type.isInteger(1);
}

/// The results that are members because of `use`.
void Sweep::derive(const Use &use, SmallVectorImpl<Value> &found) const {
  bool isAddress = isa<memref::ExtractAlignedPointerAsIndexOp>(use.op);
  for (OpResult result : use.op->getResults()) {
    bool derived;
    if (isAddress || (use.usesPointer && mayCarryPointer(result)))
      derived = true;
    else if (isMemRef(result))
      derived =
          llvm::any_of(planner.aliases.sources(result),
                       [&](Value source) { return members.contains(source); });
    else // a descriptor or a pointer of the LLVM dialect
      derived = result.getType().getDialect().getNamespace() == "llvm";
    if (derived)
      found.push_back(result);
  }
}

//===----------------------------------------------------------------------===//
// Operations that free
//===----------------------------------------------------------------------===//

/// The operation in `op` that frees the memref of this owner, if there is one.
Operation *Sweep::releaseIn(Operation *op) const {
  auto found = planner.releases.find(memref);
  if (found == planner.releases.end())
    return nullptr;
  for (Operation *release : found->second)
    if (op->isAncestor(release))
      return release;
  return nullptr;
}

LogicalResult Sweep::visitRelease(Operation *release, bool isLast,
                                  bool &ended) {
  Operation *op = region.findAncestorOpInRegion(*release);
  if (!isLast)
    return release->emitOpError(
        "frees a memref that is used after it, expected its last use");
  if (op != release && failed(checkCapture(op, release)))
    return failure();
  endings.push_back({op == release ? Ending::Released : Ending::Inherit, op});
  ended = true;
  return success();
}

/// The rules of implicit capture: a memref of the region around an scf.if may
/// be freed in it if all branches take it over.
LogicalResult Sweep::checkCapture(Operation *op, Operation *release) const {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return release->emitOpError("frees a memref that is defined outside of '")
           << op->getName()
           << "', expected it to be passed in as an iteration argument";
  if (branch.getElseRegion().empty())
    return release->emitOpError(
        "frees a memref that is defined outside of an 'scf.if' without else, "
        "expected an else region that yields the memref");
  for (Region &side : branch->getRegions()) {
    bool frees = llvm::any_of(
        planner.releases.find(memref)->second, [&](Operation *other) {
          return side.isAncestor(other->getParentRegion());
        });
    if (frees)
      continue;
    OperandRange yielded = side.front().getTerminator()->getOperands();
    if (llvm::none_of(yielded,
                      [&](Value value) { return viewSource(value) == memref; }))
      return release->emitOpError(
          "frees a memref that is defined outside of the 'scf.if', expected "
          "the other region to yield the memref");
  }
  return success();
}
