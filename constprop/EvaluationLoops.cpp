//===- EvaluationLoops.cpp - Bodies that run again and again --------------===//
//
// What is known of the arguments of such a body holds in every iteration
// (LoopInvariants.h); so does what the walk concludes from it. The body is
// walked quietly until that is found out, and then as any other. Loops in it remember
// what changes from one walk to the next, so that each is walked about as often
// as there are loops around it, and not twice as often with each of them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/LoopInvariants.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// What quiet walks compute is computed again. Values of this size decide
/// shapes; larger ones do not.
static constexpr uint64_t mostQuietBytes = 1 << 20, mostQuietWork = 1 << 24;

void Evaluation::visitBodies(Operation *op, const FoldingInterface &dialect) {
  SmallVector<const ValueState *, 4> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&stateOf(operand));
  std::optional<BodyLoop> loop = dialect.loopOf(op, operands, table);
  for (Region &region : op->getRegions()) {
    if (!loop || &region != loop->body) {
      visitRegion(region, [&](BlockArgument argument) {
        return declaredState(argument, table);
      });
      continue;
    }
    std::shared_ptr<LoopInvariants> &known = loops[op];
    if (!known)
      known = std::make_shared<LoopInvariants>();
    std::shared_ptr<LoopInvariants> states = known; // the table may grow
    visitLoop(*loop, *states);
  }
}

void Evaluation::visitLoop(const BodyLoop &loop, LoopInvariants &states) {
  SmallVector<const ValueState *, 4> given;
  bool carries = llvm::any_of(loop.arguments, [](const auto &argument) {
    return argument.next.has_value();
  });
  if (isQuiet || (carries && !states.isSettled))
    given = settleLoop(loop, states);
  if (!isQuiet) {
    if (carries && states.isOpen(loop))
      openLoops.insert(loop.body->getParentOp());
    given = walkLoop(loop, states);
    for (BlockArgument argument : loop.body->getArguments())
      if (states.isDeclaredWrong(argument.getArgNumber()))
        FoldingInterface::orDefault(loop.body->getParentOp())
            .noteWrongType(argument, stateOf(argument), table);
  }
  states.runs = loop.runs;
  states.last.clear();
  for (size_t k = 0; k < given.size(); ++k)
    states.last.push_back(states.after(k, given));
}

/// Walks the body until all that is assumed of its arguments holds.
SmallVector<const ValueState *, 4>
Evaluation::settleLoop(const BodyLoop &loop, LoopInvariants &states) {
  bool wasQuiet = std::exchange(isQuiet, true);
  Visitor loud = std::exchange(visited, nullptr);
  UsedLimits *counted = std::exchange(used, nullptr);
  FoldLimits limits = options.limits;
  FoldLimits &quiet = ownOptions->limits;
  quiet.maxResultBytes = std::min(quiet.maxResultBytes, mostQuietBytes);
  quiet.maxWork = std::min(quiet.maxWork, mostQuietWork);
  SmallVector<const ValueState *, 4> given;
  do
    given = walkLoop(loop, states);
  while (!states.check(given) ||
         // What is made of symbols from outside looks new the first time.
         (wasQuiet && states.walks == 1 && states.hasNew(given)));
  states.isSettled = true;
  quiet = limits;
  used = counted;
  visited = loud;
  isQuiet = wasQuiet;
  return given;
}

/// What is known of what the body's end gives.
SmallVector<const ValueState *, 4>
Evaluation::walkLoop(const BodyLoop &loop, LoopInvariants &states) {
  std::vector<ValueState> declared;
  for (BlockArgument argument : loop.body->getArguments())
    declared.push_back(declaredState(argument, table));
  states.begin(loop, std::move(declared), table);
  visitRegion(*loop.body, [&](BlockArgument argument) {
    return states.argument(argument.getArgNumber());
  });
  SmallVector<const ValueState *, 4> given;
  for (Value value : loop.body->front().back().getOperands())
    given.push_back(&stateOf(value));
  return given;
}

/// Sizes that are known outside are better than ones that are not.
static void refineByLoop(ValueState &state, const ValueState &known,
                         const LoopInvariants &loop, const DimExprs &table) {
  if (state.type == DataType::Undefined)
    state.type = known.type;
  if (known.type != state.type && known.type != DataType::Undefined)
    return;
  if (known.shape && state.shape &&
      state.shape->size() == known.shape->size()) {
    for (auto [mine, better] : llvm::zip_equal(*state.shape, *known.shape))
      if (table.valueOf(better) || !loop.isOutside(mine))
        mine = better;
  } else if (known.shape) {
    state.shape = known.shape;
  }
  state.value = known.value;
  state.sequence = known.sequence;
  state.isNothing = known.isNothing;
}

void Evaluation::inferFromLoop(Operation *op, const FoldingInterface &dialect,
                               ArrayRef<const ValueState *> operands,
                               MutableArrayRef<ValueState> results) {
  auto found = loops.find(op);
  if (found == loops.end())
    return;
  const LoopInvariants &states = *found->second;
  SmallVector<ValueState, 2> known = dialect.resultsOfLoop(
      op, states.runs, operands, states.last, results, table);
  for (auto [state, better] : llvm::zip_equal(results, known))
    if (!state.absent)
      refineByLoop(state, better, states, table);
}

bool Evaluation::mayLearn(Operation *op) const {
  while (!openLoops.empty() && op && op != rootOp) {
    op = op->getParentOp();
    if (openLoops.contains(op))
      return true;
  }
  return false;
}
