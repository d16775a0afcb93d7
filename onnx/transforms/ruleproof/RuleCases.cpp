//===- RuleCases.cpp - Types, shapes and attributes to try ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/ruleproof/internal/RuleCases.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "mlir/IR/Builders.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::ArrayRef;
using llvm::StringRef;
using mlir::Attribute;
using onnx::AttributeProto;

/// Elements of any type are moved alike: these stand for all.
static std::vector<DataType> movedTypes() {
  return {DataType::Float32,   DataType::Float64, DataType::Float16,
          DataType::BFloat16,  DataType::Int64,   DataType::Int32,
          DataType::Int16,     DataType::Int8,    DataType::UInt64,
          DataType::UInt32,    DataType::UInt16,  DataType::UInt8,
          DataType::Bool,      DataType::Int4,    DataType::Float8E4M3FN,
          DataType::Complex64, DataType::String};
}

/// The node is of an operator of the list, whose names are apart by spaces.
static bool isOneOf(const RuleNode &node, StringRef list) {
  llvm::SmallVector<StringRef> names;
  list.split(names, ' ');
  return node.kind == RuleNode::Operator &&
         llvm::is_contained(names, StringRef(node.opType));
}

/// The node computes nothing from the elements that it reads. (A Pad adds
/// zeros, which not every type has.)
static bool onlyMoves(const RuleNode &node) {
  return isOneOf(node, "Compress Concat DepthToSpace Expand Flatten Gather "
                       "GatherElements GatherND Identity Reshape "
                       "ReverseSequence Shape Size Slice SpaceToDepth Split "
                       "Squeeze Tile Transpose Unsqueeze Where");
}

static ArrayRef<Shape> anyShapes() {
  static const Shape all[] = {{},        {1},       {2},       {0},
                              {3},       {1, 1},    {2, 3},    {3, 1},
                              {1, 3},    {0, 3},    {2, 0},    {1, 2, 3},
                              {2, 1, 3}, {2, 3, 1}, {2, 3, 2}, {1, 2, 2, 3}};
  return all;
}

static constexpr int64_t anySizes[] = {1, 2, 3, 0, 4, 6, 8};

static ArrayRef<Shape> anyRuns() {
  static const Shape all[] = {{}, {2}, {1}, {0}, {3, 2}, {1, 3}};
  return all;
}

static void findNumbers(const RuleTerm &term, std::vector<int64_t> &integers,
                        std::vector<std::string> &texts) {
  if (term.kind == RuleTerm::Integer)
    integers.push_back(term.integer);
  if (term.kind == RuleTerm::Text)
    texts.push_back(term.name);
  for (const RuleTerm &operand : term.operands)
    findNumbers(operand, integers, texts);
}

/// Axes and permutations of up to four dimensions, small sizes.
static std::vector<std::vector<int64_t>> anyLists() {
  return {{0},          {1},          {-1},         {},        {0, 1},
          {1, 0},       {-2, -1},     {-1, -2},     {2, 0, 1}, {1, 2, 0},
          {0, 2, 1},    {0, 1, 2},    {2, 1, 0},    {1, 0, 2}, {0, 2, 1, 3},
          {0, 1, 3, 2}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 1},    {2, 2},
          {0, 0, 0, 0}, {1, 1, 1, 1}, {2},          {2, 3},    {3, 2}};
}

static Attribute attributeOfTry(const Elements &value, int32_t kind,
                                mlir::MLIRContext &context) {
  bool isWhole = kind == AttributeProto::INT || kind == AttributeProto::INTS;
  return attributeOf(
      ops::cast(value, isWhole ? DataType::Int64 : DataType::Float32),
      value.rank() == 1, &context);
}

/// The type as attribute `to` of Cast has it, in early versions a text.
static Attribute typeAttribute(DataType type, int32_t kind,
                               mlir::Builder &builder) {
  if (kind == AttributeProto::STRING)
    return builder.getStringAttr(
        onnx::TensorProto::DataType_Name(int32_t(type)));
  return builder.getI64IntegerAttr(int64_t(type));
}

/// Values of an attribute of which nothing is said but its kind.
static std::vector<Attribute> valuesOfKind(int32_t kind,
                                           ArrayRef<int64_t> integers,
                                           ArrayRef<std::string> texts,
                                           mlir::Builder &builder) {
  std::vector<Attribute> all;
  switch (kind) {
  case AttributeProto::INT:
    for (int64_t number : integers)
      all.push_back(builder.getI64IntegerAttr(number));
    break;
  case AttributeProto::INTS:
    for (const std::vector<int64_t> &list : anyLists())
      all.push_back(builder.getDenseI64ArrayAttr(list));
    break;
  case AttributeProto::FLOAT:
    for (float number : {1.0f, 0.0f, 0.5f, -1.0f, 1e-5f, 3.0f, -0.0f})
      all.push_back(builder.getF32FloatAttr(number));
    break;
  case AttributeProto::FLOATS:
    for (size_t size : {1, 2, 3})
      all.push_back(
          builder.getDenseF32ArrayAttr(std::vector<float>(size, 0.5f)));
    break;
  case AttributeProto::STRING:
    for (const char *text : {"linear", "nearest", "none", "tanh", "NOTSET",
                             "constant", "half_pixel", "mean", "sum"})
      all.push_back(builder.getStringAttr(text));
    for (const std::string &text : texts)
      all.push_back(builder.getStringAttr(text));
    break;
  default:
    break;
  }
  return all;
}

/// Those to which a Cast with this parameter casts; none if no Cast has it.
ArrayRef<DataType> RuleCases::castTypes(unsigned parameter) const {
  for (const RuleNode &node : rule.nodes)
    for (const RuleAttribute &one : node.attributes)
      if (node.opType == "Cast" && one.name == "to" && !one.value &&
          one.parameter == parameter)
        return rule.typeClasses[rule.values[node.outputs[0]].typeClass];
  return {};
}

std::vector<Attribute> RuleCases::valuesOf(unsigned attribute) const {
  const RuleParameter &parameter = rule.attributes[attribute];
  std::vector<Attribute> all;
  for (const Elements &one : parameter.tries)
    all.push_back(attributeOfTry(one, parameter.kind, context));
  if (parameter.computed)
    all.push_back({});
  if (!all.empty())
    return all;
  mlir::Builder builder(&context);
  for (DataType type : castTypes(attribute))
    all.push_back(typeAttribute(type, parameter.kind, builder));
  if (all.empty()) {
    std::vector<int64_t> integers = {0, 1, -1, 2, -2, 3};
    std::vector<std::string> texts;
    for (const RuleTerm &term : rule.conditions)
      findNumbers(term, integers, texts);
    all = valuesOfKind(parameter.kind, integers, texts, builder);
  }
  if (parameter.sample)
    all.push_back(parameter.sample);
  if (parameter.mayBeMissing) // as it mostly is
    all.insert(all.end(), std::max<size_t>(all.size(), 1), Attribute());
  return all;
}

/// Every node of the case that reads or makes values of the class only moves
/// them.
bool RuleCases::isMoved(unsigned typeClass) const {
  auto isOfClass = [&](int value) {
    return value >= 0 && rule.values[value].typeClass == typeClass;
  };
  for (auto [i, node] : llvm::enumerate(rule.nodes))
    if (nodes[i] && !onlyMoves(node) &&
        (llvm::any_of(node.inputs, isOfClass) ||
         llvm::any_of(node.outputs, isOfClass)))
      return false;
  return true;
}

/// For floats and truths of any value the node is defined, and has one shape.
static bool keepsShape(const RuleNode &node) {
  return node.kind != RuleNode::Operator ||
         isOneOf(node,
                 "Abs Add Attention Clip Concat Cos Div Erf Exp Expand Gelu "
                 "HardSigmoid HardSwish Identity InstanceNormalization IsNaN "
                 "LayerNormalization LeakyRelu Log LogSoftmax MatMul Max Min "
                 "Mish Mul Neg Pow RMSNormalization Reciprocal ReduceMax "
                 "ReduceMean ReduceSum Relu Reshape RotaryEmbedding Shape "
                 "Sigmoid Sin Slice Softmax Softplus Sqrt Sub Swish Tanh "
                 "Transpose Unsqueeze Where");
}

/// The condition asks for elements of a value that may have any. (Halves of a
/// parameter that are to be equal are made so.)
static bool asksForNumbers(const RewriteRule &rule, const RuleTerm &term) {
  bool asks =
      term.kind == RuleTerm::Value || term.kind == RuleTerm::Between ||
      term.kind == RuleTerm::Finite ||
      (term.kind == RuleTerm::HalvesEqual && rule.values[term.index].node >= 0);
  if (asks && rule.values[term.index].tries.empty() &&
      !(term.kind == RuleTerm::Finite && rule.values[term.index].range))
    return true;
  return llvm::any_of(term.operands, [&](const RuleTerm &operand) {
    return asksForNumbers(rule, operand);
  });
}

bool RuleCases::keepsShapes() const {
  auto castsToFloat = [&](const RuleNode &node) {
    unsigned result = rule.values[node.outputs[0]].typeClass;
    return node.opType == "Cast" && !rule.typeClasses[result].empty() &&
           llvm::all_of(rule.typeClasses[result],
                        [](DataType type) { return isFloat(type); });
  };
  for (auto [i, node] : llvm::enumerate(rule.nodes))
    if (nodes[i] && !keepsShape(node) && !castsToFloat(node))
      return false;
  return llvm::none_of(rule.conditions, [&](const RuleTerm &term) {
    return asksForNumbers(rule, term);
  });
}

bool RuleCases::isDrawn(unsigned value, const RuleCase &one) const {
  return given[value] && rule.values[value].node < 0 &&
         !one.values[value].tried && !one.values[value].shapes.empty();
}

bool RuleCases::hasNumbers(const RuleCase &one) const {
  for (unsigned i = 0; i < rule.values.size(); ++i)
    if (isDrawn(i, one) &&
        llvm::any_of(one.values[i].shapes, [](const Shape &shape) {
          return numElements(shape) != 0;
        }))
      return true;
  return false;
}

bool RuleCases::isDecidedByShapes(const RuleCase &one) const {
  for (unsigned i = 0; i < rule.values.size(); ++i)
    if (DataType type = one.values[i].type;
        isDrawn(i, one) && !isFloat(type) && type != DataType::Bool)
      return false; // it may be a shape, or axes
  return keptShapes;
}

RuleCases::RuleCases(const RewriteRule &rule, unsigned pattern,
                     mlir::MLIRContext &context, int64_t most, uint64_t seed)
    : rule(rule), nodes(rule.nodesOf(pattern)), context(context), most(most),
      random(seed), given(rule.values.size()) {
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!nodes[i])
      continue;
    if (node.kind == RuleNode::Number || rule.isAnyFloat(node.outputs[0]))
      given[node.outputs[0]] = true;
    for (int input : node.inputs)
      if (input >= 0 && rule.values[input].node < 0)
        given[input] = true;
  }
  for (unsigned i = 0; i < rule.values.size(); ++i)
    if (given[i] && !llvm::is_contained(classes, rule.values[i].typeClass))
      classes.push_back(rule.values[i].typeClass);
  for (auto [i, isNeeded] : llvm::enumerate(rule.nodesOf(rule.replacement)))
    if (isNeeded)
      nodes[i] = true;
  keptShapes = keepsShapes();
  for (unsigned one : classes) {
    std::vector<DataType> types = rule.typeClasses[one];
    if (types.empty())
      types = movedTypes();
    constexpr size_t few = 4;
    if (types.size() > few && isMoved(one))
      llvm::erase_if(types, [](DataType type) {
        return !llvm::is_contained(movedTypes(), type);
      });
    allTypes.push_back(std::move(types));
  }
  for (unsigned i = 0; i < rule.attributes.size(); ++i)
    attributes.push_back(valuesOf(i));
}

/// The sizes that a named dimension may have.
ArrayRef<int64_t> RuleCases::sizesOf(llvm::StringRef name) const {
  auto stated = rule.sizes.find(name);
  return stated == rule.sizes.end() ? ArrayRef<int64_t>(anySizes)
                                    : ArrayRef<int64_t>(stated->second);
}

/// How many cases there are of one combination of types.
double RuleCases::count() const {
  double result = 1;
  llvm::StringSet<> names;
  for (auto [i, value] : llvm::enumerate(rule.values)) {
    if (!given[i])
      continue;
    result *= value.isOptional ? 2 : value.isVariadic ? 3 : 1;
    if (!value.tries.empty()) {
      result *= value.tries.size();
      continue;
    }
    if (!value.shape) {
      result *= anyShapes().size();
      continue;
    }
    for (const RuleDim &dim : *value.shape)
      if (dim.kind == RuleDim::Any)
        result *= std::size(anySizes);
      else if (dim.kind != RuleDim::Number && names.insert(dim.name).second)
        result *= dim.kind == RuleDim::Run ? anyRuns().size()
                                           : sizesOf(dim.name).size();
  }
  for (const std::vector<Attribute> &all : attributes)
    result *= std::max<size_t>(all.size(), 1);
  return result;
}

/// A shape that broadcasts with `base`, as shapes of models do.
static Shape related(const Shape &base,
                     llvm::function_ref<unsigned(unsigned)> choose) {
  Shape shape = base;
  switch (choose(4)) {
  case 0:
    return {};
  case 1:
    return shape;
  case 2: // the last dimensions
    shape.erase(shape.begin(),
                shape.begin() + (shape.empty() ? 0 : choose(shape.size())));
    return shape;
  default:
    for (int64_t &size : shape)
      if (choose(2))
        size = 1;
    return shape;
  }
}

Shape RuleCases::shapeOf(const RuleValue &value, Choice choose, bool isRelated,
                         const Shape &base) {
  if (!value.shape)
    return isRelated ? related(base, choose)
                     : anyShapes()[choose(anyShapes().size())];
  Shape shape;
  for (const RuleDim &dim : *value.shape) {
    if (dim.kind == RuleDim::Number) {
      shape.push_back(dim.number);
    } else if (dim.kind == RuleDim::Any) {
      shape.push_back(anySizes[choose(std::size(anySizes))]);
    } else if (dim.kind == RuleDim::Name) {
      auto known = dims.find(dim.name);
      if (known == dims.end()) {
        ArrayRef<int64_t> sizes = sizesOf(dim.name);
        known = dims.try_emplace(dim.name, sizes[choose(sizes.size())]).first;
      }
      shape.push_back(known->second);
    } else {
      auto known = runs.find(dim.name);
      if (known == runs.end())
        known = runs.try_emplace(dim.name, anyRuns()[choose(anyRuns().size())])
                    .first;
      shape.append(known->second.begin(), known->second.end());
    }
  }
  return shape;
}

bool RuleCases::fillShapes(RuleCase &result, Choice choose, bool isRelated) {
  dims.clear();
  runs.clear();
  Shape base =
      isRelated ? Shape(anyShapes()[choose(anyShapes().size())]) : Shape();
  for (auto [i, value] : llvm::enumerate(rule.values)) {
    RuleCase::Given &one = result.values[i];
    one.shapes.clear();
    if (!given[i] || (value.isOptional && choose(2)))
      continue;
    if (!value.tries.empty()) {
      one.tried = value.tries[choose(value.tries.size())];
      one.shapes.assign(1, Shape(one.tried.shape()));
      continue;
    }
    unsigned count = value.isVariadic ? 1 + choose(3) : 1;
    Shape shape = shapeOf(value, choose, isRelated, base);
    constexpr int64_t mostElements = 1 << 22;
    if (checkedNumElements(shape).value_or(mostElements) >= mostElements)
      shape.assign(shape.size(), 1); // many names of sizes
    one.shapes.assign(count, shape);
  }
  return true;
}

bool RuleCases::fillAttributes(RuleCase &result, Choice choose,
                               bool isSampled) {
  result.attributes.clear();
  mlir::Builder builder(&context);
  for (auto [i, all] : llvm::enumerate(attributes)) {
    if (all.empty())
      return false;
    // Casts between any two types are many, those back to a type are few.
    bool isBack =
        isSampled && !result.values.empty() &&
        llvm::is_contained(castTypes(i), result.values.front().type) &&
        random.below(2);
    result.attributes.push_back(
        isBack ? typeAttribute(result.values.front().type,
                               rule.attributes[i].kind, builder)
               : all[choose(all.size())]);
  }
  return true;
}

/// The number of combinations of types.
double RuleCases::combinations() const {
  double result = 1;
  for (const std::vector<DataType> &types : allTypes)
    result *= types.size();
  return result;
}

static constexpr double mostCombinations = 150;

/// Cases of one combination of types.
static int64_t casesOfEach(int64_t most, double combinations) {
  return std::max<int64_t>(
      most / int64_t(std::clamp(combinations, 1.0, mostCombinations)), 24);
}

int64_t RuleCases::size() const {
  double each = std::min<double>(casesOfEach(most, combinations()), count());
  return std::min(combinations(), mostCombinations) * each;
}

void RuleCases::forEach(llvm::function_ref<bool(const RuleCase &)> visit) {
  bool takesAll = combinations() <= mostCombinations;
  int64_t numTypes = takesAll ? combinations() : mostCombinations;
  int64_t each = casesOfEach(most, combinations());
  bool isComplete = count() <= each;
  RuleCase result;
  result.values.resize(rule.values.size());
  for (int64_t i = 0; i < numTypes; ++i) {
    int64_t rest = takesAll ? i : int64_t(random.next() >> 1);
    for (auto [one, types] : llvm::zip_equal(classes, allTypes)) {
      DataType type = types[rest % types.size()];
      rest /= types.size();
      for (unsigned value = 0; value < rule.values.size(); ++value)
        if (rule.values[value].typeClass == one)
          result.values[value].type = type;
    }
    for (int64_t j = 0; j < (isComplete ? int64_t(count()) : each); ++j) {
      int64_t digits = j;
      auto choose = [&](unsigned count) -> unsigned {
        if (!isComplete)
          return random.below(count);
        unsigned digit = digits % count;
        digits /= count;
        return digit;
      };
      bool isRelated = !isComplete && random.below(4) != 0;
      if (!fillShapes(result, choose, isRelated) ||
          !fillAttributes(result, choose, !isComplete))
        return;
      if (!visit(result))
        return;
    }
  }
}
