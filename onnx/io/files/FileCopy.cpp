//===- FileCopy.cpp - Copying ranges of files -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/FileCopy.h"

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <linux/magic.h>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace onnxfold {

/// A buffer that stays in the caches of a core between reading and writing.
static constexpr uint64_t copyBufferSize = 256 * 1024;
/// File systems can share blocks of places that agree modulo this.
static constexpr uint64_t blockSize = 4096;

/// Reads a byte of each page. Where a write meets a page of a mapped spill file
/// that nobody has read yet, the kernel clears all of the new page before it
/// waits.
static void touchPages(StringRef bytes) {
  auto touch = [](const char &byte) {
    (void)*static_cast<const volatile char *>(&byte);
  };
  for (size_t i = 0; i < bytes.size(); i += blockSize)
    touch(bytes[i]);
  if (!bytes.empty())
    touch(bytes.back());
}

/// Writes bytes whose pages are in memory.
static Error writeResident(int output, uint64_t offset, StringRef bytes,
                           StringRef outputName) {
  // The kernel lets one thread write to a file, and others wait by spinning.
  static std::array<std::mutex, 16> writers;
  std::lock_guard<std::mutex> lock(writers[output % writers.size()]);
  while (!bytes.empty()) {
    ssize_t count =
        systemCalls().pwrite(output, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeSystemError(outputName, "cannot be written", errno);
    bytes = bytes.drop_front(count);
    offset += count;
  }
  return Error::success();
}

Error writeFully(int output, uint64_t offset, StringRef bytes,
                 StringRef outputName) {
  touchPages(bytes);
  return writeResident(output, offset, bytes, outputName);
}

Error streamFully(int output, StringRef bytes, StringRef outputName) {
  while (!bytes.empty()) {
    ssize_t count = systemCalls().write(output, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeSystemError(outputName, "cannot be written", errno);
    bytes = bytes.drop_front(count);
  }
  return Error::success();
}

/// Copies through a buffer. But for the first, all writes begin at a multiple
/// of its size, so that the page cache takes them in large pages.
static Error copyBlocks(const InputFile &input, ByteRange range, int output,
                        uint64_t offset, StringRef outputName) {
  auto buffer = std::make_unique_for_overwrite<char[]>(
      std::min(range.size(), copyBufferSize));
  while (!range.empty()) {
    size_t size =
        std::min(range.size(), copyBufferSize - offset % copyBufferSize);
    if (Error error = input.read(range.begin, {buffer.get(), size}))
      return error;
    if (Error error =
            writeResident(output, offset, {buffer.get(), size}, outputName))
      return error;
    range.begin += size;
    offset += size;
  }
  return Error::success();
}

namespace {

/// A large range that several threads copy: one reads while another writes.
class SharedCopy {
public:
  SharedCopy(const InputFile &input, ByteRange range, int output,
             uint64_t offset, StringRef outputName)
      : input(input), range(range), output(output), offset(offset),
        outputName(outputName) {}

  Error run() {
    // Threads write to one file in turn, so that more would only wait.
    constexpr int64_t workers = 3;
    parallelFor(workers, 1, [&](int64_t, int64_t) { work(); });
    return std::move(failure);
  }

private:
  void work() {
    for (uint64_t begin; (begin = next.fetch_add(share)) < range.size();) {
      ByteRange part = {range.begin + begin,
                        std::min(range.begin + begin + share, range.end)};
      Error error = copyBlocks(input, part, output, offset + begin, outputName);
      if (!error)
        continue;
      next = range.size();
      std::lock_guard<std::mutex> lock(mutex);
      if (failure)
        consumeError(std::move(error));
      else
        failure = std::move(error);
    }
  }

  static constexpr uint64_t share = 16 * copyBufferSize;
  const InputFile &input;
  ByteRange range;
  int output;
  uint64_t offset; ///< of the range in the output
  StringRef outputName;
  std::atomic<uint64_t> next{0}; ///< of the range, to be copied
  std::mutex mutex;              ///< of the failure
  Error failure = Error::success();
};

} // namespace

static Error copyThroughBuffer(const InputFile &input, ByteRange range,
                               int output, uint64_t offset,
                               StringRef outputName) {
  constexpr uint64_t smallestShared = 8 << 20;
  if (range.size() < smallestShared)
    return copyBlocks(input, range, output, offset, outputName);
  // To a whole block of the output, so that the shares begin at one.
  uint64_t start = alignTo(offset, copyBufferSize) - offset;
  ByteRange head = {range.begin, range.begin + start};
  if (Error error = copyBlocks(input, head, output, offset, outputName))
    return error;
  return SharedCopy(input, {head.end, range.end}, output, offset + start,
                    outputName)
      .run();
}

/// True where copy_file_range may be faster than a buffer: where blocks can be
/// shared, or a server copies. Elsewhere it moves page after page.
static bool mayCopyInKernel(const InputFile &input, ByteRange range,
                            uint64_t offset) {
  struct statfs status;
  if (systemCalls().fstatfs(input.descriptor(), &status) != 0)
    return true;
  switch (uint32_t(status.f_type)) {
  case EXT4_SUPER_MAGIC: // ext2 and ext3 too
  case TMPFS_MAGIC:
    return false;
  case BTRFS_SUPER_MAGIC:
  case XFS_SUPER_MAGIC:
  case OVERLAYFS_SUPER_MAGIC:
    return range.begin % blockSize == offset % blockSize;
  default:
    return true;
  }
}

/// A range without holes.
static Error copyData(const InputFile &input, ByteRange range, int output,
                      uint64_t offset, StringRef outputName) {
  // The kernel moves less than 2 GiB a call; a signal is seen between calls.
  constexpr uint64_t largestCall = 1 << 30;
  if (!mayCopyInKernel(input, range, offset))
    return copyThroughBuffer(input, range, output, offset, outputName);
  while (!range.empty()) {
    off_t in = range.begin;
    off_t out = offset;
    ssize_t count =
        systemCalls().copyFileRange(input.descriptor(), &in, output, &out,
                                    std::min(range.size(), largestCall), 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
      return makeSystemError(outputName, "cannot be written", errno);
    // Other file system, old kernel, sandbox, end of file, unreadable block:
    // reading and writing either works or names what is wrong.
    if (count <= 0)
      return copyThroughBuffer(input, range, output, offset, outputName);
    range.begin += count;
    offset += count;
  }
  return Error::success();
}

ByteRange nextData(const InputFile &input, ByteRange range) {
  int fd = input.descriptor();
  off_t begin = ::lseek(fd, range.begin, SEEK_DATA);
  if (begin < 0)
    return errno == ENXIO ? ByteRange{range.end, range.end} : range;
  if (uint64_t(begin) >= range.end)
    return {range.end, range.end};
  off_t end = ::lseek(fd, begin, SEEK_HOLE);
  if (end < 0)
    return range;
  return {uint64_t(begin), std::min<uint64_t>(end, range.end)};
}

Error copyRange(const InputFile &input, ByteRange range, int output,
                uint64_t offset, StringRef outputName) {
  if (!input.mayHaveHoles())
    return copyData(input, range, output, offset, outputName);
  while (!range.empty()) {
    ByteRange data = nextData(input, range);
    uint64_t target = offset + (data.begin - range.begin);
    if (Error error = copyData(input, data, output, target, outputName))
      return error;
    offset = target + data.size();
    range.begin = data.end;
  }
  return Error::success();
}

Expected<bool> sameContent(const InputFile &a, ByteRange inA,
                           const InputFile &b, ByteRange inB) {
  if (inA.size() != inB.size())
    return false;
  constexpr uint64_t block = 1 << 20;
  uint64_t size = inA.size();
  std::vector<char> x(std::min(block, size)), y(x.size());
  bool holes = a.mayHaveHoles() && b.mayHaveHoles();
  for (uint64_t at = 0, count; at < size; at += count) {
    if (holes)
      at = std::min(nextData(a, {inA.begin + at, inA.end}).begin - inA.begin,
                    nextData(b, {inB.begin + at, inB.end}).begin - inB.begin);
    count = std::min(block, size - at);
    MutableArrayRef<char> xs(x.data(), count), ys(y.data(), count);
    if (Error error = a.read(inA.begin + at, xs))
      return error;
    if (Error error = b.read(inB.begin + at, ys))
      return error;
    if (xs != ArrayRef<char>(ys))
      return false;
  }
  return true;
}

} // namespace onnxfold
