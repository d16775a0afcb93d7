//===- CacheEntry.h - A value in a file of the cache ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One file holds one value: the elements as they are in memory, then a header
// of 4096 bytes: format, build of the program, key, type, shape, number of
// bytes, the hash of the hashes that follow, and the hash of the header itself;
// then the hash of each 256 KiB of the elements. So each of these pieces can be
// checked without the others.
//
// A file is written under another name and renamed when it is complete, and
// never changed after that. So a reader sees all of it or nothing, and can
// still read a file that was erased or replaced meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEENTRY_H
#define ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEENTRY_H

#include "onnxfold/constprop/ResultCache.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace onnxfold {

/// The header of a file, except for the bytes and hashes.
struct CacheEntry {
  ResultCache::Key build, key;
  DataType type;
  Shape shape;
};

/// The state of a file. Damaged: it exists, but is not the expected one, is cut
/// off, or has other bytes than were written.
enum class CacheEntryState { Whole, None, Damaged };

/// Looks at the header and the size of a file.
CacheEntryState findCacheEntry(const std::string &path,
                               const CacheEntry &expected);

/// A file that is open, of which the header and the hashes were checked.
///
/// Thread safety: all members may be called from any thread.
class OpenCacheEntry {
public:
  /// Null if the file is not Whole, as far as that is known before its elements
  /// are read. The time of last modification becomes the current one: a full
  /// cache keeps what was used last.
  static std::shared_ptr<OpenCacheEntry> open(const std::string &path,
                                              const CacheEntry &expected,
                                              CacheEntryState &state);
  ~OpenCacheEntry();
  OpenCacheEntry(const OpenCacheEntry &) = delete;
  OpenCacheEntry &operator=(const OpenCacheEntry &) = delete;

  /// Copies a range of the elements' bytes to `out`, and checks each piece while
  /// it is in the caches of the processor. False if they are not what was
  /// written. REQUIRES: the range is within the elements.
  bool read(uint64_t offset, uint64_t size, char *out) const;

  /// True for the first caller, who erases the file.
  bool setDamaged() { return !isDamaged.exchange(true); }

private:
  explicit OpenCacheEntry(int fd) : fd(fd) {}
  bool readPiece(uint64_t begin, char *out) const;

  const int fd;
  uint64_t bytes = 0; ///< of the elements
  std::vector<ResultCache::Key> hashes;
  std::atomic<bool> isDamaged{false};
};

/// Computes `value` and writes it, whole or not at all; the file is called
/// `temporary` until it is complete.
llvm::Error writeCacheEntry(const std::string &path,
                            const std::string &temporary,
                            const CacheEntry &entry, const Elements &value);

/// The bytes of the file of a value; nothing if its shape does not fit a
/// header.
std::optional<uint64_t> bytesOfCacheEntry(const Elements &value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEENTRY_H
