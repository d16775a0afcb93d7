//===- TransposeConv2d.cpp - Constant kernel of tosa.transpose_conv2d ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Each element of [n, h, w, c] times the weights [f, kh, kw, c], added where it stands;
// plus a bias. Floats are summed in double and rounded once; sums of integers that do not fit are
// undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Zeros between the elements of an axis, `stride` from one to the next.
static Elements spread(const Elements &x, int64_t axis, int64_t stride) {
  Elements apart = x.unsqueeze({axis + 1});
  Shape begins(apart.rank(), 0), ends(apart.rank(), 0), shape(x.shape());
  ends[axis + 1] = stride - 1;
  shape[axis] *= stride;
  Elements all = ops::pad(apart, begins, ends).reshape(shape);
  return all.slice(axis, 0, std::max<int64_t>(0, shape[axis] - stride + 1));
}

static FoldResult foldTosaTransposeConv2d(FoldContext &cx) {
  const Elements &weights = cx.input(1);
  DataType type = cx.resultType();
  ReasonOr<Elements> x = withoutZeroPoint(cx, 0, 3);
  ReasonOr<Elements> w = withoutZeroPoint(cx, 1, 4);
  if (!x || !w)
    return x ? w.reason() : x.reason();
  Shape strides = cx.ints("stride").value_or(Shape());
  Shape outPad = cx.ints("out_pad").value_or(Shape());
  auto isSmall = [](int64_t n) { return n >= -(1 << 24) && n <= (1 << 24); };
  if (x->rank() != 4 || w->rank() != 4 || x->dim(3) != w->dim(3) ||
      strides.size() != 2 || outPad.size() != 4 || strides[0] < 1 ||
      strides[1] < 1 || !llvm::all_of(strides, isSmall) ||
      !llvm::all_of(outPad, isSmall) || x->size() == 0 || w->size() == 0)
    return invalid("shapes and attributes do not fit");
  DataType sums =
      typeOfSums(cx.input(0).type(), weights.type(), weights.size());
  Shape begins(4, 0), ends(4, 0), starts(4, 0), steps(4, 1), size(x->shape());
  for (int64_t d : {1, 2}) {
    begins[d] = w->dim(d) - 1 + outPad[2 * d - 2];
    ends[d] = w->dim(d) - 1 + outPad[2 * d - 1];
    starts[d] = w->dim(d) - 1, steps[d] = -1;
    size[d] = (x->dim(d) - 1) * strides[d - 1] + 1 + begins[d] + ends[d];
    if (size[d] < w->dim(d))
      return invalid("'out_pad' leaves nothing");
  }
  if (Reason large = cx.checkResult(sums, size))
    return large;
  // The convolution of the image, spread and padded, with the weights turned.
  Elements image = ops::cast(*x, sums);
  for (int64_t d : {1, 2})
    image = spread(image, d, strides[d - 1]);
  image = ops::pad(image, begins, ends);
  Elements turned = ops::cast(*w, sums).slice(starts, w->shape(), steps);
  Windows windows = {
      .kernel = {w->dim(1), w->dim(2)},
      .strides = {1, 1},
      .dilations = {1, 1},
      .begins = {0, 0},
      .ends = {0, 0},
      .positions = {size[1] - w->dim(1) + 1, size[2] - w->dim(2) + 1}};
  Elements view = viewOf(image, windows);
  if (Reason large = cx.checkResult(sums, view.shape()))
    return large;
  if (Reason much = cx.checkWork(double(view.size()) * double(w->dim(0))))
    return much;
  Elements result =
      ops::arranged(ops::contract({view, {0, 1, 2, 3, 4, 5}},
                                  {turned, {6, 3, 4, 5}}, {0, 1, 2, 6}),
                    {0, 1, 2, 6});
  return withBias(result, cx.input(2), type);
}

namespace onnxfold::upstream {
void registerTosaTransposeConv2d(KernelRegistry &registry) {
  registry.add("transpose_conv2d", {1}, foldTosaTransposeConv2d);
}
} // namespace onnxfold::upstream
