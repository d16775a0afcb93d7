//===- CutNames.h - The border of a part of a model -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data, which GraphCut.h reads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_CUTNAMES_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_CUTNAMES_H

#include <string>
#include <vector>

namespace onnxfold {

/// The values of --inputs and --outputs. Each text is a name, or names
/// separated by commas.
struct CutNames {
  std::vector<std::string> inputs, outputs;
  bool isGiven() const { return !inputs.empty() || !outputs.empty(); }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_CUTNAMES_H
