//===- Verify.cpp - A model and its result, on the same inputs ------------===//

#include "onnxfold/onnx/verify/Verify.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/verify/Difference.h"
#include "onnxfold/onnx/verify/internal/Execution.h"
#include "onnxfold/onnx/verify/internal/InlineCalls.h"
#include "onnxfold/onnx/verify/internal/RandomInputs.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

static FunctionOpInterface mainGraph(ModuleOp module) {
  return module.lookupSymbol<FunctionOpInterface>(mainGraphSymbol);
}

namespace {

/// A copy of a module for one run: evaluation gives unknown types the sizes of
/// that run, and calls are inlined.
class Copy {
public:
  explicit Copy(ModuleOp module) : module(module.clone()) {
    inlineNamedCalls(*this->module, graph());
  }
  FunctionOpInterface graph() { return mainGraph(*module); }

private:
  OwningOpRef<ModuleOp> module;
};

class Verification {
public:
  Verification(ModuleOp before, ModuleOp after, const VerifyOptions &options)
      : before(before), after(after), options(options),
        tolerance(toleranceFor(before)) {}

  VerifyResult run();

private:
  Tolerance toleranceFor(ModuleOp module) const;
  ExecutionOptions executionOptions(unsigned trial,
                                    const StandIns *given = nullptr) const {
    return {options.limits, options.seed + trial, options.step,
            options.isCancelled, given};
  }
  bool runTrial(unsigned trial);
  std::optional<Execution> runOriginal(unsigned trial);
  void specialise(FunctionOpInterface graph);
  std::vector<FoldedValue> inputsOf(FunctionOpInterface graph) const;
  void compareOutputs(const Execution &original, const Execution &folded,
                      unsigned trial);
  void compareObstacles(const Execution &original, const Execution &folded,
                        unsigned trial);
  ComparedValue &entryOf(const Twine &name);
  void compare(const Twine &name, const FoldedValue &original,
               const FoldedValue &folded, unsigned trial);
  void note(ComparedValue &value, const Difference &found, unsigned trial);
  void isMissing(const std::string &name, const Twine &text, unsigned trial);
  void noteNotRun(const Twine &name, const Reason &reason);

  const GivenInputs *givenFor(unsigned trial) const {
    return options.inputs.empty() ? nullptr : &options.inputs[trial];
  }

  ModuleOp before, after;
  const VerifyOptions &options;
  Tolerance tolerance;
  /// The choice of inputs that the last trial could be run with.
  unsigned choice = 0;
  llvm::StringMap<FoldedValue> inputs; // of this trial, by name
  llvm::StringMap<size_t> places;      // of compared values, by name
  llvm::StringSet<> named;             // in notRun
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
  tolerance.relative = 1e-5;
  module.walk([&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), isHalf))
      tolerance.relative = 2e-2;
    if (Operator onnxOp = Operator::from(op); onnxOp && isQuantized(onnxOp)) {
      tolerance.ofRange = 1.001 / 255;
      tolerance.steps = 1;
    }
  });
  return tolerance;
}

/// Dimensions that only the other module knows (it may have been specialised).
void Verification::specialise(FunctionOpInterface graph) {
  llvm::StringMap<Type> types;
  for (BlockArgument argument : mainGraph(after).getArguments())
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

/// Tries choices of inputs, beginning with what worked before, until no
/// operator refuses them; the one with most outputs if all have some that does.
/// Nothing if there are no inputs of some type.
std::optional<Execution> Verification::runOriginal(unsigned trial) {
  std::optional<Execution> best;
  unsigned first = choice;
  for (unsigned i = 0; i != numInputChoices(); ++i) {
    unsigned attempt = (first + i) % numInputChoices();
    Copy copy(before);
    specialise(copy.graph());
    auto values = randomInputs(copy.graph(), options.limits, options.seed,
                               trial, attempt, givenFor(trial));
    if (!values) {
      noteNotRun("the model", notFolded(ReasonCode::InputNotConstant,
                                        llvm::toString(values.takeError())));
      return std::nullopt;
    }
    Execution run = execute(copy.graph(), *values, executionOptions(trial));
    bool isGood = !run.hasRefused();
    if (best && !isGood && run.numKnown() <= best->numKnown())
      continue;
    best = std::move(run);
    choice = attempt;
    for (auto [argument, value] :
         llvm::zip_equal(copy.graph().getArguments(), *values))
      inputs[valueName(argument)] = value;
    bool isRandom =
        llvm::any_of(copy.graph().getArguments(), [&](BlockArgument argument) {
          return !givenFor(trial) ||
                 !givenFor(trial)->contains(valueName(argument));
        });
    if (isGood || !isRandom)
      break;
  }
  return best;
}

std::vector<FoldedValue>
Verification::inputsOf(FunctionOpInterface graph) const {
  std::vector<FoldedValue> values;
  for (BlockArgument argument : graph.getArguments())
    values.push_back(inputs.lookup(valueName(argument)));
  return values;
}

void Verification::noteNotRun(const Twine &name, const Reason &reason) {
  if (named.insert(name.str()).second)
    result.notRun.push_back({name.str(), reason});
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
  note(entryOf(name), missing, trial);
}

/// For one comparison more.
ComparedValue &Verification::entryOf(const Twine &name) {
  auto [it, isNew] = places.try_emplace(name.str(), result.compared.size());
  if (isNew) {
    result.compared.emplace_back();
    result.compared.back().name = name.str();
  }
  ComparedValue &value = result.compared[it->second];
  ++value.trials;
  return value;
}

void Verification::compare(const Twine &name, const FoldedValue &original,
                           const FoldedValue &folded, unsigned trial) {
  ComparedValue &value = entryOf(name);
  if (auto found = difference(original, folded, tolerance))
    note(value, *found, trial);
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
void Verification::compareOutputs(const Execution &original,
                                  const Execution &folded, unsigned trial) {
  FunctionOpInterface graph = mainGraph(before);
  for (auto [i, value] : llvm::enumerate(original.outputs)) {
    auto name = graph.getResultAttrOfType<StringAttr>(i, nameAttrName);
    std::string text =
        ("output '" + (name ? name.getValue() : StringRef()) + "'").str();
    if (!value)
      noteNotRun(text, original.blames[i].reason);
    else if (i >= folded.outputs.size())
      isMissing(text, "the result has no such output", trial);
    else if (!folded.outputs[i] && isOfTheResult(folded.blames[i], original))
      noteNotRun(text, folded.blames[i].reason);
    else if (!folded.outputs[i])
      isMissing(text,
                "the result does not give it: " + folded.blames[i].reason.text,
                trial);
    else
      compare(text, value, folded.outputs[i], trial);
  }
}

void Verification::compareObstacles(const Execution &original,
                                    const Execution &folded, unsigned trial) {
  llvm::StringMap<const Obstacle *> others;
  for (const Obstacle &obstacle : folded.obstacles)
    others[obstacle.key] = &obstacle;
  for (const Obstacle &obstacle : original.obstacles) {
    noteNotRun(obstacle.name, obstacle.reason);
    const Obstacle *other = others.lookup(obstacle.key);
    if (!other || other->inputs.size() != obstacle.inputs.size())
      continue;
    for (auto [i, mine, theirs] :
         llvm::enumerate(obstacle.inputs, other->inputs))
      if (mine && theirs)
        compare("input #" + Twine(i) + " of " + obstacle.name, mine, theirs,
                trial);
  }
}

/// False if no trial will do.
bool Verification::runTrial(unsigned trial) {
  std::optional<Execution> original = runOriginal(trial);
  if (!original)
    return false;
  Copy copy(after);
  Execution folded = execute(copy.graph(), inputsOf(copy.graph()),
                             executionOptions(trial, &original->standIns));
  compareOutputs(*original, folded, trial);
  compareObstacles(*original, folded, trial);
  return true;
}

VerifyResult Verification::run() {
  auto goesOn = [&] { return !options.isCancelled || !options.isCancelled(); };
  unsigned trials =
      options.inputs.empty() ? options.trials : options.inputs.size();
  while (result.trials != trials && goesOn() && runTrial(result.trials))
    ++result.trials;
  return std::move(result);
}

VerifyResult onnxfold::verify(ModuleOp before, ModuleOp after,
                              const VerifyOptions &options) {
  return Verification(before, after, options).run();
}

bool VerifyResult::isEqual() const {
  return llvm::all_of(compared,
                      [](const ComparedValue &value) { return value.isEqual; });
}

void VerifyResult::print(llvm::raw_ostream &out, bool all) const {
  unsigned numEqual = 0;
  for (const ComparedValue &value : compared) {
    numEqual += value.isEqual;
    if (!value.isEqual || (all && !value.difference.empty()))
      out << value.name << " differs "
          << (value.isEqual ? "within the bound " : "") << "in trial "
          << value.trial << ", " << value.difference << "\n";
  }
  if (!all)
    return;
  for (const NotRun &entry : notRun)
    out << entry.name << " was not run: " << entry.reason.text << "\n";
  out << numEqual << " of " << compared.size() << " values agree in " << trials
      << (trials == 1 ? " trial\n" : " trials\n");
}
