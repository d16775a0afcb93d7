//===- FuzzTargets.cpp - What is done with bytes from anywhere ------------===//

#include "FuzzTargets.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace onnxfold;
using namespace mlir;

/// A mistake of ours: ends the process, so that a fuzzer keeps the input.
static void giveUp(llvm::Error error, const char *what) {
  llvm::errs() << "fuzz: " << what << ": " << toString(std::move(error))
               << "\n";
  std::abort();
}

/// The bytes as a file. Its folder does not exist: no external data is found.
static InputFileRef fileOf(llvm::StringRef bytes) {
  int fd = ::memfd_create("model.onnx", MFD_CLOEXEC);
  size_t done = 0;
  while (fd >= 0 && done < bytes.size()) {
    ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count <= 0)
      break;
    done += count;
  }
  if (fd < 0 || done < bytes.size())
    giveUp(llvm::createStringError("no memory file"), "set-up");
  return cantFail(InputFile::adopt(fd, "/onnxfold-no-such-folder/model.onnx"));
}

/// A file that is removed when the process ends.
static const std::string &outputPath() {
  struct Folder {
    std::string name =
        (std::filesystem::temp_directory_path() / "onnxfold-fuzz-XXXXXX")
            .string();
    std::string file;
    Folder() {
      if (::mkdtemp(name.data()))
        file = name + "/out.onnx";
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(name, ignored);
    }
  };
  static Folder folder;
  return folder.file;
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

namespace {

/// A model, folded in memory.
struct FoldedModel {
  ImportedModel model;
  CleanUp cleanUp{/*level=*/2, /*disabled=*/{}};

  llvm::Expected<ModelExporter> compare() const {
    ExportOptions options;
    options.isRewired = [this](Operation *op) { return cleanUp.isRewired(op); };
    options.nameInFile = [this](Operation *op) {
      return cleanUp.nameInFile(op);
    };
    options.sourceOf = [this](Operation *op) {
      return cleanUp.copies().find(op);
    };
    options.origin = [this](Operation *op) {
      return cleanUp.inlining().origin(op);
    };
    options.removesUnused = true;
    return ModelExporter::create(model, options);
  }
};

} // namespace

/// Folds under limits that keep one input below a second. What a budget leaves
/// out depends on the metadata, so there is none. The steps are those of the
/// tool (tools/onnx-fold/Main.cpp, Run::fold).
static void fold(ModuleOp module, CleanUp &cleanUp) {
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits.maxResultBytes = 1 << 20;
  options.limits.maxWork = 1 << 22;
  options.limits.maxTripCount = 20;
  std::optional<Evaluation> evaluation;
  do
    evaluation.emplace(module, options);
  while (cleanUp.run(*evaluation));
  cleanUp.plan()->apply();
}

static llvm::Expected<std::unique_ptr<FoldedModel>>
foldFile(InputFileRef file, MLIRContext &context) {
  llvm::Expected<ImportedModel> model = importModel(std::move(file), context);
  if (!model)
    return model.takeError();
  auto folded = std::make_unique<FoldedModel>();
  folded->model = std::move(*model);
  fold(*folded->model.module, folded->cleanUp);
  return folded;
}

/// Folds an output of ours in place; true if that changed it.
static bool foldAgain(const std::string &path) {
  Context context;
  auto model = foldFile(cantFail(InputFile::open(path)), context);
  if (!model)
    giveUp(model.takeError(), "the output cannot be read");
  llvm::Expected<ModelExporter> exporter = (*model)->compare();
  if (!exporter)
    giveUp(exporter.takeError(), "the output cannot be folded again");
  if (!exporter->changesAnything())
    return false;
  // The input is never replaced: under another name first.
  if (llvm::Error error = exporter->write(path + ".again", nullptr))
    giveUp(std::move(error), "the output cannot be written again");
  std::filesystem::rename(path + ".again", path);
  return true;
}

FuzzOutcome onnxfold::fuzzFold(llvm::StringRef bytes) {
  const std::string &path = outputPath();
  Context context;
  auto model = foldFile(fileOf(bytes), context);
  if (!model) {
    llvm::consumeError(model.takeError());
    return FuzzOutcome::Refused;
  }
  llvm::Expected<ModelExporter> exporter = (*model)->compare();
  if (!exporter) {
    // Bytes that only the writer looks at, such as those of a value_info.
    llvm::consumeError(exporter.takeError());
    return FuzzOutcome::Refused;
  }
  if (llvm::Error error = exporter->write(path, nullptr))
    giveUp(std::move(error), "a model that was folded cannot be written");
  if (!exporter->changesAnything())
    return FuzzOutcome::Read;

  // What contradicts itself may be seen to do so one run later.
  constexpr unsigned mostRuns = 4;
  for (unsigned run = 1; foldAgain(path); ++run)
    if (run == mostRuns)
      giveUp(llvm::createStringError("four times"),
             "folding again changes the output");
  return FuzzOutcome::Folded;
}
