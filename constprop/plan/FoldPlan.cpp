//===- FoldPlan.cpp - Which constants the model will hold -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ops/StringText.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace onnxfold;
using namespace mlir;

/// A constant can hold the value, which is known.
static bool isStorable(OpResult value, const Evaluation &evaluation) {
  Operation *op = value.getOwner();
  if (!evaluation.state(value).isConstant())
    return false;
  return evaluation.isConstant(op) ||
         FoldingInterface::orDefault(op).hasConstants(op,
                                                      value.getResultNumber());
}

/// The operation may be erased with all that is in its bodies.
static bool mayEraseWhole(Operation *op, const Evaluation &evaluation) {
  auto isErasable = [&](Operation *inner) {
    bool isEnd = inner != op && inner->hasTrait<OpTrait::IsTerminator>();
    bool isRemovable = isEnd || FoldingInterface::orDefault(inner).isRemovable(
                                    inner, evaluation.functions());
    return isRemovable && evaluation.mayChange(inner) ? WalkResult::advance()
                                                      : WalkResult::interrupt();
  };
  return !op->walk(isErasable).wasInterrupted();
}

namespace {

/// Operations with sequences that the plan erases if there is no budget.
class ErasedSequences {
public:
  ErasedSequences(const Evaluation &evaluation, ArrayRef<Operation *> replaced)
      : evaluation(evaluation), erased(replaced.begin(), replaced.end()) {
    // Few models have any; following users through a large one takes long.
    if (!evaluation.mayBeKept(ReasonCode::NoTensor))
      return;
    // Users come first.
    evaluation.root()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [&](Operation *op) { visit(op); });
  }

  /// All results are known, no constant can hold one of them, and no kept
  /// operation reads that one.
  bool contains(Operation *op) const { return sequences.contains(op); }

private:
  bool hasNoTensor(Operation *op) const {
    return evaluation.has(op) &&
           evaluation.reason(op).code == ReasonCode::NoTensor;
  }

  void visit(Operation *op) {
    if (!evaluation.has(op) || evaluation.isFoldable(op))
      return;
    if (hasNoTensor(op)) {
      if (FoldingInterface::orDefault(op).isRemovable(op,
                                                      evaluation.functions()) &&
          llvm::all_of(op->getResults(), [&](OpResult result) {
            return isStorable(result, evaluation) || isUnreadResult(result);
          }))
        sequences.insert(op);
    } else if (!op->use_empty() &&
               llvm::all_of(
                   op->getResults(),
                   [&](OpResult result) { return isUnreadResult(result); }) &&
               mayEraseWhole(op, evaluation)) {
      erased.insert(op); // with its last user
    }
  }

  /// Its users fold or are erased, or are in the body of one that is.
  bool isUnreadResult(OpResult result) const {
    Region *region = result.getOwner()->getParentRegion();
    return llvm::all_of(result.getUsers(), [&](Operation *reader) {
      for (; reader && evaluation.has(reader); reader = reader->getParentOp()) {
        if (evaluation.isFoldable(reader) || sequences.contains(reader) ||
            erased.contains(reader))
          return true;
        if (reader->getParentRegion() == region)
          return false;
      }
      return false;
    });
  }

  const Evaluation &evaluation;
  llvm::DenseSet<Operation *> erased, sequences;
};

} // namespace

/// Whether an erased operation counts as folded: constants replace some of its
/// results, or it has no users. Others are only removed.
static bool leavesConstants(Operation *op, const Evaluation &evaluation) {
  return op->use_empty() ||
         llvm::any_of(op->getResults(), [&](OpResult result) {
           return !result.use_empty() && isStorable(result, evaluation);
         });
}

FoldPlan::FoldPlan(Evaluation &evaluation, std::optional<int64_t> maxGrowth,
                   ArrayRef<Operation *> replaced, ArrayRef<Copy> copies,
                   ArrayRef<Operation *> dropped, ArrayRef<Compact> compact)
    : evaluation(evaluation), dropped(dropped.begin(), dropped.end()) {
  std::vector<Operation *> mixed = collectCandidates(replaced);
  foldAll(replaced, /*inDropped=*/true);
  currentGrowth = 0;
  foldAll(replaced, /*inDropped=*/false);
  foldCompact(compact);
  keepCopies(copies);
  if (maxGrowth && currentGrowth > *maxGrowth)
    limited = !foldWithin(*maxGrowth, mixed);
  if (limited) {
    keepCopies(copies); // of what the budget keeps
    // If an operation is kept with its bodies, users in them are rewired all
    // the same.
    for (Operation *op : replaced)
      if (Operation *whole = wholeAround(op);
          whole && action(whole) == Action::Kept)
        removed.insert(op);
  }
  if (!limited)
    removeUnread();
  collectFrontier();
}

/// Counts readers, and notes what may fold. Returns those of them that fold
/// only if there is no budget.
std::vector<Operation *>
FoldPlan::collectCandidates(ArrayRef<Operation *> replaced) {
  llvm::DenseSet<Operation *> erased(replaced.begin(), replaced.end());
  ErasedSequences sequences(evaluation, replaced);
  std::vector<Operation *> mixed;
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == evaluation.root())
      return WalkResult::advance();
    // An operation all of whose results are known is one candidate with its
    // bodies and operands: it is erased with its bodies, or kept with its
    // bodies unchanged. If it is kept whatever the budget is, its bodies are
    // like those of any other operation.
    bool isErased = erased.contains(op),
         isSequence = !isErased && sequences.contains(op);
    bool isOne = op->getNumRegions() != 0 &&
                 (isErased || isSequence || evaluation.isFoldable(op));
    if (isOne) {
      noteWhole(op, erased);
      for (Value operand : wholes[op].replacedOperands)
        ++readers[operand];
    }
    for (Value operand : operandsOf(op))
      ++readers[operand];
    if (isSequence && leavesConstants(op, evaluation))
      mixed.push_back(op);
    else if (isErased || !evaluation.isFoldable(op))
      return isOne ? WalkResult::skip() : WalkResult::advance();
    candidates.push_back(op);
    return isOne ? WalkResult::skip() : WalkResult::advance();
  });
  return mixed;
}

bool FoldPlan::isInDropped(Operation *op) const {
  if (dropped.empty())
    return false;
  while (op->getParentOp() != evaluation.root())
    op = op->getParentOp();
  return dropped.contains(op);
}

/// Plans what is in dropped functions, or the rest: they share no value.
void FoldPlan::foldAll(ArrayRef<Operation *> replaced, bool inDropped) {
  for (Operation *op : replaced) {
    if (isInDropped(op) != inDropped ||
        wholeAround(op)) // erased or kept with that
      continue;
    // An operation that only one of them read was removed with it.
    if (removed.insert(op).second)
      releaseOperands(op);
  }
  for (const auto &[op, whole] : wholes)
    if (isInDropped(op) == inDropped)
      release(whole.replacedOperands);
  for (Operation *op : candidates)
    if (isInDropped(op) == inDropped)
      setFolded(op, true);
}

/// It has no users left, and may be erased with all that is in its bodies.
bool FoldPlan::isUnread(Operation *op) const {
  if (op->getNumRegions() == 0 || op->use_empty() || !evaluation.has(op) ||
      folded.contains(op) || removed.contains(op) || wholeAround(op) ||
      llvm::any_of(op->getResults(),
                   [&](Value result) { return readers.lookup(result) != 0; }))
    return false;
  return mayEraseWhole(op, evaluation);
}

/// Operations with bodies that have lost all their users are erased with all
/// that is in them. Last, because nothing brings them back; not under a budget,
/// because a second run would find room for more.
void FoldPlan::removeUnread() {
  auto remove = [&](Operation *op) {
    if (folded.contains(op) || removed.contains(op))
      return WalkResult::skip();
    removed.insert(op);
    releaseOperands(op);
    // What an operation reads for its bodies was released with its operands.
    return wholes.contains(op) ? WalkResult::skip() : WalkResult::advance();
  };
  // Readers come first.
  evaluation.root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (isUnread(op) && !isInDropped(op))
          op->walk<WalkOrder::PreOrder>(remove);
      });
}

/// Under a budget a reader of a sequence may have to be kept, and with it what
/// makes the sequence. So it is no candidate at all.
void FoldPlan::keep(ArrayRef<Operation *> mixed) {
  llvm::DenseSet<Operation *> kept;
  for (Operation *op : mixed)
    if (!isInDropped(op) && kept.insert(op).second)
      setFolded(op, false);
  llvm::erase_if(candidates, [&](Operation *op) { return kept.contains(op); });
}

/// False if the budget leaves something out. What was added before the plan may
/// be more than the budget, so that no plan keeps it; if then all that is left
/// out costs nothing, a later run, which finds no more than that, would fold it.
bool FoldPlan::foldWithin(int64_t maxGrowth, ArrayRef<Operation *> mixed) {
  std::vector<Operation *> all = candidates;
  int64_t growthOfAll = currentGrowth;
  keep(mixed);
  fitBudget(maxGrowth);
  if (currentGrowth < growthOfAll)
    return false;
  candidates = std::move(all);
  for (Operation *op : candidates)
    if (!folded.contains(op))
      setFolded(op, true);
  return true;
}

int64_t FoldPlan::bytesOf(Value value) const {
  if (auto result = dyn_cast<OpResult>(value);
      result && !isStorable(result, evaluation))
    return 0;
  const Elements &elements = evaluation.state(value).value;
  if (elements.type() != DataType::String)
    return packedBytes(elements.type(), elements.size());
  auto [it, isNew] = stringBytes.try_emplace(value, 0);
  if (isNew)
    it->second = ops::characterCount(elements);
  return it->second;
}

/// Remembers what `op` and its bodies read, and what is stored in those. What is
/// replaced in the bodies is erased even if `op` is kept with them.
void FoldPlan::noteWhole(Operation *op,
                         const llvm::DenseSet<Operation *> &replaced) {
  llvm::SetVector<Value> values, replacedValues;
  values.insert_range(op->getOperands());
  auto isInside = [&](Value value) {
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return region.isAncestor(value.getParentRegion());
    });
  };
  auto isReplaced = [&](Operation *inner) {
    for (; inner != op; inner = inner->getParentOp())
      if (replaced.contains(inner))
        return true;
    return false;
  };
  int64_t bytes = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      auto &readers = isReplaced(inner) ? replacedValues : values;
      for (Value operand : inner->getOperands())
        if (!isInside(operand))
          readers.insert(operand);
      if (evaluation.isConstant(inner) && !inner->use_empty())
        bytes += bytesOf(inner->getResult(0));
    });
  wholes[op] = {values.takeVector(), replacedValues.takeVector(), bytes};
}

SmallVector<Value> FoldPlan::operandsOf(Operation *op) const {
  auto it = wholes.find(op);
  return it == wholes.end() ? SmallVector<Value>(op->getOperands())
                            : it->second.operands;
}

/// The operation that contains `op` and is erased with it, or null.
Operation *FoldPlan::wholeAround(Operation *op) const {
  for (Operation *around = op->getParentOp();
       around && around != evaluation.root(); around = around->getParentOp())
    if (wholes.contains(around))
      return around;
  return nullptr;
}

/// Bytes of constants that are erased with `op`.
int64_t FoldPlan::bytesInside(Operation *op) const {
  auto it = wholes.find(op);
  return it == wholes.end() ? 0 : it->second.bytes;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//
//
// readers[v] counts the uses of v by operations that are kept. Which are kept
// follows from the folded set: an operation that is not folded is erased when
// its last user is, if it may be. The growth is the bytes of folded values with
// users, minus those of constants that have lost all of theirs or were erased
// with the body around them.

bool FoldPlan::isStored(Operation *op) const {
  return evaluation.isConstant(op) || folded.contains(op);
}

/// `op` is not folded, had users, and has none left.
bool FoldPlan::mayErase(Operation *op) const {
  return !folded.contains(op) && !removed.contains(op) && !op->use_empty() &&
         llvm::all_of(op->getResults(),
                      [&](Value v) { return readers.lookup(v) == 0; }) &&
         mayEraseUnused(op);
}

/// `op` may be erased when it has no users.
bool FoldPlan::mayEraseUnused(Operation *op) const {
  if (!evaluation.has(op) || (op->getNumRegions() != 0 && !wholes.contains(op)))
    return false;
  if (evaluation.isConstant(op))
    return true;
  return FoldingInterface::orDefault(op).isRemovable(op,
                                                     evaluation.functions()) &&
         evaluation.mayChange(op);
}

/// `op` is no user any more; operands without users are erased, too.
void FoldPlan::releaseOperands(Operation *op) {
  currentGrowth -= bytesInside(op);
  release(operandsOf(op));
}

void FoldPlan::release(SmallVector<Value> worklist) {
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (--readers[value] != 0 || !def)
      continue;
    if (isStored(def))
      currentGrowth -= bytesOf(value);
    if (mayErase(def)) {
      removed.insert(def);
      currentGrowth -= bytesInside(def);
      llvm::append_range(worklist, operandsOf(def));
    }
  }
}

/// The reverse: `op` reads its operands; what had died without it comes back.
void FoldPlan::acquireOperands(Operation *op) {
  SmallVector<Value> worklist = operandsOf(op);
  currentGrowth += bytesInside(op);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (readers[value]++ != 0 || !def)
      continue;
    if (isStored(def))
      currentGrowth += bytesOf(value);
    if (removed.erase(def)) {
      currentGrowth += bytesInside(def);
      llvm::append_range(worklist, operandsOf(def));
    }
  }
}

/// Bytes that folding stores in place of `op`.
int64_t FoldPlan::storedBytes(Operation *op) const {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    if (readers.lookup(result) != 0)
      bytes += bytesOf(result);
  return bytes;
}

void FoldPlan::setFolded(Operation *op, bool fold) {
  if (fold) {
    if (!removed.erase(op))
      releaseOperands(op);
    currentGrowth += storedBytes(op);
    folded.insert(op);
    return;
  }
  currentGrowth -= storedBytes(op);
  folded.erase(op);
  if (mayErase(op))
    removed.insert(op);
  else
    acquireOperands(op);
}

void FoldPlan::collectFrontier() {
  for (Operation *op : candidates)
    if (folded.contains(op))
      for (Value result : op->getResults())
        if (readers.lookup(result) != 0)
          frontierValues.push_back(result);
}

FoldPlan::Action FoldPlan::action(Operation *op) const {
  if (folded.contains(op))
    return Action::Folded;
  for (Operation *around = op; around != evaluation.root();
       around = around->getParentOp())
    if (removed.contains(around) || folded.contains(around))
      return Action::Removed;
  return Action::Kept;
}

const Reason &FoldPlan::reason(Operation *op) const {
  static const Reason growth = {
      ReasonCode::Growth, "the model would grow beyond the limit of growth"};
  static const Reason constant = {ReasonCode::Constant,
                                  "states a constant that is read"};
  static const Reason copy = {
      ReasonCode::Constant,
      "gives a constant as it is, which would be stored twice"};
  static const Reason compact = {
      ReasonCode::Quantization,
      "would be stored as floats, larger than what it is computed from"};
  static const Reason none;
  if (action(op) != Action::Kept)
    return none;
  if (Operation *whole = wholeAround(op)) // kept, bodies unchanged
    return reason(whole);
  if (evaluation.isConstant(op))
    return constant;
  if (keptCopies.contains(op))
    return copy;
  if (keptCompact.contains(op))
    return compact;
  return evaluation.isFoldable(op) ? growth : evaluation.reason(op);
}

/// A function returns what its terminator does: constants may have a more
/// precise type than the value that they replace. One that never returns
/// (llvm.unreachable) has no operands.
static void refreshResultTypes(Operation *root) {
  root->walk([](FunctionOpInterface function) {
    Region &body = function.getFunctionBody();
    if (!body.hasOneBlock() || body.front().empty())
      return;
    Operation &last = body.front().back();
    if (last.hasTrait<OpTrait::ReturnLike>() &&
        last.getNumOperands() == function.getNumResults() &&
        last.getOperandTypes() != function.getResultTypes())
      function.setType(function.cloneTypeWith(function.getArgumentTypes(),
                                              last.getOperandTypes()));
  });
}

/// Erases an operation that folds or is removed and has no users left, and then
/// its operands, if they have none.
void FoldPlan::eraseUnread(Operation *op) {
  llvm::SmallSetVector<Operation *, 4> worklist;
  worklist.insert(op);
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!next->use_empty() || next->getNumRegions() != 0 ||
        !(folded.erase(next) || removed.erase(next)))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        worklist.insert(def);
    evaluation.forget(next);
    next->erase(); // the next new one may have its address
  }
}

void FoldPlan::apply() {
  for (Value value : frontierValues) {
    Operation *op = value.getDefiningOp();
    OpBuilder builder(op);
    Value constant = FoldingInterface::orDefault(op).materialize(
        builder, op, cast<OpResult>(value).getResultNumber(),
        evaluation.valueForConstant(value));
    value.replaceUsesWithIf(constant, [&](OpOperand &use) {
      return action(use.getOwner()) == Action::Kept;
    });
    // At once: a million operations and as many constants are not there
    // together.
    eraseUnread(op);
  }
  std::vector<Operation *> dead;
  if (!folded.empty() || !removed.empty())
    evaluation.root()->walk([&](Operation *op) {
      if (folded.contains(op) || removed.contains(op))
        dead.push_back(op);
    });
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead) {
    evaluation.forget(op);
    op->erase();
  }
  if (!frontierValues.empty() || !dead.empty())
    refreshResultTypes(evaluation.root());
}
