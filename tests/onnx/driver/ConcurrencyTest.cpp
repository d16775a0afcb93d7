//===- ConcurrencyTest.cpp - Several runs at once, and cancelled ones -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds what FoldModel.h says of threads and of cancellation.
//
//===----------------------------------------------------------------------===//
#include "DriverTest.h"
#include <atomic>
#include <thread>

using namespace onnxfold;

namespace {

using Concurrency = DriverTest;

/// Tensors are large enough for several threads each.
TEST_F(Concurrency, TwoModelsAtOnce) {
  constexpr int models = 2, rounds = 8;
  std::string model[models] = {modelOf(6, 300'000, 1.5f),
                               modelOf(9, 200'001, 0.25f)};
  FoldOptions options;
  options.threads = 3;
  options.maxGrowth = {GrowthLimit::Kind::Unlimited, 0};
  std::string alone[models] = {folded(model[0], options),
                               folded(model[1], options)};
  ASSERT_NE(alone[0], alone[1]);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < models; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        std::string name = path("out" + std::to_string(i));
        FoldReport report;
        if (llvm::Error error =
                foldModel(ModelInput::bytes(model[i]), ModelOutput::file(name),
                          options, report)) {
          llvm::consumeError(std::move(error));
          ++wrong;
        }
        wrong += read("out" + std::to_string(i)) != alone[i];
        wrong += folded(model[i], options) != alone[i];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(entries(), (std::set<std::string>{"out0", "out1"}));
}

/// They take turns: whoever is last wins, and nothing is mixed or left.
TEST_F(Concurrency, TwoRunsOnOneTarget) {
  std::string model[2] = {modelOf(3, 5000), modelOf(4, 7000)};
  std::string input[2] = {write("a.onnx", model[0]), write("b.onnx", model[1])};
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        FoldOptions options;
        options.placement = DataPlacement::External;
        FoldReport report;
        if (llvm::Error error = foldModel(ModelInput::file(input[i]),
                                          ModelOutput::file(path("out.onnx")),
                                          options, report)) {
          llvm::errs() << llvm::toString(std::move(error)) << "\n";
          ++failures;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(entries(), (std::set<std::string>{"a.onnx", "b.onnx", "out.onnx",
                                              "out.onnx.data"}));
  // The model and its data file are of one run.
  FoldOptions options;
  options.placement = DataPlacement::Inline;
  FoldReport report;
  std::string result;
  ASSERT_EQ(
      llvm::toString(foldModel(ModelInput::file(path("out.onnx")),
                               ModelOutput::bytes(result), options, report)),
      "");
  EXPECT_TRUE(result == folded(model[0]) || result == folded(model[1]));
}

/// A run that is cancelled when it asks for the `after`-th time.
FoldErrorCode cancelledRun(const ModelInput &input, const ModelOutput &output,
                           const FoldOptions &options, int after) {
  std::atomic<int> asked = 0;
  FoldCallbacks callbacks;
  callbacks.isCancelled = [&] { return asked++ >= after; };
  FoldReport report;
  llvm::Error error = foldModel(input, output, options, report, callbacks);
  return error ? takeCode(std::move(error)) : FoldErrorCode(0);
}

/// At every moment at which a run asks, up to the one at which it is done.
void expectNothingLeft(const std::string &folder, FoldOptions options,
                       const std::function<std::set<std::string>()> &entries) {
  std::string model = modelOf(5, 1000);
  std::string in = folder + "/in.onnx", out = folder + "/out.onnx";
  std::ofstream(in, std::ios::binary) << model;
  int after = 0;
  for (; after < 1000; ++after) {
    FoldErrorCode code = cancelledRun(ModelInput::file(in),
                                      ModelOutput::file(out), options, after);
    if (code == FoldErrorCode(0))
      break;
    ASSERT_EQ(code, FoldErrorCode::Cancelled) << "after " << after;
    ASSERT_EQ(entries(), std::set<std::string>{"in.onnx"}) << "after " << after;
  }
  EXPECT_GT(after, 5);
  EXPECT_LT(after, 1000);
  FoldReport report;
  std::string other = folder + "/other.onnx";
  ASSERT_EQ(
      llvm::toString(foldModel(ModelInput::file(in), ModelOutput::file(other),
                               options, report)),
      "");
  EXPECT_EQ(std::filesystem::file_size(out), std::filesystem::file_size(other));
}

TEST_F(Concurrency, ACancelledRunLeavesNothing) {
  expectNothingLeft(folder, {}, [&] { return entries(); });
}

TEST_F(Concurrency, ACancelledRunLeavesNoDataFile) {
  FoldOptions options;
  options.placement = DataPlacement::External;
  options.dataFile = "new/folder/w.data";
  expectNothingLeft(folder, options, [&] { return entries(); });
}

TEST_F(Concurrency, ACancelledVerificationLeavesNothing) {
  FoldOptions options;
  options.verifyTrials = 1;
  expectNothingLeft(folder, options, [&] { return entries(); });
}

TEST_F(Concurrency, ACancelledRunKeepsWhatWasThere) {
  std::string model = modelOf(5);
  write("out.onnx", "old");
  std::string result = "old";
  for (int after : {0, 1, 3, 5}) {
    EXPECT_EQ(cancelledRun(ModelInput::bytes(model),
                           ModelOutput::file(path("out.onnx")), {}, after),
              FoldErrorCode::Cancelled);
    EXPECT_EQ(cancelledRun(ModelInput::bytes(model), ModelOutput::bytes(result),
                           {}, after),
              FoldErrorCode::Cancelled);
  }
  EXPECT_EQ(read("out.onnx"), "old");
  EXPECT_EQ(result, "old");
  EXPECT_EQ(folded(model), folded(model));
  EXPECT_EQ(entries(), std::set<std::string>{"out.onnx"});
}

/// No kernel runs once a run is cancelled: a model of many expensive nodes
/// evaluates none of them.
TEST_F(Concurrency, ACancelledRunEvaluatesNoMore) {
  std::string model = modelOf(50, 1000);
  int evaluated = 0;
  FoldCallbacks callbacks;
  callbacks.step = [&] { ++evaluated; };
  callbacks.isCancelled = [&] { return evaluated >= 3; };
  FoldOptions options;
  options.report = ReportFormat::Text;
  FoldReport report;
  std::string result;
  EXPECT_EQ(
      takeCode(foldModel(ModelInput::bytes(model), ModelOutput::bytes(result),
                         options, report, callbacks)),
      FoldErrorCode::Cancelled);
  EXPECT_TRUE(report.nodes.empty());
}

/// Verification ran to its end after a run was cancelled, which takes minutes
/// for large models: it asked only between the steps.
TEST_F(Concurrency, ACancelledVerificationComparesNothing) {
  std::string model = modelOf(50, 1000);
  std::atomic<bool> isVerifying = false;
  std::atomic<int> evaluated = 0;
  FoldCallbacks callbacks;
  callbacks.endedStep = [&](llvm::StringRef name) {
    isVerifying = isVerifying || name == "rewrite";
  };
  callbacks.step = [&] { evaluated += isVerifying; };
  callbacks.isCancelled = [&] { return evaluated >= 3; };
  FoldOptions options;
  options.verifyTrials = 1;
  FoldReport report;
  std::string result;
  EXPECT_EQ(
      takeCode(foldModel(ModelInput::bytes(model), ModelOutput::bytes(result),
                         options, report, callbacks)),
      FoldErrorCode::Cancelled);
  ASSERT_TRUE(report.verification);
  EXPECT_TRUE(report.verification->compared.empty());
}

} // namespace
