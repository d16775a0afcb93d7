//===- BitwiseNot.cpp - Constant kernel of onnx.BitwiseNot ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All bits of an integer inverted. Spec: onnx BitwiseNot, version 18.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldBitwiseNot(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Elements result;
  visitInteger(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = mapAs<T, T>(x, [](T v) { return T(~v); });
  });
  return result;
}

namespace onnxfold {
void registerBitwiseNot(KernelRegistry &registry) {
  registry.add("BitwiseNot", {18}, foldBitwiseNot);
}
} // namespace onnxfold
