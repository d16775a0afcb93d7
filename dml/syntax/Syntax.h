//===- Syntax.h - The syntax tree of a DML script ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DML is the language of Apache SystemDS: matrices of doubles, scalars,
// functions, if, for and while. The exporter builds a tree, and Parser.h parses
// one. Only print() knows the text of a tree: precedence, spaces before a
// minus, escapes, the shortest numbers that read back exactly.
//
//   using namespace onnxfold::dml;
//   Expr x = Expr::name("x");
//   Body body = {Statement::assign("y", call("max", {x - 1, 0}))};
//   print(llvm::outs(), body);            // y = max(x - 1, 0)
//
// Names are printed as they are: NameTable (Names.h) makes legal ones.
// Ownership: an Expr is a handle to an immutable, shared tree, which has its
// own copy of all texts. The trees of a parser are in the memory of the Script,
// and must not outlive it. Thread safety: a tree belongs to one thread. Errors:
// none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_SYNTAX_H
#define ONNXFOLD_DML_SYNTAX_SYNTAX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
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

/// The memory of the tree of a long script, which is freed at once.
using SyntaxMemory = llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 1 << 16>;

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
  Expr(const Expr &other) : node(other.node) { retain(); }
  Expr(Expr &&other) noexcept : node(std::exchange(other.node, nullptr)) {}
  Expr &operator=(Expr other) {
    std::swap(node, other.node);
    return *this;
  }
  ~Expr() { release(); }
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
  bool isName() const;
  bool isNumber() const;
  double number() const;

  /// Rows [first, last] and columns [first, last], counted from 1. Null bounds:
  /// all of them.
  Expr slice(Expr firstRow, Expr lastRow, Expr firstColumn,
             Expr lastColumn) const;
  /// A matrix product.
  Expr times(Expr right) const {
    return binary("%*%", *this, std::move(right));
  }

  struct Parts;
  struct Node;
  const Node &operator*() const { return *node; }

  /// For code that builds nodes of all kinds. Copies the texts that the parts
  /// refer to. If a memory is given, the node lives as long as the memory, and
  /// its operands must too.
  static Expr make(const Parts &parts, SyntaxMemory *memory = nullptr);

private:
  void retain() const;
  void release() const;
  static void destroy(const Node *node);

  const Node *node = nullptr;
};

/// An argument of a call; `key` is empty for positional ones. The text of a key
/// must live until the call is made.
struct Argument {
  Argument(Expr value) : value(std::move(value)) {}
  Argument(double value) : value(value) {}
  Argument(int64_t value) : value(value) {}
  Argument(int value) : value(value) {}
  Argument(llvm::StringRef key, Expr value)
      : key(key), value(std::move(value)) {}
  llvm::StringRef key;
  Expr value;
};

/// A place in a file, counted from 1; 0: none.
struct Place {
  unsigned line = 0, column = 0;
};

struct Expr::Parts {
  Kind kind;
  llvm::StringRef text = {};
  double number = 0;
  llvm::ArrayRef<Expr> operands = {};
  llvm::ArrayRef<Argument> arguments = {};
  bool isReal = false; ///< a Number that is printed with a point: 2.0
  Place place = {};
};

/// Operands, arguments and texts follow it in the same piece of memory.
struct Expr::Node : Parts {
  explicit Node(const Parts &parts) : Parts(parts) {}
  mutable unsigned uses = 1; ///< handles, and a memory
};

inline void Expr::retain() const {
  if (node)
    ++node->uses;
}
inline void Expr::release() const {
  if (node && --node->uses == 0)
    destroy(node);
}
inline Expr::Kind Expr::kind() const { return node->kind; }
inline bool Expr::isName() const { return node && node->kind == Kind::Name; }
inline bool Expr::isNumber() const {
  return node && node->kind == Kind::Number;
}
inline double Expr::number() const { return node->number; }

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
/// ifelse() by a matrix of zeros and ones; `yes` and `no` may be numbers. No
/// branch of the text is a scalar, because SystemDS 3.4.0 takes the result of a
/// scalar branch for a matrix of no rows if sizes are not known at compile
/// time.
Expr choice(const Expr &condition, Expr yes, Expr no);

struct Statement;
using Body = std::vector<Statement>;

struct Statement {
  enum class Kind { Assign, Call, Comment, For, If, While };
  Kind kind;
  Expr target; ///< a name, a slice, or a list of names; of For, the variable
  /// The condition of If and While; the numbers of For, seq(first, last, step)
  /// or first:last; the call of Call.
  Expr value;
  std::string comment; ///< at the end of the line; of Comment, the line
  Body body, otherwise;
  bool isParallel = false;                                 ///< parfor
  std::vector<std::pair<std::string, Expr>> settings = {}; ///< of parfor
  Place place = {};

  static Statement assign(llvm::StringRef name, Expr value,
                          llvm::StringRef comment = {});
  static Statement assign(Expr target, Expr value);
  static Statement run(Expr call);
  static Statement line(llvm::StringRef comment);
  /// A loop over variable = 1 ... last, of no iterations if last < 1. (In DML,
  /// 1:0 counts down; seq(1, 0, 1) does not.)
  static Statement loop(llvm::StringRef variable, Expr last, Body body);
  static Statement choose(Expr condition, Body body, Body otherwise);
  static Statement loopWhile(Expr condition, Body body);
};

struct Parameter {
  std::string type; ///< "matrix[double]", "int", "double"
  std::string name;
  Expr byDefault = {}; ///< the default; may be null
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
  std::shared_ptr<SyntaxMemory> memory = {}; ///< of the trees of a parser
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

#endif // ONNXFOLD_DML_SYNTAX_SYNTAX_H
