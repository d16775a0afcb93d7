//===- ReduceMean.cpp - Constant kernel of onnx.ReduceMean ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum over the number of elements along axes. Spec: onnx ReduceMean,
// versions 1, 11, 13, 18. Axes are an attribute, from version 18 on an input.
// Integers: the wrapped sum, divided and cut off, as the reference evaluator
// has it. Of no elements: undefined, kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceMean(FoldContext &cx) {
  return foldReduction(cx, Reduction::Mean);
}

namespace onnxfold {
void registerReduceMean(KernelRegistry &registry) {
  registry.add("ReduceMean", {1, 11, 13, 18}, foldReduceMean)
      .costs(unitsOfReading);
}
} // namespace onnxfold
