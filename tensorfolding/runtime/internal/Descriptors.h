//===- Descriptors.h - Memref descriptors -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The descriptor of a ranked memref, as MLIR's lowering to LLVM lays it out, in
// words of 64 bits: allocated, aligned, offset, sizes, strides.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_DESCRIPTORS_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_DESCRIPTORS_H

#include "onnxfold/tensorfolding/runtime/Tensor.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace onnxfold::tensorfolding::internal {

static_assert(sizeof(void *) == 8);

/// Tensors that the library allocates begin at multiples of this number of
/// bytes.
constexpr size_t tensorAlignment = 64;
inline uint64_t alignedBytes(uint64_t bytes) {
  return (bytes + tensorAlignment - 1) / tensorAlignment * tensorAlignment;
}

inline size_t descriptorWords(size_t rank) { return 3 + 2 * rank; }

/// Strides of a tensor without gaps.
inline void writeRowMajorStrides(int64_t *strides, int64_t rank,
                                 const int64_t *shape) {
  int64_t stride = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= shape[i];
  }
}

/// The pointer in a word of a descriptor.
inline char *pointerIn(const int64_t &word) {
  char *pointer;
  std::memcpy(&pointer, &word, sizeof(pointer));
  return pointer;
}

inline void writeDescriptor(int64_t *words, const Tensor &tensor) {
  auto address = reinterpret_cast<int64_t>(tensor.data);
  words[0] = words[1] = address;
  words[2] = 0;
  int64_t *sizes = words + 3, *strides = sizes + tensor.rank;
  std::copy_n(tensor.shape, tensor.rank, sizes);
  if (tensor.strides)
    std::copy_n(tensor.strides, tensor.rank, strides);
  else
    writeRowMajorStrides(strides, tensor.rank, sizes);
}

/// Whether the elements lie in row-major order without gaps. Strides of
/// dimensions of size 1, and those of empty tensors, do not matter.
inline bool isRowMajor(int64_t rank, const int64_t *shape,
                       const int64_t *strides) {
  if (!strides || std::find(shape, shape + rank, 0) != shape + rank)
    return true;
  int64_t expected = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}
inline bool isRowMajor(const Tensor &tensor) {
  return isRowMajor(tensor.rank, tensor.shape, tensor.strides);
}

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_DESCRIPTORS_H
