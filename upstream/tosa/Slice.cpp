//===- Slice.cpp - Constant kernel of tosa.slice -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `size` elements from `start` on, of each dimension; a size of -1 is all that follow.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaSlice(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape starts(cx.intsOf(1)), sizes(cx.intsOf(2));
  if (int64_t(starts.size()) != x.rank() || int64_t(sizes.size()) != x.rank())
    return invalid("it is of " + llvm::Twine(starts.size()) +
                   " dimensions, expected " + llvm::Twine(x.rank()));
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (starts[d] >= 0 && starts[d] <= x.dim(d) && sizes[d] == -1)
      sizes[d] = x.dim(d) - starts[d];
    if (starts[d] < 0 || sizes[d] < 0 || sizes[d] > x.dim(d) ||
        starts[d] > x.dim(d) - sizes[d])
      return invalid("elements " + toString(starts) + " and sizes " +
                     toString(sizes) + " are not inside of " +
                     toString(x.shape()));
  }
  return x.slice(starts, sizes, Shape(x.rank(), 1));
}

namespace onnxfold::upstream {
void registerTosaSlice(KernelRegistry &registry) {
  registry.add("slice", {1}, foldTosaSlice);
}
} // namespace onnxfold::upstream
