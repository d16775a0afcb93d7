//===- TensorScatter.cpp - Constant kernel of onnx.TensorScatter ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A cache with an update written along `axis`, in each sample of the batch at
// an index of its own (0 if there is no such input). Spec: onnx TensorScatter,
// version 24. Mode "circular" continues at the beginning. An update that does
// not fit, or begins before the cache in mode "linear", is an error: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The source of each row of the result: [batch, length, 1] row numbers of the
/// cache, with the update behind it.
static Elements sources(llvm::ArrayRef<int64_t> starts, int64_t length,
                        int64_t written) {
  int64_t batch = starts.size();
  return Elements::build<int64_t>(
      {batch, length, 1}, [&](llvm::MutableArrayRef<int64_t> out) {
        for (int64_t b = 0; b < batch; ++b) {
          int64_t *row = out.data() + b * length;
          for (int64_t i = 0; i < length; ++i)
            row[i] = i;
          for (int64_t i = 0; i < written; ++i)
            row[(starts[b] + i) % length] = length + i;
        }
      });
}

/// The first index of each sample, in [0, length), or what is wrong with one.
static Reason startsOf(FoldContext &cx, int64_t batch, int64_t length,
                       int64_t written, Shape &starts) {
  starts.assign(batch, 0);
  if (!cx.hasInput(2))
    return {};
  const Elements &given = cx.input(2);
  if (given.type() != DataType::Int64 || given.shape() != ShapeRef({batch}))
    return invalid("the write indices are " + name(given.type()) +
                   toString(given.shape()) + ", expected i64" +
                   toString({batch}));
  bool circular = cx.string("mode").value_or("linear") == "circular";
  starts = cx.intsOf(2);
  for (int64_t &start : starts) {
    if (!circular && (start < 0 || start > length - written))
      return undefined("write index " + llvm::Twine(start) + " and " +
                       llvm::Twine(written) + " more are not inside of " +
                       llvm::Twine(length));
    if (circular && length > 0)
      start = (start % length + length) % length;
  }
  return {};
}

static FoldResult foldTensorScatter(FoldContext &cx) {
  const Elements &cache = cx.input(0), &update = cx.input(1);
  ReasonOr<int64_t> axis = axisOf(cx, -2, cache.rank());
  if (!axis)
    return axis.reason();
  if (*axis == 0)
    return invalid("attribute 'axis' is the batch dimension");
  std::string mode = cx.string("mode").value_or("linear");
  if (mode != "linear" && mode != "circular")
    return invalid("attribute 'mode' is '" + mode +
                   "', expected 'linear' or 'circular'");
  int64_t length = cache.dim(*axis);
  Shape expected(cache.shape());
  if (update.rank() == cache.rank())
    expected[*axis] = std::min(update.dim(*axis), length);
  if (update.type() != cache.type() || update.shape() != ShapeRef(expected))
    return invalid("the update has shape " + toString(update.shape()) +
                   " and type " + name(update.type()) + ", the cache " +
                   toString(cache.shape()) + " and " + name(cache.type()));
  if (cache.size() == 0) // of a batch that may be too large to count
    return cache;
  int64_t batch = cache.dim(0), written = update.dim(*axis);
  if (auto limit = cx.checkResult(DataType::Int64, {batch, length}))
    return limit;
  Shape starts;
  if (auto wrong = startsOf(cx, batch, length, written, starts))
    return wrong;
  // The axis comes right after the batch, so that both are one index.
  Shape perm = firstAxes(cache.rank());
  perm.erase(perm.begin() + *axis);
  perm.insert(perm.begin() + 1, *axis);
  Shape back = firstAxes(cache.rank());
  back.erase(back.begin() + 1);
  back.insert(back.begin() + *axis, 1);
  Elements rows = concat({cache, update}, *axis).transpose(perm);
  return gatherND(rows, sources(starts, length, written), /*batchDims=*/1)
      .transpose(back);
}

namespace onnxfold {
void registerTensorScatter(KernelRegistry &registry) {
  registry.add("TensorScatter", {24}, foldTensorScatter).costs(unitsOfReading);
}
} // namespace onnxfold
