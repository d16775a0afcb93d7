//===- NegativeIndex.h - Indices that count from the end --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   fromStart(-1, 4) == 3
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_NEGATIVEINDEX_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_NEGATIVEINDEX_H

#include <cstdint>

namespace onnxfold::ops {

/// `index` counted from the start of a dimension of `n` elements.
inline int64_t fromStart(int64_t index, int64_t n) {
  return index < 0 ? index + n : index;
}

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_NEGATIVEINDEX_H
