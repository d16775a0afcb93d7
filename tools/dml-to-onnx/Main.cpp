//===- Main.cpp - dml-to-onnx ---------------------------------------------===//
//
// Reads the command line and calls convertScript (dml/ConvertScript.h).
// docs/dml.md describes it. Exit status: 0 done; 1 everything else, and nothing
// was written.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/ConvertScript.h"
#include "onnxfold/tools/support/CommandLine.h"
#include "onnxfold/tools/support/Heap.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold::dml;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {

struct Flags {
  cl::OptionCategory category{"dml-to-onnx options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("script.dml"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("the model (default: script.onnx beside the input; - is "
               "standard output)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::value_desc("name"), cl::cat(category),
      cl::desc("one of the script's functions: its parameters are inputs, its "
               "results outputs")};
  cl::opt<std::string> type{
      "type", cl::init("float64"), cl::value_desc("type"), cl::cat(category),
      cl::desc("of all numbers: float64 (the default) or float32")};
  cl::list<std::string> shapes{
      "input-shape", cl::value_desc("name:rows,columns"), cl::cat(category),
      cl::desc("fixes the size of an input, ? leaves one open; may be "
               "repeated")};
  cl::list<std::string> values{
      "bind", cl::value_desc("name=value"), cl::cat(category),
      cl::desc("a scalar parameter of the function, or $name of the script; "
               "may be repeated")};
  cl::opt<std::string> scripts{
      "scripts", cl::value_desc("jar"), cl::cat(category),
      cl::desc("where SystemDS's own scripts are, its jar or a folder with nn "
               "and builtin: functions that are written in DML")};
  cl::opt<int> opset{"opset", cl::init(21), cl::value_desc("number"),
                     cl::cat(category),
                     cl::desc("version of ai.onnx, from 16 (default: 21)")};
};

} // namespace

static llvm::Error usageError(const llvm::Twine &text) {
  return onnxfold::usageError("dml-to-onnx", text);
}

/// A size; negative for "?".
static bool readSize(StringRef text, int64_t &size) {
  size = -1;
  return text == "?" || (!text.getAsInteger(10, size) && size > 0);
}

static llvm::Expected<ConvertOptions> optionsOf(const Flags &flags) {
  ConvertOptions options;
  if (flags.input.empty())
    return usageError("no script is given");
  if (flags.type != "float64" && flags.type != "float32")
    return usageError("--type is '" + flags.type +
                      "', expected float64 or float32");
  options.isFloat32 = flags.type == "float32";
  options.function = flags.function;
  options.scripts = flags.scripts;
  options.opset = flags.opset;
  if (options.opset < oldestOpset || options.opset > newestOpset)
    return usageError("--opset is " + llvm::Twine(options.opset) +
                      ", expected " + llvm::Twine(oldestOpset) + " to " +
                      llvm::Twine(newestOpset));
  if (!options.scripts.empty() && !llvm::sys::fs::exists(options.scripts))
    return usageError("--scripts is '" + options.scripts +
                      "', which is neither a jar nor a folder");
  options.output = flags.output;
  if (options.output.empty()) {
    StringRef stem = flags.input;
    stem.consume_back(".dml");
    options.output = flags.input == "-" ? "-" : (stem + ".onnx").str();
  }
  for (StringRef text : flags.shapes) {
    auto [name, sizes] = text.split(':');
    auto [rows, columns] = sizes.split(',');
    std::pair<int64_t, int64_t> read;
    if (name.empty() || !readSize(rows, read.first) ||
        !readSize(columns, read.second))
      return usageError("--input-shape is '" + text +
                        "', expected name:rows,columns");
    if (!options.sizes.try_emplace(name, read).second)
      return usageError("--input-shape: '" + name + "' is given twice");
  }
  for (StringRef text : flags.values) {
    auto [name, value] = text.split('=');
    if (name.empty() || value.empty())
      return usageError("--bind is '" + text + "', expected name=value");
    if (!options.values.try_emplace(name, value.str()).second)
      return usageError("--bind: '" + name + "' is given twice");
  }
  return options;
}

static int fail(llvm::Error error) {
  return onnxfold::fail("dml-to-onnx", std::move(error));
}

static int run(const Flags &flags) {
  llvm::Expected<ConvertOptions> options = optionsOf(flags);
  if (!options)
    return fail(options.takeError());
  std::vector<std::string> refusals;
  llvm::Error error = convertScript(flags.input, *options, refusals);
  return error ? fail(std::move(error)) : 0;
}

int main(int argc, char **argv) {
  onnxfold::prepareHeap();
  Flags flags;
  if (llvm::Error error = onnxfold::parseCommandLine(
          argc, argv, "dml-to-onnx",
          "writes a script of Apache SystemDS as an ONNX model",
          flags.category))
    return fail(std::move(error));
  return run(flags);
}
