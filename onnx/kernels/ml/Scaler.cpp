//===- Scaler.cpp - Constant kernel of onnx.ml.Scaler ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (x - offset) * scale, each one number or one for each column. Spec: onnx.ml
// Scaler, version 1. In double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldScaler(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto offset = cx.reals("offset"), scale = cx.reals("scale");
  if (!offset || !scale || offset->size() != scale->size())
    return invalid("attributes 'offset' and 'scale' are not lists of one "
                   "length");
  // Columns of more dimensions than two are not defined.
  int64_t count = offset->size();
  if (count != 1 &&
      (x.rank() < 1 || x.rank() > 2 || x.dim(x.rank() - 1) != count))
    return invalid(llvm::Twine(count) + " offsets for input #0 of shape " +
                   toString(x.shape()));
  auto wide = [&](llvm::ArrayRef<float> values) {
    Elements list = Elements::fromValues<float>({count}, values);
    return cast(x.rank() == 0 ? list.reshape({}) : list, DataType::Float64);
  };
  Elements moved = zip(cast(x, DataType::Float64), wide(*offset),
                       [](auto v, auto o) { return v - o; });
  return cast(zip(moved, wide(*scale), [](auto v, auto s) { return v * s; }),
              DataType::Float32);
}

namespace onnxfold {
void registerScaler(KernelRegistry &registry) {
  registry.add("ml.Scaler", {1}, foldScaler);
}
} // namespace onnxfold
