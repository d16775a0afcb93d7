//===- Flatten.cpp - Constant kernel of onnx.Flatten ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A matrix, cut before an axis, as a view. Spec: onnx Flatten, versions 1, 9,
// 11 (negative axes), 13, 21, 23, 24, 25. axis = rank leaves one column.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldFlatten(FoldContext &cx) {
  const Elements &x = cx.input(0);
  int64_t given = cx.integer("axis").value_or(1);
  int64_t axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis > x.rank())
    return invalid("attribute 'axis' is " + llvm::Twine(given) +
                   ", the rank is " + llvm::Twine(x.rank()));
  return x.reshape({numElements(x.shape().take_front(axis)),
                    numElements(x.shape().drop_front(axis))});
}

namespace onnxfold {
void registerFlatten(KernelRegistry &registry) {
  registry.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, foldFlatten)
      .movesSymbols(0);
}
} // namespace onnxfold
