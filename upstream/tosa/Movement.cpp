//===- Movement.cpp - Constant kernels of data movement in tosa -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements are moved and not changed.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// y = x.
static FoldResult foldTosaIdentity(FoldContext &cx) { return cx.input(0); }

/// The inputs one after the other along an axis.
static FoldResult foldTosaConcat(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return ops::concat(parts, *axis);
}

/// y[n, w, c] = values[n, indices[n, w], c]. Indices outside are undefined.
static FoldResult foldTosaGather(FoldContext &cx) {
  const Elements &values = cx.input(0);
  Elements indices = toInt64(cx.input(1));
  if (values.rank() != 3 || indices.rank() != 2 ||
      values.dim(0) != indices.dim(0))
    return invalid("the shapes do not fit");
  if (Reason wrong = checkIndices(indices, values.dim(1)))
    return wrong;
  return ops::gatherND(values, indices.unsqueeze({2}), /*batchDims=*/1);
}

/// A copy of the values with y[n, indices[n, w], c] = input[n, w, c]. Indices
/// outside, and equal ones in one batch, are undefined.
static FoldResult foldTosaScatter(FoldContext &cx) {
  const Elements &values = cx.input(0), &updates = cx.input(2);
  Elements indices = toInt64(cx.input(1));
  if (values.rank() != 3 || indices.rank() != 2 || updates.rank() != 3 ||
      updates.dim(0) != indices.dim(0) || updates.dim(1) != indices.dim(1) ||
      updates.dim(0) != values.dim(0) || updates.dim(2) != values.dim(2))
    return invalid("the shapes do not fit");
  if (Reason wrong = checkIndices(indices, values.dim(1)))
    return wrong;
  Shape each = {indices.dim(0), indices.dim(1), 1};
  Elements tuples =
      ops::concat({ops::iota(each, 0), indices.unsqueeze({2})}, 2);
  if (auto twice = ops::firstRepeatedSlice(values, tuples))
    return undefined("index " +
                     toString(ops::indexOf(*twice, indices.shape())) +
                     " is there twice");
  return ops::scatterND(values, tuples, updates);
}

/// Elements of one value around the input: two counts per dimension.
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

/// The same elements in another shape, in which one size may be -1: what is
/// left over.
static FoldResult foldTosaReshape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape shape(cx.intsOf(1));
  auto wrong = [&] {
    return invalid("the shape " + toString(cx.intsOf(1)) + " has not " +
                   llvm::Twine(x.size()) + " elements");
  };
  if (llvm::count(shape, -1) > 1)
    return wrong();
  if (auto open = llvm::find(shape, -1); open != shape.end()) {
    *open = 1;
    std::optional<int64_t> rest = checkedNumElements(shape);
    if (!rest || *rest == 0)
      return wrong();
    *open = x.size() / *rest;
  }
  if (checkedNumElements(shape) != x.size())
    return wrong();
  return x.reshape(shape);
}

/// The elements along an axis from the last one to the first.
static FoldResult foldTosaReverse(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  Shape starts(x.rank(), 0), steps(x.rank(), 1);
  if (x.dim(*axis) > 0)
    starts[*axis] = x.dim(*axis) - 1, steps[*axis] = -1;
  return x.slice(starts, x.shape(), steps);
}

/// `size` elements from `start` on, of each dimension; a size of -1 is all that
/// follow.
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

/// The input repeated along each dimension.
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

/// Dimension k of the result is dimension perms[k] of the input.
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
void registerTosaMovement(KernelRegistry &registry) {
  registry.add("identity", {1}, foldTosaIdentity);
  registry.add("concat", {1}, foldTosaConcat);
  registry.add("gather", {1}, foldTosaGather);
  registry.add("scatter", {1}, foldTosaScatter);
  registry.add("pad", {1}, foldTosaPad);
  registry.add("reshape", {1}, foldTosaReshape);
  registry.add("reverse", {1}, foldTosaReverse);
  registry.add("slice", {1}, foldTosaSlice);
  registry.add("tile", {1}, foldTosaTile);
  registry.add("transpose", {1}, foldTosaTranspose);
}
} // namespace onnxfold::upstream
