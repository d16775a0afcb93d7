//===- Concat.cpp - Lowering of onnx.Concat ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Columns side by side, of matrices with what comes before the axis as rows.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerConcat(LoweringContext &cx) {
  int64_t axis = *normalizeAxis(
      cx.op().getInt("axis", cx.op().since() == 1 ? 1 : 0), cx.result().rank());
  if (axis == 0 && !cx.result().isStatic())
    return Lowered::refusedBatch("joins along the free batch size");
  std::vector<Argument> parts;
  Size columns{0, false}, rows;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (cx.input(i).isEmpty())
      continue;
    View part = cx.view(i, axis);
    parts.push_back(part.expr);
    columns.count += part.columns.count;
    rows = part.rows;
  }
  Expr joined = parts.size() == 1 ? parts[0].value : call("cbind", parts);
  cx.define(0, View{joined, rows, columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConcatLowering(LoweringRegistry &registry) {
  registry.add("Concat", {1, 4, 11, 13}, lowerConcat);
}
} // namespace onnxfold::dml
