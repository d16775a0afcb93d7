//===- Split.cpp - Lowering of onnx.Split --------------------------------===//
//
// Slices one after the other.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSplit(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  if (x.dims[axis] == batchDim)
    return Lowered::refused("splits the free batch size", "fix it with --dim");
  int64_t first = 0;
  for (unsigned i = 0; i < cx.op().numOutputs(); ++i) {
    if (!cx.isUsed(i))
      return Lowered::refused(
          "an output is not used, so its size is not known");
    Shape indices(cx.result(i).dims[axis]);
    std::iota(indices.begin(), indices.end(), first);
    first += indices.size();
    cx.define(i, taken(cx, cx.natural(0), x.dims, axis, indices));
  }
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSplitLowering(LoweringRegistry &registry) {
  registry.add("Split", {2, 11, 13, 18}, lowerSplit);
}
} // namespace onnxfold::dml
