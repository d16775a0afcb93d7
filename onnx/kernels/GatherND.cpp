//===- GatherND.cpp - Constant kernel of onnx.GatherND --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements or slices by tuples of indices, which are the last dimension of the
// second input. Spec: onnx GatherND, versions 11, 12 (batch_dims), 13. An
// index that is out of range is an error of the model: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGatherND(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  int64_t batch = cx.integer("batch_dims").value_or(0);
  std::string text = "input #0 has shape " + toString(x.shape()) +
                     ", the indices " + toString(indices.shape());
  if (batch < 0 || batch >= std::min(x.rank(), indices.rank()))
    return invalid("attribute 'batch_dims' is " + llvm::Twine(batch) + ", " +
                   text);
  int64_t length = indices.shape().back();
  if (x.shape().take_front(batch) != indices.shape().take_front(batch) ||
      length < 1 || length > x.rank() - batch)
    return invalid(text);
  if (Reason outside = checkIndexTuples(indices, x.shape(), batch))
    return outside;
  Shape shape(indices.shape().drop_back());
  shape.append(x.shape().begin() + batch + length, x.shape().end());
  if (Reason large = cx.checkResult(x.type(), shape))
    return large;
  if (Reason much = cx.checkWork(double(numElements(shape)), unitsOfFunction))
    return much;
  return gatherND(x, indices, batch);
}

namespace onnxfold {
void registerGatherND(KernelRegistry &registry) {
  registry.add("GatherND", {11, 12, 13}, foldGatherND).movesSymbols(0);
}
} // namespace onnxfold
