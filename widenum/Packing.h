//===- Packing.h - Sub-byte elements in files -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts between the two forms of elements of 2, 4 and 6 bits. In memory each
// takes a byte (DataType.h). In files they are packed without gaps, the first
// one in the least significant bits of the first byte: two elements of 4 bits
// or four of 2 bits to a byte, four of 6 bits to three bytes.
//
// The functions are stateless and thread safe, and have no errors.
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
/// the bytes that hold these elements, and ignores other bits of them.
/// REQUIRES: isSubByte(type); the ranges do not overlap.
void unpack(DataType type, const void *packed, void *out, size_t firstElement,
            size_t count);

/// Packs `count` elements to the packedBytes(type, count) bytes at `packed`.
/// The bits after the last element become 0. Bits of an element above its width
/// are ignored.
/// REQUIRES: isSubByte(type); the ranges do not overlap.
void pack(DataType type, const void *in, void *packed, size_t count);

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_PACKING_H
