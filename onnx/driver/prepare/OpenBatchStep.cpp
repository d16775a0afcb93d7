//===- OpenBatchStep.cpp - --batch=open -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/internal/OpenBatchStep.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;

namespace {

struct OpenedBatchSection : ReportSection {
  static constexpr llvm::StringLiteral key = "opened_batch";
  std::shared_ptr<const OpenedBatch> batch;

  void printJson(llvm::json::OStream &json) const override {
    json.object([&] {
      json.attribute("dimension", jsonText(batch->dimension));
      json.attribute("size", batch->size);
      printNames(json, "inputs", batch->inputs);
      printNames(json, "outputs", batch->outputs);
      printNames(json, "nodes", batch->nodes);
    });
  }

  void printSummary(llvm::raw_ostream &out) const override {
    out << "dimension '" << printableName(batch->dimension) << "' instead of "
        << batch->size << " in " << counted(batch->inputs.size(), "input")
        << " and " << counted(batch->outputs.size(), "output") << ", "
        << counted(batch->nodes.size(), "node") << " made relative\n";
  }
};

} // namespace

// Inputs with an initializer are the same for all samples.
llvm::Error onnxfold::openBatchOf(const ImportedModel &imported,
                                  const FoldOptions &options,
                                  OpenedBatch &opened) {
  if (!imported.index->trainingInfos.empty())
    return ModelFault().has("training information, with which " +
                            setting("batch", "open") + " cannot be used");
  llvm::StringSet<> fixed;
  for (const std::string &name : overridableInputs(*imported.index))
    fixed.insert(name);
  auto [open, name] = llvm::StringRef(options.batch).split(':');
  llvm::Error error = openBatch(*imported.module, name.empty() ? "batch" : name,
                                fixed, options.limits, opened);
  return inContext(setting("batch", "open"), std::move(error));
}

llvm::Expected<StepResult> onnxfold::openBatchStep(PreparedModel &model,
                                                   const FoldOptions &options,
                                                   RunScope &run) {
  if (options.batch.empty())
    return StepResult::Unchanged;
  model.batch = std::make_shared<OpenedBatch>();
  if (llvm::Error error = openBatchOf(model.imported, options, *model.batch))
    return inFile(model.name, std::move(error));
  if (model.batch->size == 0) {
    model.batch = nullptr;
    return StepResult::Unchanged;
  }
  for (const std::string &output : model.batch->shared)
    run.warn(model.name + ": " + setting("batch", "open") + ": output '" +
             output +
             "' depends on no sample, so it has the same size for any batch");
  run.report().section<OpenedBatchSection>().batch = model.batch;
  return StepResult::Changed;
}
