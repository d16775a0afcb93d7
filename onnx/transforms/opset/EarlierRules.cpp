//===- EarlierRules.cpp - Nodes of the version before ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Source: the texts of both versions in onnx/defs/*/defs.cc and old.cc.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/opset/internal/EarlierRules.h"
#include "onnxfold/onnx/transforms/opset/internal/LoneNode.h"
#include "onnx/defs/schema.h"
#include <limits>
#include <numeric>

using namespace onnxfold;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::OpSchema;

static llvm::Error cannotSay(const Twine &why) {
  return llvm::createStringError(why);
}

namespace {

/// Whether the library's step to the later version must make the same node
/// again. It has no such step for all of them.
enum class WayBack { Library, None };

} // namespace

//===----------------------------------------------------------------------===//
// Inputs that were attributes
//===----------------------------------------------------------------------===//

namespace {

enum class Kind { Int, Ints, Float, Floats };

struct MovedInput {
  OperatorName op;
  int since; ///< the version that made it an input
  int input;
  StringRef attribute;
  Kind kind;
};

} // namespace

static constexpr MovedInput movedInputs[] = {
    {"Clip", 11, 1, "min", Kind::Float},
    {"Clip", 11, 2, "max", Kind::Float},
    {"DFT", 20, 2, "axis", Kind::Int},
    {"Dropout", 12, 1, "ratio", Kind::Float},
    {"Pad", 11, 1, "pads", Kind::Ints},
    {"Pad", 11, 2, "value", Kind::Float},
    {"ReduceL1", 18, 1, "axes", Kind::Ints},
    {"ReduceL2", 18, 1, "axes", Kind::Ints},
    {"ReduceLogSum", 18, 1, "axes", Kind::Ints},
    {"ReduceLogSumExp", 18, 1, "axes", Kind::Ints},
    {"ReduceMax", 18, 1, "axes", Kind::Ints},
    {"ReduceMean", 18, 1, "axes", Kind::Ints},
    {"ReduceMin", 18, 1, "axes", Kind::Ints},
    {"ReduceProd", 18, 1, "axes", Kind::Ints},
    {"ReduceSum", 13, 1, "axes", Kind::Ints},
    {"ReduceSumSquare", 18, 1, "axes", Kind::Ints},
    {"Slice", 10, 1, "starts", Kind::Ints},
    {"Slice", 10, 2, "ends", Kind::Ints},
    {"Slice", 10, 3, "axes", Kind::Ints},
    {"Split", 13, 1, "split", Kind::Ints},
    {"Squeeze", 13, 1, "axes", Kind::Ints},
    {"TopK", 10, 1, "k", Kind::Int},
    {"Unsqueeze", 13, 1, "axes", Kind::Ints},
    {"Upsample", 9, 1, "scales", Kind::Floats},
};

static bool setFromInput(const LoneNode &node, const MovedInput &moved) {
  if (moved.kind == Kind::Int || moved.kind == Kind::Ints) {
    std::optional<std::vector<int64_t>> values = node.ints(moved.input);
    if (!values || (moved.kind == Kind::Int && values->size() != 1))
      return false;
    if (moved.kind == Kind::Int)
      node.setInt(moved.attribute, values->front());
    else
      node.setInts(moved.attribute, *values);
    return true;
  }
  std::optional<std::vector<float>> values = node.floats(moved.input);
  if (!values || (moved.kind == Kind::Float && values->size() != 1))
    return false;
  if (moved.kind == Kind::Float)
    node.setFloat(moved.attribute, values->front());
  else
    node.setFloats(moved.attribute, *values);
  return true;
}

/// The inputs of the node's version that the version before has as attributes.
static llvm::Error moveInputs(const LoneNode &node, int since) {
  for (const MovedInput &moved : movedInputs) {
    if (moved.since != since || !node.is({moved.op}) ||
        !node.hasInput(moved.input))
      continue;
    if (!setFromInput(node, moved))
      return cannotSay("input #" + Twine(moved.input) +
                       " would be the attribute '" + moved.attribute +
                       "', and is not a constant of its kind");
    node.leaveOutInput(moved.input);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Rules of single operators
//===----------------------------------------------------------------------===//

static llvm::Expected<WayBack> slice10(const LoneNode &node) {
  if (!node.hasInput(4))
    return WayBack::Library;
  std::optional<std::vector<int64_t>> steps = node.ints(4);
  if (!steps || llvm::any_of(*steps, [](int64_t step) { return step != 1; }))
    return cannotSay("input #4, the steps, is not constant and 1");
  node.leaveOutInput(4);
  return WayBack::Library;
}

static llvm::Expected<WayBack> clip11(const LoneNode &node) {
  const AttributeProto *min = node.attribute("min");
  const AttributeProto *max = node.attribute("max");
  if (min && max && !(min->f() <= max->f()))
    return cannotSay("its minimum is not below its maximum");
  return WayBack::Library;
}

static llvm::Expected<WayBack> dropout12(const LoneNode &node) {
  if (!node.hasInput(2))
    return WayBack::Library;
  const onnx::TensorProto *training = node.value(2);
  bool isOff = training && (training->has_raw_data()
                                ? training->raw_data() == std::string(1, '\0')
                                : training->int32_data_size() == 1 &&
                                      training->int32_data(0) == 0);
  if (!isOff)
    return cannotSay("input #2, the training mode, is not constant and false");
  node.leaveOutInput(2);
  return WayBack::Library;
}

/// No axes are all axes, unless the node says that they are none.
static llvm::Expected<WayBack> reduce(const LoneNode &node) {
  StringRef flag = "noop_with_empty_axes";
  bool isNoop = node.integer(flag, 0) != 0;
  node.remove(flag);
  const AttributeProto *axes = node.attribute("axes");
  if (axes && axes->ints_size() != 0)
    return WayBack::Library;
  bool isListed = axes != nullptr;
  node.remove("axes");
  if (!isNoop)
    return isListed ? WayBack::None : WayBack::Library;
  if (!node.is(
          {"ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"}))
    return cannotSay("attribute '" + flag + "' is 1, and no axis is given");
  node.node.set_op_type("Identity");
  node.node.clear_attribute();
  return WayBack::Library;
}

/// Parts of equal size, the last one smaller.
static llvm::Expected<WayBack> split18(const LoneNode &node) {
  int64_t parts = node.integer("num_outputs", 0);
  node.remove("num_outputs");
  if (parts <= 0 || node.hasInput(1))
    return WayBack::Library;
  std::optional<int> rank = node.rank(0);
  int64_t axis = node.integer("axis", 0);
  std::optional<int64_t> size;
  if (rank)
    size = node.size(0, int(axis < 0 ? axis + *rank : axis));
  if (!size)
    return cannotSay("attribute 'num_outputs' cuts an axis of open size");
  int64_t part = (*size + parts - 1) / parts;
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < parts; ++i)
    sizes.push_back(std::max<int64_t>(std::min(part, *size - i * part), 0));
  node.setInput(1, sizes);
  return WayBack::None;
}

/// Before opset 13 all axes from `axis` on are taken together.
static llvm::Expected<WayBack> softmax13(const LoneNode &node) {
  int64_t axis = node.integer("axis", -1);
  std::optional<int> rank = node.rank(0);
  if (axis == -1 || (rank && axis == *rank - 1)) {
    node.setInt("axis", axis);
    return WayBack::Library;
  }
  if (!rank)
    return cannotSay("the rank of its input is not known");
  node.setInt("axis", *rank - 1);
  std::vector<int64_t> permutation(*rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[axis < 0 ? axis + *rank : axis], permutation.back());
  node.transposeAround(permutation);
  return WayBack::Library;
}

/// Pads of chosen axes become pads of all axes.
static llvm::Expected<WayBack> pad18(const LoneNode &node) {
  if (!node.hasInput(3))
    return WayBack::Library;
  std::optional<std::vector<int64_t>> axes = node.ints(3), pads = node.ints(1);
  std::optional<int> rank = node.rank(0);
  if (!axes || !pads || !rank || pads->size() != 2 * axes->size())
    return cannotSay("its pads or axes are not constant, or the rank of its "
                     "input is not known");
  std::vector<int64_t> all(2 * size_t(*rank));
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    size_t place = size_t(axis < 0 ? axis + *rank : axis);
    if (place >= size_t(*rank))
      return cannotSay("an axis is " + Twine(axis));
    all[place] = (*pads)[i];
    all[place + *rank] = (*pads)[i + axes->size()];
  }
  node.leaveOutInput(3);
  node.setInput(1, all);
  return WayBack::None;
}

/// A size of 0 in the target was that of the input.
static llvm::Expected<WayBack> reshape14(const LoneNode &node) {
  StringRef flag = "allowzero";
  bool isLiteral = node.integer(flag, 0) != 0;
  node.remove(flag);
  if (!isLiteral)
    return WayBack::Library;
  std::optional<std::vector<int64_t>> sizes = node.ints(1);
  if (!sizes || llvm::is_contained(*sizes, 0))
    return cannotSay("attribute '" + flag +
                     "' is 1, and its target has a size of 0, or is not "
                     "constant");
  return WayBack::None;
}

static llvm::Expected<WayBack> dropDilations(const LoneNode &node) {
  const AttributeProto *dilations = node.attribute("dilations");
  if (!dilations || !llvm::all_equal(dilations->ints()) ||
      dilations->ints_size() == 0 || dilations->ints(0) != 1)
    return WayBack::Library;
  node.remove("dilations");
  return WayBack::None;
}

/// Inference counts a last window otherwise than before.
static llvm::Expected<WayBack> pool22(const LoneNode &node) {
  if (node.integer("ceil_mode", 0) != 0)
    return cannotSay("attribute 'ceil_mode' is 1, and sizes were inferred "
                     "otherwise");
  return WayBack::Library;
}

/// A part of the shape becomes a slice of all of it.
static llvm::Expected<WayBack> shape15(const LoneNode &node) {
  int64_t start = node.integer("start", 0);
  int64_t end = node.integer("end", std::numeric_limits<int64_t>::max());
  bool isWhole = start == 0 && !node.attribute("end");
  node.node.clear_attribute();
  if (isWhole)
    return WayBack::Library;
  node.sliceResult(start, end);
  return WayBack::None;
}

static llvm::Expected<WayBack> gridSample20(const LoneNode &node) {
  if (node.rank(0) != 4)
    return cannotSay("its input has not four dimensions, or its rank is not "
                     "known");
  StringRef mode = node.text("mode", "linear");
  if (mode == "linear")
    node.setText("mode", "bilinear");
  else if (mode == "cubic")
    node.setText("mode", "bicubic");
  return WayBack::Library;
}

/// Both of these are empty in opset 11 where they are not used.
static llvm::Expected<WayBack> resize13(const LoneNode &node) {
  for (int index : {1, 2})
    if (!node.hasInput(index))
      node.setEmptyInput(index);
  return WayBack::None;
}

/// Values of an attribute that came with the version.
static llvm::Expected<WayBack> refuseTexts(const LoneNode &node,
                                           StringRef attribute,
                                           ArrayRef<StringRef> texts) {
  StringRef text = node.text(attribute, "");
  if (!llvm::is_contained(texts, text))
    return WayBack::Library;
  return cannotSay("attribute '" + attribute + "' is '" + text +
                   "', which did not exist");
}

static llvm::Expected<WayBack> resize19(const LoneNode &node) {
  return refuseTexts(node, "coordinate_transformation_mode",
                     {"half_pixel_symmetric"});
}

static llvm::Expected<WayBack> pad19(const LoneNode &node) {
  return refuseTexts(node, "mode", {"wrap"});
}

static llvm::Expected<WayBack> scatter18(const LoneNode &node) {
  return refuseTexts(node, "reduction", {"max", "min"});
}

/// The computation of opset 10 has another name from opset 16 on.
static llvm::Expected<WayBack> roiAlign16(const LoneNode &node) {
  StringRef name = "coordinate_transformation_mode";
  if (node.text(name, "half_pixel") != "output_half_pixel")
    return cannotSay("attribute '" + name + "' is not 'output_half_pixel'");
  node.remove(name);
  return WayBack::None;
}

/// Scales were those of whole tensors.
static llvm::Expected<WayBack> quantize13(const LoneNode &node) {
  if (node.rank(1) != 0)
    return cannotSay("its scale is no scalar, or its rank is not known");
  node.remove("axis");
  return WayBack::None;
}

/// Operands were not broadcast.
static llvm::Expected<WayBack> sameShapes(const LoneNode &node) {
  const onnx::TypeProto_Tensor *first = node.type(0);
  for (int i = 0; i < node.node.input_size(); ++i) {
    const onnx::TypeProto_Tensor *type = node.type(i);
    bool isKnown = type && type->has_shape() &&
                   llvm::all_of(type->shape().dim(), [](const auto &one) {
                     return one.has_dim_value();
                   });
    if (!isKnown ||
        type->shape().SerializeAsString() != first->shape().SerializeAsString())
      return cannotSay("the shapes of its inputs are not known to be equal, "
                       "and there is no broadcasting as it is now");
  }
  return WayBack::Library;
}

static llvm::Expected<WayBack> changed7(const LoneNode &) {
  return cannotSay("it had another meaning");
}

/// The axis before the last of a signal, whose last axis is real and imaginary.
static llvm::Expected<WayBack> dft20(const LoneNode &node) {
  if (!node.attribute("axis"))
    node.setInt("axis", -2);
  return WayBack::None;
}

/// The scales are those of channels from opset 21 on, and were those of groups.
static llvm::Expected<WayBack> groupNormalization21(const LoneNode &) {
  return cannotSay("its scale and bias are those of channels");
}

/// Before opset 11 a negative index is none of the depth.
static llvm::Expected<WayBack> oneHot11(const LoneNode &node) {
  std::optional<std::vector<int64_t>> indices = node.ints(0);
  if (!indices ||
      llvm::any_of(*indices, [](int64_t index) { return index < 0; }))
    return cannotSay("input #0, the indices, is not constant, or one of it is "
                     "negative");
  if (node.integer("axis", -1) < -1)
    return cannotSay("attribute 'axis' is below -1");
  return WayBack::Library;
}

/// Before opset 11 axes are counted from the front.
static llvm::Expected<WayBack> countFromFront(const LoneNode &node) {
  std::optional<int> rank = node.rank(0);
  auto isNegative = [](int64_t axis) { return axis < 0; };
  AttributeProto *axis = node.attribute("axis");
  AttributeProto *axes = node.attribute("axes");
  bool isMinusOne = node.is({"TopK"}) && axis && axis->i() == -1;
  bool changesAxis = axis && axis->i() < 0 && !isMinusOne;
  bool changesAxes = axes && llvm::any_of(axes->ints(), isNegative);
  if (!changesAxis && !changesAxes)
    return WayBack::Library;
  if (!rank)
    return cannotSay("an axis is negative, and the rank of its input is not "
                     "known");
  if (changesAxis)
    axis->set_i(axis->i() + *rank);
  if (changesAxes) {
    int64_t all = *rank + (node.is({"Unsqueeze"}) ? axes->ints_size() : 0);
    for (int64_t &one : *axes->mutable_ints())
      one += one < 0 ? all : 0;
  }
  return WayBack::None;
}

//===----------------------------------------------------------------------===//
// All rules
//===----------------------------------------------------------------------===//

namespace {

struct EarlierRule {
  llvm::Expected<WayBack> (*rule)(const LoneNode &);
  int since;
  std::initializer_list<OperatorName> operators;
};

} // namespace

static constexpr EarlierRule rules[] = {
    {changed7,
     7,
     {"BatchNormalization", "Dropout", "GRU", "Gemm", "LSTM", "PRelu", "RNN",
      "Upsample"}},
    {clip11, 11, {"Clip"}},
    {dft20, 20, {"DFT"}},
    {dropDilations, 10, {"MaxPool"}},
    {dropDilations, 18, {"LpPool"}},
    {dropDilations, 19, {"AveragePool"}},
    {dropout12, 12, {"Dropout"}},
    {gridSample20, 20, {"GridSample"}},
    {groupNormalization21, 21, {"GroupNormalization"}},
    {oneHot11, 11, {"OneHot"}},
    {pad18, 18, {"Pad"}},
    {pad19, 19, {"Pad"}},
    {pool22, 22, {"AveragePool", "LpPool", "MaxPool"}},
    {quantize13, 13, {"DequantizeLinear", "QuantizeLinear"}},
    {reduce, 13, {"ReduceSum"}},
    {reduce,
     18,
     {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
      "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"}},
    {reshape14, 14, {"Reshape"}},
    {resize13, 13, {"Resize"}},
    {resize19, 19, {"Resize"}},
    {roiAlign16, 16, {"RoiAlign"}},
    {sameShapes,
     7,
     {"Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow",
      "Sub", "Xor"}},
    {sameShapes, 8, {"Max", "Mean", "Min", "Sum"}},
    {scatter18, 18, {"ScatterElements", "ScatterND"}},
    {shape15, 15, {"Shape"}},
    {slice10, 10, {"Slice"}},
    {softmax13, 13, {"Hardmax", "LogSoftmax", "Softmax"}},
    {split18, 18, {"Split"}},
};

static const EarlierRule *ruleOf(const LoneNode &node, int since) {
  const auto *found = llvm::find_if(rules, [&](const EarlierRule &rule) {
    return rule.since == since && node.is(rule.operators);
  });
  return found == std::end(rules) ? nullptr : found;
}

static bool haveEqualValues(const AttributeProto &a, const AttributeProto &b) {
  return a.type() == b.type() && a.i() == b.i() && a.f() == b.f() &&
         a.s() == b.s() && llvm::equal(a.ints(), b.ints()) &&
         llvm::equal(a.floats(), b.floats());
}

void onnxfold::addDefaults(NodeProto &node, const OpSchema &schema) {
  for (const auto &entry : schema.attributes()) {
    const OpSchema::Attribute &attribute = entry.second;
    bool isGiven = llvm::any_of(node.attribute(), [&](const auto &one) {
      return one.name() == attribute.name;
    });
    if (!isGiven && attribute.default_value.has_name())
      *node.add_attribute() = attribute.default_value;
  }
}

/// Attributes that the earlier version does not have must be at their default,
/// and defaults that were others are spelled.
static llvm::Error adaptAttributes(const LoneNode &node, const OpSchema &later,
                                   const OpSchema &earlier) {
  for (const auto &[name, attribute] : later.attributes()) {
    const AttributeProto *given = node.attribute(name);
    const AttributeProto &byDefault = attribute.default_value;
    auto before = earlier.attributes().find(name);
    if (before == earlier.attributes().end()) {
      if (given &&
          !(byDefault.has_name() && haveEqualValues(*given, byDefault)))
        return cannotSay("attribute '" + Twine(name) +
                         "' did not exist, and is not at its default");
      node.remove(name);
    } else if (!given && byDefault.has_name() &&
               (before->second.required ||
                !haveEqualValues(byDefault, before->second.default_value))) {
      *node.node.add_attribute() = byDefault;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<bool> onnxfold::sayEarlier(GraphProto &graph,
                                          const OpSchema &later,
                                          const OpSchema &earlier) {
  LoneNode node(graph);
  node.dropAbsentInputs();
  int since = later.since_version();
  if (llvm::Error error = moveInputs(node, since))
    return error;
  const EarlierRule *rule = ruleOf(node, since);
  llvm::Expected<WayBack> back = rule          ? rule->rule(node)
                                 : since == 11 ? countFromFront(node)
                                               : WayBack::Library;
  if (!back)
    return back.takeError();
  if (graph.node_size() != 1 || node.node.op_type() != later.Name())
    return false;
  if (llvm::Error error = adaptAttributes(node, later, earlier))
    return error;
  return *back == WayBack::Library;
}
