//===- Evaluation.cpp - What is known of every value ----------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

Evaluation::Evaluation(Operation *root, EvaluationOptions options)
    : rootOp(root), options(std::move(options)) {}

void Evaluation::run() {
  for (Region &region : rootOp->getRegions())
    visitRegion(region);
}

const Fact &Evaluation::fact(Value value) const {
  return *facts.find(value)->second;
}

bool Evaluation::isConstant(Operation *op) const {
  return constants.contains(op);
}

const Reason &Evaluation::reason(Operation *op) const {
  return reasons.find(op)->second;
}

void Evaluation::visitRegion(Region &region) {
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments())
      facts[argument] = std::make_unique<Fact>(
          options.factOfArgument ? options.factOfArgument(argument, table)
                                 : factOfType(argument.getType(), table));
    for (Operation &op : block)
      visit(&op);
  }
}

void Evaluation::visit(Operation *op) {
  if (options.step)
    options.step();
  Reason &reason = reasons[op];
  if (Elements value = constantOf(op)) {
    constants.insert(op);
    reason.code = ReasonCode::None;
    auto fact = std::make_unique<Fact>();
    fact->type = value.type();
    fact->shape.emplace();
    for (int64_t d : value.shape())
      fact->shape->push_back(table.constant(d));
    fact->value = std::move(value);
    facts[op->getResult(0)] = std::move(fact);
    return;
  }
  const FoldingInterface *dialect =
      op->getDialect()
          ? op->getDialect()->getRegisteredInterface<FoldingInterface>()
          : nullptr;
  Reason result;
  if (dialect) {
    result = evaluate(op, *dialect);
  } else {
    for (Value value : op->getResults())
      facts[value] = std::make_unique<Fact>(factOfType(value.getType(), table));
    result = notFolded(ReasonCode::NoKernel, "no kernel for " +
                                                 op->getName().getStringRef());
  }
  // Not through `reason`: visiting bodies makes the map grow.
  reasons[op] = std::move(result);
  for (Region &region : op->getRegions())
    visitRegion(region);
}

Elements Evaluation::constantOf(Operation *op) const {
  Attribute value;
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      !matchPattern(op, m_Constant(&value)))
    return {};
  return elementsOf(value);
}

/// That an input is not constant is the first thing to say about an operation.
static Reason firstOf(const Reason &unknownInput, const Reason &otherwise) {
  return unknownInput.code != ReasonCode::None ? unknownInput : otherwise;
}

Reason Evaluation::evaluate(Operation *op, const FoldingInterface &dialect) {
  SmallVector<Fact *, 4> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(facts.find(operand)->second.get());
  SmallVector<Fact, 1> inferred(op->getNumResults());
  dialect.inferTypes(op, SmallVector<const Fact *, 4>(inputs.begin(), inputs.end()),
                     inferred, table);
  SmallVector<Fact *, 1> results;
  for (auto [value, fact] : llvm::zip_equal(op->getResults(), inferred)) {
    auto &slot = facts[value];
    slot = std::make_unique<Fact>(fact);
    results.push_back(slot.get());
  }
  if (op->getNumResults() == 0)
    return notFolded(ReasonCode::NoKernel, "has no results");
  if (op->getNumRegions() != 0)
    return notFolded(ReasonCode::ControlFlow, "has a body");
  Reason unknownInput = checkInputs(Kernel(), inputs);
  if (std::optional<Reason> stay = dialect.mustStay(op))
    return stay->code == ReasonCode::NotDeterministic ? *stay
                                                      : firstOf(unknownInput, *stay);
  Reason reason;
  int version = dialect.versionOf(op);
  const Kernel *kernel = dialect.kernels().lookup(op->getName().getStringRef(),
                                                  version, reason);
  if (!kernel)
    return firstOf(unknownInput, reason);
  reason = checkInputs(*kernel, inputs);
  if (reason.code != ReasonCode::None)
    return reason;
  if (std::optional<Reason> wrong = dialect.checkOperands(op))
    return *wrong;
  if (options.filter)
    if (std::optional<Reason> filtered = options.filter(op))
      return *filtered;
  reason = checkInferred(inferred);
  if (reason.code != ReasonCode::None)
    return reason;
  FoldContext context(op, *kernel, version, inputs, results, table,
                      options.limits);
  return record(op, kernel->function(context));
}

/// All inputs whose values the kernel needs are constant, or symbols where it
/// can work with them.
Reason Evaluation::checkInputs(const Kernel &kernel,
                               ArrayRef<Fact *> inputs) const {
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (input->absent || input->isConstant() || Kernel::has(kernel.ignored, i))
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

/// The computed shape fits what was inferred.
static bool agrees(const Fact &inferred, const Elements &value,
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

Reason Evaluation::record(Operation *op, const FoldResult &result) {
  if (!result)
    return result.reason();
  Reason reason;
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Fact &fact = *facts.find(value)->second;
    Elements elements = i < result.values().size() ? result.values()[i]
                                                   : Elements();
    if (!elements) {
      if (!value.use_empty())
        reason = notFolded(ReasonCode::UnsupportedType,
                           "no kernel for these element types");
      continue;
    }
    if (elements.type() == DataType::Symbol)
      elements = resolveSymbols(elements, fact.type, table);
    if (!agrees(fact, elements, table))
      return notFolded(ReasonCode::Inconsistent,
                       "result #" + Twine(i) + " is " + name(elements.type()) +
                           toString(elements.shape()) +
                           ", not what type inference says");
    fact.value = elements;
    if (fact.isSymbolic()) {
      reason = notFolded(ReasonCode::InputNotConstant,
                         "its value is known in part only");
      continue;
    }
    fact.type = elements.type();
    fact.shape.emplace();
    for (int64_t d : elements.shape())
      fact.shape->push_back(table.constant(d));
  }
  return reason;
}
