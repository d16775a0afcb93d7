//===- DimExprs.h - Integers that are only partly known ----------*- C++ -*===//
// SPDX-License-Identifier: Apache-2.0
//
// Unknown dimensions, and arithmetic on them. An expression is a polynomial
// with integer coefficients over atoms: named dimensions ("batch"), unnamed
// ones, unknowns, and operations that are not polynomials (quotients,
// remainders, minima, comparisons). Equal polynomials have the same handle, so
// equality is a comparison of handles.
//
//   DimExpr b = symbols.named("batch");
//   DimExpr n = symbols.divide(symbols.multiply(b, 12), 12);   // == b
//   symbols.constant(subtract(b, b)) == 0;
//   symbols.valueOf(symbols.less(b, symbols.constant(0))) == 0;   // b >= 0
//
// Kernels that only move data process tensors of handles (DataType::Opaque)
// like any other tensors; arithmetic kernels call foldSymbols (SymbolicFold.h).
// Booleans are 0 and 1.
//
// Assumptions: dimensions are from 0 to 2^31 - 1 (a cast to 32 bits, and a
// slice that ends at the largest int32, are meant to keep them unchanged), and
// sums and products of them do not reach 2^63. Nothing is concluded from a
// range that might itself exceed 2^63. Minima, maxima, quotients and choices
// are also compared by their operands: min(a, b) <= a, a / 2 <= a (in
// comparisons, and in decisions by them). A quotient of an atom is opaque
// unless it is exact for every value of the atoms. An expression of more than
// 64 terms, or with a term of more than 64 factors, becomes an atom too (the
// same atom for the same operands). Thread safety: none; one table belongs to
// one Evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SYMBOLIC_DIMEXPRS_H
#define ONNXFOLD_SYMBOLIC_DIMEXPRS_H

#include "onnxfold/widenum/DataType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace onnxfold {

/// One expression: a number in the table that made it, which is the element
/// type of tensors that are known in part.
using DimExpr = Opaque64;

/// The least and the largest value that something may have. The smallest and
/// the largest int64 mean that there is no bound.
struct ExprRange {
  static constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t highest = std::numeric_limits<int64_t>::max();
  int64_t least = lowest, most = highest;

  static ExprRange dimension() { return {0, (int64_t(1) << 31) - 1}; }
  static ExprRange truth() { return {0, 1}; }
  static ExprRange of(DataType type);
  bool isWithin(ExprRange other) const {
    return least >= other.least && most <= other.most;
  }
};

class DimExprs {
public:
  DimExpr constant(int64_t value);
  /// The dimension of that name: one and the same for equal names. Names that
  /// begin with '?' are those of text(); any other such name is a fresh
  /// dimension.
  DimExpr named(llvm::StringRef name);
  /// A new unknown, which equals only itself.
  DimExpr fresh(ExprRange range = {});
  DimExpr freshDimension() { return fresh(ExprRange::dimension()); }

  DimExpr add(DimExpr a, DimExpr b);
  DimExpr subtract(DimExpr a, DimExpr b);
  DimExpr multiply(DimExpr a, DimExpr b);
  /// The quotient, rounded to zero: an exact expression if one is proved,
  /// otherwise an opaque atom. Nothing if b is the constant 0, or if a is the
  /// smallest integer and b is -1.
  std::optional<DimExpr> divide(DimExpr a, DimExpr b);
  /// Rounded down. REQUIRES: b > 0.
  DimExpr divideDown(DimExpr a, int64_t b);
  /// a / b, where a is a multiple of b and b is not 0 (otherwise the operator
  /// would fail at run time). The quotient is a dimension.
  DimExpr divideExactly(DimExpr a, DimExpr b);
  /// The remainder, with the sign of b, or with `truncate` that of a. Nothing
  /// in the same cases as divide.
  std::optional<DimExpr> remainder(DimExpr a, DimExpr b, bool truncate);
  DimExpr minimum(DimExpr a, DimExpr b);
  DimExpr maximum(DimExpr a, DimExpr b);
  /// True if `a` is the minimum of `b` and a number that is at least `least`.
  bool isCapped(DimExpr a, DimExpr b, int64_t least) const;
  DimExpr absolute(DimExpr a);

  /// 0 or 1 if the comparison is decided, otherwise a symbol that is 0 or 1.
  DimExpr equal(DimExpr a, DimExpr b);
  DimExpr less(DimExpr a, DimExpr b);
  /// REQUIRES: the operands are 0 or 1.
  DimExpr logicalNot(DimExpr a);
  DimExpr logicalAnd(DimExpr a, DimExpr b);
  /// a if the condition is not 0, else b.
  DimExpr select(DimExpr condition, DimExpr a, DimExpr b);

  /// Converts a to a narrower type. Returns a if it always fits, the wrapped
  /// number if a is known, else an unknown of that type.
  DimExpr wrap(DimExpr a, DataType type);
  /// A symbol for the operation number `name`, which depends on these two
  /// operands only: the same symbol for the same operands. Numbers below 128
  /// are the table's own.
  DimExpr opaque(int name, DimExpr a, DimExpr b, ExprRange range);

  /// The value, if it is known.
  std::optional<int64_t> valueOf(DimExpr symbol) const;
  ExprRange rangeOf(DimExpr symbol) const;

  /// A name of this expression: the argument of named(), or a text that named()
  /// maps back to the same handle.
  std::string text(DimExpr symbol);
  /// The argument of named(), if the expression is a named dimension alone.
  std::optional<llvm::StringRef> nameOf(DimExpr symbol) const;

private:
  friend class SymbolicFloats; // opaque, floats
  struct FloatNotes;

  /// Sorted atoms of one product, with repetitions.
  using Monomial = std::vector<int64_t>;
  /// Monomial -> coefficient, never 0. The constant has the empty monomial.
  using Polynomial = std::map<Monomial, int64_t>;

  /// The operation of an atom, on these operands.
  struct Definition {
    int operation;
    DimExpr a, b, c;
  };

  DimExpr intern(Polynomial polynomial);
  /// The atom of this operation on these operands.
  DimExpr opaque(int operation, DimExpr a, DimExpr b, DimExpr c,
                 ExprRange range);
  DimExpr opaqueOfEither(int operation, DimExpr a, DimExpr b, ExprRange range);
  /// a = quotient * b + rest, with coefficients of the rest in [0, b).
  std::pair<DimExpr, DimExpr> split(DimExpr a, int64_t b);
  std::optional<DimExpr> exactQuotient(DimExpr a, DimExpr b);
  static void accumulate(Polynomial &sum, const Monomial &monomial,
                         int64_t coefficient);
  /// The definition of an expression that is a single atom, or null.
  const Definition *definitionOf(DimExpr symbol) const;
  /// The divisor, if the atom is a quotient that is rounded down.
  std::optional<int64_t> divisorOf(const Definition &atom) const;
  bool isNotNegative(DimExpr a, unsigned depth);
  bool isNotNegative(DimExpr rest, int64_t factor, const Definition &atom,
                     unsigned depth);

  std::vector<Polynomial> polynomials; // by handle
  std::vector<ExprRange> atoms;        // by number
  std::map<Polynomial, int64_t> handles;
  llvm::StringMap<DimExpr> names;
  std::map<int64_t, std::string> nameOfHandle;
  std::map<std::tuple<int, int64_t, int64_t, int64_t>, DimExpr> opaques;
  std::map<int64_t, Definition> definitions; // by number of the atom
  std::shared_ptr<FloatNotes> floats;        // null while there are none
};

} // namespace onnxfold

#endif // ONNXFOLD_SYMBOLIC_DIMEXPRS_H
