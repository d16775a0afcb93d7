//===- ReverseSequence.cpp - Constant kernel of onnx.ReverseSequence ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The first sequence_lens[i] elements of sequence i in reverse, the others as
// they are. Spec: onnx ReverseSequence, versions 10, 28. A length beyond the
// time axis is an error of the model: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReverseSequence(FoldContext &cx) {
  const Elements &x = cx.input(0), &lengths = cx.input(1);
  int64_t time = cx.integer("time_axis").value_or(0);
  int64_t batch = cx.integer("batch_axis").value_or(1);
  if (x.rank() < 2 || time < 0 || time > 1 || batch != 1 - time)
    return invalid("time_axis is " + llvm::Twine(time) + ", batch_axis is " +
                   llvm::Twine(batch) + ", the rank is " +
                   llvm::Twine(x.rank()));
  int64_t steps = x.dim(time);
  if (lengths.shape() != ShapeRef(x.dim(batch)))
    return invalid("sequence_lens has shape " + toString(lengths.shape()) +
                   ", expected " + toString(x.dim(batch)));
  auto bad = firstWhere<int64_t>(
      lengths, [steps](int64_t n) { return n < 0 || n > steps; });
  if (bad)
    return undefined("sequence_lens " + toString(*bad) + " is " +
                     llvm::Twine(lengths.value<int64_t>(*bad)) +
                     ", the time axis has size " + llvm::Twine(steps));
  Elements from = zipAs<int64_t, int64_t, int64_t>(
      iota({steps}, 0).unsqueeze({batch}), lengths.unsqueeze({time}),
      [](int64_t t, int64_t n) { return t < n ? n - 1 - t : t; });
  Shape shape(x.rank(), 1);
  llvm::copy(x.shape().take_front(2), shape.begin());
  return gatherElements(x, from.reshape(shape).expand(x.shape()), time);
}

namespace onnxfold {
void registerReverseSequence(KernelRegistry &registry) {
  registry.add("ReverseSequence", {10, 28}, foldReverseSequence);
}
} // namespace onnxfold
