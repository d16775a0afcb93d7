//===- ConversionRules.cpp - Where the library converts wrongly -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/internal/ConversionRules.h"
#include "onnxfold/onnx/transforms/opset/internal/LoneNode.h"
#include "onnx/version_converter/convert.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace onnxfold;
using llvm::StringRef;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Before opset 6 the defaults were rounded otherwise, and types were words.
static llvm::Error prepareForSix(LoneNode old) {
  if (old.is({"Selu"})) {
    if (!old.attribute("alpha"))
      old.setFloat("alpha", 1.6732f);
    if (!old.attribute("gamma"))
      old.setFloat("gamma", 1.0507f);
  }
  AttributeProto *to = old.attribute("to");
  if (!old.is({"Cast"}) || !to || to->type() != AttributeProto::STRING)
    return llvm::Error::success();
  onnx::TensorProto::DataType type = onnx::TensorProto::UNDEFINED;
  if (!onnx::TensorProto::DataType_Parse(StringRef(to->s()).upper(), &type))
    return llvm::createStringError("attribute 'to' is '" + to->s() +
                                   "', expected a type of ONNX");
  to->clear_s();
  to->set_type(AttributeProto::INT);
  to->set_i(type);
  return llvm::Error::success();
}

/// Before opset 7 an attribute says where the second operand lies.
static llvm::Error prepareBroadcast(LoneNode old) {
  const AttributeProto *broadcast = old.attribute("broadcast");
  const AttributeProto *axis = old.attribute("axis");
  std::optional<int64_t> place;
  if (broadcast && broadcast->i() != 0 && axis)
    place = axis->i();
  old.remove("broadcast");
  old.remove("axis");
  if (!place)
    return llvm::Error::success();
  std::optional<int> a = old.rank(0), b = old.rank(1);
  if (!a || !b)
    return llvm::createStringError(
        "attribute 'axis' says where its second input lies, whose rank, or "
        "that of the first, is not known");
  int64_t behind = *a - *b - (*place < 0 ? *place + *a : *place);
  if (behind < 0)
    return llvm::createStringError(
        "attribute 'axis' is " + std::to_string(*place) + " for inputs of " +
        std::to_string(*a) + " and " + std::to_string(*b) + " dimensions");
  if (behind > 0 && *b > 0)
    old.unsqueeze(1, *b, static_cast<int>(behind));
  return llvm::Error::success();
}

/// Before opset 7 a slope of one dimension is one for each channel.
static llvm::Error prepareSlope(LoneNode old) {
  std::optional<int> x = old.rank(0), slope = old.rank(1);
  if (!x || !slope)
    return llvm::createStringError(
        "the rank of its input or of its slope is not known");
  const onnx::TypeProto_Tensor &type = *old.type(1);
  bool isOne = *slope == 1 && type.shape().dim(0).dim_value() == 1;
  if (*slope == 1 && *x > 2 && !isOne)
    old.unsqueeze(1, 1, *x - 2);
  return llvm::Error::success();
}

static llvm::Error prepareForSeven(LoneNode old) {
  if (old.is({"Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or",
              "Pow", "Sub", "Xor"}))
    return prepareBroadcast(old);
  if (old.is({"PRelu"}))
    return prepareSlope(old);
  if (old.is({"Gemm"}))
    old.remove("broadcast");
  if (old.is({"GRU", "LSTM", "RNN"}))
    old.remove("output_sequence");
  return llvm::Error::success();
}

/// Opset 10 rounds down where an axis grows, and up where it shrinks.
static llvm::Error prepareForEleven(LoneNode old) {
  if (!old.is({"Resize"}) || old.text("mode", "nearest") != "nearest")
    return llvm::Error::success();
  std::optional<std::vector<float>> scales = old.floats(1);
  if (!scales)
    return llvm::createStringError(
        "input #1, the scales, is not constant, and opset 11 rounds otherwise");
  bool grows = llvm::any_of(*scales, [](float scale) { return scale > 1; });
  bool shrinks = llvm::any_of(*scales, [](float scale) { return scale < 1; });
  if (grows && shrinks)
    return llvm::createStringError(
        "some of its axes grow and others shrink, and later opsets round alike "
        "in all of them");
  if (shrinks)
    old.setText("nearest_mode", "ceil");
  return llvm::Error::success();
}

/// Opset 11 has empty scales beside sizes, later ones have none.
static llvm::Error prepareForThirteen(LoneNode old) {
  if (old.is({"Resize"}) && old.hasInput(3))
    old.node.set_input(2, "");
  return llvm::Error::success();
}

static llvm::Error prepareForFourteen(LoneNode old) {
  int used = 0;
  for (const std::string &name : old.node.output())
    used += !name.empty();
  if (old.is({"BatchNormalization"}) && used > 1)
    return llvm::createStringError(
        "it trains (it has " + std::to_string(used) +
        " outputs), which opset 14 says and computes otherwise");
  return llvm::Error::success();
}

static llvm::Error prepareForEighteen(LoneNode old) {
  StringRef coordinates = "coordinate_transformation_mode";
  if (old.is({"Resize"}) && old.text(coordinates, "") == "tf_half_pixel_for_nn")
    return llvm::createStringError("attribute '" + coordinates +
                                   "' is 'tf_half_pixel_for_nn', which no "
                                   "opset from 18 on has");
  return llvm::Error::success();
}

static llvm::Error prepareForTwentyOne(LoneNode old) {
  const onnx::TypeProto_Tensor *x = old.type(0);
  if (old.is({"GroupNormalization"}) && (!x || x->elem_type() == 0))
    return llvm::createStringError("the type of its input is not known");
  return llvm::Error::success();
}

llvm::Error onnxfold::prepare(GraphProto &graph, int64_t from, int64_t to) {
  static constexpr struct {
    int64_t opset;
    llvm::Error (*rule)(LoneNode);
  } rules[] = {{6, prepareForSix},       {7, prepareForSeven},
               {11, prepareForEleven},   {13, prepareForThirteen},
               {14, prepareForFourteen}, {18, prepareForEighteen},
               {21, prepareForTwentyOne}};
  NodeProto &node = *graph.mutable_node(0);
  while (node.input_size() > 0 &&
         node.input(node.input_size() - 1).empty()) // Split counts inputs
    node.mutable_input()->RemoveLast();
  for (auto [opset, rule] : rules)
    if (from < opset && opset <= to && graph.node_size() == 1)
      if (llvm::Error error = rule(LoneNode(graph)))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A step of the library, and what it forgets.
using Completion = void (*)(onnx::Graph &graph, onnx::Node &node);

template <typename Step>
static void complete(onnx::version_conversion::BaseVersionConverter &library,
                     Completion completion) {
  auto step = std::make_shared<Step>();
  library.registerAdapter(
      step->name().c_str(), step->initial_version().version(),
      step->target_version().version(),
      [=](const std::shared_ptr<onnx::Graph> &graph, onnx::Node *node) {
        node = step->adapt(graph, node);
        completion(*graph, *node);
        return node;
      });
}

/// Constants of float32 that were attributes get the type of the data.
static void castToData(onnx::Graph &graph, onnx::Node &node) {
  int32_t type = node.inputs()[0]->elemType();
  for (size_t i = 1; i < node.inputs().size(); ++i) {
    onnx::Value *value = node.inputs()[i];
    onnx::Node *made = value->node();
    if (type == onnx::TensorProto::FLOAT || made->kind() != onnx::kConstant ||
        made->t(onnx::kvalue).elem_type() != onnx::TensorProto::FLOAT)
      continue;
    if (type == 0)
      onnx::throw_assert_error("the type of its input is not known");
    onnx::Node *cast = graph.create(onnx::kCast);
    cast->addInput(value);
    cast->i_(onnx::kto, type);
    cast->insertBefore(&node);
    node.replaceInput(i, cast->output());
  }
  if (node.hasAttribute(onnx::kvalue)) // of a Pad that reflects
    node.removeAttribute(onnx::kvalue);
}

/// Coordinates are those of opset 10.
static void setCoordinates(onnx::Graph &, onnx::Node &node) {
  onnx::Symbol nearest("nearest_mode");
  node.s_(onnx::kcoordinate_transformation_mode, "asymmetric");
  if (!node.hasAttribute(nearest))
    node.s_(nearest, "floor");
}

void onnxfold::replaceAdapters(
    onnx::version_conversion::BaseVersionConverter &library) {
  using namespace onnx::version_conversion;
  using onnx::OpSetID;
  // `prepare` did the work.
  library.registerAdapter(
      std::make_unique<CompatibleAdapter>("Cast", OpSetID(5), OpSetID(6)));
  library.registerAdapter(
      std::make_unique<CompatibleAdapter>("GRU", OpSetID(2), OpSetID(3)));
  for (const char *name :
       {"Add", "And", "Div", "Equal", "Gemm", "Greater", "GRU", "Less", "LSTM",
        "Mul", "Or", "Pow", "RNN", "Sub", "Xor"})
    library.registerAdapter(
        std::make_unique<CompatibleAdapter>(name, OpSetID(6), OpSetID(7)));
  complete<Clip_10_11>(library, castToData);
  complete<Pad_10_11>(library, castToData);
  complete<Resize_10_11>(library, setCoordinates);
  library.registerAdapter(std::make_unique<Softmax_12_13>("Hardmax"));
  // The library's own, which it registers and then covers with another.
  library.registerAdapter(std::make_unique<GroupNormalization_20_21>());
}
