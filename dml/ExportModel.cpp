//===- ExportModel.cpp - A model as a DML script --------------------------===//

#include "onnxfold/dml/ExportModel.h"
#include "onnxfold/dml/Helpers.h"
#include "onnxfold/dml/internal/DriverPart.h"
#include "onnxfold/dml/internal/RowBlocks.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/onnx/driver/ModuleFolding.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/OutputSet.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// One call of exportModel.
class Export {
public:
  Export(StringRef input, const DmlOptions &options)
      : input(input), options(options),
        context(mlir::MLIRContext::Threading::DISABLED) {}

  llvm::Error read(std::vector<std::string> &warnings);
  llvm::Error fold();
  llvm::Error lower(std::vector<DmlRefusal> &refusals);
  llvm::Error write();

private:
  llvm::Error refused(StringRef what, llvm::ArrayRef<DmlRefusal> refusals);
  llvm::Error writeCompanions(StringRef folder, OutputFile &script);
  Script script() const;

  StringRef input;
  const DmlOptions &options;
  mlir::MLIRContext context;
  ImportedModel model;
  std::optional<ModuleFolding> folding;
  KnownTypes types;
  std::optional<GraphExport> graph;
};

} // namespace

llvm::Error Export::read(std::vector<std::string> &warnings) {
  context.loadDialect<mlir::func::FuncDialect, ElementsDialect, OnnxDialect>();
  addOnnxFolding(context, {FoldQuantization::None});
  llvm::Expected<InputFileRef> file = InputFile::open(input);
  if (!file)
    return file.takeError();
  llvm::Expected<ImportedModel> imported = importModel(
      *file, context, llvm::ArrayRef<std::string>(), /*locations=*/false);
  if (!imported)
    return imported.takeError();
  model = std::move(*imported);
  warnings = model.warnings;
  return options.fixed.applyTo(*model.module);
}

/// Constants may grow as they like: a script computes nothing twice.
llvm::Error Export::fold() {
  ModuleFoldingOptions chosen;
  chosen.dropsIdleFunctions = true;
  folding.emplace(*model.module, std::move(chosen));
  if (llvm::Error error = folding->run())
    return llvm::createStringError(input + ": " +
                                   llvm::toString(std::move(error)));
  folding->plan().apply();
  types.collect(folding->evaluation(), /*names=*/true);
  folding->releaseTables();
  return llvm::Error::success();
}

static std::string describe(const DmlRefusal &refusal) {
  std::string text =
      "\n  " + refusal.op + " '" + refusal.node + "': " + refusal.reason;
  if (!refusal.help.empty())
    text += " (" + refusal.help + ")";
  return text;
}

llvm::Error Export::lower(std::vector<DmlRefusal> &refusals) {
  auto function = mlir::cast<mlir::FunctionOpInterface>(
      mlir::SymbolTable::lookupSymbolIn(*model.module, mainGraphSymbol));
  graph.emplace(function, model.index->mainGraph().name, types);
  graph->run();
  refusals = graph->refusals;
  if (!refusals.empty())
    return refused("cannot be expressed in DML", refusals);
  if (options.batch) {
    refusals = rowBlockProblems(function, types, *graph);
    if (!refusals.empty())
      return refused("cannot run in blocks of rows (--batch)", refusals);
  }
  return llvm::Error::success();
}

llvm::Error Export::refused(StringRef what,
                            llvm::ArrayRef<DmlRefusal> refusals) {
  std::string text = (input + ": " + what + ":").str();
  for (const DmlRefusal &refusal : refusals)
    text += describe(refusal);
  return llvm::createStringError(text);
}

//===----------------------------------------------------------------------===//
// The script
//===----------------------------------------------------------------------===//

Script Export::script() const {
  Script result;
  result.comment = "Made by onnx-to-dml; the matrix of a tensor has its first "
                   "dimension as rows, that of a list is one row.";
  for (StringRef helper : graph->helpers)
    result.helpers.push_back(helperText(helper));
  result.functions = graph->functions;
  if (options.isLibrary)
    for (const Weight &weight : graph->weights)
      result.comment +=
          "\nweight " + weight.name + ": " + weightFolder(options) + "/" +
          weightFile(weight, options) + ", " + std::to_string(weight.rows) +
          " x " + std::to_string(weight.columns);
  else
    result.main = driverPart(*graph, options);
  return result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error Export::write() {
  bool isStream = options.output == "-";
  if (isStream && (!graph->weights.empty() || !options.interfaceFile.empty()))
    return llvm::createStringError(
        input + ": the weights need a folder beside the script, expected -o "
                "FILE instead of standard output");
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, script());
  llvm::Expected<std::unique_ptr<OutputFile>> scriptFile =
      OutputFile::create(options.output, model.inputFiles());
  if (!scriptFile)
    return scriptFile.takeError();
  if (llvm::Error error = (*scriptFile)->write(0, text))
    return error;
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(options.output));
  llvm::sys::path::append(folder, weightFolder(options));
  bool isNew = !llvm::sys::fs::exists(folder);
  if (!graph->weights.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError(llvm::Twine(folder) + ": " +
                                     code.message());
  llvm::Error error = writeCompanions(folder, **scriptFile);
  // Only an empty folder can be removed so.
  if (error && isNew && !graph->weights.empty())
    llvm::sys::fs::remove(folder);
  return error;
}

/// Weights and interface appear together with the script.
llvm::Error Export::writeCompanions(StringRef folder, OutputFile &script) {
  std::vector<std::unique_ptr<OutputFile>> files;
  std::vector<OutputFile *> companions;
  auto add = [&](const llvm::Twine &name,
                 llvm::function_ref<llvm::Error(OutputFile &)> fill) {
    auto file = OutputFile::create(name.str(), model.inputFiles());
    if (!file)
      return file.takeError();
    companions.push_back(file->get());
    files.push_back(std::move(*file));
    return fill(*companions.back());
  };
  for (const Weight &weight : graph->weights) {
    auto fill = [&](OutputFile &file) {
      return writeMatrix(file, weight.values, weight.rows, weight.columns,
                         options.weights);
    };
    if (llvm::Error error =
            add(folder + "/" + weightFile(weight, options), fill))
      return error;
  }
  if (!options.interfaceFile.empty()) {
    auto fill = [&](OutputFile &file) {
      return file.write(0, interfaceText(*graph));
    };
    if (llvm::Error error = add(options.interfaceFile, fill))
      return error;
  }
  return commitTogether(companions, script);
}

llvm::Error dml::exportModel(StringRef input, const DmlOptions &options,
                             std::vector<DmlRefusal> &refusals,
                             std::vector<std::string> &warnings) {
  Export run(input, options);
  if (llvm::Error error = run.read(warnings))
    return error;
  if (llvm::Error error = run.fold())
    return error;
  if (llvm::Error error = run.lower(refusals))
    return error;
  return run.write();
}
