//===- ReduceModel.cpp - The smallest model with a fault ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/driver/reduce/internal/OriginalModel.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/onnx/driver/reduce/internal/ReducedFiles.h"
#include "onnxfold/onnx/driver/reduce/internal/Reduction.h"
#include "onnxfold/onnx/io/ExternalData.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// Where the files of a run are.
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
  llvm::Error readInputs(InputValues &values);
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

llvm::Error Run::readInputs(InputValues &values) {
  if (options.inputs.empty())
    return llvm::Error::success();
  llvm::Expected<NpzFile> file = NpzFile::open(options.inputs);
  if (!file)
    return file.takeError();
  for (const std::string &name : file->names()) {
    llvm::Expected<Elements> value = file->read(name);
    if (!value)
      return value.takeError();
    values[name] = *value;
  }
  return llvm::Error::success();
}

llvm::Error Run::prepare() {
  llvm::Expected<OriginalModel> model = readOriginal(input);
  if (!model)
    return model.takeError();
  report.bytesBefore = report.bytesAfter = model->bytes;
  report.nodesBefore = report.nodesAfter = countNodes(model->model);
  places.work = output + ".reduce";
  if (std::error_code error = fs::create_directories(places.work))
    return makeSystemError(places.work, "cannot be created", error.value());
  places.folder = model->refers ? model->folder : places.work;
  places.stem = "." + llvm::sys::path::filename(output).str() + ".reduce-";
  llvm::Expected<TestCommand> command = makeTestCommand(options, places.work);
  if (!command)
    return command.takeError();
  test.emplace(options, std::move(*command), places.folder, places.stem,
               places.work + "/results",
               [this] { return callbacks.isStopped && *callbacks.isStopped; });
  test->readCache();
  if (llvm::Error error = makeZeros(model->model))
    return error;
  Candidate first{std::move(model->model), {}};
  if (llvm::Error error = readInputs(first.inputs))
    return error;
  if (test->wantsInputs()) {
    auto values = completeInputs(first, places.folder, options.seed);
    if (!values)
      return inFile(input, values.takeError());
    first.inputs = std::move(*values);
  }
  Base base{{},
            {},
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

/// A test that says now this and now that would lead anywhere.
llvm::Error Run::runOriginal() {
  constexpr unsigned times = 3;
  unsigned interesting = 0;
  double longest = 0;
  int status = 0;
  for (unsigned i = 0; i != times; ++i) {
    bool isInteresting = false;
    for (unsigned j = 0; j != options.repeat && !isInteresting; ++j) {
      auto end = test->runOnce(original->candidate, isInteresting);
      if (!end)
        return end.takeError();
      if (end->isStopped)
        return failed("the run was interrupted before the original was tested");
      ++report.runs;
      status = end->status;
      longest = std::max(longest, end->seconds);
    }
    interesting += isInteresting;
  }
  test->setLimit(longest);
  if (interesting == 0 && !test->command().node.empty())
    return failed("node '" + test->command().node + "' is not " +
                  (test->command().folds ? "folded" : "kept") +
                  " by onnx-fold, expected that it is");
  if (interesting == 0)
    return failed(llvm::formatv("the test ends with status {0} for the model "
                                "itself, expected {1}",
                                status, test->command().interesting));
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
  if (!places.folder.empty())
    fs::remove(places.folder + "/" + places.stem + "zeros");
  // Where nothing was found out there is nothing to go on from.
  bool isKept = !places.work.empty() && fs::exists(places.work + "/results") &&
                (error || !report.stopped.empty());
  if (!places.work.empty() && !isKept)
    fs::remove_directories(places.work);
  return error;
}

llvm::Error onnxfold::reduceModel(StringRef input, StringRef output,
                                  const ReduceOptions &options,
                                  ReduceReport &report,
                                  const ReduceCallbacks &callbacks) {
  return Run(input, output, options, report, callbacks).reduce();
}
