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
      return declaredFact(argument, table);
    });
  visited = inferring = nullptr;
}

void Evaluation::add(Operation *op) {
  Visitor all = std::exchange(visited, nullptr);
  visit(op);
  visited = all;
}

void Evaluation::refine(Value value, const Fact &other) {
  Fact &fact = factOf(value);
  if (fact.type == DataType::Undefined)
    fact.type = other.type;
  if (!fact.shape) {
    fact.shape = other.shape;
    return;
  }
  if (!other.shape || other.shape->size() != fact.shape->size())
    return;
  for (auto [mine, theirs] : llvm::zip_equal(*fact.shape, *other.shape))
    if (!table.valueOf(mine) && table.valueOf(theirs))
      mine = theirs;
}

const Fact &Evaluation::fact(Value value) const {
  auto it = facts.find(value);
  assert(it != facts.end() && "the value did not exist when run() was called");
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
    if (auto it = facts.find(result); it != facts.end()) {
      *it->second = Fact();
      facts.erase(it);
    }
}

/// What is known of a value that is read. One that was not visited (made
/// outside the root, or further down where order does not matter) may be
/// anything of its type.
Fact &Evaluation::factOf(Value value) {
  Fact *&slot = facts[value];
  if (!slot) {
    Fact fact = outer ? import(outer->factOf(value))
                      : factOfType(value.getType(), table);
    slot = new (factMemory.Allocate()) Fact(std::move(fact));
  }
  return *slot;
}

/// In place: others may hold a pointer to the fact already.
Fact &Evaluation::setFact(Value value, Fact fact) {
  // Also what no wide tensor took part in (a constant, a cast, a range).
  if (options.precision == Precision::Wide) {
    if (fact.value)
      fact.value = fact.value.widened();
    if (fact.sequence) {
      auto wide = std::make_shared<std::vector<Elements>>();
      for (const Elements &tensor : *fact.sequence)
        wide->push_back(tensor.widened());
      fact.sequence = std::move(wide);
    }
  }
  Fact *&slot = facts[value];
  if (!slot)
    slot = new (factMemory.Allocate()) Fact();
  *slot = std::move(fact);
  return *slot;
}

/// The reasons of operations that fold, and of those that are constants. (A set
/// of the constants would take twenty bytes for each.)
static const Reason folds, states;

void Evaluation::setReason(Operation *op, Reason reason) {
  if (reason.code == ReasonCode::None) {
    reasons[op] = &folds;
    return;
  }
  std::string key = char(reason.code) + reason.text;
  reasons[op] = &texts.try_emplace(key, std::move(reason)).first->second;
}

bool Evaluation::isConstant(Operation *op) const {
  return reasons.lookup(op) == &states;
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

Fact Evaluation::declaredFact(BlockArgument argument, Symbols &symbols) const {
  return options.factOfArgument ? options.factOfArgument(argument, symbols)
                                : factOfType(argument.getType(), symbols);
}

void Evaluation::visitRegion(
    Region &region, llvm::function_ref<Fact(BlockArgument)> factOfArgument) {
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments())
      setFact(argument, factOfArgument(argument));
    for (Operation &op : block) {
      visit(&op);
      if (visited && !isConstant(&op))
        visited(&op);
    }
  }
}

/// The fact of a value that is all known.
static Fact known(FoldedValue folded, Symbols &table) {
  Fact fact;
  fact.sequence = std::move(folded.sequence);
  fact.isNothing = folded.isNothing;
  Elements value = std::move(folded.tensor);
  if (!value)
    return fact;
  fact.type = value.type();
  fact.shape.emplace();
  for (int64_t d : value.shape())
    fact.shape->push_back(table.constant(d));
  fact.value = std::move(value);
  return fact;
}

void Evaluation::assume(Value value, FoldedValue given) {
  if (given) {
    setFact(value, known(std::move(given), table));
    return;
  }
  Fact &fact = factOf(value);
  fact.value = {};
  fact.sequence = {};
}

/// A symbol of the table around a body in that of one run.
SymbolHandle Evaluation::importSymbol(SymbolHandle symbol) {
  if (std::optional<int64_t> value = outer->table.valueOf(symbol))
    return table.constant(*value);
  auto [it, isNew] = importedSymbols.try_emplace(symbol.id);
  if (!isNew)
    return it->second;
  std::optional<SymbolHandle> copy =
      SymbolicFloats::import(symbol, outer->table, table);
  it->second = copy ? *copy : table.fresh(outer->table.rangeOf(symbol));
  return it->second;
}

Fact Evaluation::import(const Fact &fact) {
  Fact copy = fact;
  if (copy.shape)
    for (SymbolHandle &d : *copy.shape)
      d = importSymbol(d);
  if (!copy.isSymbolic())
    return copy;
  std::vector<SymbolHandle> elements = copy.value.values<SymbolHandle>();
  for (SymbolHandle &element : elements)
    element = importSymbol(element);
  copy.value = Elements::fromValues<SymbolHandle>(
      copy.value.shape(), ArrayRef<SymbolHandle>(elements));
  return copy;
}

/// Where types and shapes are the same in all runs inference need not be asked
/// again; false if they are not.
bool Evaluation::copyStaticTypes(Operation *op, MutableArrayRef<Fact> results) {
  if (!outer)
    return false;
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
    const Fact &general = outer->factOf(value);
    result.absent = general.absent;
    if (general.absent)
      continue;
    if (general.type == DataType::Undefined || !general.shape)
      return false;
    result.type = general.type;
    result.shape.emplace();
    for (SymbolHandle d : *general.shape) {
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
           return bool(outer->factOf(result).known());
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
    reasons[op] = &states;
    setFact(op->getResult(0), known(std::move(value), table));
    return;
  }
  const FoldingInterface *dialect = FoldingInterface::of(op);
  bool isOutermost = loops.empty();
  // What holds whatever the arguments of a body are; its values are written
  // into types that say nothing.
  if (!outer && op->getNumRegions() != 0)
    visitBodies(op, dialect);
  if (dialect) {
    Reason reason = evaluate(op, *dialect);
    if (!isQuiet)
      setReason(op, std::move(reason));
  } else {
    for (Value value : op->getResults())
      setFact(value, factOfType(value.getType(), table));
    setReason(op, notFolded(ReasonCode::NoKernel,
                            "no kernel for " + op->getName().getStringRef()));
  }
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
  SmallVector<Fact *, 4> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(&factOf(operand));
  SmallVector<Fact, 1> inferred(op->getNumResults());
  SmallVector<const Fact *, 4> operands(inputs.begin(), inputs.end());
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
  SmallVector<Fact *, 1> results;
  for (auto [value, fact] : llvm::zip_equal(op->getResults(), inferred))
    results.push_back(&setFact(value, fact));
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
  const Kernel *kernel =
      dialect.kernels().lookup(op->getName().getStringRef(), version, reason);
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
                             ArrayRef<Fact *> inputs,
                             ArrayRef<Fact *> results) {
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

bool Evaluation::agrees(const Fact &inferred, const Elements &value,
                        const Symbols &table) {
  if (inferred.type != DataType::Undefined && inferred.type != value.type() &&
      value.type() != DataType::Symbol)
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
                               ArrayRef<Fact *> inputs) const {
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
Reason Evaluation::checkInferred(ArrayRef<Fact> inferred) const {
  for (const Fact &fact : inferred) {
    if (!fact.shape || fact.type == DataType::Undefined)
      continue;
    Shape shape;
    for (SymbolHandle d : *fact.shape)
      shape.push_back(table.valueOf(d).value_or(0));
    std::optional<int64_t> count = checkedNumElements(shape);
    uint64_t most = options.limits.maxResultBytes / byteWidth(fact.type);
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
  if (elements.type() != DataType::Symbol) {
    setFact(value, known(elements.compacted(), table));
    return {};
  }
  // Symbols are integers, truths and some floats: of other types they would
  // mean something else.
  Fact &fact = factOf(value);
  if (elements.size() <= mostSymbols &&
      (fact.type == DataType::Undefined || isInteger(fact.type) ||
       fact.type == DataType::Bool || SymbolicFloats::covers(fact.type)))
    fact.value = elements;
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
    const Fact &inferred = factOf(value);
    if (elements.type() == DataType::Symbol && elements.size() <= mostSymbols)
      elements = resolveSymbols(elements, inferred.type, table);
    if (!agrees(inferred, elements, table))
      return notFolded(ReasonCode::Inconsistent,
                       "result #" + Twine(i) + " is " + name(elements.type()) +
                           toString(elements.shape()) +
                           ", not what type inference says");
  }
  const FoldingInterface *dialect = FoldingInterface::of(op);
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    if (!computed[i])
      continue;
    if (!computed[i].tensor)
      setFact(value, known(computed[i], table));
    else if (Reason partly = recordValue(value, computed[i].tensor);
             partly.code != ReasonCode::None && !factOf(value).absent)
      reason = partly;
    if (reason.code == ReasonCode::None &&
        (!computed[i].tensor || !dialect->hasConstants(op, i)))
      reason = notFolded(ReasonCode::NoTensor, dialect->whyNoConstant(op, i));
  }
  return reason;
}
