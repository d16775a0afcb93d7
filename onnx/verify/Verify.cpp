//===- Verify.cpp - A model and its result, on the same inputs ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/Verify.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/verify/Difference.h"
#include "onnxfold/onnx/verify/internal/Execution.h"
#include "onnxfold/onnx/verify/internal/InputSearch.h"
#include "onnxfold/onnx/verify/internal/RunCopy.h"
#include "onnxfold/onnx/verify/internal/Schedule.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// One run of the original.
struct Original {
  std::vector<FoldedValue> inputs;
  Execution run;
};

class Verification {
public:
  Verification(ModuleOp before, ModuleOp after, const VerifyOptions &options);

  VerifyResult run();

private:
  Tolerance toleranceFor(ModuleOp module) const;
  ExecutionOptions executionOptions(unsigned trial) const {
    return {options.limits, options.seed + trial, options.step,
            options.isCancelled};
  }
  bool goesOn() const { return !options.isCancelled || !options.isCancelled(); }
  bool runTrial(unsigned trial);
  void beginSearch();
  void fitInputs(std::vector<FoldedValue> &values, unsigned trial) const;
  void giveDefaults();
  bool distrustTypes(const Execution &run);
  std::optional<Original> search(unsigned trial);
  std::optional<Original> runOn(const ValueKinds &kinds, unsigned trial);
  void runSet(const Original &original, unsigned trial, bool isUsual);
  void specialise(FunctionOpInterface graph);
  std::vector<FoldedValue> inputsFor(FunctionOpInterface graph,
                                     ArrayRef<FoldedValue> values) const;
  void compareOutputs(const Original &original, const Execution &folded,
                      unsigned trial, bool isUsual);
  void compareObstacles(const Execution &original, const Execution &folded,
                        unsigned trial, bool isUsual);
  void compareWithin(unsigned output, const Original &original,
                     const FoldedValue &folded, unsigned trial);
  Execution runMoved(const Original &original, unsigned trial, unsigned time);
  Elements moved(const Elements &value, Random &random) const;
  void measureMovements(const Original &original, unsigned trial);
  ComparedValue &entryOf(const Twine &name, unsigned trial);
  ComparedValue &compare(const Twine &name, const FoldedValue &original,
                         const FoldedValue &folded, const Tolerance &tolerance,
                         unsigned trial);
  void note(ComparedValue &value, const Difference &found, unsigned trial);
  void isMissing(const std::string &name, const Twine &text, unsigned trial);
  void noteNotRun(const Twine &name, const Reason &reason,
                  bool isOutput = false);
  void noteNoOutputRun(const Reason &reason);
  std::string nameOfOutput(unsigned output) const;
  bool isAllGiven() const;

  const GivenInputs *givenFor(unsigned trial) const {
    return given.empty() ? nullptr : &given[options.inputs.empty() ? 0 : trial];
  }

  ModuleOp before, after;
  const VerifyOptions &options;
  Tolerance tolerance;
  ModelNumbers numbers;
  InputSource source;
  std::vector<GivenInputs> given; // one for all trials, or one for each
  bool givesDefaults = false;
  BodyTypes believed = BodyTypes::Believed;
  std::optional<InputSearch> inputs;
  Schedule schedule;
  /// How far the original's outputs move, as parts of their largest numbers;
  /// measured on the present set of inputs too.
  std::vector<double> movements;
  bool isMeasured = false;
  llvm::StringMap<size_t> places;   // of compared values, by name
  std::vector<unsigned> lastTrials; // of compared values
  llvm::StringSet<> named;          // in notRun
  VerifyResult result;
};

} // namespace

static bool isQuantized(Operator op) {
  StringRef type = op.opType();
  return op.domain().empty() &&
         (type.contains("Quantize") || type.starts_with("QLinear") ||
          type == "MatMulInteger" || type == "ConvInteger");
}

static bool isHalf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped &&
         (shaped.getElementType().isF16() || shaped.getElementType().isBF16());
}

Tolerance Verification::toleranceFor(ModuleOp module) const {
  Tolerance tolerance;
  if (options.exact)
    return tolerance;
  tolerance.relative = std::fmax(1e-5, options.relative);
  if (options.relative != 0)
    tolerance.steps = INFINITY;
  module.walk([&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), isHalf))
      tolerance.relative = std::fmax(2e-2, tolerance.relative);
    if (Operator onnxOp = Operator::from(op); onnxOp && isQuantized(onnxOp)) {
      tolerance.ofRange = 1.001 / 255;
      tolerance.steps = std::fmax(1, tolerance.steps);
    }
  });
  return tolerance;
}

/// Nothing is random.
bool Verification::isAllGiven() const {
  auto isGiven = [&](Value input) {
    return !options.inputs.empty() &&
           llvm::all_of(options.inputs, [&](const GivenInputs &set) {
             return set.contains(valueName(input));
           });
  };
  return llvm::all_of(runnableGraph(before).getArguments(), isGiven);
}

Verification::Verification(ModuleOp before, ModuleOp after,
                           const VerifyOptions &options)
    : before(before), after(after), options(options),
      tolerance(toleranceFor(before)),
      numbers(numbersOf({before, after})), source{options.limits, numbers,
                                                  options.seed},
      given(options.inputs), schedule(options.exact, isAllGiven()) {
  beginSearch();
}

void Verification::beginSearch() {
  inputs.emplace(runnableGraph(before), numbers, !isAllGiven());
}

/// Gives missing inputs their defaults in all trials that follow.
void Verification::giveDefaults() {
  givesDefaults = true;
  if (given.empty())
    given.emplace_back();
  for (GivenInputs &set : given)
    for (const auto &entry : options.defaults)
      set.try_emplace(entry.first(), entry.second);
  beginSearch();
}

/// From now on, if a body has others than the model declares: they are noted,
/// and a runtime asks for none of them.
bool Verification::distrustTypes(const Execution &run) {
  if (believed == BodyTypes::Forgotten)
    return false;
  for (const Obstacle &obstacle : run.obstacles)
    if (obstacle.isOfBodies && obstacle.reason.code == ReasonCode::Inconsistent)
      result.wrongTypes.push_back(obstacle.name + ": " + obstacle.reason.text);
  if (result.wrongTypes.empty())
    return false;
  believed = BodyTypes::Forgotten;
  beginSearch();
  return true;
}

/// Dimensions that only the other module knows (it may have been specialised).
void Verification::specialise(FunctionOpInterface graph) {
  llvm::StringMap<Type> types;
  for (BlockArgument argument : runnableGraph(after).getArguments())
    types[valueName(argument)] = argument.getType();
  for (BlockArgument argument : graph.getArguments()) {
    auto mine = dyn_cast<RankedTensorType>(argument.getType());
    auto theirs =
        dyn_cast_or_null<RankedTensorType>(types.lookup(valueName(argument)));
    if (!mine || !theirs || mine.getRank() != theirs.getRank() ||
        mine.getElementType() != theirs.getElementType())
      continue;
    SmallVector<int64_t> shape(mine.getShape());
    for (auto [size, other] : llvm::zip_equal(shape, theirs.getShape()))
      if (ShapedType::isDynamic(size))
        size = other;
    argument.setType(mine.clone(shape));
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Numbers that the type of the result has too, and whose products it has.
void Verification::fitInputs(std::vector<FoldedValue> &values,
                             unsigned trial) const {
  DataType to = options.roundsInputs;
  if (to == DataType::Undefined)
    return;
  double limit = to == DataType::Float16 ? 0x1p8 : 0x1p63;
  const GivenInputs *fixed = givenFor(trial);
  for (auto [argument, value] :
       llvm::zip_equal(runnableGraph(before).getArguments(), values)) {
    if (!value.tensor || !isFloat(value.tensor.type()) ||
        (fixed && fixed->contains(valueName(argument))))
      continue;
    DataType type = value.tensor.type();
    auto bound = [&](double number) {
      return Elements::splat(type, {}, WideNum::widen(number));
    };
    Elements clipped = ops::clip(value.tensor, bound(-limit), bound(limit));
    value = FoldedValue(ops::cast(ops::cast(clipped, to), type));
  }
}

/// Inputs that no operator refuses, and what the original makes of them.
/// Nothing if there are no inputs of some type.
std::optional<Original> Verification::search(unsigned trial) {
  auto tryInputs =
      [&](const InputChoice &choice,
          const InputSearch::StopsAt &stopsAt) -> llvm::Expected<TriedInputs> {
    RunCopy copy(before, believed);
    specialise(copy.graph());
    auto made =
        randomInputs(copy.graph(), source, trial, choice, {}, givenFor(trial));
    if (!made)
      return made.takeError();
    fitInputs(made->values, trial);
    ExecutionOptions how = executionOptions(trial);
    how.stopsAt = stopsAt;
    Execution run = execute(copy.graph(), made->values, how);
    auto refusal = refusalOf(copy.graph(), run);
    return TriedInputs{std::move(*made), std::move(run), std::move(refusal)};
  };
  llvm::Expected<TriedInputs> found = inputs->next(trial, tryInputs);
  if (found && distrustTypes(found->run))
    found = inputs->next(trial, tryInputs);
  if (found && found->run.hasRefused() && !givesDefaults &&
      !options.defaults.empty()) {
    giveDefaults();
    found = inputs->next(trial, tryInputs);
  }
  if (!found) {
    noteNoOutputRun(notFolded(ReasonCode::InputNotConstant,
                              llvm::toString(found.takeError())));
    return std::nullopt;
  }
  return Original{std::move(found->inputs.values), std::move(found->run)};
}

/// The original on other numbers of the sizes that were found.
std::optional<Original> Verification::runOn(const ValueKinds &kinds,
                                            unsigned trial) {
  RunCopy copy(before, believed);
  specialise(copy.graph());
  auto made = randomInputs(copy.graph(), source, trial, inputs->choice(), kinds,
                           givenFor(trial));
  if (!made) {
    llvm::consumeError(made.takeError());
    return std::nullopt;
  }
  fitInputs(made->values, trial);
  ExecutionOptions how = executionOptions(trial);
  how.saturates = false;
  Execution run = execute(copy.graph(), made->values, how);
  return Original{std::move(made->values), std::move(run)};
}

static uint64_t timesTwo(uint64_t work) {
  return work > ~uint64_t(0) / 2 ? ~uint64_t(0) : 2 * work;
}

/// The result on the same inputs, and the comparison.
void Verification::runSet(const Original &original, unsigned trial,
                          bool isUsual) {
  isMeasured = false;
  RunCopy copy(after, believed);
  ExecutionOptions how = executionOptions(trial);
  how.given = &original.run.standIns;
  how.saturates = isUsual;
  how.limits.maxWork = timesTwo(how.limits.maxWork); // or it may stop alone
  Execution folded =
      execute(copy.graph(), inputsFor(copy.graph(), original.inputs), how);
  compareOutputs(original, folded, trial, isUsual);
  compareObstacles(original.run, folded, trial, isUsual);
  schedule.noteCost(original.inputs, original.run, folded);
}

/// The values by the names of inputs: the result may have them in another
/// order, or have fewer.
std::vector<FoldedValue>
Verification::inputsFor(FunctionOpInterface graph,
                        ArrayRef<FoldedValue> values) const {
  llvm::StringMap<FoldedValue> byName;
  for (auto [argument, value] :
       llvm::zip_equal(runnableGraph(before).getArguments(), values))
    byName[valueName(argument)] = value;
  std::vector<FoldedValue> result;
  for (BlockArgument argument : graph.getArguments())
    result.push_back(byName.lookup(valueName(argument)));
  return result;
}

/// Usual numbers, or in later trials others if nothing refuses them; then as
/// many more sets as take little time. False if no trial will do.
bool Verification::runTrial(unsigned trial) {
  std::optional<Original> original;
  if (auto kinds = schedule.first(trial)) {
    original = runOn(*kinds, trial);
    if (original && original->run.hasRefused())
      original.reset();
  }
  bool isUsual = !original;
  if (isUsual)
    original = search(trial);
  if (!original)
    return false;
  runSet(*original, trial, isUsual);
  while (auto kinds = schedule.next(trial)) {
    if (!goesOn())
      break;
    if (auto other = runOn(*kinds, trial))
      runSet(*other, trial, /*isUsual=*/false);
  }
  return true;
}

VerifyResult Verification::run() {
  unsigned trials =
      options.inputs.empty() ? options.trials : options.inputs.size();
  while (result.trials != trials && goesOn()) {
    if (!schedule.mayBegin(result.trials)) {
      result.trialsLeftOut = trials - result.trials;
      break;
    }
    if (!runTrial(result.trials))
      break;
    ++result.trials;
  }
  llvm::erase_if(result.notRun, [&](const NotRun &entry) {
    return entry.isOutput && places.contains(entry.name);
  });
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

std::string Verification::nameOfOutput(unsigned output) const {
  auto name = runnableGraph(before).getResultAttrOfType<StringAttr>(
      output, nameAttrName);
  return ("output '" + (name ? name.getValue() : StringRef()) + "'").str();
}

void Verification::noteNotRun(const Twine &name, const Reason &reason,
                              bool isOutput) {
  if (named.insert(name.str()).second)
    result.notRun.push_back({name.str(), reason, isOutput});
}

void Verification::noteNoOutputRun(const Reason &reason) {
  for (unsigned i = 0; i != runnableGraph(before).getNumResults(); ++i)
    noteNotRun(nameOfOutput(i), reason, /*isOutput=*/true);
}

/// Keeps the larger one of two differences.
void Verification::note(ComparedValue &value, const Difference &found,
                        unsigned trial) {
  double ulps = found.reason.empty() ? found.ulps : INFINITY;
  bool isFirst = value.difference.empty();
  bool isWorse = value.isEqual && !found.isWithin;
  bool isOfAKind = value.isEqual == found.isWithin;
  if (!isFirst && !isWorse && !(isOfAKind && ulps > value.ulps))
    return;
  value.isEqual &= found.isWithin;
  value.trial = trial;
  value.ulps = ulps;
  value.difference = found.text();
}

/// The result does not give what the original gives.
void Verification::isMissing(const std::string &name, const Twine &text,
                             unsigned trial) {
  Difference missing;
  missing.reason = text.str();
  note(entryOf(name, trial), missing, trial);
}

/// For one comparison more; several in one trial count once.
ComparedValue &Verification::entryOf(const Twine &name, unsigned trial) {
  auto [it, isNew] = places.try_emplace(name.str(), result.compared.size());
  if (isNew) {
    result.compared.emplace_back();
    result.compared.back().name = name.str();
    lastTrials.push_back(trial + 1);
  }
  ComparedValue &value = result.compared[it->second];
  if (isNew || std::exchange(lastTrials[it->second], trial) != trial)
    ++value.trials;
  lastTrials[it->second] = trial;
  return value;
}

ComparedValue &Verification::compare(const Twine &name,
                                     const FoldedValue &original,
                                     const FoldedValue &folded,
                                     const Tolerance &tolerance,
                                     unsigned trial) {
  ComparedValue &value = entryOf(name, trial);
  if (auto found = difference(original, folded, tolerance))
    note(value, *found, trial);
  return value;
}

/// The tensor as a type with fewer digits has it, or one unit away; null if it
/// holds no floats.
Elements Verification::moved(const Elements &value, Random &random) const {
  if (options.roundsInputs == DataType::Undefined || !isFloat(value.type()))
    return movedByOneUnit(value, random);
  // They are rounded already: one unit of that type.
  Elements narrow =
      movedByOneUnit(ops::cast(value, options.roundsInputs), random);
  return narrow ? ops::cast(narrow, value.type()) : Elements();
}

/// A sum of products as if it had been rounded the other way. Whole numbers are
/// left: they are exact, or the model rounds by them.
static Elements movedSum(const Elements &sum, Random &random) {
  Elements isWhole =
      ops::mapAs<bool, double>(ops::cast(sum, DataType::Float64),
                               [](double v) { return v == std::rint(v); });
  return ops::select(isWhole, sum, movedByOneUnit(sum, random));
}

/// The original on inputs of which each number is one unit in the last place
/// away, and so are its sums of products, whose rounding a rewrite may change:
/// but for a conversion, which has a bound for that.
Execution Verification::runMoved(const Original &original, unsigned trial,
                                 unsigned time) {
  Random random(options.seed + time);
  std::vector<FoldedValue> values;
  for (const FoldedValue &value : original.inputs) {
    Elements other = value.tensor ? moved(value.tensor, random) : Elements();
    values.push_back(other ? FoldedValue(other) : value);
  }
  RunCopy copy(before, believed);
  ExecutionOptions how = executionOptions(trial);
  how.given = &original.run.standIns;
  if (options.roundsInputs == DataType::Undefined)
    how.movesSum = [&](const Elements &sum) { return movedSum(sum, random); };
  return execute(copy.graph(), values, how);
}

/// Few numbers may happen to move less than others: what outputs move by is
/// kept as a part of their largest number, for later sets too.
void Verification::measureMovements(const Original &original, unsigned trial) {
  constexpr unsigned times = 3;
  movements.resize(original.run.outputs.size());
  isMeasured = true;
  for (unsigned time = 0; time != times; ++time) {
    if (time != 0 && schedule.isLate())
      return;
    Execution run = runMoved(original, trial, time);
    schedule.noteCost(run);
    for (auto [movement, value, other] :
         llvm::zip_equal(movements, original.run.outputs, run.outputs))
      if (double apart = distance(value, other); apart != 0)
        movement = std::fmax(movement, apart / largestNumber(value));
  }
}

/// A difference beyond the bound is measured against the original's own.
void Verification::compareWithin(unsigned output, const Original &original,
                                 const FoldedValue &folded, unsigned trial) {
  constexpr double times = 4;
  const FoldedValue &mine = original.run.outputs[output];
  std::optional<Difference> found = difference(mine, folded, tolerance);
  ComparedValue &value = entryOf(nameOfOutput(output), trial);
  if (!found)
    return;
  if (!found->reason.empty() || (found->isWithin && value.moved))
    return note(value, *found, trial);
  if (!isMeasured)
    measureMovements(original, trial);
  double moved = movements[output] * largestNumber(mine);
  Tolerance wider = tolerance;
  wider.absolute = times * moved;
  found = difference(mine, folded, wider);
  note(value, *found, trial);
  if (value.difference == found->text()) {
    value.apart = found->apart;
    value.moved = moved;
  }
}

/// The operator to blame came out of a body that the original could not run as
/// a whole: what stands in for that body's results says nothing of its
/// operators.
static bool isOfTheResult(const Blame &blame, const Execution &original) {
  return !blame.key.empty() && cannotBeRun(blame.reason.code) &&
         llvm::none_of(original.obstacles, [&](const Obstacle &obstacle) {
           return obstacle.key == blame.key;
         });
}

/// An output that the original gives and the result does not is a difference.
void Verification::compareOutputs(const Original &original,
                                  const Execution &folded, unsigned trial,
                                  bool isUsual) {
  for (auto [i, value] : llvm::enumerate(original.run.outputs)) {
    std::string text = nameOfOutput(i);
    if (!value) {
      if (isUsual)
        noteNotRun(text, original.run.blames[i].reason, /*isOutput=*/true);
    } else if (i >= folded.outputs.size())
      isMissing(text, "the result has no such output", trial);
    else if (!folded.outputs[i] &&
             isOfTheResult(folded.blames[i], original.run))
      noteNotRun(text, folded.blames[i].reason, /*isOutput=*/true);
    else if (!folded.outputs[i])
      isMissing(text,
                "the result does not give it: it " +
                    folded.blames[i].reason.text,
                trial);
    else if (options.exact)
      compare(text, value, folded.outputs[i], tolerance, trial);
    else
      compareWithin(i, original, folded.outputs[i], trial);
  }
}

/// The operands of operators that nobody can run. Those of others may be
/// different ones after a rewrite.
void Verification::compareObstacles(const Execution &original,
                                    const Execution &folded, unsigned trial,
                                    bool isUsual) {
  llvm::StringMap<const Obstacle *> others;
  for (const Obstacle &obstacle : folded.obstacles)
    others[obstacle.key] = &obstacle;
  for (const Obstacle &obstacle : original.obstacles) {
    if (isUsual)
      noteNotRun(obstacle.name, obstacle.reason);
    const Obstacle *other = others.lookup(obstacle.key);
    if (!other || other->inputs.size() != obstacle.inputs.size() ||
        !cannotBeRun(obstacle.reason.code))
      continue;
    for (auto [i, mine, theirs] :
         llvm::enumerate(obstacle.inputs, other->inputs))
      if (mine && theirs)
        compare("input #" + Twine(i) + " of " + obstacle.name, mine, theirs,
                tolerance, trial);
  }
}

VerifyResult onnxfold::verify(ModuleOp before, ModuleOp after,
                              const VerifyOptions &options) {
  return Verification(before, after, options).run();
}
