//===- ContentHash.h - A hash of a tensor's type and elements ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash of element type, shape, and the bytes of the elements in row-major
// order. It does not depend on how the value is held (buffer, view, deferred
// program, splat), on the machine, or on the number of threads, so it may be
// stored and compared with that of another process.
//
//   ContentHash h = contentHash(weights);        // 128 bits
//   if (h == contentHash(others)) ...            // almost certainly equal
//
// 128 bits make an accidental collision negligible. The hash does not protect
// against deliberate collisions, so code that merges values also compares them
// (Elements::identicalTo, gc/Merge.h).
//
// Definition (format 1). The elements in row-major order, in the form that they
// have in memory (little endian; sub-byte types a byte each, see DataType.h),
// are cut into chunks of 64 KiB; the digest of a chunk is xxh3_128bits of its
// bytes. Strings are cut into chunks of 4096 strings, each written as its
// length in 8 bytes and its characters. Digests (low half, high half) are
// combined in groups of 4096 by xxh3_128bits of their bytes until one is left
// (0 if there is no element). The hash is xxh3_128bits of these 8-byte words:
// 1, the number of the DataType, the rank, the dimensions, the last digest.
//
// Cost: the elements are read once, in parallel, in 0.7 times the time of a
// memcpy of the bytes (bench/elements/HashBench.cpp). Of a tensor that is known
// as a splat one chunk is hashed, whatever its size.
// Thread safety: contentHash may be called from any thread. There are no
// errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_CONTENTHASH_H
#define ONNXFOLD_ELEMENTS_OPS_CONTENTHASH_H

#include "onnxfold/elements/Elements.h"
#include <compare>

namespace onnxfold::ops {

struct ContentHash {
  uint64_t low = 0, high = 0;
  friend auto operator<=>(const ContentHash &, const ContentHash &) = default;
};

/// The hash of a tensor. REQUIRES: `elements` is not null.
ContentHash contentHash(const Elements &elements);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_CONTENTHASH_H
