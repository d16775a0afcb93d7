//===- Floats.cpp - Constant kernels of arith on floats -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic and comparisons; each result is rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Compares floats: each predicate is a set of outcomes.
static FoldResult foldArithCmpF(FoldContext &cx) {
  // The sets are in the order of the enumeration.
  static constexpr uint8_t sets[] = {
      0, 1,  2,  3,  4,  5,  6, 7, // false oeq ogt oge olt ole one ord
      9, 10, 11, 12, 13, 14,       // ueq ugt uge ult ule une
      8, 15};                      // uno true
  enum : uint8_t { equal = 1, greater = 2, less = 4, unordered = 8 };
  uint8_t set = sets[cx.integer("predicate").value_or(0) & 15];
  Elements x = computable(cx.input(0)), y = computable(cx.input(1));
  if (!isFloat(x.type()))
    return Elements();
  return withFlags(cx, ops::zipTo<bool>(x, y, [set](auto a, auto b) {
                     return (set & (a == b  ? equal
                                    : a > b ? greater
                                    : a < b ? less
                                            : unordered)) != 0;
                   }));
}

namespace onnxfold::upstream {
void registerArithFloats(KernelRegistry &registry) {
  registry.add("addf", {1}, zipFloats<[](auto a, auto b) { return a + b; }>);
  registry.add("subf", {1}, zipFloats<[](auto a, auto b) { return a - b; }>);
  registry.add("mulf", {1}, zipFloats<[](auto a, auto b) { return a * b; }>);
  // Quotients; x / 0 is infinite or NaN, as IEEE 754 has it.
  registry.add("divf", {1}, zipFloats<[](auto a, auto b) { return a / b; }>);
  // Remainders with the sign of the dividend, as fmod; exact.
  registry.add("remf", {1}, zipFloats<[](auto a, auto b) {
                 return decltype(a)(std::fmod(double(a), double(b)));
               }>);
  // Changes the sign, of NaN and zero too.
  registry.add("negf", {1}, mapFloats<[](auto a) { return ops::negate(a); }>);
  // The larger of two floats; NaN if either is, and -0 is less than +0.
  registry.add("maximumf", {1}, zipFloats<[](auto a, auto b) {
                 if (a == 0 && b == 0)
                   return std::signbit(double(a)) ? b : a;
                 return ops::maximum(a, b);
               }>);
  // The smaller of two floats; NaN if either is, and -0 is less than +0.
  registry.add("minimumf", {1}, zipFloats<[](auto a, auto b) {
                 if (a == 0 && b == 0)
                   return std::signbit(double(a)) ? a : b;
                 return ops::minimum(a, b);
               }>);
  // The larger of two floats; of a number and a NaN the number. Of two zeros
  // the documentation allows either: the first.
  registry.add(
      "maxnumf", {1},
      zipFloats<[](auto a, auto b) { return ops::isNan(a) || a < b ? b : a; }>);
  // The smaller of two floats; of a number and a NaN the number. Of two zeros
  // the documentation allows either: the first.
  registry.add(
      "minnumf", {1},
      zipFloats<[](auto a, auto b) { return ops::isNan(a) || b < a ? b : a; }>);
  registry.add("cmpf", {1}, foldArithCmpF);
}
} // namespace onnxfold::upstream
