//===- FuzzProgram.cpp - Fuzz targets of onnx-run --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/values/TensorFiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace onnxfold;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static llvm::Expected<Signature> signatureOfModel(llvm::StringRef bytes) {
  using namespace mlir;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  addOnnxFolding(context);
  InputFileRef file = llvm::cantFail(
      InputFile::ofBytes(bytes, "/onnxfold-no-such-folder/model.onnx"));
  llvm::Expected<ImportedModel> model = importModel(file, context);
  if (!model)
    return model.takeError();
  return signatureOf(cast<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(*model->module, mainGraphSymbol)));
}

/// The text of a signature, or a model.
FuzzOutcome onnxfold::fuzzSignature(llvm::StringRef bytes) {
  llvm::Expected<Signature> signature = bytes.starts_with("{")
                                            ? Signature::fromText(bytes)
                                            : signatureOfModel(bytes);
  if (!signature) {
    llvm::consumeError(signature.takeError());
    return FuzzOutcome::Refused;
  }
  std::string text = signature->toText();
  llvm::Expected<Signature> again = Signature::fromText(text);
  if (!again)
    giveUp(again.takeError(), "a signature that was written cannot be read");
  if (std::string second = again->toText(); second != text)
    giveUp(llvm::createStringError(text + "\n" + second),
           "a signature is read as something else");
  for (const ValueSignature &value : signature->inputs)
    value.text();
  return FuzzOutcome::Read;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

namespace {
/// A file for the whole process, for each kind that has an ending.
struct InputFiles {
  fs::path folder;

  InputFiles() {
    std::string pattern = fs::temp_directory_path() / "onnxfold-fuzz-XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~InputFiles() { fs::remove_all(folder); }

  std::string put(const char *name, llvm::StringRef bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes.str();
    return folder / name;
  }
};
} // namespace

static constexpr int64_t mostPrinted = 1 << 12; // elements

static bool isTrueOfAll(const FoldedValue &value,
                        llvm::function_ref<bool(const Elements &)> holds) {
  return value.tensor ? holds(value.tensor)
                      : !value.sequence || value.sequence->isTrueOfAll(holds);
}

/// Writes a value of its type, and reads it.
static void expectComesBack(const FoldedValue &value,
                            const ValueSignature &type,
                            const std::string &file) {
  if (llvm::Error error = writeMessage(file, value, type))
    giveUp(std::move(error), "a value that was read cannot be written");
  llvm::Expected<FoldedValue> again = readValue(file, type);
  if (!again)
    giveUp(again.takeError(), "a value that was written cannot be read");
  std::string before = printedValue(value, type, mostPrinted),
              after = printedValue(*again, type, mostPrinted);
  if (before != after)
    giveUp(llvm::createStringError(before + "\n" + after),
           "a value that was written is read as another");
}

/// Of the first byte: the kind of file, sequence, optional; the second is the
/// type. Of an archive it is the array `x`, or x.0, x.1 ...
FuzzOutcome onnxfold::fuzzInput(llvm::StringRef bytes) {
  static InputFiles files;
  if (bytes.size() < 2)
    return FuzzOutcome::Refused;
  constexpr const char *names[] = {"x.npy", "x.npz", "x.pb"};
  auto kind = uint8_t(bytes[0]);
  ValueSignature type;
  type.name = "x";
  type.isSequence = kind & 4;
  type.isOptional = kind & 8;
  type.type = DataType(bytes[1]);
  type.onnxType = uint8_t(bytes[1]);
  std::string file = files.put(names[kind % 4 % 3], bytes.drop_front(2));
  llvm::Expected<FoldedValue> value = readValue(file, type);
  if (!value) {
    llvm::consumeError(value.takeError());
    return FuzzOutcome::Refused;
  }
  if (!isTrueOfAll(*value, [](auto &one) { return one.size() <= mostPrinted; }))
    return FuzzOutcome::Read;
  printedValue(*value, type, mostPrinted);
  // What is of another type is refused where the program is called.
  if (isTrueOfAll(*value, [&](auto &one) { return one.type() == type.type; }) &&
      (value->isNothing || bool(value->sequence) == type.isSequence))
    expectComesBack(*value, type, files.folder / "written.pb");
  return FuzzOutcome::Read;
}
