//===- FileCopyTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "TestFiles.h"

#include "llvm/Support/ThreadPool.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <linux/magic.h>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

int copyCalls = 0;

class FileCopyTest : public FileTest {
protected:
  std::string copy(const InputFile &input, ByteRange range, uint64_t offset) {
    int fd = ::open(path("out").c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
    cantFail(errorCode(::ftruncate(fd, offset + range.size())));
    std::string error =
        errorText(copyRange(input, range, fd, offset, "out"), folder);
    struct stat status;
    ::fstat(fd, &status);
    blocks = status.st_blocks;
    ::close(fd);
    return error.empty() ? read("out") : error;
  }
  static llvm::Error errorCode(int result) {
    return llvm::errorCodeToError(
        result == 0 ? std::error_code()
                    : std::error_code(errno, std::generic_category()));
  }
  int64_t blocks = 0; ///< of the last copy
};

/// A file system of another kind, as far as the copy can tell.
template <uint32_t magic> int otherFileSystem(int, struct statfs *status) {
  *status = {};
  status->f_type = magic;
  return 0;
}
using KindCall = int (*)(int, struct statfs *);

using CopyCall = ssize_t (*)(int, off_t *, int, off_t *, size_t, unsigned);

template <int errnoValue>
ssize_t failingCopy(int, off_t *, int, off_t *, size_t, unsigned) {
  ++copyCalls;
  errno = errnoValue;
  return -1;
}

TEST_F(FileCopyTest, KernelCopyAndItsFallbacksAgree) {
  ScopedSystemCall server(systemCalls().fstatfs,
                          otherFileSystem<NFS_SUPER_MAGIC>);
  std::string bytes;
  for (int i = 0; i < 600000; ++i)
    bytes += char(i * 131 + i / 1000);
  InputFileRef input = openBytes(bytes);
  std::string expected = std::string(5, '\0') + bytes.substr(3, 550000);
  EXPECT_TRUE(copy(*input, {3, 550003}, 5) == expected);
  EXPECT_EQ(input->bytesRead(), 0u) << "copied in the kernel";
  for (CopyCall call :
       {failingCopy<EXDEV>, failingCopy<ENOSYS>, failingCopy<EINVAL>,
        failingCopy<EOPNOTSUPP>, failingCopy<EPERM>}) {
    ScopedSystemCall injected(systemCalls().copyFileRange, call);
    EXPECT_TRUE(copy(*input, {3, 550003}, 5) == expected);
  }
  // Short copies, interruptions, and a kernel that suddenly copies nothing.
  ScopedSystemCall partial(
      systemCalls().copyFileRange,
      +[](int in, off_t *inAt, int out, off_t *outAt, size_t size,
          unsigned flags) -> ssize_t {
        switch (copyCalls++ % 4) {
        case 0:
          errno = EINTR;
          return -1;
        case 3:
          return 0;
        default:
          return ::copy_file_range(in, inAt, out, outAt,
                                   std::min<size_t>(size, 1000), flags);
        }
      });
  EXPECT_TRUE(copy(*input, {3, 550003}, 5) == expected);
}

TEST_F(FileCopyTest, KernelCopiesWhereThatCanBeFaster) {
  InputFileRef input = openBytes(std::string(3 << 20, 'x'));
  auto callsOf = [&](KindCall kind, uint64_t begin, uint64_t offset) {
    ScopedSystemCall fileSystem(systemCalls().fstatfs, kind);
    ScopedSystemCall counted(systemCalls().copyFileRange, failingCopy<EXDEV>);
    copyCalls = 0;
    EXPECT_EQ(copy(*input, {begin, 3 << 20}, offset),
              std::string(offset, '\0') + std::string((3 << 20) - begin, 'x'));
    return copyCalls;
  };
  // ext4 and tmpfs copy page after page.
  EXPECT_EQ(callsOf(otherFileSystem<EXT4_SUPER_MAGIC>, 0, 0), 0);
  EXPECT_EQ(callsOf(otherFileSystem<TMPFS_MAGIC>, 8192, 4096), 0);
  // These share blocks, which have to agree.
  for (KindCall kind :
       {otherFileSystem<XFS_SUPER_MAGIC>, otherFileSystem<BTRFS_SUPER_MAGIC>,
        otherFileSystem<OVERLAYFS_SUPER_MAGIC>}) {
    EXPECT_EQ(callsOf(kind, 8192 + 5, 4096 + 5), 1);
    EXPECT_EQ(callsOf(kind, 8192 + 5, 4096 + 6), 0);
  }
  // Servers copy anything, and so may what nobody knows.
  EXPECT_EQ(callsOf(otherFileSystem<NFS_SUPER_MAGIC>, 5, 6), 1);
  EXPECT_EQ(callsOf(otherFileSystem<0x12345678>, 5, 6), 1);
  EXPECT_EQ(callsOf([](int, struct statfs *) { return -1; }, 5, 6), 1);
}

TEST_F(FileCopyTest, LargeRangesByThreads) {
  std::string bytes(15 << 20, '\0');
  std::minstd_rand random(6);
  for (char &byte : bytes)
    byte = char(random() >> 8);
  InputFileRef input = openBytes(bytes);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
  for (bool threads : {false, true}) {
    std::optional<ParallelScope> scope;
    if (threads)
      scope.emplace(pool);
    for (auto [begin, offset, cut] :
         std::vector<std::array<uint64_t, 3>>{{0, 0, 0},
                                              {1, 0, 1},
                                              {4096, 3, 65537},
                                              {262144, 262143, 0},
                                              {1234567, 262145, 4096}})
      EXPECT_TRUE(copy(*input, {begin, bytes.size() - cut}, offset) ==
                  std::string(offset, '\0') +
                      bytes.substr(begin, bytes.size() - cut - begin))
          << begin << " to " << offset << ", " << cut << " less";
  }
}

TEST_F(FileCopyTest, LargeWritesBeginAtBlocks) {
  // Or the page cache would take them in small pages: a third slower.
  static std::atomic<unsigned> odd{0}, writes{0};
  InputFileRef input = openBytes(std::string(20 << 20, 'x'));
  ScopedSystemCall watched(
      systemCalls().pwrite,
      +[](int fd, const void *data, size_t size, off_t at) -> ssize_t {
        odd += at % (256 << 10) != 0;
        ++writes;
        return ::pwrite(fd, data, size, at);
      });
  copy(*input, {77, 20 << 20}, 12345);
  EXPECT_EQ(odd, 1u);
  EXPECT_LT(writes, 90u);
}

TEST_F(FileCopyTest, ErrorsOfThreadsAreTold) {
  InputFileRef input = openBytes(std::string(40 << 20, 'x'));
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
  ParallelScope scope(pool);
  static std::atomic<int> writes{0};
  ScopedSystemCall full(
      systemCalls().pwrite,
      +[](int fd, const void *data, size_t size, off_t at) -> ssize_t {
        if (++writes < 50)
          return ::pwrite(fd, data, size, at);
        errno = ENOSPC;
        return -1;
      });
  EXPECT_EQ(copy(*input, {5, 40 << 20}, 0),
            "out: cannot be written: no space left on device");
  EXPECT_LT(writes, 60) << "the others stop too";
}

TEST_F(FileCopyTest, FullDiskIsNotTriedAgain) {
  ScopedSystemCall server(systemCalls().fstatfs,
                          otherFileSystem<NFS_SUPER_MAGIC>);
  InputFileRef input = openBytes("bytes");
  ScopedSystemCall full(systemCalls().copyFileRange, failingCopy<ENOSPC>);
  copyCalls = 0;
  EXPECT_EQ(copy(*input, {0, 5}, 0),
            "out: cannot be written: no space left on device");
  EXPECT_EQ(copyCalls, 1);
}

TEST_F(FileCopyTest, SourceThatEndsEarlyIsAnError) {
  InputFileRef input = openBytes(std::string(100000, 'x'));
  std::filesystem::resize_file(path("model.onnx"), 50000);
  EXPECT_EQ(copy(*input, {0, 100000}, 0),
            "model.onnx: changed while it was read: has 50000 bytes, expected "
            "at least 100000");
}

TEST_F(FileCopyTest, HolesStayHoles) {
  // 64 MB with data at three places, one at the very end or not.
  for (bool dataAtEnd : {false, true}) {
    constexpr uint64_t size = 64 << 20;
    std::string name = path("sparse");
    int fd = ::open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ASSERT_EQ(::pwrite(fd, "first", 5, 100), 5);
    ASSERT_EQ(::pwrite(fd, "middle", 6, size / 2 - 3), 6);
    if (dataAtEnd) {
      ASSERT_EQ(::pwrite(fd, "end", 3, size - 3), 3);
    }
    ASSERT_EQ(::ftruncate(fd, size), 0);
    ::close(fd);
    InputFileRef input = cantFail(InputFile::open(name));
    EXPECT_TRUE(input->mayHaveHoles());
    std::string expected = read("sparse");
    EXPECT_TRUE(copy(*input, {0, size}, 0) == expected);
    EXPECT_LT(blocks * 512, 1 << 20);
    // Not aligned to blocks, as after an edit before it.
    EXPECT_TRUE(copy(*input, {50, size}, 12345) ==
                std::string(12345, '\0') + expected.substr(50));
    EXPECT_LT(blocks * 512, 1 << 20);
    // A range that is hole only.
    EXPECT_TRUE(copy(*input, {1 << 20, 2 << 20}, 0) ==
                std::string(1 << 20, '\0'));
    EXPECT_EQ(blocks, 0);
  }
}

} // namespace
