//===- ContentHash.h - Equal tensors, equal numbers -------------*- C++ -*-===//
//
// A hash of what a tensor is: element type, shape, and the bytes of its
// elements in row-major order. It does not depend on how the value is held
// (buffer, view, deferred program, splat), on the machine, or on the number of
// threads, so it may be stored and compared with one of another process.
//
//   ContentHash h = contentHash(weights);        // 128 bits
//   if (h == contentHash(others)) ...            // equal, but for bad luck
//
// Two tensors of equal hash are equal with the certainty of 128 bits against
// accidents, not against somebody who looks for a collision: code that merges
// values compares them too (Elements::identicalTo, gc/Merge.h).
//
// Definition (format 1). The elements in row-major order, in the form that they
// have in memory (little endian; sub-byte types a byte each, see DataType.h),
// are cut into chunks of 64 KiB; the digest of a chunk is xxh3_128bits of its
// bytes. Strings are cut into chunks of 4096 and each is its length in 8 bytes
// and its characters. Digests (low half, high half) are combined in groups of
// 4096 by xxh3_128bits of their bytes until one is left (0 if there is no
// element). The hash is xxh3_128bits of these 8-byte words: 1, the number of
// the DataType, the rank, the dimensions, the last digest.
//
// Cost: one reading of the elements, 0.7 times a memcpy of the bytes
// (bench/elements/HashBench.cpp), parallel; of what is known as a splat one
// chunk, whatever the size.
// Thread safety: any thread. No errors.
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

/// REQUIRES: not null.
ContentHash contentHash(const Elements &elements);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_CONTENTHASH_H
