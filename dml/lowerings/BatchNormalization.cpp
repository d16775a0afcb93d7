//===- BatchNormalization.cpp - Lowering of onnx.BatchNormalization ------===//
//
// Of inference: x * s + h by channel, with s and h from the statistics.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBatchNormalization(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  if (cx.op().getInt("training_mode", 0) != 0 ||
      cx.op().getInt("spatial", 1) == 0)
    return Lowered::refused("training mode, or statistics for each place");
  for (unsigned i = 1; i < cx.op().numOutputs(); ++i)
    if (cx.isUsed(i))
      return Lowered::refused("an output of training is used");
  if (x.rank() < 2)
    return Lowered::refused("the input has no channels");
  double epsilon = cx.op().getFloat("epsilon", 1e-5f);
  Expr s =
      cx.local("scale", cx.matrix(1) / call("sqrt", {cx.matrix(4) + epsilon}));
  Expr h = cx.local("shift", cx.matrix(2) - cx.matrix(3) * s);
  if (x.rank() == 2)
    cx.define(0, cx.matrix(0) * s + h);
  else
    cx.define(0, call("bias_add",
                      {call("bias_multiply", {cx.matrix(0), call("t", {s})}),
                       call("t", {h})}));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerBatchNormalizationLowering(LoweringRegistry &registry) {
  registry.add("BatchNormalization", {7, 9, 14, 15}, lowerBatchNormalization);
}
} // namespace onnxfold::dml
