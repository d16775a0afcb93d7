//===- Main.cpp - onnx-to-dml ---------------------------------------------===//
//
// Reads the command line and calls exportModel (dml/ExportModel.h).
// docs/dml.md describes it. Exit status: 0 done; 1 everything else, and nothing
// was written.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/ExportModel.h"
#include "onnxfold/tools/support/CommandLine.h"
#include "onnxfold/tools/support/Heap.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {

struct Flags {
  cl::OptionCategory category{"onnx-to-dml options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("model.onnx"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("the script (default: model.dml beside the input; - is "
               "standard output); its weights are written to model.weights/"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> library{
      "library", cl::cat(category),
      cl::desc("functions only, for source() and SystemDS's Python loader")};
  cl::opt<std::string> weights{
      "weights", cl::init("binary"), cl::value_desc("format"),
      cl::cat(category),
      cl::desc("binary (blocks of SystemDS, the default) or csv")};
  cl::opt<int64_t> batch{
      "batch", cl::init(0), cl::value_desc("N"), cl::cat(category),
      cl::desc("runs N samples at a time, for models whose dimension 0 is a "
               "batch")};
  cl::opt<std::string> interfaceFile{
      "interface", cl::value_desc("file"), cl::cat(category),
      cl::desc("inputs, outputs and their parameters as JSON, for programs "
               "that call the script")};
  cl::list<std::string> shapes{
      "input-shape", cl::value_desc("name:1,3,224,224"), cl::cat(category),
      cl::desc("fixes the shape of an input, ? leaves a dimension; may be "
               "repeated")};
  cl::list<std::string> dims{
      "dim", cl::value_desc("name:size"), cl::cat(category),
      cl::desc("fixes a named dimension in all inputs; may be repeated")};
  cl::list<std::string> values{
      "bind", cl::value_desc("name=value"), cl::cat(category),
      cl::desc("fixes the value of an input: numbers, or a .npy file; may be "
               "repeated")};
};

} // namespace

static llvm::Error usageError(const llvm::Twine &text) {
  return onnxfold::usageError("onnx-to-dml", text);
}

static llvm::Error takeFixedInputs(const Flags &flags, FixedInputs &fixed) {
  for (const std::string &text : flags.shapes)
    if (llvm::Error error = fixed.addShape(text))
      return error;
  for (const std::string &text : flags.dims)
    if (llvm::Error error = fixed.addDimension(text))
      return error;
  for (const std::string &text : flags.values)
    if (llvm::Error error = fixed.addValue(text))
      return error;
  return llvm::Error::success();
}

static llvm::Expected<DmlOptions> optionsOf(const Flags &flags) {
  DmlOptions options;
  if (flags.input.empty())
    return usageError("no model is given");
  options.isLibrary = flags.library;
  if (flags.weights != "binary" && flags.weights != "csv")
    return usageError("--weights is '" + flags.weights +
                      "', expected binary or csv");
  if (flags.weights == "csv")
    options.weights = WeightFormat::Csv;
  if (flags.batch < 0 || (flags.batch == 0 && flags.batch.getNumOccurrences()))
    return usageError("--batch is " + llvm::Twine(flags.batch) +
                      ", expected a positive number");
  if (flags.batch && flags.library)
    return usageError("--batch needs the main part of the script, which "
                      "--library leaves out");
  options.batch = flags.batch;
  options.interfaceFile = flags.interfaceFile;
  options.output = flags.output;
  if (options.output.empty()) {
    StringRef stem = flags.input;
    stem.consume_back(".onnx");
    options.output = flags.input == "-" ? "-" : (stem + ".dml").str();
  }
  if (llvm::Error error = takeFixedInputs(flags, options.fixed))
    return error;
  return options;
}

static int fail(llvm::Error error) {
  return onnxfold::fail("onnx-to-dml", std::move(error));
}

static int run(const Flags &flags) {
  llvm::Expected<DmlOptions> options = optionsOf(flags);
  if (!options)
    return fail(options.takeError());
  std::vector<DmlRefusal> refusals;
  std::vector<std::string> warnings;
  llvm::Error error = exportModel(flags.input, *options, refusals, warnings);
  for (const std::string &warning : warnings)
    warn("onnx-to-dml", warning);
  return error ? fail(std::move(error)) : 0;
}

int main(int argc, char **argv) {
  onnxfold::prepareHeap();
  Flags flags;
  if (llvm::Error error = onnxfold::parseCommandLine(
          argc, argv, "onnx-to-dml",
          "writes an ONNX model as a script of Apache SystemDS",
          flags.category))
    return fail(std::move(error));
  return run(flags);
}
