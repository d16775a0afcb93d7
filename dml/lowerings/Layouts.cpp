//===- Layouts.cpp - Lowerings of other layouts ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Axes and blocks that change places, and matrices of which a part is left.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

/// t() and helper functions: see Movement.h.
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

/// Blocks of channels become blocks of pixels: a transposition.
static Lowered lowerDepthToSpace(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  int64_t block = cx.op().getInt("blocksize", 1),
          channels = x[1] / (block * block);
  if (cx.op().getString("mode", "DCR") == "CRD")
    cx.define(0, transposed(cx, cx.natural(0),
                            {x[0], channels, block, block, x[2], x[3]},
                            {0, 1, 4, 2, 5, 3})
                     .view);
  else
    cx.define(0, transposed(cx, cx.natural(0),
                            {x[0], block, block, channels, x[2], x[3]},
                            {0, 3, 4, 1, 5, 2})
                     .view);
  return Lowered::done();
}

/// Blocks of pixels become channels: a transposition.
static Lowered lowerSpaceToDepth(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  int64_t block = cx.op().getInt("blocksize", 1);
  cx.define(0,
            transposed(cx, cx.natural(0),
                       {x[0], x[1], x[2] / block, block, x[3] / block, block},
                       {0, 3, 5, 1, 2, 4})
                .view);
  return Lowered::done();
}

/// The triangle of each matrix, the rest zeros. Without products: 0 * Inf is
/// NaN.
static Lowered lowerTrilu(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t h = x.dims[x.rank() - 2], w = x.dims.back();
  if (h == batchDim)
    return Lowered::refusedBatch("cuts along the free batch size");
  Size batches = sizeOf(llvm::ArrayRef<int64_t>(x.dims).drop_back(2));
  Expr k = cx.hasInput(1) ? cx.scalar(1) : Expr(0);
  Expr y = cx.helper("triangle", {cx.matrix(0), cx.expr(batches), h, w, k,
                                  cx.op().getInt("upper", 1)});
  cx.define(0, View{y, {batches.count * h, batches.perBatch}, {w}});
  return Lowered::done();
}

/// Columns side by side, of matrices with what comes before the axis as rows.
static Lowered lowerConcat(LoweringContext &cx) {
  int64_t axis = *normalizeAxis(
      cx.op().getInt("axis", cx.op().since() == 1 ? 1 : 0), cx.result().rank());
  if (axis == 0 && !cx.result().isStatic())
    return Lowered::refusedBatch("joins along the free batch size");
  std::vector<Argument> parts;
  Size columns{0, false}, rows;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (cx.input(i).isEmpty())
      continue;
    View part = cx.view(i, axis);
    parts.push_back(part.expr);
    columns.count += part.columns.count;
    rows = part.rows;
  }
  Expr joined = parts.size() == 1 ? parts[0].value : call("cbind", parts);
  cx.define(0, View{joined, rows, columns});
  return Lowered::done();
}

/// Of an output that nobody reads inference may not know the size.
static int64_t sizeOfPart(LoweringContext &cx, unsigned i, int64_t axis,
                          const std::optional<Shape> &sizes) {
  if (cx.isUsed(i))
    return cx.result(i).dims[axis];
  if (sizes)
    return (*sizes)[i];
  int64_t count = cx.op().numOutputs();
  return (cx.input(0).dims[axis] + count - 1) / count;
}

/// Slices one after the other.
static Lowered lowerSplit(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  if (x.dims[axis] == batchDim)
    return Lowered::refusedBatch("splits the free batch size");
  bool isKnown = true;
  std::optional<Shape> sizes = cx.ints(1, "split", isKnown);
  if (!isKnown)
    return Lowered::refused("the sizes are not constants",
                            "fix them with " + setting("bind"));
  int64_t first = 0;
  for (unsigned i = 0; i < cx.op().numOutputs(); ++i) {
    Shape indices(sizeOfPart(cx, i, axis, sizes));
    std::iota(indices.begin(), indices.end(), first);
    first += indices.size();
    if (cx.isUsed(i))
      cx.define(i, taken(cx, cx.natural(0), x.dims, axis, indices));
  }
  return Lowered::done();
}

/// Zeros around a smaller axis, the middle of a larger one.
static Lowered lowerCenterCropPad(LoweringContext &cx) {
  Shape dims = cx.input(0).dims;
  const Shape &wanted = cx.result().dims;
  View view = cx.natural(0);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    int64_t more = wanted[axis] - dims[axis];
    if (more == 0)
      continue;
    if (dims[axis] == batchDim || wanted[axis] == batchDim)
      return Lowered::refusedBatch("changes the free batch size");
    if (more > 0) {
      view = paddedAlong(cx, view, dims, axis, more / 2, more - more / 2, 0);
    } else {
      Shape kept(wanted[axis]);
      std::iota(kept.begin(), kept.end(), -more / 2);
      view = taken(cx, view, dims, axis, kept);
    }
    dims[axis] = wanted[axis];
  }
  cx.define(0, view);
  return Lowered::done();
}

/// How often each axis is repeated; what is not constant follows from the sizes:
/// a number of samples that is computed repeats an axis of size 1.
static std::optional<Shape> repeatsOf(LoweringContext &cx) {
  if (Elements repeats = cx.constant(1))
    return Shape(repeats.ints());
  Shape result;
  for (auto [from, to] : llvm::zip_equal(cx.input(0).dims, cx.result().dims)) {
    if (from != to && from != 1 && (from <= 0 || to < 0))
      return std::nullopt;
    result.push_back(from == to ? 1 : from == 1 ? to : to / from);
  }
  return result;
}

/// Each axis repeated; neighbours of 1 are cheap.
static Lowered lowerTile(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  std::optional<Shape> repeats = repeatsOf(cx);
  if (!repeats)
    return Lowered::refused("the repeats are not constant",
                            "fix them with " + setting("bind"));
  // (d0, d1) seen as (1, d0, 1, d1), expanded to (r0, d0, r1, d1).
  Shape from, to;
  for (auto [i, r] : llvm::enumerate(*repeats)) {
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
void registerLayoutsLowering(LoweringRegistry &registry) {
  registry.add("Transpose", {1, 13, 21, 23, 24, 25}, lowerTranspose);
  registry.add("DepthToSpace", {1, 11, 13}, lowerDepthToSpace);
  registry.add("SpaceToDepth", {1, 13}, lowerSpaceToDepth);
  registry.add("Trilu", {14}, lowerTrilu);
  registry.add("Concat", {1, 4, 11, 13}, lowerConcat);
  registry.add("Split", {2, 11, 13, 18}, lowerSplit);
  registry.add("CenterCropPad", {18}, lowerCenterCropPad);
  registry.add("Tile", {6, 13}, lowerTile);
}
} // namespace onnxfold::dml
