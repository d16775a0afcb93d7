//===- Main.cpp - onnx-fold -----------------------------------------------===//
//
// Reads a model, evaluates, plans, rewrites, writes. Every step is a layer of
// its own; this file says in which order, and what a user hears of it.
// Exit status: 0 done; 1 usage, input or output error; 2 --check: folding would
// change the model; 3 --verify found a difference.
//
//===----------------------------------------------------------------------===//

#include "GrowthRecord.h"
#include "Heap.h"
#include "NodeFilter.h"
#include "Options.h"
#include "Progress.h"
#include "Provenance.h"
#include "Report.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/OutputFile.h"
#include "onnxfold/onnx/io/TargetLock.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "onnxfold/onnx/verify/NodeNumbers.h"
#include "onnxfold/onnx/verify/Verify.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace onnxfold;
using namespace mlir;

namespace {

/// One run of the tool.
class Run {
public:
  explicit Run(Options options);
  ~Run();

  /// The exit status, or what went wrong.
  llvm::Expected<int> execute();

private:
  llvm::Error read();
  ExportOptions exportOptions() const;
  llvm::Error fixInputs();
  llvm::Error fold();
  llvm::Error checkDeclaredTypes();
  TypeEdit editType(Value value, TypePlace place,
                    onnx::ValueInfoProto &info) const;
  void warn(const llvm::Twine &text);
  llvm::Error verifyResult(ModuleOp result);
  llvm::Error verifyWritten(const WrittenModel &written);
  bool differs() const {
    return report.verification && !report.verification->isEqual();
  }
  /// Functions that nothing calls are not written.
  bool removesUnused() const {
    return options.level >= 1 && !options.disabled.contains(unusedNode) &&
           options.only.empty() && options.skip.empty() &&
           model.index->trainingInfos.empty();
  }
  llvm::Error write(ModelExporter &exporter);
  llvm::Error writeModel(ModelExporter &exporter);
  llvm::Error emitMlir();
  llvm::Expected<int> emit();
  llvm::Error openReport();
  llvm::Error writeReport();
  void lockTarget();
  Options options;
  llvm::DefaultThreadPool pool;
  MLIRContext context;
  ImportedModel model;
  Report report;
  TargetLock targetLock;
  std::unique_ptr<OutputFile> reportFile;
  GrowthRecord growth;
  InputFileRef file;
  std::optional<CleanUp> cleanUp;
  KnownTypes types;
};

} // namespace

Run::Run(Options givenOptions)
    : options(std::move(givenOptions)),
      pool(llvm::hardware_concurrency(options.threads)),
      context(MLIRContext::Threading::DISABLED) {
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  addOnnxFolding(context, {options.quantization});
  setConstantAsm(context, {printDense, parseDense});
}

/// The process ends, which frees all at once: to take a large module apart,
/// operation by operation, is a twentieth of the time of a run.
Run::~Run() {
  // Volatile: a leak checker finds it here.
  [[maybe_unused]] static Operation *volatile keptModule;
  if (model.module)
    keptModule = model.module.release();
}

/// Says it at once, and in the report.
void Run::warn(const llvm::Twine &text) {
  report.warnings.push_back(text.str());
  // A text report on standard error has them too.
  bool reported =
      options.report == ReportFormat::Text && options.reportFile.empty();
  if (!options.quiet && !reported)
    llvm::errs() << "onnx-fold: warning: " << text << "\n";
}

llvm::Error Run::fixInputs() {
  for (const std::string &file : options.fixed.files())
    if (file == options.output ||
        llvm::sys::fs::equivalent(file, options.output))
      return llvm::createStringError(file +
                                     ": is the output too, expected another "
                                     "file for the value of an input");
  return options.fixed.applyTo(*model.module);
}

/// Where the model contradicts what was inferred, the inferred type holds.
llvm::Error Run::checkDeclaredTypes() {
  std::vector<TypeConflict> conflicts = takeTypeConflicts(context);
  for (auto [i, conflict] : llvm::enumerate(conflicts)) {
    std::string text = options.input + ": the model says that '" +
                       conflict.value + "' is " + conflict.declared +
                       ", inferred is " + conflict.inferred;
    if (options.strict)
      return llvm::createStringError(text);
    constexpr size_t most = 20;
    if (i < most)
      warn(text);
    else
      report.warnings.push_back(text);
  }
  return llvm::Error::success();
}

/// What the output says of a type: the inferred one where the model is wrong or
/// says less. Outputs of the graph only follow inputs that the user fixed.
TypeEdit Run::editType(Value value, TypePlace place,
                       onnx::ValueInfoProto &info) const {
  onnx::TypeProto &type = *info.mutable_type();
  // What a custom operator gives nobody can infer.
  if (place == TypePlace::New && !options.shapes &&
      !cleanUp->copies().isUnknown(value.getDefiningOp()))
    return TypeEdit::Keep;
  if (place == TypePlace::New)
    return types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  if (place == TypePlace::Output && options.fixed.empty())
    return TypeEdit::Keep;
  if (place == TypePlace::ValueInfo && types.isProtected(value))
    return TypeEdit::Keep;
  // A constant says its type itself.
  bool isFiltered = !options.only.empty() || !options.skip.empty();
  if (isa_and_nonnull<OnnxConstantOp>(value.getDefiningOp()) &&
      (isFiltered || !types.contradicts(value, type)))
    return TypeEdit::Keep;
  if (types.contradicts(value, type)) {
    if (place == TypePlace::ValueInfo && !options.shapes)
      return TypeEdit::Remove;
    type.Clear();
    return types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  }
  return types.refine(value, type) ? TypeEdit::Write : TypeEdit::Keep;
}

llvm::Error Run::fold() {
  llvm::Expected<NodeFilter> filter =
      NodeFilter::create(options.only, options.skip);
  if (!filter)
    return filter.takeError();
  Progress progress(options);
  EvaluationOptions evaluationOptions = onnxEvaluationOptions();
  evaluationOptions.limits = options.limits;
  evaluationOptions.precision = options.precision;
  if (!filter->empty())
    evaluationOptions.filter = std::move(*filter);
  if (progress.isEnabled())
    evaluationOptions.step = [&] { progress.step(); };
  std::optional<Evaluation> evaluation;
  std::optional<int64_t> budget = growth.budget(options.maxGrowth);
  llvm::StringSet<> disabled = options.disabled;
  // Training graphs, which are not looked at, may call functions too. And what
  // an earlier run left out would now cost less, if more has folded since.
  if (!model.index->trainingInfos.empty() || growth.isUsedUp())
    disabled.insert(liftFromFunction);
  CleanUp &cleanUp =
      this->cleanUp.emplace(options.level, disabled, options.mostUnrolled);
  cleanUp.setBudget(budget);
  if (removesUnused())
    cleanUp.lifting().dropIdleFunctions();
  else
    cleanUp.keepConstants();
  do
    evaluation.emplace(*model.module, evaluationOptions);
  while (cleanUp.run(*evaluation));
  if (std::string problem = cleanUp.problem(); !problem.empty())
    return llvm::createStringError(options.input + ": " + problem);
  for (const std::string &refusal : cleanUp.unrolling().refusals())
    warn(refusal);
  if (llvm::Error error = checkDeclaredTypes())
    return error;
  report.endStep("evaluate");
  std::unique_ptr<FoldPlan> plan = cleanUp.plan();
  report.collect(*evaluation, *plan, cleanUp, removesUnused());
  report.endStep("plan");
  growth.add(*plan, cleanUp.bytesMade(), cleanUp.isLimited());
  if (options.provenance)
    noteProvenance(cleanUp, *plan);
  plan->apply();
  if (options.level >= 1 || options.shapes || !options.fixed.empty())
    types.collect(*evaluation, options.shapes);
  report.endStep("rewrite");
  return llvm::Error::success();
}

/// Reads the model once more, as it was, for a comparison with `result`.
llvm::Error Run::verifyResult(ModuleOp result) {
  llvm::Expected<ImportedModel> original =
      importModel(file, context, options.dataRoots, /*locations=*/false);
  if (!original)
    return original.takeError();
  if (llvm::Error error = options.fixed.applyTo(*original->module))
    return error;
  Progress progress(options);
  VerifyOptions verifyOptions;
  verifyOptions.trials = options.verifyTrials;
  verifyOptions.limits = options.limits;
  verifyOptions.exact =
      options.level <= 1 && options.precision == Precision::Exact;
  verifyOptions.step = [&] { progress.step(); };
  report.verification = verify(*original->module, result, verifyOptions);
  report.endStep("verify");
  std::string text;
  llvm::raw_string_ostream out(text);
  report.verification->print(out, /*all=*/!options.quiet);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    llvm::errs() << "onnx-fold: verify: " << line << "\n";
  return llvm::Error::success();
}

/// What a reader of the output will find is compared, not what was meant to be
/// written.
llvm::Error Run::verifyWritten(const WrittenModel &written) {
  llvm::Expected<ImportedModel> result = written.read(context);
  if (!result)
    return llvm::createStringError(
        "the result cannot be read back, nothing is written: " +
        llvm::toString(result.takeError()));
  takeNodeNumbers(*result->module, *model.module);
  return verifyResult(*result->module);
}

llvm::Error Run::writeModel(ModelExporter &exporter) {
  std::string dataFile = folderOfModel(options.output) + "/" + options.dataFile;
  if (exporter.dataBytes() != 0 &&
      (folderOfModel(options.reportFile) + "/" +
           llvm::sys::path::filename(options.reportFile).str() ==
       dataFile))
    return llvm::createStringError(options.reportFile +
                                   ": is the data file of the output too, "
                                   "expected another file for the report");
  Progress progress(options);
  WriteProgress wrote;
  if (progress.isEnabled())
    wrote = [&](uint64_t bytes, uint64_t total) {
      progress.wrote(bytes, total);
    };
  if (options.verifyTrials == 0)
    return exporter.write(options.output, &pool, std::move(wrote));
  llvm::Expected<WrittenModel> written =
      exporter.writeUnnamed(options.output, &pool, std::move(wrote));
  if (!written)
    return written.takeError();
  report.endStep("write");
  if (llvm::Error error = verifyWritten(*written))
    return error;
  return differs() ? llvm::Error::success() : written->commit();
}

/// Runs on one target take turns, from before the target is looked at.
void Run::lockTarget() {
  if (options.check)
    return;
  targetLock = TargetLock::acquire(options.output, [&] {
    if (!options.quiet)
      llvm::errs() << "onnx-fold: waiting for another run that writes "
                   << options.output << "\n";
  });
}

/// Writes a text file, whole or not at all, and none of the inputs over.
static llvm::Error writeText(OutputFile &file, llvm::StringRef text) {
  if (llvm::Error error = file.write(0, text))
    return error;
  return file.commit();
}

/// Text of the IR instead of a model.
llvm::Error Run::emitMlir() {
  std::string text;
  llvm::raw_string_ostream out(text);
  model.module->print(out);
  report.bytesAfter = text.size();
  auto file = OutputFile::create(options.output, model.inputFiles());
  if (!file)
    return file.takeError();
  return writeText(**file, text);
}

/// Opens the report before anything is written, so that a bad name costs
/// nothing.
llvm::Error Run::openReport() {
  if (options.reportFile.empty())
    return llvm::Error::success();
  if (options.reportFile == options.output ||
      llvm::sys::fs::equivalent(options.reportFile, options.output))
    return llvm::createStringError(options.reportFile +
                                   ": is the output too, expected another file "
                                   "for the report");
  auto file = OutputFile::create(options.reportFile, model.inputFiles());
  if (!file)
    return file.takeError();
  reportFile = std::move(*file);
  return llvm::Error::success();
}

llvm::Error Run::writeReport() {
  if (!options.quiet && !options.check)
    report.printSummary(llvm::errs());
  if (options.report == ReportFormat::None)
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream out(text);
  options.report == ReportFormat::Json ? report.printJson(out)
                                       : report.printText(out);
  if (reportFile)
    return writeText(*reportFile, text);
  llvm::errs() << text;
  return llvm::Error::success();
}

/// The memory of the largest folded operator is all that a run takes beside its
/// tables: what is computed and kept for later goes to a file that has no name,
/// in the folder that has room for the output.
static void limitMemory(const Options &options) {
  MemoryLimits limits;
  limits.largestInMemory = limits.keptBytes;
  limits.keptBytes = 32 << 20;
  if (!options.check && options.output != "-")
    limits.folder = folderOfModel(options.output);
  setMemoryLimits(limits);
}

/// Reads the model, and opens what will be written.
llvm::Error Run::read() {
  llvm::Expected<InputFileRef> opened = InputFile::open(options.input);
  if (!opened)
    return opened.takeError();
  file = *opened;
  llvm::Expected<ImportedModel> imported =
      importModel(file, context, options.dataRoots, /*locations=*/false);
  if (!imported)
    return imported.takeError();
  model = std::move(*imported);
  if (llvm::Error error = growth.read(model))
    return error;
  report.wantsNodes = options.report != ReportFormat::None;
  report.input = options.input;
  report.output = options.check ? "" : options.output;
  report.bytesBefore = report.bytesAfter = file->size();
  for (const std::string &warning : model.warnings)
    warn(warning);
  lockTarget();
  if (llvm::Error error = openReport())
    return error;
  report.endStep("read");
  return llvm::Error::success();
}

ExportOptions Run::exportOptions() const {
  ExportOptions result;
  result.metadata = {growth.metadata()};
  result.mergesEqual = options.level >= 1; // it renames inputs
  result.removesUnused = removesUnused();
  result.isRewired = [&](Operation *op) { return cleanUp->isRewired(op); };
  result.nameInFile = [&](Operation *op) { return cleanUp->nameInFile(op); };
  result.origin = [&](Operation *op) { return cleanUp->inlining().origin(op); };
  result.sourceOf = [&](Operation *op) { return cleanUp->copies().find(op); };
  if (options.level >= 1 || options.shapes || !options.fixed.empty())
    result.editType = [&](Value value, TypePlace place,
                          onnx::ValueInfoProto &info) {
      return editType(value, place, info);
    };
  result.writesNewTypes = options.shapes || cleanUp->copies().hasUnknown();
  result.placement = options.placement;
  result.dataFile = options.dataFile;
  result.sync = options.sync;
  return result;
}

/// Writes the result, or says whether it would be another model. The exit
/// status.
llvm::Expected<int> Run::emit() {
  if (options.emit == Emit::Mlir && !options.check) {
    if (llvm::Error error = emitMlir())
      return error;
    report.endStep("write");
    return 0;
  }
  llvm::Expected<ModelExporter> exporter =
      ModelExporter::create(model, exportOptions());
  if (!exporter)
    return exporter.takeError();
  report.bytesAfter = exporter->outputBytes();
  if (!options.check)
    if (llvm::Error error = writeModel(*exporter))
      return error;
  report.endStep(options.verifyTrials != 0 && !options.check ? "commit"
                                                             : "write");
  return options.check && exporter->changesAnything() ? 2 : 0;
}

llvm::Expected<int> Run::execute() {
  limitMemory(options);
  std::optional<ParallelScope> parallel;
  if (pool.getMaxConcurrency() > 1)
    parallel.emplace(pool);
  if (llvm::Error error = read())
    return error;
  if (llvm::Error error = fixInputs())
    return error;
  if (llvm::Error error = fold())
    return error;
  // Where no model is written, there is no file to compare.
  if (options.verifyTrials != 0 &&
      (options.check || options.emit == Emit::Mlir))
    if (llvm::Error error = verifyResult(*model.module))
      return error;
  int status = 0;
  if (!differs()) {
    llvm::Expected<int> emitted = emit();
    if (!emitted)
      return emitted.takeError();
    status = *emitted;
  }
  if (llvm::Error error = writeReport())
    return error;
  return differs() ? 3 : status;
}

int main(int argc, char **argv) {
  prepareHeap();
  // A full disk or a closed pipe is an error to report, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  auto fail = [](llvm::Error error) {
    llvm::errs() << "onnx-fold: error: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  };
  llvm::Expected<Options> options = parseOptions(argc, argv);
  if (!options)
    return fail(options.takeError());
  try {
    llvm::Expected<int> status = Run(std::move(*options)).execute();
    return status ? *status : fail(status.takeError());
  } catch (const std::bad_alloc &) {
    return fail(llvm::createStringError("out of memory"));
  }
}
