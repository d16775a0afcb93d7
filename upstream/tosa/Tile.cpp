//===- Tile.cpp - Constant kernel of tosa.tile ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The input repeated along each dimension.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaTile(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape repeats(cx.intsOf(1)), shape(x.shape());
  if (int64_t(repeats.size()) != x.rank())
    return invalid("'multiples' has " + llvm::Twine(repeats.size()) +
                   " elements, expected " + llvm::Twine(x.rank()));
  for (auto [dim, repeat] : llvm::zip_equal(shape, repeats))
    if (repeat < 0 || llvm::MulOverflow(dim, repeat, dim))
      return invalid("'multiples' is " + toString(repeats));
  // A small input may become a large result.
  if (Reason reason = cx.checkResult(x.type(), shape))
    return reason;
  return ops::tile(x, repeats);
}

namespace onnxfold::upstream {
void registerTosaTile(KernelRegistry &registry) {
  registry.add("tile", {1}, foldTosaTile);
}
} // namespace onnxfold::upstream
