//===- Where.cpp - Constant kernel of onnx.Where --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// condition ? x : y, all broadcast together. Spec: onnx Where, versions 9, 16.
// Any element type; partly known integers pass.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldWhere(FoldContext &cx) {
  if (cx.isSymbolic())
    return selectSymbols(cx);
  const Elements &condition = cx.input(0);
  if (condition.type() != DataType::Bool)
    return invalid("input #0 has element type " + name(condition.type()) +
                   ", expected bool");
  if (Reason mismatch = checkSameType(cx, 1))
    return mismatch;
  if (Reason mismatch = checkBroadcast(cx))
    return mismatch;
  return select(condition, cx.input(1), cx.input(2));
}

namespace onnxfold {
void registerWhere(KernelRegistry &registry) {
  registry.add("Where", {9, 16}, foldWhere).movesSymbols();
}
} // namespace onnxfold
