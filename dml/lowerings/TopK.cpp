//===- TopK.cpp - Lowering of onnx.TopK ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Row by row in a loop; of equal values the first one comes first. NaN is not
// seen.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Indexing.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTopK(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  bool isKnown = true;
  std::optional<Shape> count = cx.ints(1, "", isKnown);
  if (!isKnown)
    return Lowered::refused("k is not a constant",
                            "fix it with " + setting("bind"));
  int64_t k = count ? (*count)[0] : cx.op().getInt("k", 1);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -1), x.rank());
  std::optional<Moved> moved = axesLast(cx, cx.natural(0), x.dims, {axis});
  if (!moved || x.dims[axis] == batchDim)
    return Lowered::refusedBatch("sorts along the free batch size");
  View rows =
      cx.local("rows", cx.splitAt(moved->view, moved->dims, x.rank() - 1));
  View indices = cx.local(
      "places",
      View{cx.helper("top_k", {rows.expr, k, cx.op().getInt("largest", 1)}),
           rows.rows,
           {k}});
  View values{cx.helper("take_in_rows",
                        {rows.expr, rowNumbers(cx, rows.rows), indices.expr}),
              rows.rows,
              {k}};
  moved->dims.back() = k;
  if (cx.isUsed(0))
    cx.define(0, axisBack(cx, values, moved->dims, axis).view);
  if (cx.isUsed(1))
    cx.define(1, axisBack(cx, indices, moved->dims, axis).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerTopKLowering(LoweringRegistry &registry) {
  registry.add("TopK", {1, 10, 11, 24}, lowerTopK);
}
} // namespace onnxfold::dml
