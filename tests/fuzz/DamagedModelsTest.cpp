//===- DamagedModelsTest.cpp - Real models with some bytes changed --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The models of tests/models/data and of the corpus, each time with one to
// three changes (Mutations.h), go through the driver on all processors: 2,000
// of them, a million with ONNXFOLD_LONG=1. None may end in a signal, take ten
// seconds of a processor, or become a model that cannot be folded again, or one
// that ONNX's checker refuses although it accepts what was folded. Each has a
// seed of its own, that of the run plus its number. What protobuf cannot read
// must be refused, and what becomes of the others must be readable:
//
//   ONNXFOLD_SEED=20261904 ONNXFOLD_CASES=1 fuzz-test --gtest_filter='Damaged*'
//
// runs again the one that a failure or the last words of the program name. What
// fails is kept as damaged-SEED.onnx in $TMPDIR, or /tmp.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/tests/fuzz/Mutations.h"

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "gtest/gtest.h"
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

using namespace onnxfold;
namespace fs = std::filesystem;

static int64_t environmentNumber(const char *name, int64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoll(value, nullptr, 10) : otherwise;
}

namespace {

//===----------------------------------------------------------------------===//
// Who is at work on what
//===----------------------------------------------------------------------===//

/// What a thread does now, for a signal handler and a watchdog.
struct Worker {
  std::atomic<int64_t> seed{-1}; ///< -1: nothing
  std::atomic<double> begun{0};  ///< seconds of its processor's clock
  clockid_t clock = {};

  double seconds() const {
    timespec now;
    if (::clock_gettime(clock, &now) != 0)
      return 0;
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
  }
};

} // namespace

static std::array<Worker, 64> workers;
static std::atomic<bool> isDone;

/// Async-signal-safe.
static void writeSeed(int64_t seed) {
  char text[32] = "seed                    \n";
  for (unsigned place = 23; place > 4 && seed > 0; seed /= 10)
    text[place--] = char('0' + seed % 10);
  [[maybe_unused]] ssize_t written = ::write(2, text, 25);
}

static void sayWhatRan(int signal) {
  for (const Worker &worker : workers)
    if (worker.seed >= 0)
      writeSeed(worker.seed);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Ends the program if one of the workers does not come to an end.
static void watch() {
  constexpr double most = 10;
  while (!isDone) {
    ::usleep(100'000);
    for (Worker &worker : workers) {
      int64_t seed = worker.seed;
      if (seed < 0 || worker.seconds() - worker.begun < most ||
          seed != worker.seed)
        continue;
      std::fprintf(stderr, "seed %lld takes more than %g seconds\n",
                   static_cast<long long>(seed), most);
      std::abort();
    }
  }
}

//===----------------------------------------------------------------------===//
// One damaged model
//===----------------------------------------------------------------------===//

namespace {

/// Models, of which small ones are taken more often: they have more structure
/// for their bytes, and take less time.
class Originals {
public:
  Originals() {
    std::map<std::string, std::string> found;
    const fs::path corpus = ONNXFOLD_FUZZ_CORPUS;
    for (const fs::path &folder : {corpus, corpus / "../../models/data"})
      for (const auto &entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".onnx") {
          auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
          found[entry.path().filename().string()] =
              (*buffer)->getBuffer().str();
        }
    constexpr double smallest = 2048;
    for (auto &[name, bytes] : found) {
      weights.push_back(1 / std::max(double(bytes.size()), smallest));
      models.push_back(std::move(bytes));
    }
  }

  std::string damaged(int64_t seed) const {
    std::minstd_rand random(static_cast<unsigned>(seed));
    random.discard(8); // neighbours begin alike
    double sum = 0;
    for (double weight : weights)
      sum += weight;
    double place = sum * double(random()) / double(std::minstd_rand::max());
    size_t chosen = 0;
    while (chosen + 1 < models.size() && (place -= weights[chosen]) > 0)
      ++chosen;
    std::string bytes = models[chosen];
    auto change = [&](llvm::StringRef part, size_t most) {
      return changeSomeBytes(part, most, random);
    };
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      bytes = random() % 3 == 0 ? damageWire(bytes, random)
                                : mutateMessage(bytes, random, change);
    return bytes;
  }

private:
  std::vector<std::string> models;
  std::vector<double> weights;
};

} // namespace

static FoldOptions optionsFor(int64_t seed) {
  FoldOptions options;
  options.level = int(seed % 3);
  options.targetOpset = seed % 8 == 7 ? 24 : 0;
  options.maxGrowth.kind = GrowthLimit::Kind::Unlimited;
  options.limits.maxResultBytes = 16 << 20;
  options.limits.maxWork = 100'000'000;
  options.limits.maxTripCount = 100;
  options.threads = 1;
  return options;
}

/// Why ONNX's checker refuses a model; nothing if it does not.
static std::string refusal(const std::string &bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes))
    return "it is no protobuf message";
  try {
    onnx::checker::check_model(model);
  } catch (const std::exception &error) {
    // A name in it may begin with a byte 0.
    return std::string("refused: ") + error.what();
  }
  return "";
}

static bool protobufReads(const std::string &bytes) {
  return onnx::ModelProto().ParseFromString(bytes);
}

static std::atomic<int64_t> numRefused, numUnread, numChanged;

/// What is wrong with what becomes of a model.
static std::string problemOf(const std::string &model,
                             const FoldOptions &options) {
  FoldReport report, again;
  std::string folded, twice;
  bool isReadable = protobufReads(model);
  numUnread += !isReadable;
  if (llvm::Error error =
          foldModel(ModelInput::bytes(model), ModelOutput::bytes(folded),
                    options, report)) {
    ++numRefused;
    return toString(std::move(error)).empty() ? "an error without a text" : "";
  }
  if (!isReadable)
    return "it is accepted, and protobuf cannot read it";
  if (!report.isChanged)
    return "";
  ++numChanged;
  if (!protobufReads(folded))
    return "protobuf cannot read the output";
  if (llvm::Error error = foldModel(ModelInput::bytes(folded),
                                    ModelOutput::bytes(twice), options, again))
    return "the output is refused: " + toString(std::move(error));
  std::string refused = refusal(folded);
  if (refused.empty() || !refusal(model).empty())
    return "";
  return "the checker refuses the output alone: " + refused;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

namespace {

class DamagedModels : public testing::Test {
protected:
  void SetUp() override {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      std::signal(signal, sayWhatRan);
  }
  void TearDown() override {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      std::signal(signal, SIG_DFL);
  }

  void work(Worker &self) {
    ::pthread_getcpuclockid(::pthread_self(), &self.clock);
    for (int64_t i; (i = next++) < count;) {
      int64_t seed = first + i;
      self.begun = self.seconds();
      self.seed = seed;
      std::string model = originals.damaged(seed);
      if (std::string problem = problemOf(model, optionsFor(seed));
          !problem.empty())
        note(seed, model, problem);
    }
    self.seed = -1;
  }

  void note(int64_t seed, const std::string &model,
            const std::string &problem) {
    std::lock_guard<std::mutex> lock(mutex);
    const char *folder = std::getenv("TMPDIR");
    fs::path kept = fs::path(folder ? folder : "/tmp") /
                    ("damaged-" + std::to_string(seed) + ".onnx");
    std::ofstream(kept, std::ios::binary) << model;
    ADD_FAILURE() << "seed " << seed << ", kept as " << kept << ": " << problem;
  }

  const Originals originals;
  const int64_t first = environmentNumber("ONNXFOLD_SEED", 20261123);
  const int64_t count = environmentNumber(
      "ONNXFOLD_CASES", std::getenv("ONNXFOLD_LONG") ? 1'000'000 : 2'000);
  std::atomic<int64_t> next = 0;
  std::mutex mutex;
};

TEST_F(DamagedModels, FoldOrAreRefused) {
  unsigned size = std::min<unsigned>(std::thread::hardware_concurrency(),
                                     unsigned(workers.size()));
  isDone = false;
  std::thread watchdog(watch);
  std::vector<std::thread> threads;
  for (Worker &worker : llvm::MutableArrayRef(workers).take_front(size))
    threads.emplace_back([this, &worker] { work(worker); });
  for (std::thread &thread : threads)
    thread.join();
  isDone = true;
  watchdog.join();
  std::printf(
      "of %lld models protobuf cannot read %lld; %lld are refused, %lld "
      "become others\n",
      static_cast<long long>(count), static_cast<long long>(numUnread.load()),
      static_cast<long long>(numRefused.load()),
      static_cast<long long>(numChanged.load()));
  // Some damage is refused and some is survived, or this test tests nothing.
  if (count > 100) {
    EXPECT_GT(numRefused, 0);
    EXPECT_GT(numUnread, 0);
    EXPECT_GT(numChanged, 0);
  }
}

} // namespace
