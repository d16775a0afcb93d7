//===- CompareModels.cpp - Do two models compute the same? ----------------===//

#include "onnxfold/onnx/driver/compare/CompareModels.h"
#include "onnxfold/onnx/driver/compare/internal/TwoModels.h"
#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyInputs.h"
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
    return ModelFault()
        .file(after)
        .has("the outputs " + names)
        .expected(expected + " as " + before);
  report.endStep("read");
  takeNodeNumbers(*other.module, *original.module);
  VerifyOptions how = verifyOptionsOf(options, callbacks);
  how.isCancelled = callbacks.isCancelled;
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
    return llvm::make_error<FoldError>(FoldErrorCode::Cancelled,
                                       ModelFault("cancelled"));
  if (callbacks.verified)
    callbacks.verified(*report.verification);
  return verificationError(
      *report.verification, before,
      ModelFault().file(after).says("computes something else than " + before));
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
