//===- Precision.h - Rounding of floats between operations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_PRECISION_H
#define ONNXFOLD_CONSTPROP_PRECISION_H

#include <cstdint>

namespace onnxfold {

enum class Precision : uint8_t {
  Exact, // floats are rounded to their type after every operation
  Wide,  // only when they enter the IR; readers of elements, and casts, see
         // them rounded (Elements::widened)
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_PRECISION_H
