//===- RunScopeTest.cpp - The steps of a run ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include <gtest/gtest.h>
#include <new>

using namespace onnxfold;

namespace {

class RunScopeTest : public testing::Test {
protected:
  /// Runs the steps "a", "b" and "c". "b" calls `second`.
  llvm::Error
  run(llvm::function_ref<llvm::Expected<StepResult>(RunScope &)> second) {
    return runInScope(
        "model.onnx", options, report, callbacks, [&](RunScope &scope) {
          auto note = [&](llvm::StringRef name) {
            begun += name;
            return StepResult::Changed;
          };
          return scope.steps({
              {"a", [&]() -> llvm::Expected<StepResult> { return note("a"); }},
              {"b",
               [&] {
                 note("b");
                 return second(scope);
               }},
              {"c", [&]() -> llvm::Expected<StepResult> { return note("c"); }},
          });
        });
  }

  FoldOptions options;
  FoldReport report;
  FoldCallbacks callbacks;
  std::string begun;
};

} // namespace

TEST_F(RunScopeTest, UnchangedStepsAreNotTold) {
  std::string ended;
  callbacks.endedStep = [&](llvm::StringRef name) { ended += name; };
  llvm::Error error = run([](RunScope &) -> llvm::Expected<StepResult> {
    return StepResult::Unchanged;
  });
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(begun, "abc");
  EXPECT_EQ(ended, "ac");
}

TEST_F(RunScopeTest, AnErrorEndsTheRun) {
  llvm::Error error = run([](RunScope &) -> llvm::Expected<StepResult> {
    return ModelFault("it is wrong");
  });
  EXPECT_TRUE(error.isA<FoldError>());
  EXPECT_EQ(llvm::toString(std::move(error)), "it is wrong");
  EXPECT_EQ(begun, "ab");
}

TEST_F(RunScopeTest, CancellationEndsTheRunBetweenSteps) {
  bool isCancelled = false;
  callbacks.isCancelled = [&] { return isCancelled; };
  llvm::Error error = run([&](RunScope &) -> llvm::Expected<StepResult> {
    isCancelled = true;
    return StepResult::Changed;
  });
  EXPECT_EQ(takeCode(std::move(error)), FoldErrorCode::Cancelled);
  EXPECT_EQ(begun, "ab");
}

TEST_F(RunScopeTest, AFailedAllocationNamesTheInput) {
  llvm::Error error = run(
      [](RunScope &) -> llvm::Expected<StepResult> { throw std::bad_alloc(); });
  EXPECT_TRUE(error.isA<FoldError>());
  EXPECT_EQ(llvm::toString(std::move(error)), "model.onnx: out of memory");
}

TEST_F(RunScopeTest, WarningsAreSaidAtOnceAndInTheReport) {
  std::vector<std::string> said;
  callbacks.warn = [&](llvm::StringRef text) { said.push_back(text.str()); };
  llvm::Error error = run([](RunScope &scope) -> llvm::Expected<StepResult> {
    scope.warn("it is odd");
    return StepResult::Unchanged;
  });
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(said, report.warnings);
  EXPECT_EQ(said, std::vector<std::string>{"it is odd"});
}
