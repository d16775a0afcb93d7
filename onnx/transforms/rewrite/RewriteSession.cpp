//===- RewriteSession.cpp - State that rewrites of a graph share ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::mayFail(const Reason &reason) {
  return reason.code == ReasonCode::Invalid ||
         reason.code == ReasonCode::Undefined ||
         reason.code == ReasonCode::Inconsistent ||
         reason.code == ReasonCode::UnknownVersion;
}

std::optional<int64_t> GrowthLedger::leftForPlan() const {
  return limit ? std::optional(*limit - made() - reserved) : std::nullopt;
}

std::optional<int64_t> GrowthLedger::leftForExpand() const {
  return limit ? std::optional(*limit - made()) : std::nullopt;
}

std::optional<int64_t> GrowthLedger::left() const {
  return limit ? std::optional(*limit - made() - reserved + undecomposed)
               : std::nullopt;
}

RewriteSession::RewriteSession()
    : valueNames([this](Operation *op) { return isReplaced(op); }) {}

static bool isAnyAnnotated(Operation *root) {
  return root
      ->walk([](Operation *op) {
        Operator node = Operator::from(op);
        return node && node.annotations() ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

void RewriteSession::begin(Evaluation &now) {
  if (!current) { // no rewrite makes the first
    hasAnnotations = isAnyAnnotated(now.root());
    hasTexts = now.root()->hasAttr(nodeTextsAttrName);
    if (hasTexts)
      sources.noteParts();
  }
  current = &now;
  builder = std::make_unique<NodeBuilder>(now, &sources);
  moreKnown = false;
  edited.clear();
  copies.clear();
}

void RewriteSession::look(Evaluation &now,
                          std::vector<FoldPlan::Compact> found) {
  current = &now;
  builder = std::make_unique<NodeBuilder>(now, &sources);
  compact = std::move(found);
}

std::unique_ptr<FoldPlan>
RewriteSession::planWithout(ArrayRef<Operation *> functions) const {
  return std::make_unique<FoldPlan>(*current, growth.leftForPlan(), list,
                                    copies, functions, compact);
}

/// A later run does not find the functions that this one drops, and must come
/// to the same plan. What folds calls nothing any more, so a plan may make more
/// functions idle; but a call that only folds as long as the function does not
/// count keeps it.
std::unique_ptr<FoldPlan> RewriteSession::draftPlan() const {
  if (!growth.limit || !findIdleFunctions)
    return planWithout({});
  SmallVector<Operation *> idle =
      findIdleFunctions([&](Operation *op) { return isReplaced(op); });
  std::unique_ptr<FoldPlan> plan = planWithout(idle);
  auto idleWith = [&](const FoldPlan &one) {
    return findIdleFunctions([&](Operation *op) {
      return one.action(op) != FoldPlan::Action::Kept;
    });
  };
  SmallVector<Operation *> now = idleWith(*plan);
  while (plan->isLimited() && now.size() > idle.size()) {
    std::unique_ptr<FoldPlan> next = planWithout(now);
    SmallVector<Operation *> then = idleWith(*next);
    if (!llvm::all_of(
            now, [&](Operation *op) { return llvm::is_contained(then, op); }))
      break;
    plan = std::move(next);
    idle = std::exchange(now, std::move(then));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Replaced operations
//===----------------------------------------------------------------------===//

bool RewriteSession::replace(Operation *op, ValueRange values,
                             StringRef pattern) {
  if (op->use_empty())
    return false;
  if (llvm::is_contained(op->getResult(0).getUsers(),
                         op->getBlock()->getTerminator())) {
    auto others = op->getResults().drop_front();
    if (!llvm::all_of(others, [](Value other) { return other.use_empty(); }) ||
        !mayTakeName(op, values[0]) ||
        !mayCarry(op, values.take_front(), /*keepsName=*/true))
      return false;
    takeName(op, cast<OpResult>(values[0]));
    markReplacedBy(op, values[0], pattern);
    return true;
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i >= values.size() && !result.use_empty())
      return false;
    for (OpOperand &use : result.getUses())
      if (!mayBeRewired(use, values[i]))
        return false;
  }
  if (!mayCarry(op, values, /*keepsName=*/false))
    return false;
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    for (OpOperand &use : result.getUses())
      noteRewired(use.getOwner());
    current->refine(value, current->state(result));
    result.replaceAllUsesWith(value);
  }
  markReplacedBy(op, values[0], pattern);
  return true;
}

/// Finds what is computed of other values than of those that fold, and by what.
static SmallVector<Operation *, 4> findMade(const NodeBuilder &nodes,
                                            const Evaluation &evaluation,
                                            SmallVectorImpl<Value> &leaves) {
  SmallVector<Operation *, 4> made;
  for (Operation *op : nodes.unfinished())
    if (Operator::from(op) && !evaluation.isFoldable(op))
      made.push_back(op);
  for (Operation *op : made)
    for (Value operand : op->getOperands())
      if (!evaluation.state(operand).isConstant() &&
          !llvm::is_contained(made, operand.getDefiningOp()))
        leaves.push_back(operand);
  return made;
}

bool RewriteSession::takeOver(Operation *op, Value value, StringRef pattern) {
  if (hasAnnotations || hasTexts) {
    SmallVector<Value> leaves;
    SmallVector<Operation *, 4> made = findMade(*builder, *current, leaves);
    SmallVector<Operation *, 4> parts = partsOf(op, leaves, *current);
    // An operation that folds needs no device.
    bool isComputed = llvm::is_contained(made, value.getDefiningOp()) &&
                      !current->isFoldable(op);
    std::string why = isComputed ? carryTo(parts, made, ValueRange(value)) : "";
    if (!why.empty()) {
      refuse(op, why);
      builder->discard();
      return false;
    }
    for (Operation *part : parts)
      for (Operation *one : made)
        if (part != op || one != value.getDefiningOp()) // see finish()
          sources.notePart(one, part);
  }
  builder->finish(value);
  op->getResult(0).replaceAllUsesWith(value);
  renewed.insert(op);
  markReplacedBy(op, value, pattern);
  return true;
}

/// Values that are there already have what the file says of the replaced ones.
/// What folds needs no device, and its constant keeps its name.
bool RewriteSession::mayCarry(Operation *op, ValueRange values,
                              bool keepsName) {
  if (!hasAnnotations)
    return true;
  if (current->isFoldable(op))
    return keepsName || llvm::all_of(op->getResults(), [](Value result) {
             return quantizationOf(result).empty();
           });
  std::string why =
      carryTo(partsOf(op, llvm::to_vector(values), *current), values);
  if (why.empty())
    return true;
  refuse(op, why);
  return false;
}

std::string RewriteSession::noteReplacedBy(Operation *op,
                                           ArrayRef<Operation *> made,
                                           ValueRange values) {
  std::string why = hasAnnotations ? carryTo({op}, made, values) : "";
  for (Operation *one : made) {
    sources.forget(one); // an erased operation may have had the address
    sources.notePart(one, op);
  }
  return why;
}

bool RewriteSession::mayEdit(Operation *op, unsigned i, Value value) {
  if (value && !mayBeRewired(op->getOpOperand(i), value))
    return false;
  std::string why =
      hasAnnotations
          ? whyNotEdited(op, i, countReaders(op->getOperand(i), 2) == 1)
          : "";
  if (why.empty())
    return true;
  refuse(op, why);
  return false;
}

bool RewriteSession::mayInline(Operation *op) {
  std::string why = whyNotInlined(op);
  if (why.empty())
    return true;
  refuse(op, why);
  return false;
}

std::vector<std::string> RewriteSession::refusals() const {
  std::vector<std::string> texts;
  if (!refused.empty())
    current->root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto reason = refused.find(op);
      if (reason != refused.end() && !isErased(op) && !current->isFoldable(op))
        texts.push_back(nodeText(op) + " is kept: " + reason->second);
    });
  return texts;
}

bool RewriteSession::giveNameTo(Operation *op, OpResult value,
                                StringRef pattern) {
  if (!mayTakeName(op, value) ||
      !mayCarry(op, ValueRange(value), /*keepsName=*/true))
    return false;
  takeName(op, value);
  markReplacedBy(op, value, pattern);
  return true;
}

void RewriteSession::markReplacedBy(Operation *op, Value value,
                                    StringRef pattern) {
  if (op->getNumResults() == 1)
    replacements[op] = value;
  markReplaced(op, pattern);
}

void RewriteSession::markReplaced(Operation *op, StringRef pattern,
                                  bool isUnread) {
  list.push_back(op);
  patterns[op] = pattern;
  moreKnown |= !isUnread && current->mayLearn(op);
}

Value RewriteSession::replacementOf(Operation *op) const {
  Value value = op->getResult(0);
  while (op && isReplaced(op)) {
    value = replacements.lookup(op);
    op = value ? value.getDefiningOp() : nullptr;
  }
  return value;
}

bool RewriteSession::isInReplaced(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (isReplaced(op))
      return true;
  return false;
}

bool RewriteSession::mayBeErased(Operation *op) const {
  Operator node = Operator::from(op);
  if (!node || node.isCustom() || node.hasReferences() || isReplaced(op) ||
      current->isFoldable(op) || mayFail(current->reason(op)))
    return false;
  const FoldingInterface *dialect = FoldingInterface::of(op);
  return dialect && dialect->isRemovable(op, current->functions()) &&
         current->mayChange(op) &&
         !dialect->checkOperands(op); // its reason may be another one
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// A node of the file, or one that will be. The importer's own operations are
/// custom ones, too, and stand for what the file says otherwise.
bool RewriteSession::isNode(Operator op) const {
  return op && (op.node() || !op.isCustom() || sources.find(op.getOperation()));
}

bool RewriteSession::mayBeRewired(OpOperand &use, Value value) {
  return isNode(Operator::from(use.getOwner())) &&
         current->mayChange(use.getOwner()) &&
         valueNames.isVisible(valueName(value), value.getParentRegion(),
                              use.getOwner());
}

bool RewriteSession::isErased(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (isReplaced(op) || folded.contains(op))
      return true;
  return false;
}

unsigned RewriteSession::countReaders(Value value, unsigned most) const {
  unsigned count = 0;
  for (Operation *reader : value.getUsers())
    if (!isErased(reader) && ++count == most)
      break; // thousands may read it
  return count;
}

/// Notes what folds, and what only that reads, from the bottom up.
void RewriteSession::noteFolded() {
  current->root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (!current->has(op))
          return;
        auto isReaderErased = [&](Operation *reader) {
          return isErased(reader);
        };
        if (current->isFoldable(op) ||
            (mayBeErased(op) && !op->use_empty() &&
             llvm::all_of(op->getUsers(), isReaderErased)))
          folded.insert(op);
      });
}

bool RewriteSession::haveReadersBeenErased() {
  if (asked.empty())
    return false;
  noteFolded();
  bool changes = llvm::any_of(asked, [&](const auto &question) {
    return countReaders(question.first, question.second + 1) == question.second;
  });
  asked.clear();
  return changes;
}

//===----------------------------------------------------------------------===//
// New operations
//===----------------------------------------------------------------------===//

/// A copy, which was evaluated with the others: what it reads may be another
/// value now (a loop before it was unrolled), of which more is known.
void RewriteSession::visitCopy(Operation *op) {
  if (!Operator::from(op))
    return;
  builder->evaluateAgain(op);
  for (Region &body : op->getRegions())
    for (Operation &inner : llvm::make_early_inc_range(body.front()))
      visitCopy(&inner);
  visit(op);
}

void RewriteSession::noteNames(ArrayRef<Operation *> ops) {
  for (Operation *inner : ops)
    valueNames.note(inner);
}

void RewriteSession::visitNew(ArrayRef<Operation *> ops, bool areCopies) {
  noteNames(ops);
  for (Operation *inner : ops) {
    if (areCopies)
      visitCopy(inner);
    else if (!current->isConstant(inner))
      visit(inner);
  }
}

void RewriteSession::visitMade(Operation *op, Operation *before) {
  Operation *made = before ? before->getNextNode() : &op->getBlock()->front();
  for (; made != op; made = made->getNextNode())
    if (current->has(made) && Operator::from(made) && !isReplaced(made))
      visit(made);
}

//===----------------------------------------------------------------------===//
// Names of graph outputs
//===----------------------------------------------------------------------===//

StringRef RewriteSession::nameInFile(Operation *constant) const {
  auto names = renamed.find(constant);
  bool isStill = names != renamed.end() &&
                 valueName(constant->getResult(0)) == names->second.second;
  return isStill ? names->second.first : StringRef();
}

StringRef RewriteSession::outputName(Operator node, unsigned i) const {
  auto before = nameChanges.before.find(node->getResult(i));
  return before == nameChanges.before.end() ? node.outputName(i)
                                            : before->second;
}

/// Whether its result can have another name. Graphs of training read
/// initializers by name, and before IR version 4 initializers are inputs too.
bool RewriteSession::mayRename(Operation *maker) const {
  if (auto constant = dyn_cast_or_null<OnnxConstantOp>(maker))
    return !keeping &&
           (constant.getNode() || irVersion(constant).value_or(0) >= 4);
  return isNode(Operator::from(maker));
}

/// The graph gives the result of `op` under its name. True if `value` can have
/// that name instead of its own: what makes it is of the same graph, and what
/// else reads it may be rewired.
bool RewriteSession::mayTakeName(Operation *op, Value value) {
  Operation *maker = value.getDefiningOp();
  if (!mayRename(maker) || maker->getBlock() != op->getBlock() ||
      !current->mayChange(maker) || isReplaced(maker) ||
      keepsName.contains(value))
    return false;
  StringRef name = valueName(op->getResult(0));
  if (name.empty() != valueName(value).empty() ||
      !valueNames.isUnique(name, op->getParentRegion()))
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *reader = use.getOwner();
    if (reader == op)
      return true;
    if (!isNode(Operator::from(reader)) || !current->mayChange(reader)) {
      keepsName.insert(value); // thousands of outputs may be copies of it
      return false;
    }
    return valueNames.isVisible(name, op->getParentRegion(), reader);
  });
}

/// Gives `value` the name of the result of `op`, and its readers.
void RewriteSession::takeName(Operation *op, OpResult value) {
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<OnnxConstantOp>(value.getOwner())) {
    StringRef before = constant.getOutput().get();
    nameChanges.rename(value);
    if (!valueName(result).empty())
      constant.setOutput(valueName(result));
    auto &names = renamed.try_emplace(constant, before, before).first->second;
    names.second = valueName(value);
    result.replaceAllUsesWith(value);
    return;
  }
  Operator maker = Operator::from(value.getOwner());
  llvm::SmallVector<StringRef, 2> names;
  for (unsigned i = 0; i < maker.numOutputs(); ++i)
    names.push_back(maker.outputName(i));
  nameChanges.rename(value);
  names[value.getResultNumber()] = valueName(result);
  if (!valueName(result).empty())
    maker.setOutputNames(names);
  moreKnown |= value.getType() != result.getType();
  setDeclaredType(value, result.getType(), *current);
  result.replaceAllUsesWith(value);
}
