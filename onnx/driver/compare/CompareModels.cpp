//===- CompareModels.cpp - Do two models compute the same? ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/CompareModels.h"
#include "onnxfold/onnx/driver/compare/internal/TwoModels.h"
#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/io/files/IoError.h"
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

static llvm::Error checkOutputs(StringRef before, StringRef after,
                                const ImportedModel &original,
                                const ImportedModel &other) {
  std::string expected = outputNames(*original.module),
              names = outputNames(*other.module);
  if (names == expected)
    return llvm::Error::success();
  return ModelFault()
      .file(after)
      .has("the outputs " + names)
      .expected(expected + " as " + before);
}

llvm::Error onnxfold::compareModels(StringRef before, StringRef after,
                                    const FoldOptions &options,
                                    FoldReport &report,
                                    const FoldCallbacks &callbacks) {
  auto compare = [&](ImportedModel &original, ImportedModel &other,
                     RunScope &run) -> llvm::Error {
    report.input = before.str();
    report.bytesBefore = original.index->file()->size();
    report.bytesAfter = other.index->file()->size();
    if (llvm::Error error = checkOutputs(before, after, original, other))
      return error;
    takeNodeNumbers(*other.module, *original.module);
    auto verifyStep = [&] {
      return verifyInRun(original, *other.module, options, run);
    };
    if (llvm::Error error = run.steps({{"verify", verifyStep}}))
      return error;
    return verificationError(*report.verification, before,
                             ModelFault().file(after).says(
                                 "computes something else than " + before));
  };
  return withTwoModels(before, after, options, report, callbacks, compare);
}
