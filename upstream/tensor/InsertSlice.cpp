//===- InsertSlice.cpp - Constant kernel of tensor.insert_slice ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor with another one at offsets, sizes and strides. What lies outside
// is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorInsertSlice(FoldContext &cx) {
  const Elements &part = cx.input(0), &x = cx.input(1);
  Slice slice = sliceOf(cx, 2);
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  if (checkedNumElements(slice.sizes) != part.size())
    return undefined("its operand has shape " + toString(part.shape()) +
                     ", and its sizes are " + toString(slice.sizes));
  return insert(x, part.reshape(slice.sizes), slice);
}

namespace onnxfold::upstream {
void registerTensorInsertSlice(KernelRegistry &registry) {
  registry.add("insert_slice", {1}, foldTensorInsertSlice);
}
} // namespace onnxfold::upstream
