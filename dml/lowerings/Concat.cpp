//===- Concat.cpp - Lowering of onnx.Concat ------------------------------===//
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
    return Lowered::refused("joins along the free batch size",
                            "fix it with --dim");
  std::vector<Argument> parts;
  Size columns{0, false}, rows;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    View part = cx.view(i, axis);
    parts.push_back(part.expr);
    columns.count += part.columns.count;
    rows = part.rows;
  }
  if (parts.size() == 1)
    cx.define(0, cx.matrix(0));
  else
    cx.define(0, View{call("cbind", parts), rows, columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConcatLowering(LoweringRegistry &registry) {
  registry.add("Concat", {1, 4, 11, 13}, lowerConcat);
}
} // namespace onnxfold::dml
