//===- TwoModels.cpp - Runs that read two models --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/TwoModels.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::withTwoModels(
    StringRef before, StringRef after, const FoldOptions &options,
    FoldReport &report, const FoldCallbacks &callbacks,
    llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &,
                                   RunScope &)>
        compare) {
  return runInScope("", options, report, callbacks, [&](RunScope &run) {
    ModelContext context;
    ModelSource first(ModelInput::file(before)),
        second(ModelInput::file(after));
    PreparedModel original, other;
    llvm::Error error = run.steps({
        {"schemas", [&] { return context.addFolding(options, run); }},
        {"prepare",
         [&] { return prepareModel(first, options, context, run, original); }},
        {"prepare",
         [&] { return prepareModel(second, options, context, run, other); }},
    });
    return error ? std::move(error)
                 : compare(original.imported, other.imported, run);
  });
}
