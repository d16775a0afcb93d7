//===- BatchNormalization.cpp - Lowering of onnx.BatchNormalization ------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * s + h by channel, with s and h from the statistics: those that are given,
// or, in training, those of the batch, which the running ones then take in.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The mean over everything but the channels, as a row.
static Expr channelMeans(LoweringContext &cx, const View &x) {
  const Shape &dims = cx.input(0).dims;
  View means = cx.splitAt(x, dims, 2);
  means = {call("rowMeans", {means.expr}), means.rows, {}};
  Size n = sizeOf(llvm::ArrayRef<int64_t>(dims).take_front());
  return call("colMeans", {cx.reshape(means, n, {dims[1]}).expr});
}

/// running * momentum + current * (1 - momentum)
static Expr movingAverage(LoweringContext &cx, Expr running, Expr current) {
  double momentum = cx.op().getFloat("momentum", 0.9f);
  return running * momentum + current * (1 - momentum);
}

static Lowered lowerBatchNormalization(LoweringContext &cx) {
  bool isTraining = cx.op().getInt("training_mode", 0) != 0;
  if (cx.op().getInt("spatial", 1) == 0)
    return Lowered::refused("statistics for each place");
  for (unsigned i = 1; i < cx.op().numOutputs(); ++i)
    if (cx.isUsed(i) && !isTraining)
      return Lowered::refused("an output of training is used");
  if (cx.input(0).rank() < 2)
    return Lowered::refused("the input has no channels");
  Expr mean = cx.matrix(3), variance = cx.matrix(4);
  if (isTraining) {
    View x = cx.natural(0);
    mean = cx.local("mean_of_batch", channelMeans(cx, x));
    View centered{call("bias_add", {x.expr, call("t", {-mean})}), x.rows,
                  x.columns};
    Expr d = cx.local("centered", centered.expr);
    variance = cx.local("variance_of_batch",
                        channelMeans(cx, {power(d, 2), x.rows, x.columns}));
    if (cx.isUsed(1))
      cx.define(1, movingAverage(cx, cx.matrix(3), mean));
    if (cx.isUsed(2))
      cx.define(2, movingAverage(cx, cx.matrix(4), variance));
  }
  double epsilon = cx.op().getFloat("epsilon", 1e-5f);
  Expr s = cx.local("scale", cx.matrix(1) / call("sqrt", {variance + epsilon}));
  Expr h = cx.local("shift", cx.matrix(2) - mean * s);
  cx.define(0, scaledChannels(cx, cx.matrix(0), s, h));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerBatchNormalizationLowering(LoweringRegistry &registry) {
  registry.add("BatchNormalization", {7, 9, 14, 15}, lowerBatchNormalization);
}
} // namespace onnxfold::dml
