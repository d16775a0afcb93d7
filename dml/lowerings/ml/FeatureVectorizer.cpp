//===- FeatureVectorizer.cpp - Lowering of onnx.ml.FeatureVectorizer -----===//
// SPDX-License-Identifier: Apache-2.0
//
// All inputs side by side; one with more columns than inputdimensions says is cut
// off, one with fewer gets columns of zeros.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerFeatureVectorizer(LoweringContext &cx) {
  auto widths = cx.op().getInts("inputdimensions");
  if (widths && widths->size() != cx.numInputs())
    return Lowered::refused("inputdimensions is not one size for each input");
  std::vector<Argument> parts;
  int64_t total = 0;
  Size rows = cx.natural(0).rows;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    View x = cx.natural(i);
    if (cx.input(i).rank() > 2 || x.columns.perBatch || x.rows != rows)
      return Lowered::refused("the inputs are not matrices of the same rows");
    int64_t width = widths ? (*widths)[i] : x.columns.count;
    if (width < x.columns.count)
      parts.push_back(x.expr.slice({}, {}, 1, width));
    else
      parts.push_back(x.expr);
    if (width > x.columns.count)
      parts.push_back(cx.filled(0, rows, {width - x.columns.count}));
    total += width;
  }
  Expr all = parts.size() == 1 ? parts[0].value : call("cbind", parts);
  cx.define(0, View{all, rows, {total}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerFeatureVectorizerLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.FeatureVectorizer", {1}, lowerFeatureVectorizer);
}
} // namespace onnxfold::dml
