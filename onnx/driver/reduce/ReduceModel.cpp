//===- ReduceModel.cpp - The smallest model with a fault ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/onnx/driver/reduce/internal/OriginalModel.h"
#include "onnxfold/onnx/driver/reduce/internal/ProtoGraph.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/onnx/driver/reduce/internal/ReducedFiles.h"
#include "onnxfold/onnx/driver/reduce/internal/Reduction.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <set>

using namespace onnxfold;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// The places of the files of a run.
struct Places {
  std::string work;   ///< of results that are known, and of small candidates
  std::string folder; ///< of candidates
  std::string stem;   ///< what their names begin with
};

class Run {
public:
  Run(StringRef input, StringRef output, const ReduceOptions &options,
      ReduceReport &report, const ReduceCallbacks &callbacks)
      : input(input.str()), output(output.str()), options(options),
        report(report), callbacks(callbacks) {}

  llvm::Error reduce();

private:
  llvm::Error prepare();
  llvm::Error search();
  llvm::Error makeZeros(const onnx::ModelProto &model);
  llvm::Error makeFolder();
  std::string versionsOfFiles() const;
  void removeFiles();
  llvm::Error notInteresting(int status) const;
  Validity validityOf(const onnx::ModelProto &model);
  llvm::Error runOriginal();
  llvm::Error finish(const Base &best);
  llvm::Error save(const Base &best);
  void warn(const llvm::Twine &text);
  llvm::Error failed(const llvm::Twine &text) const {
    return ModelFault().file(input).says(text);
  }

  std::string input, output;
  const ReduceOptions &options;
  ReduceReport &report;
  const ReduceCallbacks &callbacks;
  Places places;
  std::optional<InterestTest> test;
  std::shared_ptr<const Base> original;
  /// When the search ends, and a test that runs.
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();

  bool isLate() const { return std::chrono::steady_clock::now() >= deadline; }
};

} // namespace

void Run::warn(const llvm::Twine &text) {
  report.warnings.push_back(text.str());
  if (callbacks.warn)
    callbacks.warn(report.warnings.back());
}

Validity Run::validityOf(const onnx::ModelProto &model) {
  Validity validity;
  auto fails = [&](Validity wanted, const char *what) {
    auto types = checkModel(model, wanted, places.folder);
    if (types)
      return false;
    warn(input + ": " + what +
         ", so candidates need not: " + llvm::toString(types.takeError()));
    return true;
  };
  if (fails({true, false}, "does not pass the checker"))
    validity.passesChecker = false;
  if (fails({false, true}, "contradicts inference"))
    validity.passesInference = false;
  return validity;
}

/// The folder of the run, which an earlier one may have left.
llvm::Error Run::makeFolder() {
  std::string folder = output + ".reduce";
  std::error_code error = fs::create_directories(folder);
  if (!error && !fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return makeSystemError(folder, "cannot be created", error.value());
  places.work = folder;
  return llvm::Error::success();
}

/// The versions of files that candidates refer to: results hold for these.
std::string Run::versionsOfFiles() const {
  std::set<std::string> files = {test->command().otherFile};
  walkTensors(const_cast<onnx::ModelProto &>(original->candidate.model),
              [&](onnx::TensorProto &tensor) {
                for (const auto &entry : tensor.external_data())
                  if (entry.key() == "location")
                    files.insert(places.folder + "/" + entry.value());
              });
  std::string result;
  for (const std::string &file : files) {
    fs::file_status status;
    if (!fs::status(file, status))
      result += llvm::formatv(
          "{0} {1} {2}\n", file, status.getSize(),
          status.getLastModificationTime().time_since_epoch().count());
  }
  if (auto crash = llvm::MemoryBuffer::getFile(test->command().crashFile))
    result += (*crash)->getBuffer();
  return result;
}

/// Leaves what is of others.
void Run::removeFiles() {
  if (places.work.empty())
    return;
  for (const std::string &folder : {places.work, places.folder}) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end;
         entry != end && !error; entry.increment(error))
      if (llvm::sys::path::filename(entry->path()).starts_with(places.stem))
        fs::remove(entry->path());
  }
}

llvm::Error Run::prepare() {
  llvm::Expected<OriginalModel> model = readOriginal(input);
  if (!model)
    return model.takeError();
  report.bytesBefore = report.bytesAfter = model->bytes;
  report.nodesBefore = report.nodesAfter = countNodes(model->model);
  std::string other;
  if (options.keepsInterface())
    other = StringRef(options.test).split(':').second.str();
  if (llvm::Error error = checkOutputs(output, {input, options.inputs, other}))
    return error;
  if (llvm::Error error = makeFolder())
    return error;
  places.folder = model->refers ? model->folder : places.work;
  places.stem = "." + llvm::sys::path::filename(output).str() + ".reduce-";
  llvm::Expected<TestCommand> command = makeTestCommand(options, places.work);
  if (!command)
    return command.takeError();
  test.emplace(options, std::move(*command), places.folder, places.stem,
               places.work + "/results", [this] {
                 return (callbacks.isStopped && *callbacks.isStopped) ||
                        isLate();
               });
  test->readCache();
  if (llvm::Error error = makeZeros(model->model))
    return error;
  Candidate first{std::move(model->model), {}, {}};
  if (llvm::Error error =
          readInputs(options.inputs, first.model).moveInto(first.inputs))
    return error;
  if (test->wantsInputs()) {
    auto values = completeInputs(first, places.folder, options.seed);
    if (!values)
      return inFile(input, values.takeError());
    first.inputs = std::move(*values);
  }
  Base base{{},
            validityOf(first.model),
            options,
            places.folder,
            places.stem + "zeros",
            std::make_shared<Recorder>(test->wantsInputs())};
  original = makeBase(std::move(first), base);
  return llvm::Error::success();
}

/// Candidates refer to it where a large tensor is 0.
llvm::Error Run::makeZeros(const onnx::ModelProto &model) {
  uint64_t largest = 0;
  walkTensors(const_cast<onnx::ModelProto &>(model),
              [&](onnx::TensorProto &tensor) {
                largest = std::max(largest, dataBytes(tensor));
              });
  std::string path = places.folder + "/" + places.stem + "zeros";
  int descriptor;
  std::error_code error = fs::openFileForWrite(path, descriptor);
  if (!error) {
    error = fs::resize_file_sparse(descriptor, largest);
    fs::file_t file = descriptor;
    fs::closeFile(file);
  }
  return error ? makeSystemError(path, "cannot be written", error.value())
               : llvm::Error::success();
}

llvm::Error Run::notInteresting(int status) const {
  const TestCommand &command = test->command();
  if (!command.node.empty()) {
    bool isThere = false;
    onnx::ModelProto model = original->candidate.model;
    walkNodes(model, [&](onnx::NodeProto &node) {
      isThere |= node.name() == command.node ||
                 llvm::is_contained(node.output(), command.node);
    });
    std::string name = "'" + printableName(command.node) + "'";
    if (!isThere)
      return failed("no node is called " + name +
                    " or has an output of that name");
    return failed("node " + name + " is not " +
                  (command.folds ? "folded" : "kept") +
                  " by onnx-fold, expected that it is");
  }
  std::string meaning;
  constexpr int noPermission = 126, notFound = 127;
  if (command.command != options.test)
    meaning = " (that " + command.text + ")";
  else if (status == noPermission || status == notFound)
    meaning = "; the shell cannot run the command";
  return failed(llvm::formatv("the test ends with status {0} for the model "
                              "itself, expected {1}{2}",
                              status, command.interesting, meaning));
}

/// A test that says now this and now that would lead anywhere.
llvm::Error Run::runOriginal() {
  auto mayRun = [&] {
    return !options.maxRuns || report.runs < *options.maxRuns;
  };
  if (!test->command().crashFile.empty())
    fs::remove(test->command().crashFile); // of an earlier run
  unsigned times = 0, interesting = 0;
  double longest = 0;
  int status = 0;
  for (; times != 3 && mayRun(); ++times) {
    bool isInteresting = false;
    for (unsigned j = 0; j != options.repeat && !isInteresting && mayRun();
         ++j) {
      auto end = test->runOnce(original->candidate, isInteresting);
      if (!end)
        return end.takeError();
      if (end->isStopped)
        return failed(isLate() ? "--max-time is over before the model itself "
                                 "is tested three times"
                               : "the run was interrupted before the original "
                                 "was tested");
      ++report.runs;
      status = end->status;
      longest = std::max(longest, end->seconds);
    }
    interesting += isInteresting;
  }
  test->setLimit(longest);
  test->setKey(versionsOfFiles());
  if (interesting == 0)
    return notInteresting(status);
  if (interesting != times && options.repeat == 1)
    return failed(llvm::formatv(
        "the test is flaky: {0} of {1} runs of the model itself are "
        "interesting, expected all; --repeat=N runs each candidate up to N "
        "times",
        interesting, times));
  if (interesting != times)
    warn(llvm::formatv("the test is flaky: {0} of {1} times the model itself "
                       "was interesting with --repeat={2}",
                       interesting, times, options.repeat));
  return llvm::Error::success();
}

/// The best so far, where that takes no time.
llvm::Error Run::save(const Base &best) {
  if (refersToFiles(best.candidate.model))
    return llvm::Error::success();
  return writeReduced(best, output, "", report);
}

llvm::Error Run::finish(const Base &best) {
  std::string temporary = places.folder + "/" + places.stem + "result.onnx";
  if (llvm::Error error = writeReduced(best, output, temporary, report))
    return error;
  report.files.push_back(output);
  if (options.anonymise)
    for (const std::string &text : remainingTexts(best.candidate.model))
      warn(output + ": still has the text '" + printableName(text) + "'");
  size_t warnings = report.warnings.size();
  if (llvm::Error error =
          writeCompanions(best, test->command(), output, report))
    return error;
  for (size_t i = warnings; i < report.warnings.size() && callbacks.warn; ++i)
    callbacks.warn(report.warnings[i]);
  return llvm::Error::success();
}

llvm::Error Run::search() {
  constexpr double mostSeconds = 1e9; // of which a clock has a sum
  if (options.maxSeconds && *options.maxSeconds < mostSeconds)
    deadline = std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::duration<double>(*options.maxSeconds));
  if (llvm::Error error = prepare())
    return error;
  if (llvm::Error error = runOriginal())
    return error;
  Reduction reduction(options, *test, report, callbacks);
  reduction.accepted = [this](const Base &best) { return save(best); };
  if (llvm::Error error = reduction.run(original))
    return error;
  return finish(reduction.best());
}

llvm::Error Run::reduce() {
  llvm::Error error = search();
  removeFiles();
  // A run without results has nothing to go on from.
  bool isKept = !places.work.empty() && fs::exists(places.work + "/results") &&
                (error || !report.stopped.empty());
  if (!places.work.empty() && !isKept) {
    for (const char *name : {"results", "crash.txt", "onnxruntime-test.py"})
      fs::remove(places.work + "/" + name);
    fs::remove(places.work); // unless it has other files
  }
  return error;
}

llvm::Error onnxfold::reduceModel(StringRef input, StringRef output,
                                  const ReduceOptions &options,
                                  ReduceReport &report,
                                  const ReduceCallbacks &callbacks) {
  return Run(input, output, options, report, callbacks).reduce();
}
