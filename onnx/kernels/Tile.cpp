//===- Tile.cpp - Constant kernel of onnx.Tile ----------------------------===//
//
// Repeated along every axis. Spec: onnx Tile, versions 6, 13. A count of 0
// makes an empty tensor.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/DataMovement.h"

using namespace onnxfold;

static FoldResult foldTile(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape repeats(cx.intsOf(1));
  if (int64_t(repeats.size()) != x.rank() ||
      llvm::any_of(repeats, [](int64_t n) { return n < 0; }))
    return invalid("repeats are " + toString(repeats) + ", expected one for " +
                   "each dimension of " + toString(x.shape()));
  // All dimensions and repeats as one list: no dimension of it can overflow.
  Shape factors(x.shape());
  factors.append(repeats);
  if (std::optional<Reason> large = cx.checkResult(x.type(), factors))
    return *large;
  return tile(x, repeats);
}

namespace onnxfold {
void registerTile(KernelRegistry &registry) {
  registry.add("Tile", {6, 13}, foldTile);
}
} // namespace onnxfold
