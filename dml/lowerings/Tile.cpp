//===- Tile.cpp - Lowering of onnx.Tile ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each axis repeated; neighbours of 1 are cheap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTile(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  Elements repeats = cx.constant(1);
  if (!repeats)
    return Lowered::refused("the repeats are not constant",
                            "fix them with --bind");
  // (d0, d1) seen as (1, d0, 1, d1), expanded to (r0, d0, r1, d1).
  Shape from, to;
  for (auto [i, r] : llvm::enumerate(repeats.ints())) {
    if (r != 1 && x.dims[i] == batchDim)
      return Lowered::refusedBatch("repeats the free batch size");
    if (r != 1) {
      from.push_back(1);
      to.push_back(r);
    }
    from.push_back(x.dims[i]);
    to.push_back(x.dims[i]);
  }
  Operand operand = operandOf(cx, 0);
  operand.dims = from;
  cx.define(0, expandTo(cx, operand, to));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerTileLowering(LoweringRegistry &registry) {
  registry.add("Tile", {6, 13}, lowerTile);
}
} // namespace onnxfold::dml
