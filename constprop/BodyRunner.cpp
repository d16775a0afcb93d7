//===- BodyRunner.cpp - Runs bodies and functions -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/BodyRunner.h"
#include "onnxfold/constprop/RunBudget.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The limit on nested bodies and calls: functions may call each other in a
/// cycle.
static constexpr unsigned mostDepth = 100;
/// A function is copied for each call.
static constexpr double workOfCall = 1'000'000;

static Reason tooDeep() {
  return notFolded(ReasonCode::WorkLimit,
                   "bodies and calls are in each other more than " +
                       Twine(mostDepth) + " deep");
}

Reason onnxfold::inBody(Operation *op, const Reason &reason) {
  if (StringRef(reason.text).starts_with("in its body, "))
    return reason;
  return notFolded(reason.code, "in its body, " + op->getName().getStringRef() +
                                    ": " + reason.text);
}

//===----------------------------------------------------------------------===//
// Why a body does not fold
//===----------------------------------------------------------------------===//

/// A value that an operation or one of its bodies reads and that is not known;
/// null if there is none.
static Value unknownRead(Operation *op, ValueTable &values) {
  auto isUnknown = [&](Value operand) {
    const ValueState &state = values.of(operand);
    return !state.absent && !state.known();
  };
  if (auto operand = llvm::find_if(op->getOperands(), isUnknown);
      operand != op->operand_end())
    return *operand;
  Value found;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!found &&
            operand.getParentRegion()->isAncestor(op->getParentRegion()) &&
            isUnknown(operand))
          found = operand;
    });
  return found;
}

/// Why a value of the body that was run is not known, as the reason of the
/// operation around it: that of the first operation which is to blame.
static Reason reasonInBody(Value value, ValueTable &values) {
  Reason result = notFolded(ReasonCode::InputNotConstant,
                            "a result of its body is not constant");
  llvm::SmallPtrSet<Operation *, 8> seen; // graph regions have cycles
  while (Operation *op = value.getDefiningOp()) {
    const Reason *reason = values.findReason(op);
    if (!reason || !*reason || !seen.insert(op).second)
      break;
    result = inBody(op, *reason);
    if (reason->code != ReasonCode::InputNotConstant)
      break;
    Value unknown = unknownRead(op, values);
    if (!unknown)
      break;
    value = unknown;
  }
  return result;
}

/// An operation without users may be erased, with everything in its bodies.
static bool mayBeErased(Operation *op, const SymbolTable *functions) {
  WalkResult walk = op->walk([&](Operation *inner) {
    if (inner != op && inner == &inner->getBlock()->back()) // ends a body
      return WalkResult::advance();
    bool isErasable =
        FoldingInterface::orDefault(inner).isRemovable(inner, functions) &&
        inner->getNumResults() != 0;
    return isErasable ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// An operation that must not be erased keeps the one around its body: it would
/// run. So does one that has used up the limit, although its value is known.
Reason BodyRunner::checkErasable(Operation *op,
                                 const ValueTable &values) const {
  const Reason *reason = values.findReason(op);
  // None: known whatever the arguments are.
  if (!reason || !*reason || reason->code == ReasonCode::NoTensor)
    return {};
  if (reason->code != ReasonCode::WorkLimit && mayBeErased(op, functions()))
    return {};
  return inBody(op, *reason);
}

/// Facts about arguments of the types that a body declares need not hold for
/// others, and kernels are not asked again whether they take them.
Reason BodyRunner::checkArguments(Block &block, ArrayRef<FoldedValue> arguments,
                                  const ValueTypes &types) const {
  DimExprs own; // those of ten thousand iterations are forgotten
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    ValueState declared = options.declared(argument, types, own);
    const FoldedValue &given = arguments[i];
    if (!given)
      return invalid("argument #" + Twine(i) + " of its body is missing");
    if (declared.type == DataType::Undefined)
      continue;
    if (!given.tensor)
      return notFolded(ReasonCode::Inconsistent,
                       "argument #" + Twine(i) +
                           " of its body is declared as a tensor and is none");
    if (!agrees(declared, given.tensor, own))
      return notFolded(ReasonCode::Inconsistent,
                       "argument #" + Twine(i) + " of its body is " +
                           name(given.tensor.type()) +
                           toString(given.tensor.shape()) +
                           ", not what its type says");
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

FoldResult BodyRunner::runBody(Region &body, ArrayRef<FoldedValue> arguments,
                               const Walk &around, UsedLimits &used) const {
  if (!body.hasOneBlock() || body.front().getNumArguments() != arguments.size())
    return invalid("its body does not take " + Twine(arguments.size()) +
                   " arguments");
  Block &block = body.front();
  if (!block.mightHaveTerminator())
    return invalid("its body has no end");
  if (Reason wrong = checkArguments(block, arguments, around.values.types()))
    return wrong;
  if (around.depth >= mostDepth)
    return tooDeep();
  ValueTable values(&around.values);
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values.assume(argument, value);
  return runOperations(block, {.values = values,
                               .loops = around.loops,
                               .limits = around.limits,
                               .used = &used,
                               .depth = around.depth + 1});
}

/// Returns what the terminator yields. REQUIRES: the arguments are known.
FoldResult BodyRunner::runOperations(Block &block, const Walk &walk) const {
  for (Operation &op :
       llvm::make_range(block.begin(), std::prev(block.end()))) {
    visit(&op, walk);
    if (Reason kept = checkErasable(&op, walk.values))
      return kept;
  }
  llvm::SmallVector<FoldedValue, 1> results;
  for (Value value : block.back().getOperands()) {
    FoldedValue result = walk.values.of(value).known();
    if (!result)
      return reasonInBody(value, walk.values);
    results.push_back(std::move(result));
  }
  return results;
}

OwningOpRef<Operation *> BodyRunner::calleeOf(Operation *op) const {
  return FoldingInterface::orDefault(op).copyOfCallee(op, functions());
}

/// Nothing around the copy can be read in it.
FoldResult BodyRunner::runFunction(Operation *callee, unsigned numResults,
                                   ArrayRef<ValueState *> arguments,
                                   const Walk &around) const {
  Region &body = callee->getRegion(0);
  if (!body.hasOneBlock())
    return notFolded(ReasonCode::ControlFlow,
                     "its function has several blocks");
  Block &block = body.front();
  if (body.getNumArguments() < arguments.size() || block.empty() ||
      block.back().getNumOperands() < numResults)
    return notFolded(ReasonCode::Inconsistent,
                     "its function has fewer inputs or results");
  if (around.depth >= mostDepth)
    return tooDeep();
  UsedLimits own;
  ValueTable values(options.precision);
  LoopSolver loops;
  Walk walk{.values = values,
            .loops = loops,
            .limits = around.limits,
            .used = around.used ? around.used : &own,
            .depth = around.depth + 1};
  walk.used->work += workOfCall;
  if (RunBudget *budget = RunBudget::current())
    budget->noteWork(workOfCall);
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    bool isGiven = i < arguments.size() && !arguments[i]->absent;
    values.set(argument, ValueState());
    if (isGiven)
      values.assume(argument, arguments[i]->known());
    else
      values.of(argument).absent = true;
  }
  FoldResult result = runOperations(block, walk);
  if (!result || result.values().size() <= numResults)
    return result;
  SmallVector<FoldedValue, 1> results(result.values());
  results.resize(numResults);
  return results;
}
