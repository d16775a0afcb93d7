//===- Main.cpp - dml-to-onnx ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the command line and calls convertScript (dml/import/ConvertScript.h).
// docs/dml.md describes it. Exit status: 0 done; 1 everything else, and nothing
// was written.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/ConvertScript.h"
#include "onnxfold/tools/support/Heap.h"
#include "onnxfold/tools/support/RunProgram.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

/// A size; negative for "?".
static bool readSize(StringRef text, int64_t &size) {
  size = -1;
  return text == "?" || (!text.getAsInteger(10, size) && size > 0);
}

static llvm::Error readSizes(const CommandLine &line, ConvertOptions &options) {
  for (const std::string &given : line.values(OPT_input_shape)) {
    auto [name, sizes] = StringRef(given).split(':');
    auto [rows, columns] = sizes.split(',');
    std::pair<int64_t, int64_t> read;
    if (name.empty() || !readSize(rows, read.first) ||
        !readSize(columns, read.second))
      return line.wrongValue(OPT_input_shape, given, "name:rows,columns");
    if (!options.sizes.try_emplace(name, read).second)
      return line.error(OPT_input_shape,
                        "--input-shape: '" + name + "' is given twice");
  }
  return llvm::Error::success();
}

static llvm::Error readValues(const CommandLine &line,
                              ConvertOptions &options) {
  for (const std::string &given : line.values(OPT_bind)) {
    auto [name, value] = StringRef(given).split('=');
    if (name.empty() || value.empty())
      return line.wrongValue(OPT_bind, given, "name=value");
    if (!options.values.try_emplace(name, value.str()).second)
      return line.error(OPT_bind, "--bind: '" + name + "' is given twice");
  }
  return llvm::Error::success();
}

static llvm::Expected<ConvertOptions> optionsOf(const CommandLine &line,
                                                StringRef input) {
  ConvertOptions options;
  options.isFloat32 = line.value(OPT_type) == "float32";
  options.function = line.value(OPT_function).str();
  options.scripts = line.value(OPT_scripts).str();
  options.drawsNumbers = line.has(OPT_random);
  if (llvm::Error error = line.readNumber<decltype(options.opset)>(
          OPT_target_opset, options.opset, oldestOpset, newestOpset))
    return error;
  if (!options.scripts.empty() && !llvm::sys::fs::exists(options.scripts))
    return line.wrongValue(OPT_scripts, options.scripts, "a jar or a folder");
  options.output = line.value(OPT_output).str();
  if (options.output.empty()) {
    StringRef stem = input;
    stem.consume_back(".dml");
    options.output = input == "-" ? "-" : (stem + ".onnx").str();
  }
  if (llvm::Error error = readSizes(line, options))
    return error;
  if (llvm::Error error = readValues(line, options))
    return error;
  return options;
}

static llvm::Expected<int> run(const CommandLine &line) {
  llvm::Expected<std::string> input = line.oneInput("script", "-o ");
  if (!input)
    return input.takeError();
  llvm::Expected<ConvertOptions> options = optionsOf(line, *input);
  if (!options)
    return options.takeError();
  std::vector<std::string> refusals;
  if (llvm::Error error = convertScript(*input, *options, refusals))
    return error;
  return 0;
}

int main(int argc, char **argv) {
  prepareHeap();
  return runProgram(ProgramId::DmlToOnnx, argc, argv, run);
}
