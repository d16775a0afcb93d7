//===- OutputSetTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A model and its data file are replaced together. Every system call fails in
// turn, and the process is killed at every one; the states that are allowed are
// those of OutputSet.h, and no others.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/io/files/OutputSet.h"

#include "FaultyCalls.h"
#include "TestFiles.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

using namespace onnxfold;

namespace {

/// What is there before: the model, the data file; with unnamed files or with
/// temporary names.
struct Start {
  bool model, data, unnamed;
};

class OutputSetTest : public FileTest,
                      public ::testing::WithParamInterface<Start> {
protected:
  OutputSetTest()
      : call(systemCalls().openUnnamed,
             GetParam().unnamed ? systemCalls().openUnnamed : noUnnamedFiles) {
    begin();
  }

  /// The folder as it is at the start of every round.
  void begin() {
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      std::filesystem::remove(entry.path());
    if (GetParam().model)
      write("m.onnx", "old model");
    if (GetParam().data)
      write("m.data", "old data");
  }

  /// Writes the new pair; the error's text, or "".
  std::string replacePair() {
    auto data = OutputFile::create(path("m.data"), {});
    if (!data)
      return errorText(data.takeError(), folder);
    auto model = OutputFile::create(path("m.onnx"), {});
    if (!model)
      return errorText(model.takeError(), folder);
    if (llvm::Error error = (*data)->write(0, "new data"))
      return errorText(std::move(error), folder);
    if (llvm::Error error = (*model)->write(0, "new model"))
      return errorText(std::move(error), folder);
    OutputFile *companions[] = {data->get()};
    return errorText(commitTogether(companions, **model), folder);
  }

  std::string contentOf(const std::string &name) {
    return std::filesystem::exists(path(name)) ? read(name) : "none";
  }
  /// The pair under its names: "old model, old data".
  std::string pair() {
    return contentOf("m.onnx") + ", " + contentOf("m.data");
  }
  std::string oldPair() {
    return std::string(GetParam().model ? "old model" : "none") + ", " +
           (GetParam().data ? "old data" : "none");
  }
  static constexpr const char *newPair = "new model, new data";

  /// The content of what is aside of `name`, or "none".
  std::string aside(const std::string &name) {
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
      std::string file = entry.path().filename().string();
      if (file.rfind("." + name + ".onnxfold-", 0) == 0 &&
          file.find(".old") != std::string::npos)
        return read(file);
    }
    return "none";
  }
  unsigned pairSize() { return GetParam().model + GetParam().data; }

  ScopedSystemCall<int (*)(const char *, mode_t)> call;
};
INSTANTIATE_TEST_SUITE_P(
    Starts, OutputSetTest,
    ::testing::Values(Start{true, true, true}, Start{true, true, false},
                      Start{true, false, true}, Start{false, true, true},
                      Start{false, false, true}, Start{false, false, false}));

TEST_P(OutputSetTest, ReplacesBoth) {
  EXPECT_EQ(replacePair(), "");
  EXPECT_EQ(pair(), newPair);
  EXPECT_EQ(fileCount(), 2u);
}

TEST_P(OutputSetTest, EveryCallFailsInTurn) {
  int rounds = 0;
  for (bool more = true; more; ++rounds) {
    ASSERT_LT(rounds, 100);
    begin();
    std::string error;
    {
      FaultyCalls faulty(rounds, ENOSPC);
      error = replacePair();
      more = faulty.happened();
    }
    SCOPED_TRACE("call " + std::to_string(rounds) + ": " + error);
    if (error.empty() || error.find("cannot be synced") != std::string::npos) {
      EXPECT_EQ(pair(), newPair);
    } else {
      EXPECT_EQ(pair(), oldPair());
      EXPECT_NE(error.find("no space left on device"), std::string::npos);
      // What cannot be deleted is left until the next run.
      EXPECT_EQ(fileCount(), pairSize());
    }
    EXPECT_EQ(replacePair(), "");
    EXPECT_EQ(pair(), newPair);
    EXPECT_EQ(fileCount(), 2u);
  }
  EXPECT_GT(rounds, 5);
}

TEST_P(OutputSetTest, KilledAtEveryCall) {
  int rounds = 0;
  bool sawNone = false;
  for (bool more = true; more; ++rounds) {
    ASSERT_LT(rounds, 100);
    begin();
    pid_t child = ::fork();
    if (child == 0) {
      FaultyCalls faulty(rounds, 0);
      ::_exit(replacePair().empty() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    more = WEXITSTATUS(status) == FaultyCalls::killed;
    EXPECT_TRUE(more || WEXITSTATUS(status) == 0);
    SCOPED_TRACE("killed at call " + std::to_string(rounds) + ": " + pair());
    if (pair() != newPair && pair() != oldPair()) {
      sawNone = true;
      EXPECT_EQ(contentOf("m.onnx"), "none");
      if (GetParam().model) {
        EXPECT_EQ(aside("m.onnx"), "old model");
      }
      if (GetParam().data && contentOf("m.data") != "old data") {
        EXPECT_EQ(aside("m.data"), "old data");
      }
    }
    EXPECT_EQ(replacePair(), "");
    EXPECT_EQ(pair(), newPair);
    EXPECT_EQ(fileCount(), 2u) << "the next run cleans up";
  }
  EXPECT_EQ(sawNone, true) << "there is a moment without a model";
}

TEST_P(OutputSetTest, AFailingRunLeavesWhatIsAside) {
  write(".m.onnx.onnxfold-1-0.old", "the only copy");
  {
    auto model = cantFail(OutputFile::create(path("m.onnx"), {}));
    cantFail(model->write(0, "half"));
  }
  EXPECT_EQ(aside("m.onnx"), "the only copy");
}

TEST_P(OutputSetTest, WhatARunningOneHasAsideStays) {
  int fd =
      ::open(write(".m.onnx.onnxfold-1-0.old", "in use").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_EQ(replacePair(), "");
  EXPECT_EQ(aside("m.onnx"), "in use");
  ::close(fd);
  EXPECT_EQ(replacePair(), "");
  EXPECT_EQ(aside("m.onnx"), "none");
}

} // namespace
