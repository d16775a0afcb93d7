//===- Extract.cpp - Constant kernel of tensor.extract ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One element. An index outside is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorExtract(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Slice slice{Shape(), Shape(x.rank(), 1), Shape(x.rank(), 1)};
  for (int64_t d = 0; d < x.rank(); ++d)
    slice.starts.push_back(upstream::indexOf(cx, d + 1));
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  return x.slice(slice.starts, slice.sizes, slice.steps).reshape({});
}

namespace onnxfold::upstream {
void registerTensorExtract(KernelRegistry &registry) {
  registry.add("extract", {1}, foldTensorExtract);
}
} // namespace onnxfold::upstream
