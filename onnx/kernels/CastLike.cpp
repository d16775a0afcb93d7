//===- CastLike.cpp - Constant kernel of onnx.CastLike --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements of input #0 in the type of input #1, whose value does not
// matter. Spec: onnx CastLike, versions 15, 19 (float8, saturate), 21, 23, 24
// (round_mode), 25. Rules as Cast.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Casting.h"

using namespace onnxfold;

static FoldResult foldCastLike(FoldContext &cx) {
  DataType type = cx.inputType(1);
  if (type == DataType::Undefined)
    return notFolded(ReasonCode::InputNotConstant,
                     "the element type of input #1 is not known");
  return castInput(cx, type);
}

namespace onnxfold {
void registerCastLike(KernelRegistry &registry) {
  registry.add("CastLike", {15, 19, 21, 23, 24, 25}, foldCastLike)
      .ignoresValue(1)
      .movesSymbols(0);
}
} // namespace onnxfold
