//===- InterestTest.cpp - Whether a candidate is interesting --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

std::string onnxfold::shellWord(StringRef text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

static void replaceAll(std::string &text, StringRef what,
                       const std::string &by) {
  for (size_t at = 0; (at = text.find(what.str(), at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
}

template <class Values> static std::string listOfNames(const Values &values) {
  std::vector<std::string> names;
  for (const auto &value : values)
    names.push_back(value.name());
  return llvm::join(names, ",");
}

std::string onnxfold::filledIn(const TestCommand &command,
                               const Candidate &candidate,
                               const std::string &model,
                               const std::string &inputs) {
  std::string text = command.command;
  const onnx::GraphProto &graph = candidate.model.graph();
  if (StringRef(text).contains("{cut}")) {
    std::string cut;
    if (graph.input_size() != 0)
      cut = shellWord("--inputs=" + listOfNames(graph.input())) + " ";
    cut += shellWord("--outputs=" + listOfNames(graph.output()));
    replaceAll(text, "{cut}", cut);
  }
  replaceAll(text, "{inputs}", shellWord(inputs));
  replaceAll(text, "{}", shellWord(model));
  return text;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

InterestTest::InterestTest(const ReduceOptions &options, TestCommand command,
                           std::string folder, std::string stem,
                           std::string cache, std::function<bool()> isStopped)
    : options(options), how(std::move(command)), folder(std::move(folder)),
      stem(std::move(stem)), cacheFile(std::move(cache)),
      isStopped(std::move(isStopped)) {}

bool InterestTest::wantsInputs() const {
  return StringRef(how.command).contains("{inputs}");
}

/// A line of the file is a hash and 0 or 1.
void InterestTest::readCache() {
  auto buffer = llvm::MemoryBuffer::getFile(cacheFile);
  if (!buffer)
    return;
  for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    auto [hash, result] = line.split(' ');
    if (hash.size() != 40 || (result != "0" && result != "1"))
      continue;
    results[hash.str()] = result == "1";
    resumed.insert(hash.str());
  }
}

std::string InterestTest::hashOf(const Candidate &candidate) const {
  llvm::SHA1 hash;
  for (StringRef part : {StringRef(how.command), StringRef(how.node),
                         StringRef(how.folds ? "folds" : ""), StringRef(key)}) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  }
  hash.update(std::to_string(options.repeat));
  hash.update(StringRef("\0", 1));
  hash.update(candidate.model.SerializeAsString());
  if (wantsInputs())
    for (const auto &[name, value] : candidate.inputs) {
      hash.update(name);
      hash.update(StringRef("\0", 1));
      hash.update(toTensor(value, name).SerializeAsString());
    }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

void InterestTest::keep(const std::string &hash, bool isInteresting) {
  std::lock_guard<std::mutex> lock(mutex);
  results[hash] = isInteresting;
  std::error_code error;
  llvm::raw_fd_ostream file(cacheFile, error, llvm::sys::fs::OF_Append);
  if (!error)
    file << hash << (isInteresting ? " 1\n" : " 0\n");
  file.clear_error(); // a run without the file begins anew
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

llvm::Error InterestTest::write(const Candidate &candidate,
                                const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << candidate.model.SerializeAsString();
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    return makeSystemError(path, "cannot be written", error.value());
  if (!wantsInputs())
    return llvm::Error::success();
  std::vector<std::pair<std::string, Elements>> arrays(candidate.inputs.begin(),
                                                       candidate.inputs.end());
  return writeNpz(path + ".npz", arrays);
}

llvm::Expected<ProcessEnd> InterestTest::runOnce(const Candidate &candidate,
                                                 bool &isInteresting) {
  std::string path;
  {
    std::lock_guard<std::mutex> lock(mutex);
    path = folder + "/" + stem + std::to_string(number++) + ".onnx";
  }
  std::string inputs = path + ".npz", report = path + ".json";
  llvm::Error error = write(candidate, path);
  ProcessEnd end;
  if (!error) {
    end = runProcess(filledIn(how, candidate, path, inputs), limit, isStopped);
    isInteresting = !end.isLate && end.status == how.interesting;
    if (!how.node.empty())
      isInteresting = !end.isLate && judgeReport(how, report);
  }
  for (const std::string &file : {path, inputs, report})
    llvm::sys::fs::remove(file);
  if (error)
    return error;
  return end;
}

InterestTest::Answer InterestTest::test(const Candidate &candidate) {
  Answer answer;
  std::string hash = hashOf(candidate);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = results.find(hash);
    if (found != results.end()) {
      answer.isKnown = true;
      answer.isResumed = resumed.count(hash) != 0;
      answer.isInteresting = found->second;
      return answer;
    }
  }
  for (unsigned i = 0; i != options.repeat && !answer.isInteresting; ++i) {
    llvm::Expected<ProcessEnd> end = runOnce(candidate, answer.isInteresting);
    if (!end) {
      answer.error = end.takeError();
      return answer;
    }
    ++answer.runs;
    if (end->isStopped) {
      answer.isStopped = true;
      answer.isInteresting = false;
      return answer;
    }
  }
  keep(hash, answer.isInteresting);
  return answer;
}
