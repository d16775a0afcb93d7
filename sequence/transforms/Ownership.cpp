//===- Ownership.cpp - Who keeps sequences and records alive --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each value of a counted type owns one reference from its definition on. Its
// last use in the block that defines it takes the reference away (a move), or a
// release follows it; uses before that take one more (retain). Into the
// branches of an scf.if that is the last use the reference is handed down, so
// that there, too, a last use is one: `if c { insert } else { s }` in a loop
// appends in place. What a loop's body uses of outside is still owned outside.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/internal/Ownership.h"

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/sequence/transforms/internal/Boundary.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_SEQUENCEOWNERSHIPPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;
using namespace onnxfold::sequence;

static bool isCounted(Value value) {
  return isa<SequenceType, RecordType>(value.getType());
}

/// Whether the operation takes the reference of this operand; nothing if it is
/// not known to do what with it.
static std::optional<bool> takes(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<InsertOp, EraseOp, ConstructOp, CastOp>(op))
    return true;
  if (isa<CheckOp, LengthOp, RecordAtOp, RecordViewOp, ConcatOp>(op))
    return false;
  if (isa<func::CallOp, func::ReturnOp, scf::ForOp, scf::WhileOp, scf::YieldOp,
          scf::ConditionOp>(op))
    return true;
  return std::nullopt;
}

namespace {
/// The effect of an operation on a value.
struct Use {
  Operation *user;
  unsigned taken = 0;   // so many references
  bool borrows = false; // looks at it
};

class ReferenceCounts {
public:
  LogicalResult run(Operation *function);

private:
  LogicalResult addUses(Value value);
  void borrowFromSequences();
  bool canBorrow(RecordAtOp at, ArrayRef<Operation *> takers, Operation *&last);
  void own(Value value, Block *block, Operation *definition,
           ArrayRef<Use> uses);
  void handDown(Value value, scf::IfOp branches, ArrayRef<Use> uses);

  llvm::MapVector<Value, SmallVector<Use>> uses;
};
} // namespace

static Operation *ancestorIn(Block *block, Operation *op) {
  return block->findAncestorOpInBlock(*op);
}

LogicalResult ReferenceCounts::addUses(Value value) {
  SmallVector<Use> &found = uses[value];
  llvm::DenseMap<Operation *, size_t> index;
  auto useOf = [&](Operation *user) -> Use & {
    auto [place, isNew] = index.try_emplace(user, found.size());
    if (isNew)
      found.push_back({user});
    return found[place->second];
  };
  for (OpOperand &operand : value.getUses()) {
    std::optional<bool> taking = takes(operand);
    if (!taking)
      return operand.getOwner()->emitOpError()
             << "is not known to sequence-ownership: does it take a reference "
                "to its operand of type "
             << value.getType() << "?";
    Use &use = useOf(operand.getOwner());
    use.taken += *taking;
    use.borrows |= !*taking;
    if (auto view = dyn_cast<RecordViewOp>(operand.getOwner()))
      for (Operation *user : usesOfBuffer(view.getBuffer()).users)
        useOf(user).borrows = true;
  }
  return success();
}

/// Whether the record of `at` need not be counted: it is only looked at, until
/// `last`, and until then no taker changes the sequence.
bool ReferenceCounts::canBorrow(RecordAtOp at, ArrayRef<Operation *> takers,
                                Operation *&last) {
  Block *block = at->getBlock();
  last = at;
  for (Use &use : uses[at.getRecord()]) {
    Operation *ancestor = ancestorIn(block, use.user);
    if (use.taken)
      return false;
    if (last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  for (Operation *taker : takers) {
    Operation *ancestor = ancestorIn(block, taker);
    if (ancestor && at->isBeforeInBlock(ancestor) &&
        (ancestor == last || ancestor->isBeforeInBlock(last)))
      return false;
  }
  return true;
}

void ReferenceCounts::borrowFromSequences() {
  // Few operations take a sequence that many read.
  llvm::DenseMap<Value, SmallVector<Operation *>> takers;
  for (auto &[value, found] : uses)
    for (Use &use : found)
      if (use.taken)
        takers[value].push_back(use.user);
  for (auto &[value, found] : uses) {
    auto at = value.getDefiningOp<RecordAtOp>();
    Operation *last;
    if (!at || !canBorrow(at, takers[at.getSequence()], last))
      continue;
    at.setBorrowed(true);
    uses[at.getSequence()].push_back({last, 0, true});
  }
}

static void retain(Value value, Operation *before, unsigned times) {
  OpBuilder builder(before);
  for (unsigned i = 0; i < times; ++i)
    RetainOp::create(builder, before->getLoc(), value);
}

/// Gives each branch a reference, of which one branch is run.
void ReferenceCounts::handDown(Value value, scf::IfOp branches,
                               ArrayRef<Use> uses) {
  for (Region &region : branches->getRegions()) {
    if (region.empty()) {
      OpBuilder builder(branches.getContext());
      builder.createBlock(&region);
      scf::YieldOp::create(builder, branches.getLoc());
    }
    SmallVector<Use> inside;
    for (const Use &use : uses)
      if (region.isAncestor(use.user->getParentRegion()))
        inside.push_back(use);
    own(value, &region.front(), nullptr, inside);
  }
}

/// `block` has a reference to `value`, after `definition` or from its beginning
/// on. All uses are inside of it.
void ReferenceCounts::own(Value value, Block *block, Operation *definition,
                          ArrayRef<Use> uses) {
  llvm::MapVector<Operation *, SmallVector<Use>> users; // in the block
  Operation *last = nullptr;
  for (const Use &use : uses) {
    Operation *ancestor = ancestorIn(block, use.user);
    users[ancestor].push_back(use);
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  bool moved = false;
  for (auto &[user, found] : users) {
    bool direct = llvm::all_of(
        found, [user = user](const Use &use) { return use.user == user; });
    if (user == last && isa<scf::IfOp>(user) &&
        llvm::none_of(found, [user = user](const Use &use) {
          return use.user == user;
        })) {
      handDown(value, cast<scf::IfOp>(user), found);
      moved = true;
      continue;
    }
    // A borrow of what is an alias of the element by the operation that takes
    // it keeps it alive until afterwards.
    for (const Use &use : found) {
      bool moves = user == last && direct && use.taken && !use.borrows;
      retain(value, use.user, use.taken - (moves ? 1 : 0));
      moved |= moves;
    }
  }
  if (moved)
    return;
  OpBuilder builder(value.getContext());
  if (Operation *after = last ? last : definition)
    builder.setInsertionPointAfter(after);
  else
    builder.setInsertionPointToStart(block);
  ReleaseOp::create(builder, value.getLoc(), value);
}

LogicalResult ReferenceCounts::run(Operation *function) {
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (isCounted(value))
      values.push_back(value);
  };
  function->walk([&](Block *block) {
    llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), add);
  });
  for (Value value : values) {
    if (!value.getParentRegion()->hasOneBlock())
      return emitError(value.getLoc())
             << "sequence-ownership: a sequence in a function with several "
                "blocks; lower to the cf dialect later";
    if (failed(addUses(value)))
      return failure();
  }
  borrowFromSequences();
  for (Value value : values) {
    Operation *definition = value.getDefiningOp();
    if (auto at = dyn_cast_or_null<RecordAtOp>(definition);
        at && at.getBorrowed())
      continue;
    own(value, value.getParentBlock(), definition, uses[value]);
  }
  return success();
}

LogicalResult onnxfold::sequence::insertReferenceCounts(Operation *function) {
  return ReferenceCounts().run(function);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A choice between sequences is a branch: only there does it have a reference.
static void expandSelects(Operation *function) {
  SmallVector<arith::SelectOp> selects;
  function->walk([&](arith::SelectOp select) {
    if (isCounted(select.getResult()))
      selects.push_back(select);
  });
  for (arith::SelectOp select : selects) {
    OpBuilder builder(select);
    auto yield = [](Value value) {
      return [value](OpBuilder &builder, Location location) {
        scf::YieldOp::create(builder, location, value);
      };
    };
    auto branches = scf::IfOp::create(
        builder, select.getLoc(), select.getCondition(),
        yield(select.getTrueValue()), yield(select.getFalseValue()));
    select.replaceAllUsesWith(branches.getResult(0));
    select.erase();
  }
}

namespace {
struct SequenceOwnershipPass
    : onnxfold::sequence::impl::SequenceOwnershipPassBase<
          SequenceOwnershipPass> {
  using Base::Base;

  void runOnOperation() override {
    auto result = getOperation()->walk([](FunctionOpInterface function) {
      expandSelects(function);
      shareElements(function);
      separateResults(function);
      checkArguments(function);
      return WalkResult(insertReferenceCounts(function));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
