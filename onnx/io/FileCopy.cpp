//===- FileCopy.cpp - Copying ranges of files in the kernel ---------------===//
#include "onnxfold/onnx/io/FileCopy.h"

#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

Error writeFully(int output, uint64_t offset, StringRef bytes,
                 StringRef outputName) {
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

static Error copyThroughBuffer(const InputFile &input, ByteRange range,
                               int output, uint64_t offset,
                               StringRef outputName) {
  constexpr uint64_t bufferSize = 256 * 1024;
  auto buffer = std::make_unique<char[]>(bufferSize);
  while (!range.empty()) {
    size_t size = std::min(range.size(), bufferSize);
    if (Error error = input.read(range.begin, {buffer.get(), size}))
      return error;
    if (Error error =
            writeFully(output, offset, {buffer.get(), size}, outputName))
      return error;
    range.begin += size;
    offset += size;
  }
  return Error::success();
}

/// A range without holes.
static Error copyData(const InputFile &input, ByteRange range, int output,
                      uint64_t offset, StringRef outputName) {
  // The kernel moves less than 2 GiB a call; a signal is seen between calls.
  constexpr uint64_t largestCall = 1 << 30;
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

} // namespace onnxfold
