//===- CheckedMark.cpp - A file that was read whole and found right -------===//

#include "onnxfold/onnx/driver/internal/CheckedMark.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <ctime>
#include <string>

using namespace onnxfold;

/// Another one after each start of the machine; empty if it has no name.
static const std::string &currentBoot() {
  static const std::string boot = [] {
    auto file =
        llvm::MemoryBuffer::getFileAsStream("/proc/sys/kernel/random/boot_id");
    return file ? (*file)->getBuffer().trim().str() : std::string();
  }();
  return boot;
}

/// The nanoseconds of the mark.
static long nanosecondsOf(const struct stat &status, ops::ContentHash content) {
  uint64_t words[] = {status.st_dev, status.st_ino, uint64_t(status.st_size),
                      content.low, content.high};
  std::string text = currentBoot();
  text.append(reinterpret_cast<const char *>(words), sizeof(words));
  return llvm::xxh3_64bits(text) % 1'000'000'000;
}

void onnxfold::markAsChecked(int fd, ops::ContentHash content) {
  struct stat status;
  if (currentBoot().empty() || ::fstat(fd, &status) != 0)
    return;
  timespec times[] = {{0, UTIME_OMIT},
                      {std::time(nullptr), nanosecondsOf(status, content)}};
  ::futimens(fd, times);
}

bool onnxfold::isMarkedAsChecked(const struct stat &status,
                                 ops::ContentHash content) {
  return !currentBoot().empty() &&
         std::abs(status.st_ctim.tv_sec - status.st_mtim.tv_sec) <= 1 &&
         status.st_mtim.tv_nsec == nanosecondsOf(status, content);
}
