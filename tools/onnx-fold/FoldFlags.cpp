//===- FoldFlags.cpp - Flags as options of foldModel ----------------------===//

#include "Flags.h"
#include "onnxfold/onnx/driver/NamedOptions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using llvm::StringRef;

static llvm::Error parseGrowth(StringRef text, GrowthLimit &limit) {
  std::optional<GrowthLimit> given = parseGrowthLimit(text);
  if (!given)
    return usageError("--max-growth is '" + text +
                      "', expected SIZE[K|M|G], N% or unlimited");
  limit = *given;
  return llvm::Error::success();
}

/// text, json, either with :FILE, html:FILE or model-explorer:FILE; empty is
/// text.
static llvm::Error parseReport(StringRef text, FoldOptions &options) {
  auto [format, file] = text.split(':');
  if (format.empty() || format == "text")
    options.report = ReportFormat::Text;
  else if (format == "json")
    options.report = ReportFormat::Json;
  else if (format == "html")
    options.report = ReportFormat::Html;
  else if (format == "model-explorer")
    options.report = ReportFormat::ModelExplorer;
  else
    return usageError("--report is '" + text +
                      "', expected text or json, then :FILE if wanted, "
                      "html:FILE or model-explorer:FILE");
  if (file.empty() && options.report != ReportFormat::Text &&
      options.report != ReportFormat::Json)
    return usageError("--report is '" + text + "', expected " + format +
                      ":FILE");
  options.reportFile = file.str();
  return llvm::Error::success();
}

static llvm::Error parseQuantization(StringRef text, FoldOptions &options) {
  if (text == "weights")
    options.quantization = FoldQuantization::Weights;
  else if (text == "compute")
    options.quantization = FoldQuantization::Compute;
  else if (text == "all" || text.empty())
    options.quantization = FoldQuantization::All;
  else
    return usageError("--fold-quantization is '" + text +
                      "', expected weights, compute or all");
  return llvm::Error::success();
}

static llvm::Error parsePrecision(StringRef text, FoldOptions &options) {
  if (text != "exact" && text != "wide")
    return usageError("--precision is '" + text + "', expected exact or wide");
  options.precision = text == "wide" ? Precision::Wide : Precision::Exact;
  return llvm::Error::success();
}

static llvm::Error parseVerify(StringRef text, unsigned &trials) {
  trials = defaultTrials;
  if (text.empty() ||
      (!text.getAsInteger(10, trials) && trials >= 1 && trials <= 1000))
    return llvm::Error::success();
  return usageError("--verify is '" + text +
                    "', expected a number from 1 to 1000");
}

/// FILE,shard=SIZE,threshold=SIZE,align=SIZE; each of them may be missing.
static llvm::Error parseExternalData(StringRef text, FoldOptions &options) {
  llvm::SmallVector<StringRef> items;
  text.split(items, ',');
  for (auto [i, item] : llvm::enumerate(items)) {
    auto [name, value] = item.split('=');
    bool isSize = name == "shard" || name == "threshold" || name == "align";
    if (i == 0 && !isSize) {
      options.dataFile = item.str();
      continue;
    }
    std::optional<uint64_t> size = parseByteSize(value);
    if (!isSize || !size)
      return usageError("--external-data has '" + item +
                        "', expected FILE, then any of shard=SIZE, "
                        "threshold=SIZE and align=SIZE, with commas in "
                        "between");
    if (name == "shard")
      options.dataLayout.shard = size;
    else if (name == "threshold")
      options.dataLayout.threshold = *size;
    else
      options.dataLayout.alignment = *size;
  }
  return llvm::Error::success();
}

/// Where values are to stand.
static llvm::Error readPlacement(const Flags &flags, FoldOptions &options) {
  bool isExternal = flags.externalData.getNumOccurrences() != 0;
  if (isExternal && flags.inlineData)
    return usageError("--external-data and --inline-data are given, expected "
                      "one of them");
  options.placement = isExternal         ? DataPlacement::External
                      : flags.inlineData ? DataPlacement::Inline
                                         : DataPlacement::Keep;
  options.dataRoots = {flags.dataRoots.begin(), flags.dataRoots.end()};
  options.streamFolder = flags.folder;
  if (llvm::Error error = parseExternalData(flags.externalData, options))
    return error;
  options.inPlace = flags.inPlace && !flags.check;
  return llvm::Error::success();
}

llvm::Error onnxfold::readFixedInputs(const Flags &flags, FixedInputs &fixed) {
  for (const std::string &text : flags.inputShapes)
    if (llvm::Error error = fixed.addShape(text))
      return error;
  for (const std::string &text : flags.dimensions)
    if (llvm::Error error = fixed.addDimension(text))
      return error;
  for (const std::string &text : flags.bindings)
    if (llvm::Error error = fixed.addValue(text))
      return error;
  return llvm::Error::success();
}

/// Those of the whole run.
static llvm::Error readRunLimits(const Flags &flags, FoldOptions &options) {
  if (flags.maxMemory.getNumOccurrences()) {
    options.maxMemory = parseByteSize(flags.maxMemory);
    if (!options.maxMemory)
      return usageError("--max-memory is '" + flags.maxMemory +
                        "', expected SIZE[K|M|G]");
  }
  if (flags.maxTime.getNumOccurrences()) {
    double seconds = 0;
    if (StringRef(flags.maxTime).getAsDouble(seconds) ||
        !std::isfinite(seconds) || seconds < 0)
      return usageError("--max-time is '" + flags.maxTime +
                        "', expected a number of seconds");
    options.maxSeconds = seconds;
  }
  return llvm::Error::success();
}

static llvm::Error readLimits(const Flags &flags, FoldOptions &options) {
  if (flags.maxGrowth.getNumOccurrences())
    if (llvm::Error error = parseGrowth(flags.maxGrowth, options.maxGrowth))
      return error;
  if (flags.maxResult.getNumOccurrences()) {
    std::optional<uint64_t> bytes = parseByteSize(flags.maxResult);
    if (!bytes)
      return usageError("--max-result is '" + flags.maxResult +
                        "', expected SIZE[K|M|G]");
    options.limits.maxResultBytes = *bytes;
  }
  options.limits.maxWork = flags.maxWork;
  options.limits.maxTripCount = flags.maxTripCount;
  return readRunLimits(flags, options);
}

llvm::Error onnxfold::readFoldOptions(const Flags &flags,
                                      FoldOptions &options) {
  char level = flags.level;
  if (level < '0' || level > '2')
    return usageError(llvm::Twine("the level is -O") + llvm::Twine(level) +
                      ", expected -O0, -O1 or -O2");
  options.level = level - '0';
  if (flags.emit != "onnx" && flags.emit != "mlir")
    return usageError("--emit is '" + flags.emit + "', expected onnx or mlir");
  options.format =
      flags.emit == "mlir" ? OutputFormat::Mlir : OutputFormat::Onnx;
  if (flags.report.getNumOccurrences())
    if (llvm::Error error = parseReport(flags.report, options))
      return error;
  if (flags.quantization.getNumOccurrences())
    if (llvm::Error error = parseQuantization(flags.quantization, options))
      return error;
  if (flags.verify.getNumOccurrences())
    if (llvm::Error error = parseVerify(flags.verify, options.verifyTrials))
      return error;
  options.verifyInputs = flags.verifyInputs;
  if (flags.verifyInputs.getNumOccurrences() && options.verifyTrials == 0)
    options.verifyTrials = defaultTrials;
  if (llvm::Error error = parsePrecision(flags.precision, options))
    return error;
  if (llvm::Error error = readPlacement(flags, options))
    return error;
  if (llvm::Error error = readLimits(flags, options))
    return error;
  options.disabled.insert(flags.disable.begin(), flags.disable.end());
  options.mostUnrolled = flags.unroll;
  options.threads = flags.threads;
  options.shapes = flags.shapes;
  options.strict = flags.strict;
  options.sync = flags.sync;
  options.provenance = flags.provenance;
  options.keepInitializers = {flags.keepInitializers.begin(),
                              flags.keepInitializers.end()};
  options.cut.inputs = {flags.cutInputs.begin(), flags.cutInputs.end()};
  options.cut.outputs = {flags.cutOutputs.begin(), flags.cutOutputs.end()};
  options.targetOpset = flags.targetOpset;
  options.schemas = {flags.schemas.begin(), flags.schemas.end()};
  options.runOnce.file = flags.onceOutput;
  for (const std::string &name : flags.runOnce)
    if (name.empty())
      options.runOnce.leftOut = true;
    else
      options.runOnce.names.push_back(name);
  options.only = {flags.only.begin(), flags.only.end()};
  options.skip = {flags.skip.begin(), flags.skip.end()};
  return llvm::Error::success();
}
