//===- Parser.cpp - A DML script as a syntax tree -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent; operators by precedence. After the first mistake every
// token is the end (TokenReader.h), so that each function just returns.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/syntax/Parser.h"
#include "onnxfold/dml/syntax/internal/OperatorLevels.h"
#include "onnxfold/dml/syntax/internal/TokenReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// An expression, and how deep its tree is.
struct Parsed {
  Expr expr;
  unsigned depth = 0;
};

class Parser : TokenReader {
public:
  Parser(StringRef text, StringRef file) : TokenReader(text, file) {}
  llvm::Expected<Script> script();

private:
  Expr variable();
  Parsed expression(int least = 1);
  Parsed prefix();
  Parsed atom();
  Parsed named();
  Parsed call(const Token &name);
  Parsed slice(const Token &name);
  Parsed list();
  Parsed number(const Token &token, bool isNegative);
  Parsed finished(const Expr::Parts &parts, unsigned depth);
  void bounds(llvm::SmallVectorImpl<Expr> &operands, unsigned &depth);
  bool isAssignedNext() const;

  std::string fileInBrackets(const char *what);
  void workIn();
  void source(Script &script);
  bool isFunctionNext() const;
  Function function();
  std::string type();
  std::vector<Parameter> parameters();
  void statement(Body &body);
  Body block();
  void choice(Statement &made);
  void loop(Statement &made);
  void assignment(Statement &made);

  Expr make(const Expr::Parts &parts) {
    return Expr::make(parts, memory.get());
  }

  std::shared_ptr<SyntaxMemory> memory = std::make_shared<SyntaxMemory>();
  std::string folder; ///< of setwd(), with a slash; empty without it
  unsigned nested = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// 0 for what is no binary operator.
static int levelOf(const Token &token) {
  return token.kind == Token::Kind::Sign ? levelOfOperator(token.text) : 0;
}

static Expr::Parts parts(Expr::Kind kind, const Token &token,
                         llvm::ArrayRef<Expr> operands = {}) {
  return {kind, token.text, 0, operands, {}, false, token.place};
}

Parsed Parser::finished(const Expr::Parts &parts, unsigned depth) {
  if (depth >= mostNested)
    fail(parts.place, "the expression is nested more than " +
                          llvm::Twine(mostNested) + " deep");
  return {make(parts), depth + 1};
}

/// Operators of at least that level.
Parsed Parser::expression(int least) {
  if (nested >= mostNested)
    fail(peek().place, "the expression is nested more than " +
                           llvm::Twine(mostNested) + " deep");
  ++nested;
  Parsed left = prefix();
  while (int level = levelOf(peek())) {
    if (level < least)
      break;
    Token op = take();
    // The operand of a power may have a sign; powers associate to the right.
    Parsed right = expression(level == 10 ? signLevel : level + 1);
    if (!right.expr || !left.expr)
      break;
    Expr operands[] = {std::move(left.expr), std::move(right.expr)};
    left = finished(parts(Expr::Kind::Binary, op, operands),
                    std::max(left.depth, right.depth));
  }
  --nested;
  return left;
}

Parsed Parser::prefix() {
  if (peek().kind != Token::Kind::Sign ||
      (!isNext("-") && !isNext("+") && !isNext("!")))
    return atom();
  Token op = take();
  // -2 is a number, but of -2 ^ 2 the sign is that of the power.
  if (op.text == "-" && peek().kind == Token::Kind::Number &&
      !peek(1).isSign("^"))
    return number(take(), /*isNegative=*/true);
  Parsed operand = expression(op.text == "!" ? notLevel : signLevel);
  if (!operand.expr)
    return operand;
  return finished(parts(Expr::Kind::Unary, op, operand.expr), operand.depth);
}

Parsed Parser::number(const Token &token, bool isNegative) {
  double value = isNegative ? -token.number : token.number;
  return finished(
      {Expr::Kind::Number, "", value, {}, {}, token.isReal, token.place}, 0);
}

Parsed Parser::atom() {
  Token token = peek();
  switch (token.kind) {
  case Token::Kind::Number:
    return number(take(), /*isNegative=*/false);
  case Token::Kind::Text:
    take();
    return finished(parts(Expr::Kind::Text, token), 0);
  case Token::Kind::Name:
    return named();
  default:
    break;
  }
  if (isNext("["))
    return list();
  if (!takeIf("(")) {
    failExpected("an expression");
    return {};
  }
  Parsed inner = expression();
  expect(")");
  return inner;
}

/// A variable, a constant, a call, or a part of a matrix.
Parsed Parser::named() {
  Token name = peek();
  bool isCalled = peek(1).isSign("(");
  bool isConstant = llvm::StringSwitch<bool>(name.text)
                        .Cases({"TRUE", "FALSE", "Inf", "NaN", "pi"}, true)
                        .Default(false);
  bool isWord = isReserved(name.text) && name.text != "ifdef" && !isConstant;
  if (isWord ||
      (!isCalled && name.text.find_first_of(".:") != StringRef::npos)) {
    failExpected("an expression");
    return {};
  }
  take();
  if (isCalled)
    return call(name);
  if (isNext("[") && !isConstant && !isAssignedNext())
    return slice(name);
  if (name.text == "Inf" || name.text == "NaN") {
    double value = name.text == "Inf" ? HUGE_VAL : std::nan("");
    return finished({Expr::Kind::Number, "", value, {}, {}, false, name.place},
                    0);
  }
  return finished(parts(Expr::Kind::Name, name), 0);
}

/// Of "x = a [b, c] = f(d)": what follows is the target of another statement.
bool Parser::isAssignedNext() const {
  size_t open = 0;
  for (size_t ahead = 0;; ++ahead) {
    const Token &token = peek(ahead);
    if (token.isSign("["))
      ++open;
    else if (token.isSign("]") && --open == 0)
      return peek(ahead + 1).isSign("=") || peek(ahead + 1).isSign("<-");
    else if (token.kind != Token::Kind::Name && !token.isSign(","))
      return false;
  }
}

Parsed Parser::call(const Token &name) {
  llvm::SmallVector<Argument, 4> arguments;
  unsigned depth = 0;
  expect("(");
  while (goesOn() && !isNext(")")) {
    StringRef key;
    if (peek().kind == Token::Kind::Name && peek(1).isSign("=")) {
      key = take().text;
      take();
    }
    Parsed value = expression();
    depth = std::max(depth, value.depth);
    arguments.emplace_back(key, std::move(value.expr));
    if (!key.empty() && peek(1).isSign(")"))
      takeIf(";"); // bandit() of SystemDS has it, and its parser ignores it
    if (!isNext(")"))
      expect(",");
  }
  expect(")");
  Expr::Parts made = parts(Expr::Kind::Call, name);
  made.arguments = arguments;
  return finished(made, depth);
}

/// Nothing, an index, or a range.
void Parser::bounds(llvm::SmallVectorImpl<Expr> &operands, unsigned &depth) {
  Parsed first, last;
  if (goesOn() && !isNext(",") && !isNext("]")) {
    first = expression();
    if (takeIf(":"))
      last = expression();
  }
  depth = std::max({depth, first.depth, last.depth});
  operands.push_back(std::move(first.expr));
  operands.push_back(std::move(last.expr));
}

Parsed Parser::slice(const Token &name) {
  Parsed base = finished(parts(Expr::Kind::Name, name), 0);
  llvm::SmallVector<Expr, 5> operands{base.expr};
  unsigned depth = base.depth;
  expect("[");
  bounds(operands, depth);
  if (takeIf(","))
    bounds(operands, depth);
  else if (!operands[1])
    failExpected("an index");
  expect("]");
  return finished({Expr::Kind::Slice, "", 0, operands, {}, false, name.place},
                  depth);
}

Parsed Parser::list() {
  Place place = peek().place;
  llvm::SmallVector<Expr, 4> elements;
  unsigned depth = 0;
  expect("[");
  do {
    Parsed element = expression();
    depth = std::max(depth, element.depth);
    elements.push_back(std::move(element.expr));
  } while (takeIf(","));
  expect("]");
  return finished({Expr::Kind::List, "", 0, elements, {}, false, place}, depth);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Braces, or one statement without them.
Body Parser::block() {
  Body body;
  if (!takeIf("{")) {
    statement(body);
    return body;
  }
  while (goesOn() && !isNext("}"))
    statement(body);
  expect("}");
  return body;
}

void Parser::choice(Statement &made) {
  made.kind = Statement::Kind::If;
  expect("(");
  made.value = expression().expr;
  expect(")");
  made.body = block();
  if (isWord("else")) {
    take();
    made.otherwise = block();
  }
}

Expr Parser::variable() {
  Token name = peek();
  newName("a variable");
  return make(parts(Expr::Kind::Name, name));
}

/// for (i in 1:n), for (i in seq(1, n, 2)), parfor (i in 1:n, check=0)
void Parser::loop(Statement &made) {
  made.kind = Statement::Kind::For;
  expect("(");
  made.target = variable();
  if (!isWord("in"))
    failExpected("'in'");
  take();
  Parsed first = expression();
  made.value = first.expr;
  Token colon = peek();
  if (takeIf(":")) {
    Expr range[] = {first.expr, expression().expr};
    made.value = make(parts(Expr::Kind::Binary, colon, range));
  } else if (first.expr && (first.expr.kind() != Expr::Kind::Call ||
                            (*first.expr).text != "seq")) {
    failExpected("':'");
  }
  while (takeIf(",")) {
    std::string key = newName("a setting of the loop");
    expect("=");
    made.settings.emplace_back(std::move(key), expression().expr);
  }
  expect(")");
  made.body = block();
}

/// A call alone, or targets and what they become.
void Parser::assignment(Statement &made) {
  if (peek().kind == Token::Kind::Name && peek(1).isSign("(")) {
    made.kind = Statement::Kind::Call;
    made.value = named().expr;
    return;
  }
  made.kind = Statement::Kind::Assign;
  if (isNext("[")) {
    Place place = take().place;
    llvm::SmallVector<Expr, 4> targets;
    do {
      targets.push_back(variable());
    } while (takeIf(","));
    expect("]");
    made.target = make({Expr::Kind::List, "", 0, targets, {}, false, place});
  } else {
    Token name = peek();
    if (newName("a statement").empty())
      return;
    made.target =
        isNext("[") ? slice(name).expr : make(parts(Expr::Kind::Name, name));
  }
  Place sign = peek().place;
  bool adds =
      made.target && made.target.kind() != Expr::Kind::List && takeIf("+=");
  if (!adds && !takeIf("=") && !takeIf("<-"))
    failExpected("'='");
  Parsed value = expression();
  made.value = value.expr;
  if (adds && value.expr) {
    Expr sum[] = {made.target, value.expr};
    made.value = make({Expr::Kind::Binary, "+", 0, sum, {}, false, sign});
  }
}

void Parser::statement(Body &body) {
  if (nested >= mostNested)
    fail(peek().place, "statements are nested more than " +
                           llvm::Twine(mostNested) + " deep");
  ++nested;
  Statement made{Statement::Kind::Assign, {}, {}, "", {}, {}};
  made.place = peek().place;
  bool isParallel = isWord("parfor");
  if (isFunctionNext()) {
    fail(made.place, "a function is defined inside of a block");
  } else if (isWord("if")) {
    take();
    choice(made);
  } else if (isWord("while")) {
    take();
    made.kind = Statement::Kind::While;
    expect("(");
    made.value = expression().expr;
    expect(")");
    made.body = block();
  } else if (isWord("for") || isParallel) {
    take();
    made.isParallel = isParallel;
    loop(made);
  } else {
    assignment(made);
    if (made.kind == Statement::Kind::Call)
      takeIf("."); // in sliceLineExtract(), likewise
  }
  while (takeIf(";"))
    ;
  body.push_back(std::move(made));
  --nested;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Parser::isFunctionNext() const {
  return peek().kind == Token::Kind::Name &&
         (peek(1).isSign("=") || peek(1).isSign("<-")) &&
         (peek(2).isName("function") || peek(2).isName("externalFunction"));
}

/// "matrix[double]", "int"; those of the language in small letters.
std::string Parser::type() {
  Token name = peek();
  std::string word = name.text.lower();
  if (word == "integer")
    word = "int";
  bool isScalar = llvm::is_contained(
      {"int", "string", "boolean", "double", "unknown"}, word);
  bool isStructure =
      llvm::is_contained({"matrix", "frame", "list", "scalar", "tensor"}, word);
  if (name.kind != Token::Kind::Name || (!isScalar && !isStructure)) {
    failExpected("a type");
    return "";
  }
  take();
  if (isScalar)
    return word;
  expect("[");
  std::string inner = peek().text.lower();
  if (peek().kind != Token::Kind::Name ||
      !llvm::is_contained(
          {"int", "integer", "string", "str", "boolean", "double", "unknown"},
          inner)) {
    failExpected("a type of values");
    return "";
  }
  take();
  expect("]");
  return word == "scalar" ? inner : word + "[" + inner + "]";
}

std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> found;
  expect("(");
  while (goesOn() && !isNext(")")) {
    Parameter one;
    one.type = type();
    Place place = peek().place;
    one.name = newName("the name of a parameter");
    if (llvm::any_of(found,
                     [&](auto &other) { return other.name == one.name; }))
      fail(place, "two parameters are called '" + one.name + "'");
    if (takeIf("="))
      one.byDefault = expression().expr;
    found.push_back(std::move(one));
    if (!isNext(")"))
      expect(",");
  }
  expect(")");
  return found;
}

Function Parser::function() {
  Function made;
  made.place = peek().place;
  made.name = newName("the name of a function");
  take();
  if (isWord("externalFunction"))
    fail(peek().place, "functions in Java cannot be read");
  take();
  made.parameters = parameters();
  if (isWord("return")) {
    take();
    made.results = parameters();
  }
  if (!isNext("{"))
    failExpected("'{'");
  made.body = block();
  while (takeIf(";"))
    ;
  return made;
}

/// ("file"), of source() and setwd().
std::string Parser::fileInBrackets(const char *what) {
  expect("(");
  if (peek().kind != Token::Kind::Text)
    failExpected(what);
  std::string file = take().text.str();
  expect(")");
  return file;
}

/// setwd(): where the files are that are sourced after it.
void Parser::workIn() {
  take();
  folder = fileInBrackets("the name of a folder") + "/";
  while (takeIf(";"))
    ;
}

/// source("file.dml") as name
void Parser::source(Script &script) {
  Source made;
  made.place = take().place;
  made.file = fileInBrackets("the name of a file");
  if (!StringRef(made.file).starts_with("/") &&
      !StringRef(made.file).starts_with(folder))
    made.file = folder + made.file;
  if (!isWord("as"))
    failExpected("'as'");
  take();
  made.name = newName("a name");
  while (takeIf(";"))
    ;
  script.sources.push_back(std::move(made));
}

llvm::Expected<Script> Parser::script() {
  Script script;
  while (goesOn()) {
    if (isWord("source"))
      source(script);
    else if (isWord("setwd"))
      workIn();
    else if (isFunctionNext())
      script.functions.push_back(function());
    else
      statement(script.main);
  }
  if (peek().kind == Token::Kind::Bad)
    fail(peek().place, peek().text);
  if (!problem.empty())
    return llvm::createStringError(problem);
  script.memory = memory;
  return script;
}

llvm::Expected<Script> onnxfold::dml::parseScript(StringRef text,
                                                  StringRef file) {
  return Parser(text, file).script();
}
