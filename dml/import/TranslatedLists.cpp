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

static DmlValue checkedList(const BuiltinCall &call, DmlValue list) {
  std::string why = problemOfList(list);
  return why.empty() ? list : call.refuse(why);
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

/// Of matrices it is cbind(). Of a list with one element that element is
/// appended, with its key.
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
    return call.binary("+", *list, added);
  if (list->isOpenText && added.type != DmlValue::Text)
    return call.refuse("a list whose length depends on values");
  if (list->isOpenText)
    return *list;
  bool isOne = added.type == DmlValue::List && added.elements.size() == 1 &&
               !added.isOpenText;
  DmlValue made = *list;
  made.keys.resize(made.elements.size());
  made.elements.push_back(isOne ? added.elements.front() : added);
  made.keys.push_back(isNamed ? last.key.str() : isOne ? added.keyOf(0) : "");
  return checkedList(call, std::move(made));
}

/// [rest, element] = remove(list, i): the element as a list.
std::array<DmlValue, 2> onnxfold::dml::removed(const BuiltinCall &call) {
  DmlValue rest = call.first();
  const DmlValue &place = call.given.positional[1];
  if (rest.type != DmlValue::List || rest.isOpenText || !place.number)
    return {call.refuse("expected a list and a number that is known")};
  size_t count = rest.elements.size();
  if (!(*place.number >= 1) || !(*place.number < double(count + 1))) // NaN, too
    return {call.refuse("element " + numberText(*place.number) +
                        " of a list of " + llvm::Twine(count))};
  auto i = ptrdiff_t(*place.number) - 1;
  DmlValue element;
  element.type = DmlValue::List;
  element.elements.push_back(rest.elements[i]);
  rest.keys.resize(rest.elements.size());
  rest.elements.erase(rest.elements.begin() + i);
  rest.keys.erase(rest.keys.begin() + i);
  return {std::move(rest), std::move(element)};
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
