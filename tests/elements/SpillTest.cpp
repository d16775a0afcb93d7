//===- SpillTest.cpp - Tensors in a file, and systems that refuse it ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/MemoryTests.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ThreadPool.h"
#include <csignal>
#include <numeric>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace onnxfold;
using namespace onnxfold::ops;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static constexpr bool sanitized = true; // which takes memory of its own
#else
static constexpr bool sanitized = false;
#endif

namespace {

constexpr uint64_t mebibyte = 1 << 20;
constexpr int64_t megaElements = mebibyte / 4; // of 1 MiB of int32

/// first + i, computed on demand.
Elements ascendingFrom(int32_t first, int64_t n) {
  return Elements::deferred(DataType::Int32, {n}, {}, [=](char *out) {
    for (int64_t i = 0; i < n; ++i)
      reinterpret_cast<int32_t *>(out)[i] = first + i;
  });
}

/// The sum of the elements of ascendingFrom(first, n), and of x.
int64_t sumOf(int64_t first, int64_t n) { return n * first + n * (n - 1) / 2; }
int64_t sumOf(const Elements &x) {
  Elements::Reader reader(x);
  std::vector<int32_t> block(4096);
  int64_t sum = 0;
  for (int64_t i = 0; i < x.size(); i += 4096) {
    int64_t n = std::min<int64_t>(4096, x.size() - i);
    reader.read(i, n, block.data());
    sum = std::accumulate(block.begin(), block.begin() + n, sum);
  }
  return sum;
}

bool isMapped(const Elements &x) {
  uint64_t before = memoryStatistics().mappedBytes;
  Elements::Reader reader(x);
  return memoryStatistics().mappedBytes == before + x.bytes();
}

/// A folder of its own for the file.
class Folder {
public:
  Folder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("onnxfold-test", path));
  }
  ~Folder() { llvm::sys::fs::remove_directories(path); }

  std::string name() const { return std::string(path); }

  /// Sizes of the unlinked file that this process has open in it: as it seems,
  /// and what it takes on the disk.
  std::pair<uint64_t, uint64_t> fileSizes() const {
    for (int fd = 0; fd < 256; ++fd) {
      char target[4096];
      std::string link = "/proc/self/fd/" + std::to_string(fd);
      ssize_t length = readlink(link.c_str(), target, sizeof(target));
      struct stat status;
      if (length > 0 &&
          llvm::StringRef(target, length).starts_with(name() + "/") &&
          fstat(fd, &status) == 0)
        return {status.st_size, uint64_t(status.st_blocks) * 512};
    }
    return {0, 0};
  }

private:
  llvm::SmallString<128> path;
};

} // namespace

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

TEST(Spill, ReadsAsBefore) {
  Random random(1);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  ParallelScope scope(pool);
  Naive<int32_t> x = onnxfold::counting<int32_t>({300, 70, 5});
  Elements all = x.elements();
  uint64_t before = memoryStatistics().spilledBytes;
  Elements kept = spill(all);
  EXPECT_TRUE(isMapped(kept));
  EXPECT_EQ(memoryStatistics().spilledBytes, before + all.bytes());
  expectEqual(kept, x);
  for (const Elements &view :
       {all.transpose({2, 0, 1}),
        all.slice({299, 0, 4}, {300, 70, 5}, {-1, 1, -1}),
        all.expand({2, 300, 70, 5}), all.slice(0, 50, 200),
        map(all, [](auto v) { return v * 2; }), concat({all, all}, 1)}) {
    Elements spilled = spill(view);
    EXPECT_TRUE(isMapped(spilled));
    EXPECT_TRUE(spilled.identicalTo(view));
    Shape reversed;
    for (int64_t d = view.rank(); d-- > 0;)
      reversed.push_back(d);
    EXPECT_TRUE(
        spilled.transpose(reversed).identicalTo(view.transpose(reversed)));
  }
}

TEST(Spill, EveryWidth) {
  ScopedLimits scope([](MemoryLimits &l) { l.smallestSpilled = 1; });
  for (DataType type :
       {DataType::Bool, DataType::Int4, DataType::Float16, DataType::Float32,
        DataType::Int64, DataType::Complex128, DataType::Opaque}) {
    std::vector<char> bytes(999 * byteWidth(type));
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = type == DataType::Bool ? i % 3 == 0 : i % 7;
    Elements x = spill(Elements::fromBuffer(
        type, {999}, foreignBuffer({bytes.data(), bytes.size()})));
    EXPECT_TRUE(isMapped(x));
    std::vector<char> read(bytes.size());
    std::fill(bytes.begin(), bytes.end(), 0); // nothing refers to it
    x.read(read.data());
    for (size_t i = 0; i < read.size(); ++i)
      ASSERT_EQ(read[i], type == DataType::Bool ? i % 3 == 0 : i % 7);
  }
}

TEST(Spill, WhatStaysInMemory) {
  uint64_t before = memoryStatistics().spilledBytes;
  expectValues<float>(spill(Elements::fromValues<float>({2}, {1, 2})), {2},
                      {1, 2});
  expectValues<float>(spill(Elements::fromValues<float>({0, 3}, {})), {0, 3},
                      {});
  std::vector<llvm::StringRef> texts(100000, "text");
  Elements strings = spill(Elements::fromStrings({100000}, texts));
  EXPECT_EQ(strings.value<llvm::StringRef>(99999), "text");
  EXPECT_EQ(memoryStatistics().spilledBytes, before);
}

TEST(Spill, MovesKeptBytesForAllWhoHoldThem) {
  Elements x = ascendingFrom(3, megaElements), same = x,
           part = x.slice(0, 10, 5);
  Elements spilled = spill(x);
  EXPECT_TRUE(isMapped(same));
  EXPECT_EQ(part.value<int32_t>(4), 17);
  EXPECT_EQ(memoryStatistics().spilledBytes, mebibyte);
  EXPECT_TRUE(isMapped(spill(spilled)));
  EXPECT_EQ(memoryStatistics().spilledBytes, mebibyte); // not written twice
  x = same = part = Elements();
  EXPECT_EQ(memoryStatistics().spilledBytes, mebibyte);
  spilled = Elements();
  EXPECT_EQ(memoryStatistics().spilledBytes, 0u);
}

// Pinned bytes are not moved while they are pinned, and freed afterwards.
TEST(Spill, WhileItIsRead) {
  Elements x = ascendingFrom(3, megaElements).materialize();
  uint64_t kept = memoryStatistics().keptBytes;
  std::optional<Elements::Reader> reader(x);
  auto *values = static_cast<const int32_t *>(reader->contiguous());
  spill(x);
  EXPECT_EQ(memoryStatistics().keptBytes, kept);
  EXPECT_EQ(values[5], 8);
  reader.reset();
  EXPECT_EQ(memoryStatistics().keptBytes, kept - mebibyte);
  EXPECT_EQ(x.value<int32_t>(5), 8);
}

TEST(Spill, WideTensorsStayWide) {
  std::vector<float> values(100000, 1);
  Elements x = Elements::fromValues<float>({100000}, values).widened();
  Elements third = map(x, [](auto v) { return v / 3; });
  Elements y = spill(third);
  ASSERT_TRUE(y.isWide());
  EXPECT_EQ(y.unrounded().value<double>(7), 1.0 / 3);
  EXPECT_EQ(y.value<float>(7), 1.0f / 3);
}

// A lazy result of 10 GB must not need 10 GB: here it is 256 MB.
TEST(Spill, ALazyResultIsNeverInMemoryAsAWhole) {
  inChild([] {
    if (!resetPeakResident())
      return true;
    uint64_t heap = memoryStatistics().heapBytes;
    resetPeakHeapBytes();
    uint64_t resident = peakResidentBytes();
    Elements row =
        Elements::fromValues<int32_t>({1024}, std::vector<int32_t>(1024, 7));
    Elements x = spill(map(row.expand({64 * 1024, 1024}), [](auto v) {
                         return v + 1;
                       }).transpose({1, 0}));
    EXPECT_EQ(x.bytes(), 256 * mebibyte);
    EXPECT_LE(memoryStatistics().peakHeapBytes, heap + 16 * mebibyte);
    if (!sanitized) {
      EXPECT_LE(peakResidentBytes(), resident + 32 * mebibyte);
    }
    EXPECT_EQ(x.slice({1000, 60000}, {1, 1}, {1, 1}).value<int32_t>(), 8);
    EXPECT_TRUE(isMapped(x));
    return true;
  });
}

// What is computed in one piece takes the budget at most, its operands too.
TEST(Spill, WhatIsComputedInOnePieceTakesTheBudgetAtMost) {
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = 4 * mebibyte; });
  uint64_t heap = memoryStatistics().heapBytes;
  resetPeakHeapBytes();
  Elements half = ascendingFrom(0, 8 * megaElements);
  Elements x = concat({half, map(half, [](auto v) { return v + 1; })}, 0);
  x = spill(map(x, [](auto v) { return v * 2; }));
  constexpr int64_t n = 8 * megaElements;
  EXPECT_EQ(sumOf(x), 4 * sumOf(0, n) + 2 * n);
  EXPECT_LE(memoryStatistics().peakHeapBytes, heap + 5 * mebibyte);
}

TEST(Spill, ResidentMemoryOfKeptResultsIsBounded) {
  inChild([] {
    ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = 4 * mebibyte; });
    if (!resetPeakResident())
      return true;
    uint64_t resident = peakResidentBytes();
    std::vector<Elements> all;
    all.reserve(300);
    for (int i = 0; i < 300; ++i)
      all.push_back(ascendingFrom(i, megaElements).materialize());
    for (int i = 0; i < 300; ++i)
      EXPECT_EQ(sumOf(all[i]), sumOf(i, megaElements));
    if (!sanitized) {
      EXPECT_LE(peakResidentBytes(), resident + 20 * mebibyte);
    }
    return true;
  });
}

TEST(Spill, SpaceIsUsedAgainAndGivenBack) {
  Folder folder;
  ScopedLimits scope([&](MemoryLimits &l) { l.folder = folder.name(); });
  Elements last;
  for (int i = 0; i < 30; ++i) {
    Elements a = spill(ascendingFrom(i, 3 * megaElements));
    Elements b = spill(ascendingFrom(i + 1, megaElements));
    Elements c = spill(ascendingFrom(i + 2, 2 * megaElements));
    b = Elements(); // a hole between two
    Elements d = spill(ascendingFrom(i + 3, megaElements - 7));
    ASSERT_EQ(sumOf(a), sumOf(i, 3 * megaElements));
    ASSERT_EQ(sumOf(c), sumOf(i + 2, 2 * megaElements));
    ASSERT_EQ(sumOf(d), sumOf(i + 3, megaElements - 7));
    last = d;
  }
  auto [size, onDisk] = folder.fileSizes();
  EXPECT_GT(size, 0u);
  EXPECT_LE(size, 10 * mebibyte);
  EXPECT_LE(onDisk, 2 * mebibyte);
  // Nobody finds it in the folder.
  std::error_code error;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(folder.name(), error),
            llvm::sys::fs::directory_iterator());
}

TEST(Spill, EachFileLivesAsLongAsItsTensors) {
  Folder first, second;
  Elements x, y;
  {
    ScopedLimits scope([&](MemoryLimits &l) { l.folder = first.name(); });
    x = spill(ascendingFrom(1, megaElements));
  }
  ScopedLimits scope([&](MemoryLimits &l) { l.folder = second.name(); });
  y = spill(ascendingFrom(2, megaElements));
  EXPECT_GT(first.fileSizes().first, 0u);
  EXPECT_GT(second.fileSizes().first, 0u);
  EXPECT_EQ(sumOf(x), sumOf(1, megaElements));
  EXPECT_EQ(sumOf(y), sumOf(2, megaElements));
  x = Elements();
  EXPECT_EQ(first.fileSizes().first, 0u); // closed
}

// Two processes with one file: neither may use space that the other reads.
TEST(Spill, AProcessThatForks) {
  Elements a = spill(ascendingFrom(1, megaElements));
  Elements b = spill(ascendingFrom(2, megaElements));
  int gone[2];
  ASSERT_EQ(pipe(gone), 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    bool good =
        read(gone[0], &byte, 1) == 1 && sumOf(a) == sumOf(1, megaElements);
    b = Elements();
    Elements d = spill(ascendingFrom(4, megaElements));
    _exit(good && sumOf(d) == sumOf(4, megaElements) ? 0 : 1);
  }
  a = Elements(); // the child still reads it
  Elements c = spill(ascendingFrom(3, megaElements));
  ASSERT_EQ(write(gone[1], "x", 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(sumOf(b), sumOf(2, megaElements));
  EXPECT_EQ(sumOf(c), sumOf(3, megaElements));
  close(gone[0]);
  close(gone[1]);
}

//===----------------------------------------------------------------------===//
// Systems that refuse
//===----------------------------------------------------------------------===//

/// Makes 100 results of 1 MiB with a budget of 2 MiB, and checks them. Returns
/// how often spilling failed.
static uint64_t makeHundred(std::vector<Elements> &all) {
  uint64_t failed = memoryStatistics().failedSpills;
  for (int i = 0; i < 100; ++i)
    all.push_back(ascendingFrom(i, megaElements).materialize());
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(sumOf(all[i]), sumOf(i, megaElements)) << i;
  return memoryStatistics().failedSpills - failed;
}

TEST(SpillFailure, FolderThatDoesNotExist) {
  ScopedLimits scope([&](MemoryLimits &l) {
    l.keptBytes = 2 * mebibyte;
    l.folder = "/no such folder";
  });
  std::vector<Elements> all;
  uint64_t failed = makeHundred(all);
  EXPECT_GT(failed, 0u);
  EXPECT_LE(failed, 60u); // not tried for each
  MemoryStatistics now = memoryStatistics();
  EXPECT_EQ(now.lastFailure, "/no such folder: No such file or directory");
  EXPECT_EQ(now.keptBytes, 100 * mebibyte);
  EXPECT_EQ(now.spilledBytes, 0u);
  // By hand, too, and for what is larger than the budget.
  Elements x = spill(ascendingFrom(5, 4 * megaElements));
  EXPECT_EQ(sumOf(x), sumOf(5, 4 * megaElements));
  x = spill(map(x, [](auto v) { return v + 1; }));
  EXPECT_EQ(sumOf(x), sumOf(6, 4 * megaElements));
  x = Elements();
  // A better folder is used at once.
  Folder folder;
  ScopedLimits better([&](MemoryLimits &l) { l.folder = folder.name(); });
  EXPECT_LE(memoryStatistics().keptBytes, 2 * mebibyte);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(sumOf(all[i]), sumOf(i, megaElements)) << i;
}

TEST(SpillFailure, TheFolderIsThatOfTheEnvironment) {
  inChild([] {
    Folder folder;
    setenv("TMPDIR", folder.name().c_str(), 1);
    Elements x = spill(ascendingFrom(1, megaElements));
    EXPECT_GT(folder.fileSizes().first, 0u);
    setenv("TMPDIR", "/no such folder either", 1);
    Elements y = spill(ascendingFrom(1, megaElements));
    EXPECT_EQ(memoryStatistics().lastFailure,
              "/no such folder either: No such file or directory");
    EXPECT_TRUE(isMapped(x));
    EXPECT_FALSE(isMapped(y));
    return true;
  });
}

// Such a write ends a process by a signal, if nobody prevents it.
TEST(SpillFailure, LimitOnTheSizeOfFiles) {
  inChild([] {
    std::signal(SIGXFSZ, SIG_DFL);
    rlimit limit = {20 * mebibyte, 20 * mebibyte};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return false;
    ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = 2 * mebibyte; });
    std::vector<Elements> all;
    EXPECT_GT(makeHundred(all), 0u);
    MemoryStatistics now = memoryStatistics();
    EXPECT_GE(now.spilledBytes, 19 * mebibyte);
    EXPECT_LE(now.spilledBytes, 20 * mebibyte);
    EXPECT_GE(now.keptBytes, 80 * mebibyte);
    EXPECT_TRUE(llvm::StringRef(now.lastFailure).ends_with(": File too large"));
    // Larger than budget and file.
    EXPECT_EQ(sumOf(spill(ascendingFrom(1, 40 * megaElements))),
              sumOf(1, 40 * megaElements));
    // Where there is room again, it is used.
    all.resize(50);
    all.push_back(ascendingFrom(1, megaElements).materialize());
    sigset_t pending;
    sigpending(&pending);
    EXPECT_FALSE(sigismember(&pending, SIGXFSZ));
    return true;
  });
}

TEST(SpillFailure, FullDisk) {
  Folder folder;
  inChild([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.name().c_str(), "tmpfs", 0, "size=10m") != 0)
      return true; // only root may
    ScopedLimits scope([&](MemoryLimits &l) {
      l.keptBytes = 2 * mebibyte;
      l.folder = folder.name();
    });
    std::vector<Elements> all;
    EXPECT_GT(makeHundred(all), 0u);
    MemoryStatistics now = memoryStatistics();
    EXPECT_GE(now.spilledBytes, 8 * mebibyte);
    EXPECT_EQ(now.lastFailure, folder.name() + ": No space left on device");
    EXPECT_EQ(sumOf(spill(ascendingFrom(1, 40 * megaElements))),
              sumOf(1, 40 * megaElements));
    Elements program =
        map(ascendingFrom(1, 40 * megaElements), [](auto v) { return v + 1; });
    EXPECT_EQ(sumOf(spill(program)), sumOf(2, 40 * megaElements));
    // Room again.
    all.erase(all.begin(), all.begin() + 99);
    EXPECT_EQ(memoryStatistics().spilledBytes, 0u);
    makeHundred(all = {});
    EXPECT_GE(memoryStatistics().spilledBytes, 8 * mebibyte);
    return true;
  });
}

// Without addresses for the mapping, the bytes are read into memory.
TEST(SpillFailure, NoAddressesLeft) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers reserve addresses";
  inChild([] {
    ScopedLimits scope(
        [](MemoryLimits &l) { l.recycledBytes = 400 * mebibyte; });
    Elements x = spill(ascendingFrom(1, 256 * megaElements));
    EXPECT_TRUE(isMapped(x));
    {
      HeapBuffer waits(256 * mebibyte); // to be used again
      std::memset(waits.data(), 1, waits.size());
    }
    rlimit limit = {64 * mebibyte, 64 * mebibyte};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      return false;
    EXPECT_FALSE(isMapped(x));
    EXPECT_EQ(sumOf(x), sumOf(1, 256 * megaElements));
    return true;
  });
}
