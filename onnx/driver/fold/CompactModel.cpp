//===- CompactModel.cpp - --compact-constants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/transforms/compact/CompactConstants.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct CompactedSection : ReportSection {
  static constexpr llvm::StringLiteral key = "compacted";
  std::vector<CompactedConstant> constants;

  void printJson(llvm::json::OStream &json) const override {
    json.array([&] {
      for (const CompactedConstant &one : constants)
        json.object([&] {
          json.attribute("name", jsonText(one.name));
          json.attribute("op", one.opType);
          json.attribute("bytes_before", one.before);
          json.attribute("bytes_after", one.after);
        });
    });
  }

  void printSummary(llvm::raw_ostream &out) const override {
    constexpr size_t most = 10;
    int64_t saved = 0;
    for (const CompactedConstant &one : constants)
      saved += one.before - one.after;
    out << counted(constants.size(), "constant") << " made compact, " << saved
        << " bytes less\n";
    for (const auto &one : llvm::ArrayRef(constants).take_front(most))
      out << "  " << printableName(one.name) << ": " << one.opType << ", "
          << one.before << " -> " << one.after << " bytes\n";
    if (constants.size() > most)
      out << "  ... (" << constants.size() << ")\n";
  }
};

} // namespace

llvm::Expected<StepResult> onnxfold::compactModel(FoldedModel &model,
                                                  const FoldOptions &options,
                                                  RunScope &run) {
  if (!options.compactConstants || model.hasNoOutputs())
    return StepResult::Unchanged;
  llvm::StringSet<> annotated = annotatedNames(*model.prepared.imported.index);
  llvm::DenseSet<Operation *> held;
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      held.insert(value.getDefiningOp());
  auto mayChange = [&](OnnxConstantOp constant) {
    return !held.contains(constant) &&
           !annotated.contains(constant.getOutput().get());
  };
  std::vector<CompactedConstant> done =
      compactConstants(model.module(), mayChange, model.replaced);
  FoldReport &report = run.report();
  if (done.empty())
    return StepResult::Unchanged;
  for (const CompactedConstant &one : done) {
    ++report.operators[one.opType].second;
    if (one.isReshaped)
      ++report.operators["Reshape"].second;
    model.computed[one.node] = one.constant;
  }
  report.section<CompactedSection>().constants = std::move(done);
  return StepResult::Changed;
}
