//===- Split.cpp - Lowering of onnx.Split --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices one after the other.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Of an output that nobody reads inference may not know the size.
static int64_t sizeOfPart(LoweringContext &cx, unsigned i, int64_t axis,
                          const std::optional<Shape> &sizes) {
  if (cx.isUsed(i))
    return cx.result(i).dims[axis];
  if (sizes)
    return (*sizes)[i];
  int64_t count = cx.op().numOutputs();
  return (cx.input(0).dims[axis] + count - 1) / count;
}

static Lowered lowerSplit(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  if (x.dims[axis] == batchDim)
    return Lowered::refusedBatch("splits the free batch size");
  bool isKnown = true;
  std::optional<Shape> sizes = cx.ints(1, "split", isKnown);
  if (!isKnown)
    return Lowered::refused("the sizes are not constants",
                            "fix them with --bind");
  int64_t first = 0;
  for (unsigned i = 0; i < cx.op().numOutputs(); ++i) {
    Shape indices(sizeOfPart(cx, i, axis, sizes));
    std::iota(indices.begin(), indices.end(), first);
    first += indices.size();
    if (cx.isUsed(i))
      cx.define(i, taken(cx, cx.natural(0), x.dims, axis, indices));
  }
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSplitLowering(LoweringRegistry &registry) {
  registry.add("Split", {2, 11, 13, 18}, lowerSplit);
}
} // namespace onnxfold::dml
