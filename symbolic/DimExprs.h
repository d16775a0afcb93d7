//===- DimExprs.h - Integers that are only partly known ----------*- C++ -*===//
//
// Dimensions that nobody knows yet, and what arithmetic makes of them. An
// expression is a polynomial with integer coefficients over atoms: named
// dimensions ("batch"), unnamed ones, unknowns, and what is no polynomial:
// quotients, remainders, minima, comparisons. Equal polynomials are one handle,
// so equality is a comparison of handles.
//
//   SymbolHandle b = symbols.named("batch");
//   SymbolHandle n = symbols.divide(symbols.multiply(b, 12), 12);   // == b
//   symbols.constant(subtract(b, b)) == 0;
//   symbols.valueOf(symbols.less(b, symbols.constant(0))) == 0;   // b >= 0
//
// Kernels that only move data see tensors of handles (DataType::Symbol) and
// need not know; kernels of arithmetic call foldSymbols (SymbolicFold.h).
// Booleans are 0 and 1.
//
// What holds: dimensions are from 0 to 2^31 - 1 (a cast to 32 bits, and a slice
// that ends at the largest int32, are meant to keep them as they are), and sums
// and products of them do not reach 2^63. What is concluded from a range is not
// concluded where the range itself might pass 2^63. Of minima, maxima,
// quotients and choices it is also known what they are made of: min(a, b) <= a,
// a / 2 <= a (comparisons, and what is decided by them). A quotient of an atom
// stays opaque unless it is exact for every value of the atoms. What would get
// longer than 64 terms, or 64 factors in one, becomes an atom too (the same one
// for the same operands). Thread safety: none; one table belongs to one
// Evaluation.
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

/// The least and the largest value that something may have. The ends of int64
/// say nothing.
struct SymbolRange {
  static constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t highest = std::numeric_limits<int64_t>::max();
  int64_t least = lowest, most = highest;

  static SymbolRange dimension() { return {0, (int64_t(1) << 31) - 1}; }
  static SymbolRange truth() { return {0, 1}; }
  static SymbolRange of(DataType type);
  bool isWithin(SymbolRange other) const {
    return least >= other.least && most <= other.most;
  }
};

class Symbols {
public:
  SymbolHandle constant(int64_t value);
  /// The dimension of that name: one and the same for equal names. Names that
  /// begin with '?' are those of text(); any other such name is a fresh
  /// dimension.
  SymbolHandle named(llvm::StringRef name);
  /// Something unknown that equals nothing but itself.
  SymbolHandle fresh(SymbolRange range = {});
  SymbolHandle freshDimension() { return fresh(SymbolRange::dimension()); }

  SymbolHandle add(SymbolHandle a, SymbolHandle b);
  SymbolHandle subtract(SymbolHandle a, SymbolHandle b);
  SymbolHandle multiply(SymbolHandle a, SymbolHandle b);
  /// Integer division (exact where that is proved, else an opaque atom),
  /// rounded to zero. Nothing if b is the constant 0, or for the smallest
  /// integer by -1.
  std::optional<SymbolHandle> divide(SymbolHandle a, SymbolHandle b);
  /// Rounded down. REQUIRES: b > 0.
  SymbolHandle divideDown(SymbolHandle a, int64_t b);
  /// a / b for a multiple a of b, which is known not to be 0: otherwise nobody
  /// would ask. The quotient is a dimension.
  SymbolHandle divideExactly(SymbolHandle a, SymbolHandle b);
  /// The remainder, with the sign of b; `truncate`: with that of a. Nothing as
  /// with divide.
  std::optional<SymbolHandle> remainder(SymbolHandle a, SymbolHandle b,
                                        bool truncate);
  SymbolHandle minimum(SymbolHandle a, SymbolHandle b);
  SymbolHandle maximum(SymbolHandle a, SymbolHandle b);
  /// `a` is the smaller one of `b` and a number of at least `least`.
  bool isCapped(SymbolHandle a, SymbolHandle b, int64_t least) const;
  SymbolHandle absolute(SymbolHandle a);

  /// 0 or 1, and a symbol that is either where it depends.
  SymbolHandle equal(SymbolHandle a, SymbolHandle b);
  SymbolHandle less(SymbolHandle a, SymbolHandle b);
  /// REQUIRES: the operands are truths.
  SymbolHandle logicalNot(SymbolHandle a);
  SymbolHandle logicalAnd(SymbolHandle a, SymbolHandle b);
  /// a where the condition is not 0, else b.
  SymbolHandle select(SymbolHandle condition, SymbolHandle a, SymbolHandle b);

  /// What a becomes in a narrower type: a where it fits, its known value
  /// wrapped, or an unknown of that type.
  SymbolHandle wrap(SymbolHandle a, DataType type);
  /// Something that depends on these two alone, with a name for what it is: the
  /// same symbol for the same operands. Names below 128 are the table's own.
  SymbolHandle opaque(int name, SymbolHandle a, SymbolHandle b,
                      SymbolRange range);

  /// The value, if it is known.
  std::optional<int64_t> valueOf(SymbolHandle symbol) const;
  SymbolRange rangeOf(SymbolHandle symbol) const;

  /// A name that denotes this expression: what was given to named(), or a text
  /// that named() maps back to the same handle.
  std::string text(SymbolHandle symbol);
  /// The name that was given to named(), if it is that and nothing else.
  std::optional<llvm::StringRef> nameOf(SymbolHandle symbol) const;

private:
  friend class SymbolicFloats; // opaque, floats
  struct FloatNotes;

  /// Sorted atoms of one product, with repetitions.
  using Monomial = std::vector<int64_t>;
  /// Monomial -> coefficient, never 0. The empty monomial is the constant.
  using Polynomial = std::map<Monomial, int64_t>;

  /// What an atom stands for: an operation on these.
  struct Definition {
    int operation;
    SymbolHandle a, b, c;
  };

  SymbolHandle intern(Polynomial polynomial);
  /// The atom that stands for this operation on these operands.
  SymbolHandle opaque(int operation, SymbolHandle a, SymbolHandle b,
                      SymbolHandle c, SymbolRange range);
  SymbolHandle opaqueOfEither(int operation, SymbolHandle a, SymbolHandle b,
                              SymbolRange range);
  /// a = quotient * b + rest, with coefficients of the rest in [0, b).
  std::pair<SymbolHandle, SymbolHandle> split(SymbolHandle a, int64_t b);
  std::optional<SymbolHandle> exactQuotient(SymbolHandle a, SymbolHandle b);
  static void accumulate(Polynomial &sum, const Monomial &monomial,
                         int64_t coefficient);
  /// Of what is nothing but one atom, or null.
  const Definition *definitionOf(SymbolHandle symbol) const;
  /// The divisor, where the atom is a quotient that is rounded down.
  std::optional<int64_t> divisorOf(const Definition &atom) const;
  bool isNotNegative(SymbolHandle a, unsigned depth);
  bool isNotNegative(SymbolHandle rest, int64_t factor, const Definition &atom,
                     unsigned depth);

  std::vector<Polynomial> polynomials; // by handle
  std::vector<SymbolRange> atoms;      // by number
  std::map<Polynomial, int64_t> handles;
  llvm::StringMap<SymbolHandle> names;
  std::map<int64_t, std::string> nameOfHandle;
  std::map<std::tuple<int, int64_t, int64_t, int64_t>, SymbolHandle> opaques;
  std::map<int64_t, Definition> definitions; // by number of the atom
  std::shared_ptr<FloatNotes> floats;        // null while there are none
};

} // namespace onnxfold

#endif // ONNXFOLD_SYMBOLIC_DIMEXPRS_H
