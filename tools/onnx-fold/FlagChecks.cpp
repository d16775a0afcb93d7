//===- FlagChecks.cpp - Which flags may be given together -----------------===//

#include "Flags.h"
#include "onnxfold/onnx/io/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::usageError(const llvm::Twine &text) {
  return llvm::createStringError(text + " (see onnx-fold --help)");
}

void SingleValue::give(StringRef name, StringRef value) {
  if (!given)
    given = value.str();
  else if (problem.empty() && *given != value)
    problem = ("-" + llvm::Twine(name.size() > 1 ? "-" : "") + name + " is '" +
               *given + "' and '" + value + "', expected one value")
                  .str();
}

/// What is given twice and says two things.
static llvm::Error checkSingle(const Flags &flags) {
  for (const SingleValue *single : flags.singles)
    if (!single->problem.empty())
      return usageError(single->problem);
  return llvm::Error::success();
}

/// What --compare cannot be given with.
static llvm::Error checkCompare(const Flags &flags) {
  if (flags.compare.empty() && !flags.diff)
    return llvm::Error::success();
  if (!flags.compare.empty() && flags.diff)
    return usageError("--compare and --diff are given, expected one of them");
  for (const cl::Option *other :
       {static_cast<const cl::Option *>(&flags.output),
        static_cast<const cl::Option *>(&flags.check)})
    if (other->getNumOccurrences())
      return usageError(llvm::Twine(flags.diff ? "--diff" : "--compare") +
                        " writes nothing, but -" +
                        llvm::Twine(other->ArgStr.size() > 1 ? "-" : "") +
                        other->ArgStr + " is given, expected one of them");
  return llvm::Error::success();
}

/// The second model, and what --show needs.
static llvm::Error checkInputs(const Flags &flags) {
  if (flags.diff && flags.models.size() != 2)
    return usageError("--diff is given with " +
                      llvm::Twine(flags.models.size()) + " model" +
                      (flags.models.size() == 1 ? "" : "s") + ", expected two");
  bool isPage = StringRef(flags.report).starts_with("html") ||
                StringRef(flags.report).starts_with("model-explorer");
  if (flags.show && (!isPage || flags.diff || !flags.compare.empty()))
    return usageError("--show is given without --report=html:FILE or "
                      "--report=model-explorer:FILE, expected one of them");
  if (flags.diff && StringRef(flags.report).starts_with("model-explorer"))
    return usageError("--diff has no form for Model Explorer, expected text, "
                      "json or html");
  return llvm::Error::success();
}

static llvm::Error checkCut(const Flags &flags) {
  if (flags.diff && (!flags.cutInputs.empty() || !flags.cutOutputs.empty()))
    return usageError("--diff compares whole models, but --inputs or --outputs "
                      "is given, expected one of them");
  return llvm::Error::success();
}

/// What --in-place cannot be given with.
static llvm::Error checkInPlace(const Flags &flags) {
  if (!flags.inPlace)
    return llvm::Error::success();
  for (const cl::Option *other :
       {static_cast<const cl::Option *>(&flags.output),
        static_cast<const cl::Option *>(&flags.compare),
        static_cast<const cl::Option *>(&flags.diff),
        static_cast<const cl::Option *>(&flags.show)})
    if (other->getNumOccurrences())
      return usageError("--in-place and -" +
                        llvm::Twine(other->ArgStr.size() > 1 ? "-" : "") +
                        other->ArgStr + " are given, expected one of them");
  if (llvm::any_of(flags.models, isStreamPath))
    return usageError("--in-place is given with standard input, expected a "
                      "file");
  return llvm::Error::success();
}

/// What --verify-with can be given with.
static llvm::Error checkVerifyWith(const Flags &flags) {
  if (flags.verifyWith == "onnx-fold")
    return llvm::Error::success();
  if (flags.verifyWith != "onnxruntime")
    return usageError("--verify-with is '" + flags.verifyWith +
                      "', expected onnx-fold or onnxruntime");
  if (flags.verifyInputs.getNumOccurrences())
    return usageError("--verify-with=onnxruntime and --verify-inputs are "
                      "given, expected one of them (the Python module takes "
                      "both)");
  if (isStreamPath(flags.input()) || flags.hasSeveral() ||
      flags.output == "-" || flags.check || flags.emit != "onnx" ||
      !flags.runOnce.empty() || !flags.compare.empty() || flags.inPlace)
    return usageError("--verify-with=onnxruntime is given without one model "
                      "file as input and one as output, expected these");
  return llvm::Error::success();
}

bool Flags::hasSeveral() const {
  return !diff &&
         (models.size() > 1 || outputDir.getNumOccurrences() != 0 ||
          (models.size() == 1 && llvm::sys::fs::is_directory(input())));
}

/// What makes a command line one of several models.
static std::string severalOf(const Flags &flags) {
  if (flags.outputDir.getNumOccurrences())
    return "--output-dir";
  return flags.models.size() == 1 ? flags.input() + ": is a folder,"
                                  : "several models";
}

/// What several models cannot be given with.
static llvm::Error checkSeveral(const Flags &flags) {
  if (flags.outputDir.getNumOccurrences() && flags.outputDir.empty())
    return usageError("--output-dir is '', expected a folder");
  if (!flags.hasSeveral()) {
    if (flags.memory.getNumOccurrences())
      return usageError("--memory is given with one model, expected several, "
                        "or --max-memory");
    return llvm::Error::success();
  }
  for (const cl::Option *other :
       {static_cast<const cl::Option *>(&flags.output),
        static_cast<const cl::Option *>(&flags.onceOutput),
        static_cast<const cl::Option *>(&flags.compare),
        static_cast<const cl::Option *>(&flags.show),
        static_cast<const cl::Option *>(&flags.folder)})
    if (other->getNumOccurrences())
      return usageError(severalOf(flags) + " and -" +
                        llvm::Twine(other->ArgStr.size() > 1 ? "-" : "") +
                        other->ArgStr + " are given, expected one model" +
                        (other == &flags.output ? ", or --output-dir" : ""));
  if (llvm::any_of(flags.models, isStreamPath))
    return usageError("several models are given with standard input, expected "
                      "files");
  if (flags.emit != "onnx")
    return usageError("several models are given with --emit=" + flags.emit +
                      ", expected one model");
  if (flags.inPlace && flags.outputDir.getNumOccurrences())
    return usageError("--in-place and --output-dir are given, expected one of "
                      "them");
  return llvm::Error::success();
}

llvm::Error onnxfold::checkFlags(const Flags &flags) {
  for (auto *check : {checkSingle, checkInputs, checkCompare, checkCut,
                      checkInPlace, checkSeveral, checkVerifyWith})
    if (llvm::Error error = check(flags))
      return error;
  return llvm::Error::success();
}
