//===- BoolBits.h - Bools as the bits of a word -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// bitsOfBools is for loops that visit the few elements that a vectorised test
// has found.
//
//   for (uint64_t word = bitsOfBools(found); word != 0; word &= word - 1)
//     visit(llvm::countr_zero(word));
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_BOOLBITS_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_BOOLBITS_H

#include <cstdint>
#include <cstring>

namespace onnxfold::ops {

/// Bit i is bools[i], for 64 bytes that are 0 or 1.
inline uint64_t bitsOfBools(const void *bools) {
  uint64_t word = 0;
  for (int i = 0; i < 64; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, static_cast<const char *>(bools) + i, 8);
    // Byte j is multiplied to bit 56 + j.
    word |= (bytes * 0x0102040810204080 >> 56) << i;
  }
  return word;
}

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_BOOLBITS_H
