//===- ShownMistakes.cpp - Mistakes that a fold would show ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/ShownMistakes.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"
#include "onnxfold/onnx/driver/fold/internal/InferenceCheck.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

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

llvm::Expected<bool> onnxfold::findShownMistakes(FoldedModel &model,
                                                 const FoldOptions &options,
                                                 const ModelSource &source,
                                                 ModelContext &context) {
  const PreparedModel &prepared = model.prepared;
  bool isAnother = prepared.cut || model.once; // graph, which has no file
  bool mayBe = context.hasDoubt() || !model.conflicts.all().empty() ||
               prepared.imported.statesNegativeSizes;
  if (model.shown.keepsAll || isAnother || !mayBe)
    return false;
  DeclaredTypes declared = DeclaredTypes::read(*prepared.imported.index);
  if (!options.fixed.empty()) // outputs follow
    declared.outputs.clear();
  InferenceCheck after(declared, /*keepsValueInfo=*/!editsTypes(options));
  after.run(model.module(), model.folding->plan(), model.folding->evaluation());
  if (after.failures().empty())
    return false;
  llvm::Expected<ImportedModel> original =
      prepareAgain(source, options, context, prepared);
  if (!original)
    return original.takeError();
  InferenceCheck before(declared, /*keepsValueInfo=*/true);
  before.run(*original->module);
  std::vector<InferenceCheck::Failure> found = shownMistakes(before, after);
  for (const InferenceCheck::Failure &failure : found) {
    after.addCauses(failure, before, model.shown.kept);
    if (model.shown.rounds == 0)
      model.shown.texts.push_back(describeMistake(failure));
  }
  constexpr unsigned mostRounds = 2;
  if (!found.empty())
    model.shown.keepsAll = ++model.shown.rounds >= mostRounds;
  return !found.empty();
}

static bool isNamed(Operation *op, const llvm::StringSet<> &names) {
  return llvm::any_of(op->getResults(), [&](Value value) {
    StringRef name = valueName(value);
    return !name.empty() && names.contains(name);
  });
}

Reason ShownMistakes::whyKept(Operation *op) const {
  if (!keepsAll && !isNamed(op, kept))
    return {};
  return notFolded(ReasonCode::Inconsistent,
                   "hides a mistake of the model from those who check it");
}

void onnxfold::warnOfShownMistakes(const FoldedModel &model, RunScope &run) {
  constexpr size_t most = 20;
  StringRef kept = model.shown.keepsAll ? "all nodes stay as they are"
                                        : "the nodes that hide it stay";
  for (auto [i, mistake] : llvm::enumerate(model.shown.texts)) {
    std::string text = model.prepared.name + ": " + mistake + "; " +
                       kept.str() +
                       ", because the checker or ONNX Runtime would refuse "
                       "what it accepts now";
    if (i < most)
      run.warn(text);
    else
      run.report().warnings.push_back(text);
  }
}
