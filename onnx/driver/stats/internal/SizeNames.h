//===- SizeNames.h - Names of open sizes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Turns sizes of an evaluation into formulas. A named dimension keeps its name;
// what is no sum of products of known unknowns (a rounded quotient, an unnamed
// dimension) gets one of its own, n1, n2 ..., with what it is the size of.
//
//   SizeNames sizes(evaluation.exprs());
//   Formula rows = sizes.of(dim, "size 0 of 'x'");
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_SIZENAMES_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_SIZENAMES_H

#include "onnxfold/onnx/driver/stats/internal/Formula.h"
#include "onnxfold/symbolic/DimExprs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

class SizeNames {
public:
  using Meaning = llvm::function_ref<std::string()>;

  explicit SizeNames(DimExprs &exprs) : exprs(exprs) {}

  /// `meaning` is asked if the size needs a name of its own.
  Formula of(DimExpr size, Meaning meaning);
  /// A number that no expression has, such as a trip count.
  Formula fresh(Meaning meaning);

  llvm::ArrayRef<std::string> names() const { return texts; }
  /// The meaning of an unknown; "" for a named dimension.
  llvm::StringRef meaningOf(unsigned number) const { return meanings[number]; }

private:
  Formula add(DimExpr size, std::string name, std::string meaning);
  std::string ownName();
  std::optional<Formula> parse(DimExpr size, unsigned depth);
  std::optional<Formula> parseProduct(DimExpr size, unsigned depth);
  std::optional<Formula> parseSum(DimExpr size, unsigned depth);

  DimExprs &exprs;
  std::vector<std::string> texts, meanings; // by number
  std::vector<DimExpr> unknowns;            // those that are expressions
  std::vector<unsigned> numbers;            // of `unknowns`
  llvm::DenseMap<int64_t, Formula> known;   // by handle
  llvm::StringSet<> taken;
  unsigned numOwn = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_SIZENAMES_H
