//===- CompareModels.cpp - Do two models compute the same? ----------------===//

#include "onnxfold/onnx/driver/CompareModels.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/verify/NodeNumbers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ThreadPool.h"
#include <new>

using namespace onnxfold;
using namespace mlir;

static FunctionOpInterface graphOfModel(ModuleOp module) {
  return module.lookupSymbol<FunctionOpInterface>(mainGraphSymbol);
}

/// "'y', 'z'": the outputs of a model, which are compared in their order.
static std::string outputNames(ModuleOp module) {
  FunctionOpInterface graph = graphOfModel(module);
  std::string text;
  for (unsigned i = 0; i != graph.getNumResults(); ++i) {
    auto name = graph.getResultAttrOfType<StringAttr>(i, nameAttrName);
    text += (i ? ", '" : "'") +
            printableName(name ? name.getValue() : StringRef()) + "'";
  }
  return text;
}

static llvm::Expected<ImportedModel>
readModel(StringRef path, const FoldOptions &options, MLIRContext &context) {
  llvm::Expected<InputFileRef> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  llvm::Expected<ImportedModel> model =
      importModel(*file, context, options.dataRoots, /*locations=*/false);
  if (!model)
    return model.takeError();
  if (llvm::Error error = options.fixed.applyTo(*model->module))
    return llvm::createStringError(path + ": " +
                                   llvm::toString(std::move(error)));
  return model;
}

static VerifyOptions verifyOptionsOf(const FoldOptions &options,
                                     const FoldCallbacks &callbacks) {
  VerifyOptions result;
  result.trials = options.verifyTrials;
  result.limits = options.limits;
  result.exact = options.level <= 1 && options.precision == Precision::Exact;
  result.step = callbacks.step;
  result.isCancelled = callbacks.isCancelled;
  return result;
}

static llvm::Error compareRead(StringRef before, StringRef after,
                               const FoldOptions &options, FoldReport &report,
                               const FoldCallbacks &callbacks,
                               MLIRContext &context) {
  llvm::Expected<ImportedModel> original = readModel(before, options, context);
  if (!original)
    return original.takeError();
  llvm::Expected<ImportedModel> other = readModel(after, options, context);
  if (!other)
    return other.takeError();
  report.input = before.str();
  report.bytesBefore = original->index->file()->size();
  report.bytesAfter = other->index->file()->size();
  std::string expected = outputNames(*original->module),
              names = outputNames(*other->module);
  if (names != expected)
    return llvm::createStringError(after + ": has the outputs " + names +
                                   ", expected " + expected + " as " + before);
  report.endStep("read");
  takeNodeNumbers(*other->module, *original->module);
  report.verification = verify(*original->module, *other->module,
                               verifyOptionsOf(options, callbacks));
  report.endStep("verify");
  if (callbacks.isCancelled && callbacks.isCancelled())
    return llvm::make_error<FoldError>(FoldErrorCode::Cancelled, "cancelled");
  if (callbacks.verified)
    callbacks.verified(*report.verification);
  if (!report.verification->isEqual())
    return llvm::make_error<FoldError>(
        FoldErrorCode::Differs,
        (after + ": computes something else than " + before).str());
  return llvm::Error::success();
}

llvm::Error onnxfold::compareModels(StringRef before, StringRef after,
                                    const FoldOptions &options,
                                    FoldReport &report,
                                    const FoldCallbacks &callbacks) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.threads));
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  addOnnxFolding(context, {options.quantization});
  std::optional<ParallelScope> parallel;
  if (pool.getMaxConcurrency() > 1)
    parallel.emplace(pool);
  try {
    llvm::Error error =
        compareRead(before, after, options, report, callbacks, context);
    if (!error || error.isA<FoldError>())
      return error;
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       llvm::toString(std::move(error)));
  } catch (const std::bad_alloc &) {
    return llvm::make_error<FoldError>(FoldErrorCode::Failed, "out of memory");
  }
}
