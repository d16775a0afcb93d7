//===- RotaryEmbedding.cpp - Kernel of com.microsoft.RotaryEmbedding ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of elements of each head, turned by the angle of their position: the
// standard's. One position is that of the first element of each sequence.
// Packed batches, and a scale, are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/AttentionKernels.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The positions as [batch, sequence].
static ReasonOr<Elements> positionsOf(FoldContext &cx, int64_t batch,
                                      int64_t sequence) {
  const Elements &given = cx.input(1);
  if (given.size() == 1 && given.rank() <= 1) {
    int64_t first = given.value<int64_t>();
    return range(DataType::Int64, WideNum::widen(first),
                 WideNum::widen(int64_t(1)), sequence)
        .unsqueeze({0})
        .expand({batch, sequence});
  }
  if (given.shape() != ShapeRef({batch, sequence}))
    return invalid("the positions have shape " + toString(given.shape()) +
                   ", expected " + toString(Shape{batch, sequence}));
  return given;
}

static FoldResult foldMicrosoftRotaryEmbedding(FoldContext &cx) {
  if (Reason wrong =
          checkInputs(cx, {{floats}, {int64}, {floats, 0}, {floats, 0}}))
    return wrong;
  if (cx.integer("is_packed_batching").value_or(0) != 0 ||
      cx.real("scale").value_or(1) != 1)
    return undefined("packed batches and scales are not documented");
  Elements x = cx.input(0);
  bool isPacked = x.rank() == 3;
  if ((!isPacked && x.rank() != 4) || cx.input(2).rank() != 2)
    return invalid("the inputs have shapes " + toString(x.shape()) + " and " +
                   toString(cx.input(2).shape()));
  int64_t heads = cx.integer("num_heads").value_or(0);
  if (heads == 0 && isPacked && cx.input(2).dim(1) > 0)
    heads = x.dim(2) / (2 * cx.input(2).dim(1));
  if (isPacked && (heads <= 0 || x.dim(2) % heads != 0))
    return invalid("there are " + llvm::Twine(heads) +
                   " heads, the input has shape " + toString(x.shape()));
  if (isPacked)
    x = splitHeads(x, heads);
  ReasonOr<Elements> positions = positionsOf(cx, x.dim(0), x.dim(2));
  if (!positions)
    return positions.reason();
  FoldResult y = runStandard(cx, "RotaryEmbedding", 23,
                             {x, cx.input(2), cx.input(3), *positions});
  return y && isPacked ? joinHeads(y.values()[0].tensor) : y;
}

namespace onnxfold {
void registerMicrosoftRotaryEmbedding(KernelRegistry &registry) {
  registry.add("microsoft.RotaryEmbedding", {1}, foldMicrosoftRotaryEmbedding)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
