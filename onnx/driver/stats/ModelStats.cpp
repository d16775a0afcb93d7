//===- ModelStats.cpp - What a model has and costs ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/driver/stats/internal/MissingData.h"
#include "onnxfold/onnx/driver/stats/internal/ModelCosts.h"
#include "onnxfold/onnx/driver/stats/internal/StatsParts.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static void describeFile(const ModelIndex &index, ModelStats &stats) {
  stats.modelBytes = int64_t(index.file()->size());
  stats.irVersion = index.irVersion;
  stats.producer = index.producerName.str();
  stats.producerVersion = index.producerVersion.str();
  stats.domain = index.domain.str();
  stats.modelVersion = index.modelVersion;
  std::map<std::string, int64_t> opsets; // of several the last one holds
  for (const OpsetImport &opset : index.opsetImports)
    opsets[opset.domain.empty() ? "ai.onnx" : opset.domain.str()] =
        opset.version;
  for (const auto &[domain, version] : opsets)
    stats.opsets.push_back({domain, version});
  stats.functions = int64_t(index.functions.size());
  stats.graphs = int64_t(index.graphs.size());
  if (!index.trainingInfos.empty())
    stats.notes.push_back("graphs of training are not counted");
}

using Written = std::map<OperatorKey, int64_t>;

/// Nodes of all graphs and functions, each once.
static Written countWritten(ModuleOp module) {
  Written written;
  module->walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    Operator node = Operator::from(op);
    if (constant && constant.getNode())
      ++written[{"", "Constant"}];
    else if (node && node.domain() != "onnx-fold")
      ++written[{node.domain().str(), node.opType().str()}];
  });
  return written;
}

static std::vector<std::string> functionDomains(const ModelIndex &index) {
  std::vector<std::string> domains;
  for (const FunctionIndex &function : index.functions)
    domains.push_back(function.domain.str());
  return domains;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Shapes depend on small constants. What reads a larger one is not computed, so
/// that weights are not read.
static Reason keptForWeights(Operation *op) {
  constexpr int64_t mostElements = 1 << 14;
  Operator node = Operator::from(op);
  if (node && node.isAny({"Shape", "Size"}))
    return {};
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<OnnxConstantOp>()) {
      auto type = dyn_cast<ShapedType>(constant.getResult().getType());
      if (!type || !type.hasStaticShape() ||
          type.getNumElements() > mostElements)
        return notFolded(ReasonCode::Filtered, "weights are not read");
    }
  return {};
}

static EvaluationOptions evaluationOptions(RunScope &run) {
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits.maxResultBytes = 1 << 20;
  options.limits.maxWork = 1 << 28;
  options.filter = keptForWeights;
  options.step = run.callbacks().step;
  return options;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {
/// Fills a ModelStats from what an evaluation knows.
class CostCollector {
public:
  CostCollector(ImportedModel &model, Evaluation &evaluation, ModelStats &stats)
      : model(model), block(mainBlock(*model.module)), sizes(evaluation),
        stats(stats) {}

  void run(const Written &written);

private:
  ModelStats::Amount amountOf(const Formula &formula);
  std::string typeOf(Value value);
  void describePorts();
  void addOperators(const ModelCosts &costs, const Written &written);
  void addPeak(ModelCosts &costs);
  void addSymbols();

  ImportedModel &model;
  Block &block;
  ValueSizes sizes;
  ModelStats &stats;
  std::vector<Formula> shown; ///< their unknowns are explained
};
} // namespace

ModelStats::Amount CostCollector::amountOf(const Formula &formula) {
  if (formula.isBeyond())
    return {};
  shown.push_back(formula);
  return {formula.value(), formula.text(sizes.names().names())};
}

/// "f32[batch, 3]"
std::string CostCollector::typeOf(Value value) {
  Type type = value.getType();
  std::string element = debugString(type);
  if (auto shaped = dyn_cast<ShapedType>(type))
    element = debugString(shaped.getElementType());
  else if (!isa<OnnxUnknownType>(type))
    return element;
  if (std::optional<DataType> known = sizes.elementTypeOf(value))
    element = name(*known).str();
  std::optional<Sizes> shape = sizes.shapeOf(value);
  if (!shape)
    return element + "[?]";
  std::string text;
  for (const Formula &size : *shape)
    text += (text.empty() ? "" : ", ") + amountOf(size).formula;
  return element + "[" + text + "]";
}

void CostCollector::describePorts() {
  for (BlockArgument argument : block.getArguments())
    stats.inputs.push_back(
        {printableText(valueName(argument)), typeOf(argument)});
  const auto &outputs = model.index->mainGraph().outputs;
  for (auto [i, value] : llvm::enumerate(block.getTerminator()->getOperands()))
    stats.outputs.push_back(
        {printableText(i < outputs.size() ? outputs[i].name : ""),
         typeOf(value)});
}

void CostCollector::addOperators(const ModelCosts &costs,
                                 const Written &written) {
  std::map<OperatorKey, ModelStats::Operator> all;
  auto entry = [&](const OperatorKey &key) -> ModelStats::Operator & {
    ModelStats::Operator &op = all[key];
    op.domain = printableText(key.first);
    op.type = printableText(key.second);
    return op;
  };
  for (const auto &[key, count] : written)
    entry(key).written = count;
  Formula total;
  for (const auto &[key, of] : costs.operators) {
    ModelStats::Operator &op = entry(key);
    op.called = of.nodes;
    op.macs = amountOf(of.macs);
    total += of.macs;
  }
  stats.macs = amountOf(total);
  for (auto &[key, op] : all) {
    if (op.macs.formula.empty() && op.called == 0)
      op.macs = {0, "0"};
    stats.operators.push_back(std::move(op));
  }
  llvm::stable_sort(stats.operators, [](const auto &a, const auto &b) {
    int64_t x = a.macs.value.value_or(INT64_MAX),
            y = b.macs.value.value_or(INT64_MAX);
    return x != y ? x > y : a.called > b.called;
  });
  for (const auto &[key, found] : costs.uncounted)
    stats.uncounted.push_back({printableText(key.first.first),
                               printableText(key.first.second), key.second,
                               found.example, found.nodes});
  llvm::append_range(stats.notes, costs.notes);
}

void CostCollector::addPeak(ModelCosts &costs) {
  PeakMemory peak = costs.peakOf(block);
  stats.peak.unknown = costs.unknownValues;
  if (peak.isCut || llvm::any_of(peak.candidates, [](const auto &candidate) {
        return candidate.bytes.isBeyond();
      }))
    return;
  std::vector<std::string> formulas;
  for (const PeakMemory::Candidate &candidate : peak.candidates)
    formulas.push_back(amountOf(candidate.bytes).formula);
  if (formulas.size() == 1) {
    stats.peak.bytes = amountOf(peak.candidates.front().bytes);
    stats.peak.node = peak.candidates.front().node;
    return;
  }
  stats.peak.bytes.formula = "max(" + llvm::join(formulas, ", ") + ")";
}

void CostCollector::addSymbols() {
  std::set<unsigned> used;
  for (const Formula &formula : shown)
    for (unsigned number : formula.unknowns())
      used.insert(number);
  for (unsigned number : used)
    stats.symbols.push_back(
        {sizes.names().names()[number], sizes.names().meaningOf(number).str()});
}

void CostCollector::run(const Written &written) {
  describePorts();
  llvm::DenseSet<Value> parameters;
  for (const std::string &input : overridableInputs(*model.index))
    for (BlockArgument argument : block.getArguments())
      if (valueName(argument) == input)
        parameters.insert(argument);
  ModelCosts costs(sizes, std::move(parameters));
  costs.count(block);
  addOperators(costs, written);
  addPeak(costs);
  addSymbols();
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Reads a model whose data files need not be there.
static llvm::Error readModel(ModelSource &source, const FoldOptions &options,
                             ModelContext &context, RunScope &run,
                             ImportedModel &model) {
  if (llvm::Error error = source.open())
    return error;
  MissingData missing;
  auto external = missing.dataOf(source.file(), source.dataFolder(options),
                                 options.dataRoots);
  if (llvm::Error error =
          importModel(source.file(), context, std::move(external),
                      /*locations=*/false, options.fixed.initializers)
              .moveInto(model))
    return error;
  missing.forget(*model.module);
  for (const std::string &warning : model.warnings)
    run.warn(warning);
  for (const std::string &text : missing.warnings())
    run.warn(source.name() + ": " + text);
  std::vector<std::string> idle;
  if (llvm::Error error = options.fixed.applyTo(*model.module, &idle))
    return inFile(source.name(), std::move(error));
  for (const std::string &text : idle)
    run.warn(source.name() + ": " + text);
  return llvm::Error::success();
}

static void collect(ImportedModel &model, RunScope &run, ModelStats &stats) {
  describeFile(*model.index, stats);
  Written written = countWritten(*model.module);
  countParameters(model, stats);
  Operation *main = mainGraph(*model.module);
  inlineCalls(*model.module, {main});
  RunBudgetScope bounded(run.budget());
  constexpr double mostWork = 1e10;
  run.budget().boundWork(mostWork);
  Evaluation evaluation(main, evaluationOptions(run));
  evaluation.run();
  CostCollector(model, evaluation, stats).run(written);
  addRuntimes(stats, functionDomains(*model.index));
  addMissingKernels(main, ValueSizes(evaluation), stats);
}

llvm::Error onnxfold::collectStats(const ModelInput &input,
                                   const FoldOptions &options,
                                   ModelStats &stats,
                                   const FoldCallbacks &callbacks) {
  ModelSource source(input);
  stats.model = source.name();
  FoldReport report;
  llvm::Error error =
      runInScope(source.name(), options, report, callbacks, [&](RunScope &run) {
        ModelContext context;
        ImportedModel model;
        auto collectStep = [&]() -> llvm::Expected<StepResult> {
          if (llvm::Error error =
                  readModel(source, options, context, run, model))
            return error;
          collect(model, run, stats);
          return StepResult::Changed;
        };
        return run.steps({
            {"schemas", [&] { return context.addFolding(options, run); }},
            {"collect", collectStep},
        });
      });
  stats.warnings = std::move(report.warnings);
  return error;
}

llvm::Error onnxfold::writeStats(const ModelStats &stats,
                                 const FoldOptions &options) {
  if (options.reportFile.empty())
    return llvm::Error::success();
  auto opened = OutputFile::create(options.reportFile, {});
  if (!opened)
    return opened.takeError();
  TextFile out(**opened);
  printStats(out, stats, options.report);
  return out.commit();
}
