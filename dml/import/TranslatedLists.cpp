//===- TranslatedLists.cpp - Lists and texts of DML -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Lists are known: which elements they have, and under which names. Elements
// are values as all others.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

/// Values in a list, also of lists in it: a copy of a list copies them.
static size_t leavesOf(const DmlValue &value) {
  size_t count = 1;
  for (const DmlValue &one : value.elements)
    count += leavesOf(one);
  return count;
}
constexpr size_t mostLeaves = 20000, longestText = 1 << 20;

static DmlValue checkedList(const BuiltinCall &call, DmlValue list) {
  if (leavesOf(list) > mostLeaves)
    return call.refuse("more than " + llvm::Twine(mostLeaves) + " values");
  return list;
}

/// list(a, b), list(x=a, y=b)
DmlValue onnxfold::dml::makeList(const BuiltinCall &call) {
  DmlValue list;
  list.type = DmlValue::List;
  size_t next = 0;
  for (const Argument &one : call.given.node.arguments) {
    list.elements.push_back(one.key.empty()
                                ? call.given.positional[next++]
                                : call.given.named.find(one.key)->second);
    list.keys.push_back(one.key.str());
  }
  return checkedList(call, std::move(list));
}

/// Of matrices it is cbind().
DmlValue onnxfold::dml::append(const BuiltinCall &call) {
  const DmlValue *list = call.get("target", 0);
  if (list && list->isMatrix() && call.given.positional.size() == 2 &&
      call.given.positional[1].isMatrix())
    return bindColumns(call);
  if (!list || call.count() != 2 ||
      (list->type != DmlValue::List && list->type != DmlValue::Text))
    return call.refuse("no list or text and something else");
  bool isNamed = call.given.positional.size() == 1;
  const Argument &last = call.given.node.arguments.back();
  const DmlValue &added = isNamed ? call.given.named.find(last.key)->second
                                  : call.given.positional[1];
  if (list->type == DmlValue::Text)
    return call.to.binary(call.given.node.place, "+", *list, added);
  if (list->isOpenText && added.type != DmlValue::Text)
    return call.refuse("a list whose length depends on values");
  if (list->isOpenText)
    return *list;
  DmlValue made = *list;
  made.elements.push_back(added);
  made.keys.push_back(isNamed ? last.key.str() : "");
  return checkedList(call, std::move(made));
}

/// Of a list with one element, which is a list, that list.
DmlValue onnxfold::dml::asList(const BuiltinCall &call) {
  const DmlValue &x = call.first();
  if (x.type != DmlValue::List)
    return call.refuse("something that is not a list");
  bool isPart =
      x.elements.size() == 1 && x.elements.front().type == DmlValue::List;
  return isPart ? DmlValue(x.elements.front()) : x;
}

/// Values that depend on the data have no known text; it is printed, mostly.
DmlValue onnxfold::dml::openText(const BuiltinCall &) {
  DmlValue text = textValue("");
  text.isOpenText = true;
  return text;
}

DmlValue onnxfold::dml::timeOfDay(const BuiltinCall &) {
  return unreadable("is the time");
}

/// list["key"], list[i], list[i:j]: a list again.
DmlValue Translation::listPart(const Expr::Node &node, const DmlValue &list,
                               Variables &variables) {
  if (node.operands.size() != 3)
    return refuse(node.place, "rows and columns of a list");
  if (list.isOpenText)
    return refuse(node.place, "an element of a list whose length depends on "
                              "values");
  DmlValue first = evaluate(node.operands[1], variables), last = first;
  if (node.operands[2])
    last = evaluate(node.operands[2], variables);
  if (first.isUnknown() || last.isUnknown())
    return {};
  size_t from = 0, to = 0;
  if (first.type == DmlValue::Text && !first.isOpenText) {
    auto found = llvm::find(list.keys, first.text);
    if (found == list.keys.end())
      return refuse(node.place, "the list has no element '" + first.text + "'");
    from = to = found - list.keys.begin();
  } else if (first.number && last.number) {
    if (!(*first.number >= 1) || !(*last.number >= *first.number) ||
        !(*last.number <= double(list.elements.size()))) // NaN, too
      return refuse(node.place, "element " + numberText(*first.number) +
                                    " of a list of " +
                                    llvm::Twine(list.elements.size()));
    from = size_t(*first.number) - 1;
    to = size_t(*last.number) - 1;
  } else {
    return refuse(node.place, "an element of a list that is not known");
  }
  DmlValue part;
  part.type = DmlValue::List;
  for (size_t i = from; i <= to; ++i) {
    part.elements.push_back(list.elements[i]);
    part.keys.push_back(i < list.keys.size() ? list.keys[i] : "");
  }
  return part;
}

/// Text of a number, as `+` and toString() make it; open if we do not know it.
static DmlValue textOf(const DmlValue &value) {
  if (value.type == DmlValue::Text)
    return value;
  DmlValue text = textValue("");
  if (value.number && value.type == DmlValue::Boolean)
    text.text = *value.number != 0 ? "TRUE" : "FALSE";
  else if (value.number && value.type == DmlValue::Int && value.mayCount())
    text.text = std::to_string(int64_t(*value.number));
  else
    text.isOpenText = true;
  return text;
}

/// Whether a number has a known text; nothing if its digits decide. Words are
/// those of Java.
static std::optional<DmlValue> hasText(Translation &to, const DmlValue &number,
                                       const DmlValue &text) {
  bool isDouble = number.type == DmlValue::Double;
  StringRef word = text.text;
  if ((!isDouble && number.type != DmlValue::Int) ||
      text.type != DmlValue::Text || text.isOpenText || word.empty() ||
      !llvm::isAlpha(word.front()))
    return std::nullopt;
  if (number.number) {
    bool isNan = std::isnan(*number.number);
    bool isIt = word == "NaN"        ? isNan
                : word == "Infinity" ? *number.number == HUGE_VAL
                                     : false;
    return to.known(isIt, DmlValue::Boolean);
  }
  OnnxGraph &graph = to.onnx();
  if (isDouble && word == "NaN")
    return to.scalar(graph.node("IsNaN", {to.real(number)}), DmlValue::Boolean);
  if (isDouble && word == "Infinity")
    return std::nullopt;
  return to.known(false, DmlValue::Boolean);
}

DmlValue Translation::joinedText(Place place, StringRef op, const DmlValue &a,
                                 const DmlValue &b) {
  DmlValue left = textOf(a), right = textOf(b);
  bool isOpen = left.isOpenText || right.isOpenText;
  if (op == "+") {
    left.isOpenText =
        isOpen || left.text.size() + right.text.size() > longestText;
    left.text = left.isOpenText ? "" : left.text + right.text;
    left.isParameter = false;
    if (left.parameter.empty())
      left.parameter = right.parameter;
    return left;
  }
  if (op != "==" && op != "!=")
    return refuse(place, "the operator " + op + " of a text");
  for (auto [number, text] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<DmlValue> isIt = hasText(*this, *number, *text)) {
      if (op == "==")
        return *isIt;
      return isIt->number
                 ? known(*isIt->number == 0, DmlValue::Boolean)
                 : scalar(graph.node("Not", {isIt->name}), DmlValue::Boolean);
    }
  if (isOpen)
    return refuse(place, "a comparison of a text that depends on values");
  return known((left.text == right.text) == (op == "=="), DmlValue::Boolean);
}
