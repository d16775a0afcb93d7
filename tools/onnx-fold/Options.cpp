//===- Options.cpp - The command line of onnx-fold ------------------------===//

#include "Options.h"
#include "Arguments.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace onnxfold;
using llvm::StringRef;
namespace cl = llvm::cl;

static llvm::Error usageError(const llvm::Twine &text) {
  return llvm::createStringError(text + " (see onnx-fold --help)");
}

/// 12, 12K, 12M, 12G (powers of 1024).
static std::optional<uint64_t> parseSize(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("K"))
    shift = 10;
  else if (text.consume_back_insensitive("M"))
    shift = 20;
  else if (text.consume_back_insensitive("G"))
    shift = 30;
  uint64_t value;
  if (text.getAsInteger(10, value) || value > (UINT64_MAX >> 1) >> shift)
    return std::nullopt;
  return value << shift;
}

static llvm::Error parseGrowth(StringRef text, GrowthLimit &limit) {
  if (text == "unlimited") {
    limit = {GrowthLimit::Kind::Unlimited, 0};
    return llvm::Error::success();
  }
  double percent;
  StringRef number = text;
  if (number.consume_back("%") && !number.getAsDouble(percent) &&
      percent >= 0 && std::isfinite(percent)) {
    limit = {GrowthLimit::Kind::Percent, percent};
    return llvm::Error::success();
  }
  if (std::optional<uint64_t> bytes = parseSize(text)) {
    limit = {GrowthLimit::Kind::Bytes, double(*bytes)};
    return llvm::Error::success();
  }
  return usageError("--max-growth is '" + text +
                    "', expected SIZE[K|M|G], N% or unlimited");
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
  else if (text == "all" || text.empty())
    options.quantization = FoldQuantization::All;
  else
    return usageError("--fold-quantization is '" + text +
                      "', expected weights or all");
  return llvm::Error::success();
}

static llvm::Error parsePrecision(StringRef text, FoldOptions &options) {
  if (text != "exact" && text != "wide")
    return usageError("--precision is '" + text + "', expected exact or wide");
  options.precision = text == "wide" ? Precision::Wide : Precision::Exact;
  return llvm::Error::success();
}

std::string onnxfold::defaultOutput(StringRef input) {
  if (input == "-")
    return "-";
  StringRef stem = input;
  stem.consume_back(".onnx");
  return (stem + ".folded.onnx").str();
}

namespace {

/// The flags. They live only while the command line is parsed: nothing below
/// main() sees an option as a global.
/// An option with one value: given twice, it has to say the same.
template <class T> class Single : public cl::opt<T> {
public:
  using cl::opt<T>::opt;

  /// What is wrong, if something is.
  std::string problem;

private:
  bool addOccurrence(unsigned position, StringRef name, StringRef value,
                     bool isMultiple) override {
    if (!given)
      given = value.str();
    else if (problem.empty() && *given != value)
      problem = ("-" + llvm::Twine(name.size() > 1 ? "-" : "") + name +
                 " is '" + *given + "' and '" + value + "', expected one value")
                    .str();
    return cl::opt<T>::addOccurrence(position, name, value, isMultiple);
  }

  std::optional<std::string> given;
};

struct Flags {
  cl::OptionCategory category{"onnx-fold options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("model.onnx"),
                             cl::cat(category)};
  cl::opt<std::string> other{cl::Positional, cl::desc("[other.onnx]"),
                             cl::cat(category)};
  Single<std::string> output{
      "o",
      cl::desc("output file (default: model.folded.onnx beside the input; "
               "- is standard output)"),
      cl::value_desc("file"), cl::cat(category)};
  Single<std::string> externalData{
      "external-data", cl::ValueOptional, cl::value_desc("file"),
      cl::cat(category),
      cl::desc("put all tensors of 1024 bytes or more into one data file "
               "beside the output (default: its name and .data)")};
  cl::opt<bool> inlineData{"inline-data", cl::cat(category),
                           cl::desc("put external data into the model file")};
  Single<std::string> folder{
      "folder", cl::value_desc("folder"), cl::cat(category),
      cl::desc("of a model on standard input: where its external data is; a "
               "result on standard output refers to it")};
  cl::list<std::string> dataRoots{
      "data-root", cl::value_desc("folder"), cl::cat(category),
      cl::desc("a folder that external data may also be in, through links too; "
               "may be repeated")};
  Single<char> level{
      "O",
      cl::desc("0: fold constants only; 1 (default): also exact rewrites; 2: "
               "also rewrites that change floats within a bound"),
      cl::Prefix,
      cl::value_desc("level"),
      cl::init('1'),
      cl::cat(category)};
  Single<std::string> emit{"emit", cl::desc("onnx (default) or mlir"),
                           cl::value_desc("format"), cl::init("onnx"),
                           cl::cat(category)};
  Single<std::string> report{
      "report", cl::ValueOptional, cl::cat(category),
      cl::desc("the outcome of every node, and why: text or json to standard "
               "error or to :file, a page (html:file), or node data for Model "
               "Explorer (model-explorer:file)"),
      cl::value_desc("text|json|html|model-explorer[:file]")};
  cl::opt<bool> show{
      "show", cl::cat(category),
      cl::desc("the input is a report of --report=json: write it as --report "
               "says, html:file or model-explorer:file")};
  cl::opt<bool> check{
      "check", cl::cat(category),
      cl::desc("write nothing; exit 2 if folding would change the model")};
  cl::list<std::string> only{
      "only", cl::value_desc("glob"), cl::cat(category),
      cl::desc("change only nodes that match: by name, op:TYPE or "
               "domain:NAME; may be repeated")};
  cl::list<std::string> skip{
      "skip", cl::value_desc("glob"), cl::cat(category),
      cl::desc(
          "do not change nodes that match; wins over --only; may be repeated")};
  Single<std::string> quantization{
      "fold-quantization", cl::ValueOptional, cl::value_desc("weights|all"),
      cl::cat(category),
      cl::desc("also fold QuantizeLinear (weights), or DequantizeLinear too "
               "(all)")};
  Single<std::string> precision{
      "precision", cl::value_desc("exact|wide"), cl::init("exact"),
      cl::cat(category),
      cl::desc(
          "exact (default): round floats to their type after each operator; "
          "wide: keep doubles between operators, and round new constants")};
  Single<std::string> maxGrowth{
      "max-growth", cl::value_desc("size|N%|unlimited"), cl::cat(category),
      cl::desc("bytes that the model may grow by (default: the larger of 1M "
               "and 1%)")};
  Single<std::string> maxResult{
      "max-result", cl::value_desc("size"), cl::cat(category),
      cl::desc("keep nodes with larger results (default 1G)")};
  Single<uint64_t> maxWork{
      "max-work", cl::value_desc("N"), cl::init(FoldLimits().maxWork),
      cl::cat(category),
      cl::desc("keep nodes with more element operations (default 10^11)")};
  Single<std::string> maxTime{
      "max-time", cl::value_desc("seconds"), cl::cat(category),
      cl::desc("after so many seconds keep what is not folded yet (default: "
               "none)")};
  Single<std::string> maxMemory{
      "max-memory", cl::value_desc("size"), cl::cat(category),
      cl::desc("keep nodes for which the process would need more memory "
               "(default: none)")};
  cl::list<std::string> disable{
      "disable", cl::value_desc("pattern"), cl::CommaSeparated,
      cl::cat(category),
      cl::desc(
          "do not apply this rewrite (see --list-patterns); may be repeated")};
  cl::opt<bool> listPatterns{"list-patterns", cl::cat(category),
                             cl::desc("print the rewrites by name, and exit")};
  Single<uint64_t> maxTripCount{
      "max-trip-count", cl::value_desc("N"),
      cl::init(FoldLimits().maxTripCount), cl::cat(category),
      cl::desc("keep loops with more iterations (default 10000)")};
  Single<uint64_t> unroll{
      "unroll", cl::value_desc("N"), cl::init(0), cl::cat(category),
      cl::desc("replace loops of at most N iterations, if the number is known, "
               "by their iterations (default: none)")};
  cl::list<std::string> inputShapes{
      "input-shape", cl::value_desc("name:1,3,224,224"), cl::cat(category),
      cl::desc("fix the shape of an input (? leaves a dimension as it is); may "
               "be repeated")};
  cl::list<std::string> dimensions{
      "dim", cl::value_desc("name:1"), cl::cat(category),
      cl::desc("fix all dimensions of this name; may be repeated")};
  cl::list<std::string> bindings{
      "bind", cl::value_desc("name=value|file.npy"), cl::cat(category),
      cl::desc("fix the value of an input, which is removed from the inputs; "
               "may be repeated")};
  cl::list<std::string> keepInitializers{
      "keep-initializer", cl::value_desc("glob"), cl::cat(category),
      cl::desc("treat initializers that match as if a caller might replace "
               "them: nothing that depends on them folds; may be repeated")};
  cl::list<std::string> runOnce{
      "run-once", cl::ValueOptional, cl::value_desc("glob"), cl::cat(category),
      cl::desc("move what depends only on constants and on the inputs and "
               "initializers that match (or, without a name, what the limit on "
               "growth left out) to a second model, which computes it once; "
               "may be repeated")};
  Single<std::string> onceOutput{
      "once-output", cl::value_desc("file"), cl::cat(category),
      cl::desc("file of that model (default: model.once.onnx beside the "
               "output)")};
  cl::opt<bool> shapes{
      "shapes", cl::cat(category),
      cl::desc("also write the inferred types of all values (value_info)")};
  cl::opt<bool> strict{
      "strict", cl::cat(category),
      cl::desc("a type in the model that contradicts the inferred one is an "
               "error")};
  Single<unsigned> threads{
      "threads", cl::value_desc("N"), cl::init(0), cl::cat(category),
      cl::desc("threads to use (default: one per processor)")};
  Single<std::string> verify{
      "verify", cl::ValueOptional, cl::value_desc("N"), cl::cat(category),
      cl::desc("run the model and the result on N random inputs (default 3); "
               "exit 3, and write no output, if they differ")};
  Single<std::string> verifyWith{
      "verify-with", cl::value_desc("engine"), cl::init("onnx-fold"),
      cl::cat(category),
      cl::desc("what runs the models of --verify: onnx-fold (default), or "
               "onnxruntime, through the Python package")};
  Single<std::string> compare{
      "compare", cl::value_desc("other.onnx"), cl::cat(category),
      cl::desc("write nothing: run the model and another one on the inputs of "
               "--verify; exit 3 if they differ")};
  cl::opt<bool> diff{
      "diff", cl::cat(category),
      cl::desc("write nothing: say how two models, model.onnx and other.onnx, "
               "differ in nodes and constants; exit 2 if they do")};
  cl::opt<bool> quiet{"quiet", cl::desc("print nothing but errors"),
                      cl::cat(category)};
  cl::opt<bool> sync{
      "sync", cl::cat(category),
      cl::desc(
          "wait until the output is on the disk, also if it is a new file")};
  cl::opt<bool> provenance{
      "provenance", cl::cat(category),
      cl::desc("record in the metadata of each new constant which node it "
               "replaces and which constants it was computed from")};
  cl::opt<bool> progress{"progress", cl::cat(category),
                         cl::desc("show progress also if standard error is not "
                                  "a terminal or the work is short")};
  Single<std::string> messages{
      "messages", cl::value_desc("text|json"), cl::init("text"),
      cl::cat(category),
      cl::desc(
          "what is on standard error: text (default), or one JSON object a "
          "line, the report among them")};
};

} // namespace

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
  options.dataFile = flags.externalData;
  return llvm::Error::success();
}

constexpr unsigned defaultTrials = 3;

static llvm::Error parseVerify(StringRef text, unsigned &trials) {
  trials = defaultTrials;
  if (text.empty() ||
      (!text.getAsInteger(10, trials) && trials >= 1 && trials <= 1000))
    return llvm::Error::success();
  return usageError("--verify is '" + text +
                    "', expected a number from 1 to 1000");
}

/// What is given twice and says two things.
static llvm::Error checkSingle(const Flags &flags) {
  for (const std::string &problem :
       {flags.output.problem,       flags.onceOutput.problem,
        flags.externalData.problem, flags.level.problem,
        flags.emit.problem,         flags.report.problem,
        flags.quantization.problem, flags.precision.problem,
        flags.maxGrowth.problem,    flags.maxResult.problem,
        flags.maxWork.problem,      flags.maxTime.problem,
        flags.maxMemory.problem,    flags.maxTripCount.problem,
        flags.unroll.problem,       flags.threads.problem,
        flags.verify.problem,       flags.folder.problem,
        flags.compare.problem,      flags.verifyWith.problem,
        flags.messages.problem})
    if (!problem.empty())
      return usageError(problem);
  return llvm::Error::success();
}

static llvm::Error readFixedInputs(const Flags &flags, FixedInputs &fixed) {
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
    options.maxMemory = parseSize(flags.maxMemory);
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
    std::optional<uint64_t> bytes = parseSize(flags.maxResult);
    if (!bytes)
      return usageError("--max-result is '" + flags.maxResult +
                        "', expected SIZE[K|M|G]");
    options.limits.maxResultBytes = *bytes;
  }
  options.limits.maxWork = flags.maxWork;
  options.limits.maxTripCount = flags.maxTripCount;
  return readRunLimits(flags, options);
}

/// What the model is folded with.
static llvm::Error readFoldOptions(const Flags &flags, FoldOptions &options) {
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

/// How messages look, and the files that they begin with.
static llvm::Error readMessages(const Flags &flags, Messages &messages) {
  messages.isJson = flags.messages == "json";
  messages.files = {flags.input,
                    flags.output,
                    flags.compare,
                    flags.other,
                    flags.onceOutput,
                    flags.input == "-" ? "<stdin>" : defaultOutput(flags.input),
                    "<stdout>"};
  if (flags.messages != "json" && flags.messages != "text")
    return usageError("--messages is '" + flags.messages +
                      "', expected text or json");
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
  if (flags.diff && flags.other.empty())
    return usageError("--diff is given with one model, expected two");
  if (!flags.diff && !flags.other.empty())
    return usageError("a second model, '" + flags.other +
                      "', is given without --diff, expected one model");
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

/// What --verify-with can be given with.
static llvm::Error checkVerifyWith(const Flags &flags) {
  if (flags.verifyWith == "onnx-fold")
    return llvm::Error::success();
  if (flags.verifyWith != "onnxruntime")
    return usageError("--verify-with is '" + flags.verifyWith +
                      "', expected onnx-fold or onnxruntime");
  if (flags.input == "-" || flags.output == "-" || flags.check ||
      flags.emit != "onnx" || !flags.runOnce.empty() || !flags.compare.empty())
    return usageError("--verify-with=onnxruntime is given without one model "
                      "file as input and one as output, expected these");
  return llvm::Error::success();
}

static llvm::Expected<Options> readFlags(const Flags &flags) {
  Options options;
  options.input = flags.input;
  if (options.input.empty())
    return usageError("no model is given");
  if (llvm::Error error = checkSingle(flags))
    return error;
  if (llvm::Error error = checkInputs(flags))
    return error;
  if (llvm::Error error = checkCompare(flags))
    return error;
  if (llvm::Error error = checkVerifyWith(flags))
    return error;
  if (llvm::Error error = readFoldOptions(flags, options.fold))
    return error;
  // What the library says of a flag has to say where the flags are explained.
  if (llvm::Error error = readFixedInputs(flags, options.fold.fixed))
    return usageError(llvm::toString(std::move(error)));
  if (llvm::Error error = checkOptions(options.fold))
    return usageError(llvm::toString(std::move(error)));
  options.output = flags.output.empty() ? defaultOutput(flags.input)
                                        : flags.output.getValue();
  if (flags.emit == "mlir" && flags.output.empty())
    options.output = "-";
  options.diff = flags.diff;
  if (flags.diff && options.fold.report == ReportFormat::None)
    options.fold.report = ReportFormat::Text;
  options.show = flags.show;
  options.compared = flags.diff ? flags.other : flags.compare;
  if (!options.compared.empty() && options.fold.verifyTrials == 0)
    options.fold.verifyTrials = defaultTrials;
  options.check = flags.check;
  options.quiet = flags.quiet;
  options.progress = flags.progress;
  options.fold.endsProcess = true;
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
