//===- FuzzTargets.cpp - What is done with bytes from anywhere ------------===//

#include "FuzzTargets.h"
#include "onnxfold/constprop/FoldPlan.h"
#include "onnxfold/elements/ContentHash.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/elements/ElementsDialect.h"
#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/kernels/support/OnnxFolding.h"
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

/// Folds under limits that keep one input below a second. What a budget leaves
/// out depends on the metadata, so there is none.
static void fold(ModuleOp module) {
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits.maxResultBytes = 1 << 20;
  options.limits.maxWork = 1 << 22;
  options.limits.maxTripCount = 20;
  Evaluation evaluation(module, std::move(options));
  evaluation.run();
  FoldPlan plan(evaluation, std::nullopt);
  plan.apply();
}

/// Reads and folds; nothing if the model is refused.
static std::optional<ImportedModel>
foldFile(InputFileRef file, MLIRContext &context, llvm::Error &error) {
  llvm::Expected<ImportedModel> model = importModel(std::move(file), context);
  if (!model) {
    error = model.takeError();
    return std::nullopt;
  }
  fold(*model->module);
  return std::move(*model);
}

FuzzOutcome onnxfold::fuzzFold(llvm::StringRef bytes) {
  const std::string &path = outputPath();
  llvm::Error error = llvm::Error::success();
  (void)!!error; // checked: it may be assigned to
  Context context;
  std::optional<ImportedModel> model = foldFile(fileOf(bytes), context, error);
  if (!model) {
    llvm::consumeError(std::move(error));
    return FuzzOutcome::Refused;
  }
  llvm::Expected<ModelExporter> exporter = ModelExporter::create(*model, {});
  if (!exporter) {
    // Bytes that only the writer looks at, such as those of a value_info.
    llvm::consumeError(exporter.takeError());
    return FuzzOutcome::Refused;
  }
  if (llvm::Error writing = exporter->write(path, nullptr))
    giveUp(std::move(writing), "a model that was folded cannot be written");
  if (!exporter->changesAnything())
    return FuzzOutcome::Read;

  Context second;
  std::optional<ImportedModel> again =
      foldFile(cantFail(InputFile::open(path)), second, error);
  if (!again)
    giveUp(std::move(error), "the output cannot be read");
  llvm::Expected<ModelExporter> rest = ModelExporter::create(*again, {});
  if (!rest)
    giveUp(rest.takeError(), "the output cannot be folded again");
  if (rest->changesAnything())
    giveUp(llvm::createStringError("its size would be " +
                                   std::to_string(rest->outputBytes())),
           "folding again changes the output");
  return FuzzOutcome::Folded;
}
