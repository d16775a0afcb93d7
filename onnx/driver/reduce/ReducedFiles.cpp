//===- ReducedFiles.cpp - What a reduction leaves -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducedFiles.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/reduce/internal/OriginalModel.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;

/// How the first line of a script ends.
static constexpr const char *madeByUs =
    ". The model was made by onnx-fold reduce.";

std::string onnxfold::companionOf(StringRef output, StringRef extension) {
  output.consume_back(".onnx");
  return (output + extension).str();
}

static bool isOwnScript(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && (*buffer)->getBuffer().split('\n').first.ends_with(madeByUs);
}

llvm::Error onnxfold::checkOutputs(const std::string &output,
                                   llvm::ArrayRef<std::string> inputs) {
  namespace fs = llvm::sys::fs;
  std::string npz = companionOf(output, ".npz"),
              script = companionOf(output, ".py");
  if (fs::is_directory(output))
    return ModelFault().file(output).is("a folder").expected("a file");
  if (fs::exists(output) && !fs::is_regular_file(output))
    return ModelFault().file(output).is("no file").expected("a file");
  for (const std::string &path : {output, npz, script})
    for (const std::string &given : inputs)
      if (!given.empty() && (path == given || fs::equivalent(path, given)))
        return ModelFault()
            .file(path)
            .is("one of the input files, which are never written")
            .expected("another -o");
  if (isOwnScript(script))
    return llvm::Error::success();
  for (const std::string &path : {npz, script})
    if (fs::exists(path))
      return ModelFault()
          .file(path)
          .is("there and of no earlier reduction")
          .expected("another -o, beside which this file is written");
  return llvm::Error::success();
}

uint64_t onnxfold::tensorBytes(const onnx::ModelProto &model) {
  uint64_t bytes = 0;
  walkTensors(const_cast<onnx::ModelProto &>(model),
              [&](onnx::TensorProto &tensor) { bytes += dataBytes(tensor); });
  return bytes;
}

static llvm::Error writeText(const std::string &path, StringRef text) {
  auto file = OutputFile::create(path, {});
  if (!file)
    return file.takeError();
  TextFile out(**file);
  out << text;
  return out.commit();
}

llvm::Error onnxfold::writeReduced(const Base &best, const std::string &output,
                                   const std::string &temporary,
                                   ReduceReport &report) {
  std::string bytes = best.candidate.model.SerializeAsString();
  report.bytesAfter = bytes.size();
  if (!refersToFiles(best.candidate.model))
    return writeText(output, bytes);
  constexpr uint64_t mostInline = 16 << 20;
  if (llvm::Error error = writeText(temporary, bytes))
    return error;
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(temporary); });
  FoldOptions options;
  options.level = 0;
  options.skip = {"*"};
  options.placement = tensorBytes(best.candidate.model) <= mostInline
                          ? DataPlacement::Inline
                          : DataPlacement::External;
  FoldReport copied;
  llvm::Error error = foldModel(ModelInput::file(temporary),
                                ModelOutput::file(output), options, copied);
  report.bytesAfter = copied.bytesAfter;
  return error;
}

/// A text of Python.
static std::string pythonText(StringRef text) {
  std::string result;
  llvm::raw_string_ostream(result)
      << llvm::json::Value(llvm::json::fixUTF8(text));
  return result;
}

static std::string scriptFor(const TestCommand &command, StringRef test,
                             StringRef output) {
  std::string model = "os.path.join(here, " +
                      pythonText(llvm::sys::path::filename(output)) + ")",
              inputs = "os.path.join(here, " +
                       pythonText(llvm::sys::path::filename(
                           companionOf(output, ".npz"))) +
                       ")";
  std::string text = "import os\n";
  std::string here = "here = os.path.dirname(os.path.abspath(__file__))\n";
  if (test == "crash:ort" || test == "differs:ort") {
    text += "import numpy\nimport onnxruntime\n" + here;
    text += "feeds = dict(numpy.load(" + inputs + "))\nresults = []\n";
    // A crash is that of the optimised model; the other one may be refused.
    text += "for level in (";
    text += test == "crash:ort" ? "" : "\"ORT_DISABLE_ALL\", ";
    text += "\"ORT_ENABLE_ALL\",):\n"
            "    options = onnxruntime.SessionOptions()\n"
            "    options.graph_optimization_level = "
            "getattr(onnxruntime.GraphOptimizationLevel, level)\n"
            "    session = onnxruntime.InferenceSession(" +
            model +
            ", options, providers=[\"CPUExecutionProvider\"])\n"
            "    results.append(session.run(None, feeds))\n"
            "print(*results, sep=\"\\n\")\n";
    return text;
  }
  Candidate none;
  TestCommand shell = command;
  std::string line = shell.command;
  auto replace = [&](StringRef what, StringRef by) {
    for (size_t at = 0; (at = line.find(what.str(), at)) != std::string::npos;
         at += by.size())
      line.replace(at, what.size(), by.str());
  };
  replace("{inputs}", "\"$INPUTS\"");
  replace("{}", "\"$MODEL\"");
  text += "import subprocess\n" + here;
  text += "files = {\"MODEL\": " + model + ", \"INPUTS\": " + inputs + "}\n";
  text += "done = subprocess.run([\"sh\", \"-c\", " + pythonText(line) +
          "], env={**os.environ, **files})\n";
  text += "print(f\"exit status {done.returncode}; " +
          std::to_string(command.interesting) + " shows the fault\")\n";
  return text;
}

llvm::Error onnxfold::writeCompanions(const Base &best,
                                      const TestCommand &command,
                                      const std::string &output,
                                      ReduceReport &report) {
  llvm::Expected<InputValues> values =
      completeInputs(best.candidate, best.folder, best.options.seed);
  std::string npz = companionOf(output, ".npz"),
              script = companionOf(output, ".py");
  if (!values) {
    llvm::sys::fs::remove(npz); // of an earlier reduction
    report.warnings.push_back(
        npz + ": is not written: " + llvm::toString(values.takeError()));
  } else {
    std::vector<std::pair<std::string, Elements>> arrays(values->begin(),
                                                         values->end());
    if (llvm::Error error = writeNpz(npz, arrays))
      return error;
    report.files.push_back(npz);
  }
  std::string text = "# " + command.text + madeByUs + "\n" +
                     scriptFor(command, best.options.test, output);
  // Names of other models hold none of a command.
  if (StringRef(text).contains("{cut}")) {
    TestCommand onlyCut;
    onlyCut.command = "{cut}";
    Candidate copy{best.candidate.model, {}, {}};
    std::string cut = filledIn(onlyCut, copy, "", "");
    size_t at = text.find("{cut}");
    std::string inside = pythonText(cut);
    text.replace(at, 5, inside.substr(1, inside.size() - 2));
  }
  if (llvm::Error error = writeText(script, text))
    return error;
  report.files.push_back(script);
  return llvm::Error::success();
}
