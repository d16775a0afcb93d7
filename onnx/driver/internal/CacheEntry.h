//===- CacheEntry.h - A value in a file of the cache ------------*- C++ -*-===//
//
// One file holds one value: the elements as they are in memory, then a header of
// 4096 bytes: format, build of the program, key, type, shape, number of bytes,
// their hash, and the hash of the header itself.
//
// A file is written under another name and renamed when it is whole, and never
// changed after that: a reader sees all of it or none, and can still read a
// file that was erased or replaced meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEENTRY_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEENTRY_H

#include "onnxfold/constprop/ResultCache.h"
#include "llvm/Support/Error.h"
#include <string>

namespace onnxfold {

/// What a file says of itself.
struct CacheEntry {
  ResultCache::Key build, key;
  DataType type;
  Shape shape;
};

/// The value of a file, mapped while somebody reads it; null if there is none
/// that can be opened, and in `isDamaged` that there is one, but another than
/// `expected`, cut off, or with other bytes than were written. A file that was
/// found right is not read again until somebody writes to it (CheckedMark.h).
Elements readCacheEntry(const std::string &path, const CacheEntry &expected,
                        bool &isDamaged);

/// Computes `value` and writes it, whole or not at all; `temporary` is the name
/// until then. Returns it as readCacheEntry does.
llvm::Expected<Elements> writeCacheEntry(const std::string &path,
                                         const std::string &temporary,
                                         const CacheEntry &entry,
                                         const Elements &value);

/// Bytes of the file of a value; nothing if its shape does not fit a header.
std::optional<uint64_t> bytesOfCacheEntry(const Elements &value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEENTRY_H
