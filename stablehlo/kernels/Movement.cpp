//===- Movement.cpp - Constant kernels of data movement -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements are moved and not changed. The forms with `dynamic` in their name
// have shapes as operands.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

/// Dimension d of x becomes dimension broadcast_dimensions[d]; elements repeat
/// along the others.
static FoldResult foldBroadcastInDim(FoldContext &cx) {
  ReasonOr<Shape> dims = listOf(cx, "broadcast_dimensions", cx.input(0).rank());
  ReasonOr<Shape> shape = resultShape(cx);
  if (!dims || !shape)
    return dims ? shape.reason() : dims.reason();
  return broadcastIn(cx.input(0), *dims, *shape);
}

/// A shape that is an operand.
static ReasonOr<Shape> shapeOperand(FoldContext &cx, unsigned input,
                                    DataType type) {
  const Elements &given = cx.input(input);
  if (!isInteger(given.type()) || given.rank() != 1)
    return invalid("operand #" + Twine(input) + " is no shape");
  Shape shape(cx.intsOf(input));
  if (!checkedNumElements(shape))
    return invalid("operand #" + Twine(input) + " is " + toString(shape));
  if (Reason large = cx.checkResult(type, shape))
    return large;
  return shape;
}

static FoldResult foldDynamicBroadcastInDim(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Shape> dims = listOf(cx, "broadcast_dimensions", x.rank());
  ReasonOr<Shape> shape = shapeOperand(cx, 1, x.type());
  if (!dims || !shape)
    return dims ? shape.reason() : dims.reason();
  return broadcastIn(x, *dims, *shape);
}

/// New dimensions before those of x.
static FoldResult foldBroadcast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Shape> sizes = listOf(cx, "broadcast_sizes", -1);
  if (!sizes)
    return sizes.reason();
  Shape shape(*sizes);
  shape.append(x.shape().begin(), x.shape().end());
  if (!checkedNumElements(shape))
    return invalid("'broadcast_sizes' is " + toString(*sizes));
  if (Reason large = cx.checkResult(x.type(), shape))
    return large;
  return x.expand(shape);
}

static FoldResult reshaped(const Elements &x, ShapeRef shape) {
  if (checkedNumElements(shape) != x.size())
    return invalid("the shape " + toString(shape) + " has not " +
                   Twine(x.size()) + " elements");
  return x.reshape(shape);
}

/// The same elements in another shape.
static FoldResult foldReshape(FoldContext &cx) {
  ReasonOr<Shape> shape = resultShape(cx);
  return shape ? reshaped(cx.input(0), *shape) : FoldResult(shape.reason());
}

static FoldResult foldDynamicReshape(FoldContext &cx) {
  ReasonOr<Shape> shape = shapeOperand(cx, 1, cx.input(0).type());
  return shape ? reshaped(cx.input(0), *shape) : FoldResult(shape.reason());
}

/// Dimension k of the result is dimension permutation[k] of x.
static FoldResult foldTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape permutation = cx.ints("permutation").value_or(Shape());
  if (!isPermutation(permutation, x.rank()))
    return invalid("attribute 'permutation' is " + toString(permutation) +
                   ", expected a permutation of " + Twine(x.rank()) +
                   " dimensions");
  return x.transpose(permutation);
}

/// The inputs one after the other along a dimension.
static FoldResult foldConcatenate(FoldContext &cx) {
  const Elements &first = cx.input(0);
  ReasonOr<int64_t> dim = dimensionOf(cx, "dimension", first.rank());
  if (!dim)
    return dim.reason();
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    const Elements &part = cx.input(i);
    Shape shape(part.shape()), expected(first.shape());
    if (shape.size() == expected.size())
      shape[*dim] = expected[*dim];
    if (part.type() != first.type() || shape != expected)
      return invalid("operand #" + Twine(i) + " has shape " +
                     toString(part.shape()) + ", which does not continue " +
                     toString(first.shape()));
    parts.push_back(part);
  }
  return ops::concat(parts, *dim);
}

/// The elements along some dimensions from the last one to the first.
static FoldResult foldReverse(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Shape> dims = listOf(cx, "dimensions", -1);
  if (!dims)
    return dims.reason();
  if (Reason wrong = checkDimensions(*dims, x.rank(), "dimensions"))
    return wrong;
  Shape starts(x.rank(), 0), steps(x.rank(), 1);
  for (int64_t d : *dims)
    if (x.dim(d) > 0)
      starts[d] = x.dim(d) - 1, steps[d] = -1;
  return x.slice(starts, x.shape(), steps);
}

/// The elements from start_indices up to limit_indices, each strides-th.
static FoldResult foldSlice(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Shape> starts = listOf(cx, "start_indices", x.rank());
  ReasonOr<Shape> limits = listOf(cx, "limit_indices", x.rank());
  ReasonOr<Shape> steps = listOf(cx, "strides", x.rank(), 1);
  for (const ReasonOr<Shape> *list : {&starts, &limits, &steps})
    if (!*list)
      return list->reason();
  return sliced(x, *starts, *limits, *steps);
}

/// A shape-like operand as long as the rank of x.
static ReasonOr<Shape> listOperand(FoldContext &cx, unsigned input) {
  const Elements &list = cx.input(input);
  if (list.rank() == 1 && list.dim(0) == cx.input(0).rank() &&
      isInteger(list.type()))
    return Shape(cx.intsOf(input));
  return invalid("operand #" + Twine(input) + " is not a list of " +
                 Twine(cx.input(0).rank()) + " integers");
}

static FoldResult foldRealDynamicSlice(FoldContext &cx) {
  ReasonOr<Shape> starts = listOperand(cx, 1), limits = listOperand(cx, 2);
  ReasonOr<Shape> steps = listOperand(cx, 3);
  for (const ReasonOr<Shape> *list : {&starts, &limits, &steps})
    if (!*list)
      return list->reason();
  return sliced(cx.input(0), *starts, *limits, *steps);
}

/// `slice_sizes` elements from the indices on that are operands, moved so that
/// they are inside.
static FoldResult foldDynamicSlice(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Shape> sizes = listOf(cx, "slice_sizes", x.rank());
  if (!sizes)
    return sizes.reason();
  ReasonOr<Shape> starts = clampedStart(cx, 1, x.shape(), *sizes);
  if (!starts)
    return starts.reason();
  return x.slice(*starts, *sizes, Shape(x.rank(), 1));
}

/// x with a part of it replaced, from the indices on that are operands, moved so
/// that it is inside.
static FoldResult foldDynamicUpdateSlice(FoldContext &cx) {
  const Elements &x = cx.input(0), &update = cx.input(1);
  if (x.type() != update.type() || x.rank() != update.rank())
    return invalid("the update is not of the type of operand #0");
  ReasonOr<Shape> starts = clampedStart(cx, 2, x.shape(), update.shape());
  if (!starts)
    return starts.reason();
  return upstream::insert(x, update,
                          {*starts, Shape(update.shape()), Shape(x.rank(), 1)});
}

/// A value at the edges and between elements.
static FoldResult foldPad(FoldContext &cx, const ReasonOr<Shape> &low,
                          const ReasonOr<Shape> &high,
                          const ReasonOr<Shape> &interior) {
  for (const ReasonOr<Shape> *list : {&low, &high, &interior})
    if (!*list)
      return list->reason();
  const Elements &x = cx.input(0), &fill = cx.input(1);
  if (fill.size() != 1 || fill.type() != x.type())
    return invalid("operand #1 is not one " + name(x.type()));
  return padded(cx, x, fill, {*low, *high, *interior});
}

static FoldResult foldStaticPad(FoldContext &cx) {
  int64_t rank = cx.input(0).rank();
  return foldPad(cx, listOf(cx, "edge_padding_low", rank),
                 listOf(cx, "edge_padding_high", rank),
                 listOf(cx, "interior_padding", rank));
}

static FoldResult foldDynamicPad(FoldContext &cx) {
  return foldPad(cx, listOperand(cx, 2), listOperand(cx, 3),
                 listOperand(cx, 4));
}

static FoldResult iotaOf(FoldContext &cx, ShapeRef shape) {
  ReasonOr<int64_t> dim = dimensionOf(cx, "iota_dimension", shape.size());
  if (!dim)
    return dim.reason();
  Elements numbers = counterAlong(*dim, shape[*dim], shape.size());
  DataType type = cx.resultType();
  if (type == DataType::Bool)
    return Elements();
  if (isComplex(type))
    return complexOf(numbers, type).expand(shape);
  return ops::cast(numbers, type).expand(shape);
}

/// The index along a dimension.
static FoldResult foldIota(FoldContext &cx) {
  ReasonOr<Shape> shape = resultShape(cx);
  return shape ? iotaOf(cx, *shape) : FoldResult(shape.reason());
}

static FoldResult foldDynamicIota(FoldContext &cx) {
  ReasonOr<Shape> shape = shapeOperand(cx, 0, cx.resultType());
  return shape ? iotaOf(cx, *shape) : FoldResult(shape.reason());
}

/// The size of a dimension, of a tensor that may be unknown.
static FoldResult foldGetDimensionSize(FoldContext &cx) {
  auto shape = cx.inputShape(0);
  if (!shape)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  ReasonOr<int64_t> dim = dimensionOf(cx, "dimension", shape->size());
  if (!dim)
    return dim.reason();
  std::optional<int64_t> size = cx.exprs().valueOf((*shape)[*dim]);
  if (!size)
    return notFolded(ReasonCode::InputNotConstant, "the size is not known");
  return ops::cast(Elements::splat<int64_t>({}, *size), cx.resultType());
}

namespace onnxfold::hlo {
void registerMovement(KernelRegistry &registry) {
  registry.add("broadcast_in_dim", {1}, counted<foldBroadcastInDim, 1>);
  registry.add("dynamic_broadcast_in_dim", {1},
               counted<foldDynamicBroadcastInDim, 2>);
  registry.add("broadcast", {1}, counted<foldBroadcast, 1>);
  registry.add("reshape", {1}, counted<foldReshape, 1>);
  registry.add("dynamic_reshape", {1}, counted<foldDynamicReshape, 2>);
  registry.add("transpose", {1}, counted<foldTranspose, 1>);
  registry.add("concatenate", {1}, countedFrom<foldConcatenate, 1>);
  registry.add("reverse", {1}, counted<foldReverse, 1>);
  registry.add("slice", {1}, counted<foldSlice, 1>);
  registry.add("real_dynamic_slice", {1}, counted<foldRealDynamicSlice, 4>);
  registry.add("dynamic_slice", {1}, countedFrom<foldDynamicSlice, 1>);
  registry.add("dynamic_update_slice", {1},
               countedFrom<foldDynamicUpdateSlice, 2>);
  registry.add("pad", {1}, counted<foldStaticPad, 2>);
  registry.add("dynamic_pad", {1}, counted<foldDynamicPad, 5>);
  registry.add("iota", {1}, foldIota);
  registry.add("dynamic_iota", {1}, counted<foldDynamicIota, 1>);
  registry.add("get_dimension_size", {1}, counted<foldGetDimensionSize, 1>)
      .ignoresValue(0);
}
} // namespace onnxfold::hlo
