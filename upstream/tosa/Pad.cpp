//===- Pad.cpp - Constant kernel of tosa.pad -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements of one value around the input: two counts per dimension.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaPad(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape counts(cx.intsOf(1)), begins, ends, shape(x.shape());
  if (int64_t(counts.size()) != 2 * x.rank() || cx.input(2).size() != 1)
    return invalid("'padding' has " + llvm::Twine(counts.size()) +
                   " elements, expected " + llvm::Twine(2 * x.rank()));
  for (int64_t d = 0; d < x.rank(); ++d) {
    begins.push_back(counts[2 * d]);
    ends.push_back(counts[2 * d + 1]);
    if (begins[d] < 0 || ends[d] < 0 ||
        llvm::AddOverflow(shape[d], begins[d], shape[d]) ||
        llvm::AddOverflow(shape[d], ends[d], shape[d]))
      return invalid("'padding' is " + toString(counts));
  }
  if (Reason reason = cx.checkResult(x.type(), shape))
    return reason;
  return ops::pad(x, begins, ends, ops::PadMode::Constant,
                  cx.input(2).reshape({}));
}

namespace onnxfold::upstream {
void registerTosaPad(KernelRegistry &registry) {
  registry.add("pad", {1}, foldTosaPad);
}
} // namespace onnxfold::upstream
