//===- Syntax.h - The syntax tree of a DML script ---------------*- C++ -*-===//
//
// DML is the language of Apache SystemDS: matrices of doubles, scalars,
// functions, if, for and while. The exporter builds a tree, Parser.h reads one;
// print() is the only place that knows how it looks as text: precedence,
// spaces before a minus, escapes, shortest numbers that read back exactly.
//
//   using namespace onnxfold::dml;
//   Expr x = Expr::name("x");
//   Body body = {Statement::assign("y", call("max", {x - 1, 0}))};
//   print(llvm::outs(), body);            // y = max(x - 1, 0)
//
// Names are printed as they are: NameTable (Names.h) makes legal ones.
// Ownership: an Expr is a handle to an immutable, shared tree.
// Thread safety: values. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_H
#define ONNXFOLD_DML_SYNTAX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxfold::dml {

struct Argument;

class Expr {
public:
  enum class Kind {
    Name,   ///< a variable; of "$name", a parameter of the script
    Number, ///< a double, NaN and infinities too; written without a point or an
            ///< exponent it is an integer, unless `isReal`
    Text,   ///< a string
    Unary,  ///< operands[0], operator `text`
    Binary, ///< operands[0], operands[1], operator `text`
    Call,   ///< function `text`, arguments
    List,   ///< [operands]
    Slice,  ///< operands: matrix, first row, last row, first and last column;
            ///< null: the end of the matrix; a range of one index has first
            ///< only. Of a list: first and last alone
  };

  Expr() = default; ///< null
  Expr(double number);
  Expr(int64_t number) : Expr(double(number)) {}
  Expr(int number) : Expr(double(number)) {}
  static Expr name(llvm::StringRef name);
  static Expr text(llvm::StringRef text);
  static Expr list(llvm::ArrayRef<Expr> elements);
  static Expr unary(llvm::StringRef op, Expr operand);
  /// `op`: ^ %*% %/% %% * / + - < <= > >= == != & |, and of loops first:last
  static Expr binary(llvm::StringRef op, Expr left, Expr right);

  explicit operator bool() const { return node != nullptr; }
  Kind kind() const;
  bool isName() const { return node && kind() == Kind::Name; }
  bool isNumber() const { return node && kind() == Kind::Number; }
  double number() const;

  /// Rows [first, last] and columns [first, last], counted from 1. Null bounds:
  /// all of them.
  Expr slice(Expr firstRow, Expr lastRow, Expr firstColumn,
             Expr lastColumn) const;
  /// A matrix product.
  Expr times(Expr right) const {
    return binary("%*%", *this, std::move(right));
  }

  struct Node;
  const Node &operator*() const { return *node; }

  /// For who builds nodes of all kinds.
  static Expr make(Node node);

private:
  friend Expr call(llvm::StringRef, llvm::ArrayRef<Argument>);
  std::shared_ptr<const Node> node;
};

/// An argument of a call; `key` is empty for positional ones.
struct Argument {
  Argument(Expr value) : value(std::move(value)) {}
  Argument(double value) : value(value) {}
  Argument(int64_t value) : value(value) {}
  Argument(int value) : value(value) {}
  Argument(llvm::StringRef key, Expr value)
      : key(key.str()), value(std::move(value)) {}
  std::string key;
  Expr value;
};

/// Where something stands in a file, from 1; 0: nowhere.
struct Place {
  unsigned line = 0, column = 0;
};

struct Expr::Node {
  Kind kind;
  std::string text;
  double number = 0;
  std::vector<Expr> operands;
  std::vector<Argument> arguments;
  bool isReal = false; ///< a Number that is printed with a point: 2.0
  Place place = {};
};

Expr call(llvm::StringRef function, llvm::ArrayRef<Argument> arguments);
inline Expr operator+(Expr a, Expr b) {
  return Expr::binary("+", std::move(a), std::move(b));
}
inline Expr operator-(Expr a, Expr b) {
  return Expr::binary("-", std::move(a), std::move(b));
}
inline Expr operator*(Expr a, Expr b) {
  return Expr::binary("*", std::move(a), std::move(b));
}
inline Expr operator/(Expr a, Expr b) {
  return Expr::binary("/", std::move(a), std::move(b));
}
inline Expr operator-(Expr a) { return Expr::unary("-", std::move(a)); }
inline Expr power(Expr a, Expr b) {
  return Expr::binary("^", std::move(a), std::move(b));
}
/// matrix(value, rows=, cols=): fills, or reads `value` row by row.
Expr matrix(Expr value, Expr rows, Expr columns);
/// ifelse() by a matrix of zeros and ones; `yes` and `no` may be numbers. The
/// text has no branch that is a scalar: where sizes are not known at
/// compile time, SystemDS 3.4.0 would take the result for a matrix of no rows.
Expr choice(const Expr &condition, Expr yes, Expr no);

struct Statement;
using Body = std::vector<Statement>;

struct Statement {
  enum class Kind { Assign, Call, Comment, For, If, While };
  Kind kind;
  Expr target; ///< a name, a slice, or a list of names; of For, the variable
  /// Of If and While, the condition; of For, its numbers: seq(first, last, step)
  /// or first:last; Call: the call.
  Expr value;
  std::string comment; ///< at the end of the line; of Comment, the line
  Body body, otherwise;
  bool isParallel = false;             ///< parfor
  std::vector<Argument> settings = {}; ///< of parfor
  Place place = {};

  static Statement assign(llvm::StringRef name, Expr value,
                          llvm::StringRef comment = {});
  static Statement assign(Expr target, Expr value);
  static Statement run(Expr call);
  static Statement line(llvm::StringRef comment);
  /// For variable = 1 ... last; not at all if last < 1. (In DML, 1:0 counts
  /// down, seq(1, 0, 1) does not.)
  static Statement loop(llvm::StringRef variable, Expr last, Body body);
  static Statement choose(Expr condition, Body body, Body otherwise);
  static Statement loopWhile(Expr condition, Body body);
};

struct Parameter {
  std::string type; ///< "matrix[double]", "int", "double"
  std::string name;
  Expr byDefault = {}; ///< may be null
};

struct Function {
  std::string comment; ///< lines above it
  std::string name;
  std::vector<Parameter> parameters, results;
  Body body;
  Place place = {};
};

/// source(file) as name: functions of another file, called as name::function.
struct Source {
  std::string file, name;
  Place place = {};
};

struct Script {
  std::string comment;
  std::vector<Source> sources;
  std::vector<llvm::StringRef> helpers; ///< texts of functions (Helpers.h)
  std::vector<Function> functions;
  Body main;
};

void print(llvm::raw_ostream &out, const Expr &expr);
void print(llvm::raw_ostream &out, const Body &body, unsigned indent = 0);
void print(llvm::raw_ostream &out, const Script &script);

/// The shortest text that DML reads as this number: 0.5, 1e-5, NaN, -Inf.
std::string numberText(double value);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SYNTAX_H
