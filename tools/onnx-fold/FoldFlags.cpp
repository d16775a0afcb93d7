//===- FoldFlags.cpp - Flags as options of foldModel ----------------------===//

#include "Flags.h"
#include "onnxfold/onnx/driver/NamedOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;

/// Flags whose texts mean the same to every caller of foldModel.
static llvm::Error readNamedOptions(const Flags &flags, FoldOptions &options) {
  const std::pair<StringRef, const Single<std::string> *> named[] = {
      {"max-growth", &flags.maxGrowth},
      {"max-result", &flags.maxResult},
      {"max-memory", &flags.maxMemory},
      {"max-time", &flags.maxTime},
      {"cache", &flags.cache},
      {"cache-size", &flags.cacheSize},
      {"fold-quantization", &flags.quantization},
      {"precision", &flags.precision},
      {"verify", &flags.verify},
  };
  for (const auto &[name, flag] : named) {
    if (!flag->getNumOccurrences())
      continue;
    if (llvm::Error error = setOption(options, name, flag->getValue()))
      return usageError(llvm::toString(std::move(error)));
  }
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
  if (llvm::Error error = readExternalData(options, flags.externalData))
    return usageError(llvm::toString(std::move(error)));
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
  if (llvm::Error error = readNamedOptions(flags, options))
    return error;
  if (flags.targetOpset.getNumOccurrences() && flags.targetOpset <= 0)
    return usageError("--target-opset is '" +
                      llvm::Twine(int64_t(flags.targetOpset)) +
                      "', expected a number above 0");
  options.verifyInputs = flags.verifyInputs;
  if (flags.verifyInputs.getNumOccurrences() && options.verifyInputs.empty())
    return usageError(
        "--verify-inputs is '', expected a folder or a .npz file");
  if (llvm::is_contained(flags.schemas, ""))
    return usageError("--schemas is '', expected a file");
  if (flags.verifyInputs.getNumOccurrences() && options.verifyTrials == 0)
    options.verifyTrials = defaultTrials;
  if (llvm::Error error = readPlacement(flags, options))
    return error;
  if (flags.cache.getNumOccurrences() && flags.cache.empty())
    return usageError("--cache is '', expected a folder");
  options.limits.maxWork = flags.maxWork;
  options.limits.maxTripCount = flags.maxTripCount;
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
