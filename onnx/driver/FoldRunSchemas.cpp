//===- FoldRunSchemas.cpp - One run of foldModel: --schemas ---------------===//

#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// A model, binary or text, whose functions are taken.
llvm::Error FoldRun::readLibrary(const InputFileRef &library) {
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
    warn(warning);
  libraryFunctions.push_back(
      std::make_unique<SymbolTable>(imported->module.get()));
  libraries.push_back(std::move(*imported));
  return llvm::Error::success();
}

/// Says what operators outside the standard are; the context folds then.
llvm::Error FoldRun::readSchemas() {
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
    if (llvm::Error error =
            isJson ? schemas->add(text, path) : readLibrary(*opened))
      return error;
  }
  OnnxFoldingOptions folding;
  folding.quantization = options.quantization;
  if (!options.schemas.empty())
    folding.schemas = std::move(schemas);
  for (const std::unique_ptr<SymbolTable> &functions : libraryFunctions)
    folding.libraries.push_back(functions.get());
  folding.noteDoubt = [this] { isDoubtful = true; };
  addOnnxFolding(context, folding);
  return llvm::Error::success();
}
