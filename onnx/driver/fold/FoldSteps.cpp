//===- FoldSteps.cpp - Evaluate, plan, rewrite ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/fold/NodeFilter.h"
#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/onnx/driver/fold/internal/Provenance.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/folding/UnknownNames.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace onnxfold;
using namespace mlir;

bool onnxfold::editsTypes(const FoldOptions &options) {
  return options.level >= 1 || options.shapes || !options.fixed.empty();
}

llvm::Error FoldedModel::replace(ImportedModel next) {
  folding.reset();
  prepared.held.reset();
  types = KnownTypes();
  conflicts = TypeConflicts();
  prepared.imported = std::move(next);
  replaced = nullptr;
  computed.clear();
  growth = GrowthRecord();
  return growth.read(prepared.imported);
}

bool onnxfold::removesUnused(const FoldedModel &model,
                             const FoldOptions &options) {
  return options.level >= 1 && !options.disabled.contains(unusedNode) &&
         !options.isFiltered() &&
         model.prepared.imported.index->trainingInfos.empty() &&
         !model.hasNoOutputs();
}

/// The first of these names, each once. The report has all nodes.
static void warnOfUnknownNames(const FoldedModel &model, RunScope &run) {
  constexpr size_t most = 20;
  std::set<std::pair<StringRef, StringRef>> known;
  if (!model.prepared.imported.hasCustomNodes)
    return;
  model.module()->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !node.isCustom() || !isUnknownName(node) ||
        known.size() > most ||
        !known.insert({node.domain(), node.opType()}).second)
      return;
    if (known.size() > most)
      return run.warn(model.prepared.name + ": more names of operators are "
                                            "those of none; the report has "
                                            "them");
    SmallVector<StringRef> names;
    for (const SchemaEntry &schema : allSchemas())
      if (schema.domain == node.domain())
        names.push_back(schema.opType);
    ModelFault fault = ModelFault()
                           .file(model.prepared.name)
                           .append(atNode(node))
                           .says("is kept: " + faultOf(node).text);
    std::string near = nearNames(names, node.opType());
    if (!near.empty())
      fault = std::move(fault).expected("one of its operators" + near);
    run.warn(fault.text());
  });
}

llvm::Expected<StepResult> onnxfold::beginFold(FoldedModel &model,
                                               const FoldOptions &options,
                                               RunScope &run) {
  if (llvm::Error error = model.growth.read(model.prepared.imported))
    return error;
  llvm::Expected<NodeFilter> filter =
      NodeFilter::create(options.only, options.skip);
  if (!filter)
    return filter.takeError();
  model.filter = std::move(*filter);
  if (!model.filter.empty())
    for (const std::string &text : model.filter.idle(model.module()))
      run.warn(model.prepared.name + ": " + text);
  if (model.hasNoOutputs())
    run.warn(model.prepared.name +
             ": the graph has no outputs, so nothing that it computes is read; "
             "all nodes stay as they are");
  warnOfUnknownNames(model, run);
  ReportCollector &collector = model.collector.emplace(run.report());
  for (const std::string &name :
       overridableInputs(*model.prepared.imported.index))
    collector.noteOverridable(name);
  if (model.prepared.cut)
    collector.noteCut(*model.prepared.cut);
  collector.noteInput(model.module());
  return StepResult::Unchanged;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// See RunBudgetLimits::mostWork. A node is some ten bytes of the file.
static double workOfRun(const FoldLimits &limits, const ImportedModel &model) {
  constexpr double unitsOfByte = 1000;
  double bytes = double(model.index->file()->size());
  (*model.module).walk([&](OnnxConstantOp constant) {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (dense && !isa<DenseStringElementsAttr>(dense))
      bytes += double(dense.getRawData().size());
    else if (Elements value = fromAttribute(constant.getValue()))
      bytes += double(value.retainedBytes());
  });
  return double(limits.maxWorkOfRun()) + unitsOfByte * bytes;
}

/// Why a node stays whatever the user asks for; no reason if it need not.
static Reason whyKept(const FoldedModel &model, Operation *op) {
  if (model.hasNoOutputs())
    return notFolded(ReasonCode::Filtered,
                     "the model has no outputs, so nothing of it is read");
  return model.shown.whyKept(op);
}

llvm::StringSet<> onnxfold::annotatedNames(const ModelIndex &index) {
  llvm::StringSet<> names;
  for (const GraphIndex &graph : index.graphs)
    for (const QuantizationAnnotation &annotation : graph.annotations) {
      names.insert(annotation.tensorName);
      for (const TextEntry &parameter : annotation.parameters)
        names.insert(parameter.value);
    }
  return names;
}

static ModuleFoldingOptions foldingOptions(FoldedModel &model,
                                           const FoldOptions &options,
                                           ResultCache *cache, RunScope &run) {
  ModuleFoldingOptions result;
  result.level = options.level;
  result.disabled = options.disabled;
  for (const auto &entry : model.undone)
    result.disabled.insert(entry.first());
  result.rules = model.rules;
  result.mostUnrolled = options.mostUnrolled;
  result.inlineFunctions = options.inlineFunctions;
  result.computesQuantized = options.quantization == FoldQuantization::Compute;
  result.keepsCompactNodes = options.compactConstants;
  result.budget = model.growth.budget(options.maxGrowth);
  run.report().growth.limit = result.budget;
  // Training graphs, which are not looked at, may call functions too. And what
  // an earlier run left out would now cost less, if more has folded since.
  if (!model.prepared.imported.index->trainingInfos.empty() ||
      model.growth.isUsedUp())
    result.disabled.insert(liftFromFunction);
  result.hasOtherCalls = !model.prepared.imported.index->trainingInfos.empty();
  result.dropsIdleFunctions = removesUnused(model, options);
  result.keepsConstants = !removesUnused(model, options);
  result.keptNames = annotatedNames(*model.prepared.imported.index);
  result.evaluation.limits = options.limits;
  result.evaluation.precision = options.precision;
  result.evaluation.step = run.callbacks().step;
  result.evaluation.cache = cache;
  result.evaluation.noteTypeConflict = [&model](Value value, Type inferred) {
    model.conflicts.note(value, inferred);
  };
  if (!model.filter.empty())
    result.evaluation.filter = model.filter;
  if (model.shown.rounds != 0 || model.hasNoOutputs())
    result.evaluation.filter =
        [&model, given = std::move(result.evaluation.filter)](Operation *op) {
          Reason kept = whyKept(model, op);
          return kept || !given ? kept : given(op);
        };
  result.isCancelled = run.question();
  return result;
}

llvm::Error onnxfold::evaluateModel(FoldedModel &model,
                                    const FoldOptions &options,
                                    ResultCache *cache, RunScope &run) {
  RunBudgetScope bounded(run.budget());
  run.budget().boundWork(workOfRun(options.limits, model.prepared.imported));
  model.folding.emplace(model.module(),
                        foldingOptions(model, options, cache, run));
  llvm::Error error = model.folding->run();
  if (!error || error.isA<FoldError>())
    return error;
  return inFile(model.prepared.name, std::move(error));
}

/// Nodes that are kept since what the file says of them could not follow.
static void warnOfRefusals(const FoldedModel &model, RunScope &run) {
  constexpr size_t most = 20;
  const std::string &name = model.prepared.name;
  std::vector<std::string> refusals = model.session().refusals();
  for (auto [i, refusal] : llvm::enumerate(refusals))
    if (i < most)
      run.warn(llvm::Twine(name) + ": " + refusal);
    else
      run.report().warnings.push_back(
          (llvm::Twine(name) + ": " + refusal).str());
  if (refusals.size() > most)
    run.warn(name + ": " + llvm::Twine(refusals.size() - most) +
             " more nodes are kept for such reasons");
}

/// The model as it was before its evaluation.
static llvm::Error readAgain(FoldedModel &model, const FoldOptions &options,
                             const ModelSource &source, ModelContext &context) {
  llvm::Expected<ImportedModel> again =
      prepareAgain(source, options, context, model.prepared);
  if (!again)
    return again.takeError();
  if (llvm::Error error = model.replace(std::move(*again)))
    return error;
  model.collector->noteInput(model.module());
  if (llvm::Error error = holdInitializers(model.prepared, options).takeError())
    return error;
  holdConstantsAgain(model.module(), options);
  return llvm::Error::success();
}

llvm::Expected<StepResult>
onnxfold::evaluate(FoldedModel &model, const FoldOptions &options,
                   const ModelSource &source, ModelContext &context,
                   ResultCache *cache, TypeMistakes &mistakes, RunScope &run) {
  while (true) {
    if (llvm::Error error = evaluateModel(model, options, cache, run))
      return error;
    llvm::Expected<bool> isShowing =
        findShownMistakes(model, options, source, context);
    if (!isShowing)
      return isShowing.takeError();
    if (!*isShowing)
      break;
    if (llvm::Error error = readAgain(model, options, source, context))
      return error;
  }
  for (const std::string &refusal : model.folding->cleanUp().loopRefusals())
    run.warn(refusal);
  warnOfRefusals(model, run);
  warnOfShownMistakes(model, run);
  if (llvm::Error error =
          mistakes.say(model.conflicts.all(), /*isLate=*/false, run))
    return error;
  return StepResult::Changed;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

llvm::Expected<StepResult>
onnxfold::plan(FoldedModel &model, const FoldOptions &options, RunScope &run) {
  RunBudgetScope bounded(run.budget());
  FoldPlan &plan = model.folding->plan();
  const CleanUp &cleanUp = model.folding->cleanUp();
  run.report().growth.added = plan.growth() + cleanUp.bytesMade();
  if (options.counts)
    model.collector->collect(model.folding->evaluation(), plan, cleanUp,
                             removesUnused(model, options));
  model.collector.reset();
  // Most models have none of these, and are not walked again.
  const auto &counts = run.report().operators;
  auto found = counts.find("BatchNormalization");
  if (options.level == 1 && found != counts.end() && found->second.second != 0)
    run.report().fusableBatchNorms = cleanUp.numFusableBatchNorms();
  return StepResult::Changed;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Erases initializers that nothing reads, with their inputs, at every level:
/// runtimes refuse one that is no input.
static void eraseUnreadInitializers(const PreparedModel &model) {
  for (Operation *op : unreadInitializers(model.imported))
    if (!model.unread.contains(valueName(op->getResult(0))))
      op->erase();
}

namespace {

/// The initializers of --keep-initializer.
struct KeptInitializersSection : ReportSection {
  static constexpr llvm::StringLiteral key = "kept_initializers";
  std::vector<std::string> names;
  size_t nodes = 0; ///< that depend on these and on constants alone

  void printJson(llvm::json::OStream &json) const override {
    json.object([&] {
      json.attribute("nodes", int64_t(nodes));
      printNames(json, "names", names);
    });
  }

  void printSummary(llvm::raw_ostream &out) const override {
    out << counted(nodes, "node") << " kept for "
        << counted(names.size(), "initializer") << " of "
        << setting("keep-initializer") << "\n";
  }
};

} // namespace

static void restoreInitializers(FoldedModel &model, RunScope &run) {
  if (model.once)
    model.once->restoreConstants();
  std::optional<HeldInitializers> &held = model.prepared.held;
  if (!held)
    return;
  held->restore();
  auto &kept = run.report().section<KeptInitializersSection>() =
      KeptInitializersSection();
  for (Value value : held->values())
    kept.names.push_back(valueName(value).str());
  kept.nodes = numWaitingFor(model.module(), held->values());
}

llvm::Expected<StepResult> onnxfold::rewrite(FoldedModel &model,
                                             const FoldOptions &options,
                                             RunScope &run) {
  RunBudgetScope bounded(run.budget());
  FoldPlan &plan = model.folding->plan();
  const CleanUp &cleanUp = model.folding->cleanUp();
  model.growth.add(plan, cleanUp.bytesMade(), cleanUp.isLimited());
  if (options.provenance)
    noteProvenance(cleanUp, plan);
  model.folding->applyPlan();
  eraseUnreadInitializers(model.prepared);
  restoreInitializers(model, run);
  pruneInitializers(model, options, run);
  if (options.level >= 1 || options.shapes || !options.fixed.empty() ||
      model.once || model.prepared.held || model.prepared.cut)
    model.types.collect(model.folding->evaluation(), options.shapes);
  model.folding->releaseTables(); // writing takes memory, too
  return StepResult::Changed;
}
