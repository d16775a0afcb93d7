//===- Evaluation.cpp - What is known of every value ----------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/symbolic/SymbolicFloats.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

Evaluation::Evaluation(Operation *root, EvaluationOptions given)
    : rootOp(root),
      ownOptions(std::make_unique<EvaluationOptions>(std::move(given))),
      options(*ownOptions), used(options.used) {}

Evaluation::Evaluation(Evaluation &outer, Operation *root, UsedLimits &used)
    : rootOp(root), options(outer.options), outer(&outer), used(&used),
      depth(outer.depth + 1) {}

void Evaluation::run(Visitor visitor, Visitor infer) {
  visited = visitor;
  inferring = infer;
  for (Region &region : rootOp->getRegions())
    visitRegion(region, [&](BlockArgument argument) {
      return declaredState(argument, table);
    });
  visited = inferring = nullptr;
}

void Evaluation::add(Operation *op) {
  Visitor all = std::exchange(visited, nullptr);
  visit(op);
  visited = all;
}

void Evaluation::refine(Value value, const ValueState &other) {
  ValueState &state = stateOf(value);
  if (state.type == DataType::Undefined)
    state.type = other.type;
  if (!state.shape) {
    state.shape = other.shape;
    return;
  }
  if (!other.shape || other.shape->size() != state.shape->size())
    return;
  for (auto [mine, theirs] : llvm::zip_equal(*state.shape, *other.shape))
    if (!table.valueOf(mine) && table.valueOf(theirs))
      mine = theirs;
}

const ValueState &Evaluation::state(Value value) const {
  auto it = states.find(value);
  assert(it != states.end() && "the value did not exist when run() was called");
  return *it->second;
}

void Evaluation::giveResults(Operation *op, const FoldResult &result) {
  bool isWhole = llvm::all_of(
      llvm::zip_equal(op->getResults(), result.values()), [](auto pair) {
        return std::get<1>(pair) || std::get<0>(pair).use_empty();
      });
  Reason reason = record(op, result);
  if (isWhole && !isQuiet)
    setReason(op, std::move(reason));
}

void Evaluation::forget(Operation *op) {
  reasons.erase(op);
  openLoops.erase(op);
  loops.erase(op);
  for (Value result : op->getResults())
    if (auto it = states.find(result); it != states.end()) {
      *it->second = ValueState();
      states.erase(it);
    }
}

/// What is known of a value that is read. One that was not visited (made
/// outside the root, or further down where order does not matter) may be
/// anything of its type.
ValueState &Evaluation::stateOf(Value value) {
  ValueState *&slot = states[value];
  if (!slot) {
    ValueState state = outer ? import(outer->stateOf(value))
                             : stateOfType(value.getType(), table);
    slot = new (stateMemory.Allocate()) ValueState(std::move(state));
  }
  return *slot;
}

/// In place: others may hold a pointer to the state already.
ValueState &Evaluation::setState(Value value, ValueState state) {
  // Also what no wide tensor took part in (a constant, a cast, a range).
  if (options.precision == Precision::Wide) {
    if (state.value)
      state.value = state.value.widened();
    if (state.sequence) {
      auto wide = std::make_shared<std::vector<Elements>>();
      for (const Elements &tensor : *state.sequence)
        wide->push_back(tensor.widened());
      state.sequence = std::move(wide);
    }
  }
  ValueState *&slot = states[value];
  if (!slot)
    slot = new (stateMemory.Allocate()) ValueState();
  *slot = std::move(state);
  return *slot;
}

/// The reasons of operations that fold, and of those that are constants. (A set
/// of the constants would take twenty bytes for each.)
static const Reason folds, isStated;

void Evaluation::setReason(Operation *op, Reason reason) {
  if (reason.code == ReasonCode::None) {
    reasons[op] = &folds;
    return;
  }
  std::string key = char(reason.code) + reason.text;
  reasons[op] = &texts.try_emplace(key, std::move(reason)).first->second;
}

bool Evaluation::isConstant(Operation *op) const {
  return reasons.lookup(op) == &isStated;
}

bool Evaluation::isFoldable(Operation *op) const {
  return &reason(op) == &folds;
}

bool Evaluation::mayStay(ReasonCode code) const {
  return llvm::any_of(
      texts, [&](const auto &entry) { return entry.getValue().code == code; });
}

const Reason &Evaluation::reason(Operation *op) const {
  auto it = reasons.find(op);
  assert(it != reasons.end() && "the operation was not there in run()");
  return *it->second;
}

ValueState Evaluation::declaredState(BlockArgument argument,
                                     DimExprs &exprs) const {
  return options.stateOfArgument ? options.stateOfArgument(argument, exprs)
                                 : stateOfType(argument.getType(), exprs);
}

void Evaluation::visitRegion(
    Region &region,
    llvm::function_ref<ValueState(BlockArgument)> stateOfArgument) {
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments())
      setState(argument, stateOfArgument(argument));
    for (Operation &op : block) {
      visit(&op);
      if (visited && !isConstant(&op))
        visited(&op);
    }
  }
}

/// The state of a value that is all known.
static ValueState known(FoldedValue folded, DimExprs &table) {
  ValueState state;
  state.sequence = std::move(folded.sequence);
  state.isNothing = folded.isNothing;
  Elements value = std::move(folded.tensor);
  if (!value)
    return state;
  state.type = value.type();
  state.shape.emplace();
  for (int64_t d : value.shape())
    state.shape->push_back(table.constant(d));
  state.value = std::move(value);
  return state;
}

void Evaluation::assume(Value value, FoldedValue given) {
  if (given) {
    setState(value, known(std::move(given), table));
    return;
  }
  ValueState &state = stateOf(value);
  state.value = {};
  state.sequence = {};
}

/// A symbol of the table around a body in that of one run.
DimExpr Evaluation::importExpr(DimExpr symbol) {
  if (std::optional<int64_t> value = outer->table.valueOf(symbol))
    return table.constant(*value);
  auto [it, isNew] = importedExprs.try_emplace(symbol.id);
  if (!isNew)
    return it->second;
  std::optional<DimExpr> copy =
      SymbolicFloats::import(symbol, outer->table, table);
  it->second = copy ? *copy : table.fresh(outer->table.rangeOf(symbol));
  return it->second;
}

ValueState Evaluation::import(const ValueState &state) {
  ValueState copy = state;
  if (copy.shape)
    for (DimExpr &d : *copy.shape)
      d = importExpr(d);
  if (!copy.isSymbolic())
    return copy;
  std::vector<DimExpr> elements = copy.value.values<DimExpr>();
  for (DimExpr &element : elements)
    element = importExpr(element);
  copy.value = Elements::fromValues<DimExpr>(copy.value.shape(),
                                             ArrayRef<DimExpr>(elements));
  return copy;
}

/// Where types and shapes are the same in all runs inference need not be asked
/// again; false if they are not.
bool Evaluation::copyStaticTypes(Operation *op,
                                 MutableArrayRef<ValueState> results) {
  if (!outer)
    return false;
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
    const ValueState &general = outer->stateOf(value);
    result.absent = general.absent;
    if (general.absent)
      continue;
    if (general.type == DataType::Undefined || !general.shape)
      return false;
    result.type = general.type;
    result.shape.emplace();
    for (DimExpr d : *general.shape) {
      std::optional<int64_t> size = outer->table.valueOf(d);
      if (!size)
        return false;
      result.shape->push_back(table.constant(*size));
    }
  }
  return true;
}

/// What does not depend on the arguments of the body that is run.
bool Evaluation::isKnownOutside(Operation *op) {
  return outer && op->getNumResults() != 0 &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return bool(outer->stateOf(result).known());
         });
}

/// In a body that is run; of numbers alone no limit would ever be reached.
static constexpr double workOfOperation = 1000;

void Evaluation::visit(Operation *op) {
  if (isKnownOutside(op))
    return;
  if (used)
    used->work += workOfOperation;
  if (options.step && !isQuiet)
    options.step();
  if (Elements value = constantOf(op)) {
    reasons[op] = &isStated;
    setState(op->getResult(0), known(std::move(value), table));
    return;
  }
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  bool isOutermost = loops.empty();
  // What holds whatever the arguments of a body are; its values are written
  // into types that say nothing.
  if (!outer && op->getNumRegions() != 0)
    visitBodies(op, dialect);
  Reason reason = evaluate(op, dialect);
  if (!isQuiet)
    setReason(op, std::move(reason));
  if (isOutermost)
    loops.clear();
  if (inferring)
    inferring(op);
}

Elements Evaluation::constantOf(Operation *op) {
  Attribute value;
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      !matchPattern(op, m_Constant(&value)))
    return {};
  if (!isa<DenseElementsAttr>(value)) // those of others are never one
    return elementsOf(value);
  constexpr size_t places = 256;
  if (recent.empty())
    recent.resize(places);
  auto &[last, elements] = recent[size_t(hash_value(value)) % places];
  if (last != value) {
    last = value;
    elements = elementsOf(value);
  }
  return elements;
}

/// That an input is not constant is the first thing to say about an operation.
static Reason firstOf(const Reason &unknownInput, const Reason &otherwise) {
  return unknownInput.code != ReasonCode::None ? unknownInput : otherwise;
}

Reason Evaluation::evaluate(Operation *op, const FoldingInterface &dialect) {
  SmallVector<ValueState *, 4> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(&stateOf(operand));
  SmallVector<ValueState, 1> inferred(op->getNumResults());
  SmallVector<const ValueState *, 4> operands(inputs.begin(), inputs.end());
  if (!copyStaticTypes(op, inferred))
    dialect.inferTypes(op, operands, inferred, table);
  if (!outer) {
    if (op->getNumRegions() != 0) {
      inferFromBranches(op, dialect, inferred);
      inferFromLoop(op, dialect, operands, inferred);
    }
    if (!isQuiet)
      dialect.refineTypes(op, inferred, table);
  }
  SmallVector<ValueState *, 1> results;
  for (auto [value, state] : llvm::zip_equal(op->getResults(), inferred))
    results.push_back(&setState(value, state));
  if (op->getNumResults() == 0)
    return notFolded(ReasonCode::NoKernel, "has no results");
  if (std::optional<Reason> called = runCall(op, dialect, inputs))
    return *called;
  Reason unknownInput = checkInputs(Kernel(), inputs);
  if (std::optional<Reason> stay = dialect.mustStay(op);
      stay &&
      !(options.foldsQuantization && stay->code == ReasonCode::Quantization))
    return stay->code == ReasonCode::NotDeterministic
               ? *stay
               : firstOf(unknownInput, *stay);
  Reason reason;
  int version = dialect.versionOf(op);
  const Kernel *kernel = dialect.kernelOf(op, version, reason);
  if (!kernel && op->getNumRegions() != 0)
    return notFolded(ReasonCode::ControlFlow, "has a body");
  if (!kernel)
    return firstOf(unknownInput, reason);
  reason = checkInputs(*kernel, inputs);
  if (reason.code != ReasonCode::None)
    return reason;
  if (std::optional<Reason> wrong = dialect.checkOperands(op))
    return *wrong;
  if (std::optional<Reason> filtered = checkFilter(op))
    return *filtered;
  reason = checkInferred(inferred);
  if (reason.code != ReasonCode::None)
    return reason;
  return runKernel(op, *kernel, version, inputs, results);
}

Reason Evaluation::runKernel(Operation *op, const Kernel &kernel, int version,
                             ArrayRef<ValueState *> inputs,
                             ArrayRef<ValueState *> results) {
  UsedLimits own;
  UsedLimits *shared = used ? used : op->getNumRegions() ? &own : nullptr;
  auto bodies = [&](Region &body, ArrayRef<FoldedValue> arguments) {
    return runBody(body, arguments, *shared);
  };
  FoldContext context(op, kernel, version, inputs, results, table,
                      options.limits, bodies, shared);
  Reason reason = record(op, kernel.function(context));
  if (reason.code != ReasonCode::None && reason.code != ReasonCode::NoTensor)
    return reason;
  return checkUsed(op).value_or(reason);
}

bool Evaluation::agrees(const ValueState &inferred, const Elements &value,
                        const DimExprs &table) {
  if (inferred.type != DataType::Undefined && inferred.type != value.type() &&
      value.type() != DataType::Opaque)
    return false;
  if (!inferred.shape)
    return true;
  if (inferred.shape->size() != value.shape().size())
    return false;
  return llvm::all_of(llvm::zip_equal(*inferred.shape, value.shape()),
                      [&](auto pair) {
                        auto known = table.valueOf(std::get<0>(pair));
                        return !known || *known == std::get<1>(pair);
                      });
}

/// Tensors of symbols are made of shapes: beyond this they are no longer worth
/// their memory, some hundred bytes an element.
static constexpr int64_t mostSymbols = 4096;

/// All inputs whose values the kernel needs are constant, or symbols where it
/// can work with them.
Reason Evaluation::checkInputs(const Kernel &kernel,
                               ArrayRef<ValueState *> inputs) const {
  bool anySymbolic = false;
  for (auto [i, input] : llvm::enumerate(inputs))
    anySymbolic |= input->isSymbolic() && Kernel::has(kernel.symbolic, i);
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (anySymbolic && input->isConstant() && Kernel::has(kernel.symbolic, i) &&
        input->value.size() > mostSymbols)
      return notFolded(ReasonCode::InputNotConstant,
                       "input #" + Twine(i) +
                           " is too large to be combined with one that is "
                           "known in part");
    if (input->absent || input->isConstant() || Kernel::has(kernel.ignored, i))
      continue;
    if (kernel.anyKind && input->known())
      continue;
    if (input->isSymbolic() && Kernel::has(kernel.symbolic, i))
      continue;
    return notFolded(ReasonCode::InputNotConstant,
                     "input #" + Twine(i) + " is not constant");
  }
  return {};
}

/// Refuses results that are too large before anything is allocated.
Reason Evaluation::checkInferred(ArrayRef<ValueState> inferred) const {
  for (const ValueState &state : inferred) {
    if (!state.shape || state.type == DataType::Undefined)
      continue;
    Shape shape;
    for (DimExpr d : *state.shape)
      shape.push_back(table.valueOf(d).value_or(0));
    std::optional<int64_t> count = checkedNumElements(shape);
    uint64_t most = options.limits.maxResultBytes / byteWidth(state.type);
    if (!count || uint64_t(*count) > most)
      return notFolded(ReasonCode::ResultLimit,
                       "the result has shape " + toString(shape) +
                           ", more than " +
                           Twine(options.limits.maxResultBytes) + " bytes");
  }
  return {};
}

/// Notes what is known of a result; a reason if that is not all of it.
Reason Evaluation::recordValue(Value value, const Elements &elements) {
  if (elements.type() != DataType::Opaque) {
    setState(value, known(elements.compacted(), table));
    return {};
  }
  // DimExprs are integers, truths and some floats: of other types they would
  // mean something else.
  ValueState &state = stateOf(value);
  if (elements.size() <= mostSymbols &&
      (state.type == DataType::Undefined || isInteger(state.type) ||
       state.type == DataType::Bool || SymbolicFloats::covers(state.type)))
    state.value = elements;
  return notFolded(ReasonCode::InputNotConstant,
                   "its value is known in part only");
}

/// Nothing is recorded of results that contradict what was inferred.
Reason Evaluation::record(Operation *op, const FoldResult &result) {
  if (!result)
    return result.reason();
  Reason reason;
  SmallVector<FoldedValue, 1> computed(result.values());
  computed.resize(op->getNumResults());
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Elements &elements = computed[i].tensor;
    if (!computed[i] && !value.use_empty())
      reason = notFolded(ReasonCode::UnsupportedType,
                         "no kernel for these element types");
    if (!elements)
      continue;
    const ValueState &inferred = stateOf(value);
    if (elements.type() == DataType::Opaque && elements.size() <= mostSymbols)
      elements = resolveSymbols(elements, inferred.type, table);
    if (!agrees(inferred, elements, table))
      return notFolded(ReasonCode::Inconsistent,
                       "result #" + Twine(i) + " is " + name(elements.type()) +
                           toString(elements.shape()) +
                           ", not what type inference says");
  }
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    if (!computed[i])
      continue;
    if (!computed[i].tensor)
      setState(value, known(computed[i], table));
    else if (Reason partly = recordValue(value, computed[i].tensor);
             partly.code != ReasonCode::None && !stateOf(value).absent)
      reason = partly;
    if (reason.code == ReasonCode::None &&
        (!computed[i].tensor || !dialect.hasConstants(op, i)))
      reason = notFolded(ReasonCode::NoTensor, dialect.whyNoConstant(op, i));
  }
  return reason;
}
