//===- FixedShapes.h - Sizes of inputs that are fixed -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data, a part of what specialize() (Specialize.h) is told.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_FIXEDSHAPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_FIXEDSHAPES_H

#include "onnxfold/elements/Shape.h"
#include <string>
#include <utility>
#include <vector>

namespace onnxfold {

struct FixedShapes {
  struct InputShape {
    std::string input;
    Shape sizes; // negative: not changed
  };
  std::vector<InputShape> inputShapes;
  std::vector<std::pair<std::string, int64_t>> dimensions; ///< name and size

  bool empty() const { return inputShapes.empty() && dimensions.empty(); }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_FIXEDSHAPES_H
