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
using mlir::Attribute;
using onnx::AttributeProto;

/// All types that some operator takes; of those narrower than a byte two.
static std::vector<DataType> anyTypes() {
  return {DataType::Float32,   DataType::Float64, DataType::Float16,
          DataType::BFloat16,  DataType::Int64,   DataType::Int32,
          DataType::Int16,     DataType::Int8,    DataType::UInt64,
          DataType::UInt32,    DataType::UInt16,  DataType::UInt8,
          DataType::Bool,      DataType::Int4,    DataType::Float8E4M3FN,
          DataType::Complex64, DataType::String};
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

void RuleCases::addAttributes() {
  std::vector<int64_t> integers = {0, 1, -1, 2, -2, 3};
  std::vector<std::string> texts;
  for (const RuleTerm &term : rule.conditions)
    findNumbers(term, integers, texts);
  mlir::Builder builder(&context);
  for (const RuleParameter &parameter : rule.attributes) {
    std::vector<Attribute> all;
    for (const Elements &one : parameter.tries)
      all.push_back(attributeOfTry(one, parameter.kind, context));
    if (parameter.computed)
      all.push_back({});
    if (!all.empty()) {
      attributes.push_back(std::move(all));
      continue;
    }
    if (parameter.sample)
      all.push_back(parameter.sample);
    if (parameter.name == "to")
      for (DataType type : anyTypes())
        all.push_back(typeAttribute(type, parameter.kind, builder));
    switch (parameter.kind) {
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
    if (parameter.mayBeMissing) // as it mostly is
      all.insert(all.end(), std::max<size_t>(all.size(), 1), Attribute());
    attributes.push_back(std::move(all));
  }
}

RuleCases::RuleCases(const RewriteRule &rule, unsigned pattern,
                     mlir::MLIRContext &context, int64_t most, uint64_t seed)
    : rule(rule), context(context), most(most), random(seed),
      given(rule.values.size()) {
  std::vector<bool> before = rule.nodesOf(pattern);
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!before[i])
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
  for (unsigned one : classes) {
    std::vector<DataType> types = rule.typeClasses[one];
    if (types.empty())
      types = anyTypes();
    // Types below a byte, and floats of eight bits, are moved only.
    llvm::erase_if(types, [&](DataType type) {
      return rule.typeClasses[one].size() > 4 &&
             !llvm::is_contained(anyTypes(), type);
    });
    allTypes.push_back(std::move(types));
  }
  addAttributes();
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
    bool isBack = isSampled && rule.attributes[i].name == "to" &&
                  random.below(2) && !result.values.empty();
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
