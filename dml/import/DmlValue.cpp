//===- DmlValue.cpp - What is known of a value of DML ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

DmlValue DmlValue::known(double number, Type type) {
  DmlValue value;
  value.type = type;
  value.number = number;
  return value;
}

DmlValue DmlValue::matrix(std::string name, int64_t rows, int64_t columns) {
  DmlValue value;
  value.type = Matrix;
  value.name = std::move(name);
  value.rows = rows;
  value.columns = columns;
  return value;
}

DmlValue DmlValue::scalar(std::string name, Type type) {
  DmlValue value;
  value.type = type;
  value.name = std::move(name);
  return value;
}

bool DmlValue::hasKeys() const {
  return llvm::any_of(keys, [](auto &key) { return !key.empty(); });
}

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

DmlValue onnxfold::dml::textValue(StringRef text) {
  DmlValue value;
  value.type = DmlValue::Text;
  value.text = text.str();
  return value;
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

/// Values in a list, also of lists in it.
static size_t leavesOf(const DmlValue &value) {
  size_t count = 1;
  for (const DmlValue &one : value.elements)
    count += leavesOf(one);
  return count;
}

std::string onnxfold::dml::problemOfList(const DmlValue &list) {
  constexpr size_t mostLeaves = 20000;
  return leavesOf(list) > mostLeaves
             ? "a list of more than " + std::to_string(mostLeaves) + " values"
             : "";
}

std::string onnxfold::dml::sizeText(const DmlValue &value) {
  auto one = [](int64_t n) { return n < 0 ? "?" : std::to_string(n); };
  return value.isMatrix() ? one(value.rows) + " x " + one(value.columns)
                          : "a scalar";
}

bool onnxfold::dml::isOpen(const DmlValue &value) {
  return (value.isMatrix() || value.isScalar()) && value.name.empty() &&
         !value.number;
}

//===----------------------------------------------------------------------===//
// The least upper bound
//===----------------------------------------------------------------------===//

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
    return unreadable(frameOfPaths);
  return unreadable("has another type or length on another path");
}
