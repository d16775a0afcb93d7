//===- Shape.cpp - Lowering of onnx.Shape ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers but for the free batch size. All others fold.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerShape(LoweringContext &cx) {
  const Shape &dims = cx.input(0).dims;
  int64_t rank = dims.size();
  auto bound = [&](llvm::StringRef name, int64_t byDefault) {
    int64_t at = cx.op().getInt(name, byDefault);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  std::vector<Argument> sizes;
  for (int64_t i = bound("start", 0), end = bound("end", rank); i < end; ++i)
    sizes.push_back(matrix(cx.expr(sizeOf({dims[i]})), 1, 1));
  cx.define(0, sizes.size() == 1 ? sizes[0].value : call("cbind", sizes));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerShapeLowering(LoweringRegistry &registry) {
  registry.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, lowerShape);
}
} // namespace onnxfold::dml
