//===- ReduceProd.cpp - Constant kernel of onnx.ReduceProd ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product along axes. Spec: onnx ReduceProd, versions 1, 11, 13, 18. Axes
// are an attribute, from version 18 on an input. Of no elements: 1. Integers
// wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceProd(FoldContext &cx) {
  return foldReduction(cx, Reduction::Product);
}

namespace onnxfold {
void registerReduceProd(KernelRegistry &registry) {
  registry.add("ReduceProd", {1, 11, 13, 18}, foldReduceProd)
      .movesSymbols(0)
      .costs(unitsOfReading);
}
} // namespace onnxfold
