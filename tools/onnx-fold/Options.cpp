//===- Options.cpp - The command line of onnx-fold ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Options.h"
#include "onnxfold/onnx/driver/NamedOptions.h"
#include "onnxfold/onnx/io/files/InputFile.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/options/CommandLine.h"
#include "onnxfold/tools/support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

std::string onnxfold::defaultOutput(StringRef input, StringRef ending) {
  if (isStreamPath(input))
    return "-";
  StringRef stem = input;
  stem.consume_back(".onnx");
  return (stem + ending).str();
}

/// How many models a subcommand takes; nothing: any number.
static std::optional<size_t> countOfModels(StringRef command) {
  if (command == "fold")
    return std::nullopt;
  return command == "diff" || command == "compare" ? 2 : 1;
}

/// Says what makes a command line one of several models; "" if nothing does.
static std::string severalOf(const CommandLine &line) {
  if (line.subcommand() != "fold")
    return "";
  for (OptionId option : {OPT_output_dir, OPT_beside})
    if (line.has(option))
      return CommandLine::spelling(option);
  if (line.inputs().size() > 1)
    return "several models";
  return llvm::sys::fs::is_directory(line.input())
             ? line.input().str() + ": is a folder,"
             : "";
}

/// "onnx-fold in.onnx out.onnx" is what other tools take: the second file is
/// never folded for it. Who means several models says where they go.
static llvm::Error checkPlaces(const CommandLine &line) {
  for (OptionId option :
       {OPT_output_dir, OPT_beside, OPT_in_place, OPT_check_only})
    if (line.has(option))
      return llvm::Error::success();
  llvm::ArrayRef<std::string> files = line.inputs();
  if (files.size() < 2)
    return llvm::Error::success();
  if (files.size() > 2)
    return line.error(OPT_INVALID,
                      llvm::Twine(files.size()) +
                          " models are given, and no place for the outputs",
                      "--output-dir=DIR, --beside, --in-place or --check");
  return line.error(
      OPT_INVALID, "'" + files[1] + "' is given too",
      "'onnx-fold -o " + files[1] + " " + files[0] +
          "', which writes it, or, to fold both, --output-dir=DIR, --beside, "
          "--in-place or --check");
}

static llvm::Error checkModels(const CommandLine &line, StringRef several) {
  if (line.input().empty())
    return line.error(OPT_INVALID, "no model is given");
  if (llvm::Error error = line.checkInput())
    return error;
  std::optional<size_t> count = countOfModels(line.subcommand());
  if (count && line.inputs().size() != *count)
    return line.error(OPT_INVALID,
                      line.subcommand() + " is given with " +
                          llvm::Twine(line.inputs().size()) +
                          (line.inputs().size() == 1 ? " file" : " files"),
                      *count == 1 ? "one" : "two");
  bool hasStream = llvm::any_of(line.inputs(), isStreamPath);
  if (!several.empty() && hasStream)
    return line.error(OPT_INVALID,
                      "several models are given with standard input", "files");
  if (line.subcommand() == "fold")
    if (llvm::Error error = checkPlaces(line))
      return error;
  if (line.has(OPT_in_place) && hasStream)
    return line.error(OPT_in_place, "--in-place is given with standard input",
                      "a file");
  if (!several.empty() && line.value(OPT_emit_option, "onnx") != "onnx")
    return line.error(OPT_emit_option,
                      "several models are given with --emit=" +
                          line.value(OPT_emit_option),
                      "one model");
  return llvm::Error::success();
}

/// Checks what the table of options cannot say of subcommands and empty values.
static llvm::Error checkUses(const CommandLine &line) {
  StringRef report = line.value(OPT_report_option);
  bool isExplorer = report.starts_with("model-explorer");
  if (line.subcommand() == "report" && !isExplorer &&
      !report.starts_with("html"))
    return line.error(OPT_report_option,
                      "report is given without --report=html:FILE or "
                      "--report=model-explorer:FILE",
                      "one of them");
  StringRef command = line.subcommand();
  if ((command == "diff" || command == "stats") && isExplorer)
    return line.wrongValue(OPT_report_option, report,
                           "text, json or html: " + command +
                               " has no form for Model Explorer");
  if (line.subcommand() == "cut" && !line.has(OPT_cut_inputs) &&
      !line.has(OPT_cut_outputs))
    return line.error(OPT_INVALID,
                      "cut is given without --inputs and --outputs",
                      "one of them");
  if (line.subcommand() == "reduce" && line.value(OPT_test_command).empty())
    return line.error(OPT_test_command, "reduce is given without --test",
                      "a command, or crash:ort, differs:ort, "
                      "differs:OTHER.onnx, verify, folds:NODE or kept:NODE");
  if (line.has(OPT_output) && line.value(OPT_output).empty())
    return line.wrongValue(OPT_output, "", "a file");
  if (line.has(OPT_output_dir) && line.value(OPT_output_dir).empty())
    return line.wrongValue(OPT_output_dir, "", "a folder");
  return llvm::Error::success();
}

/// The options of foldModel.
static llvm::Error readFoldOptions(const CommandLine &line,
                                   FoldOptions &options) {
  for (const CommandLine::Given &given : line.given()) {
    StringRef name = given.option == OPT_level ? "level" : given.name;
    if (isFoldOption(name))
      if (llvm::Error error = setOption(options, name, given.value))
        return usageError(line, given.option, std::move(error));
  }
  if (llvm::Error error = checkOptions(options))
    return usageError(line, OPT_INVALID, std::move(error));
  return llvm::Error::success();
}

/// Reads what a subcommand asks of foldModel and the functions beside it.
static void readSubcommand(const CommandLine &line, Options &options) {
  StringRef command = line.subcommand();
  options.diff = command == "diff";
  options.stats = command == "stats";
  options.show = command == "report";
  options.reduce = command == "reduce";
  options.checkRules = command == "check-rules";
  if ((options.diff || options.stats) &&
      options.fold.report == ReportFormat::None)
    options.fold.report = ReportFormat::Text;
  if (options.diff || command == "compare")
    options.compared = line.inputs().back();
  if (!options.compared.empty() && options.fold.verifyTrials == 0)
    options.fold.verifyTrials = defaultTrials;
  if (command == "cut") {
    options.fold.level = 0;
    options.fold.skip = {"*"};
  }
}

/// The options of reduceModel.
static llvm::Error readReduction(const CommandLine &line, Options &options) {
  ReduceOptions &reduction = options.reduction;
  if (isStreamPath(options.input) || isStreamPath(options.output))
    return line.error(OPT_INVALID, "reduce is given with a stream",
                      "files: candidates stand beside them");
  reduction.test = line.value(OPT_test_command).str();
  reduction.inputs = llvm::join(options.fold.cut.inputs, ",");
  options.fold.cut.inputs.clear();
  reduction.maxSeconds = options.fold.maxSeconds;
  reduction.threads = options.fold.threads;
  reduction.anonymise = line.has(OPT_anonymise);
  constexpr uint64_t most = uint64_t(1) << 62;
  constexpr unsigned mostRepeats = 1000;
  if (line.has(OPT_max_runs))
    if (llvm::Error error = line.readNumber<uint64_t>(
            OPT_max_runs, reduction.maxRuns.emplace(), 1, most))
      return error;
  if (llvm::Error error =
          line.readNumber<uint64_t>(OPT_seed, reduction.seed, 0, most))
    return error;
  return line.readNumber<unsigned>(OPT_repeat, reduction.repeat, 1,
                                   mostRepeats);
}

static std::string outputOf(const CommandLine &line) {
  if (line.subcommand() == "check-rules") // a folder, or nothing
    return line.value(OPT_output).str();
  if (line.has(OPT_in_place))
    return line.input().str();
  if (line.value(OPT_emit_option) == "mlir")
    return line.value(OPT_output, "-").str();
  if (line.has(OPT_output))
    return line.value(OPT_output).str();
  StringRef command = line.subcommand();
  return defaultOutput(line.input(), command == "cut"      ? ".cut.onnx"
                                     : command == "reduce" ? ".reduced.onnx"
                                                           : ".folded.onnx");
}

/// Beside the caches of other programs.
static std::string proofFolder() {
  llvm::SmallString<128> path;
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    path = cache;
  else if (const char *home = std::getenv("HOME"); home && *home)
    llvm::sys::path::append(path, home, ".cache");
  else
    return "";
  llvm::sys::path::append(path, "onnx-fold", "rules");
  return path.str().str();
}

static llvm::Expected<Options> readOptions(const CommandLine &line) {
  Options options;
  std::string several = severalOf(line);
  if (llvm::Error error = line.check(several))
    return error;
  if (llvm::Error error = checkUses(line))
    return error;
  if (llvm::Error error = checkModels(line, several))
    return error;
  if (llvm::Error error = readFoldOptions(line, options.fold))
    return error;
  options.input = line.input().str();
  options.output = outputOf(line);
  readSubcommand(line, options);
  if (options.reduce)
    if (llvm::Error error = readReduction(line, options))
      return error;
  if (!several.empty()) {
    options.models = line.inputs();
    options.outputDir = line.value(OPT_output_dir).str();
  }
  if (line.has(OPT_batch_memory)) {
    options.memory = parseByteSize(line.value(OPT_batch_memory));
    if (!options.memory)
      return line.wrongValue(OPT_batch_memory, line.value(OPT_batch_memory),
                             "SIZE[K|M|G]");
  }
  if (line.has(OPT_confirm)) {
    int descriptor;
    if (line.value(OPT_confirm).getAsInteger(10, descriptor) || descriptor < 0)
      return line.wrongValue(OPT_confirm, line.value(OPT_confirm),
                             "the number of an open descriptor");
    options.confirm = descriptor;
  }
  if (!options.fold.rules.empty())
    options.fold.proofFolder = proofFolder();
  options.check = line.has(OPT_check_only);
  options.fold.inPlace &= !options.check;
  options.quiet = line.has(OPT_quiet);
  options.progress = line.has(OPT_progress);
  options.arguments = line.without(
      {OPT_report_option, OPT_messages, OPT_quiet, OPT_progress, OPT_confirm});
  return options;
}

[[noreturn]] static void printPatterns() {
  for (const auto &[name, algebra, level] : cleanUps())
    llvm::outs() << llvm::left_justify(name, 24) << algebra << "\n";
  std::exit(0);
}

llvm::Expected<Options> onnxfold::parseOptions(int argc, char **argv,
                                               Messages &messages) {
  CommandLine line(ProgramId::OnnxFold, argc, argv);
  if (line.printInfo(llvm::outs()))
    std::exit(0);
  messages.isJson = line.value(OPT_messages) == "json";
  if (!line.has(OPT_list_patterns))
    return readOptions(line);
  if (llvm::Error error = line.check())
    return error;
  printPatterns();
}
