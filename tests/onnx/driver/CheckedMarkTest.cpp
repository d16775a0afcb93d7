//===- CheckedMarkTest.cpp - Files of the cache that need not be read -----===//

#include "onnxfold/onnx/driver/internal/CheckedMark.h"
#include "onnxfold/onnx/driver/internal/CacheEntry.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

constexpr ops::ContentHash content = {12345, 67890};

/// A marked file in the folder for temporary files.
class CheckedMark : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mark", "bin", fd, path));
    ASSERT_EQ(::pwrite(fd, "value", 5, 0), 5);
    markAsChecked(fd, content);
    if (!isMarked())
      GTEST_SKIP() << "a file system without nanoseconds";
  }
  void TearDown() override {
    ::close(fd);
    llvm::sys::fs::remove(path);
  }

  struct stat status() const {
    struct stat status = {};
    ::fstat(fd, &status);
    return status;
  }
  bool isMarked(ops::ContentHash hash = content) const {
    return isMarkedAsChecked(status(), hash);
  }
  void setTime(timespec modified) {
    timespec times[] = {{0, UTIME_OMIT}, modified};
    ASSERT_EQ(::futimens(fd, times), 0);
  }

  int fd = -1;
  llvm::SmallString<64> path;
};

TEST_F(CheckedMark, LastsWhileNobodyWrites) {
  char byte;
  ASSERT_EQ(::pread(fd, &byte, 1, 0), 1);
  EXPECT_TRUE(isMarked());
  markAsChecked(fd, content);
  EXPECT_TRUE(isMarked()) << "marked again at the next use";
}

TEST_F(CheckedMark, IsOfOneContent) {
  EXPECT_FALSE(isMarked({12345, 67891}));
  EXPECT_FALSE(isMarked({12346, 67890}));
}

TEST_F(CheckedMark, IsTheTimeOfLastUse) {
  EXPECT_LE(std::abs(status().st_mtim.tv_sec - std::time(nullptr)), 60);
}

TEST_F(CheckedMark, IsReplacedByAWrite) {
  ASSERT_EQ(::pwrite(fd, "V", 1, 0), 1);
  EXPECT_FALSE(isMarked());
}

TEST_F(CheckedMark, IsReplacedByAWriteToAMapping) {
  void *mapped = ::mmap(nullptr, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  static_cast<char *>(mapped)[0] = 'V';
  ASSERT_EQ(::msync(mapped, 5, MS_SYNC), 0);
  ::munmap(mapped, 5);
  EXPECT_FALSE(isMarked());
}

TEST_F(CheckedMark, IsReplacedByAnotherSize) {
  timespec modified = status().st_mtim;
  ASSERT_EQ(::ftruncate(fd, 4), 0);
  EXPECT_FALSE(isMarked());
  setTime(modified);
  EXPECT_FALSE(isMarked());
}

/// Tools that copy files restore the time of last modification, and cannot
/// restore that of the inode.
TEST_F(CheckedMark, IsNoTimeThatSomebodySetLater) {
  timespec modified = status().st_mtim;
  modified.tv_sec -= 10;
  ASSERT_EQ(::pwrite(fd, "V", 1, 0), 1);
  setTime(modified);
  EXPECT_FALSE(isMarked());
}

TEST_F(CheckedMark, IsNotCopied) {
  struct stat copy = status();
  ++copy.st_ino;
  EXPECT_FALSE(isMarkedAsChecked(copy, content));
  copy = status();
  ++copy.st_dev;
  EXPECT_FALSE(isMarkedAsChecked(copy, content));
}

} // namespace

//===----------------------------------------------------------------------===//
// Files of the cache
//===----------------------------------------------------------------------===//

namespace {

/// A value of 4 MB in a file of the cache.
class MarkedEntry : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("entry", folder));
    path = (folder + "/value.folded").str();
    Elements value =
        Elements::deferred(DataType::Float32, entry.shape, {}, [](char *out) {
          for (int64_t i = 0; i < (1 << 20); ++i)
            reinterpret_cast<float *>(out)[i] = float(i);
        });
    auto written = writeCacheEntry(path, path + ".tmp", entry, value);
    ASSERT_TRUE(bool(written)) << llvm::toString(written.takeError());
    fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0);
  }
  void TearDown() override {
    ::close(fd);
    llvm::sys::fs::remove_directories(folder);
  }

  Elements readBack() { return readCacheEntry(path, entry, isDamaged); }

  /// Whether the page of the first element is in memory, from which the kernel
  /// was asked to take all of the file.
  bool isFirstPageInMemory() {
    unsigned char isThere = 0;
    void *mapped = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
    EXPECT_NE(mapped, MAP_FAILED);
    EXPECT_EQ(::mincore(mapped, 4096, &isThere), 0);
    ::munmap(mapped, 4096);
    return isThere & 1;
  }
  /// False where pages cannot be dropped, or files cannot be marked.
  bool dropPages() {
    if (::access("/proc/sys/kernel/random/boot_id", R_OK) != 0)
      return false;
    ::fsync(fd);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return !isFirstPageInMemory();
  }
  void touch() { ::futimens(fd, nullptr); }

  const CacheEntry entry = {{1, 2}, {3, 4}, DataType::Float32, {1024, 1024}};
  llvm::SmallString<64> folder;
  std::string path;
  bool isDamaged = false;
  int fd = -1;
};

TEST_F(MarkedEntry, IsNotReadUntilItIsUsed) {
  if (!dropPages())
    GTEST_SKIP() << "the file system keeps pages in memory";
  Elements value = readBack();
  ASSERT_TRUE(bool(value));
  EXPECT_FALSE(isFirstPageInMemory()) << "marked when it was written";
  float number = 0;
  value.read(77'777, 1, &number);
  EXPECT_EQ(number, 77'777.0f);
}

TEST_F(MarkedEntry, IsReadOnceAfterItWasTouched) {
  touch();
  if (!dropPages())
    GTEST_SKIP() << "the file system keeps pages in memory";
  ASSERT_TRUE(bool(readBack()));
  EXPECT_TRUE(isFirstPageInMemory());
  ASSERT_TRUE(dropPages());
  ASSERT_TRUE(bool(readBack()));
  EXPECT_FALSE(isFirstPageInMemory()) << "it was marked again";
}

TEST_F(MarkedEntry, IsReadIfItWasWrittenTo) {
  float other = -1;
  ASSERT_EQ(::pwrite(fd, &other, 4, 400'000), 4);
  EXPECT_FALSE(bool(readBack()));
  EXPECT_TRUE(isDamaged);
  EXPECT_FALSE(bool(readBack())) << "a damaged file is not marked";
  EXPECT_TRUE(isDamaged);
  other = 100'000;
  ASSERT_EQ(::pwrite(fd, &other, 4, 400'000), 4);
  EXPECT_TRUE(bool(readBack()));
  EXPECT_FALSE(isDamaged);
}

} // namespace
