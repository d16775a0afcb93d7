//===- Flags.h - The flags of onnx-fold -------------------------*- C++ -*-===//
//
// Every flag with its text for --help, the checks of their combinations
// (FlagChecks.cpp), and their translation to the options of foldModel
// (FoldFlags.cpp). docs/reference.md describes each flag. The flags live only
// while the command line is parsed, so that no code below main() sees an option
// as a global.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_FLAGS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_FLAGS_H

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "llvm/Support/CommandLine.h"

namespace onnxfold {

namespace cl = llvm::cl;

/// The values that were given to an option that takes one.
struct SingleValue {
  std::optional<std::string> given;
  /// The error, if there is one.
  std::string problem;

  void give(llvm::StringRef name, llvm::StringRef value);
};
using SingleValues = std::vector<const SingleValue *>;

/// An option with one value. Repeating it with a different value is an error.
template <class T> class Single : public cl::opt<T>, public SingleValue {
public:
  /// Adds itself to `all`.
  template <class... Modifiers>
  explicit Single(SingleValues &all, const Modifiers &...modifiers)
      : cl::opt<T>(modifiers...) {
    all.push_back(this);
  }

private:
  bool addOccurrence(unsigned position, llvm::StringRef name,
                     llvm::StringRef value, bool isMultiple) override {
    give(name, value);
    return cl::opt<T>::addOccurrence(position, name, value, isMultiple);
  }
};

struct Flags {
  SingleValues singles;
  cl::OptionCategory category{"onnx-fold options"};
  cl::list<std::string> models{cl::Positional, cl::desc("model.onnx ..."),
                               cl::cat(category)};
  Single<std::string> output{
      singles, "o",
      cl::desc("output file (default: model.folded.onnx beside the input; "
               "- is standard output)"),
      cl::value_desc("file"), cl::cat(category)};
  Single<std::string> externalData{
      singles,
      "external-data",
      cl::ValueOptional,
      cl::value_desc("file,shard=size"),
      cl::cat(category),
      cl::desc("move all tensors of 1024 bytes or more to one data file "
               "beside the output (default: its name and .data); ,shard=size: "
               "to files of at most that size; ,threshold=size: other than "
               "1024 bytes; ,align=size: to multiples of that size (default "
               "64K)")};
  Single<std::string> outputDir{
      singles, "output-dir", cl::value_desc("folder"), cl::cat(category),
      cl::desc("folder of the outputs, which have the names of their inputs; "
               "inputs may be folders, whose *.onnx files are folded")};
  Single<std::string> memory{
      singles, "memory", cl::value_desc("size"), cl::cat(category),
      cl::desc("of several models: memory of all runs together, divided "
               "evenly among those at once (default: what is free)")};
  cl::opt<bool> inPlace{
      "in-place", cl::cat(category),
      cl::desc("the output replaces the input, when it is complete")};
  cl::opt<bool> inlineData{"inline-data", cl::cat(category),
                           cl::desc("move external data into the model file")};
  Single<std::string> folder{
      singles, "folder", cl::value_desc("folder"), cl::cat(category),
      cl::desc("of a model on standard input: the folder of its external "
               "data; a result on standard output refers to it")};
  cl::list<std::string> dataRoots{
      "data-root", cl::value_desc("folder"), cl::cat(category),
      cl::desc("another folder that may hold external data, also through "
               "links; may be repeated")};
  Single<char> level{
      singles,
      "O",
      cl::desc("0: fold constants only; 1 (default): also exact rewrites; 2: "
               "also rewrites that change floats within a bound"),
      cl::Prefix,
      cl::value_desc("level"),
      cl::init('1'),
      cl::cat(category)};
  Single<std::string> emit{singles,
                           "emit",
                           cl::desc("onnx (default) or mlir"),
                           cl::value_desc("format"),
                           cl::init("onnx"),
                           cl::cat(category)};
  Single<std::string> report{
      singles,
      "report",
      cl::ValueOptional,
      cl::cat(category),
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
      singles,
      "fold-quantization",
      cl::ValueOptional,
      cl::value_desc("none|weights|compute|all"),
      cl::cat(category),
      cl::desc("which QuantizeLinear and DequantizeLinear fold: compute "
               "(default): those that only constants are computed from, so "
               "that weights are kept compact; weights: QuantizeLinear only; "
               "all; none")};
  Single<std::string> precision{
      singles,
      "precision",
      cl::value_desc("exact|wide"),
      cl::init("exact"),
      cl::cat(category),
      cl::desc(
          "exact (default): round floats to their type after each operator; "
          "wide: keep doubles between operators, and round new constants")};
  Single<std::string> maxGrowth{
      singles, "max-growth", cl::value_desc("size|N%|unlimited"),
      cl::cat(category),
      cl::desc("bytes that the model may grow by (default: the larger of 1M "
               "and 1%)")};
  Single<std::string> maxResult{
      singles, "max-result", cl::value_desc("size"), cl::cat(category),
      cl::desc("keep nodes with larger results (default 1G)")};
  Single<uint64_t> maxWork{
      singles,
      "max-work",
      cl::value_desc("N"),
      cl::init(FoldLimits().maxWork),
      cl::cat(category),
      cl::desc(
          "keep nodes that take more work, in units of about 0.1 ns (default "
          "10^11)")};
  Single<std::string> maxTime{
      singles, "max-time", cl::value_desc("seconds"), cl::cat(category),
      cl::desc("keep the nodes that are not folded after so many seconds "
               "(default: none)")};
  Single<std::string> maxMemory{
      singles, "max-memory", cl::value_desc("size"), cl::cat(category),
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
      singles,
      "max-trip-count",
      cl::value_desc("N"),
      cl::init(FoldLimits().maxTripCount),
      cl::cat(category),
      cl::desc("keep loops with more iterations (default 10000)")};
  Single<uint64_t> unroll{
      singles,
      "unroll",
      cl::value_desc("N"),
      cl::init(0),
      cl::cat(category),
      cl::desc("unroll loops with a known trip count of at most N (default: "
               "none)")};
  cl::list<std::string> inputShapes{
      "input-shape", cl::value_desc("name:1,3,224,224"), cl::cat(category),
      cl::desc("fix the shape of an input (? leaves a dimension as it is); may "
               "be repeated")};
  cl::list<std::string> dimensions{
      "dim", cl::value_desc("name:1"), cl::cat(category),
      cl::desc("fix all dimensions of this name; may be repeated")};
  cl::list<std::string> bindings{
      "bind", cl::value_desc("name[=value|file.npy]"), cl::cat(category),
      cl::desc("fix an input to a value, and remove the input; without a "
               "value, a glob: fix inputs to their initializers; may be "
               "repeated")};
  cl::list<std::string> cutInputs{
      "inputs", cl::value_desc("name,..."), cl::cat(category),
      cl::desc("cut the model here: these values, which may be inner ones, are "
               "its inputs; may be repeated")};
  cl::list<std::string> cutOutputs{
      "outputs", cl::value_desc("name,..."), cl::cat(category),
      cl::desc("cut the model here: these values, which may be inner ones, "
               "are its outputs, and nodes that they do not need are removed; "
               "may be repeated")};
  cl::list<std::string> keepInitializers{
      "keep-initializer", cl::value_desc("glob"), cl::cat(category),
      cl::desc("keep initializers that match, and all nodes that depend on "
               "them: a caller may replace them; may be repeated")};
  Single<int64_t> targetOpset{
      singles,
      "target-opset",
      cl::value_desc("N"),
      cl::init(0),
      cl::cat(category),
      cl::desc("convert the result to this opset of ai.onnx (default: as it "
               "was)")};
  cl::list<std::string> schemas{
      "schemas", cl::value_desc("file"), cl::cat(category),
      cl::desc(
          "types and shapes of operators outside the standard (JSON), or a "
          "model whose functions compute them; may be repeated")};
  cl::list<std::string> runOnce{
      "run-once", cl::ValueOptional, cl::value_desc("glob"), cl::cat(category),
      cl::desc("move nodes that depend only on constants and on the inputs "
               "and initializers that match (without a name: nodes that the "
               "limit on growth kept) to a second model, which is to be run "
               "once; may be repeated")};
  Single<std::string> onceOutput{
      singles, "once-output", cl::value_desc("file"), cl::cat(category),
      cl::desc("file of the second model of --run-once (default: "
               "model.once.onnx beside the output)")};
  cl::opt<bool> shapes{
      "shapes", cl::cat(category),
      cl::desc("also write the inferred types of all values (value_info)")};
  cl::opt<bool> strict{
      "strict", cl::cat(category),
      cl::desc("a type in the model that contradicts the inferred one is an "
               "error")};
  Single<std::string> cache{
      singles, "cache", cl::value_desc("folder"), cl::cat(category),
      cl::desc("keep results in this folder, and reuse those of earlier runs "
               "whose operands have not changed; created if missing")};
  Single<std::string> cacheSize{
      singles, "cache-size", cl::value_desc("size"), cl::cat(category),
      cl::desc("largest size of --cache; beyond it the least recently used "
               "results are erased (default 10G)")};
  Single<unsigned> threads{
      singles,
      "threads",
      cl::value_desc("N"),
      cl::init(0),
      cl::cat(category),
      cl::desc("threads to use (default: one per processor)")};
  Single<std::string> verify{
      singles,
      "verify",
      cl::ValueOptional,
      cl::value_desc("N"),
      cl::cat(category),
      cl::desc("run the model and the result on N random inputs (default 3); "
               "exit 3, and write no output, if they differ, 4 if an output "
               "could not be compared")};
  Single<std::string> verifyInputs{
      singles, "verify-inputs", cl::value_desc("folder|file.npz"),
      cl::cat(category),
      cl::desc("verify on these inputs instead of random ones: .npz, a folder "
               "of name.npy, or test data of ONNX (input_0.pb)")};
  Single<std::string> verifyWith{
      singles,
      "verify-with",
      cl::value_desc("engine"),
      cl::init("onnx-fold"),
      cl::cat(category),
      cl::desc("engine that runs the models of --verify: onnx-fold (default), "
               "or onnxruntime, through the Python package")};
  Single<std::string> compare{
      singles, "compare", cl::value_desc("other.onnx"), cl::cat(category),
      cl::desc("write nothing: run the model and another one on the inputs of "
               "--verify; exit 3 if they differ, 4 if an output could not be "
               "compared")};
  cl::opt<bool> diff{
      "diff", cl::cat(category),
      cl::desc("write nothing: print how model.onnx and other.onnx differ in "
               "nodes and constants; exit 2 if they do")};
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
      singles,
      "messages",
      cl::value_desc("text|json"),
      cl::init("text"),
      cl::cat(category),
      cl::desc("form of standard error: text (default), or json: one object a "
               "line, the report among them")};

  std::string input() const { return models.empty() ? "" : models.front(); }
  /// The second model of --diff.
  std::string other() const { return models.size() == 2 ? models[1] : ""; }
  bool hasSeveral() const;
};

/// The value of --verify if no number is given.
constexpr unsigned defaultTrials = 3;

/// `text`, and a hint where flags are explained.
llvm::Error usageError(const llvm::Twine &text);

/// Checks for options that are repeated with different values, and for options
/// that exclude each other.
llvm::Error checkFlags(const Flags &flags);

/// The options of foldModel, except for fixed inputs.
llvm::Error readFoldOptions(const Flags &flags, FoldOptions &options);

llvm::Error readFixedInputs(const Flags &flags, FixedInputs &fixed);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_FLAGS_H
