//===- Formula.h - A number that depends on open sizes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A polynomial with whole coefficients over unknowns, which are numbers in a
// list of names (SizeNames.h):
//
//   Formula batch = Formula::unknown(0), macs = Formula(12) * batch;
//   macs.text({"batch"});                            // "12*batch"
//
// DimExprs (symbolic) proves things about sizes and hides its terms; a Formula
// shows them. What passes 2^63 stays unknown: value() and text() say so.
//
// Thread safety: that of a value.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_FORMULA_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_FORMULA_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace onnxfold {

class Formula {
public:
  Formula(int64_t value = 0);
  static Formula unknown(unsigned number);
  /// Nothing is known of it, as of a sum that passes 2^63.
  static Formula beyond();

  Formula operator+(const Formula &other) const;
  Formula operator-(const Formula &other) const;
  Formula operator*(const Formula &other) const;
  Formula &operator+=(const Formula &other) { return *this = *this + other; }
  bool operator==(const Formula &other) const = default;

  /// The number, if there are no unknowns.
  std::optional<int64_t> value() const;
  bool isBeyond() const { return passes; }
  /// It is proved to be never smaller, whatever the unknowns are, which are 1 or
  /// more: each term that `other` has more of is less than others that this one
  /// has more of.
  bool covers(const Formula &other) const;
  /// Each coefficient divided, rounded up.
  Formula dividedUp(int64_t by) const;

  /// "12*batch*seq^2 + 3*batch"; "?" if it is beyond what can be said.
  std::string text(llvm::ArrayRef<std::string> names) const;
  /// The unknowns in it.
  std::vector<unsigned> unknowns() const;

private:
  using Product = std::vector<unsigned>; ///< sorted, with repetitions
  void add(const Product &product, int64_t coefficient);

  std::map<Product, int64_t> terms; ///< no coefficient is 0
  bool passes = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_FORMULA_H
