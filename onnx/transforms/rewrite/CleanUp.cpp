//===- CleanUp.cpp - Exact clean-ups of ONNX graphs -----------------------===//

#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/transforms/functions/internal/PureCalls.h"
#include "onnxfold/onnx/transforms/rewrite/Subexpressions.h"
#include "onnxfold/onnx/transforms/rewrite/internal/CleanUpPatterns.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::isCleanUp(StringRef name) {
  return name == commonSubexpression || name == unusedNode ||
         name == reshapeChain || name == constantBranch ||
         name == smallConstant || name == constantCall ||
         name == liftFromFunction ||
         llvm::any_of(cleanUpPatterns(), [&](const CleanUpPattern &pattern) {
           return pattern.name == name;
         });
}

CleanUp::CleanUp(int level, const llvm::StringSet<> &disabled,
                 uint64_t mostUnrolled)
    : loops(mostUnrolled),
      decompositions(std::make_unique<Decomposition>(disabled)),
      inlinesCalls(!disabled.contains(constantCall)), level(level),
      mergesEqual(!disabled.contains(commonSubexpression)),
      removesUnused(!disabled.contains(unusedNode)),
      shortens(!disabled.contains(reshapeChain)),
      inlines(!disabled.contains(constantBranch)),
      expands(level >= 1 && !disabled.contains(smallConstant)),
      liftsConstants(!disabled.contains(liftFromFunction)) {
  for (const CleanUpPattern &pattern : cleanUpPatterns())
    if (pattern.level <= level && !disabled.contains(pattern.name))
      patterns.push_back(&pattern);
}

CleanUp::~CleanUp() = default;

StringRef CleanUp::patternOf(Operation *op) const { return reasons.lookup(op); }

StringRef CleanUp::nameInFile(Operation *constant) const {
  auto names = renamed.find(constant);
  bool isStill = names != renamed.end() &&
                 valueName(constant->getResult(0)) == names->second.second;
  return isStill ? names->second.first : StringRef();
}

StringRef CleanUp::outputName(Operator node, unsigned i) const {
  auto before = changes.before.find(node->getResult(i));
  return before == changes.before.end() ? node.outputName(i) : before->second;
}

/// More than any model needs: each walk but the first ends with fewer nodes or
/// more knowledge than the one before, and a replacement is replaced again only
/// where it is simpler.
static constexpr unsigned mostWalks = 200, mostReplacements = 200;

bool CleanUp::run(Evaluation &current) {
  evaluation = &current;
  nodes = std::make_unique<NodeBuilder>(current, &sources);
  knowsMore = false;
  copied.clear();
  if (level < 1) {
    current.run();
    return false;
  }
  if (inlinesCalls && !calls.hasCounted())
    calls.count(current.root(),
                [&](Operation *op) { return reasons.contains(op); });
  auto isSuperseded = [&](Operation *op) { return reasons.contains(op); };
  Going going{isSuperseded,
              [&current](Operation *op) { return current.mayChange(op); }};
  callTypes = std::make_unique<CallTypes>(current.root(), going);
  pureCalls = std::make_unique<PureCalls>(callTypes->calls(), going);
  known = std::make_unique<Subexpressions>(
      current, Subexpressions::Host{isSuperseded, [&](Operation *op) {
                                      return pureCalls->contains(op);
                                    }});
  current.run([&](Operation *op) { visit(op); },
              [&](Operation *op) { callTypes->infer(op, current); });
  known.reset(); // a plan, and what is written, need the memory
  if (removesUnused)
    removeUnused();
  knowsMore |=
      callTypes->mayFoldMore() || (mergesEqual && pureCalls->hasGrown());
  bool again = haveReadersGone();
  again |= loops.fitsNow(isSuperseded);
  again |= hasCallsChanged() || haveBodiesLeft();
  diverges |= again && ++walks > mostWalks;
  return again && !diverges;
}

bool CleanUp::isGone(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (reasons.contains(op) || folded.contains(op))
      return true;
  return false;
}

unsigned CleanUp::countReaders(Value value, unsigned most) const {
  unsigned count = 0;
  for (Operation *reader : value.getUsers())
    if (!isGone(reader) && ++count == most)
      break; // thousands may read it
  return count;
}

/// What was made for `op`, after `before`: it may go on from there.
void CleanUp::visitMade(Operation *op, Operation *before) {
  Operation *made = before ? before->getNextNode() : &op->getBlock()->front();
  for (; made != op; made = made->getNextNode())
    if (evaluation->has(made) && Operator::from(made) &&
        !reasons.contains(made))
      visit(made);
}

std::string CleanUp::problem() const {
  if (!diverges)
    return {};
  llvm::StringMap<unsigned> counts;
  for (Operation *op : gone)
    ++counts[reasons.lookup(op)];
  std::vector<std::pair<unsigned, StringRef>> histogram;
  for (const auto &entry : counts)
    histogram.emplace_back(entry.getValue(), entry.getKey());
  llvm::sort(histogram, [](const auto &a, const auto &b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  std::string text = "the clean-ups do not come to an end:";
  for (const auto &[count, pattern] : histogram)
    text += (" " + pattern + " " + llvm::Twine(count)).str();
  return text + "; leave one out with --disable";
}

/// True if one fired.
bool CleanUp::tryPatterns(Operation *op, const CleanUpContext &context) {
  nodes->begin(op);
  bool mayMakeNodes =
      llvm::all_of(op->getResults().drop_front(),
                   [](Value result) { return result.use_empty(); }) &&
      nodes->knowsOpset();
  for (const CleanUpPattern *pattern : patterns) {
    if (!pattern->match || (pattern->makesNodes && !mayMakeNodes))
      continue;
    Operation *before = op->getPrevNode();
    Value value = pattern->match(context);
    if (value && !nodes->isIdle()) {
      takeOver(op, nodes->finish(value), pattern->name);
      diverges |= ++depth > mostReplacements;
      if (!diverges)
        visitMade(op, before);
      --depth;
      return true;
    }
    if (value && replace(op, value, pattern->name))
      return true;
  }
  return false;
}

void CleanUp::visit(Operation *op) {
  known->enter(op->getBlock());
  if (inlinesCalls && inlineCall(op))
    return;
  if (inlineLeftOut(op))
    return;
  if (readConstant(op) || mergeCall(op) || !mayGo(op))
    return;
  CleanUpContext context(Operator::from(op), *this, *evaluation, *nodes);
  if ((inlines && inlineBranch(op)) || unroll(op))
    return;
  editInputs(op, context);
  bool mayMatch = op->getNumRegions() == 0 && !op->use_empty();
  if (mayMatch && tryPatterns(op, context))
    return;
  if (shortens && shorten(op, context)) {
    evaluation->add(op); // of what it reads now more may be known
    if (mayMatch && tryPatterns(op, context))
      return;
  }
  merge(op);
}

/// What reads `op` reads an equal one before it, if there is one.
void CleanUp::merge(Operation *op) {
  if (!mergesEqual || !known->isComparable(op))
    return;
  Operation *equal = known->findOrAdd(op);
  if (!equal)
    return;
  // No pattern looked at what nobody read.
  bool isRead = !equal->use_empty();
  knowsMore |= replace(op, equal->getResults(), commonSubexpression) && !isRead;
}

/// True if it calls a function of which everything is known. (It may fail: the
/// equal one fails too.)
bool CleanUp::mergeCall(Operation *op) {
  if (!pureCalls->contains(op))
    return false;
  if (!reasons.contains(op) && !evaluation->isFoldable(op) &&
      evaluation->mayChange(op))
    merge(op);
  return true;
}

/// A copy, which was evaluated with the others: what it reads may be another
/// value now (a loop before it was unrolled), of which more is known.
void CleanUp::visitCopy(Operation *op) {
  if (!Operator::from(op))
    return;
  nodes->evaluateAgain(op);
  for (Region &body : op->getRegions())
    for (Operation &inner : llvm::make_early_inc_range(body.front()))
      visitCopy(&inner);
  visit(op);
}

/// Operations that stand in a graph now and did not before. `areCopies`: nor
/// did what is in their bodies.
void CleanUp::visitNew(ArrayRef<Operation *> ops, bool areCopies) {
  for (Operation *inner : ops)
    noteNames(inner);
  for (Operation *inner : ops) {
    if (areCopies)
      visitCopy(inner);
    else if (!evaluation->isConstant(inner))
      visit(inner);
  }
}

/// A node of the file, or one that will be. The importer's own operations are
/// custom ones, too, and stand for what the file says otherwise.
bool CleanUp::isNode(Operator op) const {
  return op && (op.node() || !op.isCustom() || sources.find(op.getOperation()));
}

/// True if a use may be of `value` instead: that of a node. Graphs give their
/// outputs under their own names, and the file refers to what the importer's
/// own operations read.
bool CleanUp::mayBeRewired(OpOperand &use, Value value) {
  return isNode(Operator::from(use.getOwner())) &&
         evaluation->mayChange(use.getOwner()) &&
         isVisible(valueName(value), value.getParentRegion(), use.getOwner());
}

/// In the file values are names: a body between `home` and the reader may have
/// a value of the same name.
bool CleanUp::isVisible(StringRef name, Region *home, Operation *reader) {
  for (Region *region = reader->getParentRegion(); region != home;
       region = region->getParentRegion()) {
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

void CleanUp::noteMentions(ValueRange values, llvm::StringMap<Value> &valueOf) {
  for (Value value : values) {
    auto [entry, isFirst] = valueOf.try_emplace(valueName(value), value);
    if (isFirst || entry->second == value)
      continue;
    Operation *maker = entry->second ? entry->second.getDefiningOp() : nullptr;
    entry->second = maker && reasons.contains(maker) ? value : Value();
  }
}

/// What `below` and all in its bodies read and make.
void CleanUp::noteMentions(Operation *below, llvm::StringMap<Value> &valueOf) {
  below->walk([&](Operation *op) {
    if (reasons.contains(op)) // it goes, and its name may live on
      return;
    noteMentions(op->getOperands(), valueOf);
    noteMentions(op->getResults(), valueOf);
    for (Region &body : op->getRegions())
      noteMentions(body.getArguments(), valueOf);
  });
}

/// Tables of names learn of an operation that was not there. To make them anew
/// each time would be quadratic in the number of branches that are taken.
void CleanUp::noteNames(Operation *op) {
  auto names = namesOf.find(op->getParentRegion());
  if (names != namesOf.end())
    for (Value result : op->getResults())
      names->second.insert(valueName(result));
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    auto place = mentions.find(region);
    if (place != mentions.end())
      noteMentions(op, place->second);
  }
}

/// Only one value below `region` has this name: those of other graphs may be
/// hidden, or read before it is made.
bool CleanUp::isUnique(StringRef name, Region *region) {
  auto [place, isNew] = mentions.try_emplace(region);
  llvm::StringMap<Value> &valueOf = place->second;
  if (isNew) {
    noteMentions(region->getArguments(), valueOf);
    for (Operation &op : region->front())
      noteMentions(&op, valueOf);
  }
  return name.empty() || valueOf.lookup(name);
}

/// What it makes can have another name. Graphs of training read initializers by
/// name, filters speak of nodes only, and before IR version 4 initializers are
/// inputs too.
bool CleanUp::mayRename(Operation *maker) const {
  if (auto constant = dyn_cast_or_null<OnnxConstantOp>(maker))
    return !keepsConstants &&
           (constant.getNode() || irVersion(constant).value_or(0) >= 4);
  return isNode(Operator::from(maker));
}

/// The graph gives the result of `op` under its name. True if `value` can have
/// that name instead of its own: what makes it is of the same graph, and what
/// else reads it may be rewired.
bool CleanUp::mayTakeName(Operation *op, Value value) {
  Operation *maker = value.getDefiningOp();
  if (!mayRename(maker) || maker->getBlock() != op->getBlock() ||
      !evaluation->mayChange(maker) || reasons.contains(maker) ||
      keepsName.contains(value))
    return false;
  StringRef name = valueName(op->getResult(0));
  if (name.empty() != valueName(value).empty() ||
      !isUnique(name, op->getParentRegion()))
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *reader = use.getOwner();
    if (reader == op)
      return true;
    if (!isNode(Operator::from(reader)) || !evaluation->mayChange(reader)) {
      keepsName.insert(value); // thousands of outputs may be copies of it
      return false;
    }
    return isVisible(name, op->getParentRegion(), reader);
  });
}

/// Gives `value` the name of the result of `op`, and its readers.
void CleanUp::takeName(Operation *op, OpResult value) {
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<OnnxConstantOp>(value.getOwner())) {
    StringRef before = constant.getOutput().get();
    changes.rename(value);
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
  changes.rename(value);
  names[value.getResultNumber()] = valueName(result);
  if (!valueName(result).empty())
    maker.setOutputNames(names);
  knowsMore |= value.getType() != result.getType();
  value.setType(result.getType()); // the graph says so
  result.replaceAllUsesWith(value);
}

/// Lets all that reads `op` read `values` instead (for its first results; the
/// others have no readers).
bool CleanUp::replace(Operation *op, ValueRange values, StringRef pattern) {
  if (op->use_empty())
    return false;
  if (llvm::is_contained(op->getResult(0).getUsers(),
                         op->getBlock()->getTerminator())) {
    auto others = op->getResults().drop_front();
    if (!llvm::all_of(others, [](Value other) { return other.use_empty(); }) ||
        !mayTakeName(op, values[0]))
      return false;
    takeName(op, cast<OpResult>(values[0]));
    supersede(op, pattern);
    return true;
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i >= values.size() && !result.use_empty())
      return false;
    for (OpOperand &use : result.getUses())
      if (!mayBeRewired(use, values[i]))
        return false;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    for (OpOperand &use : result.getUses())
      changes.rewired.insert(use.getOwner());
    evaluation->refine(value, evaluation->state(result));
    result.replaceAllUsesWith(value);
  }
  supersede(op, pattern);
  return true;
}

/// Lets all that reads the result of `op` read that of a node which has its
/// name.
void CleanUp::takeOver(Operation *op, Value value, StringRef pattern) {
  op->getResult(0).replaceAllUsesWith(value);
  replaced.insert(op);
  supersede(op, pattern);
}

void CleanUp::supersede(Operation *op, StringRef pattern) {
  gone.push_back(op);
  reasons[op] = pattern;
  knowsMore |= pattern != unusedNode && evaluation->mayLearn(op);
}

/// Reshape(f(x), s) = Reshape(x, s) if f only reshapes, for constant s. If
/// nobody else reads f, it is unused then.
bool CleanUp::shorten(Operation *op, const CleanUpContext &context) {
  bool changed = false;
  for (Value value; (value = context.beforeReshape()); changed = true) {
    if (!mayBeRewired(op->getOpOperand(0), value))
      return changed;
    op->setOperand(0, value);
    changes.rewired.insert(op);
  }
  return changed;
}

void CleanUp::editInputs(Operation *op, const CleanUpContext &context) {
  bool changed = true, isOther = false;
  while (std::exchange(changed, false))
    for (const CleanUpPattern *pattern : patterns) {
      InputEdits edits = pattern->edit ? pattern->edit(context) : InputEdits();
      for (auto [i, value] : llvm::reverse(edits)) // it refers to them
        if (!value || mayBeRewired(op->getOpOperand(i), value)) {
          editInput(op, i, value, pattern->name);
          changed = isOther = true;
        }
    }
  if (isOther && op->getNumRegions() == 0)
    evaluation->add(op); // of what it reads now more may be known
}

void CleanUp::editInput(Operation *op, unsigned i, Value value,
                        StringRef pattern) {
  Operation *before = op->getOperand(i).getDefiningOp();
  unsigned last = op->getNumOperands() - 1;
  if (value) {
    op->setOperand(i, value);
  } else if (i != last) {
    nodes->begin(op);
    op->setOperand(i, nodes->absent());
  } else {
    do
      op->eraseOperand(last);
    while (isAbsent(op->getOperand(--last)));
  }
  changes.rewired.insert(op);
  if (before && before->use_empty() && evaluation->isConstant(before) &&
      evaluation->mayChange(before))
    supersede(before, pattern);
}
