//===- CacheEntry.h - A value in a file of the cache ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One file holds one value: the elements as they are in memory, then a header
// of 4096 bytes: format, build of the program, key, type, shape, number of
// bytes, the hash of the hashes of each 256 KiB of them, and the hash of the
// header itself.
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
#include <string>

namespace onnxfold {

/// The header of a file, except for the bytes and hashes.
struct CacheEntry {
  ResultCache::Key build, key;
  DataType type;
  Shape shape;
};

/// What a file is. Damaged: it exists, but is not the expected one, is cut off,
/// or has other bytes than were written.
enum class CacheEntryState { Whole, None, Damaged };

/// Looks at the header and the size of a file.
CacheEntryState findCacheEntry(const std::string &path,
                               const CacheEntry &expected);

/// Copies the elements of a file to `out`, and checks them while they are in the
/// caches of the processor. The time of last modification becomes the current
/// one: a full cache keeps what was used last.
CacheEntryState readCacheEntry(const std::string &path,
                               const CacheEntry &expected, char *out);

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
