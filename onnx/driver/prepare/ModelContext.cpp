//===- ModelContext.cpp - The context of the models of a run --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/ModelContext.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace onnxfold;
using namespace mlir;

ModelContext::ModelContext(const DialectRegistry &more)
    : context(more, MLIRContext::Threading::DISABLED) {
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  setConstantAsm(context, {printDense, parseDense});
}

/// A model, binary or text, whose functions are taken.
llvm::Error ModelContext::readLibrary(const InputFileRef &library,
                                      const FoldOptions &options,
                                      RunScope &run) {
  llvm::Expected<ImportedModel> imported =
      importModel(library, context, options.dataRoots, /*locations=*/false);
  if (!imported)
    return imported.takeError();
  if (imported->index->functions.empty())
    return ModelFault()
        .file(library->name())
        .says("the model has no functions")
        .expected("some that operators are computed by, or JSON with schemas");
  for (const std::string &warning : imported->warnings)
    run.warn(warning);
  functions.push_back(std::make_unique<SymbolTable>(imported->module.get()));
  libraries.push_back(std::move(*imported));
  return llvm::Error::success();
}

void ModelContext::addFolding() { addOnnxFolding(context); }

llvm::Expected<StepResult> ModelContext::addFolding(const FoldOptions &options,
                                                    RunScope &run) {
  auto schemas = std::make_shared<OperatorSchemas>();
  for (const std::string &path : options.schemas) {
    llvm::Expected<InputFileRef> opened = InputFile::open(path);
    if (!opened)
      return opened.takeError();
    std::string bytes((*opened)->size(), '\0');
    if (llvm::Error error = (*opened)->read(0, {bytes.data(), bytes.size()}))
      return error;
    llvm::StringRef text = bytes;
    text.consume_front("\xef\xbb\xbf"); // some editors begin with it
    bool isJson = text.ltrim().starts_with("{") ||
                  llvm::StringRef(path).ends_with_insensitive(".json");
    if (llvm::Error error = isJson ? schemas->add(text, path)
                                   : readLibrary(*opened, options, run))
      return error;
  }
  OnnxFoldingOptions folding;
  folding.quantization = options.quantization;
  if (!options.schemas.empty())
    folding.schemas = std::move(schemas);
  for (const std::unique_ptr<SymbolTable> &table : functions)
    folding.libraries.push_back(table.get());
  folding.noteDoubt = [this] { doubt = true; };
  addOnnxFolding(context, folding);
  return options.schemas.empty() ? StepResult::Unchanged : StepResult::Changed;
}
