//===- ExactCasts.h - Casts that lose nothing -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   if (isWider(DataType::Float16, DataType::Float32)) ... // the way back is exact
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_EXACTCASTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_EXACTCASTS_H

#include "onnxfold/widenum/DataType.h"

namespace onnxfold {

/// Every number of `from` is one of `to`.
inline bool isWider(DataType from, DataType to) {
  if (from == DataType::Bool)
    return isInteger(to) || typeClass(to) == TypeClass::Float;
  bool fromInt = isInteger(from), toInt = isInteger(to);
  if (fromInt && toInt)
    return isSigned(from) == isSigned(to)
               ? bitWidth(to) >= bitWidth(from)
               : isSigned(to) && bitWidth(to) > bitWidth(from);
  if (fromInt)
    return (to == DataType::Float32 && bitWidth(from) <= 16) ||
           (to == DataType::Float64 && bitWidth(from) <= 32);
  bool isHalf = from == DataType::Float16 || from == DataType::BFloat16;
  return (isHalf && (to == DataType::Float32 || to == DataType::Float64)) ||
         (from == DataType::Float32 && to == DataType::Float64);
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_EXACTCASTS_H
