//===- Scaler.cpp - Lowering of onnx.ml.Scaler ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (x - offset) * scale, each one number or one for each column.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerScaler(LoweringContext &cx) {
  View x = featuresOf(cx);
  auto offset = cx.op().getFloats("offset"), scale = cx.op().getFloats("scale");
  if (!offset || !scale || offset->size() != scale->size() || offset->empty() ||
      cx.input(0).rank() > 2)
    return Lowered::refused("offset and scale do not fit the input");
  int64_t count = offset->size();
  if (count != 1 && (x.columns.perBatch || x.columns.count != count))
    return Lowered::refused("offset and scale do not fit the input");
  if (llvm::is_contained(*scale, 0.0f))
    return Lowered::refused("a scale is 0, and SystemDS takes the product of "
                            "zero and NaN or infinity for 0");
  auto factor = [&](llvm::StringRef name, llvm::ArrayRef<float> values) {
    return count == 1 ? Expr(double(values[0]))
                      : listMatrix(cx, name, values, 1, count);
  };
  cx.define(0, (x.expr - factor("offset", *offset)) * factor("scale", *scale));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerScalerLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.Scaler", {1}, lowerScaler);
}
} // namespace onnxfold::dml
