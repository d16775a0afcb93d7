//===- Transpose.cpp - Constant kernel of tosa.transpose -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Dimension k of the result is dimension perms[k] of the input.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape perms = cx.ints("perms").value_or(Shape());
  if (!isPermutation(perms, x.rank()))
    return invalid("attribute 'perms' is " + toString(perms) +
                   ", expected a permutation of " + llvm::Twine(x.rank()) +
                   " dimensions");
  return x.transpose(perms);
}

namespace onnxfold::upstream {
void registerTosaTranspose(KernelRegistry &registry) {
  registry.add("transpose", {1}, foldTosaTranspose);
}
} // namespace onnxfold::upstream
