//===- RuleHeader.cpp - The statements of a rule --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/internal/HeaderReader.h"
#include "onnx/defs/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace onnxfold;
using llvm::StringRef;

void HeaderReader::refuse(size_t at, const llvm::Twine &expected) {
  std::string found = token.empty()   ? "the end of the header"
                      : token == "\n" ? "the end of the line"
                                      : ("'" + token + "'").str();
  text.fail(offset + at, found + ", expected " + expected);
}

double HeaderReader::number() {
  bool isNegative = consume("-");
  double result = 0;
  if (token.getAsDouble(result))
    fail("a number");
  else
    advance();
  return isNegative ? -result : result;
}

int64_t HeaderReader::integer(StringRef what) {
  int64_t result = 0;
  if (token.getAsInteger(10, result))
    fail(what);
  else
    advance();
  return result;
}

unsigned HeaderReader::value(StringRef what) {
  auto found = llvm::find_if(
      rule.values, [&](const RuleValue &value) { return value.name == token; });
  if (token.empty() || found == rule.values.end()) {
    fail(what);
    return 0;
  }
  advance();
  return found - rule.values.begin();
}

std::optional<unsigned> HeaderReader::findAttribute(StringRef name) const {
  for (auto [i, attribute] : llvm::enumerate(rule.attributes))
    if (attribute.name == name)
      return i;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void HeaderReader::read() {
  advance();
  while (!hasFailed() && !token.empty()) {
    if (consume("\n") || consume(";"))
      continue;
    statement();
    if (!hasFailed() && !token.empty() && token != "\n" && token != ";")
      fail("the end of the line or ';'");
  }
}

void HeaderReader::statement() {
  if (!isName())
    return fail("a statement: algebra, undoes, level, bound, last_opset, "
                "range, reused, "
                "any_attributes, set, try, if or the name of a value");
  StringRef keyword = token;
  bool isText = keyword == "algebra" || keyword == "undoes";
  if (isText && rest.ltrim(" \t").starts_with(":")) {
    rest = rest.ltrim(" \t").drop_front();
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rest = rest.drop_front(line.size());
    if (keyword == "algebra")
      rule.algebra = line.trim().str();
    else
      for (StringRef name : llvm::split(line, ','))
        rule.undoes.push_back(name.trim().str());
    return advance();
  }
  static constexpr StringRef once[] = {"level", "bound", "last_opset"},
                             often[] = {"if",  "range", "reused",
                                        "set", "try",   "any_attributes"};
  bool isOnce = llvm::is_contained(once, keyword);
  if (!isOnce && !llvm::is_contained(often, keyword))
    return valueStatement(keyword);
  if (isOnce && !said.insert(keyword).second)
    return fail("one '" + keyword + "' in a header");
  advance();
  expect(":");
  if (keyword == "level") {
    if (token != "1" && token != "2")
      return fail("1 or 2");
    rule.level = integer("1 or 2");
  } else if (keyword == "bound") {
    bound();
  } else if (keyword == "range") {
    range();
  } else if (keyword == "reused") {
    reused();
  } else if (keyword == "any_attributes") {
    anyAttributes();
  } else if (keyword == "set") {
    setting();
  } else if (keyword == "try") {
    tries();
  } else if (keyword == "if") {
    rule.conditions.push_back(truth(disjunction()));
  } else {
    int64_t last = integer("the last opset");
    if (!hasFailed() && (last < rule.firstOpset || last > rule.lastOpset))
      fail("an opset from " + llvm::Twine(rule.firstOpset) + " to " +
           llvm::Twine(rule.lastOpset) +
           " before this (the first is that of opset_import)");
    rule.lastOpset = last;
  }
}

/// `bound: 4 ulp`, `bound: 2 ulp of x`.
void HeaderReader::bound() {
  const char *begin = token.data();
  rule.bound.ulps = number();
  if (!hasFailed() && !(rule.bound.ulps >= 0 && std::isfinite(rule.bound.ulps)))
    fail("a finite number that is not below 0");
  expect("ulp");
  if (consume("of"))
    rule.bound.of = value("a value of the rule");
  if (!hasFailed())
    rule.bound.text =
        StringRef(begin, (token.empty() ? all.end() : token.data()) - begin)
            .trim()
            .str();
}

/// `range: x -8 8`.
void HeaderReader::range() {
  unsigned index = value("a parameter");
  double least = number(), most = number();
  if (hasFailed())
    return;
  if (index >= rule.numParameters)
    return fail("a parameter before the numbers");
  if (!(least <= most))
    return fail("a second number that is not below the first");
  rule.values[index].range = {least, most};
}

void HeaderReader::reused() {
  do
    rule.values[value("a value of the pattern")].mayBeReused = true;
  while (consume(","));
}

void HeaderReader::anyAttributes() {
  do {
    StringRef name = token;
    int node = rule.values[value("a value of the pattern")].node;
    if (hasFailed())
      return;
    if (node < 0 || rule.nodes[node].kind != RuleNode::Operator) {
      token = name;
      return fail("the result of an operator of the pattern");
    }
    rule.nodes[node].hasAnyAttributes = true;
  } while (consume(","));
}

/// `set: groups = dim(parts, 1)`.
void HeaderReader::setting() {
  std::optional<unsigned> index = findAttribute(token);
  if (!index || rule.attributes[*index].computed)
    return fail("an attribute of the rule that is not set before");
  int32_t kind = rule.attributes[*index].kind;
  if (kind != onnx::AttributeProto::INT && kind != onnx::AttributeProto::FLOAT)
    return fail("an attribute that is a number");
  advance();
  expect("=");
  rule.attributes[*index].computed = numeric(sum());
}

bool HeaderReader::isDimension(StringRef name) const {
  return llvm::any_of(rule.values, [&](const RuleValue &value) {
    return value.shape && llvm::any_of(*value.shape, [&](const RuleDim &dim) {
             return dim.kind == RuleDim::Name && dim.name == name;
           });
  });
}

/// `try: sizes [0, 2, -1], [0, 1, -1]`, `try: axis 1, 2`, `try: N 4`.
void HeaderReader::tries() {
  std::optional<unsigned> attribute = findAttribute(token);
  unsigned index = 0;
  if (!attribute && isDimension(token)) {
    std::vector<int64_t> &sizes = rule.sizes[token];
    advance();
    do
      sizes.push_back(integer("a size"));
    while (!hasFailed() && consume(","));
    return;
  }
  if (attribute)
    advance();
  else
    index = value("a parameter, an attribute or a dimension");
  if (!hasFailed() && !attribute && index >= rule.numParameters)
    return fail("a parameter before the numbers");
  int32_t kind = attribute ? rule.attributes[*attribute].kind : 0;
  bool isList = kind == onnx::AttributeProto::INTS ||
                kind == onnx::AttributeProto::FLOATS;
  if (!hasFailed() && attribute && !isList &&
      kind != onnx::AttributeProto::INT && kind != onnx::AttributeProto::FLOAT)
    return fail("an attribute of numbers before this");
  auto &all =
      attribute ? rule.attributes[*attribute].tries : rule.values[index].tries;
  do {
    if (!hasFailed() && attribute && (token == "[") != isList)
      return fail(isList ? "a list" : "a number");
    all.push_back(tensor());
  } while (!hasFailed() && consume(","));
}

/// A number, or a list of them.
Elements HeaderReader::tensor() {
  bool isList = consume("[");
  llvm::SmallVector<double, 8> numbers;
  while (!hasFailed() && !(isList && token == "]")) {
    numbers.push_back(number());
    if (!isList || !consume(","))
      break;
  }
  if (isList)
    expect("]");
  if (hasFailed())
    return {};
  Shape shape;
  if (isList)
    shape.push_back(numbers.size());
  return Elements::fromValues<double>(shape, numbers);
}

/// `x: float|float16[N, rest...]`, `bias?`, `xs...`.
void HeaderReader::valueStatement(StringRef) {
  unsigned index =
      value("a statement: algebra, undoes, level, bound, last_opset, "
            "range, reused, any_attributes, set, try, if or the name "
            "of a value");
  if (hasFailed())
    return;
  RuleValue &about = rule.values[index];
  bool isParameter = index < rule.numParameters;
  if (isParameter && consume("?"))
    about.isOptional = true;
  else if (isParameter && consume("..."))
    about.isVariadic = true;
  if (!consume(":"))
    return;
  if (token != "[" && !about.types.empty())
    return fail("one statement of the type of '" + about.name + "'");
  if (token != "[")
    types(about);
  if (token == "[" && about.shape)
    return fail("one statement of the shape of '" + about.name + "'");
  if (token == "[")
    shape(about);
}

void HeaderReader::types(RuleValue &about) {
  do {
    StringRef type = token;
    std::string found = name("an element type or '['");
    int32_t number = onnx::PrimitiveTypeNameMap::Lookup(found);
    if (hasFailed())
      return;
    if (number == 0) {
      token = type;
      return fail("an element type of ONNX, such as float or int64");
    }
    about.types.push_back(DataType(number));
  } while (consume("|"));
}

void HeaderReader::shape(RuleValue &about) {
  std::vector<RuleDim> dims;
  expect("[");
  while (!hasFailed() && !consume("]")) {
    if (!dims.empty())
      expect(",");
    RuleDim dim;
    if (consume("_")) {
      dim.kind = RuleDim::Any;
    } else if (isName()) {
      dim.kind = RuleDim::Name;
      dim.name = name("a dimension");
      if (consume("..."))
        dim.kind = RuleDim::Run;
    } else {
      dim.kind = RuleDim::Number;
      dim.number = integer("a size, a name, name... or '_'");
    }
    dims.push_back(std::move(dim));
  }
  if (!hasFailed() && llvm::count_if(dims, [](const RuleDim &dim) {
                        return dim.kind == RuleDim::Run;
                      }) > 1)
    fail("one 'name...' in a shape");
  constexpr int64_t mostElements = 1 << 22;
  int64_t size = 1;
  for (const RuleDim &dim : dims)
    if (dim.kind == RuleDim::Number)
      size = std::min(size * std::min(dim.number, mostElements), mostElements);
  if (!hasFailed() && size == mostElements)
    fail("a shape of fewer than " + llvm::Twine(mostElements) +
         " elements, so that cases can be tried");
  about.shape = std::move(dims);
}

void onnxfold::readRuleHeader(RewriteRule &rule, StringRef header,
                              size_t offset, RuleText &text) {
  HeaderReader(rule, header, offset, text).read();
}
