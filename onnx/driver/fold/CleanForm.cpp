//===- CleanForm.cpp - The form of a model, apart from its values ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/write/ConstantForms.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct CleaningSection : ReportSection {
  static constexpr llvm::StringLiteral key = "cleaning";
  struct Count {
    int64_t count = 0, bytes = 0;
    std::vector<std::string> names; ///< of what has one
  };
  std::map<std::string, Count> done;      ///< "doc_string", "unused import"
  std::vector<CleaningRecord::Left> left; ///< what stays

  void printJson(llvm::json::OStream &json) const override {
    json.object([&] {
      json.attributeArray("done", [&] {
        for (const auto &[what, count] : done)
          json.object([&] {
            json.attribute("what", what);
            json.attribute("count", count.count);
            json.attribute("bytes", count.bytes);
            printNames(json, "names", count.names);
          });
      });
      json.attributeArray("left", [&] {
        for (const CleaningRecord::Left &one : left)
          json.object([&] {
            json.attribute("name", jsonText(one.name));
            json.attribute("reason", jsonText(one.reason));
          });
      });
    });
  }

  static StringRef verbOf(StringRef what) {
    if (what.contains(" as a"))
      return "written";
    return what == "moved node" ? "sorted" : "left out";
  }

  void printSummary(llvm::raw_ostream &out) const override {
    for (const auto &[what, count] : done) {
      out << verbOf(what) << ": " << count.count << " x " << what;
      if (count.bytes != 0)
        out << " (" << count.bytes << " bytes)";
      out << "\n";
    }
    if (!left.empty())
      out << counted(left.size(), "constant") << " left as "
          << (left.size() == 1 ? "it is" : "they are") << ": '"
          << printableName(left.front().name)
          << "': " << printableText(left.front().reason) << "\n";
  }
};

} // namespace

static bool isAsked(const FoldOptions &options) {
  return options.constants != ConstantForm::Keep || options.sort ||
         options.prune || options.inputsWithoutInitializers ||
         !options.stripped.empty();
}

static std::vector<std::string> sortedNames(const llvm::StringSet<> &names) {
  std::vector<std::string> sorted;
  for (const auto &name : names)
    sorted.push_back(name.getKey().str());
  llvm::sort(sorted);
  return sorted;
}

static CleaningSection::Count &countOf(FoldReport &report,
                                       const std::string &what) {
  return report.section<CleaningSection>().done[what];
}

llvm::Expected<StepResult> onnxfold::beginCleaning(FoldedModel &model,
                                                   const FoldOptions &options,
                                                   RunScope &run) {
  if (!isAsked(options))
    return StepResult::Unchanged;
  FoldReport &report = run.report();
  report.section<CleaningSection>() = CleaningSection();
  if (options.inputsWithoutInitializers)
    if (size_t inputs = model.prepared.imported.bound.size())
      countOf(report, "input with an initializer") = {
          int64_t(inputs), 0, sortedNames(model.prepared.imported.bound)};
  if (options.prune && !model.prepared.imported.index->trainingInfos.empty())
    run.warn(model.prepared.name + ": has training information, so " +
             setting("prune") + " leaves it as it is");
  if (options.constants == ConstantForm::Keep)
    return StepResult::Unchanged;
  if (int64_t held = holdConstantNodes(model.module()))
    report.operators["Constant"].first += held;
  return StepResult::Changed;
}

void onnxfold::holdConstantsAgain(ModuleOp module, const FoldOptions &options) {
  if (options.constants != ConstantForm::Keep)
    holdConstantNodes(module);
}

void onnxfold::pruneInitializers(FoldedModel &model, const FoldOptions &options,
                                 RunScope &run) {
  if (!options.prune || !model.prepared.imported.index->trainingInfos.empty())
    return;
  llvm::DenseSet<Operation *> held; // by --keep-initializer
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      held.insert(value.getDefiningOp());
  SmallVector<Operation *> unread;
  CleaningSection::Count pruned;
  mainGraph(model.module()).walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    bool isInitializer =
        constant ? !constant.getNode()
                 : isOpaqueInitializer(op) && op->getNumOperands() == 0;
    if (!isInitializer || !op->use_empty() || held.contains(op) ||
        (options.constants == ConstantForm::Nodes &&
         op->hasAttr(heldNodeAttrName))) // it stays a node
      return;
    unread.push_back(op);
    ++pruned.count;
    if (StringRef name = valueName(op->getResult(0)); !name.empty())
      pruned.names.push_back(name.str());
    if (constant)
      pruned.bytes += int64_t(fromAttribute(constant.getValue()).bytes());
  });
  for (Operation *op : unread)
    op->erase();
  if (pruned.count != 0)
    countOf(run.report(), "unread initializer") = pruned;
}

void onnxfold::noteCleaning(const CleaningRecord &record, bool isLast,
                            FoldReport &report) {
  auto *section = report.findSection<CleaningSection>();
  if (!section)
    return;
  for (const auto &[what, done] : record.done) {
    CleaningSection::Count &count = countOf(report, what);
    count.count += done.count;
    count.bytes += done.bytes;
    llvm::append_range(count.names, done.names);
  }
  if (!isLast)
    return;
  llvm::append_range(section->left, record.left);
  if (record.constantNodes != 0)
    report.operators["Constant"].second += record.constantNodes;
}
