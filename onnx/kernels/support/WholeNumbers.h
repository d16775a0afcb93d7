//===- WholeNumbers.h - Counts that are given as floats ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tile and Split of version 1 declare their counts and axes with the type of
// the data, which is a float.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_WHOLENUMBERS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_WHOLENUMBERS_H

#include "onnxfold/elements/ops/Elementwise.h"
#include <cmath>

namespace onnxfold {

/// The elements of a tensor of floats; nothing if one is not a whole number
/// that double holds exactly.
inline std::optional<Shape> wholeNumbers(const Elements &x) {
  Shape result;
  for (double v : ops::cast(x, DataType::Float64).values<double>()) {
    if (!(std::fabs(v) <= 0x1p53) || v != std::trunc(v))
      return std::nullopt;
    result.push_back(int64_t(v));
  }
  return result;
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_WHOLENUMBERS_H
