//===- Main.cpp - onnx-run: a model from its file to results --------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   onnx-run model.onnx --input x=x.npy
//
// Compiles a model, or takes the object that an earlier run has cached, calls
// it, and prints, writes or compares the results. docs/sequences.md is the
// manual. Exit status: 0 done, and equal; 1 an error; 3 results differ.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/npy/WholeFile.h"
#include "onnxfold/onnx/compile/Call.h"
#include "onnxfold/onnx/compile/CompileModel.h"
#include "onnxfold/onnx/compile/Emit.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/values/TensorFiles.h"
#include "onnxfold/onnx/verify/Difference.h"
#include "onnxfold/options/CommandLine.h"
#include "onnxfold/tools/support/InputFiles.h"
#include "onnxfold/tools/support/RunProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <limits>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// A model to run, with its values.
struct Job {
  std::string model, inputFolder, expected;
};

struct Numbers {
  unsigned runs = 1;
  int64_t printLimit = 1000;
};

} // namespace

static std::string jobName; // of the model that runs, for stopProgram

/// Prints why the program stopped itself: perhaps for want of memory.
static void stopProgram(const char *message) {
  llvm::outs().flush();
  llvm::errs() << "onnx-run: error: " << jobName << ": "
               << printableText(message) << "\n";
  _exit(1);
}

//===----------------------------------------------------------------------===//
// Cached objects
//===----------------------------------------------------------------------===//

/// The file of the object for a model; empty if there is to be none. The
/// program is part of its name: another build makes other code.
static std::string cachedFile(const CommandLine &line, StringRef modelBytes,
                              const CompileOptions &options) {
  if (line.has(OPT_no_cache))
    return "";
  llvm::SmallString<128> folder(line.value(OPT_cache));
  if (folder.empty()) {
    if (const char *cache = std::getenv("XDG_CACHE_HOME"))
      folder = cache;
    else if (!llvm::sys::path::cache_directory(folder))
      return "";
    llvm::sys::path::append(folder, "onnx-run");
  }
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status("/proc/self/exe", status))
    return "";
  std::string key =
      options.text() + " " + std::to_string(status.getSize()) + " " +
      std::to_string(
          status.getLastModificationTime().time_since_epoch().count()) +
      llvm::sys::getHostCPUName().str();
  auto hash = llvm::xxh3_128bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(modelBytes.data()), modelBytes.size()));
  llvm::sys::path::append(
      folder, llvm::utohexstr(hash.high64) + llvm::utohexstr(hash.low64) + "-" +
                  llvm::utohexstr(llvm::xxh3_64bits(key)) + ".o");
  return folder.str().str();
}

/// A cache that cannot be written is none.
static void writeCached(StringRef file, llvm::ArrayRef<char> code) {
  if (llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)))
    return;
  auto written = llvm::sys::fs::TempFile::create(file + ".%%%%%%");
  if (!written) {
    llvm::consumeError(written.takeError());
    return;
  }
  llvm::raw_fd_ostream out(written->FD, /*shouldClose=*/false);
  out.write(code.data(), code.size());
  out.flush();
  bool isBroken = out.has_error();
  out.clear_error();
  llvm::consumeError(isBroken ? written->discard() : written->keep(file));
}

/// Says the warnings.
static llvm::Expected<CompiledModel>
compileAndWarn(StringRef model, const CompileOptions &options) {
  auto compiled = compileModel(model, options);
  if (compiled)
    for (const std::string &warning : compiled->warnings)
      warn("onnx-run", warning);
  return compiled;
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
objectOf(const CommandLine &line, StringRef model,
         const CompileOptions &options) {
  auto bytes = readWholeFile(model);
  if (!bytes)
    return bytes.takeError();
  std::string file = cachedFile(line, (*bytes)->getBuffer(), options);
  if (!file.empty())
    if (llvm::sys::fs::exists(file)) {
      auto cached = readWholeFile(file);
      if (cached)
        return cached;
      llvm::consumeError(cached.takeError()); // made again
    }
  auto compiled = compileAndWarn(model, options);
  if (!compiled)
    return compiled.takeError();
  // Other files may change while the model does not, and a program that could
  // not be compiled says so each time.
  if (!file.empty() && compiled->dataFiles.empty() && compiled->isCompiled)
    writeCached(file, compiled->code);
  return llvm::MemoryBuffer::getMemBufferCopy(
      StringRef(compiled->code.data(), compiled->code.size()), model);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The inputs that an archive has arrays for.
static llvm::Error readArchive(const Job &job, StringRef file,
                               const Signature &signature,
                               std::vector<FoldedValue> &values) {
  auto archive = NpzFile::open(file);
  if (!archive)
    return archive.takeError();
  for (const std::string &array : archive->names()) {
    auto found =
        llvm::find_if(signature.inputs, [&](const ValueSignature &input) {
          StringRef rest = array;
          return input.isSequence
                     ? rest.consume_front(input.name) && rest.starts_with(".")
                     : input.name == array;
        });
    if (found == signature.inputs.end())
      return makeRunError(file + ": it has an array '" + array + "', but " +
                          job.model + " has no such input");
    auto value = readValue(file, *found);
    if (!value)
      return value.takeError();
    values[found - signature.inputs.begin()] = std::move(*value);
  }
  return llvm::Error::success();
}

/// ", such as 'x'", or "".
static std::string nearInputs(const Signature &signature, StringRef wanted) {
  std::vector<StringRef> names;
  for (const ValueSignature &input : signature.inputs)
    names.push_back(input.name);
  return nearNames(names, wanted);
}

static llvm::Expected<std::vector<FoldedValue>>
readInputs(const CommandLine &line, const Job &job,
           const Signature &signature) {
  if (!job.inputFolder.empty())
    return readTestData(job.inputFolder, "input", signature.inputs);
  std::vector<FoldedValue> values(signature.inputs.size());
  for (const std::string &given : line.values(OPT_input)) {
    StringRef text = given;
    auto [name, file] = text.split('=');
    if (file.empty() && text.ends_with(".npz")) {
      if (llvm::Error error = readArchive(job, text, signature, values))
        return error;
      continue;
    }
    auto found = llvm::find_if(signature.inputs,
                               [name = name](const ValueSignature &input) {
                                 return input.name == name;
                               });
    if (file.empty())
      return line.wrongValue(OPT_input, text, "NAME=FILE or FILE.npz");
    if (found == signature.inputs.end())
      return makeRunError(job.model + ": it has no input '" + name + "'" +
                          nearInputs(signature, name));
    auto value = readValue(file, *found);
    if (!value)
      return value.takeError();
    values[found - signature.inputs.begin()] = std::move(*value);
  }
  for (auto [value, input] : llvm::zip_equal(values, signature.inputs)) {
    if (!value && input.isOptional)
      value = FoldedValue::nothing();
    if (!value)
      return makeRunError(job.model + ": input '" + input.name +
                          "' has no value, expected --input " + input.name +
                          "=FILE (" + input.text() + ")");
  }
  return values;
}

/// A name as a part of a file's name.
static std::string fileNameOf(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (c == '/' || c == '\0')
      c = '_';
  return result;
}

/// The model, the arrays, and what is in the folders of test data.
static llvm::Error checkOutput(const CommandLine &line, StringRef output) {
  std::vector<std::string> files(line.inputs().begin(), line.inputs().end());
  for (StringRef input : line.values(OPT_input)) {
    files.push_back(input.str());
    files.push_back(input.split('=').second.str());
  }
  for (OptionId option : {OPT_input_dir, OPT_expected_dir}) {
    llvm::SmallString<128> file(line.value(option));
    if (file.empty())
      continue;
    llvm::sys::path::append(file, llvm::sys::path::filename(output));
    files.push_back(StringRef(file).str());
  }
  if (isOneOfFiles(output, files))
    return makeRunError(output + ": " + inputIsNeverWritten);
  return llvm::Error::success();
}

static llvm::Error writeArray(const CommandLine &line, const std::string &file,
                              const Elements &value) {
  if (llvm::Error error = checkOutput(line, file))
    return error;
  return writeNpy(file, value);
}

static llvm::Error writeResults(const CommandLine &line,
                                const Signature &signature,
                                llvm::ArrayRef<FoldedValue> results) {
  if (std::error_code code =
          llvm::sys::fs::create_directories(line.value(OPT_result_dir)))
    return makeRunError(line.value(OPT_result_dir) + ": " + code.message());
  for (auto [i, value] : llvm::enumerate(results)) {
    const ValueSignature &type = signature.outputs[i];
    llvm::SmallString<128> file(line.value(OPT_result_dir));
    if (line.value(OPT_result_format) == "pb") {
      llvm::sys::path::append(file, "output_" + llvm::Twine(i) + ".pb");
      if (llvm::Error error = checkOutput(line, file))
        return error;
      if (llvm::Error error = writeMessage(file, value, type))
        return error;
      continue;
    }
    llvm::sys::path::append(file, fileNameOf(type.name));
    if (value.tensor) {
      if (llvm::Error error =
              writeArray(line, StringRef(file).str() + ".npy", value.tensor))
        return error;
      continue;
    }
    if (value.isNothing)
      continue;
    for (auto [at, element] : llvm::enumerate(value.sequence->tensors()))
      if (llvm::Error error = writeArray(
              line, (file + "." + llvm::Twine(at) + ".npy").str(), element))
        return error;
  }
  return llvm::Error::success();
}

/// Floats may differ by 1e-4, narrow ones by two units in the last place.
static Tolerance toleranceOf(DataType type) {
  if (type == DataType::Float16)
    return {.relative = 2e-3};
  if (type == DataType::BFloat16)
    return {.relative = 1.6e-2};
  return {.relative = 1e-4};
}

/// How many results differ, each of which is said on `os`.
static llvm::Expected<unsigned>
countDifferences(StringRef folder, const Signature &signature,
                 llvm::ArrayRef<FoldedValue> results, llvm::raw_ostream &os) {
  auto expected = readTestData(folder, "output", signature.outputs);
  if (!expected)
    return expected.takeError();
  unsigned count = 0;
  for (auto [type, value, right] :
       llvm::zip_equal(signature.outputs, results, *expected)) {
    auto apart = difference(right, value, toleranceOf(type.type));
    if (!apart || apart->isWithin)
      continue;
    ++count;
    os << "output '" << printableName(type.name) << "' differs from "
       << printableText(folder) << ": " << printableText(apart->text()) << "\n";
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void printStats(const MemoryCounts &counts) {
  llvm::outs() << counts.allocations << " allocations, " << counts.frees
               << " frees, " << counts.peakBytes << " bytes at the peak, "
               << counts.copies << " copies\n";
}

static llvm::Expected<Numbers> numbersOf(const CommandLine &line) {
  Numbers numbers;
  if (llvm::Error error =
          line.readNumber(OPT_runs, numbers.runs, 1u, 1000000000u))
    return error;
  if (llvm::Error error =
          line.readNumber(OPT_print_limit, numbers.printLimit, int64_t(0),
                          std::numeric_limits<int64_t>::max()))
    return error;
  return numbers;
}

/// The exit status.
static llvm::Expected<int> runJob(const CommandLine &line, const Job &job,
                                  const CompileOptions &options) {
  jobName = printableText(job.model);
  auto numbers = numbersOf(line);
  if (!numbers)
    return numbers.takeError();
  auto object = objectOf(line, job.model, options);
  if (!object)
    return object.takeError();
  ProgramMemory memory = line.has(OPT_guard_memory) ? ProgramMemory::Guarded
                         : line.has(OPT_run_stats)  ? ProgramMemory::Counted
                                                    : ProgramMemory::Plain;
  auto machine = Machine::load(std::move(*object), memory);
  if (!machine)
    return machine.takeError();
  auto signature = machine->signature();
  if (!signature)
    return signature.takeError();
  auto inputs = readInputs(line, job, *signature);
  if (!inputs)
    return inputs.takeError();
  Call call(*machine, *signature);
  if (llvm::Error error = call.setInputs(*inputs))
    return makeRunError(job.model + ": " + llvm::toString(std::move(error)));
  std::vector<FoldedValue> results;
  std::vector<double> times;
  for (unsigned i = 0; i < numbers->runs; ++i) {
    resetMemoryCounts();
    results = call.run();
    times.push_back(call.lastMicroseconds());
  }
  bool isPrinted = line.has(OPT_print) ||
                   (!line.has(OPT_result_dir) && job.expected.empty());
  if (isPrinted)
    for (auto [type, value] : llvm::zip_equal(signature->outputs, results))
      llvm::outs() << printedValue(value, type, numbers->printLimit) << "\n";
  if (line.has(OPT_result_dir))
    if (llvm::Error error = writeResults(line, *signature, results))
      return error;
  if (line.has(OPT_run_stats))
    printStats(memoryCounts());
  if (times.size() > 1) {
    auto middle = times.begin() + times.size() / 2;
    double first = times.front();
    std::nth_element(times.begin(), middle, times.end());
    llvm::outs() << llvm::format("first run %.1f us, median of %zu %.1f us\n",
                                 first, times.size(), *middle);
  }
  if (job.expected.empty())
    return 0;
  auto different =
      countDifferences(job.expected, *signature, results, llvm::outs());
  if (!different)
    return different.takeError();
  return *different ? 3 : 0;
}

//===----------------------------------------------------------------------===//
// Tests of ONNX
//===----------------------------------------------------------------------===//

/// Runs a folder in a process of its own, which may die.
static int runFolder(const CommandLine &line, StringRef folder,
                     const CompileOptions &options) {
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0) {
    int status = 0;
    for (unsigned i = 0;; ++i) {
      std::string data = (folder + "/test_data_set_" + llvm::Twine(i)).str();
      if (!llvm::sys::fs::is_directory(data))
        break;
      auto result =
          runJob(line, {(folder + "/model.onnx").str(), data, data}, options);
      status = std::max(
          status, result ? *result : fail(line.program(), result.takeError()));
    }
    llvm::outs().flush();
    _exit(status);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static llvm::Expected<int> runFolders(const CommandLine &line,
                                      const CompileOptions &options) {
  StringRef file = line.value(OPT_test_folders);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> list =
      file == "-" ? llvm::errorOrToExpected(llvm::MemoryBuffer::getSTDIN())
                  : readWholeFile(file);
  if (!list)
    return list.takeError();
  unsigned equal = 0, count = 0;
  llvm::SmallVector<StringRef> folders;
  (*list)->getBuffer().split(folders, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef folder : folders) {
    int status = runFolder(line, folder, options);
    ++count;
    equal += status == 0;
    llvm::outs() << (status == 0   ? "equal "
                     : status == 3 ? "differs "
                     : status == 1 ? "error "
                                   : "died ")
                 << printableText(folder) << "\n";
  }
  llvm::outs() << equal << " of " << count << " are equal\n";
  return equal == count ? 0 : 3;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static llvm::Error fixShape(StringRef name, llvm::Expected<Elements> elements,
                            FixedInputs &fixed) {
  if (!elements)
    return elements.takeError();
  std::string shape = (name + ":").str();
  for (auto [i, size] : llvm::enumerate(elements->shape()))
    shape += (i ? "," : "") + std::to_string(size);
  return elements->rank() ? fixed.addShape(shape) : llvm::Error::success();
}

/// Fixes the shapes of inputs that files of numpy have.
static llvm::Error fixShapes(const CommandLine &line, FixedInputs &fixed) {
  for (const std::string &given : line.values(OPT_input)) {
    StringRef text = given;
    auto [name, file] = text.split('=');
    if (file.ends_with(".npy")) {
      if (llvm::Error error = fixShape(name, readNpy(file), fixed))
        return error;
      continue;
    }
    bool isAlone = file.empty();
    if (isAlone)
      file = text;
    if (!file.ends_with(".npz"))
      continue;
    auto archive = NpzFile::open(file);
    if (!archive)
      return archive.takeError();
    for (const std::string &array : archive->names())
      if (isAlone || array == name)
        if (llvm::Error error = fixShape(array, archive->read(array), fixed))
          return error;
  }
  return llvm::Error::success();
}

static llvm::Error emit(const CommandLine &line, CompileOptions options) {
  StringRef form = line.value(OPT_emit_option);
  bool isLibrary = form == "shared-library";
  options.form = form == "llvm"   ? CodeForm::LLVM
                 : form == "mlir" ? CodeForm::Mlir
                                  : CodeForm::Object;
  if (options.form == CodeForm::Object && !isLibrary && form != "object")
    return line.wrongValue(OPT_emit_option, form,
                           "object, shared-library, llvm or mlir");
  StringRef output = line.value(OPT_output, "-");
  if (isLibrary && output == "-")
    return line.error(OPT_emit_option,
                      "--emit=shared-library is given without -o FILE, "
                      "expected both");
  if (llvm::Error error = checkOutput(line, output))
    return error;
  auto compiled = compileAndWarn(line.input(), options);
  if (!compiled)
    return compiled.takeError();
  if (isOneOfFiles(output, compiled->dataFiles))
    return makeRunError(output + ": " + inputIsNeverWritten);
  return isLibrary ? writeSharedLibrary(compiled->code, output)
                   : writeCode(compiled->code, output);
}

static llvm::Expected<int> run(const CommandLine &line) {
  CompileOptions options;
  line.value(OPT_llvm_level, "2").getAsInteger(10, options.level);
  options.fold = !line.has(OPT_no_fold);
  options.bufferReuse = !line.has(OPT_no_buffer_reuse);
  options.ownPasses = !line.has(OPT_upstream_deallocation);
  if (auto numbers = numbersOf(line); !numbers)
    return numbers.takeError();
  if (line.has(OPT_test_folders))
    return runFolders(line, options);
  auto model = line.oneInput("model", "--result-dir=");
  if (!model)
    return model.takeError();
  if (line.has(OPT_fix_shapes))
    if (llvm::Error error = fixShapes(line, options.fixed))
      return error;
  if (line.has(OPT_emit_option)) {
    if (llvm::Error error = emit(line, options))
      return error;
    return 0;
  }
  return runJob(line,
                {*model, line.value(OPT_input_dir).str(),
                 line.value(OPT_expected_dir).str()},
                options);
}

int main(int argc, char **argv) {
  sequence::setSequenceErrorHandler(&stopProgram);
  return runProgram(ProgramId::OnnxRun, argc, argv, run);
}
