//===- SchemaCheck.cpp - Does an operator fit its schema? -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What ONNX's checker says about a node without looking at types.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>

using namespace mlir;
using namespace onnxfold;
using onnx::AttributeProto;
using onnx::OpSchema;

template <typename... Args>
static llvm::Error mismatch(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

/// "1", "1 to 3", "at least 1".
static std::string rangeText(int low, int high) {
  if (low == high)
    return std::to_string(low);
  if (high == INT_MAX)
    return "at least " + std::to_string(low);
  return std::to_string(low) + " to " + std::to_string(high);
}

static llvm::Error checkCount(const char *what, int count, int low, int high) {
  if (count >= low && count <= high)
    return llvm::Error::success();
  return mismatch("has {0} {1}s, expected {2}", count, what,
                  rangeText(low, high));
}

static llvm::Error checkInputs(const Operator &op, const OpSchema &schema) {
  if (llvm::Error error = checkCount("input", op.numInputs(),
                                     schema.min_input(), schema.max_input()))
    return error;
  for (unsigned i = 0, e = op.numInputs(); i != e; ++i) {
    const auto &parameters = schema.inputs();
    size_t index = std::min<size_t>(i, parameters.size() - 1);
    if (!op.hasInput(i) && parameters[index].GetOption() ==
                               OpSchema::FormalParameterOption::Single)
      return mismatch("input #{0} ('{1}') is absent, expected a value", i,
                      parameters[index].GetName());
  }
  return llvm::Error::success();
}

/// A tensor, or a list that is too long for a dictionary.
static bool isElements(Attribute value, unsigned rank) {
  auto elements = dyn_cast<ElementsAttr>(value);
  return elements && elements.getShapedType().getRank() == rank;
}

static bool isList(Attribute value, AttributeProto::AttributeType kind) {
  switch (kind) {
  case AttributeProto::INTS:
    return isa<DenseI64ArrayAttr>(value) || isElements(value, 1);
  case AttributeProto::FLOATS:
    return isa<DenseF32ArrayAttr>(value) || isElements(value, 1);
  default:
    auto array = dyn_cast<ArrayAttr>(value);
    return (array && llvm::all_of(array, llvm::IsaPred<StringAttr>)) ||
           isElements(value, 1);
  }
}

static bool hasKind(Attribute value, AttributeProto::AttributeType kind) {
  if (auto reference = dyn_cast<OnnxRefAttr>(value))
    return reference.getKind() == kind;
  if (auto raw = dyn_cast<OnnxRawAttr>(value))
    return raw.getKind() == kind;
  switch (kind) {
  case AttributeProto::INT: {
    auto integer = dyn_cast<IntegerAttr>(value);
    return integer && integer.getType().isSignlessInteger(64);
  }
  case AttributeProto::FLOAT: {
    auto number = dyn_cast<FloatAttr>(value);
    return number && number.getType().isF32();
  }
  case AttributeProto::STRING:
    return isa<StringAttr>(value);
  case AttributeProto::TENSOR:
    return isa<ElementsAttr>(value);
  case AttributeProto::TYPE_PROTO:
    return isa<TypeAttr>(value);
  case AttributeProto::INTS:
  case AttributeProto::FLOATS:
  case AttributeProto::STRINGS:
    return isList(value, kind);
  default:
    return false;
  }
}

static std::string text(Attribute attribute) {
  if (auto raw = dyn_cast<OnnxRawAttr>(attribute)) // bytes tell nobody anything
    return AttributeProto::AttributeType_IsValid(raw.getKind())
               ? AttributeProto::AttributeType_Name(
                     AttributeProto::AttributeType(raw.getKind()))
               : "of kind " + std::to_string(raw.getKind());
  std::string result;
  llvm::raw_string_ostream(result) << attribute;
  if (result.size() > 60)
    result = result.substr(0, 57) + "...";
  return result;
}

static llvm::Error checkAttributes(const Operator &op, const OpSchema &schema) {
  for (NamedAttribute attribute : op->getDiscardableAttrDictionary()) {
    StringRef name = attribute.getName();
    // ONNX lets names with "__" pass; a dot is MLIR's mark of attributes that
    // belong to a dialect and not to the operation.
    if (name.starts_with("__") || name.contains('.'))
      continue;
    auto known = schema.attributes().find(name.str());
    if (known == schema.attributes().end())
      return mismatch("has an attribute '{0}', which is not one of {1}-{2}",
                      name, op.opType(), op.since());
    if (!hasKind(attribute.getValue(), known->second.type))
      return mismatch("attribute '{0}' is {1}, expected {2}", name,
                      text(attribute.getValue()),
                      AttributeProto::AttributeType_Name(known->second.type));
  }
  for (const auto &[name, attribute] : schema.attributes())
    if (attribute.required && attribute.type != AttributeProto::GRAPH &&
        !op.has(name))
      return mismatch("has no attribute '{0}', which is required", name);
  return llvm::Error::success();
}

static llvm::Error checkGraphs(const Operator &op, const OpSchema &schema) {
  for (unsigned i = 0, e = op.numGraphs(); i != e; ++i) {
    StringRef name = op.graphName(i);
    auto known = schema.attributes().find(name.str());
    if (known == schema.attributes().end() ||
        known->second.type != AttributeProto::GRAPH)
      return mismatch("has a graph '{0}', which is not one of {1}-{2}", name,
                      op.opType(), op.since());
  }
  for (const auto &[name, attribute] : schema.attributes())
    if (attribute.required && attribute.type == AttributeProto::GRAPH &&
        !op.getGraph(name) && !op.has(name))
      return mismatch("has no graph '{0}', which is required", name);
  return llvm::Error::success();
}

llvm::Error onnxfold::checkAgainst(const Operator &op, const OpSchema &schema) {
  if (llvm::Error error = checkInputs(op, schema))
    return error;
  if (llvm::Error error = checkCount("output", op.numOutputs(),
                                     schema.min_output(), schema.max_output()))
    return error;
  if (llvm::Error error = checkAttributes(op, schema))
    return error;
  return checkGraphs(op, schema);
}

llvm::Error Operator::checkAgainstSchema() const {
  const OpSchema *schema = this->schema();
  return schema ? checkAgainst(*this, *schema) : llvm::Error::success();
}
