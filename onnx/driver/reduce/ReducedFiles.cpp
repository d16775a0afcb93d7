//===- ReducedFiles.cpp - What a reduction leaves -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducedFiles.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/reduce/internal/OriginalModel.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;

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
                             StringRef stem) {
  std::string model = "os.path.join(here, " +
                      pythonText((stem + ".onnx").str()) + ")",
              inputs = "os.path.join(here, " +
                       pythonText((stem + ".npz").str()) + ")";
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
  StringRef stem = output;
  stem.consume_back(".onnx");
  llvm::Expected<InputValues> values =
      completeInputs(best.candidate, best.folder, best.options.seed);
  std::string npz = (stem + ".npz").str(), script = (stem + ".py").str();
  if (!values) {
    report.warnings.push_back(
        npz + ": is not written: " + llvm::toString(values.takeError()));
  } else {
    std::vector<std::pair<std::string, Elements>> arrays(values->begin(),
                                                         values->end());
    if (llvm::Error error = writeNpz(npz, arrays))
      return error;
    report.files.push_back(npz);
  }
  std::string text =
      "# " + command.text + ". The model was made by onnx-fold reduce.\n" +
      scriptFor(command, best.options.test, llvm::sys::path::filename(stem));
  // Names of other models hold none of a command.
  if (StringRef(text).contains("{cut}")) {
    Candidate copy{best.candidate.model, {}};
    std::string cut = filledIn({"{cut}", "", 0, "", false, ""}, copy, "", "");
    size_t at = text.find("{cut}");
    std::string inside = pythonText(cut);
    text.replace(at, 5, inside.substr(1, inside.size() - 2));
  }
  if (llvm::Error error = writeText(script, text))
    return error;
  report.files.push_back(script);
  return llvm::Error::success();
}
