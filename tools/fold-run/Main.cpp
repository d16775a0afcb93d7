//===- Main.cpp - fold-run: fold, compile and run textual IR --------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   fold-run mlp.mlir --weight 1=w1.npy --weight 2=w2.npy --input 0=x.npy
//            --runs=3 --output=y.npy
//
// Folds the constant tensors of a module (constant-tensor-folding), compiles it
// and calls its entry through the run-time library. Prints results and how
// often folding ran. docs/tensor-folding.md is the manual.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "Tensors.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/options/CommandLine.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/evaluation/CompiledBytes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/tensorfolding/runtime/FoldedMemory.h"
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include "onnxfold/tools/support/InputFiles.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

using namespace onnxfold;
namespace ct = onnxfold::tensorfolding;
using llvm::StringRef;

namespace {

struct Flags {
  std::string file = "-", emit;
  ProgramOptions program;
  NumberedFiles inputs;
  std::vector<std::string> outputs;
  unsigned runs = 1;
  int64_t printLimit = 64;
  bool isTimed = false;
};

} // namespace

static llvm::Error check(const ct::Error &error) {
  return error ? makeRunError(error.message()) : llvm::Error::success();
}

namespace {

/// A tensor of the command line as the run-time library takes it.
class Given {
public:
  Given(const Elements &elements, const ct::TensorType &type)
      : elements(toCompiledBytes(elements)), type(type) {}

  /// Valid as long as this is.
  ct::Tensor tensor() const {
    // Functions never write to their arguments.
    return {const_cast<char *>(elements.residentBytes()), type.element,
            elements.rank(), elements.shape().data(), nullptr};
  }

private:
  Elements elements;
  ct::TensorType type;
};

/// The entry with its weights, called on inputs.
class Run {
public:
  Run(Program &program, const Flags &flags) : program(program), flags(flags) {}

  llvm::Error load();
  llvm::Error giveWeights(const NumberedFiles &files);
  llvm::Error giveInputs(const NumberedFiles &files);
  llvm::Error call();
  llvm::Error printResults() const;
  void printCounts() const;
  void printTimes() const;

private:
  std::string nameOf(StringRef kind, unsigned number) const {
    return (kind + " " + llvm::Twine(number) + " of '" + program.entryName() +
            "'")
        .str();
  }
  llvm::Error checkRole(StringRef kind, unsigned number, bool isInput) const;
  llvm::Expected<Given> read(StringRef kind, unsigned number,
                             StringRef file) const;

  Program &program;
  const Flags &flags;
  std::unique_ptr<ct::FoldedProgram> folded;
  std::vector<std::unique_ptr<Given>> weights;
  std::vector<Given> inputs;
  std::vector<ct::OwnedTensor> results;
  std::vector<double> microseconds; ///< of each call
};

} // namespace

llvm::Error Run::load() {
  const std::string &symbol = program.constantTensors().symbol;
  void *metadata = program.lookup(symbol);
  if (!metadata)
    return makeRunError("the program has no constant '" + symbol + "'");
  auto resolve = [&](const std::string &name) { return program.lookup(name); };
  ct::Error error;
  folded = ct::FoldedProgram::load(metadata, ct::unknownSize, resolve, error);
  return check(error);
}

llvm::Error Run::checkRole(StringRef kind, unsigned number,
                           bool isInput) const {
  const auto &arguments = program.constantTensors().arguments;
  if (number >= arguments.size())
    return makeRunError("'" + program.entryName() + "' has " +
                        llvm::Twine(arguments.size()) + " arguments, but " +
                        kind + " " + llvm::Twine(number) + " is given");
  ConstantTier tier = arguments[number].tier;
  if ((tier == ConstantTier::Variable) != isInput)
    return makeRunError("argument " + llvm::Twine(number) + " of '" +
                        program.entryName() + "' is " +
                        (isInput ? "constant, expected --weight "
                                 : "not constant, expected --input ") +
                        llvm::Twine(number) + "=FILE");
  return llvm::Error::success();
}

llvm::Expected<Given> Run::read(StringRef kind, unsigned number,
                                StringRef file) const {
  auto elements =
      readArgument(file, program.constantTensors().arguments[number].type,
                   nameOf(kind, number));
  if (!elements)
    return elements.takeError();
  return Given(*elements, folded->metadata().arguments[number].type);
}

llvm::Error Run::giveWeights(const NumberedFiles &files) {
  for (const auto &[number, file] : files) {
    if (llvm::Error error = checkRole("weight", number, /*isInput=*/false))
      return error;
    if (!folded->needsWeight(number))
      continue; // it was folded when the program was compiled
    auto given = read("weight", number, file);
    if (!given)
      return given.takeError();
    weights.push_back(std::make_unique<Given>(std::move(*given)));
    if (llvm::Error error =
            check(folded->setWeight(number, weights.back()->tensor())))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Run::giveInputs(const NumberedFiles &files) {
  for (const auto &[number, file] : files)
    if (llvm::Error error = checkRole("input", number, /*isInput=*/true))
      return error;
  const auto &arguments = program.constantTensors().arguments;
  for (unsigned number = 0; number != arguments.size(); ++number) {
    if (arguments[number].tier != ConstantTier::Variable)
      continue;
    auto file = files.find(number);
    if (file == files.end())
      return makeRunError("argument " + llvm::Twine(number) + " of '" +
                          program.entryName() +
                          "' has no value, expected --input " +
                          llvm::Twine(number) + "=FILE.npy");
    auto given = read("input", number, file->second);
    if (!given)
      return given.takeError();
    inputs.push_back(std::move(*given));
  }
  return llvm::Error::success();
}

llvm::Error Run::call() {
  std::vector<ct::Tensor> tensors;
  for (const Given &given : inputs)
    tensors.push_back(given.tensor());
  for (unsigned i = 0; i != flags.runs; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = check(folded->call(tensors, results)))
      return error;
    microseconds.push_back(std::chrono::duration<double, std::micro>(
                               std::chrono::steady_clock::now() - start)
                               .count());
  }
  return llvm::Error::success();
}

/// Undefined for types that programs have and Elements do not: i7, f80.
static DataType elementTypeOfValue(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return toDataType(shaped ? shaped.getElementType() : type);
}

/// Results that could not be printed are refused before anything is compiled.
static llvm::Error checkResults(const Program &program) {
  for (auto [i, type] : llvm::enumerate(program.constantTensors().results)) {
    if (elementTypeOfValue(type) != DataType::Undefined)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return makeRunError("result " + llvm::Twine(i) + " of '" +
                        program.entryName() + "' is " + text +
                        ", which cannot be printed; expected another element "
                        "type");
  }
  return llvm::Error::success();
}

/// A copy of what the program returned.
static Elements elementsOf(const ct::OwnedTensor &tensor, mlir::Type type) {
  DataType dataType = elementTypeOfValue(type);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(
      numElements(tensor.shape()) * byteWidth(dataType));
  if (buffer->size())
    std::memcpy(buffer->data(), tensor.view().data, buffer->size());
  return fromCompiledBytes(dataType, tensor.shape(), buffer);
}

llvm::Error Run::printResults() const {
  if (flags.outputs.size() > results.size())
    return makeRunError("there are " + llvm::Twine(flags.outputs.size()) +
                        " times --output, expected at most " +
                        llvm::Twine(results.size()) + ", the results of '" +
                        program.entryName() + "'");
  for (auto [i, result] : llvm::enumerate(results)) {
    mlir::Type type = program.constantTensors().results[i];
    Elements elements = elementsOf(result, type);
    llvm::outs() << "result " << i << ": "
                 << textOf(elements, type, flags.printLimit) << "\n";
    if (i < flags.outputs.size())
      if (llvm::Error error = writeNpy(flags.outputs[i], elements))
        return error;
  }
  return llvm::Error::success();
}

static std::string counted(uint64_t count, StringRef what) {
  return (llvm::Twine(count) + " " + what + (count == 1 ? "" : "s")).str();
}

void Run::printCounts() const {
  ct::FoldedMemoryStatistics kept = ct::foldedMemory();
  size_t parts = folded->metadata().parts.size();
  const CompileTimeResult &known = program.compileTime();
  if (known.propagated + known.compiled)
    llvm::outs() << counted(known.propagated + known.compiled, "tensor")
                 << " folded at compile time\n";
  llvm::outs() << counted(flags.runs, "call") << ": "
               << counted(folded->statistics().folds, "fold") << " of "
               << counted(parts, "part") << ", "
               << counted(folded->metadata().foldedValues.size(), "tensor")
               << " in " << counted(kept.bytes, "byte") << " kept\n";
}

/// The first call folds; of the others the median, which a busy machine moves
/// least.
void Run::printTimes() const {
  if (microseconds.empty())
    return;
  std::vector<double> others(microseconds.begin() + 1, microseconds.end());
  llvm::outs() << llvm::format("first call %.1f us", microseconds.front());
  if (!others.empty()) {
    auto middle = others.begin() + others.size() / 2;
    std::nth_element(others.begin(), middle, others.end());
    llvm::outs() << llvm::format(", median of the others %.1f us", *middle);
  }
  llvm::outs() << "\n";
}

static llvm::Error printModule(Program &program, StringRef form) {
  if (form == "llvm")
    if (llvm::Error error = program.lower())
      return error;
  program.module().print(llvm::outs());
  return llvm::Error::success();
}

static llvm::Expected<Flags> flagsOf(const CommandLine &line) {
  Flags flags;
  if (!line.inputs().empty()) { // otherwise standard input
    auto file = line.oneInput("file", "--output=");
    if (!file)
      return file.takeError();
    flags.file = *file;
  }
  flags.emit = line.value(OPT_emit_option).str();
  if (line.has(OPT_emit_option) && flags.emit != "mlir" && flags.emit != "llvm")
    return line.wrongValue(OPT_emit_option, flags.emit, "mlir or llvm");
  if (llvm::Error error =
          line.readNumber(OPT_runs, flags.runs, 1u, 1000000000u))
    return error;
  if (llvm::Error error =
          line.readNumber(OPT_print_limit, flags.printLimit, int64_t(0),
                          std::numeric_limits<int64_t>::max()))
    return error;
  line.value(OPT_llvm_level, "2").getAsInteger(10, flags.program.level);
  flags.program.entry = line.value(OPT_entry).str();
  flags.program.pipeline = line.value(OPT_pass_pipeline).str();
  flags.program.mode = line.value(OPT_mode, "runtime").str();
  flags.outputs = line.values(OPT_result_file);
  flags.isTimed = line.has(OPT_time);
  auto weights = parseNumberedFiles(line.values(OPT_weight), "weight");
  if (!weights)
    return weights.takeError();
  flags.program.weights = *weights;
  auto inputs = parseNumberedFiles(line.values(OPT_input), "input");
  if (!inputs)
    return inputs.takeError();
  flags.inputs = *inputs;
  return flags;
}

/// The module and all arrays: a result that took the place of one would be
/// silent.
static llvm::Error checkOutputs(const Flags &flags) {
  std::vector<std::string> files = {flags.file};
  for (const NumberedFiles *arrays : {&flags.inputs, &flags.program.weights})
    for (const auto &[number, file] : *arrays)
      files.push_back(file);
  for (const std::string &output : flags.outputs)
    if (isOneOfFiles(output, files))
      return makeRunError(output + ": " + inputIsNeverWritten);
  return llvm::Error::success();
}

static llvm::Error runAll(const Flags &flags) {
  if (llvm::Error error = checkOutputs(flags))
    return error;
  Program program;
  if (llvm::Error error = program.fold(flags.file, flags.program))
    return error;
  if (!flags.emit.empty())
    return printModule(program, flags.emit);
  if (llvm::Error error = checkResults(program))
    return error;
  if (llvm::Error error = program.compile(flags.program.level))
    return error;
  Run run(program, flags);
  if (llvm::Error error = run.load())
    return error;
  if (llvm::Error error = run.giveWeights(flags.program.weights))
    return error;
  if (llvm::Error error = run.giveInputs(flags.inputs))
    return error;
  if (llvm::Error error = run.call())
    return error;
  if (llvm::Error error = run.printResults())
    return error;
  run.printCounts();
  if (flags.isTimed)
    run.printTimes();
  return llvm::Error::success();
}

static int fail(const llvm::Twine &text) {
  llvm::errs() << "fold-run: error: " << text << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  CommandLine line(ProgramId::FoldRun, argc, argv);
  if (line.printInfo(llvm::outs()))
    return 0;
  if (llvm::Error error = line.check())
    return fail(llvm::toString(std::move(error)));
  llvm::Expected<Flags> flags = flagsOf(line);
  if (!flags)
    return fail(llvm::toString(flags.takeError()));
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerLinalgPasses();
  registerTensorFoldingPasses();
  registerTensorFoldingEvaluationPasses();
  registerConstantTensorLowering();
  if (llvm::Error error = runAll(*flags))
    return fail(flags->file + ": " + llvm::toString(std::move(error)));
  return 0;
}
