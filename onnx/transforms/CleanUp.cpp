//===- CleanUp.cpp - Exact clean-ups of ONNX graphs -----------------------===//

#include "onnxfold/onnx/transforms/CleanUp.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Equal operations
//===----------------------------------------------------------------------===//

/// Operations that do the same with the same operands, in this block and the
/// blocks around it. Constants are the same if their elements are.
class CleanUp::Subexpressions {
public:
  explicit Subexpressions(const Evaluation &evaluation)
      : evaluation(evaluation) {}

  /// One that is equal to `op`, or null, and `op` is noted.
  Operation *findOrAdd(Operation *op) {
    unsigned hash = hashOf(op);
    llvm::SmallVector<Operation *, 1> &bucket = table[hash];
    for (Operation *other : bucket)
      if (isEqual(op, other))
        return other;
    bucket.push_back(op);
    added.push_back(hash);
    return nullptr;
  }

  /// What is added after mark() goes with release().
  size_t mark() const { return added.size(); }
  void release(size_t mark) {
    for (; added.size() > mark; added.pop_back())
      table[added.back()].pop_back();
  }

private:
  unsigned hashOf(Operation *op) const {
    return OperationEquivalence::computeHash(
        op,
        [&](Value value) {
          return evaluation.fact(value).isConstant()
                     ? llvm::hash_code(0)
                     : OperationEquivalence::directHashValue(value);
        },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }

  bool isSame(Value a, Value b) const {
    if (a == b)
      return true;
    const Fact &x = evaluation.fact(a), &y = evaluation.fact(b);
    return x.isConstant() && y.isConstant() && x.value.identicalTo(y.value);
  }

  bool isEqual(Operation *a, Operation *b) const {
    return OperationEquivalence::isEquivalentTo(
        a, b, [&](Value x, Value y) { return llvm::success(isSame(x, y)); },
        /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
  }

  const Evaluation &evaluation;
  llvm::DenseMap<unsigned, llvm::SmallVector<Operation *, 1>> table;
  std::vector<unsigned> added;
};

bool onnxfold::isCleanUp(StringRef name) {
  return name == commonSubexpression || name == unusedNode ||
         llvm::any_of(cleanUpPatterns(), [&](const CleanUpPattern &pattern) {
           return pattern.name == name;
         });
}

CleanUp::CleanUp(const llvm::StringSet<> &disabled)
    : mergesEqual(!disabled.contains(commonSubexpression)),
      removesUnused(!disabled.contains(unusedNode)) {
  for (const CleanUpPattern &pattern : cleanUpPatterns())
    if (!disabled.contains(pattern.name))
      patterns.push_back(&pattern);
}

CleanUp::~CleanUp() = default;

StringRef CleanUp::patternOf(Operation *op) const { return reasons.lookup(op); }

bool CleanUp::run(const Evaluation &current) {
  evaluation = &current;
  known = std::make_unique<Subexpressions>(current);
  knowsMore = false;
  for (Region &region : current.root()->getRegions())
    for (Block &block : region)
      visit(block);
  if (removesUnused)
    removeUnused();
  return knowsMore;
}

void CleanUp::visit(Block &block) {
  size_t mark = known->mark();
  for (Operation &op : block)
    visit(&op);
  known->release(mark);
}

/// A runtime may refuse to run it, which it must go on doing.
static bool mayFail(const Reason &reason) {
  return reason.code == ReasonCode::Invalid ||
         reason.code == ReasonCode::Undefined ||
         reason.code == ReasonCode::Inconsistent ||
         reason.code == ReasonCode::UnknownVersion;
}

/// A node that may be left out; nothing that folds anyway.
bool CleanUp::mayGo(Operation *op) const {
  Operator node = Operator::from(op);
  if (!node || node.isCustom() || node.hasReferences() ||
      reasons.contains(op) || evaluation->isFoldable(op) ||
      mayFail(evaluation->reason(op)))
    return false;
  const FoldingInterface *dialect = FoldingInterface::of(op);
  return dialect && dialect->isRemovable(op) && evaluation->mayChange(op);
}

void CleanUp::visit(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visit(block);
  if (!evaluation->has(op) || !mayGo(op))
    return;
  CleanUpContext context(Operator::from(op), *evaluation);
  if (op->getNumRegions() == 0)
    for (const CleanUpPattern *pattern : patterns)
      if (Value value = pattern->match(context))
        if (replace(op, value, pattern->name))
          return;
  if (!mergesEqual || !isMemoryEffectFree(op))
    return;
  if (Operation *equal = known->findOrAdd(op))
    replace(op, equal->getResults(), commonSubexpression);
}

/// True if a use may be of `value` instead: that of a node. Graphs give their
/// outputs under their own names, and the file refers to what the importer's
/// own operations read (custom ones that are no node).
bool CleanUp::mayBeRewired(OpOperand &use, Value value) {
  Operator reader = Operator::from(use.getOwner());
  return reader && (reader.node() || !reader.isCustom()) &&
         evaluation->mayChange(use.getOwner()) &&
         isVisible(value, use.getOwner());
}

/// In the file values are names: a body between the two may have a value of the
/// same name.
bool CleanUp::isVisible(Value value, Operation *reader) {
  StringRef name = valueName(value);
  for (Region *region = reader->getParentRegion();
       region != value.getParentRegion(); region = region->getParentRegion()) {
    auto [place, isNew] = namesOf.try_emplace(region);
    llvm::StringSet<> &names = place->second;
    if (isNew) {
      for (Value argument : region->getArguments())
        names.insert(valueName(argument));
      for (Operation &op : region->front())
        for (Value result : op.getResults())
          names.insert(valueName(result));
    }
    if (!name.empty() && names.contains(name))
      return false;
  }
  return true;
}

/// Lets all that reads `op` read `values` instead (for its first results; the
/// others have no readers).
bool CleanUp::replace(Operation *op, ValueRange values, StringRef pattern) {
  if (op->use_empty())
    return false;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i >= values.size() && !result.use_empty())
      return false;
    for (OpOperand &use : result.getUses())
      if (!mayBeRewired(use, values[i]))
        return false;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    for (OpOperand &use : result.getUses())
      rewiredOps.insert(use.getOwner());
    knowsMore |=
        evaluation->fact(result).shape != evaluation->fact(value).shape;
    result.replaceAllUsesWith(value);
  }
  gone.push_back(op);
  reasons[op] = pattern;
  return true;
}

/// Nobody would miss what `op` and what is in its bodies do: all of it may go
/// and is deterministic. (The effects of Dropout are those of training.)
bool CleanUp::isUnneeded(Operation *op) const {
  auto check = [&](Operation *inner) {
    if (inner->hasTrait<OpTrait::IsTerminator>() || reasons.contains(inner))
      return WalkResult::advance();
    if (!evaluation->has(inner) || !evaluation->mayChange(inner) ||
        mayFail(evaluation->reason(inner)))
      return WalkResult::interrupt();
    Operator node = Operator::from(inner);
    bool hasOnlyBodies = node && !node.isCustom() && node.numGraphs() != 0;
    bool isPure = hasOnlyBodies || isMemoryEffectFree(inner) ||
                  (node && !node.hasReferences() &&
                   CleanUpContext(node, *evaluation).dropsNothing());
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk(check).wasInterrupted();
}

/// Nodes that the model never read. From the bottom up: what only they read is
/// unused then. (What only superseded nodes read goes with the plan.)
void CleanUp::removeUnused() {
  std::vector<Operation *> unused;
  llvm::DenseSet<Operation *> isUnused(gone.begin(), gone.end());
  evaluation->root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (!evaluation->has(op) || isUnused.contains(op) || !mayGo(op) ||
            !isUnneeded(op))
          return;
        bool isRead = llvm::any_of(op->getUsers(), [&](Operation *reader) {
          return !isUnused.contains(reader);
        });
        if (isRead || op->getNumResults() == 0)
          return;
        isUnused.insert(op);
        reasons[op] = unusedNode;
        unused.push_back(op);
      });
  gone.insert(gone.end(), unused.rbegin(), unused.rend());
}
