//===- TensorScatter.cpp - Lowering of onnx.TensorScatter ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Updates of each cache from its write index on; in mode circular they continue
// at the beginning. An index that is out of range is an error of the script.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTensorScatter(LoweringContext &cx) {
  const Tensor &cache = cx.input(0), &update = cx.input(1);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -2), cache.rank());
  if (axis == 0 || !cache.isStatic())
    return Lowered::refusedBatch("writes along the free batch size");
  // (batch, axis, others) as rows.
  Shape perm = {0, axis}, back;
  for (int64_t i = 1; i < cache.rank(); ++i)
    if (i != axis)
      perm.push_back(i);
  for (int64_t i = 0; i < cache.rank(); ++i)
    back.push_back(llvm::find(perm, i) - perm.begin());
  Moved to = transposed(cx, cx.natural(0), cache.dims, perm),
        from = transposed(cx, cx.natural(1), update.dims, perm);
  int64_t batch = to.dims[0], length = to.dims[1], count = from.dims[1];
  View data = cx.splitAt(to.view, to.dims, 2),
       values = cx.splitAt(from.view, from.dims, 2);
  Expr starts = cx.hasInput(2) ? cx.reshape(cx.natural(2), {batch}, {}).expr
                               : cx.filled(0, {batch}, {});
  bool circular = cx.op().getString("mode", "linear") == "circular";
  Expr places =
      cx.helper("write_places", {starts, count, length, circular ? 1 : 0});
  View y{cx.helper("scatter_rows", {data.expr, places, values.expr, 0}),
         data.rows, data.columns};
  cx.define(0, transposed(cx, cx.local("written", y), to.dims, back).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerTensorScatterLowering(LoweringRegistry &registry) {
  registry.add("TensorScatter", {24}, lowerTensorScatter);
}
} // namespace onnxfold::dml
