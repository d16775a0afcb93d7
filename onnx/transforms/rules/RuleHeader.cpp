//===- RuleHeader.cpp - The statements of a rule --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent; after the first problem nothing more is read.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "onnx/defs/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace onnxfold;
using llvm::StringRef;

namespace {

class HeaderReader {
public:
  HeaderReader(RewriteRule &rule, StringRef header, size_t offset,
               RuleText &text)
      : rule(rule), text(text), all(header), rest(header), offset(offset) {}

  void read();

private:
  bool isDone() const { return text.hasFailed(); }
  void advance();
  bool isName() const {
    return !token.empty() && (llvm::isAlpha(token[0]) || token[0] == '_');
  }
  bool consume(StringRef expected);
  void expect(StringRef expected);
  void fail(const llvm::Twine &expected);
  std::string name(StringRef what);
  double number();
  int64_t integer(StringRef what);
  unsigned value(StringRef what);
  std::optional<unsigned> findAttribute(StringRef name) const;

  void statement();
  void bound();
  void range();
  void reused();
  void valueStatement(StringRef name);
  void types(RuleValue &value);
  void shape(RuleValue &value);

  RuleTerm disjunction();
  RuleTerm conjunction();
  RuleTerm negation();
  RuleTerm comparison();
  RuleTerm sum();
  RuleTerm product();
  RuleTerm factor();
  RuleTerm call(StringRef function);
  RuleTerm named(std::string name);
  RuleTerm make(RuleTerm::Kind kind, RuleTerm left, RuleTerm right);
  RuleTerm truth(RuleTerm term);
  RuleTerm numeric(RuleTerm term);

  RewriteRule &rule;
  RuleText &text;
  StringRef all, rest, token;
  size_t offset;
  unsigned depth = 0, operators = 0;
  llvm::StringSet<> said; ///< of which a header has one
};

} // namespace

void HeaderReader::advance() {
  rest = rest.ltrim(" \t\r");
  static constexpr StringRef longer[] = {"...", "==", "!=", "<=", ">="};
  size_t length = rest.empty() ? 0 : 1;
  if (rest.empty()) {
  } else if (llvm::isDigit(rest[0])) {
    length = rest.take_while([](char c) { return llvm::isDigit(c); }).size();
    StringRef after = rest.drop_front(length);
    if (after.starts_with(".") && !after.starts_with(".."))
      length += 1 + after.drop_front()
                        .take_while([](char c) { return llvm::isDigit(c); })
                        .size();
    after = rest.drop_front(length);
    if (after.consume_front("e") || after.consume_front("E")) {
      size_t sign = after.starts_with("-") || after.starts_with("+");
      size_t digits = after.drop_front(sign)
                          .take_while([](char c) { return llvm::isDigit(c); })
                          .size();
      length += digits ? 1 + sign + digits : 0;
    }
  } else if (llvm::isAlpha(rest[0]) || rest[0] == '_') {
    length =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
            .size();
  } else if (rest[0] == '\'') {
    size_t end = rest.find('\'', 1);
    length = end == StringRef::npos ? 1 : end + 1;
  } else if (const auto *found = llvm::find_if(
                 longer,
                 [&](StringRef word) { return rest.starts_with(word); });
             found != std::end(longer)) {
    length = found->size();
  }
  token = rest.take_front(length);
  rest = rest.drop_front(length);
}

void HeaderReader::fail(const llvm::Twine &expected) {
  size_t at =
      token.empty() ? all.size() - rest.size() : token.data() - all.data();
  std::string found = token.empty()   ? "the end of the header"
                      : token == "\n" ? "the end of the line"
                                      : ("'" + token + "'").str();
  text.fail(offset + at, found + ", expected " + expected);
  token = rest = "";
}

bool HeaderReader::consume(StringRef expected) {
  if (token != expected)
    return false;
  advance();
  return true;
}

void HeaderReader::expect(StringRef expected) {
  if (!consume(expected))
    fail("'" + expected + "'");
}

std::string HeaderReader::name(StringRef what) {
  if (!isName()) {
    fail(what);
    return "";
  }
  std::string result = token.str();
  advance();
  return result;
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
  while (!isDone() && !token.empty()) {
    if (consume("\n") || consume(";"))
      continue;
    statement();
    if (!isDone() && !token.empty() && token != "\n" && token != ";")
      fail("the end of the line or ';'");
  }
}

void HeaderReader::statement() {
  if (!isName())
    return fail(
        "a statement: algebra, level, bound, last_opset, range, reused, "
        "if or the name of a value");
  StringRef keyword = token;
  if (keyword == "algebra" && rest.ltrim(" \t").starts_with(":")) {
    rest = rest.ltrim(" \t").drop_front();
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rule.algebra = line.trim().str();
    rest = rest.drop_front(line.size());
    return advance();
  }
  if (keyword != "level" && keyword != "bound" && keyword != "if" &&
      keyword != "last_opset" && keyword != "range" && keyword != "reused")
    return valueStatement(keyword);
  if (keyword != "if" && keyword != "range" && keyword != "reused" &&
      !said.insert(keyword).second)
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
  } else if (keyword == "if") {
    rule.conditions.push_back(truth(disjunction()));
  } else {
    int64_t last = integer("the last opset");
    if (!isDone() && (last < rule.firstOpset || last > rule.lastOpset))
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
  if (!isDone() && !(rule.bound.ulps >= 0 && std::isfinite(rule.bound.ulps)))
    fail("a finite number that is not below 0");
  expect("ulp");
  if (consume("of"))
    rule.bound.of = value("a value of the rule");
  if (!isDone())
    rule.bound.text =
        StringRef(begin, (token.empty() ? all.end() : token.data()) - begin)
            .trim()
            .str();
}

/// `range: x -8 8`.
void HeaderReader::range() {
  unsigned index = value("a parameter");
  double least = number(), most = number();
  if (isDone())
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

/// `x: float|float16[N, rest...]`, `bias?`, `xs...`.
void HeaderReader::valueStatement(StringRef) {
  unsigned index = value("a statement: algebra, level, bound, last_opset, "
                         "range, reused, if or the name of a value");
  if (isDone())
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
    if (isDone())
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
  while (!isDone() && !consume("]")) {
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
  if (!isDone() && llvm::count_if(dims, [](const RuleDim &dim) {
                     return dim.kind == RuleDim::Run;
                   }) > 1)
    fail("one 'name...' in a shape");
  constexpr int64_t mostElements = 1 << 22;
  int64_t size = 1;
  for (const RuleDim &dim : dims)
    if (dim.kind == RuleDim::Number)
      size = std::min(size * std::min(dim.number, mostElements), mostElements);
  if (!isDone() && size == mostElements)
    fail("a shape of fewer than " + llvm::Twine(mostElements) +
         " elements, so that cases can be tried");
  about.shape = std::move(dims);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

RuleTerm HeaderReader::truth(RuleTerm term) {
  if (!isDone() && !term.isTruth())
    fail("a condition before this, not a number");
  return term;
}

RuleTerm HeaderReader::numeric(RuleTerm term) {
  if (!isDone() && term.isTruth())
    fail("a number before this, not a condition");
  return term;
}

RuleTerm HeaderReader::make(RuleTerm::Kind kind, RuleTerm left,
                            RuleTerm right) {
  constexpr unsigned mostOperators = 500;
  if (++operators > mostOperators)
    fail("at most " + llvm::Twine(mostOperators) + " operators in a header");
  RuleTerm result;
  result.kind = kind;
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return result;
}

RuleTerm HeaderReader::disjunction() {
  RuleTerm result = conjunction();
  while (consume("or"))
    result = make(RuleTerm::Or, truth(std::move(result)), truth(conjunction()));
  return result;
}

RuleTerm HeaderReader::conjunction() {
  RuleTerm result = negation();
  while (consume("and"))
    result = make(RuleTerm::And, truth(std::move(result)), truth(negation()));
  return result;
}

RuleTerm HeaderReader::negation() {
  constexpr unsigned deepest = 32;
  if (depth == deepest)
    fail("fewer operators in each other");
  llvm::SaveAndRestore deeper(depth, std::min(depth + 1, deepest));
  if (!consume("not"))
    return comparison();
  RuleTerm inner = truth(negation());
  return make(RuleTerm::Not, std::move(inner), {});
}

RuleTerm HeaderReader::comparison() {
  RuleTerm left = sum();
  StringRef sign = token;
  bool isTurned = sign == ">" || sign == ">=";
  RuleTerm::Kind kind = sign == "=="                   ? RuleTerm::Equal
                        : sign == "!="                 ? RuleTerm::Unequal
                        : sign == "<" || sign == ">"   ? RuleTerm::Less
                        : sign == "<=" || sign == ">=" ? RuleTerm::LessEqual
                                                       : RuleTerm::Integer;
  if (kind == RuleTerm::Integer)
    return left;
  advance();
  left = numeric(std::move(left));
  RuleTerm right = numeric(sum());
  if (isTurned)
    std::swap(left, right);
  return make(kind, std::move(left), std::move(right));
}

RuleTerm HeaderReader::sum() {
  RuleTerm result = product();
  while (token == "+" || token == "-") {
    RuleTerm::Kind kind = token == "+" ? RuleTerm::Add : RuleTerm::Subtract;
    advance();
    result = make(kind, numeric(std::move(result)), numeric(product()));
  }
  return result;
}

RuleTerm HeaderReader::product() {
  RuleTerm result = factor();
  while (token == "*" || token == "/" || token == "%") {
    RuleTerm::Kind kind = token == "*"   ? RuleTerm::Multiply
                          : token == "/" ? RuleTerm::Divide
                                         : RuleTerm::Remainder;
    advance();
    result = make(kind, numeric(std::move(result)), numeric(factor()));
  }
  return result;
}

RuleTerm HeaderReader::call(StringRef function) {
  RuleTerm result;
  struct OfValue {
    StringRef name;
    RuleTerm::Kind kind;
    unsigned values, numbers; // its arguments
  };
  static constexpr OfValue all[] = {{"rank", RuleTerm::Rank, 1, 0},
                                    {"size", RuleTerm::Size, 1, 0},
                                    {"dim", RuleTerm::Dim, 1, 1},
                                    {"value", RuleTerm::Value, 1, 1},
                                    {"constant", RuleTerm::Constant, 1, 0},
                                    {"once", RuleTerm::Once, 1, 0},
                                    {"finite", RuleTerm::Finite, 1, 0},
                                    {"between", RuleTerm::Between, 1, 2},
                                    {"same_shape", RuleTerm::SameShape, 2, 0},
                                    {"same_type", RuleTerm::SameType, 2, 0},
                                    {"like", RuleTerm::Like, 2, 0},
                                    {"broadcasts", RuleTerm::Broadcasts, 2, 0},
                                    {"min", RuleTerm::Minimum, 0, 2},
                                    {"max", RuleTerm::Maximum, 0, 2}};
  expect("(");
  if (function == "given" || function == "length") {
    std::optional<unsigned> attribute = findAttribute(token);
    result.kind = function == "length" ? RuleTerm::Length
                  : attribute          ? RuleTerm::GivenAttribute
                                       : RuleTerm::Given;
    if (attribute)
      advance();
    result.index = attribute             ? *attribute
                   : function == "given" ? value("a parameter or an attribute")
                                         : (fail("an attribute"), 0);
    expect(")");
    return result;
  }
  const OfValue *found = llvm::find_if(
      all, [&](const OfValue &one) { return one.name == function; });
  result.kind = found->kind;
  for (unsigned i = 0; i < found->values; ++i) {
    if (i != 0)
      expect(",");
    (i == 0 ? result.index : result.other) = value("a value of the rule");
  }
  for (unsigned i = 0; i < found->numbers; ++i) {
    if (result.kind == RuleTerm::Value && token == ")")
      break; // the first element
    if (found->values + i != 0)
      expect(",");
    result.operands.push_back(numeric(sum()));
  }
  expect(")");
  return result;
}

RuleTerm HeaderReader::named(std::string name) {
  RuleTerm result;
  static constexpr StringRef functions[] = {
      "rank",      "size",    "dim",    "value",     "constant", "once",
      "finite",    "between", "min",    "max",       "like",     "same_shape",
      "same_type", "given",   "length", "broadcasts"};
  if (token == "(" && llvm::is_contained(functions, name))
    return call(name);
  if (std::optional<unsigned> attribute = findAttribute(name)) {
    result.kind = consume("[") ? RuleTerm::Element : RuleTerm::Attribute;
    result.index = *attribute;
    if (result.kind == RuleTerm::Element) {
      result.operands.push_back(numeric(sum()));
      expect("]");
    }
    return result;
  }
  result.kind = RuleTerm::Dimension;
  result.name = std::move(name);
  bool isBound = llvm::any_of(rule.values, [&](const RuleValue &value) {
    return value.shape && llvm::any_of(*value.shape, [&](const RuleDim &dim) {
             return dim.kind == RuleDim::Name && dim.name == result.name;
           });
  });
  if (!isDone() && !isBound)
    fail("an attribute, a dimension of a shape before, or a function, before "
         "this, not '" +
         result.name + "'");
  return result;
}

RuleTerm HeaderReader::factor() {
  RuleTerm result;
  constexpr unsigned deepest = 32;
  if (depth == deepest)
    fail("fewer parentheses in each other");
  llvm::SaveAndRestore deeper(depth, std::min(depth + 1, deepest));
  if (consume("(")) {
    result = disjunction();
    expect(")");
    return result;
  }
  if (consume("-"))
    return make(RuleTerm::Subtract, {}, numeric(factor()));
  if (token.size() >= 2 && token.front() == '\'') {
    result.kind = RuleTerm::Text;
    result.name = token.drop_front().drop_back().str();
    advance();
    return result;
  }
  if (!token.getAsInteger(10, result.integer)) {
    advance();
    return result;
  }
  if (!token.empty() && llvm::isDigit(token[0]) &&
      !token.getAsDouble(result.real)) {
    result.kind = RuleTerm::Real;
    advance();
    return result;
  }
  std::string first = name("a number, a name or '('");
  return isDone() ? result : named(std::move(first));
}

void onnxfold::readRuleHeader(RewriteRule &rule, StringRef header,
                              size_t offset, RuleText &text) {
  HeaderReader(rule, header, offset, text).read();
}
