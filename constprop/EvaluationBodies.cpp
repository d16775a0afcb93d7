//===- EvaluationBodies.cpp - Operations with bodies ----------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The reason of an operation in a body, as that of the operation around it: of
/// the innermost, as there may be a hundred around that.
static Reason inBody(Operation *op, const Reason &reason) {
  if (StringRef(reason.text).starts_with("in its body, "))
    return reason;
  return notFolded(reason.code, "in its body, " + op->getName().getStringRef() +
                                    ": " + reason.text);
}

/// What is known of all branches is known of the result: a dimension is the
/// same symbol.
static void refineByBranches(ValueState &state,
                             ArrayRef<const ValueState *> branches,
                             DimExprs &table) {
  const ValueState &first = *branches.front();
  auto areAll = [&](auto isAlike) { return llvm::all_of(branches, isAlike); };
  if (state.type == DataType::Undefined &&
      areAll(
          [&](const ValueState *branch) { return branch->type == first.type; }))
    state.type = first.type;
  if (!first.shape || !areAll([&](const ValueState *branch) {
        return branch->shape && branch->shape->size() == first.shape->size();
      }))
    return;
  if (!state.shape)
    for (state.shape.emplace(); state.shape->size() < first.shape->size();)
      state.shape->push_back(table.freshDimension());
  if (state.shape->size() != first.shape->size())
    return;
  for (auto [axis, dimension] : llvm::enumerate(*first.shape))
    if (!table.valueOf((*state.shape)[axis]) &&
        areAll([axis = axis, dimension = dimension](const ValueState *branch) {
          return (*branch->shape)[axis] == dimension;
        }))
      (*state.shape)[axis] = dimension;
}

void Evaluation::inferFromBranches(Operation *op,
                                   const FoldingInterface &dialect,
                                   MutableArrayRef<ValueState> results) {
  for (auto [i, state] : llvm::enumerate(results)) {
    SmallVector<Value, 2> values;
    dialect.branchesOf(op, i, values);
    SmallVector<const ValueState *, 2> branches;
    for (Value value : values)
      branches.push_back(&stateOf(value));
    if (!branches.empty())
      refineByBranches(state, branches, table);
  }
}

/// An operation goes with what stands in its bodies.
std::optional<Reason> Evaluation::checkFilter(Operation *op) const {
  if (!options.filter || outer) // of a body the operation around was asked
    return std::nullopt;
  if (std::optional<Reason> filtered = options.filter(op))
    return filtered;
  std::optional<Reason> inner;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *below) {
      std::optional<Reason> filtered = options.filter(below);
      if (!filtered)
        return WalkResult::advance();
      inner = inBody(below, *filtered);
      return WalkResult::interrupt();
    });
  return inner;
}

/// Each operation in a body is within the limits; all of its runs are, too.
std::optional<Reason> Evaluation::checkUsed(Operation *op) {
  if (!used)
    return std::nullopt;
  for (Value result : op->getResults())
    if (const Elements &value = stateOf(result).value)
      used->work += double(value.size());
  if (used->work <= double(options.limits.maxWork))
    return std::nullopt;
  return notFolded(ReasonCode::WorkLimit,
                   "its runs take more operations than " +
                       Twine(options.limits.maxWork));
}

/// Why a value of the body that was run is not known, as the reason of the
/// operation around it: that of the first operation which is to blame.
Reason Evaluation::reasonInBody(Value value) {
  Reason result = notFolded(ReasonCode::InputNotConstant,
                            "a result of its body is not constant");
  llvm::SmallPtrSet<Operation *, 8> seen; // graph regions have cycles
  while (Operation *op = value.getDefiningOp()) {
    auto reason = reasons.find(op);
    if (reason == reasons.end() || reason->second->code == ReasonCode::None ||
        !seen.insert(op).second)
      break;
    result = inBody(op, *reason->second);
    auto unknown = llvm::find_if(op->getOperands(), [&](Value operand) {
      const ValueState &state = stateOf(operand);
      return !state.absent && !state.known();
    });
    if (reason->second->code != ReasonCode::InputNotConstant ||
        unknown == op->operand_end())
      break;
    value = *unknown;
  }
  return result;
}

/// Nothing is lost where nobody reads the operation, and what is in its bodies.
static bool mayGo(Operation *op, const SymbolTable *functions) {
  WalkResult walk = op->walk([&](Operation *inner) {
    if (inner != op && inner == &inner->getBlock()->back()) // ends a body
      return WalkResult::advance();
    const FoldingInterface &dialect = FoldingInterface::orDefault(inner);
    bool mayGo =
        dialect.isRemovable(inner, functions) && inner->getNumResults() != 0;
    return mayGo ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// An operation that may not go keeps the one around its body: it would run. So
/// does one that has used up the limit, although its value is known.
Reason Evaluation::checkMayGo(Operation *op) {
  auto reason = reasons.find(op); // none: known whatever the arguments are
  if (reason == reasons.end() || reason->second->code == ReasonCode::None ||
      reason->second->code == ReasonCode::NoTensor)
    return {};
  if (reason->second->code != ReasonCode::WorkLimit && mayGo(op, functions()))
    return {};
  return inBody(op, *reason->second);
}

/// What holds for arguments of the types that a body declares need not hold for
/// others, and kernels are not asked again whether they take them.
Reason Evaluation::checkArguments(Block &block,
                                  ArrayRef<FoldedValue> arguments) {
  DimExprs own; // those of ten thousand iterations are forgotten
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    ValueState declared = declaredState(argument, own);
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

/// Of bodies and calls in each other: functions may call each other in a cycle.
static constexpr unsigned mostDepth = 100;
/// A function is copied for each call.
static constexpr double workOfCall = 1'000'000;

static Reason tooDeep() {
  return notFolded(ReasonCode::WorkLimit,
                   "bodies and calls are in each other more than " +
                       Twine(mostDepth) + " deep");
}

FoldResult Evaluation::runBody(Region &body, ArrayRef<FoldedValue> arguments,
                               UsedLimits &used) {
  if (!body.hasOneBlock() || body.front().getNumArguments() != arguments.size())
    return invalid("its body does not take " + Twine(arguments.size()) +
                   " arguments");
  Block &block = body.front();
  if (!block.mightHaveTerminator())
    return invalid("its body has no end");
  if (Reason wrong = checkArguments(block, arguments);
      wrong.code != ReasonCode::None)
    return wrong;
  if (depth >= mostDepth)
    return tooDeep();
  Evaluation run(*this, body.getParentOp(), used);
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    run.assume(argument, value);
  return run.runOperations(block);
}

/// What the block gives, whose arguments are known.
FoldResult Evaluation::runOperations(Block &block) {
  for (Operation &op :
       llvm::make_range(block.begin(), std::prev(block.end()))) {
    visit(&op);
    if (Reason stays = checkMayGo(&op); stays.code != ReasonCode::None)
      return stays;
  }
  llvm::SmallVector<FoldedValue, 1> results;
  for (Value value : block.back().getOperands()) {
    FoldedValue result = stateOf(value).known();
    if (!result)
      return reasonInBody(value);
    results.push_back(std::move(result));
  }
  return results;
}

const SymbolTable *Evaluation::functions() const {
  if (outer)
    return outer->functions();
  if (options.functions || !rootOp->hasTrait<OpTrait::SymbolTable>())
    return options.functions;
  if (!ownFunctions)
    ownFunctions = std::make_unique<SymbolTable>(rootOp);
  return ownFunctions.get();
}

/// The results of a copy of a function. Nothing around it can be read in it.
FoldResult Evaluation::runFunction(Operation *function,
                                   ArrayRef<ValueState *> arguments) {
  Block &block = function->getRegion(0).front();
  UsedLimits own;
  EvaluationOptions inside = options;
  inside.functions = functions();
  inside.used = used ? used : &own;
  inside.used->work += workOfCall;
  Evaluation run(function, std::move(inside));
  run.depth = depth + 1;
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    bool isGiven = i < arguments.size() && !arguments[i]->absent;
    run.setState(argument, {});
    if (isGiven)
      run.assume(argument, arguments[i]->known());
    else
      run.stateOf(argument).absent = true;
  }
  return run.runOperations(block);
}

/// Computes a call whose arguments are all known; nothing if it is none.
std::optional<Reason> Evaluation::runCall(Operation *op,
                                          const FoldingInterface &dialect,
                                          ArrayRef<ValueState *> inputs) {
  bool isKnown = llvm::all_of(inputs, [](const ValueState *input) {
    return input->absent || input->known();
  });
  if (!isKnown)
    return std::nullopt;
  OwningOpRef<Operation *> callee = dialect.copyOfCallee(op, functions());
  if (!callee)
    return std::nullopt;
  if (std::optional<Reason> filtered = checkFilter(op))
    return *filtered;
  Region &body = callee->getRegion(0);
  if (!body.hasOneBlock())
    return notFolded(ReasonCode::ControlFlow,
                     "its function has several blocks");
  if (body.getNumArguments() < inputs.size() || body.front().empty() ||
      body.front().back().getNumOperands() < op->getNumResults())
    return notFolded(ReasonCode::Inconsistent,
                     "its function has fewer inputs or results");
  if (depth >= mostDepth)
    return tooDeep();
  FoldResult result = runFunction(*callee, inputs);
  if (result && result.values().size() > op->getNumResults()) {
    SmallVector<FoldedValue, 1> values(result.values());
    values.resize(op->getNumResults());
    result = values;
  }
  return record(op, result);
}
