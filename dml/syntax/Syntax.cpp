//===- Syntax.cpp - The syntax tree of a DML script -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/syntax/Syntax.h"
#include "onnxfold/dml/syntax/internal/OperatorLevels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

using namespace onnxfold::dml;
using llvm::raw_ostream;
using llvm::StringRef;

/// All texts of a node behind each other.
static char *appendText(char *at, StringRef &text) {
  if (text.empty())
    return at;
  std::memcpy(at, text.data(), text.size());
  text = StringRef(at, text.size());
  return at + text.size();
}

/// One piece of memory: the node, its operands, its arguments, their texts.
Expr Expr::make(const Parts &parts, SyntaxMemory *memory) {
  static_assert(alignof(Node) >= alignof(Expr) &&
                alignof(Expr) >= alignof(Argument));
  size_t letters = parts.text.size();
  for (const Argument &one : parts.arguments)
    letters += one.key.size();
  size_t size = sizeof(Node) + parts.operands.size() * sizeof(Expr) +
                parts.arguments.size() * sizeof(Argument) + letters;
  void *piece = memory ? memory->Allocate(size, llvm::Align::Of<Node>())
                       : ::operator new(size);
  auto *made = new (piece) Node(parts);
  made->uses += memory ? 1 : 0;
  auto *operands = reinterpret_cast<Expr *>(made + 1);
  auto *arguments =
      reinterpret_cast<Argument *>(operands + parts.operands.size());
  auto *texts = reinterpret_cast<char *>(arguments + parts.arguments.size());
  llvm::uninitialized_copy(parts.operands, operands);
  llvm::uninitialized_copy(parts.arguments, arguments);
  made->operands = {operands, parts.operands.size()};
  made->arguments = {arguments, parts.arguments.size()};
  texts = appendText(texts, made->text);
  for (Argument &one : llvm::MutableArrayRef(arguments, parts.arguments.size()))
    texts = appendText(texts, one.key);
  Expr result;
  result.node = made;
  return result;
}

void Expr::destroy(const Node *node) {
  for (const Expr &one : node->operands)
    one.~Expr();
  for (const Argument &one : node->arguments)
    one.~Argument();
  node->~Node();
  ::operator delete(const_cast<Node *>(node));
}

Expr::Expr(double number) : Expr(make({Kind::Number, "", number})) {}

Expr Expr::name(StringRef name) { return make({Kind::Name, name}); }

Expr Expr::text(StringRef text) { return make({Kind::Text, text}); }

Expr Expr::list(llvm::ArrayRef<Expr> elements) {
  return make({Kind::List, "", 0, elements});
}

Expr Expr::unary(StringRef op, Expr operand) {
  return make({Kind::Unary, op, 0, operand});
}

Expr Expr::binary(StringRef op, Expr left, Expr right) {
  Expr operands[] = {std::move(left), std::move(right)};
  return make({Kind::Binary, op, 0, operands});
}

Expr Expr::slice(Expr firstRow, Expr lastRow, Expr firstColumn,
                 Expr lastColumn) const {
  Expr operands[] = {*this, std::move(firstRow), std::move(lastRow),
                     std::move(firstColumn), std::move(lastColumn)};
  return make({Kind::Slice, "", 0, operands});
}

Expr onnxfold::dml::call(StringRef function,
                         llvm::ArrayRef<Argument> arguments) {
  return Expr::make({Expr::Kind::Call, function, 0, {}, arguments});
}

/// It is known to be one: a number, an element, or a comparison of them.
static bool isScalar(const Expr &expr) {
  if (expr.kind() == Expr::Kind::Call)
    return (*expr).text == "as.scalar";
  return expr.isNumber() || (expr.kind() == Expr::Kind::Binary &&
                             llvm::all_of((*expr).operands, isScalar));
}

Expr onnxfold::dml::choice(const Expr &condition, Expr yes, Expr no) {
  if (isScalar(condition))
    return call("ifelse", {condition, yes, no});
  // What is not chosen may be anything.
  if (isScalar(yes))
    yes = condition * yes;
  if (isScalar(no))
    no = condition + no;
  return call("ifelse", {condition, yes, no});
}

Expr onnxfold::dml::matrix(Expr value, Expr rows, Expr columns) {
  return call("matrix", {std::move(value), {"rows", rows}, {"cols", columns}});
}

Statement Statement::assign(StringRef name, Expr value, StringRef comment) {
  return {
      Kind::Assign, Expr::name(name), std::move(value), comment.str(), {}, {}};
}
Statement Statement::assign(Expr target, Expr value) {
  return {Kind::Assign, std::move(target), std::move(value), "", {}, {}};
}
Statement Statement::run(Expr call) {
  return {Kind::Call, {}, std::move(call), "", {}, {}};
}
Statement Statement::line(StringRef comment) {
  return {Kind::Comment, {}, {}, comment.str(), {}, {}};
}
Statement Statement::loop(StringRef variable, Expr last, Body body) {
  return {Kind::For, Expr::name(variable), call("seq", {1, std::move(last), 1}),
          "",        std::move(body),      {}};
}
Statement Statement::choose(Expr condition, Body body, Body otherwise) {
  return {Kind::If,
          {},
          std::move(condition),
          "",
          std::move(body),
          std::move(otherwise)};
}
Statement Statement::loopWhile(Expr condition, Body body) {
  return {Kind::While, {}, std::move(condition), "", std::move(body), {}};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string onnxfold::dml::numberText(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-Inf" : "Inf";
  // to_chars prefers 1e+05, and sizes have to be integers.
  constexpr double limit = 9007199254740992; // 2^53
  if (std::trunc(value) == value && std::abs(value) <= limit)
    return std::to_string(int64_t(value));
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end);
  // The grammar of numbers has no + in an exponent.
  llvm::erase(text, '+');
  // An integer has 64 bits.
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

/// A number that is no integer of DML.
static std::string realText(double value) {
  std::string text = numberText(value);
  bool isInteger = text.find_first_not_of("-0123456789") == std::string::npos;
  return isInteger ? text + ".0" : text;
}

static int levelOf(const Expr &expr) {
  switch (expr.kind()) {
  case Expr::Kind::Number:
    return std::signbit(expr.number()) ? 0 : atomLevel;
  case Expr::Kind::Unary:
    return 0; // in brackets inside of everything: x < -1 is read in two ways
  case Expr::Kind::Binary:
    return levelOfOperator((*expr).text);
  default:
    return atomLevel;
  }
}

static void printAtLeast(raw_ostream &out, const Expr &expr, int level) {
  bool brackets = levelOf(expr) < level;
  out << (brackets ? "(" : "");
  print(out, expr);
  out << (brackets ? ")" : "");
}

/// Sums are in brackets, as who knows R reads the colon before + and -.
static void printRange(raw_ostream &out, const Expr &first, const Expr &last) {
  constexpr int aboveProducts = 7;
  if (first)
    printAtLeast(out, first, aboveProducts);
  if (last) {
    out << ':';
    printAtLeast(out, last, aboveProducts);
  }
}

static void printBinary(raw_ostream &out, const Expr::Node &node) {
  if (node.text == ":")
    return printRange(out, node.operands[0], node.operands[1]);
  int level = levelOfOperator(node.text);
  // + and * chain without brackets on the left; comparisons and powers, whose
  // chains are read in different ways, never do.
  bool chains = level != 10 && level != 4;
  printAtLeast(out, node.operands[0], chains ? level : level + 1);
  out << ' ' << node.text << ' ';
  printAtLeast(out, node.operands[1], level + 1);
}

static void printText(raw_ostream &out, StringRef text) {
  out << '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c == '\n')
      out << "\\n";
    else if (c == '\r')
      out << "\\r";
    else if (c == '\t')
      out << "\\t";
    else if (c == '\b')
      out << "\\b";
    else if (c == '\f')
      out << "\\f";
    else
      out << c;
  }
  out << '"';
}

static void printSlice(raw_ostream &out, const Expr::Node &node) {
  print(out, node.operands[0]);
  out << '[';
  printRange(out, node.operands[1], node.operands[2]);
  if (node.operands.size() == 3) {
    out << ']';
    return;
  }
  out << ", ";
  printRange(out, node.operands[3], node.operands[4]);
  out << ']';
}

void onnxfold::dml::print(raw_ostream &out, const Expr &expr) {
  const Expr::Node &node = *expr;
  switch (node.kind) {
  case Expr::Kind::Name:
    out << node.text;
    return;
  case Expr::Kind::Number:
    out << (node.isReal ? realText(node.number) : numberText(node.number));
    return;
  case Expr::Kind::Text:
    return printText(out, node.text);
  case Expr::Kind::Unary:
    out << node.text;
    return printAtLeast(out, node.operands[0], atomLevel);
  case Expr::Kind::Binary:
    return printBinary(out, node);
  case Expr::Kind::Slice:
    return printSlice(out, node);
  case Expr::Kind::List:
    out << '[';
    llvm::interleaveComma(node.operands, out,
                          [&](const Expr &one) { print(out, one); });
    out << ']';
    return;
  case Expr::Kind::Call:
    out << node.text << '(';
    llvm::interleaveComma(node.arguments, out, [&](const Argument &one) {
      if (!one.key.empty())
        out << one.key << '=';
      print(out, one.value);
    });
    out << ')';
    return;
  }
}

/// A comment ends with its line, whatever a name of the model holds.
static std::string oneLine(StringRef text) {
  std::string result = isASCII(text) ? text.str() : llvm::json::fixUTF8(text);
  for (char &c : result)
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      c = ' ';
  return result;
}

static void printBlock(raw_ostream &out, const Body &body, unsigned indent) {
  out << "{\n";
  print(out, body, indent + 2);
  out.indent(indent) << "}";
}

static void printStatement(raw_ostream &out, const Statement &one,
                           unsigned indent) {
  switch (one.kind) {
  case Statement::Kind::Comment:
    out << "# " << oneLine(one.comment);
    return;
  case Statement::Kind::Assign:
    print(out, one.target);
    out << " = ";
    [[fallthrough]];
  case Statement::Kind::Call:
    print(out, one.value);
    if (!one.comment.empty())
      out << "    # " << oneLine(one.comment);
    return;
  case Statement::Kind::For:
    out << (one.isParallel ? "parfor (" : "for (");
    print(out, one.target);
    out << " in ";
    print(out, one.value);
    for (const auto &[key, value] : one.settings) {
      out << ", " << key << '=';
      print(out, value);
    }
    out << ") ";
    return printBlock(out, one.body, indent);
  case Statement::Kind::If:
    out << "if (";
    print(out, one.value);
    out << ") ";
    printBlock(out, one.body, indent);
    if (!one.otherwise.empty()) {
      out << " else ";
      printBlock(out, one.otherwise, indent);
    }
    return;
  case Statement::Kind::While:
    out << "while (";
    print(out, one.value);
    out << ") ";
    return printBlock(out, one.body, indent);
  }
}

void onnxfold::dml::print(raw_ostream &out, const Body &body, unsigned indent) {
  for (const Statement &one : body) {
    out.indent(indent);
    printStatement(out, one, indent);
    out << '\n';
  }
}

static void printComment(raw_ostream &out, StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    out << "# " << oneLine(line) << '\n';
    text = rest;
  }
}

static void printParameters(raw_ostream &out,
                            const std::vector<Parameter> &parameters) {
  out << '(';
  llvm::interleaveComma(parameters, out, [&](const Parameter &one) {
    out << one.type << ' ' << one.name;
    if (one.byDefault) {
      out << " = ";
      print(out, one.byDefault);
    }
  });
  out << ')';
}

void onnxfold::dml::print(raw_ostream &out, const Script &script) {
  printComment(out, script.comment);
  for (const Source &source : script.sources) {
    out << "source(";
    printText(out, source.file);
    out << ") as " << source.name << '\n';
  }
  bool isFirst = script.comment.empty() && script.sources.empty();
  auto separate = [&] { out << (std::exchange(isFirst, false) ? "" : "\n"); };
  for (StringRef helper : script.helpers) {
    separate();
    out << helper;
  }
  for (const Function &function : script.functions) {
    separate();
    printComment(out, function.comment);
    out << function.name << " = function";
    printParameters(out, function.parameters);
    if (!function.results.empty()) {
      out << " return ";
      printParameters(out, function.results);
    }
    out << '\n';
    printBlock(out, function.body, 0);
    out << '\n';
  }
  if (!script.main.empty())
    separate();
  print(out, script.main);
}
