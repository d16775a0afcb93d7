//===- EvaluationLoops.cpp - Bodies that run again and again --------------===//
//
// What is known of the arguments of such a body holds in every iteration
// (LoopFacts.h); so does what the walk concludes from it. The body is walked
// quietly until that is found out, and then as any other. Loops in it remember
// what changes from one walk to the next, so that each is walked about as often
// as there are loops around it, and not twice as often with each of them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/LoopFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// What quiet walks compute is computed again. Values of this size decide
/// shapes; larger ones do not.
static constexpr uint64_t mostQuietBytes = 1 << 20, mostQuietWork = 1 << 24;

void Evaluation::visitBodies(Operation *op, const FoldingInterface *dialect) {
  std::optional<BodyLoop> loop;
  if (dialect) {
    SmallVector<const Fact *, 4> operands;
    for (Value operand : op->getOperands())
      operands.push_back(&factOf(operand));
    loop = dialect->loopOf(op, operands, table);
  }
  for (Region &region : op->getRegions()) {
    if (!loop || &region != loop->body) {
      visitRegion(region, [&](BlockArgument argument) {
        return declaredFact(argument, table);
      });
      continue;
    }
    std::shared_ptr<LoopFacts> &known = loops[op];
    if (!known)
      known = std::make_shared<LoopFacts>();
    std::shared_ptr<LoopFacts> facts = known; // the table may grow
    visitLoop(*loop, *facts);
  }
}

void Evaluation::visitLoop(const BodyLoop &loop, LoopFacts &facts) {
  SmallVector<const Fact *, 4> given;
  bool carries = llvm::any_of(loop.arguments, [](const auto &argument) {
    return argument.next.has_value();
  });
  if (isQuiet || (carries && !facts.isSettled))
    given = settleLoop(loop, facts);
  if (!isQuiet) {
    if (carries && facts.isOpen(loop))
      openLoops.insert(loop.body->getParentOp());
    given = walkLoop(loop, facts);
    for (BlockArgument argument : loop.body->getArguments())
      if (facts.isDeclaredWrong(argument.getArgNumber()))
        FoldingInterface::of(loop.body->getParentOp())
            ->noteWrongType(argument, factOf(argument), table);
  }
  facts.runs = loop.runs;
  facts.last.clear();
  for (size_t k = 0; k < given.size(); ++k)
    facts.last.push_back(facts.after(k, given));
}

/// Walks the body until all that is assumed of its arguments holds.
SmallVector<const Fact *, 4> Evaluation::settleLoop(const BodyLoop &loop,
                                                    LoopFacts &facts) {
  bool wasQuiet = std::exchange(isQuiet, true);
  Visitor loud = std::exchange(visited, nullptr);
  UsedLimits *counted = std::exchange(used, nullptr);
  FoldLimits limits = options.limits;
  FoldLimits &quiet = ownOptions->limits;
  quiet.maxResultBytes = std::min(quiet.maxResultBytes, mostQuietBytes);
  quiet.maxWork = std::min(quiet.maxWork, mostQuietWork);
  SmallVector<const Fact *, 4> given;
  do
    given = walkLoop(loop, facts);
  while (!facts.check(given) ||
         // What is made of symbols from outside looks new the first time.
         (wasQuiet && facts.walks == 1 && facts.hasNew(given)));
  facts.isSettled = true;
  quiet = limits;
  used = counted;
  visited = loud;
  isQuiet = wasQuiet;
  return given;
}

/// What is known of what the body's end gives.
SmallVector<const Fact *, 4> Evaluation::walkLoop(const BodyLoop &loop,
                                                  LoopFacts &facts) {
  std::vector<Fact> declared;
  for (BlockArgument argument : loop.body->getArguments())
    declared.push_back(declaredFact(argument, table));
  facts.begin(loop, std::move(declared), table);
  visitRegion(*loop.body, [&](BlockArgument argument) {
    return facts.argument(argument.getArgNumber());
  });
  SmallVector<const Fact *, 4> given;
  for (Value value : loop.body->front().back().getOperands())
    given.push_back(&factOf(value));
  return given;
}

/// Sizes that are known outside are better than ones that are not.
static void refineByLoop(Fact &fact, const Fact &known, const LoopFacts &loop,
                         const Symbols &table) {
  if (fact.type == DataType::Undefined)
    fact.type = known.type;
  if (known.type != fact.type && known.type != DataType::Undefined)
    return;
  if (known.shape && fact.shape && fact.shape->size() == known.shape->size()) {
    for (auto [mine, better] : llvm::zip_equal(*fact.shape, *known.shape))
      if (table.valueOf(better) || !loop.isOutside(mine))
        mine = better;
  } else if (known.shape) {
    fact.shape = known.shape;
  }
  fact.value = known.value;
  fact.sequence = known.sequence;
  fact.isNothing = known.isNothing;
}

void Evaluation::inferFromLoop(Operation *op, const FoldingInterface &dialect,
                               ArrayRef<const Fact *> operands,
                               MutableArrayRef<Fact> results) {
  auto found = loops.find(op);
  if (found == loops.end())
    return;
  const LoopFacts &facts = *found->second;
  SmallVector<Fact, 2> known = dialect.resultsOfLoop(
      op, facts.runs, operands, facts.last, results, table);
  for (auto [fact, better] : llvm::zip_equal(results, known))
    if (!fact.absent)
      refineByLoop(fact, better, facts, table);
}

bool Evaluation::mayLearn(Operation *op) const {
  while (!openLoops.empty() && op && op != rootOp) {
    op = op->getParentOp();
    if (openLoops.contains(op))
      return true;
  }
  return false;
}
