//===- Evaluator.cpp - Evaluates one operation ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/Evaluator.h"
#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/StringText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <new>

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

/// A fact that holds in all branches holds for the result: a dimension is the
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

static void inferFromBranches(Operation *op, const FoldingInterface &dialect,
                              MutableArrayRef<ValueState> results,
                              ValueTable &table) {
  for (auto [i, state] : llvm::enumerate(results)) {
    SmallVector<Value, 2> values;
    dialect.branchesOf(op, i, values);
    SmallVector<const ValueState *, 2> branches;
    for (Value value : values)
      branches.push_back(&table.of(value));
    if (!branches.empty())
      refineByBranches(state, branches, table.exprs());
  }
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

static void inferFromLoop(Operation *op, const FoldingInterface &dialect,
                          ArrayRef<const ValueState *> operands,
                          MutableArrayRef<ValueState> results,
                          const Walk &walk) {
  const LoopInvariants *loop = walk.loops.find(op);
  if (!loop)
    return;
  SmallVector<ValueState, 2> known = dialect.resultsOfLoop(
      op, loop->runs, operands, loop->last, results, walk.values.exprs());
  for (auto [state, better] : llvm::zip_equal(results, known))
    if (!state.absent)
      refineByLoop(state, better, *loop, walk.values.exprs());
}

void Evaluator::inferTypes(Operation *op, ArrayRef<const ValueState *> operands,
                           MutableArrayRef<ValueState> results,
                           const Walk &walk) const {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  if (!walk.values.copyOutsideTypes(op, results))
    dialect.inferTypes(op, operands, results, walk.values.exprs(),
                       walk.values.types());
  if (walk.values.isInside())
    return;
  if (op->getNumRegions() != 0) {
    inferFromBranches(op, dialect, results, walk.values);
    inferFromLoop(op, dialect, operands, results, walk);
  }
  if (!walk.isTrial && options.refinesTypes)
    dialect.refineTypes(op, results, walk.values.exprs(), walk.values.types(),
                        noteOfConflicts());
}

FoldingInterface::NoteConflict Evaluator::noteOfConflicts() const {
  FoldingInterface::NoteConflict note;
  if (options.noteTypeConflict)
    note = options.noteTypeConflict;
  return note;
}

//===----------------------------------------------------------------------===//
// What speaks against folding
//===----------------------------------------------------------------------===//

/// Nearly every operation of a model has this reason.
static Reason notConstant(size_t input) {
  std::string text;
  text.reserve(32);
  text += "input #";
  text += std::to_string(input);
  text += " is not constant";
  return {ReasonCode::InputNotConstant, std::move(text)};
}

/// All inputs whose values the kernel needs are constant, or symbols where it
/// can work with them.
static Reason checkInputs(const Kernel &kernel, ArrayRef<ValueState *> inputs) {
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
    return notConstant(i);
  }
  return {};
}

/// An input that is not constant is the first thing to say about an operation.
static Reason inputOr(ArrayRef<ValueState *> inputs, const Reason &otherwise) {
  Reason unknownInput = checkInputs(Kernel(), inputs);
  return unknownInput ? unknownInput : otherwise;
}

/// Refuses results that are too large before anything is allocated.
static Reason checkInferred(ArrayRef<ValueState *> inferred, const Walk &walk) {
  for (const ValueState *state : inferred) {
    if (!state->shape || state->type == DataType::Undefined)
      continue;
    Shape shape;
    for (DimExpr d : *state->shape)
      shape.push_back(walk.values.exprs().valueOf(d).value_or(0));
    std::optional<int64_t> count = checkedNumElements(shape);
    uint64_t most = walk.limits.maxResultBytes / byteWidth(state->type);
    if (!count || uint64_t(*count) > most)
      return notFolded(ReasonCode::ResultLimit,
                       "the result has shape " + toString(shape) +
                           ", more than " + Twine(walk.limits.maxResultBytes) +
                           " bytes");
  }
  return {};
}

/// Inference leaves to the values what the sizes of some result are.
static bool haveOpenSizes(ArrayRef<ValueState *> inferred, const Walk &walk) {
  return llvm::any_of(inferred, [&](const ValueState *state) {
    return !state->shape || llvm::any_of(*state->shape, [&](DimExpr d) {
      return !walk.values.exprs().valueOf(d);
    });
  });
}

/// 0 if it is not known.
static uint64_t inferredElements(const ValueState &state, const Walk &walk) {
  uint64_t count = state.shape ? 1 : 0;
  for (DimExpr d : state.shape.value_or(SmallVector<DimExpr, 4>()))
    count *= walk.values.exprs().valueOf(d).value_or(0);
  return count;
}

/// Adds up the bytes of the results whose types and sizes are known.
static uint64_t bytesOfResults(ArrayRef<ValueState *> results,
                               const Walk &walk) {
  uint64_t bytes = 0;
  for (const ValueState *state : results)
    if (state->type != DataType::Undefined)
      bytes += inferredElements(*state, walk) * byteWidth(state->type);
  return bytes;
}

/// Applies the limits to a kernel that declares its cost.
static Reason checkCost(const Kernel &kernel, ArrayRef<ValueState *> inputs,
                        ArrayRef<ValueState *> results,
                        const FoldContext &context, const Walk &walk) {
  if (kernel.unitsOfElement == 0)
    return {};
  double read = 0, made = 0;
  for (const ValueState *input : inputs)
    if (input->value)
      read += double(input->value.size());
  for (const ValueState *result : results)
    made += double(inferredElements(*result, walk));
  return context.checkWork(std::max(read, made), kernel.unitsOfElement);
}

/// Why nothing that needs so many bytes is computed any more.
static Reason checkRun(uint64_t bytes) {
  RunBudget *budget = RunBudget::current();
  return budget ? budget->begin(bytes) : Reason();
}

static uint64_t charactersOf(const Elements &value) {
  return value && value.type() == DataType::String
             ? uint64_t(ops::characterCount(value))
             : 0;
}

/// Kernels may look at each character of their inputs.
static Reason checkCharacters(ArrayRef<ValueState *> inputs,
                              const FoldContext &context) {
  constexpr double unitsOfCharacter = 2;
  uint64_t characters = 0;
  for (const ValueState *input : inputs)
    characters += charactersOf(input->value);
  return characters ? context.checkWork(double(characters), unitsOfCharacter)
                    : Reason();
}

/// Strings share their characters, but the file of the model has each of them.
/// `made`: the text that the kernel has counted.
static Reason checkStrings(const FoldResult &result, uint64_t made,
                           const FoldLimits &limits) {
  if (!result)
    return {};
  RunBudget *budget = RunBudget::current();
  for (const FoldedValue &value : result.values()) {
    if (!value.tensor || value.tensor.type() != DataType::String)
      continue;
    uint64_t characters = charactersOf(value.tensor);
    uint64_t bytes = characters + value.tensor.bytes();
    if (bytes > limits.maxResultBytes)
      return notFolded(ReasonCode::ResultLimit,
                       "the result has shape " +
                           toString(value.tensor.shape()) + " with " +
                           Twine(characters) + " characters, more than " +
                           Twine(limits.maxResultBytes) + " bytes");
    uint64_t counted = std::min(made, bytes);
    made -= counted;
    if (Reason much = budget ? budget->makeText(bytes - counted) : Reason())
      return much;
  }
  return {};
}

/// An operation is erased with what is in its bodies.
Reason Evaluator::checkFilter(Operation *op, const Walk &walk) const {
  if (!options.filter ||
      walk.values.isInside()) // of a body the operation around was asked
    return {};
  if (Reason filtered = options.filter(op))
    return filtered;
  Reason inner;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *below) {
      Reason filtered = options.filter(below);
      if (!filtered)
        return WalkResult::advance();
      inner = inBody(below, filtered);
      return WalkResult::interrupt();
    });
  return inner;
}

/// Units of FoldLimits::maxWork for an element of a result, whatever computes
/// it, and for an operation beside its elements.
static constexpr double unitsOfElement = 20, unitsOfOperation = 20'000;

/// Adds the work of an operation with these results to that of the run.
static void noteWork(ArrayRef<ValueState *> results) {
  RunBudget *budget = RunBudget::current();
  if (!budget)
    return;
  double elements = 0;
  for (const ValueState *state : results)
    if (state->value)
      elements += double(state->value.size());
  budget->noteWork(unitsOfOperation + unitsOfElement * elements);
}

static double notedWork() {
  RunBudget *budget = RunBudget::current();
  return budget ? budget->notedWork() : 0;
}

static uint64_t madeText() {
  RunBudget *budget = RunBudget::current();
  return budget ? budget->madeText() : 0;
}

/// The recipe of each result that is worth one, others null; empty if there is
/// none. Results that are dear to compute are looked up from now on.
std::vector<RecipeRef> Evaluator::findRecipes(const CachedOperation &operation,
                                              FoldResult &result, double work,
                                              ValueTable &values) const {
  if (!result || llvm::none_of(result.values(), [](const FoldedValue &value) {
        return mayBeCached(value.tensor);
      }))
    return {};
  auto words = wordsOf(operation, options.cache->salt(), options.precision);
  if (!words)
    return {};
  std::vector<RecipeRef> inputs, recipes;
  for (auto [operand, state] :
       llvm::zip_equal(operation.op->getOperands(), operation.inputs))
    if (!state->absent)
      inputs.push_back(values.recipe(operand));
  SmallVector<FoldedValue, 1> computed(result.values());
  for (auto [i, value] : llvm::enumerate(computed)) {
    Elements &tensor = value.tensor;
    recipes.push_back(nullptr);
    if (!mayBeCached(tensor))
      continue;
    auto ofResult = *words;
    ofResult.push_back(i);
    recipes.back() = llvm::makeIntrusiveRefCnt<Recipe>(
        std::move(ofResult), inputs,
        work + unitsOfElement * double(tensor.size()));
    tensor = storedOnDemand(tensor, recipes.back(), work, *options.cache);
  }
  result = FoldResult(std::move(computed));
  return recipes;
}

/// Each operation in a body is within the limits; all of its runs are, too.
Reason Evaluator::checkUsed(Operation *op, const Walk &walk) const {
  if (!walk.used)
    return {};
  for (Value result : op->getResults())
    if (const Elements &value = walk.values.of(result).value)
      walk.used->work += unitsOfElement * double(value.size());
  if (walk.used->work <= double(walk.limits.maxWork))
    return {};
  return notFolded(ReasonCode::WorkLimit, "its runs take more work than " +
                                              Twine(walk.limits.maxWork));
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

Reason Evaluator::evaluate(Operation *op, const Walk &walk) const {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  SmallVector<ValueState *, 4> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(&walk.values.of(operand));
  SmallVector<ValueState, 1> inferred(op->getNumResults());
  SmallVector<const ValueState *, 4> operands(inputs.begin(), inputs.end());
  inferTypes(op, operands, inferred, walk);
  SmallVector<ValueState *, 1> results;
  for (auto [value, state] : llvm::zip_equal(op->getResults(), inferred))
    results.push_back(&walk.values.set(value, std::move(state)));
  if (op->getNumResults() == 0)
    return notFolded(ReasonCode::NoKernel, "has no results");
  if (std::optional<FoldResult> called = runCall(op, inputs, walk)) {
    bool areOpen = haveOpenSizes(results, walk);
    Reason reason = record(op, *called, walk.values, walk.isTrial);
    if (areOpen)
      refineByValues(op, walk);
    return reason;
  }
  Reason kept = dialect.mustBeKept(op);
  if (!kept)
    kept = options.policy ? options.policy(op) : dialect.keptByPolicy(op);
  if (kept)
    return kept.code == ReasonCode::NotDeterministic ||
                   kept.code == ReasonCode::Invalid
               ? kept
               : inputOr(inputs, std::move(kept));
  int version = dialect.versionOf(op);
  ReasonOr<const Kernel *> kernel = dialect.kernelOf(op, version);
  if (!kernel && op->getNumRegions() != 0)
    return notFolded(ReasonCode::ControlFlow, "has a body");
  if (!kernel)
    return inputOr(inputs, kernel.reason());
  if (Reason wrong = checkInputs(**kernel, inputs))
    return wrong;
  if (Reason wrong = dialect.checkOperands(op))
    return wrong;
  if (Reason filtered = checkFilter(op, walk))
    return filtered;
  if (Reason large = checkInferred(results, walk))
    return large;
  if (Reason exhausted = checkRun(bytesOfResults(results, walk)))
    return exhausted;
  bool areOpen = haveOpenSizes(results, walk);
  Reason reason = runKernel(op, **kernel, version, inputs, results, walk);
  if (areOpen)
    refineByValues(op, walk);
  return reason;
}

/// Values that were computed correct what the model says of their sizes.
void Evaluator::refineByValues(Operation *op, const Walk &walk) const {
  if (walk.isTrial || walk.values.isInside() || !options.refinesTypes)
    return;
  SmallVector<ValueState, 1> states;
  for (Value result : op->getResults())
    states.push_back(walk.values.of(result));
  FoldingInterface::orDefault(op).refineTypes(
      op, states, walk.values.exprs(), walk.values.types(), noteOfConflicts());
}

/// Computes a call whose arguments are all known; nothing if it is none.
std::optional<FoldResult> Evaluator::runCall(Operation *op,
                                             ArrayRef<ValueState *> inputs,
                                             const Walk &walk) const {
  bool isKnown = llvm::all_of(inputs, [](const ValueState *input) {
    return input->absent || input->known();
  });
  if (!isKnown)
    return std::nullopt;
  OwningOpRef<Operation *> callee = bodies.calleeOf(op);
  if (!callee)
    return std::nullopt;
  if (Reason filtered = checkFilter(op, walk))
    return filtered;
  if (Reason exhausted = checkRun(0))
    return exhausted;
  return bodies.runFunction(*callee, op->getNumResults(), inputs, walk);
}

/// Says which operation it was that there was no memory for.
static FoldResult callKernel(Operation *op, const Kernel &kernel,
                             FoldContext &context) {
  RunBudget *budget = RunBudget::current();
  Operation *outer = budget ? budget->enter(op) : nullptr;
  try {
    FoldResult result = context.call(kernel);
    if (budget)
      budget->enter(outer);
    return result;
  } catch (const std::bad_alloc &) {
    if (budget)
      budget->noteFailure(op);
    throw;
  }
}

Reason Evaluator::runKernel(Operation *op, const Kernel &kernel, int version,
                            ArrayRef<ValueState *> inputs,
                            ArrayRef<ValueState *> results,
                            const Walk &walk) const {
  UsedLimits own;
  UsedLimits *shared = walk.used             ? walk.used
                       : op->getNumRegions() ? &own
                                             : nullptr;
  auto runBody = [&](Region &body, ArrayRef<FoldedValue> arguments) {
    return bodies.runBody(body, arguments, walk, *shared);
  };
  FoldContext context(op, kernel, version, inputs, results, walk.values.exprs(),
                      walk.limits, runBody, shared);
  double before = notedWork();
  if (Reason much = checkCost(kernel, inputs, results, context, walk))
    return much;
  if (Reason much = checkCharacters(inputs, context))
    return much;
  uint64_t textBefore = madeText();
  FoldResult result = callKernel(op, kernel, context);
  if (Reason much = checkStrings(result, madeText() - textBefore, walk.limits))
    return much;
  std::vector<RecipeRef> recipes;
  if (options.cache && !walk.values.isInside() && !walk.isTrial)
    recipes = findRecipes({op, kernel.operation, version, inputs, results},
                          result, notedWork() - before, walk.values);
  Reason reason = record(op, result, walk.values, walk.isTrial);
  for (auto [i, recipe] : llvm::enumerate(recipes))
    if (recipe && walk.values.of(op->getResult(i)).isConstant())
      walk.values.setRecipe(op->getResult(i), std::move(recipe));
  noteWork(results);
  if (reason && reason.code != ReasonCode::NoTensor)
    return reason;
  Reason tooMuch = checkUsed(op, walk);
  return tooMuch ? tooMuch : reason;
}
