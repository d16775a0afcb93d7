//===- Symbols.h - Integers that are only partly known ----------*- C++ -*-===//
//
// Dimensions that nobody knows yet, and what arithmetic makes of them. An
// expression is a polynomial with integer coefficients over atoms: named
// dimensions ("batch"), fresh unknowns, and quotients that do not come out.
// Equal polynomials are one handle, so equality is a comparison of handles.
//
//   SymbolHandle b = symbols.named("batch");
//   SymbolHandle n = symbols.divide(symbols.multiply(b, 12), 12);   // == b
//   symbols.constant(subtract(b, b)) == 0;
//
// Kernels that only move data see tensors of handles (DataType::Symbol) and
// need not know; kernels of arithmetic call foldSymbols (SymbolicFold.h).
//
// What holds: atoms come from dimensions, so they are far below 2^63; only a
// named one is known to be >= 0 (a narrowing cast may make any). A quotient of
// an atom stays opaque unless it is exact for every value of the atoms. What
// would get longer than 64 terms, or 64 factors in one, becomes an atom too
// (the same one for the same operands).
// Thread safety: none; one table belongs to one Evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_SYMBOLS_H
#define ONNXFOLD_CONSTPROP_SYMBOLS_H

#include "onnxfold/widenum/DataType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace onnxfold {

class Symbols {
public:
  SymbolHandle constant(int64_t value);
  /// The dimension of that name: one and the same for equal names. Names that
  /// begin with '?' are those of text(); any other such name is a fresh
  /// unknown.
  SymbolHandle named(llvm::StringRef name);
  /// Something unknown that equals nothing but itself.
  SymbolHandle fresh();

  SymbolHandle add(SymbolHandle a, SymbolHandle b);
  SymbolHandle subtract(SymbolHandle a, SymbolHandle b);
  SymbolHandle multiply(SymbolHandle a, SymbolHandle b);
  /// Integer division (exact where that is proved, else an opaque atom).
  /// Nothing if b is the constant 0, or for the smallest integer by -1.
  std::optional<SymbolHandle> divide(SymbolHandle a, SymbolHandle b);

  /// The value, if it is known.
  std::optional<int64_t> valueOf(SymbolHandle symbol) const;

  /// A name that denotes this expression: what was given to named(), or a text
  /// that named() maps back to the same handle.
  std::string text(SymbolHandle symbol);

private:
  /// Sorted atoms of one product, with repetitions.
  using Monomial = std::vector<int64_t>;
  /// Monomial -> coefficient, never 0. The empty monomial is the constant.
  using Polynomial = std::map<Monomial, int64_t>;

  SymbolHandle intern(Polynomial polynomial);
  /// The atom that stands for this operation on these operands.
  SymbolHandle opaque(char operation, SymbolHandle a, SymbolHandle b);
  static void accumulate(Polynomial &sum, const Monomial &monomial,
                         int64_t coefficient);

  std::vector<Polynomial> polynomials; // by handle
  std::map<Polynomial, int64_t> handles;
  llvm::StringMap<SymbolHandle> names;
  std::map<int64_t, std::string> nameOfHandle;
  std::map<std::tuple<char, int64_t, int64_t>, SymbolHandle> opaques;
  int64_t numAtoms = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_SYMBOLS_H
