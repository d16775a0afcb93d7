//===- Main.cpp - onnx-to-dml ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the command line and calls exportModel (dml/export/ExportModel.h).
// docs/dml.md describes it. Exit status: 0 done; 1 everything else, and nothing
// was written.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/ExportModel.h"
#include "onnxfold/tools/support/Heap.h"
#include "onnxfold/tools/support/RunProgram.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

static llvm::Error readFixedInputs(const CommandLine &line,
                                   FixedInputs &fixed) {
  for (const std::string &text : line.values(OPT_input_shape))
    if (llvm::Error error = fixed.addShape(text))
      return error;
  for (const std::string &text : line.values(OPT_dim))
    if (llvm::Error error = fixed.addDimension(text))
      return error;
  for (const std::string &text : line.values(OPT_bind))
    if (llvm::Error error = fixed.addValue(text))
      return error;
  return llvm::Error::success();
}

static llvm::Expected<DmlOptions> optionsOf(const CommandLine &line,
                                            StringRef input) {
  DmlOptions options;
  options.isLibrary = line.has(OPT_library);
  if (line.value(OPT_weights) == "csv")
    options.weights = WeightFormat::Csv;
  if (llvm::Error error = line.readNumber(OPT_batch, options.batch, int64_t(1),
                                          std::numeric_limits<int64_t>::max()))
    return error;
  options.interfaceFile = line.value(OPT_interface).str();
  options.output = line.value(OPT_output).str();
  if (options.output.empty()) {
    StringRef stem = input;
    stem.consume_back(".onnx");
    options.output = input == "-" ? "-" : (stem + ".dml").str();
  }
  if (llvm::Error error = readFixedInputs(line, options.fixed))
    return error;
  return options;
}

static llvm::Expected<int> run(const CommandLine &line) {
  llvm::Expected<std::string> input = line.oneInput("model", "-o ");
  if (!input)
    return input.takeError();
  llvm::Expected<DmlOptions> options = optionsOf(line, *input);
  if (!options)
    return options.takeError();
  std::vector<DmlRefusal> refusals;
  std::vector<std::string> warnings;
  llvm::Error error = exportModel(*input, *options, refusals, warnings);
  for (const std::string &warning : warnings)
    warn(line.program(), warning);
  if (error)
    return error;
  return 0;
}

int main(int argc, char **argv) {
  prepareHeap();
  return runProgram(ProgramId::OnnxToDml, argc, argv, run);
}
