//===- TranslatedFrames.cpp - Frames of numbers, and distinct values ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A frame of numbers is a matrix that is to be encoded. Frames of texts have no
// equivalent.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"

using namespace onnxfold::dml;

DmlValue onnxfold::dml::asFrame(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (!x.isMatrix())
    return call.refuse("it works on frames of texts");
  x.type = DmlValue::Frame;
  x.isCounting = false;
  x.text.clear();
  return x;
}

/// The elements row by row.
static std::string flat(const BuiltinCall &call, const DmlValue &x) {
  return call.node("Reshape", {x.name, call.graph().integers({-1})});
}
static DmlValue column(const BuiltinCall &call, const std::string &list,
                       int64_t rows) {
  return DmlValue::matrix(
      call.node("Reshape", {list, call.graph().integers({-1, 1})}), rows, 1);
}

/// Of all elements of the matrix. NaN is one value, and put last: Unique of ONNX
/// Runtime loses numbers that are compared with it.
DmlValue onnxfold::dml::uniqueValues(const BuiltinCall &call) {
  if (const DmlValue *way = call.get("dir"); way && way->text != "rc")
    return call.refuse("of each row or column, whose order is that of a hash "
                       "table, expected dir=\"rc\"");
  std::string list = flat(call, call.first()),
              isNaN = call.node("IsNaN", {list}),
              isNumber = call.node("Not", {isNaN});
  std::string numbers = call.node("Compress", {list, isNumber}),
              others = call.node("Compress", {list, isNaN});
  std::string zero = call.graph().integers({0}),
              one = call.graph().integers({1});
  std::string distinct = call.node("Unique", {numbers}, {{"sorted", {1}}}),
              first = call.node("Slice", {others, zero, one});
  DmlValue made =
      column(call, call.node("Concat", {distinct, first}, {{"axis", {0}}}), -1);
  made.isUnordered = true;
  return made;
}

/// transformencode(): numbers from 1 in the order in which values come first; NaN
/// is a value. The second result is refused where it is read.
std::array<DmlValue, 2> onnxfold::dml::encodedColumn(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0), *spec = call.get("spec", 1);
  if (!x || x->type != DmlValue::Frame || !spec ||
      spec->type != DmlValue::Text || spec->isOpenText)
    return {call.refuse("it works on frames")};
  std::string plain;
  for (char c : spec->text)
    if (c != ' ' && c != '"' && c != '\'')
      plain += c;
  if (plain != "{ids:true,recode:[1]}" || x->columns != 1)
    return {call.refuse("of numbers only the codes of one column, "
                        "{ids:true,recode:[1]}")};
  // Unique of ONNX Runtime loses numbers that are compared with NaN, so it gets
  // rows: whether it is NaN, and the number.
  OnnxGraph &graph = call.graph();
  std::string isNaN = call.node("IsNaN", {x->name}), zero = graph.number(0),
              one = graph.number(1);
  std::string kind = graph.cast(isNaN, graph.real()),
              number = call.node("Where", {isNaN, zero, x->name});
  std::string pairs = call.node("Concat", {kind, number}, {{"axis", {1}}});
  std::vector<std::string> unique =
      graph.nodes("Unique", {pairs}, 4, {{"sorted", {0}}, {"axis", {0}}});
  std::string places = graph.cast(unique[2], graph.real());
  return {column(call, call.node("Add", {places, one}), x->rows),
          unreadable("is the frame of codes")};
}
