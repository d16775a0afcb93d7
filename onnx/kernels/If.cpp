//===- If.cpp - Constant kernel of onnx.If --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What the branch gives that the condition chooses. Spec: onnx If, versions 1,
// 11, 13 (sequences), 16 (optionals), 19, 21, 23, 24, 25.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bodies.h"

using namespace onnxfold;

static FoldResult foldIf(FoldContext &cx) {
  if (Reason wrong = checkScalar(cx, 0, DataType::Bool))
    return wrong;
  bool condition = cx.input(0).reshape({}).value<bool>();
  return runBranch(cx, condition ? "then_branch" : "else_branch");
}

namespace onnxfold {
void registerIf(KernelRegistry &registry) {
  registry.add("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, foldIf);
}
} // namespace onnxfold
