//===- ControlFlow.cpp - Values of branches and loops of DML --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What values have in common that two paths give to a variable.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;

bool DmlValue::isSame(const DmlValue &other) const {
  if (type != other.type || name != other.name || text != other.text ||
      rows != other.rows || columns != other.columns ||
      isOpenText != other.isOpenText || isUnordered != other.isUnordered ||
      elements.size() != other.elements.size() || keys != other.keys ||
      number.has_value() != other.number.has_value())
    return false;
  if (number && *number != *other.number &&
      !(std::isnan(*number) && std::isnan(*other.number)))
    return false;
  for (auto [a, b] : llvm::zip(elements, other.elements))
    if (!a.isSame(b))
      return false;
  return true;
}

DmlValue onnxfold::dml::unreadable(const llvm::Twine &why) {
  DmlValue value;
  value.text = why.str();
  return value;
}

DmlValue onnxfold::dml::unassigned(const llvm::Twine &why) {
  DmlValue value = unreadable(why);
  value.isUnassigned = true;
  return value;
}

constexpr llvm::StringLiteral ofFrame =
    "is a frame that a branch or a loop assigns";

/// Stands for a variable where nothing assigned it, and has the type that it
/// has elsewhere. SystemDS fails where it is read, so who gets a result has not
/// read it, as with stop().
DmlValue Translation::standIn(const DmlValue &value) {
  DmlValue made = value;
  eachLeaf(made, [&](DmlValue &one) {
    if (one.isScalar() && !one.number)
      one = known(0, one.type);
    else if (one.isMatrix())
      one.name = graph.node(
          "Expand", {graph.number(0),
                     graph.integers({std::max<int64_t>(one.rows, 0),
                                     std::max<int64_t>(one.columns, 0)})});
    else if (one.type == DmlValue::Frame)
      one = unreadable(ofFrame);
    if (one.isMatrix()) {
      one.isCounting = false;
      one.text.clear();
    }
  });
  return made;
}

/// Two lists that collect messages.
static bool areTexts(const DmlValue &a, const DmlValue &b) {
  bool areLists = a.type == DmlValue::List && b.type == DmlValue::List,
       areAll = true;
  for (const DmlValue *list : {&a, &b})
    eachLeaf(*list, [&](const DmlValue &one) {
      areAll &= one.type == DmlValue::Text;
    });
  return areLists && areAll;
}

DmlValue onnxfold::dml::joined(const DmlValue &a, const DmlValue &b) {
  if (a.isSame(b))
    return a;
  if (a.isUnknown())
    return a;
  if (b.isUnknown())
    return b;
  DmlValue value;
  value.type = a.type;
  if (a.isScalar() && b.isScalar() &&
      (a.type == DmlValue::Boolean) == (b.type == DmlValue::Boolean)) {
    if (a.type != b.type)
      value.type = DmlValue::Double;
    // Of open values only: a number of a loop is another one in each iteration.
    value.least = std::min(a.least, b.least);
    return value;
  }
  if (a.type == b.type && a.isMatrix()) {
    value.rows = a.rows == b.rows ? a.rows : -1;
    value.columns = a.columns == b.columns ? a.columns : -1;
    value.isUnordered = a.isUnordered || b.isUnordered;
    return value;
  }
  if (a.type == b.type && a.type == DmlValue::List &&
      a.isOpenText == b.isOpenText && a.elements.size() == b.elements.size() &&
      a.keys == b.keys) {
    value.keys = a.keys;
    for (auto [x, y] : llvm::zip(a.elements, b.elements))
      value.elements.push_back(joined(x, y));
    return value;
  }
  if (a.type == b.type && (a.type == DmlValue::Text || areTexts(a, b))) {
    value.isOpenText = true;
    return value;
  }
  if (a.type == DmlValue::Frame || b.type == DmlValue::Frame)
    return unreadable(ofFrame);
  return unreadable("has another type or length on another path");
}

bool onnxfold::dml::isOpen(const DmlValue &value) {
  return (value.isMatrix() || value.isScalar()) && value.name.empty() &&
         !value.number;
}

BodySizes onnxfold::dml::bodySizesOf(const DmlValue &value) {
  return value.isMatrix() ? std::vector<int64_t>{value.rows, value.columns}
                          : std::vector<int64_t>{};
}

int32_t Translation::elementType(const DmlValue &value) const {
  return value.type == DmlValue::Int       ? onnx::TensorProto::INT64
         : value.type == DmlValue::Boolean ? onnx::TensorProto::BOOL
                                           : graph.real();
}

/// The name of a value with the type of another.
std::string Translation::portOf(const DmlValue &value, const DmlValue &as) {
  return as.type == DmlValue::Int       ? integer(value)
         : as.type == DmlValue::Boolean ? truth(value)
                                        : real(value);
}

void onnxfold::dml::forget(const Body &body, Variables &variables) {
  Names names;
  addAssigned(body, names);
  for (const std::string &name : names)
    variables[name] = {};
}
