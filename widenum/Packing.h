//===- Packing.h - Sub-byte elements in files -------------------*- C++ -*-===//
//
// In memory an element of 2, 4 or 6 bits takes a byte (DataType.h); in files
// such elements are packed without gaps, the first in the least significant
// bits of the first byte: 4 bits two to a byte, 2 bits four to a byte, 6 bits
// four to three bytes. Here is the way from one form to the other.
//
// Stateless and thread safe; no errors.
//
// Example:
//   std::vector<Int4> row(n);
//   unpack(DataType::Int4, file, row.data(), /*firstElement=*/row0, n);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_PACKING_H
#define ONNXFOLD_WIDENUM_PACKING_H

#include "onnxfold/widenum/DataType.h"

#include <cstddef>

namespace onnxfold {

/// Unpacks the elements firstElement, ..., firstElement + count - 1 of
/// `packed` to `out`, a byte each, integers sign or zero extended. Reads only
/// the bytes that hold these elements; what else these bytes hold is ignored.
/// REQUIRES: isSubByte(type); the ranges do not overlap.
void unpack(DataType type, const void *packed, void *out, size_t firstElement,
            size_t count);

/// Packs `count` elements to the packedBytes(type, count) bytes at `packed`;
/// the bits after the last element become 0. Bits of an element above its
/// width are ignored.
/// REQUIRES: isSubByte(type); the ranges do not overlap.
void pack(DataType type, const void *in, void *packed, size_t count);

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_PACKING_H
