//===- BuiltInTests.cpp - What --test knows by name -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace onnxfold;
using llvm::StringRef;

/// A program of Python that loads and runs models with onnxruntime.
static constexpr const char onnxRuntimeTest[] =
#include "onnxfold/onnx/driver/reduce/internal/OnnxRuntimeTest.inc"
    ;

static llvm::Error writeProgram(const std::string &path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? makeSystemError(path, "cannot be written", error.value())
               : llvm::Error::success();
}

static std::string python() {
  const char *given = std::getenv("ONNXFOLD_PYTHON");
  return given && *given ? shellWord(given) : "python3";
}

/// `kind`: crash or differs.
static llvm::Expected<TestCommand> onnxRuntime(StringRef kind,
                                               const std::string &folder) {
  std::string probe = python() + " -c 'import numpy, onnxruntime'";
  if (runProcess(probe, 600, {}).status != 0)
    return ModelFault().option("--test").says(
        "needs onnxruntime and numpy in Python, which '" + python() +
        "' cannot import; ONNXFOLD_PYTHON names another one");
  std::string script = folder + "/onnxruntime-test.py";
  if (llvm::Error error = writeProgram(script, onnxRuntimeTest))
    return error;
  TestCommand result;
  result.crashFile = folder + "/crash.txt";
  result.command = python() + " " + shellWord(script) + " " + kind.str() +
                   " {} {inputs} " + shellWord(result.crashFile);
  result.text = kind == "crash" ? "onnxruntime fails"
                                : "onnxruntime's optimisations change results";
  return result;
}

/// The word after "folds" or "kept", with a space or a colon between them.
static bool takeNode(StringRef test, StringRef word, TestCommand &result) {
  if (!test.consume_front(word) ||
      (!test.starts_with(" ") && !test.starts_with(":")))
    return false;
  result.node = test.drop_front().trim().str();
  result.folds = word == "folds";
  return !result.node.empty();
}

/// The program of "! program ...", without which each model would be
/// interesting, since the shell fails.
static llvm::Error findProgram(StringRef test) {
  StringRef rest = test.trim();
  if (!rest.consume_front("!"))
    return llvm::Error::success();
  StringRef word = rest.ltrim().take_until(llvm::isSpace);
  bool isName = llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || StringRef("_./+-").contains(c);
  });
  if (!isName || word.empty())
    return llvm::Error::success();
  std::string found = "command -v " + shellWord(word);
  if (word.contains('/'))
    found +=
        " && test -f " + shellWord(word) + " && test -x " + shellWord(word);
  if (runProcess(found, 600, {}).status == 0)
    return llvm::Error::success();
  return ModelFault()
      .option("--test")
      .is("'" + test.str() + "'")
      .expected("a program that the shell can run");
}

llvm::Expected<TestCommand>
onnxfold::makeTestCommand(const ReduceOptions &options,
                          const std::string &folder) {
  StringRef test = options.test;
  TestCommand result;
  std::string self = shellWord(options.program);
  if (test == "crash:ort" || test == "differs:ort")
    return onnxRuntime(test.split(':').first, folder);
  if (test == "verify") {
    constexpr int differs = 3;
    result.command =
        self + " --check --quiet --verify --verify-inputs={inputs} {}";
    result.interesting = differs;
    result.text = "onnx-fold changes results";
    return result;
  }
  if (test != "differs:" && test.consume_front("differs:")) {
    if (!llvm::sys::fs::exists(test))
      return ModelFault()
          .file(test)
          .is("not there")
          .expected("another model, or --test=differs:ort");
    constexpr int differs = 3;
    result.command = self +
                     " compare --quiet --verify-inputs={inputs} {cut} {} " +
                     shellWord(test);
    result.interesting = differs;
    result.otherFile = test.str();
    result.text = "the results differ from those of " + test.str();
    return result;
  }
  if (takeNode(test, "folds", result) || takeNode(test, "kept", result)) {
    result.command = self + " --check --quiet --report=json:{}.json {}";
    result.text = "node " + result.node +
                  (result.folds ? " is folded" : " is kept") + " by onnx-fold";
    return result;
  }
  if (!test.contains("{}"))
    return ModelFault()
        .option("--test")
        .is("'" + test.str() + "'")
        .expected("a command with {} for the model, crash:ort, differs:ort, "
                  "differs:OTHER.onnx, verify, folds:NODE or kept:NODE");
  if (llvm::Error error = findProgram(test))
    return error;
  result.command = test.str();
  result.text = "Exit status 0 of the command shows the fault";
  return result;
}

bool onnxfold::judgeReport(const TestCommand &command,
                           const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return false;
  llvm::Expected<llvm::json::Value> report =
      llvm::json::parse((*buffer)->getBuffer());
  if (!report) {
    llvm::consumeError(report.takeError());
    return false;
  }
  const llvm::json::Object *root = report->getAsObject();
  const llvm::json::Array *nodes = root ? root->getArray("nodes") : nullptr;
  if (!nodes)
    return false;
  for (const llvm::json::Value &value : *nodes) {
    const llvm::json::Object *node = value.getAsObject();
    if (!node)
      continue;
    bool isMeant = node->getString("name") == command.node;
    if (const llvm::json::Array *outputs = node->getArray("outputs"))
      isMeant |= llvm::any_of(*outputs, [&](const llvm::json::Value &output) {
        return output.getAsString() == command.node;
      });
    if (isMeant)
      return node->getString("action") ==
             StringRef(command.folds ? "folded" : "kept");
  }
  return false;
}
