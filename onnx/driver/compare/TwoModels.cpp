//===- TwoModels.cpp - Runs that read two models --------------------------===//

#include "onnxfold/onnx/driver/compare/internal/TwoModels.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/prepare/internal/CutModel.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ThreadPool.h"
#include <new>

using namespace onnxfold;
using namespace mlir;

static llvm::Expected<ImportedModel>
readModel(StringRef path, const FoldOptions &options, MLIRContext &context) {
  llvm::Expected<InputFileRef> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  llvm::Expected<ImportedModel> model =
      importModel(*file, context, options.dataRoots, /*locations=*/false,
                  options.fixed.initializers);
  if (!model)
    return model.takeError();
  if (options.cut.isGiven())
    if (llvm::Error error =
            cutModel(*model, options.cut, options.limits).takeError())
      return inFile(path, std::move(error));
  if (llvm::Error error = options.fixed.applyTo(*model->module))
    return inFile(path, std::move(error));
  return model;
}

static llvm::Error readAndRun(
    StringRef before, StringRef after, const FoldOptions &options,
    MLIRContext &context,
    llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &)> run) {
  llvm::Expected<ImportedModel> original = readModel(before, options, context);
  if (!original)
    return original.takeError();
  llvm::Expected<ImportedModel> other = readModel(after, options, context);
  if (!other)
    return other.takeError();
  return run(*original, *other);
}

llvm::Error onnxfold::withTwoModels(
    StringRef before, StringRef after, const FoldOptions &options,
    llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &)> run) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.threads));
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  addOnnxFolding(context, {options.quantization});
  std::optional<ParallelScope> parallel;
  if (pool.getMaxConcurrency() > 1)
    parallel.emplace(pool);
  try {
    return asFoldError(readAndRun(before, after, options, context, run));
  } catch (const std::bad_alloc &) {
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       ModelFault("out of memory"));
  } catch (const UnreadableFile &unreadable) {
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       unreadable.fault());
  }
}
