//===- TosaWindows.cpp - Convolutions and pooling of tosa -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/TosaWindows.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

ReasonOr<Windows> upstream::windowsOf(FoldContext &cx, ShapeRef image,
                                      ShapeRef kernel) {
  size_t rank = kernel.size();
  ReasonOr<Pads> pads = padsOf(cx, "pad");
  if (!pads)
    return pads.reason();
  Windows w = {.kernel = Shape(kernel),
               .strides = cx.ints("stride").value_or(Shape(rank, 1)),
               .dilations = cx.ints("dilation").value_or(Shape(rank, 1)),
               .begins = pads->begins,
               .ends = pads->ends,
               .positions = {}};
  auto isSmall = [](int64_t n) { return n > 0 && n <= (int64_t(1) << 31); };
  if (image.size() != rank + 2 || w.strides.size() != rank ||
      w.dilations.size() != rank || w.begins.size() != rank ||
      !llvm::all_of(w.kernel, isSmall) || !llvm::all_of(w.strides, isSmall) ||
      !llvm::all_of(w.dilations, isSmall))
    return invalid("the window " + toString(kernel) + ", strides " +
                   toString(w.strides) + " and dilations " +
                   toString(w.dilations) + " do not fit an image of shape " +
                   toString(image));
  for (size_t d = 0; d < rank; ++d) {
    __int128 room = __int128(image[d + 1]) + w.begins[d] + w.ends[d] - 1 -
                    __int128(kernel[d] - 1) * w.dilations[d];
    if (room < 0)
      return invalid("no window " + toString(kernel) +
                     " fits an image of shape " + toString(image));
    w.positions.push_back(int64_t(room / w.strides[d]) + 1);
  }
  return w;
}

Elements upstream::padded(const Elements &x, const Windows &windows,
                          const Elements &fill) {
  auto around = [](ShapeRef counts) {
    Shape all = {0};
    all.append(counts.begin(), counts.end());
    all.push_back(0);
    return all;
  };
  return ops::pad(x, around(windows.begins), around(windows.ends),
                  ops::PadMode::Constant, fill);
}

Elements upstream::viewOf(const Elements &x, const Windows &windows) {
  size_t rank = windows.kernel.size();
  Elements result = x;
  Shape perm = {0};
  for (size_t d = 0; d < rank; ++d) {
    Shape each = {windows.positions[d], windows.kernel[d]};
    int64_t stride = windows.strides[d], dilation = windows.dilations[d];
    Elements indices = ops::zipAs<int64_t, int64_t, int64_t>(
        ops::iota(each, 0), ops::iota(each, 1),
        [=](int64_t at, int64_t tap) { return at * stride + tap * dilation; });
    result = ops::gather(result, indices.materialize(), 2 * d + 1);
  }
  for (size_t first : {1, 2})
    for (size_t d = 0; d < rank; ++d)
      perm.push_back(2 * d + first);
  perm.push_back(2 * rank + 1);
  return result.transpose(perm);
}

DataType upstream::typeOfSums(DataType a, DataType b, int64_t count) {
  if (isFloat(a))
    return DataType::Float64;
  // A zero point adds a bit to each.
  unsigned bits = bitWidth(a) + bitWidth(b) + 2 +
                  llvm::Log2_64_Ceil(std::max<int64_t>(count, 1));
  return bits <= 53 ? DataType::Float64 : DataType::Int64;
}

FoldResult upstream::withBias(const Elements &sums, const Elements &bias,
                              DataType type) {
  if (!sums)
    return Elements();
  DataType computed = isFloat(type) ? DataType::Float64 : DataType::Int64;
  Elements result =
      ops::zip(ops::cast(sums, computed), ops::cast(bias, computed),
               [](auto a, auto b) { return ops::add(a, b); });
  return isFloat(type) ? FoldResult(ops::cast(result, type))
                       : narrowed(result, type);
}

/// The names of the dimensions: batch, then positions, taps, and channels.
enum Label { batch, channel, filter, position, tap = position + 3 };

static ops::Labels imageLabels(int64_t rank) {
  ops::Labels labels = {batch};
  for (int64_t d = 0; d < rank; ++d)
    labels.push_back(position + d);
  for (int64_t d = 0; d < rank; ++d)
    labels.push_back(tap + d);
  labels.push_back(channel);
  return labels;
}

static ops::Labels weightLabels(int64_t rank, bool depthwise) {
  ops::Labels labels;
  if (!depthwise)
    labels.push_back(filter);
  for (int64_t d = 0; d < rank; ++d)
    labels.push_back(tap + d);
  labels.push_back(channel);
  if (depthwise)
    labels.push_back(filter);
  return labels;
}

FoldResult upstream::foldConvolution(FoldContext &cx, int64_t spatialRank,
                                     bool depthwise) {
  const Elements &weights = cx.input(1);
  DataType type = cx.resultType();
  ReasonOr<Elements> x = withoutZeroPoint(cx, 0, 3);
  ReasonOr<Elements> w = withoutZeroPoint(cx, 1, 4);
  if (!x || !w)
    return x ? w.reason() : x.reason();
  if (weights.rank() != spatialRank + 2 || type == DataType::Undefined)
    return Elements();
  ops::Labels labels = weightLabels(spatialRank, depthwise);
  ShapeRef kernel = weights.shape().slice(depthwise ? 0 : 1, spatialRank);
  ReasonOr<Windows> windows = windowsOf(cx, x->shape(), kernel);
  if (!windows)
    return windows.reason();
  int64_t channelAxis = depthwise ? spatialRank : spatialRank + 1;
  int64_t filters = depthwise ? weights.dim(spatialRank + 1) : weights.dim(0);
  if (x->dim(spatialRank + 1) != weights.dim(channelAxis))
    return invalid("the image has " + llvm::Twine(x->dim(spatialRank + 1)) +
                   " channels, expected " +
                   llvm::Twine(weights.dim(channelAxis)));
  int64_t count =
      numElements(kernel) * (depthwise ? 1 : weights.dim(channelAxis));
  DataType sums = typeOfSums(cx.input(0).type(), weights.type(), count);
  Elements image = ops::cast(*x, sums);
  Elements view = viewOf(
      padded(image, *windows, Elements::splat(sums, {}, WideNum::widen(0.0))),
      *windows);
  if (Reason large = cx.checkResult(sums, view.shape()))
    return large;
  if (Reason much = cx.checkWork(double(view.size()) * double(filters)))
    return much;
  ops::Labels kept = imageLabels(spatialRank);
  kept.erase(kept.begin() + 1 + spatialRank, kept.end());
  if (depthwise)
    kept.push_back(channel);
  kept.push_back(filter);
  Elements result =
      ops::arranged(ops::contract({view, imageLabels(spatialRank)},
                                  {ops::cast(*w, sums), labels}, kept),
                    kept);
  if (depthwise) {
    Shape shape(result.shape().drop_back(2));
    shape.push_back(x->dim(spatialRank + 1) * filters);
    result = result.reshape(shape);
  }
  return withBias(result, cx.input(2), type);
}
