//===- FoldRunMistakes.cpp - One run of foldModel: mistakes of the model --===//
//
// A declared type that contradicts the inferred one is said. And a fold may
// show the checker and ONNX Runtime a mistake that the model always had, and
// that they did not see (InferenceCheck.h). Then nothing is written, and another
// run keeps the nodes that hide it. If the second run does not, the third one
// keeps all.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/fold/internal/InferenceCheck.h"
#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"

using namespace onnxfold;
using namespace mlir;

/// Where the model contradicts what was inferred, the inferred type holds.
llvm::Error FoldRun::checkDeclaredTypes() {
  auto say = [&](const TypeConflict &conflict, bool isLate) -> llvm::Error {
    ModelFault fault = ModelFault()
                           .file(inputName)
                           .says("the model says that '" + conflict.value + "'")
                           .is(conflict.declared)
                           .says(", inferred is " + conflict.inferred);
    std::string text = fault.text();
    std::string mistake = conflict.value + '\0' + conflict.declared;
    // A late one may be known already, when less was inferred.
    bool isNew = !isLate || !saidConflicts.contains(mistake);
    saidConflicts.insert(mistake);
    if (!isNew || !saidConflicts.insert(text).second)
      return llvm::Error::success();
    if (options.strict)
      return llvm::Error(std::move(fault));
    constexpr size_t most = 20;
    if (numConflicts++ < most)
      warn(text);
    else
      report.warnings.push_back(text);
    return llvm::Error::success();
  };
  for (const TypeConflict &conflict : conflicts.all())
    if (llvm::Error error = say(conflict, /*isLate=*/false))
      return error;
  for (const TypeConflict &conflict : lateConflicts)
    if (llvm::Error error = say(conflict, /*isLate=*/true))
      return error;
  return llvm::Error::success();
}

/// Mistakes that the file itself does not show.
static std::vector<InferenceCheck::Failure>
shownMistakes(const InferenceCheck &before, const InferenceCheck &after) {
  std::vector<InferenceCheck::Failure> shown;
  if (before.fails(/*isDeclared=*/false)) // nobody accepts the model
    return shown;
  bool mayDeclareWrongly = before.fails(/*isDeclared=*/true);
  for (const InferenceCheck::Failure &failure : after.failures())
    if (!failure.isDeclared || !mayDeclareWrongly)
      shown.push_back(failure);
  return shown;
}

static std::string describeMistake(const InferenceCheck::Failure &failure) {
  StringRef text = failure.text;
  text.consume_front("[ShapeInferenceError] ");
  text.consume_front("[TypeInferenceError] ");
  return nodeText(failure.op) +
         (failure.isDeclared ? " computes another type than the model declares"
                             : " fails in every run") +
         " (" + printableName(text) + ")";
}

llvm::Error FoldRun::lookForShownMistakes() {
  bool isAnother = cut || runOnce; // graph, which has no file
  if (earlier.keepsAll || isAnother ||
      (!isDoubtful && conflicts.all().empty() && !model.statesNegativeSizes))
    return llvm::Error::success();
  DeclaredTypes declared = DeclaredTypes::read(*model.index);
  if (!options.fixed.empty()) // outputs follow
    declared.outputs.clear();
  InferenceCheck after(declared, /*keepsValueInfo=*/!editsTypes());
  after.run(*model.module, folding->plan(), folding->evaluation());
  if (after.failures().empty())
    return llvm::Error::success();
  llvm::Expected<ImportedModel> original = import();
  if (!original)
    return original.takeError();
  if (llvm::Error error = options.fixed.applyTo(*original->module))
    return error;
  InferenceCheck before(declared, /*keepsValueInfo=*/true);
  before.run(*original->module);
  std::vector<InferenceCheck::Failure> shown = shownMistakes(before, after);
  if (shown.empty())
    return llvm::Error::success();
  for (const InferenceCheck::Failure &failure : shown) {
    after.addCauses(failure, before, earlier.kept);
    if (earlier.count == 0)
      earlier.mistakes.push_back(describeMistake(failure));
  }
  constexpr unsigned mostRuns = 3;
  earlier.keepsAll = ++earlier.count >= mostRuns - 1;
  isGivenUp = true;
  return llvm::Error::success();
}

static bool isNamed(Operation *op, const llvm::StringSet<> &names) {
  return llvm::any_of(op->getResults(), [&](Value value) {
    StringRef name = valueName(value);
    return !name.empty() && names.contains(name);
  });
}

Reason FoldRun::whyKept(Operation *op) const {
  if (hasNoOutputs())
    return notFolded(ReasonCode::Filtered,
                     "the model has no outputs, so nothing of it is read");
  if (!earlier.keepsAll && !isNamed(op, earlier.kept))
    return {};
  return notFolded(ReasonCode::Inconsistent,
                   "hides a mistake of the model from those who check it");
}

void FoldRun::warnOfShownMistakes() {
  constexpr size_t most = 20;
  StringRef kept = earlier.keepsAll ? "all nodes stay as they are"
                                    : "the nodes that hide it stay";
  for (auto [i, mistake] : llvm::enumerate(earlier.mistakes)) {
    std::string text = inputName + ": " + mistake + "; " + kept.str() +
                       ", because the checker or ONNX Runtime would refuse "
                       "what it accepts now";
    if (i < most)
      warn(text);
    else
      report.warnings.push_back(text);
  }
}
