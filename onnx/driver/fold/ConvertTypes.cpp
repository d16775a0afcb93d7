//===- ConvertTypes.cpp - --convert ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/driver/fold/internal/Conversions.h"
#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The values that have other element types, and those that keep theirs.
struct ConversionSection : ReportSection {
  static constexpr llvm::StringLiteral key = "conversion";
  std::vector<ConvertedTensor> tensors;
  std::vector<UnconvertedNode> kept;
  int64_t nodes = 0, casts = 0, droppedCasts = 0;
  bool hasBegun = false;

  /// Several conversions report the constants of all, and what the last one kept.
  void add(const TypeConversion &done) {
    llvm::copy_if(done.tensors, std::back_inserter(tensors),
                  [&](const ConvertedTensor &tensor) {
                    return !hasBegun || tensor.kept.empty();
                  });
    hasBegun = true;
    kept = done.kept;
    nodes += done.nodes;
    casts += done.casts;
    droppedCasts += done.droppedCasts;
  }

  void printJson(llvm::json::OStream &json) const override {
    json.object([&] {
      json.attribute("nodes", nodes);
      json.attribute("casts", casts);
      json.attribute("dropped_casts", droppedCasts);
      json.attributeArray("tensors", [&] {
        for (const ConvertedTensor &tensor : tensors)
          json.object([&] { printTensor(json, tensor); });
      });
      json.attributeArray("kept", [&] {
        for (const UnconvertedNode &node : kept)
          json.object([&] {
            json.attribute("node", jsonText(node.node));
            json.attribute("reason", jsonText(node.reason));
          });
      });
    });
  }

  static void printTensor(llvm::json::OStream &json,
                          const ConvertedTensor &tensor) {
    json.attribute("name", jsonText(tensor.name));
    json.attribute("from", name(tensor.from));
    json.attribute("to", name(tensor.to));
    json.attribute("elements", tensor.elements);
    json.attribute("largest_error", tensor.largestError);
    json.attribute("overflows", tensor.overflows);
    json.attribute("underflows", tensor.underflows);
    if (!tensor.kept.empty())
      json.attribute("kept", jsonText(tensor.kept));
  }

  void printSummary(llvm::raw_ostream &out) const override {
    int64_t converted = 0, zeros = 0, clipped = 0;
    const ConvertedTensor *worst = nullptr;
    for (const ConvertedTensor &one : tensors) {
      if (!one.kept.empty())
        continue;
      ++converted;
      (one.vanishes ? clipped : zeros) += one.underflows;
      clipped += one.overflows;
      if (!worst || one.largestError > worst->largestError)
        worst = &one;
    }
    out << "types: " << counted(converted, "constant") << " and "
        << counted(nodes, "node") << " converted, " << counted(casts, "Cast")
        << " added, " << droppedCasts << " dropped";
    if (worst && worst->largestError != 0)
      out << llvm::format("; the largest error of a constant is %.3g, in ",
                          worst->largestError)
          << printableName(worst->name);
    if (zeros != 0)
      out << "; " << counted(zeros, "number") << " became 0";
    if (clipped != 0)
      out << "; " << counted(clipped, "number") << " clipped";
    out << "\n";
    printReasons(out);
  }

  /// Each with the first node that it keeps.
  void printReasons(llvm::raw_ostream &out) const {
    std::map<std::string, std::pair<int64_t, std::string>> reasons;
    for (const UnconvertedNode &node : kept) {
      auto &[count, example] = reasons[node.reason];
      if (count++ == 0)
        example = node.node;
    }
    for (const auto &[reason, nodes] : reasons)
      out << "types of " << counted(nodes.first, "node")
          << " kept: " << printableText(reason) << " ("
          << printableText(nodes.second) << ")\n";
  }
};

} // namespace

/// Names of values whose initializers something else than a node refers to.
static llvm::StringSet<> namesThatStay(const FoldedModel &model) {
  llvm::StringSet<> names = annotatedNames(*model.prepared.imported.index);
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      names.insert(valueName(value));
  return names;
}

static TypeConversionOptions conversionOptions(const FoldedModel &model,
                                               const FoldOptions &options,
                                               const NodeFilter &skipped) {
  TypeConversionOptions result;
  result.pairs = llvm::cantFail(parseTypePairs(options.convert)); // was checked
  result.convertsInterface = options.convertsInterface;
  result.whyKept = [&](Operation *op) {
    Reason reason = skipped(op);
    if (!reason && !model.filter.empty())
      reason = model.filter(op);
    return reason ? reason.text : std::string();
  };
  llvm::StringSet<> defaults;
  for (const std::string &name :
       overridableInputs(*model.prepared.imported.index))
    defaults.insert(name);
  result.whyFixed = [stay = namesThatStay(model),
                     defaults = std::move(defaults)](Value value) {
    StringRef name = valueName(value);
    if (stay.contains(name))
      return std::string("its name has a meaning beside the graph");
    return std::string(defaults.contains(name)
                           ? "its default is an initializer of its type"
                           : "");
  };
  return result;
}

/// Says what =saturate did to it.
static std::string lossOf(const ConvertedTensor &tensor) {
  return tensor.vanishes
             ? "its numbers would become 0, and are the smallest ones"
             : std::to_string(tensor.overflows) +
                   (tensor.overflows == 1 ? " number was" : " numbers were") +
                   " beyond it";
}

static void warnOfLosses(const FoldedModel &model, RunScope &run) {
  constexpr size_t most = 20;
  size_t number = 0;
  for (const ConvertedTensor &tensor : model.conversion->tensors) {
    if (tensor.kept.empty() && tensor.overflows == 0 && !tensor.vanishes)
      continue;
    std::string text =
        model.prepared.name + ": constant '" + printableName(tensor.name) +
        (tensor.kept.empty()
             ? "' is clipped to " + name(tensor.to).str() + ": " +
                   lossOf(tensor)
             : "' stays " + name(tensor.from).str() + ": " + tensor.kept);
    if (number++ < most)
      run.warn(text);
    else
      run.report().warnings.push_back(text);
  }
  if (number > most)
    run.warn(model.prepared.name + ": " + llvm::Twine(number - most) +
             " more constants stay, or are clipped, for such reasons");
}

static llvm::Expected<StepResult> convertOnce(FoldedModel &model,
                                              const FoldOptions &options,
                                              const NodeFilter &skipped,
                                              RunScope &run) {
  RunBudgetScope bounded(run.budget());
  llvm::Expected<TypeConversion> done =
      convertTypes(model.module(), conversionOptions(model, options, skipped),
                   model.folding->cleanUp().session());
  if (!done)
    return inFile(model.prepared.name, done.takeError());
  bool isChange = done->isChange();
  FoldReport &report = run.report();
  report.section<ConversionSection>().add(*done);
  if (int64_t more = done->casts - done->droppedCasts)
    report.operators["Cast"].second += more;
  model.movesWeights |= !done->newValues.empty() &&
                        !model.prepared.imported.external->files().empty();
  model.conversion = std::move(*done);
  model.types.followElementTypes();
  return isChange ? StepResult::Changed : StepResult::Unchanged;
}

llvm::Expected<StepResult>
onnxfold::convertModelTypes(FoldedModel &model, const FoldOptions &options,
                            const ModelSource &source, ModelContext &context,
                            ResultCache *cache, ExportSettings &settings,
                            RunScope &run) {
  if (options.convert.empty())
    return StepResult::Unchanged;
  if (!model.prepared.imported.index->trainingInfos.empty() ||
      model.hasNoOutputs()) {
    run.warn(model.prepared.name +
             ": no types are converted, since the model has " +
             (model.hasNoOutputs() ? "no outputs" : "graphs of training"));
    return StepResult::Unchanged;
  }
  llvm::Expected<NodeFilter> skipped =
      NodeFilter::createSkip("convert-skip", options.convertSkip);
  if (!skipped)
    return skipped.takeError();
  for (const std::string &text : skipped->idle(model.module()))
    run.warn(model.prepared.name + ": " + text);
  llvm::Expected<StepResult> done = convertOnce(model, options, *skipped, run);
  if (!done)
    return done;
  warnOfLosses(model, run);
  constexpr int mostRounds = 3;
  for (int round = 0; round < mostRounds && model.conversion->foldable != 0;
       ++round) {
    llvm::Expected<StepResult> folded =
        foldWritten(model, options, source, context, cache, settings, run);
    if (!folded || *folded == StepResult::Unchanged)
      return folded;
    llvm::Expected<StepResult> again =
        convertOnce(model, options, *skipped, run);
    if (!again)
      return again;
  }
  return done;
}

//===----------------------------------------------------------------------===//
// The interface of the original
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Value value, Type type) {
  Operation *function = value.getParentBlock()->getParentOp();
  registerOperator(*value.getContext(), "", "Cast");
  OperatorId id{"", "Cast",
                *resolveSince("", "Cast", *importedOpset(function, ""))};
  DataType element = toDataType(cast<mlir::TensorType>(type).getElementType());
  return Operator::create(builder, value.getLoc(), id, value, type,
                          {builder.getNamedAttr("to", builder.getI64IntegerAttr(
                                                          int64_t(element)))})
      ->getResult(0);
}

/// `type` with the elements of `like`; null if it has these.
static Type withElementsOf(Type type, Type like) {
  auto mine = dyn_cast<mlir::TensorType>(type),
       theirs = dyn_cast<mlir::TensorType>(like);
  return mine && theirs && mine.getElementType() != theirs.getElementType()
             ? cast<Type>(mine.clone(theirs.getElementType()))
             : Type();
}

void onnxfold::takeInterface(ModuleOp module, ModuleOp like) {
  llvm::StringMap<Type> inputs;
  for (Value argument : mainBlock(like).getArguments())
    inputs[valueName(argument)] = argument.getType();
  Block &block = mainBlock(module);
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (BlockArgument argument : block.getArguments())
    if (Type wanted = withElementsOf(argument.getType(),
                                     inputs.lookup(valueName(argument)))) {
      Type type = argument.getType();
      argument.setType(wanted);
      Value made = castTo(builder, argument, type);
      argument.replaceAllUsesExcept(made, made.getDefiningOp());
    }
  builder.setInsertionPoint(&block.back());
  for (auto [place, other] : llvm::zip(block.back().getOpOperands(),
                                       mainBlock(like).back().getOperands()))
    if (Type wanted = withElementsOf(place.get().getType(), other.getType()))
      place.set(castTo(builder, place.get(), wanted));
  updateType(mainGraph(module));
}
