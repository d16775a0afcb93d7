//===- Compress.cpp - Lowering of onnx.Compress --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Indices of a condition that is constant: else the size would depend on values.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCompress(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  Elements condition = cx.constant(1);
  if (!condition)
    return Lowered::refused("the condition is not a constant",
                            "fix it with --bind");
  std::optional<int64_t> axis = cx.op().getInt("axis");
  Shape indices;
  for (auto [i, isKept] : llvm::enumerate(condition.values<bool>()))
    if (isKept)
      indices.push_back(i);
  if (!x.isStatic() && (!axis || *normalizeAxis(*axis, x.rank()) == 0))
    return Lowered::refusedBatch("compresses the free batch size");
  Shape flat = {sizeOf(x.dims).count};
  cx.define(0, axis ? taken(cx, cx.natural(0), x.dims,
                            *normalizeAxis(*axis, x.rank()), indices)
                    : taken(cx, cx.natural(0), flat, 0, indices));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerCompressLowering(LoweringRegistry &registry) {
  registry.add("Compress", {9, 11}, lowerCompress);
}
} // namespace onnxfold::dml
