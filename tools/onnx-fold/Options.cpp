//===- Options.cpp - The command line of onnx-fold ------------------------===//

#include "Options.h"
#include "Arguments.h"
#include "Flags.h"
#include "onnxfold/onnx/driver/NamedOptions.h"
#include "onnxfold/onnx/io/InputFile.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;
namespace cl = llvm::cl;

std::string onnxfold::defaultOutput(StringRef input) {
  if (isStreamPath(input))
    return "-";
  StringRef stem = input;
  stem.consume_back(".onnx");
  return (stem + ".folded.onnx").str();
}

/// How messages look, and the files that they begin with.
static llvm::Error readMessages(const Flags &flags, Messages &messages) {
  messages.isJson = flags.messages == "json";
  messages.files = {flags.input(),
                    flags.output,
                    flags.compare,
                    flags.other(),
                    flags.onceOutput,
                    flags.input() == "-" ? "<stdin>"
                                         : defaultOutput(flags.input()),
                    "<stdout>"};
  if (flags.messages != "json" && flags.messages != "text")
    return usageError("--messages is '" + flags.messages +
                      "', expected text or json");
  return llvm::Error::success();
}

static llvm::Expected<Options> readFlags(const Flags &flags) {
  Options options;
  options.input = flags.input();
  if (options.input.empty())
    return usageError("no model is given");
  if (llvm::Error error = checkFlags(flags))
    return error;
  if (llvm::Error error = readFoldOptions(flags, options.fold))
    return error;
  // What the library says of a flag has to say where the flags are explained.
  if (llvm::Error error = readFixedInputs(flags, options.fold.fixed))
    return usageError(llvm::toString(std::move(error)));
  if (llvm::Error error = checkOptions(options.fold))
    return usageError(llvm::toString(std::move(error)));
  if (flags.output.getNumOccurrences() && flags.output.empty())
    return usageError("-o is '', expected a file");
  options.output = flags.output.empty() ? defaultOutput(options.input)
                                        : flags.output.getValue();
  if (flags.inPlace)
    options.output = options.input;
  if (flags.emit == "mlir" && flags.output.empty())
    options.output = "-";
  options.diff = flags.diff;
  if (flags.diff && options.fold.report == ReportFormat::None)
    options.fold.report = ReportFormat::Text;
  options.show = flags.show;
  options.compared = flags.diff ? flags.other() : flags.compare.getValue();
  if (!options.compared.empty() && options.fold.verifyTrials == 0)
    options.fold.verifyTrials = defaultTrials;
  if (flags.hasSeveral()) {
    options.models = {flags.models.begin(), flags.models.end()};
    options.outputDir = flags.outputDir;
  }
  if (flags.memory.getNumOccurrences()) {
    options.memory = parseByteSize(flags.memory);
    if (!options.memory)
      return usageError("--memory is '" + flags.memory +
                        "', expected SIZE[K|M|G]");
  }
  options.check = flags.check;
  options.quiet = flags.quiet;
  options.progress = flags.progress;
  return options;
}

/// Ends the program. The texts are LLVM's, each with the program's name in
/// front, and hold what was typed as it is, new lines too.
[[noreturn]] static void exitWith(StringRef problems) {
  constexpr llvm::StringLiteral start = "\nonnx-fold: ";
  problems.consume_back("\n");
  while (!problems.empty()) {
    size_t end = problems.find(start, 1);
    llvm::errs() << printableText(problems.take_front(end).ltrim("\n")) << "\n";
    problems = problems.substr(end);
  }
  std::exit(1);
}

llvm::Expected<Options> onnxfold::parseOptions(int argc, char **argv,
                                               Messages &messages) {
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "onnx-fold " << ONNXFOLD_VERSION << "\n";
  });
  std::string problems;
  llvm::raw_string_ostream out(problems);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "computes everything in an ONNX model that depends on constants "
          "alone\n",
          &out))
    exitWith(problems);
  if (flags.listPatterns) {
    for (const auto &[name, algebra, level] : cleanUps())
      llvm::outs() << llvm::left_justify(name, 24) << algebra << "\n";
    std::exit(0);
  }
  if (llvm::Error error = readMessages(flags, messages))
    return error;
  llvm::Expected<Options> options = readFlags(flags);
  if (options)
    options->arguments = withoutReporting({argv + 1, argv + argc});
  if (options && flags.verifyWith == "onnxruntime") {
    options->forOtherEngine = withoutVerification({argv + 1, argv + argc});
    if (options->fold.verifyTrials == 0)
      options->fold.verifyTrials = defaultTrials;
  }
  return options;
}
