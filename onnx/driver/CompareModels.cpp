//===- CompareModels.cpp - Do two models compute the same? ----------------===//

#include "onnxfold/onnx/driver/CompareModels.h"
#include "onnxfold/onnx/driver/internal/TwoModels.h"
#include "onnxfold/onnx/driver/internal/VerifyInputs.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/verify/NodeNumbers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

static VerifyOptions verifyOptionsOf(const FoldOptions &options,
                                     const FoldCallbacks &callbacks) {
  VerifyOptions result;
  result.trials = options.verifyTrials;
  result.limits = options.limits;
  result.limits.maxWork = options.limits.maxWorkOfRun();
  result.exact = options.level <= 1 && options.precision == Precision::Exact;
  result.step = callbacks.step;
  result.isCancelled = callbacks.isCancelled;
  return result;
}

static llvm::Error compareRead(StringRef before, StringRef after,
                               const FoldOptions &options, FoldReport &report,
                               const FoldCallbacks &callbacks,
                               ImportedModel &original, ImportedModel &other) {
  report.input = before.str();
  report.bytesBefore = original.index->file()->size();
  report.bytesAfter = other.index->file()->size();
  std::string expected = outputNames(*original.module),
              names = outputNames(*other.module);
  if (names != expected)
    return llvm::createStringError(after + ": has the outputs " + names +
                                   ", expected " + expected + " as " + before);
  report.endStep("read");
  takeNodeNumbers(*other.module, *original.module);
  VerifyOptions how = verifyOptionsOf(options, callbacks);
  if (!options.verifyInputs.empty()) {
    auto given = readVerifyInputs(options.verifyInputs, *original.module,
                                  options.fixed.bound());
    if (!given)
      return given.takeError();
    how.inputs = std::move(*given);
  }
  report.verification = verify(*original.module, *other.module, how);
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
  return withTwoModels(before, after, options,
                       [&](ImportedModel &original, ImportedModel &other) {
                         return compareRead(before, after, options, report,
                                            callbacks, original, other);
                       });
}
