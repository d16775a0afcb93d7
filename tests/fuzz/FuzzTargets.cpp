//===- FuzzTargets.cpp - What is done with bytes from anywhere ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/read/NodeReader.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace mlir;

llvm::ArrayRef<FuzzTarget> onnxfold::fuzzTargets() {
  static const FuzzTarget targets[] = {
      {"reader", fuzzReader, /*isProtobuf=*/true, /*isModel=*/true},
      {"fold", fuzzFold, /*isProtobuf=*/true, /*isModel=*/true},
      {"opset", fuzzOpset, /*isProtobuf=*/true, /*isModel=*/true},
      {"text", fuzzTextModel},
      {"location", fuzzLocation},
      {"npy", fuzzNpy},
      {"npz", fuzzNpz},
      {"tensor", fuzzTensor, /*isProtobuf=*/true},
      {"matrix", fuzzMatrix},
      {"schemas", fuzzSchemas},
      {"rules", fuzzRules},
      {"cache", fuzzCache},
      {"report", fuzzReport},
      {"growth", fuzzGrowth},
      {"ir", fuzzText},
      {"passes", fuzzPasses},
      {"dml", fuzzDml},
      {"signature", fuzzSignature},
      {"input", fuzzInput},
  };
  return targets;
}

const FuzzTarget *onnxfold::fuzzTarget(llvm::StringRef name) {
  for (const FuzzTarget &target : fuzzTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

void onnxfold::giveUp(llvm::Error error, const char *what) {
  llvm::errs() << "fuzz: " << what << ": " << toString(std::move(error))
               << "\n";
  std::abort();
}

/// The bytes as a file. Its folder does not exist: no external data is found.
static InputFileRef fileOf(llvm::StringRef bytes) {
  return cantFail(
      InputFile::ofBytes(bytes, "/onnxfold-no-such-folder/model.onnx"));
}

namespace {

/// A context with everything that a run of the tool loads.
struct Context : MLIRContext {
  Context() : MLIRContext(Threading::DISABLED) {
    loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
    // Quantisation too: more code is reached.
    addOnnxFolding(*this, {FoldQuantization::All});
  }
};

} // namespace

/// Reads every node, and through them all attributes.
static bool readNodes(const ModelIndex &index) {
  WireReader reader(index.file());
  NodeFields node;
  auto readAll = [&](const std::deque<MessageSpan> &nodes) {
    for (const MessageSpan &span : nodes)
      if (llvm::Error error = readNode(reader, index, span, node)) {
        llvm::consumeError(std::move(error));
        return false;
      }
    return true;
  };
  for (const GraphIndex &graph : index.graphs)
    if (!readAll(graph.nodes))
      return false;
  for (const FunctionIndex &function : index.functions)
    if (!readAll(function.nodes))
      return false;
  return true;
}

/// Touches the bytes of every constant of a reasonable size.
static void readConstants(ModuleOp module) {
  constexpr int64_t most = 1 << 20;
  module.walk([&](OnnxConstantOp constant) {
    Elements elements = fromAttribute(constant.getValue());
    if (elements && elements.size() <= most)
      contentHash(elements);
  });
}

FuzzOutcome onnxfold::fuzzReader(llvm::StringRef bytes) {
  InputFileRef file = fileOf(bytes);
  llvm::Expected<std::unique_ptr<ModelIndex>> index = ModelIndex::build(file);
  if (!index) {
    llvm::consumeError(index.takeError());
    return FuzzOutcome::Refused;
  }
  if (!readNodes(**index))
    return FuzzOutcome::Refused;
  Context context;
  llvm::Expected<ImportedModel> model = importModel(file, context);
  if (!model) {
    llvm::consumeError(model.takeError());
    return FuzzOutcome::Refused;
  }
  readConstants(*model->module);
  return FuzzOutcome::Read;
}

/// Limits that keep one input below a second, and as much code as can be
/// reached. What a budget leaves out depends on the metadata, so there is none.
static FoldOptions fuzzOptions() {
  FoldOptions options;
  options.level = 2;
  options.quantization = FoldQuantization::All;
  options.maxGrowth.kind = GrowthLimit::Kind::Unlimited;
  options.limits.maxResultBytes = 1 << 20;
  options.limits.maxWork = 1 << 22;
  options.limits.maxTripCount = 20;
  options.threads = 1;
  return options;
}

/// Folds an output of ours in place; true if that changed it.
static bool foldAgain(std::string &model) {
  FoldReport report;
  std::string result;
  if (llvm::Error error =
          foldModel(ModelInput::bytes(model), ModelOutput::bytes(result),
                    fuzzOptions(), report))
    giveUp(std::move(error), "the output cannot be folded again");
  model = std::move(result);
  return report.isChanged;
}

/// Folds; after a change, until nothing is left to do.
static FuzzOutcome foldAll(llvm::StringRef bytes, const FoldOptions &options) {
  FoldReport report;
  std::string model;
  if (llvm::Error error =
          foldModel(ModelInput::bytes(bytes), ModelOutput::bytes(model),
                    options, report)) {
    // A conversion to another opset may be refused after folding.
    if (report.isChanged && options.targetOpset == 0)
      giveUp(std::move(error), "a model that was folded cannot be written");
    llvm::consumeError(std::move(error));
    return FuzzOutcome::Refused;
  }
  if (!report.isChanged)
    return FuzzOutcome::Read;

  // What contradicts itself may be seen to do so one run later.
  constexpr unsigned mostRuns = 4;
  for (unsigned run = 1; foldAgain(model); ++run)
    if (run == mostRuns)
      giveUp(llvm::createStringError("four times"),
             "folding again changes the output");
  return FuzzOutcome::Folded;
}

FuzzOutcome onnxfold::fuzzFold(llvm::StringRef bytes) {
  return foldAll(bytes, fuzzOptions());
}

FuzzOutcome onnxfold::fuzzOpset(llvm::StringRef bytes) {
  FoldOptions options = fuzzOptions();
  options.targetOpset = 23;
  return foldAll(bytes, options);
}
