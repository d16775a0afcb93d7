//===- FoldRun.cpp - One run of foldModel: reading and folding ------------===//

#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/fold/NodeFilter.h"
#include "onnxfold/onnx/driver/fold/internal/Provenance.h"
#include "onnxfold/onnx/driver/prepare/internal/CutModel.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/transforms/opset/OpsetConversion.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using namespace mlir;

/// So that it is the same on every machine, what a run may compute follows from
/// the limits on a node and from the size of the model.
static RunBudgetLimits limitsOf(const FoldOptions &options,
                                ModelFault &described) {
  RunBudgetLimits limits;
  limits.mostSeconds = options.maxSeconds;
  limits.mostBytes = options.maxMemory;
  limits.mostText = options.limits.maxResultBytes;
  limits.describe = [&described](Operation *op) {
    Operator node = Operator::from(op);
    described = node ? atNode(node) : ModelFault();
    return described.text();
  };
  return limits;
}

/// See RunBudgetLimits::mostWork. A node is some ten bytes of the file.
static double workOfRun(const FoldLimits &limits, const ImportedModel &model) {
  constexpr double unitsOfByte = 1000;
  double bytes = double(model.index->file()->size());
  (*model.module).walk([&](OnnxConstantOp constant) {
    if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(constant.getValue()))
      bytes += double(dense.getRawData().size());
    else if (Elements value = fromAttribute(constant.getValue()))
      bytes += double(value.retainedBytes());
  });
  return double(limits.maxWorkOfRun()) + unitsOfByte * bytes;
}

FoldRun::FoldRun(const ModelInput &input, const ModelOutput &output,
                 const FoldOptions &options, FoldReport &report,
                 const FoldCallbacks &callbacks, EarlierRuns &earlier)
    : input(input), output(output), options(options), report(report),
      callbacks(callbacks), earlier(earlier),
      inputName(input.model ? "<memory>" : input.path),
      pool(llvm::hardware_concurrency(options.threads)),
      context(MLIRContext::Threading::DISABLED),
      budget(limitsOf(options, failedNode)) {
  context.loadDialect<func::FuncDialect, ElementsDialect, OnnxDialect>();
  setConstantAsm(context, {printDense, parseDense});
}

llvm::Error FoldRun::execute() {
  std::optional<ParallelScope> parallel;
  if (pool.getMaxConcurrency() > 1)
    parallel.emplace(pool);
  if (llvm::Error error = openCache())
    return error;
  if (llvm::Error error = readSchemas())
    return error;
  if (llvm::Error error = read())
    return error;
  if (llvm::Error error = cutGraph())
    return error;
  if (llvm::Error error = fixInputs())
    return error;
  if (llvm::Error error = holdInitializers())
    return error;
  if (llvm::Error error = findRunOnce())
    return error;
  if (llvm::Error error = fold())
    return error;
  if (isGivenUp)
    return llvm::Error::success();
  if (llvm::Error error = foldConverted())
    return error;
  // Where no model is written, or two, there is no file to compare.
  if (options.verifyTrials != 0 && verifiesModule())
    if (llvm::Error error = verifyResult(*model.module))
      return error;
  if (!isRejected())
    if (llvm::Error error = emit())
      return error;
  noteCache();
  // All that can fail comes before anything is replaced.
  if (llvm::Error error = writeReport())
    return error;
  if (!isRejected()) {
    if (llvm::Error error = checkCancelled())
      return error;
    return commit();
  }
  if (llvm::Error error = commitReport())
    return error;
  return verificationError(
      *report.verification, inputName,
      ModelFault().file(inputName).says(
          "the result computes something else than the model"));
}

//===----------------------------------------------------------------------===//
// What the steps share
//===----------------------------------------------------------------------===//

bool FoldRun::isCancelled() {
  if (!cancelled && callbacks.isCancelled && callbacks.isCancelled())
    cancelled = true;
  return cancelled;
}

llvm::Error FoldRun::checkCancelled() {
  if (isCancelled())
    return llvm::make_error<FoldError>(FoldErrorCode::Cancelled,
                                       ModelFault("cancelled"));
  return llvm::Error::success();
}

/// Says it at once, and in the report.
void FoldRun::warn(const llvm::Twine &text) {
  report.warnings.push_back(text.str());
  if (earlier.warnings.insert(report.warnings.back()).second && callbacks.warn)
    callbacks.warn(report.warnings.back());
}

void FoldRun::endStep(llvm::StringRef name) {
  report.endStep(name);
  if (callbacks.endedStep)
    callbacks.endedStep(name);
}

bool FoldRun::removesUnused() const {
  return options.level >= 1 && !options.disabled.contains(unusedNode) &&
         !options.isFiltered() && model.index->trainingInfos.empty() &&
         !hasNoOutputs();
}

//===----------------------------------------------------------------------===//
// Results of earlier runs
//===----------------------------------------------------------------------===//

/// Where nothing is written no value is computed that the cache could have.
llvm::Error FoldRun::openCache() {
  if (options.cacheFolder.empty() || writesNothing())
    return llvm::Error::success();
  auto opened = CacheFolder::open(options.cacheFolder, options.cacheBytes,
                                  [this] { return isCancelled(); });
  if (!opened)
    return opened.takeError();
  cache = std::move(*opened);
  return llvm::Error::success();
}

void FoldRun::noteCache() {
  if (!cache)
    return;
  report.cache = {options.cacheFolder, cache->counts()};
  if (std::string problem = cache->problem(); !problem.empty())
    warn(problem + "; the cache keeps nothing of this run any more");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<InputFileRef> FoldRun::openInput() const {
  return input.model ? InputFile::ofBytes(*input.model, inputName)
                     : InputFile::open(input.path);
}

/// The model as it is in the file; again, to compare the result with it.
llvm::Expected<ImportedModel> FoldRun::import() {
  bool isStream = !input.model && isStreamPath(input.path);
  llvm::StringRef folder = isStream ? options.streamFolder : input.folder;
  if (!input.model && folder.empty())
    return importModel(file, context, options.dataRoots, /*locations=*/false,
                       options.fixed.initializers);
  return importModel(
      file, context,
      std::make_unique<ExternalData>(folder.str(), options.dataRoots),
      /*locations=*/false, options.fixed.initializers);
}

/// Reads the model, and opens what will be written.
llvm::Error FoldRun::read() {
  if (options.inPlace) // another run may just replace it
    lockTarget();
  if (!earlier.file) {
    llvm::Expected<InputFileRef> opened = openInput();
    if (!opened)
      return opened.takeError();
    earlier.file = *opened;
  }
  file = earlier.file;
  llvm::Expected<ImportedModel> imported = import();
  if (!imported)
    return imported.takeError();
  model = std::move(*imported);
  if (llvm::Error error = checkInPlace())
    return error;
  noteUnreadInitializers();
  if (llvm::Error error = growth.read(model))
    return error;
  report.wantsNodes = options.report != ReportFormat::None;
  for (const std::string &name : overridableInputs(*model.index))
    report.overridable.insert(name);
  report.input = inputName;
  report.output = output.path;
  report.bytesBefore = report.bytesAfter = file->size();
  for (const std::string &warning : model.warnings)
    warn(warning);
  if (hasNoOutputs())
    warn(inputName + ": the graph has no outputs, so nothing that it computes "
                     "is read; all nodes stay as they are");
  if (!options.inPlace)
    lockTarget();
  if (llvm::Error error = openReport())
    return error;
  endStep("read");
  return checkCancelled();
}

/// What --in-place would spoil.
llvm::Error FoldRun::checkInPlace() const {
  if (!options.inPlace)
    return llvm::Error::success();
  auto refuse = [&](const llvm::Twine &text) {
    return llvm::Error(ModelFault().file(inputName).says(text).expected(
        "another output than --in-place"));
  };
  if (input.model || !isFile() || input.path == "-" ||
      !llvm::sys::fs::equivalent(input.path, output.path))
    return refuse("is not a file that can be replaced");
  if (llvm::sys::fs::is_symlink_file(input.path))
    return refuse("is a link to a file that others may use");
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(input.path, status) && status.getLinkCount() > 1)
    return refuse("has " + llvm::Twine(status.getLinkCount()) +
                  " hard links, of which the others would keep the old model");
  if (model.textFile)
    return refuse("is text, and the output is binary");
  return llvm::Error::success();
}

/// Runs on one target take turns, from before the target is looked at.
void FoldRun::lockTarget() {
  if (!isFile())
    return;
  targetLock = TargetLock::acquire(output.path, [&] {
    if (callbacks.waits)
      callbacks.waits(output.path);
  });
}

/// Opens the report before anything is written, so that a bad name costs
/// nothing.
llvm::Error FoldRun::openReport() {
  if (options.reportFile.empty())
    return llvm::Error::success();
  if (isFile() && (options.reportFile == output.path ||
                   llvm::sys::fs::equivalent(options.reportFile, output.path)))
    return ModelFault()
        .file(options.reportFile)
        .is("the output too")
        .expected("another file for the report");
  auto opened = OutputFile::create(options.reportFile, model.inputFiles());
  if (!opened)
    return opened.takeError();
  reportFile = std::move(*opened);
  return llvm::Error::success();
}

llvm::Error FoldRun::fixInputs() {
  for (const std::string &name : options.fixed.files())
    if (isFile() &&
        (name == output.path || llvm::sys::fs::equivalent(name, output.path)))
      return ModelFault()
          .file(name)
          .is("the output too")
          .expected("another file for the value of an input");
  std::vector<std::string> idle;
  if (llvm::Error error = options.fixed.applyTo(*model.module, &idle))
    return error;
  for (const std::string &text : idle)
    warn(inputName + ": " + text);
  if (llvm::Error error = warnOfPatterns())
    return error;
  warnOfRanks();
  report.noteInput(*model.module);
  return llvm::Error::success();
}

/// --only and --skip that change nothing because of a mistake in them.
llvm::Error FoldRun::warnOfPatterns() {
  llvm::Expected<NodeFilter> filter =
      NodeFilter::create(options.only, options.skip);
  if (!filter)
    return filter.takeError();
  if (!filter->empty())
    for (const std::string &text : filter->idle(*model.module))
      warn(inputName + ": " + text);
  return llvm::Error::success();
}

/// Before inputs are fixed: new ones may be.
llvm::Error FoldRun::cutGraph() {
  if (!options.cut.isGiven())
    return llvm::Error::success();
  llvm::Expected<GraphCut> done = cutModel(model, options.cut, options.limits);
  if (!done)
    return inFile(inputName, done.takeError());
  cut.emplace(std::move(*done));
  report.noteCut(*cut);
  return llvm::Error::success();
}

/// Readers other than ONNX Runtime may refuse an interface without ranks.
void FoldRun::warnOfRanks() {
  if (!cut)
    return;
  auto warnOf = [&](StringRef what, StringRef name, Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    if (tensor && !tensor.hasRank())
      warn(inputName + ": the rank of the new " + what + " '" + name +
           "' is not known, so its type has no shape");
  };
  FunctionOpInterface function = mainGraph(*model.module);
  for (const CutValue &input : cut->inputs)
    for (Value argument : function.getArguments())
      if (input.isNew && valueName(argument) == input.name)
        warnOf("input", input.name, argument.getType());
  for (const CutValue &output : cut->outputs)
    if (output.isNew)
      warnOf("output", output.name, output.type);
}

/// Before anything is evaluated: what --keep-initializer names does not fold.
llvm::Error FoldRun::holdInitializers() {
  if (options.keepInitializers.empty())
    return llvm::Error::success();
  llvm::Expected<HeldInitializers> found = HeldInitializers::create(
      *model.module, "--keep-initializer", options.keepInitializers);
  if (!found)
    return inFile(inputName, found.takeError());
  held.emplace(std::move(*found));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

llvm::Expected<ModuleFoldingOptions> FoldRun::foldingOptions() {
  llvm::Expected<NodeFilter> filter =
      NodeFilter::create(options.only, options.skip);
  if (!filter)
    return filter.takeError();
  ModuleFoldingOptions result;
  result.level = options.level;
  result.disabled = options.disabled;
  result.mostUnrolled = options.mostUnrolled;
  result.computesQuantized = options.quantization == FoldQuantization::Compute;
  result.budget = growth.budget(options.maxGrowth);
  report.growth.limit = result.budget;
  // Training graphs, which are not looked at, may call functions too. And what
  // an earlier run left out would now cost less, if more has folded since.
  if (!model.index->trainingInfos.empty() || growth.isUsedUp())
    result.disabled.insert(liftFromFunction);
  result.dropsIdleFunctions = removesUnused();
  result.keepsConstants = !removesUnused();
  result.evaluation.limits = options.limits;
  result.evaluation.precision = options.precision;
  result.evaluation.step = callbacks.step;
  result.evaluation.cache = cache.get();
  result.evaluation.noteTypeConflict = [this](Value value, Type inferred) {
    conflicts.note(value, inferred);
  };
  if (!filter->empty())
    result.evaluation.filter = std::move(*filter);
  if (earlier.count != 0 || hasNoOutputs())
    result.evaluation.filter =
        [this, given = std::move(result.evaluation.filter)](Operation *op) {
          Reason kept = whyKept(op);
          return kept || !given ? kept : given(op);
        };
  if (callbacks.isCancelled)
    result.isCancelled = [this] { return isCancelled(); };
  return result;
}

llvm::Error FoldRun::evaluate() {
  budget.boundWork(workOfRun(options.limits, model));
  llvm::Expected<ModuleFoldingOptions> chosen = foldingOptions();
  if (!chosen)
    return chosen.takeError();
  folding.emplace(*model.module, std::move(*chosen));
  llvm::Error error = folding->run();
  if (!error || error.isA<FoldError>())
    return error;
  return inFile(inputName, std::move(error));
}

/// Those that no node reads and nobody can feed: before IR version 4 runtimes let
/// no caller replace an initializer.
static SmallVector<Operation *> unreadInitializers(const ImportedModel &model) {
  SmallVector<Operation *> unread;
  if (initializersMayBeOverridden(*model.index) ||
      !model.index->trainingInfos.empty())
    return unread;
  mainGraph(*model.module).walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    bool isInitializer =
        constant ? !constant.getNode() : isOpaqueInitializer(op);
    if (isInitializer && op->use_empty())
      unread.push_back(op);
  });
  return unread;
}

/// A filter protects what the file says and this run did not cause.
void FoldRun::noteUnreadInitializers() {
  if (options.isFiltered())
    for (Operation *op : unreadInitializers(model))
      unreadInFile.insert(valueName(op->getResult(0)));
}

/// With their inputs, at every level: runtimes refuse one that nothing reads
/// unless it is an input too.
void FoldRun::eraseUnreadInitializers() {
  for (Operation *op : unreadInitializers(model))
    if (!unreadInFile.contains(valueName(op->getResult(0))))
      op->erase();
}

void FoldRun::apply(FoldPlan &plan) {
  const CleanUp &cleanUp = folding->cleanUp();
  growth.add(plan, cleanUp.bytesMade(), cleanUp.isLimited());
  if (options.provenance)
    noteProvenance(cleanUp, plan);
  noteLeftOut();
  plan.apply();
  eraseUnreadInitializers();
  restoreInitializers();
  if (options.level >= 1 || options.shapes || !options.fixed.empty() ||
      runOnce || held || cut)
    types.collect(folding->evaluation(), options.shapes);
  folding->releaseTables(); // writing takes memory, too
}

llvm::Error FoldRun::fold() {
  RunBudgetScope bounded(budget);
  if (llvm::Error error = evaluate())
    return error;
  if (llvm::Error error = lookForShownMistakes())
    return error;
  if (isGivenUp)
    return llvm::Error::success();
  const CleanUp &cleanUp = folding->cleanUp();
  for (const std::string &refusal : cleanUp.loopRefusals())
    warn(refusal);
  warnOfRefusals();
  warnOfShownMistakes();
  if (llvm::Error error = checkDeclaredTypes())
    return error;
  endStep("evaluate");
  FoldPlan &plan = folding->plan();
  report.growth.added = plan.growth() + cleanUp.bytesMade();
  if (options.counts)
    report.collect(folding->evaluation(), plan, cleanUp, removesUnused());
  endStep("plan");
  apply(plan);
  if (llvm::Error error = convertOpsets())
    return error;
  endStep("rewrite");
  return checkCancelled();
}

/// What a conversion adds folds as another run would fold it, on the model as
/// that run would read it: folding the output again changes nothing.
llvm::Error FoldRun::foldConverted() {
  if (options.targetOpset == 0)
    return llvm::Error::success();
  if (llvm::Error error = readConverted())
    return error;
  if (!isConverted)
    return llvm::Error::success();
  if (llvm::Error error = holdInitializers())
    return error;
  RunBudgetScope bounded(budget);
  if (llvm::Error error = evaluate())
    return error;
  FoldPlan &plan = folding->plan();
  FoldReport after;
  after.collect(folding->evaluation(), plan, folding->cleanUp(),
                removesUnused());
  report.noteOperatorsAfter(after);
  report.growth.added += plan.growth() + folding->cleanUp().bytesMade();
  apply(plan);
  endStep("convert");
  return checkCancelled();
}

/// Makes `model` the converted one, as it would be written; nothing if it is
/// the input. Its data files are not moved.
llvm::Error FoldRun::readConverted() {
  ExportOptions inMemory = exportOptions();
  inMemory.placement = DataPlacement::Keep;
  inMemory.replacesInput = false;
  inMemory.streamFolder = model.external->modelFolder();
  auto exporter = ModelExporter::create(model, std::move(inMemory));
  if (!exporter)
    return exporter.takeError();
  if (!exporter->changesAnything())
    return llvm::Error::success();
  auto written = exporter->writeInMemory(&pool);
  if (!written)
    return written.takeError();
  llvm::Expected<std::string> bytes = written->bytes();
  if (!bytes)
    return bytes.takeError();
  llvm::Expected<InputFileRef> copy = InputFile::ofBytes(*bytes, inputName);
  if (!copy)
    return copy.takeError();
  auto data = std::make_unique<ExternalData>(
      model.external->modelFolder().str(), model.external->extraRoots());
  auto next = importModel(*copy, context, std::move(data), false);
  if (!next)
    return next.takeError();
  if (!options.inPlace) // no output replaces the input, which `next` is not
    next->textFile = file;
  folding.reset();
  held.reset();
  types = KnownTypes();
  conflicts = TypeConflicts();
  model = std::move(*next);
  replaced = nullptr;
  growth = GrowthRecord();
  isConverted = true;
  return growth.read(model);
}

/// After the plan was applied.
void FoldRun::restoreInitializers() {
  if (runOnce)
    runOnce->restoreConstants();
  if (!held)
    return;
  held->restore();
  FoldReport::KeptInitializers &kept =
      report.keptInitializers.emplace(FoldReport::KeptInitializers());
  for (Value value : held->values())
    kept.names.push_back(valueName(value).str());
  kept.nodes = numWaitingFor(*model.module, held->values());
}

/// --target-opset, of what is left.
llvm::Error FoldRun::convertOpsets() {
  if (options.targetOpset == 0)
    return llvm::Error::success();
  RewriteSession &session = folding->cleanUp().session();
  auto converted = convertOpset(
      *model.module, options.targetOpset,
      [&](Operation *op, ArrayRef<Operation *> made, ValueRange values) {
        return session.noteReplacedBy(op, made, values);
      });
  if (!converted)
    return inFile(inputName, converted.takeError());
  replaced = std::move(*converted);
  return llvm::Error::success();
}

/// Nodes that are kept since what the file says of them could not follow.
void FoldRun::warnOfRefusals() {
  constexpr size_t most = 20;
  std::vector<std::string> refusals = folding->cleanUp().session().refusals();
  for (auto [i, refusal] : llvm::enumerate(refusals))
    if (i < most)
      warn(inputName + ": " + refusal);
    else
      report.warnings.push_back(inputName + ": " + refusal);
  if (refusals.size() > most)
    warn(inputName + ": " + llvm::Twine(refusals.size() - most) +
         " more nodes are kept for such reasons");
}
