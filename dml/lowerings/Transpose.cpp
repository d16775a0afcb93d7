//===- Transpose.cpp - Lowering of onnx.Transpose ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// t() and helper functions: see Movement.h.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTranspose(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  Shape perm(x.rank());
  for (int64_t i = 0; i < x.rank(); ++i)
    perm[i] = x.rank() - 1 - i;
  if (auto given = cx.op().getInts("perm"))
    perm.assign(given->begin(), given->end());
  if (!x.isStatic() && perm[0] != 0)
    return Lowered::refusedBatch("moves the free batch size");
  cx.define(0, transposed(cx, cx.natural(0), x.dims, perm).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerTransposeLowering(LoweringRegistry &registry) {
  registry.add("Transpose", {1, 13, 21, 23, 24, 25}, lowerTranspose);
}
} // namespace onnxfold::dml
