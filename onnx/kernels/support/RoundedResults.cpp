//===- RoundedResults.cpp - Results that are computed in double -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/RoundedResults.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

Elements onnxfold::rounded(FoldContext &cx, const Elements &values,
                           DataType type) {
  bool isWide = false;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    isWide |= cx.hasInput(i) && cx.input(i).isWide();
  return isWide && type != DataType::Float64 ? Elements::rounded(values, type)
                                             : cast(values, type);
}
