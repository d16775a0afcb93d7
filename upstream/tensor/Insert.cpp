//===- Insert.cpp - Constant kernel of tensor.insert --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor with another scalar at an index. One outside is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorInsert(FoldContext &cx) {
  const Elements &x = cx.input(1);
  Slice slice{Shape(), Shape(x.rank(), 1), Shape(x.rank(), 1)};
  for (int64_t d = 0; d < x.rank(); ++d)
    slice.starts.push_back(upstream::indexOf(cx, d + 2));
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  return insert(x, cx.input(0).reshape(slice.sizes), slice);
}

namespace onnxfold::upstream {
void registerTensorInsert(KernelRegistry &registry) {
  registry.add("insert", {1}, foldTensorInsert);
}
} // namespace onnxfold::upstream
