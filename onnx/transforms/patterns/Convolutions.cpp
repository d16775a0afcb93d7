//===- Convolutions.cpp - Scales and shifts into convolutions -------------===//

#include "onnxfold/onnx/transforms/CleanUpPatterns.h"

using namespace onnxfold;
using namespace mlir;

/// A one-dimensional constant of one element for each channel.
static bool isPerChannel(const Elements &value, int64_t channels) {
  return value && value.rank() == 1 && value.shape()[0] == channels;
}

/// A BatchNormalization that uses the statistics it is given, and nothing else.
static bool isInference(Operator op) {
  return op.is("BatchNormalization") && op.since() >= 7 &&
         op.getInt("training_mode", 0) == 0 && op.getInt("spatial", 1) == 1;
}

Value patterns::matchConvBatchNorm(const CleanUpContext &cx) {
  Operator conv = isInference(cx.op) ? cx.producer(0, "Conv") : Operator();
  if (!conv || !cx.isOnlyReader(0))
    return {};
  Elements weight = cx.constantOf(conv.input(1));
  if (!weight || weight.rank() < 3 || !isFloat(weight.type()))
    return {};
  int64_t channels = weight.shape()[0];
  for (unsigned i = 1; i <= 4; ++i)
    if (!isPerChannel(cx.constant(i), channels) ||
        cx.constant(i).type() != weight.type())
      return {};
  Value bias = conv.input(2);
  if (bias && !isPerChannel(cx.constantOf(bias), channels))
    return {};
  NodeBuilder &nodes = cx.nodes;
  Value epsilon = nodes.number(cx.op.getFloat("epsilon", 1e-5f), weight.type());
  Value deviation =
      nodes.create("Sqrt", nodes.create("Add", {cx.op.input(4), epsilon}));
  Value scale = nodes.create("Div", {cx.op.input(1), deviation});
  Shape perFilter(weight.rank(), 1);
  perFilter[0] = channels;
  Value column = nodes.create("Reshape", {scale, nodes.integers(perFilter)});
  Value mean = cx.op.input(3);
  Value centred =
      bias ? nodes.create("Sub", {bias, mean}) : nodes.create("Neg", mean);
  Value shift = nodes.create(
      "Add", {nodes.create("Mul", {centred, scale}), cx.op.input(2)});
  return nodes.create(
      "Conv",
      {conv.input(0), nodes.create("Mul", {conv.input(1), column}), shift},
      conv->getAttrs());
}
