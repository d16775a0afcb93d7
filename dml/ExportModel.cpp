//===- ExportModel.cpp - A model as a DML script --------------------------===//

#include "onnxfold/dml/ExportModel.h"
#include "onnxfold/dml/Helpers.h"
#include "onnxfold/dml/internal/GraphExport.h"
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
  Script script() const;
  Body driver() const;
  Expr readOf(const Weight &weight) const;
  std::string folderName() const;
  std::string fileOf(const Weight &weight) const {
    return weight.name +
           (options.weights == WeightFormat::Csv ? ".csv" : ".bin");
  }

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
  if (refusals.empty())
    return llvm::Error::success();
  std::string text = (input + ": cannot be expressed in DML:").str();
  for (const DmlRefusal &refusal : refusals)
    text += describe(refusal);
  return llvm::createStringError(text);
}

//===----------------------------------------------------------------------===//
// The script
//===----------------------------------------------------------------------===//

/// "model.weights" of "out/model.dml".
std::string Export::folderName() const {
  StringRef stem = llvm::sys::path::filename(options.output);
  stem.consume_back(".dml");
  return (stem + ".weights").str();
}

Expr Export::readOf(const Weight &weight) const {
  bool isCsv = options.weights == WeightFormat::Csv;
  std::vector<Argument> arguments = {
      Expr::name("weights") + Expr::text("/" + fileOf(weight)),
      {"format", Expr::text(isCsv ? "csv" : "binary")},
      {"rows", weight.rows},
      {"cols", weight.columns}};
  if (isCsv) {
    arguments.push_back({"header", Expr::name("FALSE")});
    arguments.push_back({"sep", Expr::text(",")});
  }
  return call("read", arguments);
}

static Statement parameter(StringRef variable, StringRef name,
                           StringRef byDefault) {
  return Statement::assign(
      variable,
      call("ifdef", {Expr::name(("$" + name).str()), Expr::text(byDefault)}));
}

/// Reads inputs and weights, calls the function, writes outputs. Everything
/// that the caller may give is a parameter with a default.
Body Export::driver() const {
  Body result = {Statement::line(
      "Parameters (-nvargs): files of inputs and outputs, format of outputs, "
      "folder of weights.")};
  result.push_back(parameter("format", "format", "binary"));
  if (!graph->weights.empty())
    result.push_back(parameter("weights", "weights", folderName()));
  NameTable names = graph->names;
  auto fileVariable = [&](const GraphExport::Port &port) {
    std::string variable = names.make(port.name + "_file");
    result.push_back(parameter(variable, port.name, port.name + ".bin"));
    return Expr::name(variable);
  };
  std::vector<Expr> arguments;
  for (const GraphExport::Port &port : graph->inputs) {
    Expr file = fileVariable(port);
    result.push_back(
        Statement::assign(port.name, call("read", {file}), port.text));
    arguments.push_back(Expr::name(port.name));
  }
  for (const Weight &weight : graph->weights) {
    result.push_back(Statement::assign(weight.name, readOf(weight)));
    arguments.push_back(Expr::name(weight.name));
  }
  std::vector<Expr> results;
  for (const GraphExport::Port &port : graph->outputs)
    results.push_back(Expr::name(port.name));
  Expr target = results.size() == 1 ? results[0] : Expr::list(results);
  result.push_back(Statement::assign(
      target, call(graph->functions.back().name,
                   std::vector<Argument>(arguments.begin(), arguments.end()))));
  for (const GraphExport::Port &port : graph->outputs) {
    Expr file = fileVariable(port);
    result.push_back(Statement::run(
        call("write",
             {Expr::name(port.name), file, {"format", Expr::name("format")}})));
  }
  return result;
}

Script Export::script() const {
  Script result;
  result.comment = "Made by onnx-to-dml; the matrix of a tensor has its first "
                   "dimension as rows, that of a list is one row.";
  for (StringRef helper : graph->helpers)
    result.helpers.push_back(helperText(helper));
  result.functions = graph->functions;
  if (options.isLibrary)
    for (const Weight &weight : graph->weights)
      result.comment += "\nweight " + weight.name + ": " + folderName() + "/" +
                        fileOf(weight) + ", " + std::to_string(weight.rows) +
                        " x " + std::to_string(weight.columns);
  else
    result.main = driver();
  return result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error Export::write() {
  bool isStream = options.output == "-";
  if (isStream && !graph->weights.empty())
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
  llvm::sys::path::append(folder, folderName());
  bool isNew = !llvm::sys::fs::exists(folder);
  std::vector<std::unique_ptr<OutputFile>> files;
  std::vector<OutputFile *> companions;
  auto writeAll = [&]() -> llvm::Error {
    for (const Weight &weight : graph->weights) {
      auto file =
          OutputFile::create((llvm::Twine(folder) + "/" + fileOf(weight)).str(),
                             model.inputFiles());
      if (!file)
        return file.takeError();
      if (llvm::Error error = writeMatrix(**file, weight.values, weight.rows,
                                          weight.columns, options.weights))
        return error;
      companions.push_back(file->get());
      files.push_back(std::move(*file));
    }
    return commitTogether(companions, **scriptFile);
  };
  if (!graph->weights.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError(llvm::Twine(folder) + ": " +
                                     code.message());
  llvm::Error error = writeAll();
  files.clear();
  // Only an empty folder can be removed so.
  if (error && isNew && !graph->weights.empty())
    llvm::sys::fs::remove(folder);
  return error;
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
